"""Claims about maximum variance unfolding, and attempts to fool its certificate."""

import importlib
import itertools

import cvxpy
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ortho_group

from dimred_ref._fast.inertia import second_eigenvalue_at_least
from dimred_ref._mvu_graph import checked_edges, merged_graph
from dimred_ref._mvu_landmarks import geodesic_bound, mixing_matrix
from dimred_ref.datasets import swiss_roll
from dimred_ref.mvu import (
    certify_gram,
    certify_mvu,
    exact_mvu_small,
    landmark_mvu,
    mvu,
    mvu_on_graph,
    neighbor_edges,
    squared_edge_lengths,
)

seeds = st.integers(0, 10_000)
CHAINS = {(1, 2, 3): 21, (1, 4): 14, (3, 3): 18, (2, 2, 2): 20, (2, 1, 2): 13, (3, 4, 2): 48.75, (5,): 12.5}


def chain(lengths):
    edges = np.array([(i, i + 1) for i in range(len(lengths))])
    return edges, np.square(lengths).astype(float)


def cloud(seed, size=12):
    """A small cloud in space with a connected neighbourhood graph."""
    X = np.random.default_rng(seed).standard_normal((size, 3))
    return X, *neighbor_edges(X, 4)


def laplacian(edges, multipliers, size):
    L = np.zeros((size, size))
    for (i, j), w in zip(edges, multipliers, strict=True):
        L[[i, j], [i, j]] += w
        L[[i, j], [j, i]] -= w
    return L


def by_cvxpy(edges, squared_lengths, weights, *, exact):
    """Unfold nodes that stand for several points each with a general solver."""
    size = len(weights)
    K = cvxpy.Variable((size, size), PSD=True)
    stretched = cvxpy.hstack([K[i, i] + K[j, j] - 2 * K[i, j] for i, j in edges])
    kept = stretched == squared_lengths if exact else stretched <= squared_lengths
    problem = cvxpy.Problem(cvxpy.Maximize(weights @ cvxpy.diag(K)), [kept, weights @ K @ weights == 0])
    problem.solve(solver="CLARABEL")
    return problem.value, K.value


def folded(points, edges, squared_lengths):
    """Shrink any points until no edge is too long."""
    scale = np.sqrt((squared_lengths / squared_edge_lengths(points, edges)).min())
    return min(scale, 1.0) * (points - points.mean(axis=0))


@pytest.mark.claim("eq-mvu-program")
@pytest.mark.parametrize(("lengths", "trace"), CHAINS.items())
def test_a_chain_becomes_straight(lengths, trace):
    """Ledger 13.1 and 13.2: the sum of squares about the mean of the straightened chain."""
    edges, squared = chain(lengths)
    unfolding = mvu_on_graph(edges, squared, 1, n_points=len(lengths) + 1)
    assert unfolding.certificate.objective == pytest.approx(trace, rel=1e-7)
    assert unfolding.dimension == 1
    positions = np.concatenate([[0], np.cumsum(lengths)])
    found = unfolding.embedding[:, 0] * np.sign(unfolding.embedding[-1, 0])
    np.testing.assert_allclose(found, positions - positions.mean(), atol=1e-4)


def test_a_bent_chain_unfolds_from_its_points():
    X = np.array([[0, 0], [3, 0], [3, 4], [1, 4.0]])
    unfolding = mvu_on_graph(
        [[0, 1], [1, 2], [2, 3]], squared_edge_lengths(X, np.array([[0, 1], [1, 2], [2, 3]])), 2, n_points=4
    )
    assert unfolding.certificate.objective == pytest.approx(48.75, rel=1e-7)
    assert unfolding.embedding.shape == (4, 2)
    np.testing.assert_allclose(unfolding.embedding[:, 1], 0, atol=1e-3)


@pytest.mark.claim("thm-mvu-certificate")
@pytest.mark.parametrize("seed", range(6))
def test_the_certificate_proves_optimality_to_the_promised_digits(seed):
    _, edges, squared = cloud(seed, 25)
    certificate = mvu_on_graph(edges, squared, 2, n_points=25).certificate
    assert certificate.max_violation <= 1e-9
    assert 0 <= certificate.gap <= 1e-8
    assert certificate.proves_optimality()


@pytest.mark.parametrize("seed", [0, 3])
def test_value_agrees_with_a_general_solver(seed):
    _, edges, squared = cloud(seed)
    value, K = by_cvxpy(edges, squared, np.ones(12), exact=False)
    ours = mvu_on_graph(edges, squared, 2, n_points=12)
    assert ours.certificate.objective == pytest.approx(value, rel=1e-6)
    np.testing.assert_allclose(ours.factor @ ours.factor.T, K, atol=1e-3 * np.abs(K).max())
    assert certify_gram(K, edges, squared, ours.multipliers).gap < 1e-5


