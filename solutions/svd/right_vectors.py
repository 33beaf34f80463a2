"""Task `right_vectors`: the right singular vectors that belong to given left ones."""

from itertools import product

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_column_signs
from dimred_ref.svd import svd_by_construction
from solutions.numbers import Array, one_of
from solutions.svd.numbers import by_two_eigenproblems, small_gap, trapping_matrix


@task.code(points=2, minutes=10, see="eq-svd-right-vectors", tied=("A", "U", "singular_values"))
def right_vectors(A: Array, U: Array, singular_values: Array) -> Array:
    """V_r = Aᵀ U_r diag(σ)⁻¹ (eq-svd-right-vectors); the construction gives V up to the signs of the given U."""
    parts = svd_by_construction(A)
    count = len(singular_values)
    signs = np.sign(np.sum(parts.U[:, :count] * U, axis=0))
    return parts.V[:, :count] * signs


@right_vectors.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Tall, wide, and of lower rank; the signs of U are such that another choice for V does not fit."""
    tall, wide = one_of(rng, ((5, 3), (6, 3), (4, 3))), one_of(rng, ((3, 5), (3, 6), (3, 4)))
    return {
        "a tall matrix": _given(rng, trapping_matrix(rng, tall, 3) / 4),
        "a wide matrix": _given(rng, trapping_matrix(rng, wide, 3)),
        "a matrix of lower rank": _given(rng, trapping_matrix(rng, (5, 4), 2) / 4),
    }


def _given(rng: np.random.Generator, A: Array) -> dict[str, Array]:
    """A with its left singular vectors and singular values, as many as the rank; some columns of U are turned round."""
    U, sigma, V = by_two_eigenproblems(A)
    choices = [U * np.array(signs) for signs in product((-1.0, 1.0), repeat=len(sigma))]
    wrong = [one for one in choices if not np.allclose(one * sigma @ V.T, A)]
    turned = [one for one in wrong if one.sum(axis=0).min() < 0]
    return {"A": A, "U": np.round(one_of(rng, turned), 8), "singular_values": np.round(sigma, 8)}


@right_vectors.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One row, one column, rank one, a square matrix."""
    matrices = {
        "one row": np.array([[2.0, -1.0, 0.5]]),
        "one column": np.array([[-2.0], [0.25], [1.0]]),
        "a square matrix": trapping_matrix(rng, (3, 3), 3),
        "integers": trapping_matrix(rng, (4, 3), 2).astype(int),
    }
    given = {name: by_two_eigenproblems(A) for name, A in matrices.items()}
    return {
        name: {"A": A, "U": -given[name][0], "singular_values": given[name][1]}
        for name, A in matrices.items()
    }


right_vectors.ill_posed(small_gap)


@right_vectors.wrong(
    "Each column is a right singular vector, but some point the wrong way for the given U: multiply out and compare "
    "with A. Signs must be computed, not chosen.",
    credit=0.5,
    same=up_to_column_signs,
)
def solved_a_second_eigenproblem(A: Array, U: Array, singular_values: Array) -> Array:
    """Eigenvectors of AᵀA, with signs of their own."""
    return by_two_eigenproblems(A)[2]


@right_vectors.wrong(
    "The directions and signs are right. What length do your columns have, and what length should they have?",
    see="eq-svd-orthonormal",
)
def forgot_to_divide(A: Array, U: Array, singular_values: Array) -> Array:
    """Aᵀ U, which has columns of length σ."""
    return A.T @ U


@right_vectors.wrong(
    "The directions and signs are right, but your columns are too short. Is it σ or λ by which the proof divides?"
)
def divided_by_the_squares(A: Array, U: Array, singular_values: Array) -> Array:
    """Divide by λ = σ²."""
    return A.T @ U / singular_values**2


@right_vectors.wrong(
    "The directions and signs are right, but the stretch was applied once more instead of being taken away."
)
def multiplied_by_the_values(A: Array, U: Array, singular_values: Array) -> Array:
    """Aᵀ U diag(σ)."""
    return A.T @ U * singular_values


@right_vectors.wrong(
    "The right numbers, transposed: the vectors should be the columns of what you return.",
    see="def-svd-decomposition",
    credit=0.5,
)
def returned_rows(A: Array, U: Array, singular_values: Array) -> Array:
    """V_rᵀ instead of V_r."""
    return (A.T @ U / singular_values).T


@right_vectors.also
def by_matching_signs(A: Array, U: Array, singular_values: Array) -> Array:
    """Eigenvectors of AᵀA, each turned so that A v points along u."""
    V = by_two_eigenproblems(A)[2]
    return V * np.sign(np.sum(U * (A @ V), axis=0))


@right_vectors.also
def by_least_squares(A: Array, U: Array, singular_values: Array) -> Array:
    """Solve U diag(σ) Vᵀ = A for Vᵀ."""
    return np.linalg.lstsq(U * singular_values, A, rcond=None)[0].T


@right_vectors.must_fail
def chose_positive_sums(A: Array, U: Array, singular_values: Array) -> Array:
    """Eigenvectors of AᵀA, each turned so that A v has a positive sum; U is not used."""
    V = by_two_eigenproblems(A)[2]
    return V * np.sign(np.sum(A @ V, axis=0))
