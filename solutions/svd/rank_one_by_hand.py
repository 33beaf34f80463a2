"""Task `rank_one_by_hand`: the best approximation of rank one of a small matrix, and its error."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.svd import best_rank_k
from solutions.numbers import Array, one_of
from solutions.svd.numbers import FIFTHS, THIRDS, signed_columns

Answer = tuple[Array, float]

SPECTRA = ((30, 15), (45, 15), (45, 30), (60, 15), (60, 30), (60, 45))


def draw(rng: np.random.Generator) -> Cases:
    """σ₁u₁v₁ᵀ + σ₂u₂v₂ᵀ with u in thirds and v in fifths: a 3 × 2 matrix of whole numbers."""
    U, V = signed_columns(rng, THIRDS)[:, :2] / 3, signed_columns(rng, FIFTHS) / 5
    return {"the numbers of the text": {"A": np.round(U * one_of(rng, SPECTRA) @ V.T)}}


def answer(A: Array) -> Answer:
    """A₁ = σ₁u₁v₁ᵀ and σ₂ (eq-svd-truncation, eq-svd-truncation-error)."""
    best = best_rank_k(A, 1)
    return best.matrix, best.frobenius_error


def kept_the_smaller_term(A: Array) -> Answer:
    """σ₂u₂v₂ᵀ, with the error that it makes."""
    best = best_rank_k(A, 1)
    return A - best.matrix, float(np.linalg.norm(best.matrix))


def gave_the_kept_value_as_error(A: Array) -> Answer:
    """σ_k instead of σ_{k+1}."""
    matrix = best_rank_k(A, 1).matrix
    return matrix, float(np.linalg.norm(matrix))


def left_the_error_squared(A: Array) -> Answer:
    """The sum of squares without its root."""
    matrix, error = answer(A)
    return matrix, error**2


def forgot_the_singular_value(A: Array) -> Answer:
    """u₁v₁ᵀ, with the distance of that matrix."""
    matrix, _ = answer(A)
    bare = matrix / np.linalg.norm(matrix)
    return bare, float(np.linalg.norm(A - bare))


def kept_the_longer_column(A: Array) -> Answer:
    """Set the shorter column to zero: rank one, but not the best."""
    lengths = np.linalg.norm(A, axis=0)
    return A * (lengths == lengths.max()), float(lengths.min())


def by_projection(A: Array) -> Answer:
    """Project the rows on v₁, and measure what is left."""
    v = np.linalg.eigh(A.T @ A)[1][:, -1]
    matrix = np.outer(A @ v, v)
    return matrix, float(np.sqrt(np.sum((A - matrix) ** 2)))


rank_one_by_hand = Task(
    kind="hand",
    points=2,
    minutes=12,
    draw=draw,
    answer=answer,
    see="thm-svd-eckart-young",
    same=(exactly, exactly),
    parts=("the matrix", "the distance"),
    misconceptions=(
        Misconception(
            kept_the_smaller_term,
            hint="This is one of the two terms of the sum, but keeping the other one loses less.",
            see="eq-svd-truncation",
        ),
        Misconception(
            gave_the_kept_value_as_error,
            hint="The matrix is right. The error is made by what is cut off, not by what is kept.",
            see="eq-svd-truncation-error",
            credit=0.5,
        ),
        Misconception(
            left_the_error_squared,
            hint="The matrix is right. Your error is a sum of squares; a norm is a length.",
            see="eq-svd-norms",
            credit=0.5,
        ),
        Misconception(
            forgot_the_singular_value,
            hint="Your matrix points the right way but has Frobenius norm one, while A is much larger.",
            see="eq-svd-truncation",
        ),
        Misconception(
            kept_the_longer_column,
            hint="Your matrix has rank one, but a coordinate axis need not be the best direction: use the "
            "right singular vector.",
            see="thm-svd-eckart-young",
        ),
    ),
    alternatives=(by_projection,),
)