@pytest.mark.claim("eq-mvu-weak-duality")
@given(seeds)
@settings(max_examples=60, deadline=None)
def test_no_feasible_points_exceed_the_bound_of_any_multipliers(seed):
    rng = np.random.default_rng(seed)
    _, edges, squared = cloud(seed % 7)
    points = folded(rng.standard_normal((12, rng.integers(1, 6))), edges, squared)
    certificate = certify_mvu(points, edges, squared, rng.random(len(edges)) ** 3 + 1e-3)
    assert certificate.max_violation <= 1e-12
    assert certificate.objective <= certificate.upper_bound
    assert certificate.lower_bound == pytest.approx(certificate.objective)


def test_upper_bound_is_that_of_dense_eigenvalues():
    rng = np.random.default_rng(4)
    X, edges, squared = cloud(1)
    w = rng.random(len(edges)) + 0.1
    second = np.linalg.eigvalsh(laplacian(edges, w, 12))[1]
    assert certify_mvu(X, edges, squared, w).upper_bound == pytest.approx(w @ squared / second, rel=1e-9)


def test_multipliers_meet_the_conditions_of_optimality():
    """eq-mvu-optimality, densely: L(w) Y = Y, L(w) ⪰ I off the constants, slack edges pull not."""
    _, edges, squared = cloud(2, 20)
    unfolding = mvu_on_graph(edges, squared, 2, n_points=20)
    L = laplacian(edges, unfolding.multipliers, 20)
    assert np.linalg.eigvalsh(L)[1] == pytest.approx(1, abs=1e-7)
    np.testing.assert_allclose(
        L @ unfolding.factor, unfolding.factor, atol=1e-5 * np.abs(unfolding.factor).max()
    )
    slack = squared - squared_edge_lengths(unfolding.factor, edges)
    assert np.abs(unfolding.multipliers @ slack) <= 1e-7 * unfolding.certificate.objective
    assert (unfolding.multipliers >= 0).all()


@pytest.mark.claim("thm-mvu-certificate")
def test_a_tampered_dual_is_not_believed():
    _, edges, squared = cloud(0)
    honest = mvu_on_graph(edges, squared, 2, n_points=12)
    heavy = int(honest.multipliers.argmax())
    for factor in (-1.0, 0.0, 0.9, 1.1):
        tampered = honest.multipliers.copy()
        tampered[heavy] *= factor
        certificate = certify_mvu(honest.factor, edges, squared, tampered)
        assert not certificate.proves_optimality()
        assert certificate.upper_bound > honest.certificate.objective
    assert certify_mvu(honest.factor, edges, squared, -honest.multipliers).upper_bound == np.inf
    lowered = certify_mvu(honest.factor, edges, squared, honest.multipliers / 2)
    assert lowered.upper_bound == pytest.approx(honest.certificate.upper_bound), "only their ratio counts"


@pytest.mark.claim("thm-mvu-certificate")
def test_an_infeasible_primal_is_not_believed():
    _, edges, squared = cloud(0)
    honest = mvu_on_graph(edges, squared, 2, n_points=12)
    wider = certify_mvu(1.001 * honest.factor, edges, squared, honest.multipliers)
    assert wider.max_violation > 1e-3
    assert not wider.proves_optimality()
    assert wider.lower_bound <= honest.certificate.upper_bound
    one_moved = honest.factor.copy()
    one_moved[0] *= 1.01
    assert not certify_mvu(one_moved, edges, squared, honest.multipliers).proves_optimality()
    shorter = certify_mvu(0.99 * honest.factor, edges, squared, honest.multipliers)
    assert shorter.max_violation == 0
    assert shorter.gap == pytest.approx(0.99**-2 - 1, rel=1e-6)


def test_a_gram_matrix_must_be_centred_and_semidefinite():
    _, edges, squared = cloud(0)
    honest = mvu_on_graph(edges, squared, 2, n_points=12)
    K = honest.factor @ honest.factor.T
    assert certify_gram(K, edges, squared, honest.multipliers).proves_optimality(violation=1e-8)
    with pytest.raises(ValueError, match="K must be centred"):
        certify_gram(K + 1, edges, squared, honest.multipliers)
    with pytest.raises(ValueError, match="smallest eigenvalue -"):
        certify_gram(K - 0.05 * (np.eye(12) - 1 / 12) * np.trace(K), edges, squared, honest.multipliers)


@pytest.mark.claim("thm-mvu-inertia")
@pytest.mark.parametrize("size", [30, 230])
def test_verified_second_eigenvalue_is_below_and_close(size):
    rng = np.random.default_rng(size)
    edges, _ = neighbor_edges(rng.standard_normal((size, 2)), 8)
    for w in (rng.random(len(edges)) + 0.01, 10.0 ** rng.uniform(-2, 4, len(edges))):
        dense = laplacian(edges, w, size)
        true = np.linalg.eigvalsh(dense)[1]
        bound = second_eigenvalue_at_least(scipy.sparse.csc_array(dense))
        assert true * (1 - 1e-6) <= bound <= true * (1 + 1e-9)


@pytest.mark.claim("thm-mvu-inertia")
@pytest.mark.parametrize("size", [201, 260, 333])
def test_verified_second_eigenvalue_of_a_path_is_below_the_true_one(size):
    """λ₂ = 4 sin²(π / 2N) for a path with unit weights: no rounding may carry the bound above it."""
    L = laplacian(*(chain(np.ones(size - 1))), size)
    bound = second_eigenvalue_at_least(scipy.sparse.csc_array(L))
    true = 4 * np.sin(np.pi / (2 * size)) ** 2
    assert true * (1 - 1e-6) <= bound < true


