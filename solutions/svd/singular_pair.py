"""Task `singular_pair`: singular values of a small whole matrix, and the first pair of vectors, by hand."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly, up_to_direction
from dimred_ref.svd import thin_svd
from solutions.numbers import Array, one_of
from solutions.svd.numbers import FIFTHS, HALVES, signed_columns

Answer = tuple[Array, Array, Array]

SPECTRA = ((30, 10), (40, 20), (40, 10), (30, 20), (50, 20), (50, 30), (60, 20))


def draw(rng: np.random.Generator) -> Cases:
    """σ₁u₁v₁ᵀ + σ₂u₂v₂ᵀ with u from ±1 over 2 and v from 3, 4 over 5: a 4 × 2 matrix of whole numbers."""
    U, V = signed_columns(rng, HALVES)[:, :2] / 2, signed_columns(rng, FIFTHS) / 5
    while np.abs(U[:, 0] @ U[::-1, 0]) == 1:  # reads the same from both ends, but for its sign
        U = signed_columns(rng, HALVES)[:, :2] / 2
    return {"the numbers of the text": {"A": np.round(U * one_of(rng, SPECTRA) @ V.T)}}


def answer(A: Array) -> Answer:
    """σ, u₁, v₁ (eq-svd-pairs)."""
    parts = thin_svd(A)
    return parts.singular_values, parts.U[:, 0], parts.V[:, 0]


def gave_the_squares(A: Array) -> Answer:
    """The eigenvalues of AᵀA."""
    sigma, u, v = answer(A)
    return sigma**2, u, v


def gave_the_second_pair(A: Array) -> Answer:
    """u₂ and v₂."""
    parts = thin_svd(A)
    return parts.singular_values, parts.U[:, 1], parts.V[:, 1]


def listed_the_smaller_first(A: Array) -> Answer:
    """Ascending, as an eigensolver gives them."""
    parts = thin_svd(A)
    return parts.singular_values[::-1], parts.U[:, 1], parts.V[:, 1]


def took_the_lengths_of_the_columns(A: Array) -> Answer:
    """The square roots of the diagonal of AᵀA."""
    _, u, v = answer(A)
    return np.sort(np.linalg.norm(A, axis=0))[::-1], u, v


def mixed_two_pairs(A: Array) -> Answer:
    """u₁ with v₂."""
    parts = thin_svd(A)
    return parts.singular_values, parts.U[:, 0], parts.V[:, 1]


def by_the_other_product(A: Array) -> Answer:
    """Start from AAᵀ and compute v₁ = Aᵀu₁."""
    lam, U = np.linalg.eigh(A @ A.T)
    return np.sqrt(lam[::-1][:2]), -2 * U[:, -1], A.T @ U[:, -1]


singular_pair = Task(
    kind="hand",
    points=2,
    minutes=12,
    draw=draw,
    answer=answer,
    see="thm-svd-two-products",
    same=(exactly, up_to_direction, up_to_direction),
    parts=("the singular values", "u₁", "v₁"),
    misconceptions=(
        Misconception(
            gave_the_squares,
            hint="Both vectors are right. The two numbers are eigenvalues of a product; how much does A "
            "itself stretch?",
            see="eq-svd-thin-products",
            credit=0.5,
        ),
        Misconception(
            gave_the_second_pair,
            hint="The singular values are right. The pair you give is stretched less than another.",
            see="eq-svd-order",
            credit=0.5,
        ),
        Misconception(
            listed_the_smaller_first,
            hint="Consistent, but numbered from the wrong end: which of the two comes first by definition?",
            see="eq-svd-order",
            credit=0.5,
        ),
        Misconception(
            took_the_lengths_of_the_columns,
            hint="Both vectors are right. The lengths of the columns say how far the coordinate axes are "
            "stretched, but these are not the axes of the ellipse.",
            see="eq-svd-pairs",
        ),
        Misconception(
            mixed_two_pairs,
            hint="The numbers are right and both vectors are singular vectors, but not of the same pair: "
            "what does A make of your v?",
            see="eq-svd-pairs",
            credit=0.5,
        ),
    ),
    alternatives=(by_the_other_product,),
)
