"""The exercises on the SVD: right answers pass in any honest form, classic mistakes are named, near misses fail."""

import functools

import numpy as np
import pytest
import scipy.linalg
import sympy as sp

from autograder.judging.check import verdict_on
from tests.tasks.drawing import draws_of, every_seed, numbers_of, wrong_way

drawn = draws_of("svd")


# What is free, and what is not


@every_seed
def test_length_and_sign_of_singular_vectors_are_free(seed):
    task, key = drawn("singular_pair", seed)
    sigma, u, v = task.answer(*numbers_of(key))
    assert verdict_on("", key, (list(sigma), list(-7 * u), list(3 * v))).passed
    assert not verdict_on("", key, (list(sigma), list(u), list(v[::-1]))).passed


@every_seed
def test_any_basis_of_the_null_space_passes(seed):
    _, key = drawn("null_basis", seed)

    def skewed(A):
        basis = scipy.linalg.null_space(A, rcond=1e-10)
        return basis @ (np.eye(basis.shape[1]) + np.triu(np.ones((basis.shape[1], basis.shape[1]))))

    assert verdict_on("", key, skewed).passed


@every_seed
def test_both_signs_may_change_together_and_not_alone(seed):
    _, key = drawn("rank_one_terms", seed)

    def by_right_vectors(A):
        eigenvalues, V = np.linalg.eigh(A.T @ A)
        rank = np.count_nonzero(eigenvalues > 1e-10 * eigenvalues[-1])
        sigma, V = np.sqrt(eigenvalues[::-1][:rank]), -V[:, ::-1][:, :rank]
        return np.einsum("ai,i,bi->iab", A @ V / sigma, sigma, V)

    assert verdict_on("", key, by_right_vectors).passed

    def with_one_flipped(A):
        terms = by_right_vectors(A)
        terms[0] *= -1
        return terms

    assert not verdict_on("", key, with_one_flipped).passed


@every_seed
def test_right_vectors_rebuild_the_matrix_and_chosen_signs_do_not(seed):
    task, key = drawn("right_vectors", seed)
    chosen = wrong_way(task, "solved_a_second_eigenproblem")
    for case in key.cases:
        A, U, sigma = case.inputs.values()
        assert U * sigma @ task.answer(A, U, sigma).T == pytest.approx(A, abs=1e-6)
        assert U * sigma @ chosen(A, U, sigma).T != pytest.approx(A, abs=1e-3)
        assert A.T @ A @ chosen(A, U, sigma) == pytest.approx(chosen(A, U, sigma) * sigma**2, abs=1e-4)


@every_seed
@pytest.mark.parametrize("signs", range(4))
def test_two_eigenproblems_are_recognised_whatever_signs_a_library_chooses(seed, signs):
    rng = np.random.default_rng(signs)
    _, key = drawn("rank_one_terms", seed)

    def apart(A):
        eigenvalues, U = np.linalg.eigh(A @ A.T)
        V = np.linalg.eigh(A.T @ A)[1]
        rank = np.count_nonzero(eigenvalues > 1e-10 * eigenvalues[-1])
        U, V, sigma = U[:, ::-1][:, :rank], V[:, ::-1][:, :rank], np.sqrt(eigenvalues[::-1][:rank])
        one = -U[:, :1].T @ A @ V[:, :1] / sigma[0]  # the first sign is wrong, the others are left to chance
        flips = np.append(one[0, 0], rng.choice([-1.0, 1.0], size=rank - 1))
        return np.einsum("ai,i,bi->iab", U, sigma * flips, V)

    assert verdict_on("", key, apart).misconception == "solved_two_eigenproblems"
    _, key = drawn("right_vectors", seed)

    def again(A, U, sigma):
        V = np.linalg.eigh(A.T @ A)[1][:, ::-1][:, : len(sigma)]
        first = -np.sign(U[:, 0] @ A @ V[:, 0])
        return V * np.append(first, rng.choice([-1.0, 1.0], size=len(sigma) - 1))

    assert verdict_on("", key, again).misconception == "solved_a_second_eigenproblem"


# Other roads to the numbers: exact fractions, sympy, other products


@every_seed
def test_sympy_finds_the_singular_pair(seed):
    _, key = drawn("singular_pair", seed)
    (A,) = numbers_of(key)
    exact = sp.Matrix(A.astype(int).tolist())
    pairs = sorted((exact.T * exact).eigenvects(), key=lambda pair: -pair[0])
    values = [sp.sqrt(value) for value, _, _ in pairs]
    assert all(value.is_integer for value in values)
    v = pairs[0][2][0]
    assert verdict_on("", key, (values, list(exact * v), list(v))).passed


