"""Kernel PCA, and the one view in which all spectral methods are the same: eigenvectors of a matrix."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg.blas import dsymv
from scipy.spatial.distance import cdist

from dimred_ref._arrays import (
    MEASURABLE,
    Array,
    as_count,
    as_new_samples,
    as_points,
    as_positive,
    as_real,
    as_square,
    require_size,
)
from dimred_ref._fast.lanczos import doubly_centred_product, largest_eigenpairs
from dimred_ref._result import Result
from dimred_ref.classical_mds import double_centred, lower_tiles, require_positive, squared_table
from dimred_ref.graph import knn_graph, require_connected, shortest_paths

SIZES = (1e-140, 1e140)  # of dot products of points whose own sizes are MEASURABLE
BLOCK = 128  # rows of a kernel matrix computed at once: they stay in the cache
PREIMAGE = 1e-9  # of the data: a step so small ends the search for a pre-image
ROUNDING = 1e-11  # of an exponent: where products of coordinates are less exact, distances are measured
NO_PRODUCTS = (
    "the points all coincide, or K holds no inner products (a table of distances is for classical_mds)"
)
TOO_FLAT = "the points all coincide, or gamma is so small that the kernel is 1 everywhere"


@dataclass(frozen=True, eq=False, repr=False)
class KernelPCA(Result):
    """Principal coordinates in the space of features that a kernel stands for."""

    embedding: Array  # (N, d), centred
    eigenvalues: Array  # (d,), descending, of the centred kernel matrix (N times the variances)
    kernel_means: Array  # (N,), the mean of each row of the kernel matrix
    X: Array | None = None  # (N, D), the training points of rbf_kernel_pca; None when only a kernel is known
    gamma: float | None = None

    def transform(self, new: ArrayLike) -> Array:
        """Place new points, or the rows of their kernel values with the N training points when only those are known.

        k̃(x) = k(x) − mean_j k(x, j) − means_i + mean        (eq-kernel-pca-new-centring)
        y_α(x) = λ_α⁻¹ Σᵢ y_iα k̃ᵢ(x)                         (eq-kernel-pca-new-point)

        The means are those of the training points: a mean over the new points would move with their company.
        """
        if self.X is None or self.gamma is None:
            rows = as_new_samples(new, "kernel", n_columns=len(self.embedding))
        else:
            points = as_new_samples(new, n_columns=self.X.shape[1], sizes=MEASURABLE)
            rows = rbf_into(np.empty((len(points), len(self.X))), points, self.X, self.gamma)
        centred = rows - rows.mean(axis=1, keepdims=True) - self.kernel_means + self.kernel_means.mean()
        return np.asarray(centred @ self.embedding / self.eigenvalues)

    def inverse_transform(self, Z: ArrayLike, *, max_iterations: int = 500) -> Array:
        """Return points whose features come near to those that have the coordinates Z: pre-images.

        Few points of feature space are features of a point. The nearest feature is sought from the nearest
        training point, by the fixed-point iteration that a vanishing gradient gives:

            P(z) = mean φ + Σ_α z_α v_α = Σᵢ cᵢ φ(xᵢ),   cᵢ = 1/N + Σ_α y_iα z_α / λ_α − (their mean)
            x ← Σᵢ cᵢ k(x, xᵢ) xᵢ / Σᵢ cᵢ k(x, xᵢ)

        It finds a local optimum; where the denominator would vanish, it stays where it is.
        """
        if self.X is None or self.gamma is None:
            raise ValueError(
                "pre-images need training points: fit by rbf_kernel_pca, got a fit of a kernel matrix"
            )
        Z = as_new_samples(Z, "Z", n_columns=self.embedding.shape[1])
        shares = Z @ (self.embedding / self.eigenvalues).T
        shares += 1 / len(self.X) - shares.mean(axis=1, keepdims=True)
        points = self.X[cdist(Z, self.embedding).argmin(axis=1)]
        for _ in range(as_count(max_iterations, "max_iterations", high=10**9)):
            weights = shares * rbf_into(np.empty(shares.shape), points, self.X, self.gamma)
            totals = weights.sum(axis=1, keepdims=True)
            moved = np.where(
                totals > PREIMAGE, weights @ self.X / np.where(totals > PREIMAGE, totals, 1.0), points
            )
            step, points = float(np.abs(moved - points).max()), moved
            if step <= PREIMAGE * float(np.abs(self.X).max()):
                break
        return np.asarray(points)


@dataclass(frozen=True)
class SpectralMethod:
    """One row of the unified table: which eigenvectors of which matrix, and how long."""

    matrix: str
    end: str  # of the spectrum: top or bottom
    drops_constant: bool  # is the constant vector an eigenvector at that end, to be left out?
    scaling: str  # of the unit eigenvectors v with eigenvalues λ


METHOD_TABLE = {
    "pca": SpectralMethod("X_c X_cᵀ (or X_cᵀ X_c, its dual)", "top", False, "√λ v"),
    "classical_mds": SpectralMethod("−½ J Δ⁽²⁾ J, Δ given", "top", False, "√λ v"),
    "isomap": SpectralMethod("−½ J Δ⁽²⁾ J, Δ graph geodesics", "top", False, "√λ v"),
    "kernel_pca": SpectralMethod("J K J, K given", "top", False, "√λ v"),
    "mvu": SpectralMethod("K of largest trace that keeps local distances", "top", False, "√λ v"),
    "lle": SpectralMethod("(I − W)ᵀ(I − W)", "bottom", True, "√N v, so that YᵀY = N I"),
    "laplacian_eigenmaps": SpectralMethod("D^−½ (D − W) D^−½", "bottom", True, "D^−½ v, so that YᵀDY = I"),
}


def kernel_pca(K: ArrayLike, n_components: int) -> KernelPCA:
    """Embed the points of a kernel matrix by PCA in the space of its features.

    K̃ = J K J,   J = I − 11ᵀ/N          (eq-kernel-pca-centring)
    K̃ v_α = λ_α v_α,   λ₁ ≥ λ₂ ≥ …      (eq-kernel-pca-eigenproblem)
    y_iα = √λ_α v_iα                    (eq-kernel-pca-embedding)

    The linear kernel gives PCA, −½ Δ⁽²⁾ classical scaling. An indefinite K is embedded by its positive
    part: more components than positive eigenvalues is a ValueError.

    Parameters
    ----------
    K : (N, N) symmetric kernel matrix, not centred
    n_components : number of coordinates, at most the number of positive eigenvalues

    Returns
    -------
    KernelPCA
        embedding (N, d), eigenvalues; transform from kernel values with the N points

    Cost
    ----
    At most O(N³) time, for the eigenvectors; O(N²) memory.

    Counterpart
    -----------
    sklearn.decomposition.KernelPCA with kernel="precomputed".

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [2, 2], [4, 4]]
    >>> dr.kernel_pca(dr.linear_kernel(X, X), 1).eigenvalues.round(3).tolist()
    [16.0]
    """
    return _kernel_pca_of_triangle(*_checked_kernel(K), n_components, cause=NO_PRODUCTS)


def rbf_kernel_pca(X: ArrayLike, n_components: int, *, gamma: float) -> KernelPCA:
    """Run kernel_pca with rbf_kernel(X, X), of which only the lower triangle is computed.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates
    gamma : 1 / (scale of distance)², positive

    Returns
    -------
    KernelPCA
        embedding (N, d), eigenvalues; transform, inverse_transform (pre-images)

    Cost
    ----
    O(N² D) time for the kernel, at most O(N³) for the eigenvectors; O(N²) memory.

    Counterpart
    -----------
    sklearn.decomposition.KernelPCA with kernel="rbf".

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.rbf_kernel_pca([[0.0], [1.0], [2.0]], 1, gamma=0.5).embedding.shape
    (3, 1)
    """
    X = as_points(X, "X", min_rows=2)
    gamma = as_positive(gamma, "gamma")
    lower = np.empty((len(X), len(X)))
    for start in range(0, len(X), BLOCK):
        end = min(start + BLOCK, len(X))
        rbf_into(lower[start:end, :end], X[start:end], X[:end], gamma)
    fit = _kernel_pca_of_triangle(lower, 1.0, n_components, cause=TOO_FLAT)
    return replace(fit, X=X.copy(), gamma=gamma)


def transform(model: KernelPCA, kernel: ArrayLike) -> Array:
    """Place new points (rows) from their kernel values with the N training points (columns), whatever the kernel.

    model.transform does the same from the points themselves where these are known.
    """
    return replace(model, X=None, gamma=None).transform(kernel)


def centred_kernel(K: ArrayLike) -> Array:
    """Return J K J, the dot products of the features after their mean is taken away."""
    K = as_square(K, "K")
    return np.asarray(K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean())


def linear_kernel(A: ArrayLike, B: ArrayLike) -> Array:
    """Return a · b for all rows: the features are the coordinates.

    Parameters
    ----------
    A, B : (n, D) and (m, D) arrays of points, a row each

    Returns
    -------
    (n, m) array

    Cost
    ----
    O(n m D) time, O(n m) memory.

    Counterpart
    -----------
    sklearn.metrics.pairwise.linear_kernel.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.linear_kernel([[1, 2]], [[3, 4]]).tolist()
    [[11.0]]
    """
    A, B = _paired(A, B)
    return A @ B.T


def polynomial_kernel(A: ArrayLike, B: ArrayLike, *, degree: int, offset: float = 0.0) -> Array:
    """Return (a · b + offset)^degree: the features are monomials.

    Parameters
    ----------
    A, B : (n, D) and (m, D) arrays of points, a row each
    degree : of the monomials, a whole number
    offset : not negative; 0 keeps the monomials of the highest degree alone

    Returns
    -------
    (n, m) array

    Cost
    ----
    O(n m D) time, O(n m) memory.

    Counterpart
    -----------
    sklearn.metrics.pairwise.polynomial_kernel with gamma=1 and coef0=offset.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.polynomial_kernel([[1, 2]], [[3, 4]], degree=2, offset=1).tolist()
    [[144.0]]
    """
    A, B = _paired(A, B)
    degree = as_count(degree, "degree", high=100)
    with np.errstate(over="ignore"):  # said below, in words
        kernel: Array = (A @ B.T + as_positive(offset, "offset", zero_allowed=True)) ** degree
    if not np.isfinite(kernel).all():
        raise ValueError(f"degree must be smaller for data of this size, got {degree}: the kernel overflows")
    return kernel


def rbf_kernel(A: ArrayLike, B: ArrayLike, *, gamma: float) -> Array:
    """Return exp(−γ ‖a − b‖²); in feature space ‖φ(a) − φ(b)‖² = 2 − 2 exp(−γ r²) = 2γ r² + O(r⁴).

    Parameters
    ----------
    A, B : (n, D) and (m, D) arrays of points, a row each
    gamma : 1 / (scale of distance)², positive

    Returns
    -------
    (n, m) array
        entries in [0, 1]

    Cost
    ----
    O(n m D) time, O(n m) memory.

    Counterpart
    -----------
    sklearn.metrics.pairwise.rbf_kernel.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.rbf_kernel([[0, 0]], [[1, 1]], gamma=0.5).round(4).tolist()
    [[0.3679]]
    """
    A, B = _paired(A, B)
    kernel = np.empty((len(A), len(B)))
    return rbf_into(kernel, A, B, as_positive(gamma, "gamma"))


def distance_kernel(distances: ArrayLike) -> Array:
    """Return −½ J Δ⁽²⁾ J: the kernel with which kernel PCA is classical scaling."""
    return double_centred(squared_table(distances))


def isomap_kernel(X: ArrayLike, *, n_neighbors: int) -> Array:
    """Return −½ J Δ⁽²⁾ J of the graph geodesics: the kernel with which kernel PCA is Isomap.

    It depends on all the data, and it may be indefinite.
    """
    graph = knn_graph(X, n_neighbors)
    require_connected(graph)
    return distance_kernel(shortest_paths(graph))


def _kernel_pca_of_triangle(lower: Array, largest: float, n_components: int, *, cause: str) -> KernelPCA:
    size = len(lower)
    n_components = as_count(n_components, "n_components", high=size - 1)
    eigenvalues, vectors = largest_eigenpairs(doubly_centred_product(lower), size, n_components)
    require_positive(eigenvalues, size, largest, cause)
    means = dsymv(1 / size, lower.T, np.ones(size))
    return KernelPCA(vectors * np.sqrt(eigenvalues), eigenvalues, means)


@np.errstate(over="ignore")  # of an exponent: the kernel is 0 there
def rbf_into(kernel: Array, A: Array, B: Array, gamma: float) -> Array:
    """Write exp(2γ a·b − γ‖a‖² − γ‖b‖²) into the given matrix: one product gives the whole exponent."""
    centre = B.mean(axis=0)  # distances do not change, and rounding errors no longer grow with the mean
    A, B = A - centre, B - centre
    first, second = (gamma * np.einsum("ij,ij->i", points, points) for points in (A, B))
    if (first.max() + second.max()) * np.finfo(np.float64).eps > ROUNDING:
        np.multiply(cdist(A, B, "sqeuclidean"), -gamma, out=kernel)
    else:
        left = np.column_stack([2 * gamma * A, -first, -np.ones(len(A))])
        right = np.column_stack([B, np.ones(len(B)), second])
        np.matmul(left, right.T, out=kernel)
        np.minimum(kernel, 0.0, out=kernel)  # rounding must not make a squared distance negative
    return np.exp(kernel, out=kernel)


def _paired(A: ArrayLike, B: ArrayLike) -> tuple[Array, Array]:
    first, second = as_points(A, "A"), as_points(B, "B")
    if first.shape[1] != second.shape[1]:
        raise ValueError(f"B must have {first.shape[1]} columns like A, got {second.shape[1]}")
    return first, second


def _checked_kernel(K: ArrayLike) -> tuple[Array, float]:
    """Return K, uncopied if it is float64, and its largest modulus; only its lower triangle will be read."""
    kernel = np.ascontiguousarray(as_real(K, "K"), dtype=np.float64)
    if kernel.ndim != 2 or kernel.shape[0] != kernel.shape[1] or len(kernel) < 2:
        raise ValueError(f"K must be a square matrix of at least 2 points, got shape {np.shape(K)}")
    largest = max(float(kernel.max()), -float(kernel.min()))
    if not np.isfinite(largest):
        raise ValueError("K must be finite, got NaN or infinite entries")
    require_size(largest, "K", SIZES)
    for rows, columns in lower_tiles(len(kernel)):
        asymmetry = float(np.abs(kernel[rows, columns] - kernel[columns, rows].T).max())
        if asymmetry > 1e-10 * largest:
            raise ValueError(
                f"K must be symmetric, got entries that differ from their mirror by {asymmetry:.3g}"
            )
    return kernel, largest
