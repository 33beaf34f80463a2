"""Claims about conformal eigenmaps: the cost, the best scales, and the proof that the map is the best one."""

import itertools

import cvxpy
import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist, pdist
from scipy.stats import ortho_group

from dimred_ref._fast.spectraplex import minimise_on_spectraplex, smat, svec
from dimred_ref.conformal_eigenmaps import (
    conformal_cost,
    conformal_eigenmaps,
    conformal_map,
    conformal_quadratic,
    frank_wolfe_gap,
    optimal_scale,
    optimal_scales,
)
from dimred_ref.datasets import swiss_roll
from dimred_ref.graph import nearest_neighbors
from dimred_ref.procrustes import similarity_alignment

seeds = st.integers(0, 10_000)


def cloud(seed, size=15, width=4):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((size, 3))
    return rng, X, nearest_neighbors(X, width)[1]


def cost_by_loops(Z, X, neighbors, scales):
    """eq-conformal-cost as it is printed: over all i and all ordered pairs j, k of neighbours of i."""
    after, before = cdist(Z, Z) ** 2, cdist(X, X) ** 2
    return sum(
        (after[j, k] - scales[i] * before[j, k]) ** 2
        for i in range(len(X))
        for j in neighbors[i]
        for k in neighbors[i]
    )


def residual_matrix(Y, X, neighbors):
    """One row per point and pair, in plain coordinates vec(P): the scales are projected out of it."""
    rows = []
    for around in neighbors:
        pairs = [(j, k) for j in around for k in around]
        features = np.array([np.outer(Y[j] - Y[k], Y[j] - Y[k]).ravel() for j, k in pairs])
        b = np.array([((X[j] - X[k]) ** 2).sum() for j, k in pairs])
        rows.append(features - np.outer(b, b @ features) / (b @ b))
    return np.vstack(rows)


@pytest.mark.claim("eq-conformal-scales")
@pytest.mark.parametrize(
    ("after", "before", "scale"),
    [((8, 18, 2), (4, 9, 1), 2), ((4, 10, 2), (1, 2, 2), 28 / 9), ((9,), (4,), 2.25)],
)
def test_best_scale_worked_out_by_hand(after, before, scale):
    """Ledger 13.4."""
    assert optimal_scale(after, before) == pytest.approx(scale, rel=1e-15)


def test_the_formula_of_the_best_scale_is_where_the_derivative_vanishes():
    s, a1, a2, b1, b2 = sympy.symbols("s a1 a2 b1 b2", positive=True)
    (root,) = sympy.solve(sympy.diff((a1 - s * b1) ** 2 + (a2 - s * b2) ** 2, s), s)
    assert optimal_scale([5, 7], [2, 3]) == pytest.approx(float(root.subs({a1: 5, a2: 7, b1: 2, b2: 3})))


@pytest.mark.claim("eq-conformal-cost")
@given(seeds)
@settings(max_examples=25, deadline=None)
def test_cost_is_the_printed_sum_and_no_other_scales_do_better(seed):
    rng, X, neighbors = cloud(seed)
    Z = rng.standard_normal((15, 2))
    scales = optimal_scales(Z, X, neighbors)
    cost = conformal_cost(Z, X, neighbors)
    assert cost == pytest.approx(cost_by_loops(Z, X, neighbors, scales), rel=1e-12)
    assert (scales >= 0).all()
    assert cost_by_loops(Z, X, neighbors, scales * rng.uniform(0.8, 1.2, 15)) > cost


@pytest.mark.claim("eq-conformal-cost")
@given(seeds, st.floats(0.1, 10))
@settings(max_examples=25, deadline=None)
def test_a_similarity_costs_nothing_and_scales_squared_lengths(seed, c):
    _, X, neighbors = cloud(seed)
    Z = c * X @ ortho_group.rvs(3, random_state=seed) + [1, 2, 3]
    np.testing.assert_allclose(optimal_scales(Z, X, neighbors), c**2, rtol=1e-9)
    assert conformal_cost(Z, X, neighbors) < 1e-20 * c**4 * (cdist(X, X) ** 4).sum()


