"""The exercises on classical scaling: right answers pass in any honest form, classic mistakes are named."""

import functools

import numpy as np
import pytest
import sympy as sp
from scipy.spatial.distance import cdist
from sklearn import decomposition

from autograder.judging.check import verdict_on
from dimred_ref.classical_mds import strain
from tests.tasks.drawing import draws_of, every_seed, numbers_of

drawn = draws_of("classical_mds")


# What is free, and what is not


@every_seed
def test_a_map_may_be_turned_mirrored_and_moved_but_not_stretched(seed):
    task, key = drawn("classical_map", seed)

    def moved(distances, d):
        turn = np.linalg.qr(np.arange(1.0, d * d + 1).reshape(d, d) ** 2 + np.eye(d))[0]
        return task.answer(distances, d) @ turn * np.r_[-1.0, np.ones(d - 1)] + 7

    assert verdict_on("", key, moved).passed
    assert not verdict_on("", key, lambda distances, d: 1.01 * task.answer(distances, d)).passed


@every_seed
def test_newcomers_may_be_mirrored_along_an_axis_but_not_turned(seed):
    task, key = drawn("place_newcomer", seed)
    assert verdict_on("", key, lambda *inputs: -task.answer(*inputs)).passed

    def turned(*inputs):
        return task.answer(*inputs) @ np.linalg.qr(np.vander(np.arange(1.0, inputs[-1] + 1)))[0]

    assert not verdict_on("", key, turned).passed


@every_seed
def test_any_triangle_with_these_sides_is_a_map(seed):
    task, key = drawn("triangle_map", seed)
    (squared,) = numbers_of(key)
    values, Y = task.answer(squared)
    assert np.allclose(cdist(Y, Y) ** 2, squared)
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    assert verdict_on("", key, (list(values), (Y @ turn + [3, -1]).tolist())).passed
    assert not verdict_on("", key, (list(values), (Y * [1, 1.1]).tolist())).passed


# Other roads to the numbers


@every_seed
def test_sympy_finds_the_triangle(seed):
    _, key = drawn("triangle_map", seed)
    (squared,) = numbers_of(key)
    J = sp.eye(3) - sp.ones(3, 3) / 3
    G = -J * sp.Matrix(squared.astype(int).tolist()) * J / 2
    pairs = sorted(G.eigenvects(), key=lambda pair: -pair[0])
    values = [value for value, *_ in pairs[:2]]
    columns = [vector * sp.sqrt(value) / vector.norm() for value, _, (vector,) in pairs[:2]]
    assert all(value.is_integer for value in values)
    assert verdict_on("", key, (values, sp.Matrix.hstack(*columns))).passed


@every_seed
def test_the_scores_of_rebuilt_points_are_the_map_of_a_euclidean_table(seed):
    task, key = drawn("classical_map", seed)
    space = key.cases[0].inputs
    points = task.answer(space["distances"], 3)
    scores = decomposition.PCA(2, svd_solver="full").fit_transform(points)
    Y = task.answer(space["distances"], 2)
    assert np.allclose(Y @ Y.T, scores @ scores.T)


@every_seed
def test_no_step_away_from_the_map_lowers_the_strain(seed):
    task, key = drawn("classical_map", seed)
    rng = np.random.default_rng(0)
    for case in key.cases:
        distances, d = case.inputs.values()
        Y = task.answer(distances, d)
        least = strain(distances, Y)
        for size in (1e-3, 0.1, 1.0):
            assert strain(distances, Y + size * rng.normal(size=Y.shape)) >= least - 1e-9


@every_seed
def test_an_old_point_is_put_where_it_was(seed):
    task, key = drawn("place_newcomer", seed)
    for case in key.cases:
        distances, _, d = case.inputs.values()
        values, vectors = np.linalg.eigh(-0.5 * _centred(distances**2))
        Y = vectors[:, ::-1][:, :d] * np.sqrt(values[::-1][:d])
        assert np.allclose(np.abs(task.answer(distances, distances[:2], d)), np.abs(Y[:2]))


def _centred(squares):
    J = np.eye(len(squares)) - 1 / len(squares)
    return J @ squares @ J


@every_seed
def test_the_tables_of_the_verdict_are_what_their_names_say(seed):
    task, key = drawn("euclidean_verdict", seed)
    verdicts = {case.name: task.answer(*case.inputs.values()) for case in key.cases}
    assert verdicts["points nearly in a plane"][:2] == (3, 0)  # one of the three is small
    for name in ("blocks of a city", "nobody's distances, in small units", "hops around a ring"):
        assert verdicts[name][1] >= 2


@every_seed
def test_a_table_with_the_printed_spectrum_loses_what_is_asked_for(seed):
    """Any orthonormal basis with the vector of ones at the zero makes such a Gram matrix."""
    task, key = drawn("truncation", seed)
    spectrum, d = numbers_of(key)
    basis = np.linalg.qr(np.column_stack([np.ones(5), np.random.default_rng(1).normal(size=(5, 4))]))[0]
    V = basis[:, [1, 2, 3, 0, 4]]
    G = V * spectrum @ V.T
    squared = np.diag(G)[:, None] + np.diag(G) - 2 * G
    Y = V[:, :d] * np.sqrt(spectrum[:d])
    lost = (squared - cdist(Y, Y) ** 2).sum()
    left = ((G - Y @ Y.T) ** 2).sum()
    assert task.answer(spectrum, d) == pytest.approx((left, 1 - left / (G**2).sum(), lost))


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    a, b, c = sp.symbols("a b c", positive=True)
    squares = sp.Matrix([[0, a**2, b**2], [a**2, 0, c**2], [b**2, c**2, 0]])
    J = sp.eye(3) - sp.ones(3, 3) / 3
    G = sp.expand(-J * squares * J / 2)
    about_a_corner = [b**2, (b**2 + c**2 - a**2) / 2]
    return {"gram_formulas": ([G[0, 0], G[0, 1]], about_a_corner, "took_a_corner_for_the_origin")}


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("double_centre", "forgot_the_half", 1 / 2),
    ("classical_map", "forgot_to_square", 0),
    ("classical_map", "forgot_the_half", 1 / 2),
    ("classical_map", "took_roots_of_absolute_values", 3 / 4),
    ("euclidean_verdict", "kept_the_sign_of_the_mass", 3 / 4),
    ("euclidean_verdict", "saw_no_negative_eigenvalue", 1 / 3),
    ("euclidean_verdict", "looked_at_the_most_negative_only", 1 / 2),
    ("place_newcomer", "forgot_the_half", 1 / 2),
    ("triangle_map", "left_unit_vectors", 1 / 2),
    ("truncation", "took_the_share_of_variance", 2 / 3),
]
