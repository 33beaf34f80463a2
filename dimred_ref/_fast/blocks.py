"""Means and sums of squares of samples, a block of rows at a time: no centred copy is ever made.

The clear versions are covariance.centred, covariance.scatter and duality.gram.
"""

from collections.abc import Iterator

import numpy as np
from scipy.linalg.blas import dsyr, dsyrk

from dimred_ref._arrays import Array, require_squares

# A block of a megabyte stays in the cache between its uses; products of fewer lines are slow.
ENTRIES_PER_BLOCK = 1 << 17
LEAST_LINES_PER_BLOCK = 256
# Where ‖μ‖² is at most this many times the mean squared deviation, sums about 0 lose a digit at most.
NEAR = 10.0


def slices(length: int, width: int, *, least: int | None = None) -> Iterator[slice]:
    """Cut `length` lines of `width` numbers into blocks that fit the cache, if they may have so few lines."""
    step = max(LEAST_LINES_PER_BLOCK if least is None else least, ENTRIES_PER_BLOCK // width)
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


def is_at_hand(X: Array) -> bool:
    """Tell whether BLAS can take X as it is, without a copy."""
    return X.dtype == np.float64 and bool(X.flags.forc)


def moved_blocks(X: Array, origin: Array | None, least: int | None = None) -> Iterator[tuple[slice, Array]]:
    """Yield X − 1oᵀ in float64 a few rows at a time, each block in the memory of the one before.

    Without an origin nothing moves, and rows that are float64 already are not even copied.
    """
    if origin is None and X.dtype == np.float64:
        yield from ((rows, X[rows]) for rows in slices(len(X), X.shape[1], least=least))
        return
    origin = np.zeros(X.shape[1]) if origin is None else origin
    memory = np.empty((next(slices(len(X), X.shape[1], least=least)).stop, X.shape[1]))
    for rows in slices(len(X), X.shape[1], least=least):
        yield rows, np.subtract(X[rows], origin, out=memory[: rows.stop - rows.start])


def is_near_origin(mean: Array, mean_squared_deviation: float) -> bool:
    """Tell whether sums about 0 serve as well as sums about the mean, so that no sample need be moved.

    Squares about 0 exceed squares about the mean by ‖μ‖² on average, and their rounding errors likewise.
    """
    with np.errstate(over="ignore"):
        return bool(mean @ mean <= NEAR * mean_squared_deviation)


def column_means(X: Array) -> Array:
    """Return μ = x₁ + Σᵢ (xᵢ − x₁) / N, exact for constant columns and accurate far from the origin."""
    first, drift = X[0].astype(np.float64), np.zeros(X.shape[1])
    for _, block in moved_blocks(X, first, least=1):
        drift += block.sum(axis=0)
    mean: Array = first + drift / len(X)
    return mean


@np.errstate(over="ignore", invalid="ignore")  # refused in words below
def mean_and_scatter(X: Array, name: str = "X") -> tuple[Array, Array]:
    """Return μ and S = X_cᵀX_c in one pass.

        s = Σᵢ (xᵢ − c),   μ = c + s / N
        S = Σᵢ (xᵢ − c)(xᵢ − c)ᵀ − s sᵀ / N          (eq-covariance-parallel-axes)

    c is the mean of the first N/m rows, or 0 where that is near. In every direction N(μ − c)² is at
    most about m times the scatter, so the subtraction magnifies rounding no more than that.
    """
    origin = _origin(X)
    if origin is None and is_at_hand(X):  # nothing to move: numpy makes XᵀX in one symmetric product
        drift, total = np.ones(len(X)) @ X, (X.T @ X).T
    else:
        drift, total = np.zeros(X.shape[1]), np.zeros((X.shape[1], X.shape[1]), order="F")
        for _, block in moved_blocks(X, origin):
            drift += np.ones(len(block)) @ block
            add_square(total, block)
    require_squares(X, float(np.trace(total)), name)
    mean = drift / len(X)
    # an outer product would be as large as S
    total = dsyr(-1 / len(X), drift, a=total, lower=1, overwrite_a=1)
    return mean if origin is None else origin + mean, mirrored(total)


@np.errstate(over="ignore", invalid="ignore")  # refused in words below
def mean_and_gram(X: Array) -> tuple[Array, Array]:
    """Return μ and G = X_cX_cᵀ in one pass, centring a few columns at a time."""
    mean, total = X[0].astype(np.float64), np.zeros((len(X), len(X)), order="F")
    for columns in slices(X.shape[1], len(X)):
        block = X[:, columns] - mean[columns]  # differences first: they round relative to the spread
        drift = block.mean(axis=0)
        block -= drift
        mean[columns] += drift
        add_square(total, block.T)
    require_squares(X, float(np.trace(total)))
    return mean, mirrored(total)


@np.errstate(over="ignore", invalid="ignore")  # refused in words below
def mean_and_total(X: Array) -> tuple[Array, float]:
    """Return μ and Σᵢ ‖xᵢ − μ‖², the trace of the scatter, in the same way."""
    origin = _origin(X)
    drift, total = np.zeros(X.shape[1]), 0.0
    for _, block in moved_blocks(X, origin, least=1):
        drift += np.ones(len(block)) @ block
        total += float(np.vdot(block, block))
    require_squares(X, total)
    mean = drift / len(X)
    return mean if origin is None else origin + mean, max(total - float(drift @ drift) / len(X), 0.0)


def _origin(X: Array) -> Array | None:
    """Return the mean of the first rows, or None where 0 serves as well."""
    first = X[: min(max(64, len(X) // 32), next(slices(*X.shape)).stop)]
    mean = column_means(first)
    squares = sum(float(np.vdot(block, block)) for _, block in moved_blocks(first, mean, least=1))
    return None if is_near_origin(mean, squares / len(first)) else mean


def add_square(total: Array, block: Array) -> None:
    """Add blockᵀ block to (at least the lower triangle of) a matrix stored by columns."""
    by_columns = block.strides[0] < block.strides[1]  # as BLAS wants it; the transpose of other blocks is
    dsyrk(1.0, block if by_columns else block.T, 1.0, total, trans=by_columns, lower=1, overwrite_c=1)


def mirrored(lower: Array) -> Array:
    """Copy the lower triangle onto the upper one, in place."""
    for j in range(len(lower) - 1):
        lower[j, j + 1 :] = lower[j + 1 :, j]
    return lower