def test_equal_pivots_of_a_star_do_not_spoil_the_bound():
    """Every leaf of a star has the pivot λ₂ − t, nearly 0: what elimination without pivoting fears."""
    size = 260
    edges = np.column_stack([np.zeros(size - 1, int), np.arange(1, size)])
    unfolding = mvu_on_graph(edges, np.ones(size - 1), 2, n_points=size)
    assert unfolding.certificate.objective == pytest.approx(size - 1, rel=1e-7)
    assert unfolding.certificate.proves_optimality()


def test_a_disconnected_support_proves_nothing():
    edges, squared = chain((1, 1, 1))
    assert certify_mvu(np.zeros((4, 1)), edges, squared, [1, 0, 1]).upper_bound == np.inf


@pytest.mark.claim("thm-mvu-tight")
@pytest.mark.parametrize("seed", range(3))
def test_positive_multipliers_mean_that_the_exact_form_agrees(seed):
    rng = np.random.default_rng(seed)
    tree = np.array([(rng.integers(0, i), i) for i in range(1, 9)])
    squared = rng.uniform(0.5, 2, 8)
    bounded = mvu_on_graph(tree, squared, 2, n_points=9)
    exact = exact_mvu_small(tree, squared, 2, n_points=9)
    assert bounded.multipliers.min() > 1e-3
    assert len(bounded.certificate.slack_edges) == 0
    assert exact.objective == pytest.approx(bounded.certificate.objective, rel=1e-7)
    assert exact.max_deviation < 1e-6


@pytest.mark.claim("thm-mvu-tight")
def test_slack_edges_make_the_exact_form_narrower():
    _, edges, squared = cloud(0)
    bounded = mvu_on_graph(edges, squared, 2, n_points=12)
    exact = exact_mvu_small(edges, squared, 2, n_points=12)
    slack = bounded.certificate.slack_edges
    assert len(slack) > 0
    np.testing.assert_allclose(bounded.multipliers[slack], 0, atol=1e-5)
    assert exact.objective < 0.98 * bounded.certificate.objective
    assert exact.multipliers.min() < -0.1, "an edge that would rather shrink has a negative multiplier"
    assert exact.objective == pytest.approx(by_cvxpy(edges, squared, np.ones(12), exact=True)[0], rel=1e-5)
    assert exact.upper_bound == pytest.approx(exact.objective, rel=1e-5)
    as_inequality = certify_mvu(bounded.factor, edges, squared, exact.multipliers)
    assert as_inequality.upper_bound == np.inf, "multipliers of either sign bound the exact form only"


def test_with_all_pairs_as_edges_nothing_moves():
    """S2.41: then the unfolding is classical scaling, and PCA."""
    X = np.random.default_rng(2).standard_normal((7, 3))
    edges = np.array(list(itertools.combinations(range(7), 2)))
    squared = squared_edge_lengths(X, edges)
    centred = X - X.mean(axis=0)
    unfolding = mvu_on_graph(edges, squared, 3, n_points=7)
    assert unfolding.certificate.objective == pytest.approx((centred**2).sum(), rel=1e-7)
    np.testing.assert_allclose(unfolding.factor @ unfolding.factor.T, centred @ centred.T, atol=1e-4)
    exact = exact_mvu_small(edges, squared, 3, n_points=7)
    np.testing.assert_allclose(exact.factor @ exact.factor.T, centred @ centred.T, atol=1e-5)


def test_trace_is_the_mean_squared_distance_of_all_pairs():
    """S2.42, S2.45: for centred points tr K = Σᵢⱼ ‖yᵢ − yⱼ‖² / 2N and the entries of K sum to 0."""
    _, edges, squared = cloud(5)
    unfolding = mvu_on_graph(edges, squared, 2, n_points=12)
    Y = unfolding.factor
    pairs = ((Y[:, None] - Y[None]) ** 2).sum()
    assert unfolding.certificate.objective == pytest.approx(pairs / 24, rel=1e-12)
    assert abs((Y @ Y.T).sum()) < 1e-10
    np.testing.assert_allclose(Y.T @ Y, np.diag(unfolding.eigenvalues), atol=1e-9)


def test_a_swiss_roll_unrolls():
    roll = swiss_roll(500, seed=0)
    X = roll.X
    unfolding = mvu(X, 2, n_neighbors=6)
    assert unfolding.certificate.proves_optimality()
    assert unfolding.dimension == 2
    assert unfolding.certificate.objective > 5 * ((X - X.mean(axis=0)) ** 2).sum()
    arc_length = roll.coordinates[:, 0]
    assert abs(np.corrcoef(unfolding.embedding[:, 0], arc_length)[0, 1]) > 0.99


