"""Covariance matrices: how a cloud of points spreads, as a matrix, an ellipsoid and a rank."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_count, as_matrix, as_samples, as_symmetric, require_squares
from dimred_ref._eigen import top_eigenpairs
from dimred_ref._result import Result


@dataclass(frozen=True, eq=False, repr=False)
class EllipsoidAxes(Result):
    """The ellipsoid xᵀC⁻¹x = 1, longest semi-axis first; directions are orthonormal columns."""

    semi_axes: Array  # (D,)
    directions: Array  # (D, D)


def column_means(X: Array) -> Array:
    """Return the mean sample, exact for constant columns and accurate far from the origin.

    μ = x₁ + Σᵢ (xᵢ − x₁) / N          (eq-covariance-mean)

    Sums of differences round relative to the spread of the data; plain sums round relative to
    their distance from the origin.
    """
    first = X[0].astype(np.float64)
    mean: Array = first + (X - first).mean(axis=0)
    return mean


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
    X_c = centred(X)
    S: Array = X_c.T @ X_c
    require_squares(X_c, float(np.trace(S)))
    return S


def covariance(X: ArrayLike, *, ddof: int = 0) -> Array:
    """Average the products of deviations, feature by feature.

        C = X_cᵀ X_c / (N − ddof)          (eq-covariance-definition)

    ddof=0 describes the sample; ddof=1 estimates the covariance of its source without bias.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    ddof : subtracted from N in the divisor

    Returns
    -------
    (D, D) array

    Cost
    ----
    O(N D²) time, O(D²) memory.

    Counterpart
    -----------
    sklearn.covariance.EmpiricalCovariance, with ddof=0.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.covariance([[0, 0], [2, 4]]).tolist()
    [[1.0, 2.0], [2.0, 4.0]]
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