@given(seeds, st.floats(0.1, 10))
@settings(max_examples=25, deadline=None)
def test_cost_grows_with_the_fourth_power_of_scale_and_ignores_motions(seed, c):
    rng, X, neighbors = cloud(seed)
    Z = rng.standard_normal((15, 2))
    moved = c * Z @ ortho_group.rvs(2, random_state=seed) + 7
    assert conformal_cost(moved, X, neighbors) == pytest.approx(
        c**4 * conformal_cost(Z, X, neighbors), rel=1e-8
    )


@pytest.mark.claim("thm-conformal-trivial")
def test_a_single_point_costs_nothing_which_is_why_the_trace_is_fixed():
    _, X, neighbors = cloud(0)
    assert conformal_cost(np.zeros((15, 2)), X, neighbors) == 0
    np.testing.assert_array_equal(optimal_scales(np.zeros((15, 2)), X, neighbors), 0)
    assert np.trace(conformal_map(X, X, 2, neighbors=neighbors).metric) == pytest.approx(1, rel=1e-14)


def test_a_conformal_map_of_the_plane_costs_less_and_less_near_by():
    """w = z² scales by 2|z|, differently everywhere, but shapes near by survive: those of a shear do not."""
    chart = np.random.default_rng(0).random((100, 2))
    neighbors = nearest_neighbors(chart, 8)[1]

    def cost(spacing, image):
        X = 1 + spacing * chart
        return conformal_cost(image(*X.T), X, neighbors) / spacing**4

    def squared(u, v):
        return np.column_stack([u**2 - v**2, 2 * u * v])

    def sheared(u, v):
        return np.column_stack([u + v, v])

    assert cost(0.1, squared) < 0.02 * cost(1, squared)
    assert cost(0.1, sheared) == pytest.approx(cost(1, sheared), rel=1e-6)


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_symmetric_matrices_and_vectors_correspond(seed):
    rng = np.random.default_rng(seed)
    P, Q = (M + M.T for M in rng.standard_normal((2, 5, 5)))
    np.testing.assert_allclose(smat(svec(P)), P, rtol=1e-15)
    assert svec(P) @ svec(Q) == pytest.approx(np.trace(P @ Q))


@pytest.mark.claim("eq-conformal-sdp")
@given(seeds)
@settings(max_examples=20, deadline=None)
def test_cost_of_a_linear_map_is_a_quadratic_form_of_its_metric(seed):
    rng, X, neighbors = cloud(seed)
    Y, L = rng.standard_normal((15, 4)), rng.standard_normal((3, 4))
    A = conformal_quadratic(Y, X, neighbors)
    p = svec(L.T @ L)
    assert p @ A @ p == pytest.approx(conformal_cost(Y @ L.T, X, neighbors), rel=1e-10)


@pytest.mark.claim("thm-conformal-gap")
@given(seeds)
@settings(max_examples=15, deadline=None)
def test_no_other_map_beats_the_best_by_more_than_the_gap(seed):
    rng, X, neighbors = cloud(seed)
    Y = rng.standard_normal((15, 4))
    best = conformal_map(Y, X, 2, neighbors=neighbors)
    for _ in range(10):
        L = rng.standard_normal((4, 4)) * rng.random(4)
        L /= np.linalg.norm(L)
        other = conformal_cost(Y @ L.T, X, neighbors)
        assert best.cost <= other + best.gap
        # and the bound is true of maps that are not optimal
        assert other - best.cost <= frank_wolfe_gap(L.T @ L, conformal_quadratic(Y, X, neighbors)) * (
            1 + 1e-9
        )


@pytest.mark.claim("thm-conformal-gap")
@pytest.mark.parametrize("n_eigenvectors", [5, 10, 20])
def test_gap_is_verified_from_the_residuals_themselves(n_eigenvectors):
    """Independent of svec and of A: gradients from one row per triangle side, in extended precision."""
    X = swiss_roll(300, seed=1).X
    result = conformal_eigenmaps(X, 2, n_neighbors=8, n_eigenvectors=n_eigenvectors)
    R = residual_matrix(result.eigenvectors, X, nearest_neighbors(X, 8)[1]).astype(np.longdouble)
    residuals = R @ result.metric.ravel().astype(np.longdouble)
    cost = float(residuals @ residuals)
    G = np.asarray(2 * R.T @ residuals, dtype=float).reshape(n_eigenvectors, n_eigenvectors)
    gap = 2 * cost - np.linalg.eigvalsh((G + G.T) / 2)[0]
    assert np.linalg.eigvalsh(result.metric)[0] > -1e-15
    assert np.trace(result.metric) == pytest.approx(1, rel=1e-14)
    assert result.cost == pytest.approx(cost, rel=1e-7)
    assert gap <= 1e-8 * cost
    assert result.relative_gap <= 1e-8


