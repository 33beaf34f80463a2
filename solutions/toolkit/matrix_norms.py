"""Task `matrix_norms`: Frobenius, spectral, and the induced norms for p = 1 and p = ∞."""

from collections.abc import Sequence

import numpy as np

from autograder.authoring import task
from dimred_ref.toolkit import frobenius, induced_norm
from solutions.announced import is_tall, is_wide
from solutions.toolkit.numbers import Array, ways_are_apart

Answer = tuple[float, float, float, float]


@task.code(
    points=4,
    minutes=15,
    see="eq-toolkit-spectral-norm",
    parts=("Frobenius", "spectral", "induced, p = 1", "induced, p = ∞"),
)
def matrix_norms(A: Array) -> Answer:
    """‖A‖_F (eq-toolkit-frobenius), then ‖A‖₂, ‖A‖₁, ‖A‖_∞ (eq-toolkit-spectral-norm)."""
    return frobenius(A), induced_norm(A, 2), induced_norm(A, 1), induced_norm(A, np.inf)


@matrix_norms.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Matrices without and with negative entries, tall and wide; the largest row and column at either end."""
    tall = _matrix(rng, (4, 2), (0, -1))
    tall[-1] = tall[int(rng.integers(1, 3))]  # neither repeated row is the largest
    return {
        "no negative entries": {"A": _matrix(rng, (3, 3), (0, 0), low=0.0)},
        "a square matrix in a tiny unit": {"A": np.round(1e-7 * _matrix(rng, (3, 3), (-1, 0)), 9)},
        "a tall matrix, one row twice": {"A": tall},
        "a wide matrix": {"A": _matrix(rng, (2, 4), (-1, -1))},
    }


def _matrix(
    rng: np.random.Generator, shape: tuple[int, int], largest: tuple[int, int], *, low: float = -6.0
) -> Array:
    """A matrix of decimals whose largest row and column stand in these places."""
    ways = list(WAYS)
    if low < 0:
        ways.append(forgot_the_moduli)
    if shape[0] == shape[1]:
        ways.append(used_eigenvalues)
    while True:
        A = np.round(rng.uniform(low, 6, size=shape), 1)
        placed = _stands_at(A, largest[0], 1) and _stands_at(A, largest[1], 0)
        if placed and ways_are_apart(ways, (A,)) and (low >= 0 or _signs_matter(A)):
            return A


def _stands_at(A: Array, place: int, axis: int) -> bool:
    """Is this row (axis 1) or column (axis 0) visibly larger than all others, and not by its sign?"""
    sums = np.abs(A).sum(axis=axis)
    return bool(sums[place] > 1.1 * np.delete(sums, place).max())


def _signs_matter(A: Array) -> bool:
    """Are both norms wrong without the moduli, and neither the largest entry or the sum of all?"""
    right, others = matrix_norms(A)[2:], (forgot_the_moduli(A)[2:], read_the_matrix_as_one_long_vector(A)[2:])
    return not any(np.isclose(one, want) for other in others for one, want in zip(other, right, strict=True))


@matrix_norms.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One entry, one row, one column, whole numbers, rank one, large units."""
    A = np.round(rng.uniform(-6, 6, size=(3, 5)), 1)
    return {
        "one entry": {"A": np.array([[-2.5]])},
        "one row": {"A": A[:1]},
        "one column": {"A": A[:, :1]},
        "whole numbers": {"A": rng.integers(-9, 10, size=(4, 3))},
        "rank one": {"A": np.outer([1.0, -2.0, 0.5], [3.0, 1.0, -1.0, 2.0])},
        "a repeated row": {"A": A[[0, 1, 1, 2]]},
        "a large unit": {"A": 1e6 * A},
    }


@matrix_norms.wrong(
    "Three norms are right. Your Frobenius norm of 2A is four times that of A: one step is missing.",
    see="thm-toolkit-frobenius",
    credit=0.75,
)
def forgot_the_root(A: Array) -> Answer:
    """Σσ² for the Frobenius norm."""
    length, spectral, one, infinity = matrix_norms(A)
    return length**2, spectral, one, infinity


