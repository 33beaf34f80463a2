"""Relatives of locally linear embedding: modified LLE, Hessian LLE and local tangent space alignment.

Each adds up small matrices, one for each neighbourhood, and takes the bottom of the sum without the constant
vector. To add one, write the function that returns the small matrix of a neighbourhood.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import coo_array, csr_array

from dimred_ref._arrays import Array, as_count, as_points, as_positive
from dimred_ref._result import Result
from dimred_ref.graph import Indices, nearest_neighbors, require_apart, require_connected, symmetrised
from dimred_ref.laplacian_eigenmaps import bottom_beside

Local = Callable[[int, Indices], tuple[Indices, Array]]  # rows of the small matrix, and the matrix


@dataclass(frozen=True, eq=False, repr=False)
class LocalAlignment(Result):
    """Coordinates with mean 0 and covariance I that cost least on all neighbourhoods together."""

    embedding: Array  # (N, d), YᵀY = N I
    eigenvalues: Array  # (d,), ascending, without the 0 of the constant vector
    matrix: csr_array  # M, (N, N), positive semidefinite with M 1 = 0
    cost: float  # tr(Yᵀ M Y) = N Σ λ


def ltsa(X: ArrayLike, n_components: int, *, n_neighbors: int) -> LocalAlignment:
    """Embed X by local tangent space alignment.

    M = Σᵢ Sᵢ (I − Gᵢ Gᵢᵀ) Sᵢᵀ,   Gᵢ = [1/√k, local PCA coordinates of length 1]   (eq-lle-variants-ltsa)

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates, at most D, and less than n_neighbors
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected

    Returns
    -------
    LocalAlignment
        embedding (N, d), eigenvalues, matrix, cost

    Cost
    ----
    At most O(N² D) time for neighbours, O(N k² D) for tangents, and a sparse eigenproblem; O(N k²) memory.

    Counterpart
    -----------
    sklearn.manifold.LocallyLinearEmbedding, with method="ltsa".

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [1, 0.1], [2, 0], [3, 0.1], [4, 0], [5, 0.1]]
    >>> dr.ltsa(X, 1, n_neighbors=3).embedding.shape
    (6, 1)
    """
    X, n_components, neighbors = _checked(X, n_components, n_neighbors, least=n_components)

    def local(i: int, around: Indices) -> tuple[Indices, Array]:
        G = np.column_stack([np.full(len(around), len(around) ** -0.5), _tangent(X[around], n_components)])
        return around, np.eye(len(around)) - G @ G.T

    return _aligned(local, neighbors, n_components)


def hessian_lle(X: ArrayLike, n_components: int, *, n_neighbors: int) -> LocalAlignment:
    """Embed X by Hessian LLE: coordinates with the least curvature.

    M = Σᵢ Sᵢ Hᵢ Hᵢᵀ Sᵢᵀ        (eq-lle-variants-hessian)

    Hᵢ is an orthonormal basis of the products of two local PCA coordinates, made orthogonal to 1 and to them.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates, at most D
    n_neighbors : at least d + d (d + 1) / 2 + 1; the graph must be connected

    Returns
    -------
    LocalAlignment
        embedding (N, d), eigenvalues, matrix, cost

    Cost
    ----
    At most O(N² D) time for neighbours, O(N k (kD + d⁴)) for Hessians, and a sparse eigenproblem; O(N k²)
    memory.

    Counterpart
    -----------
    sklearn.manifold.LocallyLinearEmbedding, with method="hessian".

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [1, 0.1], [2, 0], [3, 0.1], [4, 0], [5, 0.1]]
    >>> dr.hessian_lle(X, 1, n_neighbors=3).embedding.shape
    (6, 1)
    """
    least = n_components * (n_components + 3) // 2 if isinstance(n_components, int) else n_components
    X, n_components, neighbors = _checked(X, n_components, n_neighbors, least=least)
    pairs = np.triu_indices(n_components)

    def local(i: int, around: Indices) -> tuple[Indices, Array]:
        T = _tangent(X[around], n_components)
        monomials = np.column_stack([np.ones(len(T)), T, T[:, pairs[0]] * T[:, pairs[1]]])
        H = np.linalg.qr(monomials)[0][:, n_components + 1 :]
        return around, H @ H.T

    return _aligned(local, neighbors, n_components)


def modified_lle(
    X: ArrayLike, n_components: int, *, n_neighbors: int, regularisation: float = 1e-3
) -> LocalAlignment:
    """Embed X with several weight vectors for each point instead of one.

        Wᵢ = Vᵢ Hᵢ + (1 − αᵢ) wᵢ 1ᵀ,   min Σᵢ ‖yᵢ 1ᵀ − Y_Nᵀ Wᵢ‖²        (eq-lle-variants-modified)

    Vᵢ spans the nearly perfect mixtures of the neighbours, Hᵢ is the reflection that makes its column sums
    equal to αᵢ, and wᵢ are the weights of LLE.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates, at most D, and less than n_neighbors
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected
    regularisation : added to the local Gram matrices for wᵢ, as a part of their trace

    Returns
    -------
    LocalAlignment
        embedding (N, d), eigenvalues, matrix, cost

    Cost
    ----
    At most O(N² D) time for neighbours, O(N k² (D + k)) for weights, and a sparse eigenproblem; O(N k²)
    memory.

    Counterpart
    -----------
    sklearn.manifold.LocallyLinearEmbedding, with method="modified".

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [1, 0.1], [2, 0], [3, 0.1], [4, 0], [5, 0.1]]
    >>> dr.modified_lle(X, 1, n_neighbors=3).embedding.shape
    (6, 1)
    """
    X, n_components, neighbors = _checked(X, n_components, n_neighbors, least=n_components)
    regularisation = as_positive(regularisation, "regularisation")
    spectra, bases = [], []
    for i, around in enumerate(neighbors):
        values, vectors = np.linalg.eigh((X[around] - X[i]) @ (X[around] - X[i]).T)
        spectra.append(np.maximum(values[::-1], 0.0))
        bases.append(vectors[:, ::-1])
    counts = almost_null_dimensions(np.array(spectra), n_components)

    def local(i: int, around: Indices) -> tuple[Indices, Array]:
        W = weight_vectors(spectra[i], bases[i], int(counts[i]), regularisation)
        lifted = np.vstack([np.ones(W.shape[1]), -W])  # Σ over columns of (yᵢ − wᵀ y_N)²
        return np.append(i, around), lifted @ lifted.T

    return _aligned(local, neighbors, n_components)


def almost_null_dimensions(spectra: Array, n_components: int) -> Indices:
    """Return for each point how many directions of its Gram matrix count as null: fewest with Σ small / Σ large < η.

    η is the median over the points of the sum of all but d eigenvalues, divided by that of the d largest.
    """
    rest = np.maximum(spectra[:, n_components:].sum(axis=1), 0.0)
    eta = np.median(rest / spectra[:, :n_components].sum(axis=1))
    kept = np.cumsum(spectra, axis=1)
    ratios = kept[:, -1:] / kept[:, :-1] - 1  # descending along each row
    return np.array([np.searchsorted(row[::-1], eta) for row in ratios], dtype=np.intp)


def weight_vectors(spectrum: Array, basis: Array, count: int, regularisation: float) -> Array:
    """Return the weight vectors of one point as columns; each has sum 1 (thm-lle-variants-modified)."""
    sums = basis.sum(axis=0)
    weights = basis @ (sums / (spectrum + regularisation * spectrum.sum()))
    weights /= weights.sum()
    if count == 0:
        return np.asarray(weights[:, None])
    V, v = basis[:, len(spectrum) - count :], sums[len(spectrum) - count :]
    alpha = np.linalg.norm(v) / np.sqrt(count)
    h = alpha - v
    length = np.linalg.norm(h)
    h = h / length if length > 1e-12 else np.zeros(count)
    return np.asarray(V - 2 * np.outer(V @ h, h) + (1 - alpha) * weights[:, None])


def _checked(X: ArrayLike, n_components: int, n_neighbors: int, *, least: int) -> tuple[Array, int, Indices]:
    X = as_points(X, "X", min_rows=4)
    n_components = as_count(n_components, "n_components", high=min(X.shape[1], len(X) - 2))
    n_neighbors = as_count(n_neighbors, "n_neighbors", low=least + 1, high=len(X) - 1)
    distances, neighbors = nearest_neighbors(X, n_neighbors)
    require_apart(distances)
    require_connected(symmetrised(distances, neighbors))
    return X, n_components, neighbors


def _tangent(points: Array, n_components: int) -> Array:
    """Return the local PCA coordinates of a neighbourhood, as orthonormal columns."""
    U = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)[0]
    return np.asarray(U[:, :n_components])


def _aligned(local: Local, neighbors: Indices, n_components: int) -> LocalAlignment:
    """Add up the small matrices and take the bottom of the sum, without the constant vector."""
    size = len(neighbors)
    rows, columns, entries = [], [], []
    for i, around in enumerate(neighbors):
        members, small = local(i, around)
        rows.append(np.repeat(members, len(members)))
        columns.append(np.tile(members, len(members)))
        entries.append(small.ravel())
    places = np.concatenate(rows), np.concatenate(columns)
    matrix = csr_array(coo_array((np.concatenate(entries), places), shape=(size, size)))
    matrix = csr_array((matrix + matrix.T) / 2)
    eigenvalues, vectors = bottom_beside(matrix, np.ones(size), n_components)
    return LocalAlignment(np.sqrt(size) * vectors, eigenvalues, matrix, size * float(eigenvalues.sum()))