def test_value_agrees_with_a_general_solver():
    rng, X, neighbors = cloud(3, size=25)
    Y = rng.standard_normal((25, 4))
    R = residual_matrix(Y, X, neighbors)
    P = cvxpy.Variable((4, 4), PSD=True)
    problem = cvxpy.Problem(
        cvxpy.Minimize(cvxpy.sum_squares(R @ cvxpy.vec(P, order="C"))), [cvxpy.trace(P) == 1]
    )
    problem.solve(solver="CLARABEL")
    best = conformal_map(Y, X, 2, neighbors=neighbors)
    assert best.cost == pytest.approx(problem.value, rel=1e-6)
    np.testing.assert_allclose(best.metric, P.value, atol=1e-4)


def test_a_stretched_plane_is_recovered_up_to_similarity():
    """Ledger S2.59: the linear map undoes the stretch, and drops a coordinate of noise."""
    rng = np.random.default_rng(17)
    chart = rng.random((25, 2))
    X = np.column_stack([chart, np.zeros(25)])
    Y = np.column_stack([chart @ [[1.0, 0.4], [0.3, 3.0]], 0.1 * rng.standard_normal(25)])
    result = conformal_map(Y, X, 2, neighbors=nearest_neighbors(X, 5)[1])
    assert similarity_alignment(result.embedding, chart).error < 1e-6
    assert result.cost < 1e-12
    assert result.gap < 1e-12


def test_the_optimum_on_the_boundary_is_found_when_the_metric_is_singular():
    """min over P of the largest possible rank deficiency: A = diag, so the answer is known."""
    weights = np.array([1.0, 4.0, 1e6])
    A = np.diag(svec(np.diag(weights)) + svec(np.ones((3, 3)) - np.eye(3)) * 1e6)
    P, gap = minimise_on_spectraplex(A)
    inverse = 1 / weights
    np.testing.assert_allclose(P, np.diag(inverse / inverse.sum()), atol=1e-6)
    assert gap <= 1e-8 / inverse.sum()
    linear = np.zeros((3, 3))
    linear[0, 0] = 1.0
    # only P₁₁ costs: every P without it is optimal at value 0, all of them singular
    P, gap = minimise_on_spectraplex(np.diag(svec(linear)) + 0.0)
    assert abs(P[0, 0]) < 1e-6
    assert gap < 1e-8


def test_swiss_roll_gains_its_true_distances():
    roll = swiss_roll(1000, seed=0)
    result = conformal_eigenmaps(roll.X, 2, n_neighbors=10, n_eigenvectors=10)
    true = pdist(roll.coordinates)
    before = np.corrcoef(pdist(result.eigenvectors[:, :2]), true)[0, 1]
    after = np.corrcoef(pdist(result.embedding), true)[0, 1]
    assert before < 0.9
    assert after > 0.995
    assert result.coordinates.shape == (1000, 10)
    np.testing.assert_array_equal(result.embedding, result.coordinates[:, :2])
    np.testing.assert_allclose(result.coordinates.mean(axis=0), 0, atol=1e-12)


def test_moving_and_scaling_the_data_changes_nothing():
    X = swiss_roll(200, seed=2).X
    Q = ortho_group.rvs(3, random_state=1)
    first = conformal_eigenmaps(X, 2, n_neighbors=8, n_eigenvectors=5)
    second = conformal_eigenmaps(3 * X @ Q + 1, 2, n_neighbors=8, n_eigenvectors=5)
    np.testing.assert_allclose(pdist(second.embedding), pdist(first.embedding), rtol=0, atol=1e-4)
    assert second.cost == pytest.approx(first.cost, rel=1e-5)
    np.testing.assert_allclose(9 * second.scales, first.scales, rtol=1e-3)


