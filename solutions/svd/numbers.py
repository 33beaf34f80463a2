"""Numbers for the tasks: whole matrices of known rank, orthogonal matrices that are short, honest gaps."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from dimred_ref._eigen import with_fixed_signs
from dimred_ref.svd import numerical_rank, thin_svd
from solutions.numbers import SMALLEST_RATIO, Array

SMALLEST_SHARE = 0.05  # of the largest singular value: what is not zero should not look like it
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
        if numerical_rank(A) == rank and small_gap(A) is None:
            return A


def small_gap(A: Array, *others: object) -> str | None:
    """Say which singular values are too close to each other, or to zero, or None."""
    sigma = thin_svd(A).singular_values[: numerical_rank(A)]
    if not len(sigma) or sigma[-1] < SMALLEST_SHARE * sigma[0]:
        return "a singular value is nearly zero"
    for i, (larger, smaller) in enumerate(pairwise(sigma), start=1):
        if larger < SMALLEST_RATIO * smaller:
            return f"singular values {i} and {i + 1} are nearly equal"
    return None


def null_space_in_parts(A: Array, *others: object) -> str | None:
    """Say that a thin decomposition holds some null vectors and leaves some out: any of them, as it likes."""
    m, n = A.shape
    return "a thin decomposition may hold any part of the null space" if numerical_rank(A) < m < n else None


def vanishing_values(A: Array, *others: object) -> str | None:
    """Say that uᵢ and vᵢ of vanishing σᵢ are any vectors of the null spaces, in no fixed pairs."""
    lower_rank = numerical_rank(A) < min(A.shape)
    return "vectors of vanishing singular values are any null vectors" if lower_rank else None


def by_two_eigenproblems(A: Array) -> tuple[Array, Array, Array]:
    """U, σ and V with signs chosen on each side without a look at the other: the classic trap."""
    rank = numerical_rank(A)
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
    U, sigma, V = by_two_eigenproblems(A)
    return -A if np.allclose(U * sigma @ V.T, A) else A
