"""The toolkit exercises: right answers pass in any honest form, classic mistakes are named, near misses fail."""

import functools

import numpy as np
import pytest
import scipy.linalg
import sympy as sp

from autograder.judging.check import verdict_on
from autograder.release.rules import judge_solution
from tests.tasks.drawing import draws_of, every_seed, numbers_of, wrong_way

drawn = draws_of("toolkit")


def exact(matrix):
    return sp.Matrix(np.asarray(matrix).astype(int).tolist())


@pytest.mark.parametrize(
    ("name", "matrix"),
    [
        ("gram_schmidt", [[1.0, 1.0], [1.0, 1.01]]),
        ("projector", [[1.0, 1.0], [1.0, 1.01]]),
        ("sorted_eigenpairs", [[5.0, 0.1], [0.1, 5.0]]),
    ],
)
def test_an_unfair_matrix_is_called_ill_posed(name, matrix):
    assert drawn(name, "any")[0].ill_posed(np.array(matrix))


# What is free, and what is not


@every_seed
def test_signs_of_columns_are_free(seed):
    task, key = drawn("gram_schmidt", seed)
    assert verdict_on("", key, lambda A: task.answer(A) * [-1.0, 1.0, -1.0, 1.0][: A.shape[1]]).passed
    task, key = drawn("sorted_eigenpairs", seed)
    assert verdict_on("", key, lambda A: (task.answer(A)[0], -task.answer(A)[1])).passed


@every_seed
def test_the_order_of_straightened_columns_counts(seed):
    task, key = drawn("gram_schmidt", seed)
    assert not verdict_on("", key, lambda A: task.answer(A)[:, ::-1]).passed
    assert not verdict_on("", key, lambda A: np.linalg.svd(A, full_matrices=False)[0]).passed


@every_seed
def test_length_and_sign_of_an_eigenvector_are_free(seed):
    task, key = drawn("second_eigenpair", seed)
    value, vector = task.answer(*numbers_of(key))
    assert verdict_on("", key, (value, list(-7 * vector))).passed
    assert not verdict_on("", key, (value, [vector[0], vector[0] - vector[1]])).passed
    assert not verdict_on("", key, (value, [0, 0])).passed


# Other roads to the numbers: sympy, scipy, a fine search


@every_seed
def test_sympy_finds_the_lengths(seed):
    _, key = drawn("vector_norms", seed)
    (x,) = numbers_of(key)
    v = exact(x)
    assert v.norm().is_integer
    assert verdict_on("", key, [sum(e != 0 for e in v), v.norm(1), v.norm(), v.norm(sp.oo)]).passed


@every_seed
def test_sympy_finds_the_nearest_point(seed):
    _, key = drawn("nearest_point", seed)
    x, a, b = (exact(part) for part in numbers_of(key))
    s, t = sp.symbols("s t")
    miss = x - s * a - t * b
    found = sp.solve([miss.dot(a), miss.dot(b)], [s, t])
    miss = miss.subs(found)
    assert a.dot(b) != 0
    assert miss.norm().is_integer
    assert verdict_on("", key, (list(x - miss), miss.norm())).passed


@every_seed
def test_sympy_finds_the_eigenvalues_of_the_rank_one_change(seed):
    _, key = drawn("rank_one_change", seed)
    b, t, q = numbers_of(key)
    C = int(b) * sp.eye(3) + int(t) * exact(q) * exact(q).T
    values = sorted((value for value, count in C.eigenvals().items() for _ in range(count)), reverse=True)
    assert values[0] == values[1] > 0 > values[2]
    assert verdict_on("", key, (values, max(abs(value) for value in values))).passed


@every_seed
def test_sympy_finds_the_other_eigenpair(seed):
    _, key = drawn("second_eigenpair", seed)
    A, v = (exact(part) for part in numbers_of(key))
    given = (A * v)[0] / v[0]
    assert A * v == given * v
    ((value, _, (vector,)),) = (pair for pair in A.eigenvects() if pair[0] != given)
    assert vector.dot(v) != 0
    assert verdict_on("", key, (value, list(vector))).passed


@every_seed
def test_a_search_round_the_circle_finds_the_extremes_of_the_form(seed):
    task, key = drawn("extremes_of_a_form", seed)
    p, q, r = numbers_of(key)
    t = np.linspace(0, np.pi, 200_001)
    values = p * np.cos(t) ** 2 + q * np.cos(t) * np.sin(t) + r * np.sin(t) ** 2
    assert task.answer(p, q, r) == pytest.approx([values.max(), values.min()], abs=1e-6)
    assert verdict_on("", key, [round(values.max()), round(values.min())]).passed


@every_seed
def test_scipy_passes(seed):
    _, key = drawn("projector", seed)
    assert verdict_on("", key, lambda A: scipy.linalg.orth(A) @ scipy.linalg.orth(A).T).passed
    _, key = drawn("gram_schmidt", seed)
    assert verdict_on("", key, lambda A: scipy.linalg.qr(A, mode="economic")[0]).passed
    _, key = drawn("matrix_norms", seed)
    norms = lambda A: tuple(scipy.linalg.norm(A, kind) for kind in ("fro", 2, 1, np.inf))  # noqa: E731
    assert verdict_on("", key, norms).passed


@every_seed
def test_a_function_for_square_matrices_only_is_told_about_eigenvalues(seed):
    task, key = drawn("matrix_norms", seed)
    wrong = wrong_way(task, "used_eigenvalues")
    assert judge_solution(task, key, wrong).misconception == "used_eigenvalues"


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    a, b, c, d = sp.symbols("a b c d", positive=True)
    x, y, k = sp.symbols("x y k", real=True)
    A, v = sp.Matrix([[a, b], [c, d]]), sp.Matrix([x, y])
    lagrangian = v.dot(A * v) - k * (v.dot(v) - 1)
    low, high = sorted(((A + A.T) / 2).eigenvals(), key=lambda e: e.subs({a: 6, b: 1, c: 5, d: 2}))
    low_of_A, high_of_A = sorted(A.eigenvals(), key=lambda e: e.subs({a: 6, b: 1, c: 5, d: 2}))
    return {
        "lagrangian_gradient": (
            [sp.diff(lagrangian, x), sp.diff(lagrangian, y)],
            list(2 * (A * v - k * v)),
            "assumed_symmetry",
        ),
        "largest_form": ([high, low], [high_of_A, low_of_A], "used_the_eigenvalues_of_the_matrix"),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("rayleigh_quotient", "forgot_to_divide", 1 / 4),
    ("rayleigh_quotient", "kept_the_squares_only", 0),
    ("gram_schmidt", "only_normalised", 1 / 3),
    ("gram_schmidt", "forgot_to_normalise", 1 / 2),
    ("gram_schmidt", "subtracted_shadows_on_the_old_columns", 2 / 3),
    ("projector", "multiplied_by_the_transpose", 1 / 4),
    ("projector", "normalised_the_columns_only", 3 / 4),
    ("projector", "projected_on_the_complement", 0),
    ("matrix_norms", "forgot_the_root", 3 / 4),
    ("matrix_norms", "swapped_rows_and_columns", 1 / 2),
    ("sorted_eigenpairs", "sorted_by_modulus", 1 / 3),
    ("second_eigenpair", "assumed_orthogonal_eigenvectors", 1 / 2),
]
