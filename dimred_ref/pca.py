"""Principal component analysis: the flat view of a cloud that keeps most of its variance.

The same answer is reached in six ways: through the covariance, the singular value
decomposition, the Gram matrix, deflation, a Krylov space, and `pca`, which takes the smaller of covariance and
Gram matrix and solves it densely or in a Krylov space. Then come the quantities of the two derivations:
captured variance with its linear program, and reconstruction error with its coefficients.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike

from dimred_ref._arrays import (
    Array,
    as_count,
    as_direction,
    as_matrix,
    as_new_samples,
    as_orthonormal,
    as_positive,
    as_samples,
    as_symmetric,
    as_table,
    as_vector,
    require_squares,
)
from dimred_ref._eigen import top_eigenpairs, with_fixed_signs
from dimred_ref._fast.lanczos import largest_eigenpairs
from dimred_ref._fast.square import SmallerSquare, orthonormal_images, scores
from dimred_ref._result import Result
from dimred_ref.covariance import centred, column_means, covariance


@dataclass(frozen=True, eq=False, repr=False)
class PCA(Result):
    """A fitted PCA. Axes are orthonormal columns, strongest first."""

    embedding: Array  # (N, d), the scores
    axes: Array  # (D, d)
    variances: Array  # (d,), descending
    mean: Array  # (D,)
    total_variance: float  # of all D features, kept or not

    @property
    def explained_variance_ratio(self) -> Array:
        """The share λⱼ / tr C of each axis; zeros when the data do not vary at all."""
        if self.total_variance == 0:
            return np.zeros_like(self.variances)
        return self.variances / self.total_variance

    def transform(self, new: ArrayLike) -> Array:
        """Return the scores of samples, new ones too, about the mean of the fit.

        Z = (X − 1μᵀ) V          (eq-pca-scores)
        """
        samples = as_new_samples(new, n_columns=len(self.mean))
        return scores(samples, self.mean, self.axes, origin=self.mean)

    def whiten(self, new: ArrayLike) -> Array:
        """Return the scores of samples divided by the standard deviations of the fit: variance 1 along every axis.

            W = (X − 1μᵀ) V diag(λ)^(−½)          (eq-pca-scores)

        Refused where a variance is 0 but for rounding: there it is 0/0.
        """
        floor = len(self.mean) * np.finfo(np.float64).eps * float(self.variances[0])
        if not self.variances[-1] > floor:
            raise ValueError(f"variances must be positive to be divided by, got {self.variances[-1]:.3g}")
        return self.transform(new) / np.sqrt(self.variances)

    def inverse_transform(self, Z: ArrayLike) -> Array:
        """Return the points of the fitted flat that have the scores Z.

        X̂ = 1μᵀ + Z Vᵀ          (eq-pca-reconstruction)
        """
        Z = as_new_samples(Z, "Z", n_columns=self.axes.shape[1])
        points: Array = self.mean + Z @ self.axes.T
        return points


def pca(X: ArrayLike, n_components: int, *, ddof: int = 0) -> PCA:
    """Project X onto the directions along which it varies most.

        C = X_cᵀ X_c / (N − ddof)            (eq-pca-covariance)
        C vⱼ = λⱼ vⱼ,   λ₁ ≥ λ₂ ≥ …          (eq-pca-eigenproblem)
        Z = X_c [v₁ … v_d]                   (eq-pca-scores)

    Works on the smaller of X_cᵀX_c and X_cX_cᵀ, without a centred copy: by a dense eigenproblem where it is
    small, by Lanczos' method elsewhere. An axis is defined up to its sign, axes of equal variance up to a
    rotation among them: compare by invariants. Up to min(N, D) axes may be asked for; those beyond the rank
    have variance 0 (to rounding) and are some orthonormal basis of directions in which nothing varies.
    Variances are right to about 1e-14 of the largest; where far smaller ones matter, use pca_by_svd.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of axes, at most min(N, D)
    ddof : subtracted from N in the divisor of the variances

    Returns
    -------
    PCA
        embedding (N, d), axes (D, d), variances, mean, total_variance; transform, inverse_transform, whiten

    Cost
    ----
    O(N D m) time with m = min(N, D), and at most O(m³) for the eigenvectors; O(m²) memory beside the data.

    Counterpart
    -----------
    sklearn.decomposition.PCA, which divides by N − 1 (here ddof=1) and may flip signs.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> fit = dr.pca([[0, 0], [2, 2], [4, 4]], 1)
    >>> fit.variances.round(3).tolist()
    [5.333]
    >>> fit.explained_variance_ratio.round(3).tolist()
    [1.0]
    """
    X, n_components, divisor = _checked(as_table(X), n_components, ddof)
    square = SmallerSquare(X, n_components)
    if square.is_small:
        squares, vectors = top_eigenpairs(square.matrix(), n_components, overwrite=True)
    else:
        squares, vectors = largest_eigenpairs(square, square.size, n_components)
    return _fit(square, squares, vectors, divisor)


def pca_by_covariance(X: ArrayLike, n_components: int, *, ddof: int = 0) -> PCA:
    """Diagonalise the D × D covariance: the definition, line by line.

    C = X_cᵀ X_c / (N − ddof)            (eq-pca-covariance)
    C vⱼ = λⱼ vⱼ,   λ₁ ≥ λ₂ ≥ …          (eq-pca-eigenproblem)
    Z = X_c [v₁ … v_d]                   (eq-pca-scores)
    """
    X, n_components, _ = _checked(as_samples(X), n_components, ddof)
    C = covariance(X, ddof=ddof)
    variances, axes = top_eigenpairs(C, n_components)
    return PCA(
        embedding=centred(X) @ axes,
        axes=axes,
        variances=np.maximum(variances, 0.0),
        mean=column_means(X),
        total_variance=float(np.trace(C)),
    )


def pca_by_svd(X: ArrayLike, n_components: int, *, ddof: int = 0) -> PCA:
    """Decompose the centred data themselves: the most accurate way, since nothing is squared.

    X_c = U diag(σ) Vᵀ                   (eq-svd-thin)
    λⱼ = σⱼ² / (N − ddof)                (eq-duality-variances)
    Z = U_d diag(σ₁, …, σ_d)             (eq-pca-scores)
    """
    X, n_components, divisor = _checked(as_samples(X), n_components, ddof)
    U, sigma, Vt = scipy.linalg.svd(centred(X), full_matrices=False, check_finite=False)
    axes = with_fixed_signs(Vt[:n_components].T)
    signs = np.sign(np.sum(axes * Vt[:n_components].T, axis=0))
    variances = sigma**2 / divisor
    require_squares(X, float(sigma @ sigma))
    return PCA(
        embedding=U[:, :n_components] * (signs * sigma[:n_components]),
        axes=axes,
        variances=variances[:n_components],
        mean=column_means(X),
        total_variance=float(variances.sum()),
    )


def pca_by_gram(X: ArrayLike, n_components: int, *, ddof: int = 0) -> PCA:
    """Diagonalise the N × N Gram matrix: the dual way, for few samples of many features.

        G = X_c X_cᵀ                         (eq-duality-gram)
        G uⱼ = σⱼ² uⱼ,   λⱼ = σⱼ² / (N − ddof)
        vⱼ = X_cᵀ uⱼ / σⱼ                    (eq-duality-lift)
        zⱼ = σⱼ uⱼ                           (eq-pca-scores)

    The D × D covariance is never formed.
    """
    X, n_components, divisor = _checked(as_samples(X), n_components, ddof)
    X_c = centred(X)
    squares, U = top_eigenpairs(X_c @ X_c.T, n_components)
    require_squares(X, float(squares.sum()))
    sigma = np.sqrt(np.maximum(squares, 0.0))
    directions = orthonormal_images(X_c.T @ U, sigma)
    axes = with_fixed_signs(directions)
    return PCA(
        embedding=U * (sigma * np.sign(np.sum(axes * directions, axis=0))),
        axes=axes,
        variances=sigma**2 / divisor,
        mean=column_means(X),
        total_variance=float(np.sum(X_c**2)) / divisor,
    )


def pca_by_deflation(X: ArrayLike, n_components: int, *, ddof: int = 0) -> PCA:
    """Find the strongest direction by power iteration, remove it from the covariance, repeat.

        C₁ = C,   vⱼ = arg max vᵀCⱼv over unit v
        Cⱼ₊₁ = (I − vⱼvⱼᵀ) Cⱼ (I − vⱼvⱼᵀ)    (eq-pca-deflation)

    As slow as power iteration is when two variances are close.
    """
    X, n_components, _ = _checked(as_samples(X), n_components, ddof)
    C = remaining = covariance(X, ddof=ddof)
    axes = np.zeros((len(C), 0))
    for start in np.random.default_rng(0).normal(size=(n_components, len(C))):
        if np.abs(remaining).max() <= len(C) * np.finfo(float).eps * np.abs(C).max():
            remaining = np.zeros_like(C)  # only rounding is left, and its directions mean nothing
        for _ in range(2):  # twice, because one subtraction of a nearly parallel vector leaves rounding
            start = start - axes @ (axes.T @ start)
        _, direction = power_iteration(remaining, start=start)
        axes = np.column_stack([axes, direction])
        remaining = deflated(remaining, direction)
    axes = with_fixed_signs(axes)
    return PCA(
        embedding=centred(X) @ axes,
        axes=axes,
        variances=np.maximum(np.sum(axes * (C @ axes), axis=0), 0.0),
        mean=column_means(X),
        total_variance=float(np.trace(C)),
    )


def pca_by_lanczos(X: ArrayLike, n_components: int, *, ddof: int = 0, tolerance: float = 1e-10) -> PCA:
    """Find the axes in the Krylov space of a random direction: neither C nor G is formed.

        Q = orthonormal basis of [q, Cq, C²q, …]
        QᵀCQ w = λ w,   v = Qw                         (eq-pca-eigenproblem)

    The space grows until ‖C v − λ v‖ ≤ tolerance · (gap beside λ) for every axis, which bounds its angle with the true
    one; without a gap, 1e-14 λ₁ is the bound. It holds one axis of each variance, so that copies are
    searched for in its complement, and the search ends with a proof that none is left (eq-lanczos-share). Quick
    where a few variances stand out, slow where none does.
    """
    X, n_components, divisor = _checked(as_table(X), n_components, ddof)
    square = SmallerSquare(X, n_components, never_formed=True)
    tolerance = as_positive(tolerance, "tolerance")
    pairs = largest_eigenpairs(square, square.size, n_components, angle=tolerance)
    return _fit(square, *pairs, divisor)


def power_iteration(
    C: ArrayLike, *, start: ArrayLike | None = None, tolerance: float = 1e-12, max_iterations: int = 100_000
) -> tuple[float, Array]:
    """Return the strongest eigenvalue of a positive semidefinite matrix and a unit eigenvector.

        v ← C v / ‖C v‖   until   ‖C v − λ v‖ ≤ tolerance · ‖C‖_F,   λ = vᵀ C v

    The error shrinks by λ₂/λ₁ at every step, so close eigenvalues take long: LinAlgError when
    max_iterations do not suffice. The test is on the residual, which no change of sign can fool.
    """
    C = as_symmetric(C, "C")
    if start is None:
        start = np.random.default_rng(0).normal(size=len(C))
    direction = as_direction(start, "start", length=len(C))
    allowed = as_positive(tolerance, "tolerance") * float(np.linalg.norm(C))
    for _ in range(as_count(max_iterations, "max_iterations", high=10**12)):
        direction = direction / np.linalg.norm(direction)
        image = C @ direction
        value = float(direction @ image)
        if np.linalg.norm(image - value * direction) <= allowed:
            return value, direction
        direction = image
    raise np.linalg.LinAlgError(f"power iteration did not reach {tolerance} in {max_iterations} steps")


def deflated(C: ArrayLike, direction: ArrayLike) -> Array:
    """Remove from C all variance along a direction: what is left lives in its complement.

    C′ = (I − vvᵀ) C (I − vvᵀ),   v = direction / ‖direction‖    (eq-pca-deflation)
    """
    C = as_symmetric(C, "C")
    v = as_direction(direction, "direction", length=len(C))
    complement = np.eye(len(C)) - np.outer(v, v)
    left: Array = complement @ C @ complement
    return (left + left.T) / 2


def captured_variance(C: ArrayLike, V: ArrayLike) -> float:
    """Return the variance that survives projection onto the orthonormal columns of V.

    tr(Vᵀ C V) = Σⱼ vⱼᵀ C vⱼ          (eq-pca-captured)
    """
    C = as_symmetric(C, "C")
    V = as_orthonormal(V, "V", length=len(C))
    return float(np.trace(V.T @ C @ V))


def reconstruct(X: ArrayLike, n_components: int) -> Array:
    """Replace every sample by the nearest point of the best d-dimensional flat.

    X̂ = 1μᵀ + X_c V_d V_dᵀ          (eq-pca-reconstruction)
    """
    fit = pca(X, n_components)
    return fit.inverse_transform(fit.embedding)


def reconstruction_error(X: ArrayLike, V: ArrayLike) -> float:
    """Return the mean squared distance of the samples to the flat through their mean along V.

        J = (1/N) Σᵢ ‖xᵢ − x̂ᵢ‖²,   X̂ = 1μᵀ + X_c V Vᵀ          (eq-pca-error)

    The average is over N: it is the sum of discarded variances when these use ddof=0.
    """
    X_c = centred(X)
    V = as_orthonormal(V, "V", length=X_c.shape[1])
    return float(np.sum((X_c - X_c @ V @ V.T) ** 2) / len(X_c))


def affine_fit_coefficients(X: ArrayLike, basis: ArrayLike, n_kept: int) -> tuple[Array, Array]:
    """Return the coefficients (a, b) with which n_kept basis vectors approximate the samples best.

        x̃ₙ = Σ_{d≤n_kept} a_nd u_d + Σ_{d>n_kept} b_d u_d
        a_nd = xₙᵀ u_d,   b_d = μᵀ u_d          (eq-pca-coefficients)

    a has a row per sample; b is shared by all samples. The basis is a full orthonormal one.
    """
    X = as_matrix(X)
    basis = as_orthonormal(basis, "basis", length=X.shape[1])
    if basis.shape[1] != X.shape[1]:
        raise ValueError(f"basis must have {X.shape[1]} columns, got {basis.shape[1]}")
    n_kept = as_count(n_kept, "n_kept", low=0, high=X.shape[1])
    return X @ basis[:, :n_kept], column_means(X) @ basis[:, n_kept:]


def allocation(V: ArrayLike, eigenvectors: ArrayLike) -> Array:
    """Return how much of each eigenvector the subspace of V holds.

    a_k = Σⱼ (vⱼᵀ e_k)²,   0 ≤ a_k ≤ 1,   Σ_k a_k = d,   tr(VᵀCV) = Σ_k λ_k a_k    (eq-pca-lp)
    """
    eigenvectors = as_matrix(eigenvectors, "eigenvectors")
    eigenvectors = as_orthonormal(eigenvectors, "eigenvectors", length=len(eigenvectors))
    V = as_orthonormal(V, "V", length=len(eigenvectors))
    shares: Array = np.sum((V.T @ eigenvectors) ** 2, axis=0)
    return shares


def lp_allocation(eigenvalues: ArrayLike, n_components: int) -> Array:
    """Solve the linear program behind PCA: spend d units on the largest eigenvalues.

        max Σ_k λ_k a_k   subject to   Σ_k a_k = d,   0 ≤ a_k ≤ 1          (eq-pca-lp)

    The optimal value λ₁ + … + λ_d is unique; the optimal a is, if and only if λ_d > λ_{d+1}.
    """
    eigenvalues = as_vector(eigenvalues, "eigenvalues")
    n_components = as_count(n_components, "n_components", low=0, high=len(eigenvalues))
    shares = np.zeros(len(eigenvalues))
    shares[np.argsort(-eigenvalues, kind="stable")[:n_components]] = 1.0
    return shares


def exchange_step(shares: ArrayLike, n_components: int) -> Array:
    """Move weight from one eigenvalue behind the first d to one among them; never lowers the value.

        a_k += ε,  a_k′ −= ε,   ε = min(1 − a_k, a_k′),   k ≤ d < k′          (eq-pca-exchange)

    Positions are those of eigenvalues in descending order, so the value gains ε(λ_k − λ_k′) ≥ 0.
    Each step fills or empties one position: at most D steps lead to the optimum, which stays put.
    """
    shares = as_vector(shares, "shares")
    n_components = as_count(n_components, "n_components", low=0, high=len(shares))
    if shares.min() < -1e-9 or shares.max() > 1 + 1e-9 or abs(shares.sum() - n_components) > 1e-9:
        raise ValueError(f"shares must lie in [0, 1] and sum to {n_components}, got {shares}")
    wanting = np.flatnonzero(shares[:n_components] < 1)
    spare = n_components + np.flatnonzero(shares[n_components:] > 0)
    if not len(wanting) or not len(spare):
        return shares
    receiver, giver = wanting[0], spare[-1]
    gap, weight = 1 - shares[receiver], shares[giver]
    # Set, not added: the position that ends full or empty must be so exactly.
    shares[receiver] = 1.0 if gap <= weight else shares[receiver] + weight
    shares[giver] = 0.0 if weight <= gap else weight - gap
    return shares


def _checked(X: Array, n_components: int, ddof: int) -> tuple[Array, int, int]:
    """Return the samples, the number of components and the divisor N − ddof."""
    n_components = as_count(n_components, "n_components", high=min(X.shape))
    return X, n_components, len(X) - as_count(ddof, "ddof", low=0, high=len(X) - 1)


def _fit(square: SmallerSquare, squares: Array, vectors: Array, divisor: int) -> PCA:
    squares = np.maximum(squares, 0.0)
    axes, scores = square.axes_and_scores(squares, vectors)
    return PCA(
        embedding=scores,
        axes=axes,
        variances=squares / divisor,
        mean=square.mean,
        total_variance=square.total / divisor,
    )
