"""The exercises on Laplacian eigenmaps: right answers pass in any honest form, classic mistakes are named."""

import functools
from fractions import Fraction

import numpy as np
import pytest
import scipy.linalg
import sympy as sp

from autograder.judging.check import verdict_on
from tests.tasks.drawing import draws_of, every_seed, numbers_of

drawn = draws_of("laplacian_eigenmaps")


# What is free, and what is not


@every_seed
def test_the_sign_of_each_coordinate_is_free_and_its_length_is_not(seed):
    task, key = drawn("smooth_coordinates", seed)

    def scaled(factor):
        def way(W, d):
            Y, eigenvalues = task.answer(W, d)
            return Y * factor ** np.arange(1, d + 1), eigenvalues

        return way

    assert verdict_on("", key, scaled(-1.0)).passed
    verdict = verdict_on("", key, scaled(2.0))
    assert not verdict.passed
    assert verdict.fraction == pytest.approx(1 / 2)


@every_seed
def test_the_walk_finds_the_same_coordinates(seed):
    _, key = drawn("smooth_coordinates", seed)

    def by_the_walk(W, d):
        degrees = W.sum(axis=1)
        values, vectors = scipy.linalg.eig(W / degrees[:, None])
        order = np.argsort(-values.real)[1 : d + 1]
        Y = vectors[:, order].real
        return Y / np.sqrt(degrees @ Y**2), 1 - values[order].real

    assert verdict_on("", key, by_the_walk).passed


@every_seed
def test_a_solver_for_pairs_of_matrices_finds_the_same_coordinates(seed):
    _, key = drawn("smooth_coordinates", seed)

    def by_scipy(W, d):
        D = np.diag(W.sum(axis=1))
        values, vectors = scipy.linalg.eigh(D - W, D)
        return vectors[:, 1 : d + 1], values[1 : d + 1]

    assert verdict_on("", key, by_scipy).passed


@every_seed
def test_a_copy_of_an_old_vertex_is_placed_on_it(seed):
    smooth, key = drawn("smooth_coordinates", seed)
    place, _ = drawn("place_new", seed)
    for case in key.cases:
        W, d = case.inputs.values()
        Y, eigenvalues = smooth.answer(W, d)
        assert place.answer(W, Y, eigenvalues) == pytest.approx(Y, abs=1e-9)


# Other roads to the numbers: exact fractions


@every_seed
def test_sympy_finds_the_spectra_of_the_triangle(seed):
    _, key = drawn("triangle_spectrum", seed)
    (W,) = numbers_of(key)
    W = sp.Matrix(W.astype(int).tolist())
    D = sp.diag(*(sum(W[i, :]) for i in range(3)))
    plain, pair = (
        sorted(value for value, count in matrix.eigenvals().items() for _ in range(count) if value != 0)
        for matrix in (D - W, D.inv() * (D - W))
    )
    assert verdict_on("", key, (plain, pair)).passed
    assert verdict_on("", key, (plain[::-1], [str(value) for value in pair])).passed


@every_seed
def test_two_pairs_pass_as_fractions_and_two_heaps_do_not(seed):
    _, key = drawn("two_pairs", seed)
    pair, bridge = (int(value) for value in numbers_of(key))
    inner = Fraction(pair, pair + bridge)
    vector = [1, inner, -inner, -1]
    assert verdict_on("", key, (Fraction(bridge, pair + bridge), vector)).passed
    assert not verdict_on("", key, (Fraction(bridge, pair + bridge), [1, 1, -1, -1])).passed


@every_seed
def test_a_fine_grid_has_the_tones_of_the_strip(seed):
    task, key = drawn("strip_tones", seed)
    length, width = (int(value) for value in numbers_of(key))
    tones, place = task.answer(length, width)
    along, across = 60 * length, 60 * width
    values = [
        4 * np.sin(np.pi * m / 2 / along) ** 2 + 4 * np.sin(np.pi * n / 2 / across) ** 2
        for m in range(7)
        for n in range(7)
    ]
    first = np.sort(values)[1:6]
    assert first / first[0] == pytest.approx(tones, rel=1e-2)
    assert place == np.ceil(length / width)


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    a, b, c, g, v, n, r = sp.symbols("a b c g v n r", positive=True)
    p, q = sp.symbols("p q", real=True)
    W = sp.Matrix([[0, a, c], [a, 0, b], [c, b, 0]])
    y = sp.Matrix([p, q, 0])
    D = [sum(W[i, :]) for i in range(3)]
    pairs = [(i, j) for i in range(3) for j in range(3)]
    energy = sum(W[i, j] * (y[i] - y[j]) ** 2 for i, j in pairs)
    printed = sum(W[i, j] / sp.sqrt(D[i] * D[j]) * (y[i] - y[j]) ** 2 for i, j in pairs)
    normalised = sum(W[i, j] * (y[i] / sp.sqrt(D[i]) - y[j] / sp.sqrt(D[j])) ** 2 for i, j in pairs)
    return {
        "three_costs": (
            [energy, printed, normalised],
            [energy, normalised, printed],
            "exchanged_the_two_costs",
        ),
        "cut_cost": ([c * n / (r * (n - r)), c / g / (1 - g / v)], [c / r, c / g], "did_not_centre"),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("heat_weights", "forgot_the_square", 1 / 4),
    ("heat_weights", "kept_one_direction", 0),
    ("smooth_coordinates", "stopped_at_the_symmetric_matrix", 1 / 2),
    ("smooth_coordinates", "kept_the_constant", 0),
    ("place_new", "forgot_the_factor", 0),
]
