"""Claims about metric scaling by majorisation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.spatial.distance import pdist, squareform
from sklearn.manifold import smacof

from dimred_ref.metric_mds import guttman_transform, metric_mds, raw_stress

seeds = st.integers(0, 10_000)
few = settings(max_examples=25, deadline=None)


@pytest.mark.claim("thm-metric-mds-descent")
@few
@given(seeds, st.integers(1, 3))
def test_the_stress_falls_by_at_least_the_squared_step(seed, d):
    rng = np.random.default_rng(seed)
    D = squareform(rng.random(28) * 5)  # any table, not only a Euclidean one
    Z = rng.normal(size=(8, d))
    if seed % 3 == 0:
        Z[1] = Z[0]  # coinciding points
    Z -= Z.mean(axis=0)
    after = guttman_transform(D, Z)
    np.testing.assert_allclose(after.mean(axis=0), 0, atol=1e-12)
    assert raw_stress(D, Z) - raw_stress(D, after) >= 8 * np.sum((Z - after) ** 2) - 1e-9
    if seed % 3:
        slope = approx_fprime(Z.ravel(), lambda z: raw_stress(D, z.reshape(8, d)), 1e-7)
        np.testing.assert_allclose(slope, 16 * (Z - after).ravel(), atol=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_steps_agree_with_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    D, start = squareform(rng.random(190)), rng.normal(size=(20, 2))
    peer, stress = smacof(
        D, n_components=2, init=start, n_init=1, max_iter=30, eps=0, normalized_stress=False
    )
    ours = metric_mds(D, 2, start=start, n_steps=30, tolerance=0)
    np.testing.assert_allclose(ours.embedding, peer - peer.mean(axis=0), atol=1e-8)
    assert ours.stress == pytest.approx(stress)
    assert np.all(np.diff(ours.stresses) <= 1e-12)


def test_a_euclidean_table_is_drawn_exactly():
    X = np.random.default_rng(0).normal(size=(30, 2))
    fit = metric_mds(squareform(pdist(X)), 2)
    assert fit.stress < 1e-12
    np.testing.assert_allclose(pdist(fit.embedding), pdist(X))


def test_tables_and_starts_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="distances must be non-negative"):
        metric_mds(-np.ones((3, 3)), 1)
    with pytest.raises(ValueError, match="start must have shape"):
        metric_mds(np.ones((3, 3)) - np.eye(3), 1, start=np.ones((3, 2)))
