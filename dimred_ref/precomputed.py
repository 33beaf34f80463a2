"""Isomap and LLE from what you have: a radius, a graph of your own, or a table of distances."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

from dimred_ref._arrays import Array, as_count, as_points, as_positive, as_symmetric
from dimred_ref.classical_mds import ClassicalMDS, classical_mds
from dimred_ref.graph import Indices, checked_graph, require_connected, shortest_paths, symmetrised
from dimred_ref.lle import LLE, bottom_of_weights, mixtures_of_grams, require_connected_weights


def radius_graph(X: ArrayLike, radius: float) -> csr_array:
    """Join all pairs of samples at most the radius apart; the edge has their distance.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    radius : positive

    Returns
    -------
    (N, N) sparse array of edge lengths

    Cost
    ----
    O(N² D) time at most, O(E) memory for E edges.

    Counterpart
    -----------
    sklearn.neighbors.radius_neighbors_graph, with mode="distance".

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.radius_graph([[0.0], [1.0], [3.0]], 1.5).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    X = as_points(X, "X", min_rows=2)
    radius = as_positive(radius, "radius")
    pairs = cKDTree(X).query_pairs(radius, output_type="ndarray")
    lengths = np.linalg.norm(X[pairs[:, 0]] - X[pairs[:, 1]], axis=1)
    ends = np.concatenate([pairs[:, 0], pairs[:, 1]]), np.concatenate([pairs[:, 1], pairs[:, 0]])
    return csr_array((np.concatenate([lengths, lengths]), ends), shape=(len(X), len(X)))


def neighbors_of_table(distances: ArrayLike, n_neighbors: int) -> tuple[Array, Indices]:
    """Return distances and indices of the nearest points of a table, nearest first, ties by index."""
    table = as_symmetric(distances, "distances")
    n_neighbors = as_count(n_neighbors, "n_neighbors", high=len(table) - 1)
    others = table.copy()
    np.fill_diagonal(others, np.inf)
    indices = np.argsort(others, axis=1, kind="stable")[:, :n_neighbors]
    return np.take_along_axis(table, indices, 1), indices


def isomap_of_graph(graph: ArrayLike, n_components: int) -> ClassicalMDS:
    """Embed the vertices of a graph of edge lengths: classical scaling of its path lengths.

    Parameters
    ----------
    graph : (N, N) symmetric matrix of edge lengths, sparse or dense, connected; a zero of a dense one is no edge
    n_components : number of coordinates

    Returns
    -------
    ClassicalMDS
        embedding (N, d), eigenvalues

    Cost
    ----
    At most O(N (E + N log N)) time for paths and O(N³) for the eigenvectors; O(N²) memory.

    Counterpart
    -----------
    sklearn.manifold.Isomap, with metric="precomputed", takes all distances and makes the graph itself.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> Y = dr.isomap_of_graph([[0, 1, 0], [1, 0, 2], [0, 2, 0]], 1).embedding
    >>> round(float(abs(Y[2, 0] - Y[0, 0])), 6)
    3.0
    """
    lengths = checked_graph(graph)
    require_connected(lengths)
    return classical_mds(shortest_paths(lengths), n_components)


def isomap_of_distances(distances: ArrayLike, n_components: int, *, n_neighbors: int) -> ClassicalMDS:
    """Embed the points of a table of distances by path lengths over its nearest neighbours.

    Parameters
    ----------
    distances : (N, N) symmetric table
    n_components : number of coordinates
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected

    Returns
    -------
    ClassicalMDS
        embedding (N, d), eigenvalues

    Cost
    ----
    O(N² log N) time for neighbours, then as isomap_of_graph.

    Counterpart
    -----------
    sklearn.manifold.Isomap, with metric="precomputed".

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.isomap_of_distances([[0, 1, 2], [1, 0, 1], [2, 1, 0]], 1, n_neighbors=1).embedding.shape
    (3, 1)
    """
    return isomap_of_graph(symmetrised(*neighbors_of_table(distances, n_neighbors)), n_components)


def lle_of_distances(
    distances: ArrayLike, n_components: int, *, n_neighbors: int, regularisation: float = 1e-3
) -> LLE:
    """Embed the points of a table of distances by LLE.

    C_ab = (δₐ² + δ_b² − δ_ab²) / 2        (eq-lle-table)

    Parameters
    ----------
    distances : (N, N) symmetric table
    n_components : number of coordinates, at most N − 2
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected
    regularisation : added to the local Gram matrices, as a part of their trace

    Returns
    -------
    LLE
        embedding (N, d), eigenvalues, weights (N, N), cost; without training points, so no transform

    Cost
    ----
    O(N² log N) time for neighbours, O(N k³) for weights, and a sparse eigenproblem.

    Counterpart
    -----------
    None.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> table = [[abs(i - j) for j in range(6)] for i in range(6)]
    >>> dr.lle_of_distances(table, 1, n_neighbors=2).embedding.shape
    (6, 1)
    """
    table = as_symmetric(distances, "distances")
    n_components = as_count(n_components, "n_components", high=len(table) - 2)
    regularisation = as_positive(regularisation, "regularisation", zero_allowed=True)
    lengths, neighbors = neighbors_of_table(table, n_neighbors)
    squared = table**2
    among = squared[neighbors[:, :, None], neighbors[:, None, :]]
    grams = (lengths[:, :, None] ** 2 + lengths[:, None, :] ** 2 - among) / 2
    mixtures = mixtures_of_grams(grams, regularisation)
    starts = np.arange(0, neighbors.size + 1, neighbors.shape[1])
    weights = csr_array((mixtures.ravel(), neighbors.ravel(), starts), shape=table.shape)
    require_connected_weights(weights)
    eigenvalues, vectors = bottom_of_weights(weights, n_components)
    cost = len(table) * float(eigenvalues.sum())
    embedding = vectors * np.sqrt(len(table))
    return LLE(embedding, eigenvalues, weights, cost, None, int(n_neighbors), float(regularisation))
