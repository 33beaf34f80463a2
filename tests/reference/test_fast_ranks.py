"""Ranks of neighbours: counting gives what sorting gives, with ties and copies."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.manifold import trustworthiness as peer

import dimred_ref as dr
from dimred_ref._fast.ranks import ranks_by_counting, ranks_by_sorting


@given(st.integers(0, 10**6), st.integers(4, 30), st.sampled_from([0, 1, 2]))
def test_counting_is_sorting(seed, size, steps):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(size, 2))
    X = np.round(steps * X) if steps else X
    neighbors = np.stack([rng.permutation(np.delete(np.arange(size), i))[:3] for i in range(size)])
    first = int(rng.integers(0, size))
    args = X, first, neighbors[first:]
    np.testing.assert_array_equal(ranks_by_counting(*args), ranks_by_sorting(*args))


@pytest.mark.parametrize("n_neighbors", [5, 60])
def test_trustworthiness_is_that_of_scikit_learn(n_neighbors):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(200, 5)), rng.normal(size=(200, 2))
    ours = dr.trustworthiness(X, Y, n_neighbors=n_neighbors)
    assert ours == pytest.approx(peer(X, Y, n_neighbors=n_neighbors), abs=1e-12)
