"""The exercises on least squares: right answers pass in any honest form, classic mistakes are named."""

import functools

import numpy as np
import pytest
import scipy.linalg
import sympy as sp

from autograder.judging.check import verdict_on
from tests.tasks.drawing import draws_of, every_seed, numbers_of

drawn = draws_of("least_squares")


# What is free, and what is not


@every_seed
def test_any_basis_of_the_free_directions_passes_and_any_other_solution_does_not(seed):
    _, key = drawn("all_solutions", seed)

    def skewed(X, y):
        basis = scipy.linalg.null_space(X, rcond=1e-10)
        size = basis.shape[1]
        return np.linalg.lstsq(X, y, rcond=1e-10)[0], basis @ (np.eye(size) + np.triu(np.ones((size, size))))

    def moved(X, y):
        shortest, basis = skewed(X, y)
        return shortest + basis[:, 0], basis

    assert verdict_on("", key, skewed).passed
    assert not verdict_on("", key, moved).passed


@every_seed
def test_no_sign_of_a_pseudo_inverse_is_free(seed):
    task, key = drawn("pseudo_inverse", seed)
    assert verdict_on("", key, lambda A, rtol: scipy.linalg.pinv(A, rtol=rtol)).passed
    assert not verdict_on("", key, lambda A, rtol: -task.answer(A, rtol)).passed


@every_seed
def test_ridge_for_a_tiny_penalty_is_not_the_shortest_solution_but_its_limit_is(seed):
    _, key = drawn("shortest_solution", seed)

    def nearly(penalty):
        return lambda X, y: np.linalg.solve(X.T @ X + penalty * np.eye(X.shape[1]), X.T @ y)

    X, y = key.cases[0].inputs.values()
    assert nearly(1e-9)(X, y) == pytest.approx(key.cases[0].expected, rel=1e-6)
    assert not verdict_on("", key, nearly(1e-2)).passed


# Other roads to the numbers: exact fractions by sympy


@every_seed
def test_sympy_solves_the_problem_of_rank_one(seed):
    _, key = drawn("rank_one_by_hand", seed)
    X, y, penalty = numbers_of(key)
    X, y = sp.Matrix(X.astype(int).tolist()), sp.Matrix(y.astype(int).tolist())
    shortest = X.pinv() * y
    shrunk = (X.T * X + sp.Rational(penalty) * sp.eye(2)).inv() * X.T * y
    assert verdict_on("", key, (list(shortest), list(shrunk))).passed


@every_seed
def test_sympy_finds_the_line(seed):
    _, key = drawn("line_by_hand", seed)
    x, y = (value.astype(int).tolist() for value in numbers_of(key))
    b, a = sp.symbols("b a")
    cost = sum((v - b - a * u) ** 2 for u, v in zip(x, y, strict=True))
    solution = sp.solve([sp.diff(cost, b), sp.diff(cost, a)], [b, a])
    assert solution[a].is_integer
    assert verdict_on("", key, [solution[b], solution[a]]).passed


@every_seed
def test_factors_pass_as_fractions(seed):
    _, key = drawn("factors_by_hand", seed)
    values, penalty = numbers_of(key)
    sigma = [sp.Integer(int(value)) for value in values]
    factors = [value / (value**2 + sp.Integer(penalty)) for value in sigma]
    shares = [f"{value}**2/({value}**2 + {penalty})" for value in sigma]
    assert verdict_on("", key, (factors, shares)).passed


# Where columns nearly agree


@every_seed
@pytest.mark.parametrize(
    "way",
    [
        lambda X, y: np.linalg.solve(X.T @ X, X.T @ y),
        lambda X, y: np.linalg.inv(X.T @ X) @ X.T @ y,
        lambda X, y: scipy.linalg.cho_solve(scipy.linalg.cho_factor(X.T @ X), X.T @ y),
    ],
)
def test_normal_equations_are_recognised_by_their_failure(seed, way):
    _, key = drawn("careful_fit", seed)
    verdict = verdict_on("", key, way)
    assert verdict.misconception == "solved_the_normal_equations"
    assert verdict.fraction == pytest.approx(1 / 4)


@every_seed
def test_near_columns_have_the_whole_coefficients_they_were_made_with(seed):
    _, key = drawn("careful_fit", seed)
    for case in key.cases[1:]:
        X, y = case.inputs.values()
        exact = sp.Matrix([[sp.Rational(float(value)) for value in row] for row in X])
        target = sp.Matrix([sp.Rational(float(value)) for value in y])
        solution = np.array((exact.T * exact).LUsolve(exact.T * target).tolist(), dtype=float).ravel()
        assert case.expected == pytest.approx(solution, rel=1e-5)
        assert case.expected == pytest.approx(np.round(case.expected), abs=1e-2)
        assert np.linalg.cond(X) > 1e8


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    a, b, c, lam, eps, s, p, q, w = sp.symbols("a b c lam eps s p q w", positive=True)
    column = sp.Matrix([a, b, c])
    f = sp.sqrt(lam) / (lam + eps)
    X, y = sp.Matrix([[s, 0], [0, 1], [0, 0]]), sp.Matrix([p, q, w])
    estimate = (X.T * X + eps * sp.eye(2)).LUsolve(X.T * y)
    length, misfit = estimate.dot(estimate), (y - X * estimate).dot(y - X * estimate)
    return {
        "column_inverse": (
            list((column.T * column).inv() * column.T),
            [1 / a, 1 / b, 1 / c],
            "inverted_the_entries",
        ),
        "filter_limits": (
            [sp.limit(f, eps, 0, "+"), sp.Integer(0), sp.diff(f, eps)],
            [1 / lam, sp.Integer(0), sp.diff(f, eps)],
            "forgot_the_root",
        ),
        "ridge_lengths": ([length, misfit], [length, misfit + eps * length], "gave_the_whole_cost"),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("pseudo_inverse", "inverted_every_value", 1 / 4),
    ("pseudo_inverse", "took_an_absolute_tolerance", 1 / 4),
    ("pseudo_inverse", "divided_by_squares", 0),
    ("shortest_solution", "set_free_coefficients_to_zero", 1 / 4),
    ("shortest_solution", "added_an_identity", 1 / 4),
    ("all_solutions", "cut_the_basis_short", 4 / 5),
    ("all_solutions", "started_from_another_solution", 2 / 3),
    ("ridge_path", "listed_penalties_as_columns", 1 / 2),
    ("ridge_path", "squared_the_penalties", 0),
    ("careful_fit", "took_the_pseudo_inverse_of_the_product", 1 / 4),
]
