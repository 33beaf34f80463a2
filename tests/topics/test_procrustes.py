"""Claims about Procrustes alignment."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import procrustes as peer_procrustes
from scipy.stats import ortho_group

from dimred_ref.procrustes import rigid_alignment, similarity_alignment

seeds = st.integers(0, 10_000)


def motion(rng, dimension):
    return ortho_group.rvs(dimension, random_state=rng), 5 * rng.standard_normal(dimension)


@pytest.mark.claim("thm-procrustes-rotation")
@given(seeds, st.integers(2, 4))
def test_a_rigid_motion_is_undone(seed, d):
    rng = np.random.default_rng(seed)
    target = rng.standard_normal((20, d))
    rotation, shift = motion(rng, d)
    aligned = rigid_alignment(target @ rotation + shift, target)
    assert aligned.error < 1e-12
    np.testing.assert_allclose(aligned.embedding, target, atol=1e-12)
    np.testing.assert_allclose(aligned.rotation, rotation.T, atol=1e-10)


def test_reflections_are_allowed():
    target = np.random.default_rng(0).standard_normal((10, 2))
    aligned = rigid_alignment(target * [1, -1], target)
    assert aligned.error < 1e-12
    assert np.linalg.det(aligned.rotation) == pytest.approx(-1)


@given(seeds, st.floats(0.1, 10))
def test_a_similarity_is_undone_with_its_scale(seed, scale):
    rng = np.random.default_rng(seed)
    target = rng.standard_normal((20, 3))
    rotation, shift = motion(rng, 3)
    moved = (target @ rotation) / scale + shift
    aligned = similarity_alignment(moved, target)
    assert aligned.error < 1e-12
    assert aligned.scale == pytest.approx(scale)
    np.testing.assert_allclose(aligned.scale * moved @ aligned.rotation + aligned.shift, target, atol=1e-10)


@given(seeds)
def test_no_other_motion_fits_better(seed):
    rng = np.random.default_rng(seed)
    X, target = rng.standard_normal((2, 15, 2))
    rigid, similar = rigid_alignment(X, target), similarity_alignment(X, target)
    assert (
        similar.error
        <= rigid.error
        <= 2 * np.linalg.norm(X) / np.linalg.norm(target - target.mean(axis=0)) + 1
    )
    spread = np.linalg.norm(target - target.mean(axis=0))
    for _ in range(20):
        rotation, _ = motion(rng, 2)
        moved = (X - X.mean(axis=0)) @ rotation + target.mean(axis=0)
        assert np.linalg.norm(target - moved) / spread >= rigid.error - 1e-12


@given(seeds)
def test_scipy_agrees_on_the_error_of_a_similarity(seed):
    X, target = np.random.default_rng(seed).standard_normal((2, 15, 3))
    *_, disparity = peer_procrustes(target, X)
    assert similarity_alignment(X, target).error ** 2 == pytest.approx(disparity)


def test_points_without_spread_align_at_their_mean():
    target = np.array([[0.0, 0.0], [2.0, 0.0]])
    assert similarity_alignment(np.ones((2, 2)), target).error == pytest.approx(1)


def test_sets_that_cannot_be_laid_over_each_other_are_refused():
    with pytest.raises(ValueError, match=r"shape of the target, \(4, 2\), got \(4, 3\)"):
        rigid_alignment(np.ones((4, 3)), np.ones((4, 2)))
    with pytest.raises(ValueError, match="two different points"):
        rigid_alignment(np.eye(4), np.ones((4, 4)))
    with pytest.raises(ValueError, match="two different points"):
        rigid_alignment(np.eye(30), np.full((30, 30), np.pi))  # whose mean, summed, is another number
