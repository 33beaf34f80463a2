"""Laplacian eigenmaps: smooth coordinates on a neighbourhood graph."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csc_array, csr_array, diags_array, eye_array
from scipy.sparse.linalg import splu
from scipy.spatial.distance import cdist

from dimred_ref._arrays import Array, as_count, as_new_samples, as_points, as_positive
from dimred_ref._eigen import bottom_eigenpairs
from dimred_ref._fast.filtered import is_wide, smallest_eigenpairs
from dimred_ref._fast.lanczos import DENSE_SIZE, LinearMap, largest_eigenpairs
from dimred_ref._result import Result
from dimred_ref.graph import (
    checked_graph,
    knn_graph,
    nearest_neighbors,
    nearest_training_points,
    require_apart,
    require_connected,
    symmetrised,
)

UNDECIDED = 1e-12  # of 1 − λ, that Nyström's formula divides by: less is rounding
SHIFT = 1e-9  # of the largest possible eigenvalue, 2: it makes the Laplacian regular and changes no vector


@dataclass(frozen=True, eq=False, repr=False)
class LaplacianEigenmaps(Result):
    """The smoothest coordinates on the graph that are not constant."""

    embedding: Array  # (N, d), YᵀDY = I
    eigenvalues: Array  # (d,), ascending, of L y = λ D y, without the 0 of the constant vector
    weights: csr_array  # (N, N), symmetric
    X: Array | None = None  # (N, D), the training points; None for a graph without points
    n_neighbors: int | None = None
    gamma: float | None = None
    reach: Array | None = None  # (N,), the distance of each training point to the last of its neighbours

    def transform(self, new: ArrayLike) -> Array:
        """Place new points by Nyström's formula: the eigenvector equation, read at a point that was not there.

            y_α(x) = Σⱼ w(x, xⱼ) y_jα / ((1 − λ_α) Σⱼ w(x, xⱼ))        (eq-laplacian-eigenmaps-extension)

        x is joined to its n_neighbors nearest training points and to those that have it among theirs, with
        heat-kernel weights; only their proportions count, so that a point may be as far as it likes. A training
        point is put where it was. For the eigenmaps of a graph, new holds the weights of the edges to the N
        vertices, a row per new vertex.
        """
        left = 1 - self.eigenvalues
        if (np.abs(left) <= UNDECIDED).any():
            raise ValueError(
                "new points have no place along a coordinate of eigenvalue 1: the mean over neighbours is 0"
            )
        edges = self._weights_of_vertices(new) if self.X is None else self._weights_of_points(new, self.X)
        return np.asarray(edges @ self.embedding / edges.sum(axis=1, keepdims=True) / left)

    def _weights_of_vertices(self, new: ArrayLike) -> Array:
        edges = as_new_samples(new, n_columns=len(self.embedding))
        if edges.min() < 0:
            raise ValueError(f"new must hold weights that are not negative, got {edges.min()}")
        if not edges.any(axis=1).all():
            raise ValueError("new must be joined to the training points, got a row whose weights all vanish")
        return edges

    def _weights_of_points(self, new: ArrayLike, X: Array) -> Array:
        """Return w(x, xⱼ) on the edges of new points, relative to the nearest; those of the graph for its own."""
        steps, nearest = nearest_training_points(X, new, self.n_neighbors or 0)
        distances = cdist(np.asarray(new, dtype=np.float64), X)
        is_joined = distances <= self.reach
        np.put_along_axis(is_joined, nearest, True, axis=1)
        beyond = distances**2 - distances.min(axis=1, keepdims=True) ** 2
        with np.errstate(over="ignore"):  # of an exponent: that weight is 0
            edges: Array = is_joined * np.exp(-(self.gamma or 0.0) * beyond)
        same = steps[:, 0] == 0
        edges[same] = self.weights[nearest[same, 0]].toarray()
        return edges


def laplacian_eigenmaps(
    X: ArrayLike, n_components: int, *, n_neighbors: int, gamma: float
) -> LaplacianEigenmaps:
    """Embed X so that near neighbours stay near: heat-kernel weights, then eigenmaps_of_graph.

    gamma is 1 / (scale of distance)²; gamma = 0 gives every edge the weight 1.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates, at most N − 1
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected
    gamma : 1 / (scale of distance)², or 0

    Returns
    -------
    LaplacianEigenmaps
        embedding (N, d), eigenvalues, weights (N, N); transform

    Cost
    ----
    At most O(N² D) time for neighbours, and a sparse eigenproblem; O(N k) memory.

    Counterpart
    -----------
    sklearn.manifold.SpectralEmbedding, whose weights are 0 and 1.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [1, 0], [2, 0], [3, 0]]
    >>> dr.laplacian_eigenmaps(X, 1, n_neighbors=1, gamma=0).eigenvalues.round(3).tolist()
    [0.5]
    """
    X = as_points(X, "X", min_rows=3)
    distances, indices = nearest_neighbors(X, n_neighbors)
    fit = eigenmaps_of_graph(_heat_kernel(symmetrised(distances, indices), gamma), n_components)
    reach = distances[:, -1].copy()
    return replace(fit, X=X.copy(), n_neighbors=int(n_neighbors), gamma=float(gamma), reach=reach)


def heat_kernel_weights(X: ArrayLike, *, n_neighbors: int, gamma: float) -> csr_array:
    """Return wᵢⱼ = exp(−γ ‖xᵢ − xⱼ‖²) on the edges of the neighbourhood graph, 0 elsewhere.

    The norm is squared (eq-laplacian-eigenmaps-heat-kernel): without the square the weights have a kink
    at distance 0 and are not those of heat flow.
    """
    return _heat_kernel(knn_graph(X, n_neighbors), gamma)


def _heat_kernel(graph: csr_array, gamma: float) -> csr_array:
    """Return exp(−γ ℓ²) on the edges of a graph of lengths ℓ."""
    gamma = as_positive(gamma, "gamma", zero_allowed=True)
    require_apart(graph.data)
    with np.errstate(over="ignore"):
        weights = np.exp(-gamma * graph.data**2)
    if weights.min() < np.finfo(np.float64).tiny:
        raise ValueError(
            f"gamma must be at most {700 / graph.data.max() ** 2:.3g} for these edges, got {gamma}: "
            "their weights vanish and the graph falls apart"
        )
    return csr_array((weights, graph.indices, graph.indptr), shape=graph.shape)


def graph_laplacian(weights: csr_array) -> csr_array:
    """Return L = D − W with the degrees Dᵢᵢ = Σⱼ wᵢⱼ.

    Σᵢⱼ wᵢⱼ ‖yᵢ − yⱼ‖² = 2 tr(Yᵀ L Y)        (eq-laplacian-eigenmaps-energy)
    """
    weights = _checked_weights(weights)
    return csr_array(diags_array(_degrees(weights)) - weights)


def eigenmaps_of_graph(weights: csr_array, n_components: int) -> LaplacianEigenmaps:
    """Embed the vertices of a connected weighted graph.

    min tr(Yᵀ L Y)   subject to   YᵀDY = I, YᵀD1 = 0        (eq-laplacian-eigenmaps-problem)
    L y = λ D y,   0 = λ₀ < λ₁ ≤ λ₂ ≤ …                      (eq-laplacian-eigenmaps-eigenproblem)

    With u = D^½ y this is D^−½ L D^−½ u = λ u, an ordinary symmetric problem.

    Parameters
    ----------
    weights : (N, N) symmetric matrix, sparse or dense, of weights that are not negative; 0 is no edge
    n_components : number of coordinates, at most N − 1

    Returns
    -------
    LaplacianEigenmaps
        embedding (N, d), eigenvalues, weights; transform from weights to the N vertices

    Cost
    ----
    A sparse eigenproblem: some products with the graph of E edges, O(E) each, and its factors.

    Counterpart
    -----------
    sklearn.manifold.spectral_embedding.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> dr.eigenmaps_of_graph(path, 1).eigenvalues.round(3).tolist()
    [1.0]
    """
    weights, n_components = _checked_arguments(weights, n_components)
    root_degrees = np.sqrt(_degrees(weights))
    normalised = csr_array(eye_array(weights.shape[0]) - _rescaled(weights, root_degrees))
    eigenvalues, vectors = bottom_beside(normalised, root_degrees, n_components)
    # a copy: the caller's matrix may change, a result does not
    return LaplacianEigenmaps(vectors / root_degrees[:, None], eigenvalues, weights.copy())


def eigenmaps_as_printed(weights: csr_array, n_components: int) -> LaplacianEigenmaps:
    """Minimise the cost that the lecture notes print, which is another method; for comparison.

    Σᵢⱼ wᵢⱼ / √(Dᵢᵢ Dⱼⱼ) ‖yᵢ − yⱼ‖²        (eq-laplacian-eigenmaps-printed)

    This is the energy of the rescaled weights wᵢⱼ / √(Dᵢᵢ Dⱼⱼ), in general not that of the graph.
    The notes give no constraint, so that y = 0 would be best; here YᵀY = I and Yᵀ1 = 0.
    """
    weights, n_components = _checked_arguments(weights, n_components)
    rescaled = _rescaled(weights, np.sqrt(_degrees(weights)))
    laplacian = csr_array(diags_array(_degrees(rescaled)) - rescaled)
    eigenvalues, vectors = bottom_beside(laplacian, np.ones(weights.shape[0]), n_components)
    return LaplacianEigenmaps(vectors, eigenvalues, rescaled)


def _checked_weights(weights: csr_array) -> csr_array:
    """Return the weights without stored zeros: unlike an edge of length 0, one of weight 0 joins nothing."""
    weights = checked_graph(weights, "weights")
    if (weights.data > 0).all():
        return weights
    weights = weights.copy()
    weights.eliminate_zeros()
    return weights


def _checked_arguments(weights: csr_array, n_components: int) -> tuple[csr_array, int]:
    weights = _checked_weights(weights)
    require_connected(weights)
    return weights, as_count(n_components, "n_components", high=weights.shape[0] - 1)


def _degrees(weights: csr_array) -> Array:
    return np.asarray(weights.sum(axis=1), dtype=np.float64)


def _rescaled(weights: csr_array, divisors: Array) -> csr_array:
    """Return the matrix with its rows and its columns divided by the given numbers."""
    rows = np.repeat(divisors, np.diff(weights.indptr))
    entries = weights.data / rows / divisors[weights.indices]
    return csr_array((entries, weights.indices, weights.indptr), shape=weights.shape)


def bottom_beside(laplacian: csr_array, null_vector: Array, n_pairs: int) -> tuple[Array, Array]:
    """Return the smallest eigenpairs of a Laplacian among the vectors orthogonal to its null vector."""
    size = laplacian.shape[0]
    null_vector = null_vector / np.linalg.norm(null_vector)
    if size <= DENSE_SIZE:
        lifted = laplacian.toarray() + 4 * np.outer(
            null_vector, null_vector
        )  # above all others, out of the way
        return bottom_eigenpairs(lifted, n_pairs)
    if is_wide(laplacian):
        bound = float(abs(laplacian).sum(axis=1).max())  # no eigenvalue exceeds the largest row sum of moduli
        return smallest_eigenpairs(lambda v: laplacian @ v, bound, null_vector, n_pairs)
    inverses, vectors = largest_eigenpairs(_shifted_inverse(laplacian, null_vector), size, n_pairs)
    return 1 / inverses - SHIFT, vectors


def _shifted_inverse(laplacian: csr_array, null_vector: Array) -> LinearMap:
    """Return b ↦ (L + SHIFT I)⁻¹ b in the complement of the null vector, through a sparse LU."""
    # a symmetric matrix has the same rows as columns
    shifted = csc_array((laplacian.data.copy(), laplacian.indices, laplacian.indptr), shape=laplacian.shape)
    shifted.setdiag(shifted.diagonal() + SHIFT)
    # positive definite: pivots may stay on the diagonal, and a symmetric order keeps the factors sparse
    symmetric: dict[str, object] = {"diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
    factors = splu(shifted, permc_spec="MMD_AT_PLUS_A", panel_size=1, **symmetric)

    def apply(b: Array) -> Array:
        # transposed or not, the system is the same: transposed is a third faster
        y = factors.solve(b - null_vector * (null_vector @ b), "T")
        return np.asarray(y - null_vector * (null_vector @ y))

    return apply