def test_coinciding_neighbours_have_scale_zero():
    X = np.array([[0.0, 0], [0, 0], [0, 0], [5, 5]])
    neighbors = np.array([[1, 2], [0, 2], [0, 1], [0, 1]])
    np.testing.assert_array_equal(optimal_scales(X, X, neighbors), 0)
    assert conformal_cost(X, X, neighbors) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda X, n: conformal_cost(X[:5], X, n), "Z must have 15 rows like X, got 5"),
        (
            lambda X, n: conformal_cost(X, X, n[:5]),
            r"neighbors must hold 15 rows of indices, got int64 of shape \(5, 4\)",
        ),
        (lambda X, n: conformal_cost(X, X, n[:, :1]), "neighbors must have at least 2 columns"),
        (lambda X, n: conformal_cost(X, X, n + 10), "neighbors must lie between 0 and 14, got 10 … 24"),
        (lambda X, n: optimal_scales(X * np.nan, X, n), "Z must be finite, got 45 NaN"),
        (lambda X, n: optimal_scale([1, 2], [0, 0]), "original must hold a positive squared length"),
        (lambda X, n: optimal_scale([1, 2], [1]), "original must have 2 entries, got 1"),
        (
            lambda X, n: conformal_map(X[:, [0, 1, 0]], X, 1, neighbors=n),
            "independent columns.* got rank 2 of 3",
        ),
        (lambda X, n: conformal_map(X, X, 4, neighbors=n), "n_components must be between 1 and 3, got 4"),
        (
            lambda X, n: conformal_eigenmaps(X, 2, n_neighbors=15),
            "n_neighbors must be between 1 and 14, got 15",
        ),
        (
            lambda X, n: conformal_eigenmaps(X, 2, n_neighbors=4, n_eigenvectors=14),
            "n_eigenvectors must be between 1 and 13, got 14",
        ),
    ],
)
def test_bad_input_is_refused_by_name_value_and_bound(call, message):
    _, X, neighbors = cloud(0)
    with pytest.raises(ValueError, match=message):
        call(X, neighbors)


def test_a_disconnected_cloud_is_refused_with_its_components():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.random((12, 2)), 100 + rng.random((9, 2))])
    with pytest.raises(ValueError, match="2 components of sizes 12, 9"):
        conformal_eigenmaps(X, 2, n_neighbors=4, n_eigenvectors=5)


def cosine(a, b):
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


@pytest.mark.claim("thm-conformal-angles")
@given(seeds, st.floats(0.1, 10), st.floats(1e-3, 1))
@settings(max_examples=40, deadline=None)
def test_angles_are_kept_by_scaled_orthonormal_columns_and_by_nothing_else(seed, c, bend):
    rng = np.random.default_rng(seed)
    J = c * np.linalg.qr(rng.standard_normal((4, 3)))[0]
    for a, b in rng.standard_normal((10, 2, 3)):
        assert cosine(J @ a, J @ b) == pytest.approx(cosine(a, b), abs=1e-12)
    # any other JᵀJ turns one of the right angles that the proof looks at
    bent = J @ (np.eye(3) + bend * np.outer(*rng.standard_normal((2, 3))))
    right_angles = [(u, v) for i, j in ((0, 1), (0, 2), (1, 2)) for u, v in _right_angles(i, j)]
    metric = bent.T @ bent
    if np.abs(metric - np.trace(metric) / 3 * np.eye(3)).max() > 1e-6 * np.trace(metric):
        assert max(abs(cosine(bent @ u, bent @ v)) for u, v in right_angles) > 1e-9


def _right_angles(i, j):
    e = np.eye(3)
    return (e[i], e[j]), (e[i] + e[j], e[i] - e[j])


def test_jacobians_of_the_examples():
    """Ledger 13.5: squaring is conformal, the cylinder isometric, a shear neither, whatever its determinant."""
    u, v = sympy.symbols("u v", real=True)

    def metric(*image):
        J = sympy.Matrix(image).jacobian([u, v])
        return sympy.simplify(J.T * J)

    assert metric(u**2 - v**2, 2 * u * v) == sympy.expand(4 * (u**2 + v**2)) * sympy.eye(2)
    assert metric(sympy.cos(u), sympy.sin(u), v) == sympy.eye(2)
    assert metric(u + v, v) == sympy.Matrix([[1, 1], [1, 2]])
    size = 1 + u**2 + v**2
    sphere = metric(2 * u / size, 2 * v / size, (1 - u**2 - v**2) / size)
    assert sympy.simplify(sphere - 4 / size**2 * sympy.eye(2)) == sympy.zeros(2)


