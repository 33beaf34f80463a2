"""Duality: few samples of many features are analysed through their inner products alone."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from dimred_ref._arrays import (
    Array,
    as_count,
    as_new_samples,
    as_samples,
    as_symmetric,
    as_vector,
    require_squares,
)
from dimred_ref._eigen import top_eigenpairs
from dimred_ref._fast import blocks
from dimred_ref._result import Result
from dimred_ref.covariance import centred


@dataclass(frozen=True, eq=False, repr=False)
class DualPCA(Result):
    """PCA in the space of samples: every axis is a combination of the centred samples."""

    embedding: Array  # (N, d), the scores
    coefficients: Array  # (N, d): axes = X_cᵀ coefficients
    variances: Array  # (d,), descending
    total_variance: float
    axes: Array | None = None  # (D, d), lifted; None when only inner products are known
    mean: Array | None = None  # (D,)

    def transform(self, new: ArrayLike) -> Array:
        """Return the scores of new samples, or of their inner products when only those are known.

            z = (x − μ)ᵀ X_cᵀ α          (eq-duality-coefficients)

        After dual_pca_from_gram, new holds a row per new sample: its inner products, about the mean of the
        fit, with the N centred samples.
        """
        if self.axes is None or self.mean is None:
            return as_new_samples(new, n_columns=len(self.coefficients)) @ self.coefficients
        return (as_new_samples(new, n_columns=len(self.mean)) - self.mean) @ self.axes


def gram(X: ArrayLike) -> Array:
    """Return the inner products of the centred samples.

    G = X_c X_cᵀ,   G_ij = (xᵢ − μ)ᵀ(xⱼ − μ)          (eq-duality-gram)
    """
    X_c = centred(X)
    G: Array = X_c @ X_c.T
    require_squares(X_c, float(np.trace(G)))
    return G


def dual_pca(X: ArrayLike, n_components: int, *, ddof: int = 0) -> DualPCA:
    """Find scores and variances from the N × N Gram matrix; no D × D matrix is ever formed.

        G uⱼ = σⱼ² uⱼ                        (eq-duality-eigenproblem)
        λⱼ = σⱼ² / (N − ddof)                (eq-duality-variances)
        zⱼ = σⱼ uⱼ                           (eq-duality-scores)
        vⱼ = X_cᵀ αⱼ,   αⱼ = uⱼ / σⱼ         (eq-duality-coefficients)

    There are as many such components as G has positive eigenvalues, at most N − 1: an
    eigenvalue 0 gives no axis, so more are refused.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of axes, at most the rank of the centred samples
    ddof : subtracted from N in the divisor of the variances

    Returns
    -------
    DualPCA
        embedding (N, d), coefficients (N, d), variances, axes (D, d); transform

    Cost
    ----
    O(N² D) time, and at most O(N³) for the eigenvectors; O(N²) memory beside the data.

    Counterpart
    -----------
    sklearn.decomposition.KernelPCA with the linear kernel.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.dual_pca([[0, 0, 0], [2, 2, 2]], 1).variances.round(3).tolist()
    [3.0]
    """
    X = as_samples(X)
    as_count(n_components, "n_components", high=min(len(X) - 1, X.shape[1]))
    mean, G = blocks.mean_and_gram(X)  # gram(X), without a centred copy
    fit = _of_gram(G, n_components, ddof)
    axes = np.empty((X.shape[1], n_components))
    for columns in blocks.slices(X.shape[1], len(X)):  # eq-duality-coefficients, likewise
        axes[columns] = (X[:, columns] - mean[columns]).T @ fit.coefficients
    return replace(fit, axes=axes, mean=mean)


def dual_pca_from_gram(G: ArrayLike, n_components: int, *, ddof: int = 0) -> DualPCA:
    """Do dual PCA when only the inner products of the centred samples are known.

    G uⱼ = σⱼ² uⱼ,   zⱼ = σⱼ uⱼ          (eq-duality-eigenproblem)
    """
    return _of_gram(as_symmetric(G, "G"), n_components, ddof)


def _of_gram(G: Array, n_components: int, ddof: int) -> DualPCA:
    squares, U = top_eigenpairs(G, len(G))
    largest = float(np.abs(squares).max())
    rounding = len(G) * np.finfo(float).eps * largest
    # samples far from the origin leave rounding errors of the size of their mean, so both bounds are wide
    if squares[-1] < -1e-8 * largest or float(np.abs(G.sum(axis=0)).max()) > 1e-8 * float(np.abs(G).max()):
        raise ValueError(
            "G must be the Gram matrix of centred samples: semidefinite, with rows that sum to 0"
        )
    n_positive = int(
        np.count_nonzero(squares[:-1] > rounding)
    )  # the last belongs to the vector of ones: it is 0
    if n_positive == 0:
        raise ValueError("some eigenvalue must be positive, got none: the samples are all equal")
    n_components = as_count(n_components, "n_components", high=n_positive)
    divisor = len(G) - as_count(ddof, "ddof", low=0, high=len(G) - 1)
    sigma, U = np.sqrt(squares[:n_components]), U[:, :n_components]
    return DualPCA(
        embedding=U * sigma,
        coefficients=U / sigma,
        variances=sigma**2 / divisor,
        total_variance=float(np.trace(G)) / divisor,
    )


def lift(u: ArrayLike, X: ArrayLike) -> Array:
    """Map an eigenvector of the Gram matrix to the unit eigenvector of the covariance.

        v = X_cᵀ u / ‖X_cᵀ u‖,   ‖X_cᵀ u‖ = σ for unit u          (eq-duality-lift)

    Refused where it is 0/0: for vectors that G sends to zero, such as the vector of ones.
    """
    X_c = centred(X)
    return _unit_image(X_c.T, as_vector(u, "u", length=len(X_c)), "u")


def lower(v: ArrayLike, X: ArrayLike) -> Array:
    """Map an eigenvector of the covariance to the unit eigenvector of the Gram matrix: its scores.

    u = X_c v / ‖X_c v‖          (eq-duality-lower)
    """
    X_c = centred(X)
    return _unit_image(X_c, as_vector(v, "v", length=X_c.shape[1]), "v")


def gram_from_scores(Z: ArrayLike) -> Array:
    """Return the Gram matrix that scores of all components stand for: G = Z Zᵀ.

    Z Zᵀ = X_c V Vᵀ X_cᵀ = G          (eq-duality-gram-of-scores)
    """
    Z = as_samples(Z, "Z", min_rows=1)
    products: Array = Z @ Z.T
    return products


def _unit_image(A: Array, vector: Array, name: str) -> Array:
    vector = vector / max(float(np.abs(vector).max()), np.finfo(float).tiny)  # squares might overflow
    image = A @ vector
    length = float(np.linalg.norm(image))
    if length <= max(A.shape) * np.finfo(float).eps * float(np.linalg.norm(A) * np.linalg.norm(vector)):
        raise ValueError(f"{name} must belong to a positive eigenvalue, got one that is mapped to zero")
    unit: Array = image / length
    return unit
