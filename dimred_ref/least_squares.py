"""Linear regression through the SVD: pseudo-inverse, minimum norm, the whole solution set, ridge.

Here the rows of X are samples, its columns features, and no intercept is added.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_matrix, as_points, as_positive, as_vector
from dimred_ref._result import Result
from dimred_ref.svd import SVD, four_subspaces, relative_tolerance, thin_svd


@dataclass(frozen=True, eq=False, repr=False)
class SolutionSet(Result):
    """All least-squares solutions: particular + null_basis @ t for every vector t."""

    particular: Array  # (D,), the one of smallest norm
    null_basis: Array  # (D, D − r), orthonormal columns

    def member(self, t: ArrayLike) -> Array:
        """Return one solution, given its coordinates in the null space."""
        t = as_vector(t, "t", length=self.null_basis.shape[1])
        solution: Array = self.particular + self.null_basis @ t
        return solution


def pinv(A: ArrayLike, *, rtol: float | None = None) -> Array:
    """Return the Moore–Penrose pseudo-inverse.

        A⁺ = V diag(σ⁺) Uᵀ,   σᵢ⁺ = 1/σᵢ if σᵢ > rtol · σ₁, else 0          (eq-least-squares-pinv)

    rtol is max(m, n) · 2⁻⁵² unless given: relative, so that units do not matter.
    """
    A = as_matrix(A, "A")
    parts = _without_zeros(A, rtol)
    inverse: Array = parts.V / parts.singular_values @ parts.U.T
    return inverse


def min_norm_solution(X: ArrayLike, y: ArrayLike, *, rtol: float | None = None) -> Array:
    """Return the shortest of all vectors that fit y best.

    XᵀX a = Xᵀy                                     (eq-least-squares-normal-equations)
    a⁺ = Σ_{σᵢ>0} (uᵢᵀy / σᵢ) vᵢ = X⁺ y             (eq-least-squares-minimum-norm)
    """
    X, y = _checked(X, y)
    parts = _without_zeros(X, rtol)
    solution: Array = parts.V @ (parts.U.T @ y / parts.singular_values)
    return solution


def solution_set(X: ArrayLike, y: ArrayLike, *, rtol: float | None = None) -> SolutionSet:
    """Return every least-squares solution.

    {a : XᵀXa = Xᵀy} = a⁺ + null X          (eq-least-squares-solution-set)
    """
    X, y = _checked(X, y)
    return SolutionSet(
        particular=min_norm_solution(X, y, rtol=rtol), null_basis=four_subspaces(X, rtol=rtol).null_space
    )


def filter_factors(singular_values: ArrayLike, penalty: float) -> Array:
    """Return what ridge regression puts in the place of 1/σᵢ.

    fᵢ(ε) = σᵢ / (σᵢ² + ε)                                (eq-least-squares-filter)
    fᵢ(0) = lim_{ε↓0} fᵢ(ε) = 1/σᵢ if σᵢ > 0, else 0      (eq-least-squares-limit)
    """
    sigma = as_vector(singular_values, "singular_values")
    penalty = as_positive(penalty, "penalty", zero_allowed=True)
    if sigma.min(initial=0.0) < 0:
        raise ValueError(f"singular_values must not be negative, got {sigma.min()}")
    if penalty > 0:
        with np.errstate(over="ignore"):  # σ is then too small beside ε to matter
            shares = np.divide(penalty, sigma, out=np.full_like(sigma, np.inf), where=sigma > 0)
        return 1 / (sigma + shares)  # σ² might overflow
    return np.divide(1.0, sigma, out=np.zeros_like(sigma), where=sigma > 0)


def shrinkage_factors(singular_values: ArrayLike, penalty: float) -> Array:
    """Return by how much ridge regression shortens the fit along each uᵢ.

    σᵢ fᵢ(ε) = σᵢ² / (σᵢ² + ε)          (eq-least-squares-shrinkage)
    """
    return as_vector(singular_values, "singular_values") * filter_factors(singular_values, penalty)


def ridge(X: ArrayLike, y: ArrayLike, penalty: float) -> Array:
    """Return the coefficients that balance fit and length.

        â_ε = arg min ‖y − Xa‖² + ε‖a‖² = (XᵀX + εI)⁻¹ Xᵀy          (eq-least-squares-ridge)
        â_ε = Σᵢ fᵢ(ε) (uᵢᵀy) vᵢ                                    (eq-least-squares-ridge-svd)

    Tends to min_norm_solution as the penalty falls to 0.
    """
    coefficients: Array = ridge_path(X, y, [as_positive(penalty, "penalty")])[0]
    return coefficients


def ridge_path(X: ArrayLike, y: ArrayLike, penalties: ArrayLike) -> Array:
    """Return ridge coefficients, a row per penalty, from one decomposition.

    Singular values that are zero but for rounding count as zero: divided by a tiny penalty, what
    rounding left of them would be large.
    """
    X, y = _checked(X, y)
    parts = _without_zeros(X, None)
    rows = [
        parts.V @ (filter_factors(parts.singular_values, as_positive(penalty, "penalties")) * (parts.U.T @ y))
        for penalty in as_vector(penalties, "penalties")
    ]
    return np.array(rows).reshape(-1, X.shape[1])


def leave_one_out_residuals(X: ArrayLike, y: ArrayLike, penalty: float) -> Array:
    """Return the error of each sample under the ridge fit to all others, from one decomposition.

        yᵢ − xᵢᵀâ₍₋ᵢ₎ = (yᵢ − xᵢᵀâ) / (1 − hᵢᵢ),   H = Σⱼ σⱼ²/(σⱼ² + ε) uⱼuⱼᵀ      (eq-least-squares-leave-one-out)

    There is no intercept: it would be fitted anew without each sample.
    """
    X, y = _checked(X, y)
    parts = _without_zeros(X, None)
    shares = shrinkage_factors(parts.singular_values, as_positive(penalty, "penalty"))
    residuals = y - parts.U @ (shares * (parts.U.T @ y))
    leverages = np.sum(shares * parts.U**2, axis=1)
    errors: Array = residuals / (1 - leverages)
    return errors


def _checked(X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    X = as_points(X)
    return X, as_vector(y, "y", length=len(X))


def _without_zeros(A: Array, rtol: float | None) -> SVD:
    """Return the thin decomposition without the triples whose singular value counts as zero."""
    parts = thin_svd(A)
    sigma = parts.singular_values
    kept = sigma > relative_tolerance(A, rtol) * sigma[0]
    return SVD(parts.U[:, kept], sigma[kept], parts.V[:, kept])