def test_moving_the_data_changes_nothing():
    X = swiss_roll(80, seed=1).X
    Q = ortho_group.rvs(3, random_state=0)
    first, second = mvu(X, 2, n_neighbors=6), mvu(X @ Q + [5, -3, 2], 2, n_neighbors=6)
    assert second.certificate.objective == pytest.approx(first.certificate.objective, rel=1e-7)
    K, moved = first.factor @ first.factor.T, second.factor @ second.factor.T
    assert np.abs(K - moved).max() < 1e-3 * np.abs(K).max()


def test_scaling_the_data_scales_the_unfolding():
    _, edges, squared = cloud(3)
    small, large = (mvu_on_graph(edges, c * squared, 2, n_points=12).certificate for c in (1e-12, 1e12))
    assert large.objective == pytest.approx(1e24 * small.objective, rel=1e-7)
    assert small.proves_optimality()


def test_relabelling_the_points_changes_nothing():
    _, edges, squared = cloud(3)
    order = np.random.default_rng(0).permutation(12)
    first = mvu_on_graph(edges, squared, 2, n_points=12).certificate
    second = mvu_on_graph(order[edges][:, ::-1], squared, 2, n_points=12).certificate
    assert second.objective == pytest.approx(first.objective, rel=3e-8)


def test_a_cloud_without_low_dimension_gets_the_columns_it_needs():
    X = np.random.default_rng(5).standard_normal((60, 8))
    unfolding = mvu(X, 2, n_neighbors=6)
    assert unfolding.dimension > 4
    assert unfolding.certificate.proves_optimality()


def test_copies_of_a_point_stay_together():
    _, edges, squared = cloud(1)
    # point 12 is a copy of point 0; the edge between them has length 0
    with_copy = np.vstack([edges, [0, 12]]), np.append(squared, 0.0)
    unfolding = mvu_on_graph(*with_copy, 2, n_points=13)
    np.testing.assert_allclose(unfolding.factor[12], unfolding.factor[0], atol=1e-14)
    assert unfolding.certificate.proves_optimality()
    value, _ = by_cvxpy(edges, squared, np.array([2] + 11 * [1]), exact=False)
    assert unfolding.certificate.objective == pytest.approx(value, rel=1e-6)
    apart = unfolding.factor.copy()
    apart[12, 0] += 0.1
    assert not certify_mvu(apart, *with_copy, unfolding.multipliers).proves_optimality()


def test_copies_count_in_the_variance_and_in_its_bound():
    """Points at 0, 0, 1, 1, 3 have mean 1 and squares 1 + 1 + 0 + 0 + 4."""
    certificate = mvu_on_graph(*chain((0, 1, 0, 2)), 1, n_points=5).certificate
    assert certificate.objective == pytest.approx(6, rel=1e-7)
    assert 6 <= certificate.upper_bound <= 6 * (1 + 2e-8)


@pytest.mark.filterwarnings("ignore:optimality is proved only")
@pytest.mark.parametrize("distance", [1e-6, 1e-8, 1e-10, 1e-13])
def test_nearly_coinciding_points_are_unfolded_and_bounded(distance):
    """Merged when they are very near; the bound accounts for it, so it is true of the points as given."""
    edges, squared = chain((1, distance, 2))
    certificate = mvu_on_graph(edges, squared, 1, n_points=4).certificate
    positions = np.array([0, 1, 1 + distance, 3 + distance])
    optimum = ((positions - positions.mean()) ** 2).sum()
    assert certificate.max_violation == 0
    assert certificate.objective == pytest.approx(optimum, rel=1e-6)
    assert optimum * (1 - 1e-15) <= certificate.upper_bound
    assert certificate.gap < 1e-6


def test_a_long_edge_beside_a_short_path_stays_slack():
    edges, squared = np.array([[0, 1], [1, 2], [0, 2]]), np.array([1e-20, 4e-20, 1.0])
    certificate = mvu_on_graph(edges, squared, 1, n_points=3).certificate
    assert certificate.objective == pytest.approx(14 / 3 * 1e-20, rel=1e-6)
    with pytest.raises(ValueError, match="got zeros that join all points"):
        mvu_on_graph(edges, [0, 0, 1], 1, n_points=3)


def test_duplicated_samples_are_unfolded():
    X = swiss_roll(60, seed=2).X
    unfolding = mvu(np.vstack([X, X[:10]]), 2, n_neighbors=8)
    np.testing.assert_allclose(unfolding.factor[60:], unfolding.factor[:10], atol=1e-10)
    assert unfolding.certificate.proves_optimality()


def test_parallel_edges_bind_by_the_shorter():
    edges, squared = np.array([[0, 1], [1, 0], [1, 2]]), np.array([9.0, 4.0, 1.0])
    unfolding = mvu_on_graph(edges, squared, 1, n_points=3)
    assert unfolding.certificate.objective == pytest.approx(14 / 3, rel=1e-7)
    assert unfolding.certificate.slack_edges.tolist() == [0]
    assert geodesic_bound(merged_graph(edges, squared, 3), [1]) == pytest.approx(5)


def test_all_points_as_landmarks_give_the_full_optimum():
    X, edges, squared = cloud(1, 14)
    full = mvu_on_graph(edges, squared, 2, n_points=14).certificate
    landmark = landmark_mvu(X, 2, n_neighbors=4, n_landmarks=14)
    assert landmark.certificate.objective == pytest.approx(full.objective, rel=1e-6)


