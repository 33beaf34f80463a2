"""Tasks on singular values of small matrices, with a pencil."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_direction
from dimred_ref.svd import best_rank_k, thin_svd
from solutions.numbers import Array, one_of
from solutions.steps import Worked, eq, matrix, pair_of, row, steps, tex
from solutions.svd.numbers import FIFTHS, HALVES, THIRDS, signed_columns

Answer = tuple[Array, Array, Array]
SPECTRA = ((30, 10), (40, 20), (40, 10), (30, 20), (50, 20), (50, 30), (60, 20))


@task.hand(
    points=2,
    minutes=12,
    see="thm-svd-two-products",
    same=(exactly, up_to_direction, up_to_direction),
    parts=("the singular values", "u₁", "v₁"),
)
def singular_pair(A: Array) -> Answer:
    """σ, u₁, v₁ (eq-svd-pairs)."""
    parts = thin_svd(A)
    return parts.singular_values, parts.U[:, 0], parts.V[:, 0]


@singular_pair.draw
def draw_singular_pair(rng: np.random.Generator) -> task.Cases:
    """σ₁u₁v₁ᵀ + σ₂u₂v₂ᵀ with u from ±1 over 2 and v from 3, 4 over 5: a 4 × 2 matrix of whole numbers."""
    U, V = signed_columns(rng, HALVES)[:, :2] / 2, signed_columns(rng, FIFTHS) / 5
    while np.abs(U[:, 0] @ U[::-1, 0]) == 1:  # reads the same from both ends, but for its sign
        U = signed_columns(rng, HALVES)[:, :2] / 2
    return {"the numbers of the text": {"A": np.round(U * one_of(rng, SPECTRA) @ V.T)}}


@singular_pair.wrong(
    "Both vectors are right. The two numbers are eigenvalues of a product; how much does A itself stretch?",
    see="eq-svd-thin-products",
    credit=0.5,
)
def gave_the_squares(A: Array) -> Answer:
    """The eigenvalues of AᵀA."""
    sigma, u, v = singular_pair(A)
    return sigma**2, u, v


@singular_pair.wrong(
    "The singular values are right. The pair you give is stretched less than another.",
    see="eq-svd-order",
    credit=0.5,
)
def gave_the_second_pair(A: Array) -> Answer:
    """u₂ and v₂."""
    parts = thin_svd(A)
    return parts.singular_values, parts.U[:, 1], parts.V[:, 1]


@singular_pair.wrong(
    "Consistent, but numbered from the wrong end: which of the two comes first by definition?",
    see="eq-svd-order",
    credit=0.5,
)
def listed_the_smaller_first(A: Array) -> Answer:
    """Ascending, as an eigensolver gives them."""
    parts = thin_svd(A)
    return parts.singular_values[::-1], parts.U[:, 1], parts.V[:, 1]


@singular_pair.wrong(
    "Both vectors are right. The lengths of the columns say how far the coordinate axes are stretched, but these are "
    "not the axes of the ellipse.",
    see="eq-svd-pairs",
)
def took_the_lengths_of_the_columns(A: Array) -> Answer:
    """The square roots of the diagonal of AᵀA."""
    _, u, v = singular_pair(A)
    return np.sort(np.linalg.norm(A, axis=0))[::-1], u, v


@singular_pair.wrong(
    "The numbers are right and both vectors are singular vectors, but not of the same pair: what does A make of your "
    "v?",
    see="eq-svd-pairs",
    credit=0.5,
)
def mixed_two_pairs(A: Array) -> Answer:
    """u₁ with v₂."""
    parts = thin_svd(A)
    return parts.singular_values, parts.U[:, 0], parts.V[:, 1]


@singular_pair.also
def by_the_other_product(A: Array) -> Answer:
    """Start from AAᵀ and compute v₁ = Aᵀu₁."""
    lam, U = np.linalg.eigh(A @ A.T)
    return np.sqrt(lam[::-1][:2]), -2 * U[:, -1], A.T @ U[:, -1]


@singular_pair.worked
def worked_singular_pair(A: Array) -> Worked:
    """The smaller product, its eigenpair, and A times the vector."""
    G = A.T @ A
    text, large, small, v = pair_of(G)
    values = [float(np.sqrt(large)), float(np.sqrt(small))]
    return steps(
        rf"The smaller product is $A^\top A={matrix(G)}$.",
        rf"{text}.",
        rf"The singular values are the roots: $\sigma_1{eq(values[0])}$ and $\sigma_2{eq(values[1])}$.",
        rf"The first row of $(A^\top A-\lambda_1I)v=0$ is solved by $v_1={row(v)}$, up to its length.",
        rf"$u_1$ points along $Av_1={row(A @ v)}$.",
    ), (values, A @ v, v)


Approximation = tuple[Array, float]
RANK_ONE_SPECTRA = ((30, 15), (45, 15), (45, 30), (60, 15), (60, 30), (60, 45))


@task.hand(points=2, minutes=12, see="thm-svd-eckart-young", parts=("the matrix", "the distance"))
def rank_one_by_hand(A: Array) -> Approximation:
    """A₁ = σ₁u₁v₁ᵀ and σ₂ (eq-svd-truncation, eq-svd-truncation-error)."""
    best = best_rank_k(A, 1)
    return best.matrix, best.frobenius_error


@rank_one_by_hand.draw
def draw_rank_one_by_hand(rng: np.random.Generator) -> task.Cases:
    """σ₁u₁v₁ᵀ + σ₂u₂v₂ᵀ with u in thirds and v in fifths: a 3 × 2 matrix of whole numbers."""
    U, V = signed_columns(rng, THIRDS)[:, :2] / 3, signed_columns(rng, FIFTHS) / 5
    return {"the numbers of the text": {"A": np.round(U * one_of(rng, RANK_ONE_SPECTRA) @ V.T)}}


@rank_one_by_hand.wrong(
    "This is one of the two terms of the sum, but keeping the other one loses less.", see="eq-svd-truncation"
)
def kept_the_smaller_term(A: Array) -> Approximation:
    """σ₂u₂v₂ᵀ, with the error that it makes."""
    best = best_rank_k(A, 1)
    return A - best.matrix, float(np.linalg.norm(best.matrix))


@rank_one_by_hand.wrong(
    "The matrix is right. The error is made by what is cut off, not by what is kept.",
    see="eq-svd-truncation-error",
    credit=0.5,
)
def gave_the_kept_value_as_error(A: Array) -> Approximation:
    """σ_k instead of σ_{k+1}."""
    matrix = best_rank_k(A, 1).matrix
    return matrix, float(np.linalg.norm(matrix))


@rank_one_by_hand.wrong(
    "The matrix is right. Your error is a sum of squares; a norm is a length.", see="eq-svd-norms", credit=0.5
)
def left_the_error_squared(A: Array) -> Approximation:
    """The sum of squares without its root."""
    matrix, error = rank_one_by_hand(A)
    return matrix, error**2


@rank_one_by_hand.wrong(
    "Your matrix points the right way but has Frobenius norm one, while A is much larger.",
    see="eq-svd-truncation",
)
def forgot_the_singular_value(A: Array) -> Approximation:
    """u₁v₁ᵀ, with the distance of that matrix."""
    matrix, _ = rank_one_by_hand(A)
    bare = matrix / np.linalg.norm(matrix)
    return bare, float(np.linalg.norm(A - bare))


@rank_one_by_hand.wrong(
    "Your matrix has rank one, but a coordinate axis need not be the best direction: use the right singular vector."
)
def kept_the_longer_column(A: Array) -> Approximation:
    """Set the shorter column to zero: rank one, but not the best."""
    lengths = np.linalg.norm(A, axis=0)
    return A * (lengths == lengths.max()), float(lengths.min())


@rank_one_by_hand.wrong(
    "The distance is right. In the projection the vector v was not divided by its length, so the matrix is too large."
)
def left_the_vector_long(A: Array) -> Approximation:
    """A v vᵀ with v five units long."""
    matrix, error = rank_one_by_hand(A)
    return 25 * matrix, error


@rank_one_by_hand.also
def by_projection(A: Array) -> Approximation:
    """Project the rows on v₁, and measure what is left."""
    v = np.linalg.eigh(A.T @ A)[1][:, -1]
    matrix = np.outer(A @ v, v)
    return matrix, float(np.sqrt(np.sum((A - matrix) ** 2)))


@rank_one_by_hand.worked
def worked_rank_one_by_hand(A: Array) -> Worked:
    """Project the rows on the first right singular vector."""
    G = A.T @ A
    text, _, small, v = pair_of(G)
    closest = np.outer(A @ v, v) / (v @ v)
    return steps(
        rf"$A^\top A={matrix(G)}$: {text}.",
        rf"For $\lambda_1$: $v={row(v)}$, with $v^\top v={tex(v @ v)}$, and $Av={row(A @ v)}$.",
        rf"The closest matrix of rank one is $\sigma_1u_1v_1^\top=\dfrac{{(Av)v^\top}}{{v^\top v}}={matrix(closest)}$.",
        rf"Its distance is the next singular value, $\sigma_2=\sqrt{{{tex(small)}}}{eq(np.sqrt(small))}$.",
    ), (closest, float(np.sqrt(small)))