@pytest.mark.claim("thm-conformal-similar")
@given(seeds, st.floats(0.2, 5))
@settings(max_examples=25, deadline=None)
def test_only_similar_copies_cost_nothing_and_overlap_makes_the_scales_equal(seed, c):
    rng, X, neighbors = cloud(seed)
    Q = np.linalg.qr(rng.standard_normal((5, 3)))[0]
    Z = c * X @ Q.T
    assert conformal_cost(Z, X, neighbors) < 1e-18 * c**4 * (cdist(X, X) ** 4).sum()
    np.testing.assert_allclose(optimal_scales(Z, X, neighbors), c**2, rtol=1e-9)
    used = int(neighbors[0, 0])
    Z[used] += 0.1 * c
    assert conformal_cost(Z, X, neighbors) > 1e-9 * c**4


@pytest.mark.claim("thm-conformal-similar")
def test_groups_without_common_neighbours_may_have_scales_of_their_own():
    _, X, around = cloud(1)
    both, neighbors = np.vstack([X, X + 100]), np.vstack([around, around + 15])
    Z = np.vstack([X, 2 * X])
    assert conformal_cost(Z, both, neighbors) < 1e-18
    np.testing.assert_allclose(optimal_scales(Z, both, neighbors), np.repeat([1, 4], 15), rtol=1e-9)
    neighbors[0, 0], neighbors[0, 1] = 15, 16  # now one neighbourhood has members on both sides
    assert conformal_cost(Z, both, neighbors) > 1e-3


@pytest.mark.claim("thm-conformal-scale")
@given(seeds)
@settings(max_examples=60, deadline=None)
def test_best_scale_leaves_the_sine_and_beats_its_neighbours(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, int(rng.integers(1, 20)))) ** 2
    s = optimal_scale(a, b)
    least = ((a - s * b) ** 2).sum()
    assert s >= 0
    assert least == pytest.approx(a @ a * (1 - cosine(a, b) ** 2), abs=1e-12)
    for other in (0.99 * s, 1.01 * s, a.sum() / b.sum(), np.mean(a / b)):
        assert ((a - other * b) ** 2).sum() >= least - 1e-12


@pytest.mark.claim("thm-conformal-trivial")
@given(seeds, st.floats(0.01, 100))
@settings(max_examples=25, deadline=None)
def test_shrinking_makes_any_map_cheap(seed, c):
    rng, X, neighbors = cloud(seed)
    Z = rng.standard_normal((15, 2))
    assert conformal_cost(c * Z, X, neighbors) == pytest.approx(
        c**4 * conformal_cost(Z, X, neighbors), rel=1e-9
    )
    assert conformal_cost(np.tile(rng.standard_normal(2), (15, 1)), X, neighbors) == 0


@pytest.mark.claim("thm-conformal-variance")
@given(seeds, st.floats(0.1, 10))
@settings(max_examples=30, deadline=None)
def test_trace_of_the_metric_is_the_variance_of_the_map(seed, c):
    rng, X, neighbors = cloud(seed, size=20)
    raw = rng.standard_normal((20, 4))
    Y = np.linalg.qr(raw - raw.mean(axis=0))[0] * np.sqrt(20)
    L = rng.standard_normal((4, 4))
    P, Z = L.T @ L, Y @ L.T
    assert np.trace(P) == pytest.approx((Z**2).sum() / 20)
    np.testing.assert_allclose(
        np.linalg.eigvalsh(np.cov(Z.T, bias=True)), np.linalg.eigvalsh(P), atol=1e-9 * np.trace(P)
    )
    ratio = conformal_cost(Z, X, neighbors) / np.trace(P) ** 2
    assert conformal_cost(c * Z, X, neighbors) / (c**2 * np.trace(P)) ** 2 == pytest.approx(ratio)
    assert conformal_map(Y, X, 2, neighbors=neighbors).cost <= ratio * (1 + 1e-6)


