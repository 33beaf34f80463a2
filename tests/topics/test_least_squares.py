"""The claims of the chapter on regression: pseudo-inverse, minimum norm, solution set, ridge."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dimred_ref.least_squares import (
    filter_factors,
    min_norm_solution,
    pinv,
    ridge,
    ridge_path,
    shrinkage_factors,
    solution_set,
)

seeds = st.integers(0, 2**32 - 1)


@st.composite
def problems(draw):
    """A design of any shape and rank with singular values between 1 and 3, and an answer."""
    m, n = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rank = draw(st.integers(0, min(m, n)))
    rng = np.random.default_rng(draw(seeds))
    U, V = (np.linalg.qr(rng.normal(size=(size, rank)))[0] for size in (m, n))
    return U * rng.uniform(1, 3, size=rank) @ V.T, rng.normal(size=m), rank


@pytest.mark.claim("thm-least-squares-pinv")
@given(problems())
def test_the_pseudo_inverse_satisfies_the_four_equations_of_penrose(problem):
    A, _, _ = problem
    inverse = pinv(A)
    assert inverse.shape == A.T.shape
    assert A @ inverse @ A == pytest.approx(A, abs=1e-9)
    assert inverse @ A @ inverse == pytest.approx(inverse, abs=1e-9)
    assert A @ inverse == pytest.approx((A @ inverse).T, abs=1e-9)
    assert inverse @ A == pytest.approx((inverse @ A).T, abs=1e-9)
    assert inverse == pytest.approx(np.linalg.pinv(A, rcond=1e-10), abs=1e-9)


@pytest.mark.claim("thm-least-squares-pinv")
def test_the_pseudo_inverse_agrees_with_exact_arithmetic():
    A = sympy.Matrix([[1, 2, 0], [2, 4, 0]])
    exact = np.array(A.pinv().tolist(), dtype=float)
    assert pinv(np.array(A.tolist(), dtype=float)) == pytest.approx(exact, abs=1e-15)


@pytest.mark.claim("thm-least-squares-minimum-norm")
@given(problems(), seeds)
def test_the_minimum_norm_solution_fits_best_and_is_shortest(problem, seed):
    X, y, rank = problem
    a = min_norm_solution(X, y)
    assert X.T @ X @ a == pytest.approx(X.T @ y, abs=1e-9)
    everything = solution_set(X, y)
    assert everything.particular == pytest.approx(a)
    assert everything.null_basis.shape == (X.shape[1], X.shape[1] - rank)
    t = np.random.default_rng(seed).normal(size=X.shape[1] - rank)
    other = everything.member(t)
    assert everything.null_basis.T @ (other - a) == pytest.approx(t)
    assert X @ other == pytest.approx(X @ a, abs=1e-9)
    assert np.linalg.norm(a) <= np.linalg.norm(other) + 1e-9
    assert everything.null_basis.T @ a == pytest.approx(0, abs=1e-9)
    competitor = a + np.random.default_rng(seed).normal(size=len(a))
    assert np.linalg.norm(y - X @ a) <= np.linalg.norm(y - X @ competitor) + 1e-9


@pytest.mark.claim("thm-least-squares-minimum-norm")
@given(problems())
def test_the_minimum_norm_solution_agrees_with_a_general_solver(problem):
    X, y, _ = problem
    assert min_norm_solution(X, y) == pytest.approx(np.linalg.lstsq(X, y, rcond=1e-10)[0], abs=1e-9)
    assert min_norm_solution(X, y) == pytest.approx(pinv(X) @ y, abs=1e-9)


def test_a_rank_one_design_is_solved_by_hand():
    p, q = np.array([1.0, 2, 2]), np.array([3.0, 4])
    y = np.array([25.0, 50, 50])  # p·y = 225
    assert min_norm_solution(np.outer(p, q), y) == pytest.approx(q)
    assert ridge(np.outer(p, q), y, 225) == pytest.approx(q / 2)


@pytest.mark.claim("thm-least-squares-ridge")
@given(problems(), st.floats(1e-3, 1e3))
def test_ridge_solves_its_normal_equations(problem, penalty):
    X, y, _ = problem
    expected = np.linalg.solve(X.T @ X + penalty * np.eye(X.shape[1]), X.T @ y)
    assert ridge(X, y, penalty) == pytest.approx(expected, abs=1e-9)


@pytest.mark.claim("thm-least-squares-ridge")
@given(problems(), st.floats(1e-3, 1e3), seeds)
def test_no_vector_has_a_smaller_penalised_error(problem, penalty, seed):
    X, y, _ = problem

    def cost(a):
        return np.sum((y - X @ a) ** 2) + penalty * a @ a

    best = ridge(X, y, penalty)
    step = np.random.default_rng(seed).normal(size=len(best))
    for length in (1, 1e-3):
        assert cost(best) <= cost(best + length * step) + 1e-12


@pytest.mark.claim("thm-least-squares-ridge-limit")
@given(problems())
def test_as_the_penalty_falls_ridge_grows_towards_the_minimum_norm_solution(problem):
    X, y, rank = problem
    penalties = [1e6, 1e3, 1, 1e-3, 1e-6, 1e-9]
    path = ridge_path(X, y, penalties)
    lengths = np.linalg.norm(path, axis=1)
    assert path.shape == (6, X.shape[1])
    assert np.all(np.diff(lengths) >= -1e-12)
    goal = min_norm_solution(X, y)
    # On the range of X every singular value is at least 1, so the relative error is below the penalty.
    assert np.all(np.linalg.norm(path - goal, axis=1) <= np.multiply(penalties, np.linalg.norm(goal)) + 1e-9)
    if rank:
        assert np.all(np.linalg.norm(path[:3] - goal, axis=1) >= 0.09 * np.linalg.norm(goal) - 1e-12)


@pytest.mark.claim("thm-least-squares-ridge-limit")
def test_the_filter_tends_to_the_pseudo_inverse_from_above_zero():
    eigenvalue, penalty = sympy.symbols("lambda epsilon", positive=True)
    filter_ = sympy.sqrt(eigenvalue) / (eigenvalue + penalty)
    assert sympy.limit(filter_, penalty, 0, "+") == 1 / sympy.sqrt(eigenvalue)
    assert sympy.limit(filter_.subs(eigenvalue, 0), penalty, 0, "+") == 0
    slope = -sympy.sqrt(eigenvalue) / (eigenvalue + penalty) ** 2
    assert sympy.simplify(sympy.diff(filter_, penalty) - slope) == 0


def test_filters_and_shrinkage_by_hand():
    assert filter_factors([3, 0], 16) == pytest.approx([3 / 25, 0])
    assert filter_factors([4], 9) == pytest.approx([4 / 25])
    assert filter_factors([4, 0], 0).tolist() == [0.25, 0]
    assert shrinkage_factors([3, 4, 0], 0).tolist() == [1, 1, 0]
    assert shrinkage_factors([3], 16) == pytest.approx([9 / 25])


def test_the_tolerance_is_relative():
    A = np.diag([1.0, 1e-6])
    for unit in (1e-100, 1.0, 1e100):
        assert pinv(unit * A) * unit == pytest.approx(np.diag([1.0, 1e6]))
        assert pinv(unit * A, rtol=1e-3) * unit == pytest.approx(np.diag([1.0, 0.0]))


def test_factors_of_singular_values_of_every_size():
    factors = filter_factors([0.0, 1e-300, 1e-200, 2.0, 1e200], 1e-300)
    np.testing.assert_allclose(factors, [0.0, 1.0, 1e100, 0.5, 1e-200])


def test_a_design_of_zeros_is_solved_by_zero():
    zero = np.zeros((3, 2))
    assert not pinv(zero).any()
    assert not min_norm_solution(zero, [1, 2, 3]).any()
    assert not ridge(zero, [1, 2, 3], 1).any()
    assert solution_set(zero, [1, 2, 3]).null_basis.shape == (2, 2)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: min_norm_solution(np.eye(2), [1.0]), "y must have 2 entries, got 1"),
        (lambda: min_norm_solution(np.eye(2), [1.0, np.nan]), "y must be finite"),
        (lambda: ridge(np.eye(2), [1.0, 1.0], 0), "penalty must be positive"),
        (lambda: ridge(np.eye(2), [1.0, 1.0], None), "penalty must be a number, got None"),
        (lambda: ridge(1e200 * np.eye(2), [1.0, 1.0], 1), "X must have .* squares can be summed"),
        (lambda: ridge_path(np.eye(2), [1.0, 1.0], [1, -1]), "penalties must be positive.*-1"),
        (lambda: filter_factors([-1.0], 1), "singular_values must not be negative, got -1"),
        (lambda: filter_factors([1.0], -1), "penalty must be non-negative"),
        (lambda: pinv([["a"]]), "real numbers"),
        (lambda: solution_set(np.eye(2), [1.0, 1.0]).member([1.0]), "t must have 0 entries, got 1"),
    ],
)
def test_bad_arguments_are_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()


# Statements of the page that the functions above only use


@pytest.mark.claim("thm-least-squares-normal-equations")
@given(problems(), seeds)
def test_normal_equations_hold_exactly_at_the_minima(problem, seed):
    X, y, rank = problem
    rng = np.random.default_rng(seed)
    a = solution_set(X, y).member(rng.normal(size=X.shape[1] - rank))
    h = rng.normal(size=X.shape[1])
    gain = np.sum((y - X @ (a + h)) ** 2) - np.sum((y - X @ a) ** 2)
    assert gain == pytest.approx(np.sum((X @ h) ** 2), abs=1e-9)
    # anywhere else a small step against the gradient lowers the error
    elsewhere = a + h
    gradient = X.T @ (y - X @ elsewhere)
    step = elsewhere + 0.01 * gradient
    drop = np.sum((y - X @ elsewhere) ** 2) - np.sum((y - X @ step) ** 2)
    assert drop >= 0.01 * gradient @ gradient - 1e-12
    if rank == X.shape[1]:
        assert np.linalg.solve(X.T @ X, X.T @ y) == pytest.approx(a, abs=1e-9)


@pytest.mark.claim("thm-least-squares-normal-equations")
@given(problems())
def test_the_fit_is_the_projection_on_the_range(problem):
    X, y, rank = problem
    basis = np.linalg.svd(X)[0][:, :rank]
    assert X @ min_norm_solution(X, y) == pytest.approx(basis @ (basis.T @ y), abs=1e-9)


@pytest.mark.claim("thm-least-squares-intercept")
@given(problems(), seeds)
def test_centring_does_what_a_column_of_ones_does(problem, seed):
    X, y, _ = problem
    rng = np.random.default_rng(seed)
    X, y = X + rng.normal(size=X.shape[1]), y + rng.normal()
    a = min_norm_solution(X - X.mean(axis=0), y - y.mean(), rtol=1e-10)
    residual = y - (y.mean() - X.mean(axis=0) @ a) - X @ a
    with_ones = np.column_stack([np.ones(len(X)), X])
    best = y - with_ones @ np.linalg.lstsq(with_ones, y, rcond=1e-10)[0]
    assert residual == pytest.approx(best, abs=1e-7)
    assert with_ones.T @ residual == pytest.approx(0, abs=1e-7)


@pytest.mark.claim("thm-least-squares-solution-set")
@given(problems(), seeds)
def test_two_solutions_differ_by_what_the_design_sends_to_zero_and_by_nothing_else(problem, seed):
    X, y, rank = problem
    everything = solution_set(X, y)
    assert X @ everything.null_basis == pytest.approx(0, abs=1e-9)
    h = np.random.default_rng(seed).normal(size=X.shape[1])
    solves = np.allclose(X.T @ X @ (everything.particular + h), X.T @ y, atol=1e-9)
    assert solves == (rank == 0)  # a random step lies in the null space only if that is everything
    if X.shape[1] > X.shape[0]:
        assert everything.null_basis.shape[1] >= 1


@pytest.mark.claim("thm-least-squares-coordinates")
@given(problems(), seeds)
def test_in_singular_coordinates_every_equation_stands_alone(problem, seed):
    X, y, rank = problem
    U, sigma, Vt = np.linalg.svd(X)
    S = np.zeros(X.shape)
    np.fill_diagonal(S, sigma)
    a = solution_set(X, y).member(np.random.default_rng(seed).normal(size=X.shape[1] - rank))
    alpha = Vt @ a
    assert alpha @ alpha == pytest.approx(a @ a)
    assert S.T @ S @ alpha == pytest.approx(S.T @ U.T @ y, abs=1e-9)
    assert alpha[:rank] == pytest.approx((U.T @ y)[:rank] / sigma[:rank], abs=1e-9)
    # a coordinate beyond the rank is free, one before it is not
    for i in range(X.shape[1]):
        moved = a + Vt[i]
        still_solves = np.allclose(X.T @ X @ moved, X.T @ y, atol=1e-6)
        assert still_solves == (i >= rank)


@pytest.mark.claim("thm-least-squares-pinv")
def test_no_other_matrix_satisfies_all_four_equations():
    A = sympy.Matrix([[1, 2], [2, 4], [0, 0]])
    B = sympy.Matrix(2, 3, sympy.symbols("b:6"))
    # Symmetry of both products is linear, and with them the first equation, too: solve these exactly.
    linear = [*(A * B - (A * B).T), *(B * A - (B * A).T), *(A * B * A - A)]
    solution = B.subs(sympy.solve(linear, list(B), dict=True)[0])
    remaining = sympy.solve(list(solution * A * solution - solution), list(solution.free_symbols), dict=True)
    (only,) = {tuple(solution.subs(found)) for found in remaining}
    assert only == tuple(A.pinv())


@pytest.mark.claim("thm-least-squares-pinv-rules")
@given(problems(), seeds)
def test_special_cases_and_rules_of_the_pseudo_inverse(problem, seed):
    A, _, rank = problem
    m, n = A.shape
    B = pinv(A)
    assert pinv(A.T) == pytest.approx(B.T, abs=1e-9)
    assert pinv(B) == pytest.approx(A, abs=1e-9)
    if rank == n:
        assert np.linalg.inv(A.T @ A) @ A.T == pytest.approx(B, abs=1e-9)
    if rank == m:
        assert A.T @ np.linalg.inv(A @ A.T) == pytest.approx(B, abs=1e-9)
    if rank == m == n:
        assert np.linalg.inv(A) == pytest.approx(B, abs=1e-9)
    rng = np.random.default_rng(seed)
    p, q = rng.normal(size=m), rng.normal(size=n)
    assert pinv(np.outer(p, q)) == pytest.approx(np.outer(q, p) / (p @ p) / (q @ q))


@pytest.mark.claim("thm-least-squares-ridge")
@given(problems(), st.floats(1e-2, 1e2))
def test_ridge_has_a_form_with_samples_in_place_of_features(problem, penalty):
    X, y, _ = problem
    dual = X.T @ np.linalg.solve(X @ X.T + penalty * np.eye(len(X)), y)
    assert ridge(X, y, penalty) == pytest.approx(dual, abs=1e-9)


@pytest.mark.claim("thm-least-squares-augmented")
@given(problems(), st.floats(1e-2, 1e2))
def test_ridge_is_least_squares_with_more_rows(problem, penalty):
    X, y, _ = problem
    D = X.shape[1]
    stacked = np.vstack([X, np.sqrt(penalty) * np.eye(D)])
    solution = np.linalg.lstsq(stacked, np.append(y, np.zeros(D)), rcond=None)[0]
    assert ridge(X, y, penalty) == pytest.approx(solution, abs=1e-9)
    padded = np.zeros(D)
    sigma = np.linalg.svd(X, compute_uv=False)
    padded[: len(sigma)] = sigma
    assert np.linalg.svd(stacked, compute_uv=False) == pytest.approx(np.sqrt(padded**2 + penalty))


@pytest.mark.claim("thm-least-squares-ridge-limit")
@given(problems(), st.floats(1e-6, 1e4), st.floats(1.01, 10))
def test_the_distance_to_the_limit_is_bounded_and_the_residual_grows(problem, penalty, factor):
    X, y, rank = problem
    goal, (near, far) = min_norm_solution(X, y), ridge_path(X, y, [penalty, factor * penalty])
    if rank:
        smallest = np.linalg.svd(X, compute_uv=False)[rank - 1]
        bound = penalty / (smallest**2 + penalty) * np.linalg.norm(goal)
        assert np.linalg.norm(near - goal) <= bound + 1e-12
        assert np.linalg.norm(far) < np.linalg.norm(near)
        assert np.sum((y - X @ far) ** 2) >= np.sum((y - X @ near) ** 2) - 1e-12


@pytest.mark.claim("thm-least-squares-ridge-limit")
def test_a_negative_penalty_asks_for_nothing():
    """Along the null space the cost has no lower bound, and the matrix is singular at −σ²."""
    X, y = np.array([[3.0, 4], [6, 8], [6, 8]]), np.array([45.0, 30, 60])
    along = np.array([4.0, -3.0])
    costs = [np.sum((y - t * X @ along) ** 2) - 0.1 * t**2 * along @ along for t in (1, 10, 100, 1000)]
    assert np.all(np.diff(costs) < 0)
    assert costs[-1] < -1e6
    assert np.linalg.det(X.T @ X - 225 * np.eye(2)) == pytest.approx(0, abs=1e-9)


@pytest.mark.claim("thm-least-squares-stability")
@given(problems(), st.floats(1e-4, 1e2), seeds)
def test_noise_is_carried_no_farther_than_the_bounds(problem, penalty, seed):
    X, y, rank = problem
    e = np.random.default_rng(seed).normal(size=len(y))
    size = np.linalg.norm(e)
    if rank:
        U, sigma, _ = np.linalg.svd(X)
        moved = min_norm_solution(X, y + e) - min_norm_solution(X, y)
        assert np.linalg.norm(moved) <= size / sigma[rank - 1] + 1e-9
        assert np.linalg.norm(pinv(X) @ U[:, rank - 1]) == pytest.approx(1 / sigma[rank - 1])
    shrunk = np.linalg.norm(ridge(X, y + e, penalty) - ridge(X, y, penalty))
    assert shrunk <= size / (2 * np.sqrt(penalty)) + 1e-9


@pytest.mark.claim("thm-least-squares-stability")
def test_no_filter_exceeds_its_peak():
    sigma, root = sympy.symbols("sigma s", positive=True)
    gap = 1 / (2 * root) - sigma / (sigma**2 + root**2)
    numerator = sympy.factor(sympy.numer(sympy.together(gap)))
    assert sympy.simplify(numerator - (sigma - root) ** 2) == 0
    assert filter_factors([0.3], 0.09)[0] == pytest.approx(1 / 0.6)
