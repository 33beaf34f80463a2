"""Covariance matrices: how a cloud of points spreads, as a matrix, an ellipsoid and a rank."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg.blas import dsyrk

from dimred_ref._arrays import Array, as_count, as_matrix, as_samples, as_symmetric, require_squares
from dimred_ref._eigen import top_eigenpairs

# A block of half a megabyte stays in the cache between its uses; products of fewer lines are slow.
ENTRIES_PER_BLOCK = 1 << 16
LEAST_LINES_PER_BLOCK = 512
LEAST_LINES_PER_COPY = 256
SMALL = 128  # squares up to this size are summed faster with a temporary matrix
# Where ‖μ‖² is at most this many times the mean squared deviation, sums about 0 lose a digit at most.
NEAR = 10.0


@dataclass(frozen=True)
class EllipsoidAxes:
    """The ellipsoid xᵀC⁻¹x = 1, longest semi-axis first; directions are orthonormal columns."""

    semi_axes: Array  # (D,)
    directions: Array  # (D, D)


def slices(length: int, width: int, least: int | None = None) -> Iterator[slice]:
    """Cut `length` lines of `width` numbers into blocks that fit the cache, if they may have so few lines."""
    step = max(LEAST_LINES_PER_BLOCK if least is None else least, ENTRIES_PER_BLOCK // width)
    return (slice(start, min(start + step, length)) for start in range(0, length, step))


def moved_blocks(X: Array, origin: Array | None, least: int | None = None) -> Iterator[tuple[slice, Array]]:
    """Yield X − 1oᵀ in float64 a few rows at a time, each block in the memory of the one before.

    Without an origin nothing moves, and rows that are float64 already are not even copied. Sums, unlike
    products, are as fast with a row at a time, and need not ask for more.
    """
    if origin is None and X.dtype == np.float64:
        yield from ((rows, X[rows]) for rows in slices(*X.shape))
        return
    origin = np.zeros(X.shape[1]) if origin is None else origin
    least = LEAST_LINES_PER_COPY if least is None else least
    memory = np.empty((next(slices(len(X), X.shape[1], least)).stop, X.shape[1]))
    for rows in slices(len(X), X.shape[1], least):
        yield rows, np.subtract(X[rows], origin, out=memory[: rows.stop - rows.start])


def is_near_origin(mean: Array, mean_squared_deviation: float) -> bool:
    """Tell whether sums about 0 serve as well as sums about the mean, so that no sample need be moved.

    Squares about 0 exceed squares about the mean by ‖μ‖² on average, and their rounding errors likewise.
    """
    with np.errstate(over="ignore"):
        return bool(mean @ mean <= NEAR * mean_squared_deviation)


def column_means(X: Array) -> Array:
    """Return the mean sample, exact for constant columns and accurate far from the origin.

    μ = x₁ + Σᵢ (xᵢ − x₁) / N          (eq-covariance-mean)

    Sums of differences round relative to the spread of the data; plain sums round relative to
    their distance from the origin.
    """
    first, drift = X[0].astype(np.float64), np.zeros(X.shape[1])
    for _, block in moved_blocks(X, first, least=1):
        drift += block.sum(axis=0)
    mean: Array = first + drift / len(X)
    return mean


@np.errstate(over="ignore", invalid="ignore")  # refused in words below
def mean_and_scatter(X: Array) -> tuple[Array, Array]:
    """Return μ and S in one pass, a block of rows at a time: no centred copy of X is ever made.

        s = Σᵢ (xᵢ − c),   μ = c + s / N
        S = Σᵢ (xᵢ − c)(xᵢ − c)ᵀ − s sᵀ / N          (eq-covariance-parallel-axes)

    c is the mean of the first N/m rows, or 0 where that is near. In every direction N(μ − c)² is at
    most about m times the scatter, so the subtraction magnifies rounding no more than that.
    """
    origin = _origin(X)
    drift, total = np.zeros(X.shape[1]), np.zeros((X.shape[1], X.shape[1]), order="F")
    for _, block in moved_blocks(X, origin):
        drift += np.ones(len(block)) @ block
        _add_square(total, block)
    require_squares(X, float(np.trace(total)))
    mean = drift / len(X)
    for j in range(len(total)):  # a column at a time, where an outer product would be as large as S
        total[:, j] -= drift[j] * mean
    return mean if origin is None else origin + mean, _mirrored(total)


@np.errstate(over="ignore", invalid="ignore")  # refused in words below
def mean_and_gram(X: Array) -> tuple[Array, Array]:
    """Return μ and the N × N matrix G = X_c X_cᵀ, without a centred copy of X.

    G = J G₀ J with J = I − 11ᵀ/N, and G₀ the inner products of the samples; far from the origin those of
    differences from x₁, which are small wherever the origin is.
    """
    about_zero = _products_about_zero(X)
    mean, products = _products_about_first(X) if about_zero is None else about_zero
    require_squares(X, float(np.trace(products)))
    means = products.mean(axis=0)
    products -= means
    products -= means[:, None] - means.mean()
    return mean, products.T  # by columns, as eigensolvers want it


def _products_about_zero(X: Array) -> tuple[Array, Array] | None:
    """Return μ and the inner products of the samples; None where these are far away, or need conversion."""
    some_columns = X[:, next(slices(X.shape[1], len(X)))]  # tell at little cost what is likely
    if X.dtype != np.float64 or _origin(some_columns) is not None:
        return None
    mean, products = np.full(len(X), 1 / len(X)) @ X, X @ X.T
    squared_deviation = float(np.trace(products)) / len(X) - float(mean @ mean)
    return (mean, products) if is_near_origin(mean, squared_deviation) else None


def _products_about_first(X: Array) -> tuple[Array, Array]:
    """Return μ and the inner products of the samples as seen from the first, a few columns at a time."""
    N, D = X.shape
    mean, total, share = X[0].astype(np.float64), np.zeros((N, N), order="F"), np.full(N, 1 / N)
    memory = np.empty((N, next(slices(D, N, LEAST_LINES_PER_COPY)).stop))
    for columns in slices(D, N, LEAST_LINES_PER_COPY):
        block = np.subtract(X[:, columns], mean[columns], out=memory[:, : columns.stop - columns.start])
        mean[columns] += share @ block
        _add_square(total, block.T)
    return mean, _mirrored(total).T


@np.errstate(over="ignore", invalid="ignore")  # refused in words below
def mean_and_total(X: Array) -> tuple[Array, float]:
    """Return μ and Σᵢ ‖xᵢ − μ‖², the trace of the scatter, in one pass as mean_and_scatter does."""
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


def _add_square(total: Array, block: Array) -> None:
    """Add blockᵀ block to (at least the lower triangle of) a matrix stored by columns."""
    if len(total) <= SMALL:
        total += block.T @ block
        return
    by_columns = block.strides[0] < block.strides[1]  # as BLAS wants it; the transpose of other blocks is
    dsyrk(1.0, block if by_columns else block.T, 1.0, total, trans=by_columns, lower=1, overwrite_c=1)


def _mirrored(lower: Array) -> Array:
    """Copy the lower triangle onto the upper one, in place."""
    for j in range(len(lower) - 1):
        lower[j, j + 1 :] = lower[j + 1 :, j]
    return lower


def centred(X: ArrayLike) -> Array:
    """Move the origin to the mean.

    X_c = X − 1μᵀ          (eq-covariance-centred)
    """
    X = as_samples(X, min_rows=1)
    moved: Array = X - column_means(X)
    return moved


def scatter(X: ArrayLike) -> Array:
    """Sum the outer products of the centred samples.

    S = X_cᵀ X_c = Σᵢ (xᵢ − μ)(xᵢ − μ)ᵀ          (eq-covariance-scatter)
    """
    X = as_samples(X, min_rows=1, check_finite=False)
    return mean_and_scatter(X)[1]


def covariance(X: ArrayLike, *, ddof: int = 0) -> Array:
    """Average the products of deviations, feature by feature.

        C = X_cᵀ X_c / (N − ddof)          (eq-covariance-definition)

    ddof=0 describes the sample; ddof=1 estimates the covariance of its source without bias.
    """
    X = as_samples(X, min_rows=1)
    divisor = len(X) - as_count(ddof, "ddof", low=0, high=len(X) - 1)
    average: Array = scatter(X) / divisor
    return average


def ellipsoid_axes(C: ArrayLike) -> EllipsoidAxes:
    """Return the axes of the ellipsoid that a covariance matrix draws.

        C eⱼ = λⱼ eⱼ          (eq-covariance-eigenpairs)
        rⱼ = √λⱼ              (eq-covariance-semi-axes)

    An eigenvalue 0 gives a flat ellipsoid: the image of the unit ball under C^½ lies in a subspace.
    """
    C = as_symmetric(C, "C")
    eigenvalues, directions = top_eigenpairs(C, len(C))
    rounding = len(C) * np.finfo(float).eps * np.abs(eigenvalues).max()
    if eigenvalues[-1] < -rounding:
        raise ValueError(f"C must have no negative eigenvalue, got {eigenvalues[-1]:.3g}")
    return EllipsoidAxes(semi_axes=np.sqrt(np.maximum(eigenvalues, 0.0)), directions=directions)


def _rank_of_differences(differences: Array, largest_entry: float) -> int:
    """Count singular values above the rounding of subtracting entries of the given size."""
    sigma = np.linalg.svd(differences, compute_uv=False)
    lines = np.array(differences.shape)
    rounding = np.finfo(float).eps * max(lines.max() * sigma[0], np.sqrt(lines.prod()) * largest_entry)
    return int(np.count_nonzero(sigma > rounding))


def covariance_rank(X: ArrayLike) -> int:
    """Count the dimensions in which the samples really vary.

    rank C = rank X_c ≤ min(N − 1, D)          (eq-covariance-rank)
    """
    X = as_samples(X, min_rows=1)
    return _rank_of_differences(centred(X), float(np.abs(X).max()))


def is_affinely_independent(X: ArrayLike) -> bool:
    """Tell whether no point lies in the flat through the others.

        rank [x₂ − x₁, …, x_N − x₁] = N − 1          (eq-covariance-affine-independence)

    For N = D + 1 points this is exactly when their covariance is invertible.
    """
    X = as_matrix(X)
    if len(X) == 1:
        return True
    return _rank_of_differences(X[1:] - X[0], float(np.abs(X).max())) == len(X) - 1