@matrix_norms.wrong(
    "Frobenius and spectral norm are right. Which vector shows the norm for p = 1: a unit vector, which picks out … "
    "what?",
    see="thm-toolkit-induced-norm",
    credit=0.5,
)
def swapped_rows_and_columns(A: Array) -> Answer:
    """Row sums for p = 1, column sums for p = ∞."""
    length, spectral, one, infinity = matrix_norms(A)
    return length, spectral, infinity, one


@matrix_norms.wrong(
    "Three norms are right. Eigenvalues tell how much a symmetric A stretches, but not in general, and a rectangular "
    "A has none. Which symmetric matrix helps?",
    see="def-toolkit-singular-values",
    credit=0.5,
)
def used_eigenvalues(A: Array) -> Answer:
    """The largest modulus of an eigenvalue of A, which need not be square."""
    length, _, one, infinity = matrix_norms(A)
    return length, float(np.abs(np.linalg.eigvals(A)).max()), one, infinity


@matrix_norms.wrong(
    "Three norms are right. Your spectral norm is that of the product of A with its transpose.",
    see="thm-toolkit-induced-norm",
    credit=0.75,
)
def left_the_spectral_norm_squared(A: Array) -> Answer:
    """The largest eigenvalue of AᵀA."""
    length, spectral, one, infinity = matrix_norms(A)
    return length, spectral**2, one, infinity


@matrix_norms.wrong(
    "Frobenius and spectral norm are right. In your sums entries of opposite signs cancel, but a vector may choose "
    "its own signs.",
    see="thm-toolkit-induced-norm",
    credit=0.5,
)
def forgot_the_moduli(A: Array) -> Answer:
    """Column and row sums in which signs cancel."""
    length, spectral, _, _ = matrix_norms(A)
    return length, spectral, float(A.sum(axis=0).max()), float(A.sum(axis=1).max())


@matrix_norms.wrong(
    "Frobenius and spectral norm are right. For p = 1 and p = ∞ you read the matrix as one long vector; the largest "
    "stretch was asked for.",
    see="eq-toolkit-induced-norm",
    credit=0.5,
)
def read_the_matrix_as_one_long_vector(A: Array) -> Answer:
    """The vector norms of the entries for p = 1 and p = ∞."""
    length, spectral, _, _ = matrix_norms(A)
    return length, spectral, float(np.abs(A).sum()), float(np.abs(A).max())


@matrix_norms.wrong(
    "Frobenius and spectral norm are right. The moduli come before the sums: in your column and row sums entries of "
    "opposite signs cancel."
)
def took_moduli_of_the_sums(A: Array) -> Answer:
    """|Σ aᵢⱼ| in the place of Σ |aᵢⱼ|."""
    length, spectral, _, _ = matrix_norms(A)
    return length, spectral, float(np.abs(A.sum(axis=0)).max()), float(np.abs(A.sum(axis=1)).max())


WAYS = (
    matrix_norms,
    forgot_the_root,
    swapped_rows_and_columns,
    left_the_spectral_norm_squared,
    read_the_matrix_as_one_long_vector,
)


@matrix_norms.also
def with_numpy(A: Array) -> Sequence[float]:
    """The norms of numpy."""
    return tuple(float(np.linalg.norm(A, kind)) for kind in ("fro", 2, 1, np.inf))


@matrix_norms.also
def from_the_gram_matrix(A: Array) -> Answer:
    """Trace and largest eigenvalue of AAᵀ, and loops."""
    gram = A @ A.T
    columns = max(sum(abs(entry) for entry in column) for column in A.T)
    rows = max(sum(abs(entry) for entry in row) for row in A)
    return float(np.sqrt(np.trace(gram))), float(np.sqrt(np.linalg.eigvalsh(gram)[-1])), columns, rows


matrix_norms.announces("may be tall, square or wide", "a tall matrix, one row twice", is_tall)
matrix_norms.announces("may be tall, square or wide", "a wide matrix", is_wide)
