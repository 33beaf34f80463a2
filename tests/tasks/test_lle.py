"""The exercises on locally linear embedding: right answers pass in any honest form, classic mistakes are named."""

import functools
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from autograder.judging.check import verdict_on
from dimred_ref.datasets import sheet_with_hole
from dimred_ref.lle import lle
from tests.tasks.drawing import draws_of, every_seed, numbers_of

drawn = draws_of("lle")


# What is free, and what is not


@every_seed
def test_the_sign_of_each_coordinate_is_free_and_a_rotation_is_not(seed):
    task, key = drawn("map_from_weights", seed)

    def turned(W, d):
        Q = np.linalg.qr(np.arange(1.0, d * d + 1).reshape(d, d) + 3 * np.eye(d))[0]
        return task.answer(W, d) @ (Q if d > 1 else -Q)

    assert verdict_on("", key, lambda W, d: task.answer(W, d) * (-1.0) ** np.arange(d)).passed
    assert not verdict_on("", key, turned).passed


def test_the_three_functions_together_are_the_reference():
    X = sheet_with_hole(60, seed=3).X
    task, _ = drawn("weight_matrix", "seed 0")
    last, _ = drawn("map_from_weights", "seed 0")
    fit = lle(X, 2, n_neighbors=8, regularisation=1e-3)
    Y = last.answer(task.answer(X, 8, 1e-3), 2)
    assert np.abs(Y.T @ fit.embedding / 60) == pytest.approx(np.eye(2), abs=1e-6)


# Other roads to the numbers: exact fractions by sympy


@every_seed
def test_sympy_finds_the_foot_between_two_neighbors(seed):
    _, key = drawn("two_neighbors", seed)
    x, neighbors = (sp.Matrix(value.astype(int).tolist()) for value in numbers_of(key))
    t = sp.symbols("t")
    miss = x.T - (1 - t) * neighbors[0, :] - t * neighbors[1, :]
    cost = sp.expand(miss.dot(miss))
    (best,) = sp.solve(sp.diff(cost, t), t)
    assert verdict_on("", key, ([1 - best, best], cost.subs(t, best))).passed


@every_seed
def test_a_recipe_passes_as_fractions_and_as_text(seed):
    task, key = drawn("three_neighbors", seed)
    weights = [Fraction(value).limit_denominator(1000) for value in task.answer(*numbers_of(key))]
    assert sum(weights) == 1
    assert verdict_on("", key, weights).passed
    assert verdict_on("", key, [str(weight) for weight in weights]).passed


@every_seed
def test_the_map_of_a_line_costs_nothing_and_has_unit_variance(seed):
    task, key = drawn("line_map", seed)
    (x,) = numbers_of(key)
    row, squares = task.answer(x)
    assert row.sum() == pytest.approx(1)
    assert row @ x == pytest.approx(x[0])
    assert squares.sum() == pytest.approx(len(x))


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    p, q, eps, s, theta, g, m = sp.symbols("p q eps s theta g m", real=True)
    Q = sp.Matrix([[sp.cos(theta), -sp.sin(theta)], [sp.sin(theta), sp.cos(theta)]])
    moved = s * Q * sp.Matrix([p, 0]) + (1 - m) * sp.Matrix([g, 0])
    square = s**2 * p**2
    weight = (q**2 + eps) / (p**2 + q**2 + 2 * eps)
    faithful = q**2 / (p**2 + q**2)
    return {
        "moved_error": ([moved.dot(moved), square], [square, square], "let_the_shift_drop_out"),
        "ridge_limits": (
            [weight, sp.limit(weight, eps, 0), sp.Rational(1, 2)],
            [weight, faithful, sp.Integer(0)],
            "let_the_weight_vanish",
        ),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("weight_matrix", "wrote_recipes_as_columns", 1 / 2),
    ("weight_matrix", "symmetrised", 0),
    ("map_from_weights", "left_length_one", 1 / 2),
    ("map_from_weights", "kept_the_constant", 0),
    ("mixture_weights", "took_an_absolute_ridge", 0),
]
