"""Claims about the measures of an embedding."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.stats import ortho_group
from sklearn.manifold import trustworthiness as peer_trustworthiness

from dimred_ref.quality import continuity, procrustes_error, residual_variance, trustworthiness

seeds = st.integers(0, 10_000)


def penalties_by_loops(X, Y, k):
    """Definition, word for word: neighbours in Y that are none in X, by how much their rank exceeds k."""
    total = 0
    for i in range(len(X)):
        order_X = sorted((j for j in range(len(X)) if j != i), key=lambda j: np.linalg.norm(X[i] - X[j]))
        order_Y = sorted((j for j in range(len(X)) if j != i), key=lambda j: np.linalg.norm(Y[i] - Y[j]))
        total += sum(max(order_X.index(j) + 1 - k, 0) for j in order_Y[:k])
    return total


@pytest.mark.parametrize("k", [1, 4])
def test_trustworthiness_is_its_definition(k):
    X, Y = (np.random.default_rng(s).standard_normal((18, 3)) for s in (0, 1))
    worst = 18 * k * (2 * 18 - 3 * k - 1) / 2
    assert trustworthiness(X, Y, n_neighbors=k) == pytest.approx(1 - penalties_by_loops(X, Y, k) / worst)
    assert continuity(X, Y, n_neighbors=k) == pytest.approx(1 - penalties_by_loops(Y, X, k) / worst)


@pytest.mark.parametrize("k", [1, 3])
def test_a_point_comes_before_its_copies(k):
    """Ranks count from the point itself, also among copies of it, and copies by their index."""
    X = np.repeat([[0.0, 0.0], [1.0, 3.0]], 9, axis=0)
    Y = np.random.default_rng(0).standard_normal((18, 2))
    worst = 18 * k * (2 * 18 - 3 * k - 1) / 2
    assert trustworthiness(X, Y, n_neighbors=k) == pytest.approx(1 - penalties_by_loops(X, Y, k) / worst)


@given(seeds, st.integers(1, 10))
def test_scikit_learn_agrees(seed, k):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((40, 5))
    Y = X[:, :2] + 0.1 * rng.standard_normal((40, 2))
    assert trustworthiness(X, Y, n_neighbors=k) == pytest.approx(peer_trustworthiness(X, Y, n_neighbors=k))


def test_blocks_of_samples_add_up():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((601, 3))  # blocks of unequal size
    Y = X[:, :2]
    assert trustworthiness(X, Y, n_neighbors=7) == pytest.approx(peer_trustworthiness(X, Y, n_neighbors=7))


def test_folding_costs_trust_and_tearing_costs_continuity():
    """A fold brings strangers together; a tear parts neighbours."""
    rng = np.random.default_rng(0)
    square = rng.random((200, 2))
    folded = np.abs(square - [0.5, 0])
    torn = square + [5, 0] * (square[:, :1] > 0.5)
    trust, keep = ({"n_neighbors": 10},) * 2
    assert trustworthiness(square, folded, **trust) < 0.9 < continuity(square, folded, **keep)
    assert continuity(square, torn, **keep) < trustworthiness(square, torn, **trust)


@given(seeds)
def test_a_similarity_is_perfectly_faithful(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, 3))
    Y = 2.5 * X @ ortho_group.rvs(3, random_state=rng) + 1
    assert trustworthiness(X, Y, n_neighbors=5) == 1
    assert continuity(X, Y, n_neighbors=5) == 1
    assert residual_variance(cdist(X, X), Y) == pytest.approx(0, abs=1e-12)


@given(seeds)
def test_residual_variance_is_one_minus_the_squared_correlation(seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((20, 4))
    expected = 1 - np.corrcoef(pdist(X), pdist(X[:, :2]))[0, 1] ** 2
    assert residual_variance(squareform(pdist(X)), X[:, :2]) == pytest.approx(expected)


@given(seeds)
def test_procrustes_error_ignores_rigid_motions_and_nothing_else(seed):
    rng = np.random.default_rng(seed)
    truth = rng.standard_normal((20, 2))
    moved = truth @ ortho_group.rvs(2, random_state=rng) + 3
    assert procrustes_error(moved, truth) < 1e-12
    assert procrustes_error(2 * moved, truth) == pytest.approx(1)


def test_arguments_that_do_not_fit_are_refused():
    X = np.random.default_rng(0).standard_normal((20, 3))
    with pytest.raises(ValueError, match="embedding must have 20 rows like X, got 19"):
        trustworthiness(X, X[:-1], n_neighbors=3)
    with pytest.raises(ValueError, match="n_neighbors must be between 1 and 9, got 10"):
        trustworthiness(X, X, n_neighbors=10)
    with pytest.raises(ValueError, match="at least 4 rows"):
        trustworthiness(X[:3], X[:3], n_neighbors=1)
    with pytest.raises(ValueError, match="embedding must have 20 rows like distances, got 19"):
        residual_variance(cdist(X, X), X[:-1])
    with pytest.raises(ValueError, match="at least 3 rows"):
        residual_variance(np.zeros((2, 2)), X[:2])
    with pytest.raises(
        ValueError, match=r"distances must not keep all points equally far apart, got 0\.3 for"
    ):
        residual_variance(0.3 * (1 - np.eye(20)), X)
    with pytest.raises(ValueError, match="embedding must not keep all points equally far apart, got 0 for"):
        residual_variance(cdist(X, X), np.ones((20, 2)))
    with pytest.raises(ValueError, match="embedding must have 20 rows like X, got 19"):
        continuity(X, X[:-1], n_neighbors=3)
    with pytest.raises(ValueError, match="embedding must be finite"):
        continuity(X, np.full((20, 2), np.nan), n_neighbors=3)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_a_correlation_knows_no_unit(unit):
    X = np.random.default_rng(0).standard_normal((20, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert residual_variance(unit * cdist(X, X), X[:, :2]) == pytest.approx(
            residual_variance(cdist(X, X), X[:, :2])
        )