@pytest.mark.claim("thm-mvu-geodesic-bound")
@pytest.mark.parametrize("n_landmarks", [6, 12, 25])
def test_landmarks_say_how_far_they_are_from_the_full_optimum(n_landmarks):
    X = swiss_roll(150, seed=3).X
    full = mvu(X, 2, n_neighbors=8).certificate
    landmark = landmark_mvu(X, 2, n_neighbors=8, n_landmarks=n_landmarks)
    certificate = landmark.certificate
    assert certificate.max_violation <= 1e-9
    assert landmark.landmark_gap <= 1e-8
    assert certificate.objective < 0.99 * full.objective, "landmarks are an approximation"
    assert certificate.upper_bound >= full.lower_bound
    assert full.upper_bound / certificate.objective - 1 <= certificate.gap < np.inf
    assert len(landmark.landmarks) == n_landmarks


def test_landmarks_mix_every_point_with_weights_that_sum_to_one():
    X = np.random.default_rng(0).random((60, 2))
    landmarks = np.arange(0, 60, 4)
    Q = mixing_matrix(X, landmarks, 6)
    np.testing.assert_allclose(Q.sum(axis=1), 1, atol=1e-8)
    np.testing.assert_allclose(Q[landmarks], np.eye(15))
    assert np.abs(Q @ X[landmarks] - X).max() < 0.05


def test_geodesic_bound_is_tight_for_a_symmetric_chain():
    edges, squared = chain((3, 3))
    graph = merged_graph(checked_edges(edges, 3), squared, 3)
    assert geodesic_bound(graph, [1]) == pytest.approx(18)
    assert geodesic_bound(graph, [0]) == pytest.approx(45)
    assert geodesic_bound(graph, [0, 1, 2]) == pytest.approx(18)


def test_components_are_named_with_their_sizes():
    edges, squared = np.array([[0, 1], [1, 2], [3, 4]]), np.ones(3)
    with pytest.raises(
        ValueError, match=r"5 points, got 2 components of sizes 3, 2: the variance is unbounded"
    ):
        mvu_on_graph(edges, squared, 1, n_points=5)
    with pytest.raises(ValueError, match="2 components of sizes 3, 2"):
        exact_mvu_small(edges, squared, 1, n_points=5)
    X = np.concatenate(
        [np.random.default_rng(0).random((8, 2)), 100 + np.random.default_rng(1).random((6, 2))]
    )
    for unfold in (mvu, lambda X, d, n_neighbors: landmark_mvu(X, d, n_neighbors=n_neighbors, n_landmarks=5)):
        with pytest.raises(ValueError, match="2 components of sizes 8, 6"):
            unfold(X, 2, n_neighbors=3)


EDGES, LENGTHS = chain((1, 2))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 3], [1, 2]], LENGTHS, 1), r"edges must join points 0 … 2, got edge 0 = \(0, 3\)"),
        (([[0, 1], [2, 2]], LENGTHS, 1), r"edges must join two different points, got edge 1 = \(2, 2\)"),
        (
            ([[0.0, 1.0], [1.0, 2.0]], LENGTHS, 1),
            "edges must be a non-empty m × 2 array of integers, got float64",
        ),
        ((np.empty((0, 2), int), [], 1), "edges must be a non-empty"),
        ((EDGES, [1.0], 1), "squared_lengths must have 2 entries, got 1"),
        ((EDGES, [1.0, -2.0], 1), "squared_lengths must be non-negative, got -2"),
        ((EDGES, [1.0, np.nan], 1), "squared_lengths must be finite, got 1 NaN"),
        ((EDGES, [0.0, 0.0], 1), "squared_lengths must hold a positive entry"),
        ((EDGES, LENGTHS, 0), "n_components must be between 1 and 2, got 0"),
        ((EDGES, LENGTHS, 3), "n_components must be between 1 and 2, got 3"),
    ],
)
def test_bad_graphs_are_refused_by_name_value_and_bound(arguments, message):
    with pytest.raises(ValueError, match=message):
        mvu_on_graph(*arguments, n_points=3)


def test_bad_data_are_refused_by_name_value_and_bound():
    X = np.random.default_rng(0).random((8, 2))
    with pytest.raises(ValueError, match="n_neighbors must be between 1 and 7, got 8"):
        mvu(X, 2, n_neighbors=8)
    with pytest.raises(ValueError, match="X must be finite"):
        mvu(np.where(X > 0.9, np.nan, X), 2, n_neighbors=3)
    with pytest.raises(ValueError, match="n_landmarks must be between 3 and 8, got 2"):
        landmark_mvu(X, 2, n_neighbors=4, n_landmarks=2)
    with pytest.raises(ValueError, match="n_points must be between 2 and 60, got 61"):
        exact_mvu_small(*chain(np.ones(60)), 1, n_points=61)
    with pytest.raises(ValueError, match="multipliers must have 2 entries, got 1"):
        certify_mvu(np.zeros((3, 1)), EDGES, LENGTHS, [1.0])