@pytest.mark.claim("thm-conformal-convex")
@given(seeds, st.floats(0, 1))
@settings(max_examples=20, deadline=None)
def test_cost_is_convex_in_the_metric_and_blind_to_rotations_of_the_map(seed, share):
    rng, X, neighbors = cloud(seed)
    Y = rng.standard_normal((15, 3))
    A = conformal_quadratic(Y, X, neighbors)
    P, Q = (M @ M.T for M in rng.standard_normal((2, 3, 3)))

    def f(M):
        return svec(M) @ A @ svec(M)

    assert f((1 - share) * P + share * Q) <= (1 - share) * f(P) + share * f(Q) + 1e-9 * (f(P) + f(Q))
    L = np.linalg.cholesky(P).T
    turned = ortho_group.rvs(3, random_state=seed) @ L
    for factor in (L, turned):
        assert conformal_cost(Y @ factor.T, X, neighbors) == pytest.approx(f(P), rel=1e-8)


@pytest.mark.claim("thm-conformal-optimality")
@given(seeds)
@settings(max_examples=15, deadline=None)
def test_slope_and_metric_share_eigenvectors_at_the_optimum_and_not_elsewhere(seed):
    rng, X, neighbors = cloud(seed, size=20)
    Y = rng.standard_normal((20, 4))
    A = conformal_quadratic(Y, X, neighbors)
    best = conformal_map(Y, X, 2, neighbors=neighbors)
    P, G = best.metric, smat(2 * A @ svec(best.metric))
    size = np.abs(np.linalg.eigvalsh(G)).max()
    assert np.linalg.eigvalsh(G)[0] == pytest.approx(2 * best.cost, rel=1e-5)
    assert np.abs(G @ P - 2 * best.cost * P).max() <= 1e-4 * size
    other = np.diag(rng.dirichlet(np.ones(4)))
    slope = smat(2 * A @ svec(other))
    cost = svec(other) @ A @ svec(other)
    assert np.sum(slope * other) == pytest.approx(2 * cost)
    assert frank_wolfe_gap(other, A) >= cost - best.cost - 1e-9 * cost


@pytest.mark.claim("thm-conformal-nested")
@given(seeds)
@settings(max_examples=10, deadline=None)
def test_more_coordinates_never_raise_the_least_cost(seed):
    rng, X, neighbors = cloud(seed, size=20)
    Y = rng.standard_normal((20, 5))
    costs = [conformal_map(Y[:, :m], X, 1, neighbors=neighbors).cost for m in range(1, 6)]
    assert all(later <= earlier * (1 + 1e-6) for earlier, later in itertools.pairwise(costs))


@pytest.mark.claim("thm-conformal-copy")
@given(seeds)
@settings(max_examples=10, deadline=None)
def test_data_within_the_span_of_the_coordinates_come_back(seed):
    rng, X, neighbors = cloud(seed, size=25)
    columns = np.column_stack([X, rng.standard_normal((25, 2))])
    Y = np.linalg.qr(columns - columns.mean(axis=0))[0] * 5
    result = conformal_map(Y, X, 3, neighbors=neighbors)
    scatter = np.linalg.lstsq(Y, X - X.mean(axis=0), rcond=None)[0]
    P = scatter @ scatter.T / (scatter**2).sum()
    assert conformal_cost((X - X.mean(axis=0)) / np.linalg.norm(scatter), X, neighbors) < 1e-20
    assert svec(P) @ conformal_quadratic(Y, X, neighbors) @ svec(P) < 1e-12
    assert similarity_alignment(result.embedding, X).error < 1e-3


def test_a_stretched_square_by_hand():
    """eq-conformal-square: cost 4 (4p − q)² + 128 r² / 3, slope diag(48, −12) and gap 30 at I/2."""
    square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    neighbors = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])
    A = conformal_quadratic(square * [2, 1], square, neighbors)
    for p, q, r in np.random.default_rng(0).random((20, 3)):
        P = np.array([[p, r], [r, q]])
        assert svec(P) @ A @ svec(P) == pytest.approx(4 * (4 * p - q) ** 2 + 128 / 3 * r**2)
    np.testing.assert_allclose(smat(2 * A @ svec(np.eye(2) / 2)), np.diag([48, -12]), atol=1e-9)
    assert frank_wolfe_gap(np.eye(2) / 2, A) == pytest.approx(30)
    result = conformal_map(square * [2, 1], square, 2, neighbors=neighbors)
    np.testing.assert_allclose(result.metric, np.diag([0.2, 0.8]), atol=1e-6)
    np.testing.assert_allclose(result.scales, 0.8, atol=1e-6)