@every_seed
def test_sympy_finds_the_closest_matrix_of_rank_one(seed):
    _, key = drawn("rank_one_by_hand", seed)
    (A,) = numbers_of(key)
    exact = sp.Matrix(A.astype(int).tolist())
    (_, _, (v,)) = max((exact.T * exact).eigenvects(), key=lambda pair: pair[0])
    closest = exact * v * v.T / v.dot(v)
    assert all(entry.is_integer for entry in closest)
    error = sp.sqrt(sum(entry**2 for entry in exact - closest))
    assert verdict_on("", key, (closest.tolist(), error)).passed


@every_seed
def test_sympy_finds_what_the_wide_matrix_forgets(seed):
    _, key = drawn("null_projector", seed)
    thirds, sigma, halves = (np.asarray(value).astype(int).tolist() for value in numbers_of(key))
    S = sp.zeros(3, 4)
    for i in range(3):
        S[i, i] = sigma[i]
    A = sp.Matrix(thirds) * S * sp.Matrix(halves).T / 6
    N = sp.Matrix.hstack(*A.nullspace())
    projector = N * (N.T * N).inv() * N.T
    assert verdict_on("", key, (N.cols, projector.tolist())).passed


@every_seed
def test_a_matrix_with_the_printed_values_has_the_dimensions(seed):
    _, key = drawn("dimensions", seed)
    m, n, sigma = numbers_of(key)
    rng = np.random.default_rng(0)
    U, V = (np.linalg.qr(rng.normal(size=(size, size)))[0] for size in (m, n))
    A = U[:, : len(sigma)] * sigma @ V[:, : len(sigma)].T
    counts = [
        scipy.linalg.orth(A),
        scipy.linalg.null_space(A.T),
        scipy.linalg.orth(A.T),
        scipy.linalg.null_space(A),
    ]
    assert verdict_on("", key, [basis.shape[1] for basis in counts]).passed


@every_seed
def test_the_small_value_is_what_the_formula_says(seed):
    _, key = drawn("smallest_value", seed)
    dense = {case.name: case for case in key.cases if "nearly agree" in case.name}
    mirror = np.eye(4) - 0.5  # it makes the three rows dense, and is its own inverse
    columns = [
        dense["two columns that nearly agree"].inputs["A"],
        mirror @ dense["three rows that nearly agree"].inputs["A"].T,
    ]
    for case, A in zip(dense.values(), columns, strict=True):
        assert case.expected == pytest.approx(abs(A[1, 0]), rel=1e-5)
        assert case.expected < 1e-8 * np.linalg.norm(A)


@every_seed
@pytest.mark.parametrize("clip", [0.0, 1e-40])
def test_the_product_is_recognised_whatever_its_noise(seed, clip):
    """What is left of a lost eigenvalue differs from machine to machine; the hint does not."""
    _, key = drawn("smallest_value", seed)
    squared = lambda A: np.sqrt(max(np.linalg.eigvalsh(A.T @ A)[0], clip))  # noqa: E731
    assert verdict_on("", key, squared).misconception == "squared_the_matrix"


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    a, b, c, d = sp.symbols("a b c d", real=True)
    p, q = sp.symbols("p q", positive=True)
    A = sp.Matrix([[a, b], [c, d]])
    product = sp.Matrix([[p, q, 0], [p, 0, q]]) * sp.Matrix([[p, p], [q, 0], [0, q]])
    values = sorted(product.eigenvals(multiple=True), key=lambda value: -value.subs({p: 3, q: 1}))
    return {
        "norm_and_volume": (
            [(A.T * A).trace(), sp.sqrt((A.T * A).det())],
            [(A * A.T).trace(), A.det()],
            "forgot_the_modulus",
        ),
        "two_errors": ([b, sp.sqrt(b**2 + c**2)], [b, b + c], "added_singular_values"),
        "lauchli_values": ([sp.sqrt(value) for value in values], values, "gave_the_squares"),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("right_vectors", "solved_a_second_eigenproblem", 1 / 2),
    ("right_vectors", "forgot_to_divide", 0),
    ("rank_one_terms", "solved_two_eigenproblems", 1 / 3),
    ("rank_one_terms", "kept_vanishing_terms", 1 / 2),
    ("rank_one_terms", "compared_singular_values", 3 / 4),
    ("rank_one_terms", "stretched_twice", 0),
    ("null_basis", "took_only_vanishing_values", 2 / 5),
    ("null_basis", "took_only_vectors_beyond", 2 / 5),
    ("null_basis", "compared_squares", 4 / 5),
    ("best_approximation", "forgot_the_root", 2 / 3),
    ("best_approximation", "kept_the_last_terms", 0),
    ("smallest_value", "squared_the_matrix", 1 / 2),
]