def test_an_unproved_answer_comes_with_a_warning(monkeypatch):
    edges, squared = chain((1, 1))
    folded_nodes, multipliers = np.array([[0.5], [-1.0], [0.5]]), np.ones(2)
    monkeypatch.setattr(
        importlib.import_module("dimred_ref.mvu"), "unfold", lambda graph: (folded_nodes, multipliers)
    )
    with pytest.warns(RuntimeWarning, match="only to a gap of"):
        unfolding = mvu_on_graph(edges, squared, 1, n_points=3)
    assert not unfolding.certificate.proves_optimality()


def random_connected_graph(seed):
    """Points on a random tree with a few chords, in space."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(4, 10))
    tree = [(int(rng.integers(0, i)), i) for i in range(1, size)]
    chords = [
        tuple(sorted(rng.choice(size, 2, replace=False).tolist())) for _ in range(int(rng.integers(0, 6)))
    ]
    edges = np.array(sorted({*tree, *chords}))
    X = rng.standard_normal((size, 3))
    return rng, edges, squared_edge_lengths(X, edges), size


def graph_distances(edges, squared_lengths, size):
    """Floyd and Warshall, as printed: independent of the sparse routines of the reference."""
    table = np.full((size, size), np.inf)
    np.fill_diagonal(table, 0)
    for (i, j), squared in zip(edges, squared_lengths, strict=True):
        table[i, j] = table[j, i] = min(table[i, j], np.sqrt(squared))
    for via in range(size):
        table = np.minimum(table, table[:, [via]] + table[[via]])
    return table


@pytest.mark.claim("thm-mvu-gram")
@given(seeds)
@settings(max_examples=40, deadline=None)
def test_a_gram_matrix_knows_distances_centre_and_spread(seed):
    """Ledger 13.3, S2.42 and S2.45: the factor 1/2N, and only for centred points."""
    rng = np.random.default_rng(seed)
    size, width = rng.integers(3, 9), rng.integers(1, 5)
    Y = rng.standard_normal((size, width)) + 1
    K = Y @ Y.T
    squared = ((Y[:, None] - Y[None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(np.add.outer(np.diag(K), np.diag(K)) - 2 * K, squared, atol=1e-10)
    assert K.sum() == pytest.approx((Y.sum(axis=0) ** 2).sum())
    assert np.trace(K) - squared.sum() / (2 * size) == pytest.approx(size * (Y.mean(axis=0) ** 2).sum())
    values, vectors = np.linalg.eigh(K)
    kept = values > 1e-9 * values[-1]
    again = vectors[:, kept] * np.sqrt(values[kept])
    assert again.shape[1] == min(size, width)
    if width <= size:
        Q = np.linalg.lstsq(again, Y, rcond=None)[0]
        np.testing.assert_allclose(Q @ Q.T, np.eye(width), atol=1e-7)


@pytest.mark.claim("thm-mvu-convex")
@given(seeds, st.floats(0, 1))
@settings(max_examples=30, deadline=None)
def test_a_mixture_of_unfoldings_is_one_in_more_dimensions(seed, share):
    rng, edges, squared, size = random_connected_graph(seed)
    first, second = (folded(rng.standard_normal((size, width)), edges, squared) for width in (1, 3))
    stacked = np.hstack([np.sqrt(1 - share) * first, np.sqrt(share) * second])
    np.testing.assert_allclose(
        stacked @ stacked.T, (1 - share) * first @ first.T + share * second @ second.T, atol=1e-12
    )
    assert (squared_edge_lengths(stacked, edges) <= squared * (1 + 1e-9)).all()


@pytest.mark.claim("thm-mvu-geodesic-bound")
@given(seeds)
@settings(max_examples=25, deadline=None)
def test_no_pair_of_the_widest_unfolding_exceeds_its_path(seed):
    _, edges, squared, size = random_connected_graph(seed)
    paths = graph_distances(edges, squared, size)
    Y = mvu_on_graph(edges, squared, 1, n_points=size).factor
    apart = np.sqrt(((Y[:, None] - Y[None]) ** 2).sum(axis=2))
    assert (apart <= paths * (1 + 1e-6) + 1e-9).all()
    trace = (Y**2).sum()
    assert trace <= (paths**2).sum() / (2 * size) * (1 + 1e-9)
    assert trace <= (paths**2).sum(axis=0).min() * (1 + 1e-9)


@pytest.mark.claim("thm-mvu-exists")
@given(seeds)
@settings(max_examples=25, deadline=None)
def test_two_parts_can_be_moved_apart_for_ever_at_unchanged_edges(seed):
    rng, edges, squared, size = random_connected_graph(seed)
    both = np.vstack([edges, edges + size])
    points = rng.standard_normal((2 * size, 2))
    traces = []
    for t in (0, 1, 10, 100):
        moved = np.column_stack([points, np.repeat([t, -t], size)])
        moved = moved - moved.mean(axis=0)
        np.testing.assert_allclose(
            squared_edge_lengths(moved, both), squared_edge_lengths(points, both), rtol=1e-9
        )
        traces.append((moved**2).sum())
    np.testing.assert_allclose(np.diff(traces), 2 * size * np.diff([0, 1, 100, 10_000]), rtol=1e-9)
    with pytest.raises(ValueError, match="2 components"):
        mvu_on_graph(both, np.tile(squared, 2), 1, n_points=2 * size)


@pytest.mark.claim("thm-mvu-isomap")
@given(seeds)
@settings(max_examples=25, deadline=None)
def test_the_trace_is_that_of_isomap_exactly_when_paths_are_euclidean(seed):
    _, edges, squared, size = random_connected_graph(seed)
    J = np.eye(size) - 1 / size
    B = -J @ graph_distances(edges, squared, size) ** 2 @ J / 2
    K = mvu_on_graph(edges, squared, 1, n_points=size)
    least = np.linalg.eigvalsh(B)[0]
    trace = K.certificate.objective
    assert trace <= np.trace(B) * (1 + 1e-9)
    if least > -1e-9 * np.trace(B):
        np.testing.assert_allclose(K.factor @ K.factor.T, B, atol=1e-3 * np.trace(B))
        assert trace == pytest.approx(np.trace(B), rel=1e-6)
    elif least < -1e-2 * np.trace(B):
        assert trace < np.trace(B) * (1 - 1e-5)


@pytest.mark.claim("thm-mvu-complete")
@given(seeds)
@settings(max_examples=15, deadline=None)
def test_with_all_pairs_the_unfolding_is_the_centred_gram_matrix(seed):
    X = np.random.default_rng(seed).standard_normal((6, 3))
    edges = np.array(list(itertools.combinations(range(6), 2)))
    unfolding = mvu_on_graph(edges, squared_edge_lengths(X, edges), 3, n_points=6)
    centred = X - X.mean(axis=0)
    np.testing.assert_allclose(
        unfolding.factor @ unfolding.factor.T, centred @ centred.T, atol=1e-9 * (centred**2).sum()
    )
    assert unfolding.certificate.gap < 1e-9


@pytest.mark.claim("thm-mvu-weak-duality")
@given(seeds)
@settings(max_examples=60, deadline=None)
def test_weighted_lengths_lie_between_both_sides_of_weak_duality(seed):
    rng, edges, squared, size = random_connected_graph(seed)
    Y = folded(rng.standard_normal((size, 3)), edges, squared)
    w = rng.random(len(edges)) ** 2
    L = laplacian(edges, w, size)
    middle = (Y * (L @ Y)).sum()
    assert np.linalg.eigvalsh(L)[1] * (Y**2).sum() <= middle + 1e-9
    assert middle <= w @ squared + 1e-9


@pytest.mark.claim("thm-mvu-optimality")
@given(seeds)
@settings(max_examples=25, deadline=None)
def test_forces_balance_and_slack_strings_carry_none(seed):
    rng, edges, squared, size = random_connected_graph(seed)
    unfolding = mvu_on_graph(edges, squared, 1, n_points=size)
    w, Y, scale = unfolding.multipliers, unfolding.factor, unfolding.certificate.objective
    L = laplacian(edges, w, size)
    slack = squared - squared_edge_lengths(Y, edges)
    assert abs(w @ slack) <= 1e-5 * scale
    assert (Y * (L @ Y - Y)).sum() == pytest.approx(0, abs=1e-5 * scale)
    # the identity of the gap holds for any points and any tensions, optimal or not
    points, tensions = folded(rng.standard_normal((size, 2)), edges, squared), rng.random(len(edges))
    M = laplacian(edges, tensions, size)
    parts = tensions @ (squared - squared_edge_lengths(points, edges)), (points * (M @ points - points)).sum()
    assert sum(parts) == pytest.approx(tensions @ squared - (points**2).sum())


@pytest.mark.claim("thm-mvu-strong-duality")
@given(seeds, st.floats(0.05, 0.95))
@settings(max_examples=25, deadline=None)
def test_tensions_are_prices_of_length(seed, change):
    rng, edges, squared, size = random_connected_graph(seed)
    before = mvu_on_graph(edges, squared, 1, n_points=size)
    w, value = before.multipliers, before.certificate.objective
    assert w @ squared == pytest.approx(value, rel=1e-6)
    u = squared * rng.uniform(-change, change, len(edges))
    after = mvu_on_graph(edges, squared + u, 1, n_points=size).certificate.objective
    assert after <= value + w @ u + 1e-5 * value


@pytest.mark.claim("thm-mvu-chain")
@given(st.lists(st.floats(0.1, 10), min_size=2, max_size=8), seeds)
@settings(max_examples=60, deadline=None)
def test_no_bent_chain_is_as_wide_as_the_straight_one(lengths, seed):
    edges, squared = chain(lengths)
    positions = np.concatenate([[0], np.cumsum(lengths)])
    straight = ((positions - positions.mean()) ** 2).sum()
    steps = np.random.default_rng(seed).standard_normal((len(lengths), 3))
    steps *= (np.array(lengths) / np.linalg.norm(steps, axis=1))[:, None]
    bent = np.vstack([np.zeros(3), np.cumsum(steps, axis=0)])
    np.testing.assert_allclose(squared_edge_lengths(bent, edges), squared)
    assert ((bent - bent.mean(axis=0)) ** 2).sum() < straight
    best = mvu_on_graph(edges, squared, 1, n_points=len(positions))
    assert best.certificate.objective == pytest.approx(straight, rel=1e-6)


@pytest.mark.claim("thm-mvu-chain-tensions")
@given(st.lists(st.floats(0.1, 10), min_size=1, max_size=8))
@settings(max_examples=60, deadline=None)
def test_tensions_of_a_chain_prove_that_the_straight_one_is_best(lengths):
    edges, squared = chain(lengths)
    positions = np.concatenate([[0], np.cumsum(lengths)])
    y = positions - positions.mean()
    tensions = -np.cumsum(y)[:-1]
    L = laplacian(edges, tensions / lengths, len(y))
    assert tensions.min() > 0
    np.testing.assert_allclose(L @ y, y, atol=1e-9 * np.abs(y).max())
    assert np.linalg.eigvalsh(L)[1] >= 1 - 1e-9
    assert (tensions / lengths) @ squared == pytest.approx(y @ y)


@pytest.mark.claim("thm-mvu-rhombus")
@given(st.floats(0, np.pi), seeds)
@settings(max_examples=40, deadline=None)
def test_every_flat_rhombus_is_optimal_and_no_bent_one(angle, seed):
    ring, half = np.array([[0, 1], [1, 2], [2, 3], [3, 0]]), np.full(4, 0.5)
    a, b = np.diag([np.cos(angle), np.sin(angle)])
    certificate = certify_mvu([a, b, -a, -b], ring, np.ones(4), half)
    assert certificate.objective == pytest.approx(2)
    assert certificate.proves_optimality()
    other = folded(np.random.default_rng(seed).standard_normal((4, 3)), ring, np.ones(4))
    is_rhombus = np.allclose(other[0], -other[2], atol=1e-3) and np.allclose(
        squared_edge_lengths(other, ring), 1, atol=1e-3
    )
    assert is_rhombus or (other**2).sum() < 2 - 1e-7


@pytest.mark.claim("thm-mvu-tight")
def test_a_chord_that_is_too_long_goes_slack_as_a_string_and_presses_as_a_rod():
    """Three arms of length 1 and a chord of squared length 15/4: 3 against 47/16, worked out by hand."""
    edges, squared = np.array([[0, 1], [0, 2], [0, 3], [1, 2]]), np.array([1, 1, 1, 3.75])
    strings = mvu_on_graph(edges, squared, 2, n_points=4)
    rods = exact_mvu_small(edges, squared, 2, n_points=4)
    assert strings.certificate.objective == pytest.approx(3, rel=1e-7)
    np.testing.assert_allclose(strings.multipliers, [1, 1, 1, 0], atol=1e-6)
    assert rods.objective == pytest.approx(47 / 16, rel=1e-7)
    np.testing.assert_allclose(rods.multipliers, [1.5, 1.5, 0.875, -0.25], atol=1e-5)
    collinear = exact_mvu_small(edges, [1, 1, 1, 4.0], 2, n_points=4)
    assert collinear.objective == pytest.approx(11 / 4, rel=1e-3)
    assert collinear.multipliers[0] > 100, "no forces balance: the dual has no solution"


@pytest.mark.claim("thm-mvu-rank")
@given(seeds)
@settings(max_examples=25, deadline=None)
def test_the_unfolding_lies_in_the_bottom_eigenspace_of_its_tensions(seed):
    _, edges, squared, size = random_connected_graph(seed)
    unfolding = mvu_on_graph(edges, squared, 1, n_points=size)
    values, vectors = np.linalg.eigh(laplacian(edges, unfolding.multipliers, size))
    assert values[1] == pytest.approx(1, abs=1e-5)
    near = vectors[:, 1:][:, values[1:] < 1.01]
    Y = unfolding.factor
    assert np.linalg.norm(Y - near @ (near.T @ Y)) <= 1e-2 * np.linalg.norm(Y)
    assert unfolding.dimension <= near.shape[1]


@pytest.mark.claim("thm-mvu-landmarks")
@pytest.mark.parametrize("seed", range(4))
def test_fewer_landmarks_never_unfold_wider(seed):
    X, edges, squared = cloud(seed, 16)
    full = mvu_on_graph(edges, squared, 2, n_points=16).certificate.objective
    for n_landmarks in (4, 9, 16):
        landmark = landmark_mvu(X, 2, n_neighbors=4, n_landmarks=n_landmarks).certificate
        assert landmark.objective <= full * (1 + 1e-7)
        assert landmark.max_violation <= 1e-9
    assert landmark.objective == pytest.approx(full, rel=1e-6)


def test_landmarks_lose_most_on_a_sparse_graph():
    """The figure that the page quotes: 20 landmarks, 700 points, six neighbours."""
    X = swiss_roll(700, seed=0).X
    full = mvu(X, 2, n_neighbors=6).certificate.objective
    landmark = landmark_mvu(X, 2, n_neighbors=6, n_landmarks=20).certificate.objective
    assert landmark / full == pytest.approx(0.76, abs=0.01)
