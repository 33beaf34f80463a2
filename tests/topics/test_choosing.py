"""Claims about the choice of neighbours and dimensions, rank curves, and graphs and tables of one's own."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform
from sklearn.manifold import Isomap
from sklearn.neighbors import radius_neighbors_graph

from dimred_ref.choose_neighbors import choose_n_neighbors
from dimred_ref.datasets import airports, sheet_with_hole, swiss_roll
from dimred_ref.graph import knn_graph, nearest_neighbors
from dimred_ref.intrinsic_dimension import correlation_dimension, mle_dimension, two_nn_dimension
from dimred_ref.isomap import isomap
from dimred_ref.lle import lle
from dimred_ref.precomputed import isomap_of_distances, isomap_of_graph, lle_of_distances, radius_graph
from dimred_ref.rank_curves import coranking_matrix, rank_curves

seeds = st.integers(0, 10_000)
few = settings(max_examples=15, deadline=None)


def test_the_rule_avoids_short_circuit_edges_in_nine_of_ten_rolls():
    good = 0
    for seed in range(10, 20):  # not the seeds of the page
        roll = swiss_roll(800, seed=seed)
        k = choose_n_neighbors(roll.X).n_neighbors
        arc = roll.coordinates[:, 0]
        good += np.abs(arc[nearest_neighbors(roll.X, k)[1]] - arc[:, None]).max() < 10
    assert good >= 9


def test_every_candidate_gets_a_reason():
    scan = choose_n_neighbors(swiss_roll(800, seed=9).X, candidates=(4, 5, 9, 10, 11))
    assert scan.n_neighbors in scan.candidates
    assert len(scan.reasons) == 5
    assert "connected components" in scan.reasons[0]
    assert scan.pieces[0] > 1
    assert "chosen" in scan.reasons[scan.candidates.index(scan.n_neighbors)]
    assert "short-circuit" in scan.reasons[-1]


def test_candidates_that_leave_pieces_are_refused():
    X = np.vstack([np.random.default_rng(0).normal(size=(20, 2)) + shift for shift in (0, 100)])
    with pytest.raises(ValueError, match="connected"):
        choose_n_neighbors(X, candidates=(3, 5))
    with pytest.raises(ValueError, match="ascending"):
        choose_n_neighbors(X, candidates=(5, 3))


@pytest.mark.claim("thm-choosing-dimension")
@pytest.mark.parametrize("dimension", [1, 2, 4])
def test_dimensions_of_periodic_data_are_found(dimension):
    """On a flat torus there is no boundary: in at least nine of ten samples within a tenth."""
    found = []
    for seed in range(10):
        angles = np.random.default_rng(seed).uniform(0, 2 * np.pi, size=(1500, dimension))
        X = np.hstack([np.cos(angles), np.sin(angles)])
        found.append([mle_dimension(X, n_neighbors=10), two_nn_dimension(X), correlation_dimension(X)])
    close = np.abs(np.array(found) / dimension - 1) < 0.12
    assert np.all(close.sum(axis=0) >= 9)


@pytest.mark.claim("thm-choosing-dimension")
def test_the_estimates_know_no_unit_and_no_rotation():
    rng = np.random.default_rng(0)
    X = rng.random((200, 3))
    turned = 1e3 * X @ np.linalg.qr(rng.normal(size=(3, 3)))[0] + 5
    for estimate in (lambda Z: mle_dimension(Z, n_neighbors=7), two_nn_dimension, correlation_dimension):
        assert estimate(turned) == pytest.approx(estimate(X), rel=1e-9)


def test_the_likelihood_estimate_by_hand():
    """Distances 1, 2, 4 from the origin: log 4 + log 2 = 3 log 2 from this point."""
    X = np.array([[0.0], [1.0], [-2.0], [4.0]])
    rows = np.sort(np.abs(X - X.T), axis=1)[:, 1:]
    expected = 1 / np.mean(np.log(rows[:, -1:] / rows[:, :-1]))
    assert mle_dimension(X, n_neighbors=3) == pytest.approx(expected)
    assert np.log(rows[0, -1] / rows[0, :-1]).sum() == pytest.approx(3 * np.log(2))


def test_copies_of_points_have_no_dimension():
    for estimate in (lambda Z: mle_dimension(Z, n_neighbors=3), two_nn_dimension, correlation_dimension):
        with pytest.raises(ValueError, match="X must have"):
            estimate(np.ones((50, 2)))


@pytest.mark.claim("thm-choosing-baseline")
@few
@given(seeds)
def test_rank_curves_count_common_neighbours(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(14, 3)), rng.normal(size=(14, 2))
    curves, q = rank_curves(X, Y), coranking_matrix(X, Y)
    for k in (1, 4, 12):
        sets = (nearest_neighbors(Z, k)[1] for Z in (X, Y))
        common = sum(len(set(a) & set(b)) for a, b in zip(*sets, strict=True))
        assert q[:k, :k].sum() == common
        assert curves.kept[k - 1] == pytest.approx(common / (14 * k))
        assert curves.gained[k - 1] == pytest.approx((13 * common / (14 * k) - k) / (13 - k))
    np.testing.assert_array_equal(q.sum(axis=0), 14)
    assert rank_curves(X, 2 * X).area == pytest.approx(1)


@pytest.mark.claim("thm-choosing-baseline")
def test_random_maps_keep_what_chance_keeps():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50, 3))
    gained = np.mean([rank_curves(X, rng.normal(size=(50, 2))).gained for _ in range(200)], axis=0)
    assert np.abs(gained[:40]).max() < 0.02


def test_radius_graphs_agree_with_scikit_learn_and_keep_copies():
    X = np.vstack([np.random.default_rng(0).random((80, 3)), np.zeros((2, 3))])
    ours = radius_graph(X, 0.4)
    np.testing.assert_allclose(ours.toarray(), radius_neighbors_graph(X, 0.4, mode="distance").toarray())
    assert ours[[80], [81]].size == 1
    assert (ours.indices[ours.indptr[80] : ours.indptr[81]] == 81).any()


def test_isomap_of_its_own_graph_is_isomap():
    X = sheet_with_hole(120, seed=0).X
    expected = isomap(X, 2, n_neighbors=8).embedding
    for fit in (
        isomap_of_graph(knn_graph(X, 8), 2),
        isomap_of_graph(knn_graph(X, 8).toarray(), 2),
        isomap_of_distances(squareform(pdist(X)), 2, n_neighbors=8),
    ):
        np.testing.assert_allclose(np.abs(fit.embedding), np.abs(expected), atol=1e-8)
    flights = airports().distances
    peer = Isomap(n_neighbors=5, metric="precomputed").fit_transform(flights)
    np.testing.assert_allclose(
        np.abs(isomap_of_distances(flights, 2, n_neighbors=5).embedding), np.abs(peer), rtol=1e-6
    )


@pytest.mark.parametrize("size", [100, 260])
def test_lle_of_a_table_is_lle(size):
    X = sheet_with_hole(size, seed=0).X
    ours, expected = lle_of_distances(squareform(pdist(X)), 2, n_neighbors=9), lle(X, 2, n_neighbors=9)
    np.testing.assert_allclose(ours.weights.toarray(), expected.weights.toarray(), atol=1e-7)
    np.testing.assert_allclose(np.abs(ours.embedding), np.abs(expected.embedding), atol=1e-4)
    with pytest.raises(ValueError, match="new points need training points"):
        ours.transform(X[:1])


def test_graphs_in_pieces_are_refused():
    with pytest.raises(ValueError, match="connected"):
        isomap_of_graph(radius_graph([[0.0], [1.0], [9.0], [10.0]], 2.0), 1)
