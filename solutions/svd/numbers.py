"""Numbers for the tasks: matrices of known rank in several units, orthogonal ones that are short, honest gaps."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from dimred_ref._eigen import with_fixed_signs
from dimred_ref.svd import numerical_rank, thin_svd
from solutions.numbers import SMALLEST_RATIO, Array, orthonormal_columns

SMALLEST_SHARE = 0.05  # of the largest singular value: what is not zero should not look like it
ZERO = 1e-10  # of the largest singular value: what the tasks call zero
CLEAR = 2.0  # how many times above or below a tolerance a singular value must lie
# orthogonal up to their length: three columns of length 3, two of length 5, four of length 2
THIRDS = ((1, 2, 2), (2, 1, -2), (2, -2, 1))
FIFTHS = ((3, 4), (4, -3))
HALVES = ((1, 1, 1, 1), (1, 1, -1, -1), (1, -1, 1, -1), (1, -1, -1, 1))


def signed_columns(rng: np.random.Generator, columns: Sequence[Sequence[int]]) -> Array:
    """Draw a matrix with these columns in some order, rows shuffled, signs of rows and columns free."""
    Q = np.array(columns, dtype=float).T
    Q = Q[rng.permutation(len(Q))][:, rng.permutation(Q.shape[1])]
    signed: Array = (
        Q * rng.choice([-1.0, 1.0], size=len(Q))[:, None] * rng.choice([-1.0, 1.0], size=Q.shape[1])
    )
    return signed


def whole_matrix(rng: np.random.Generator, shape: tuple[int, int], rank: int) -> Array:
    """Draw whole numbers of exactly this rank, whose singular values keep a distance from each other."""
    while True:
        A = rng.integers(-3, 4, (shape[0], rank)) @ rng.integers(-3, 4, (rank, shape[1])).astype(float)
        if numerical_rank(A, rtol=ZERO) == rank and small_gap(A) is None:
            return A


def matrix_with(rng: np.random.Generator, shape: tuple[int, int], values: Sequence[float]) -> Array:
    """Draw a matrix with these singular values, between orthonormal columns that are short decimals."""
    U, V = (orthonormal_columns(rng, size, len(values)) for size in shape)
    return U * np.array(values) @ V.T


def nearly_dependent(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Draw a matrix with two ordinary singular values, one that is small but counts, and one that counts as zero."""
    first = rng.choice([8.0, 9.0, 10.0])
    # what counts as zero would not beside the second value, which is at most a quarter of the first
    return matrix_with(rng, shape, (first, 2.0, first * rng.choice([1e-8, 2e-8]), first * 4e-11))


def close_to(tolerance: float) -> Callable[..., str | None]:
    """Make a function that says whether a singular value of its first argument lies near this tolerance."""

    def edge(A: Array, *others: object) -> str | None:
        relative = thin_svd(A).singular_values / thin_svd(A).singular_values[0]
        near = (relative > tolerance / CLEAR) & (relative < CLEAR * tolerance)
        return "a singular value lies near the tolerance" if near.any() else None

    return edge


def small_gap(A: Array, *others: object) -> str | None:
    """Say which singular values are too close to each other, or to zero, or None."""
    sigma = thin_svd(A).singular_values[: numerical_rank(A, rtol=ZERO)]
    if not len(sigma) or sigma[-1] < SMALLEST_SHARE * sigma[0]:
        return "a singular value is nearly zero"
    for i, (larger, smaller) in enumerate(pairwise(sigma), start=1):
        if larger < SMALLEST_RATIO * smaller:
            return f"singular values {i} and {i + 1} are nearly equal"
    return None


def null_space_in_parts(A: Array, *others: object) -> str | None:
    """Say that a thin decomposition holds some null vectors and leaves some out: any of them, as it likes."""
    m, n = A.shape
    return (
        "a thin decomposition may hold any part of the null space"
        if numerical_rank(A, rtol=ZERO) < m < n
        else None
    )


def vanishing_values(A: Array, *others: object) -> str | None:
    """Say that uᵢ and vᵢ of vanishing σᵢ are any vectors of the null spaces, in no fixed pairs."""
    lower_rank = numerical_rank(A, rtol=ZERO) < min(A.shape)
    return "vectors of vanishing singular values are any null vectors" if lower_rank else None


def by_two_eigenproblems(A: Array, rtol: float = ZERO) -> tuple[Array, Array, Array]:
    """U, σ and V with signs chosen on each side without a look at the other: the classic trap."""
    rank = numerical_rank(A, rtol=rtol)
    parts = thin_svd(A)
    return (
        with_fixed_signs(parts.U[:, :rank]),
        parts.singular_values[:rank],
        with_fixed_signs(parts.V[:, :rank]),
    )


def has_clear_signs(A: Array) -> bool:
    """Has every singular vector one entry that is largest by far, so that fixing signs is no matter of chance?"""
    U, _, V = by_two_eigenproblems(A)
    for vectors in (U, V):
        top = np.sort(np.abs(vectors), axis=0)[-2:]
        if len(vectors) > 1 and np.any(top[1] - top[0] < 1e-3):
            return False
    return True


def trapping_matrix(rng: np.random.Generator, shape: tuple[int, int], rank: int) -> Array:
    """Draw a matrix on which signs chosen side by side do not fit together."""
    A = whole_matrix(rng, shape, rank)
    while not has_clear_signs(A):
        A = whole_matrix(rng, shape, rank)
    return trapped(A)


def trapped(A: Array, rtol: float = ZERO) -> Array:
    """Return A or −A: the one for which signs chosen side by side do not fit together."""
    U, sigma, V = by_two_eigenproblems(A, rtol)
    return -A if np.allclose(U * sigma @ V.T, A, rtol=0, atol=10 * rtol * sigma[0]) else A
