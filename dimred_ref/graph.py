"""Neighbourhood graphs and the lengths of their shortest paths.

A graph is a symmetric sparse matrix of edge lengths. An edge of length zero (between two
copies of a point) is stored like any other, so it joins; an entry that is not stored is no edge.
A dense matrix will do where a graph is asked for; its zeros are no edges.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

from dimred_ref._arrays import (
    MEASURABLE,
    Array,
    as_count,
    as_indices,
    as_new_samples,
    as_points,
    as_sparse,
)
from dimred_ref._fast import paths
from dimred_ref._fast.neighbors import nearest

Indices = NDArray[np.intp]


def nearest_neighbors(X: ArrayLike, n_neighbors: int) -> tuple[Array, Indices]:
    """Return the distances and the indices of the n_neighbors points nearest to each point, nearest first.

    A point is never its own neighbour; a copy of it may be. Of equally distant points those with the smaller
    index are taken, so results on tied data depend on the order of the samples.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_neighbors : between 1 and N − 1

    Returns
    -------
    (N, n_neighbors) distances and (N, n_neighbors) indices

    Cost
    ----
    At most O(N² D) time, O(N k) memory.

    Counterpart
    -----------
    sklearn.neighbors.NearestNeighbors, whose kneighbors() without an argument leaves each point out, too.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> distances, indices = dr.nearest_neighbors([[0.0], [1.0], [3.0]], 1)
    >>> distances.tolist(), indices.tolist()
    ([[1.0], [1.0], [2.0]], [[1], [0], [1]])
    """
    X = as_points(X, "X", min_rows=2)
    n_neighbors = as_count(n_neighbors, "n_neighbors", high=len(X) - 1)
    distances, indices = nearest(X, X, n_neighbors + 1)
    own = indices == np.arange(len(X))[:, None]
    # copies with smaller indices may have left no place for the point itself: then the last one goes
    own[~own.any(axis=1), -1] = True
    shape = (len(X), n_neighbors)
    return distances[~own].reshape(shape), indices[~own].reshape(shape)


def nearest_training_points(X: ArrayLike, new: ArrayLike, n_neighbors: int) -> tuple[Array, Indices]:
    """Return the distances and the indices of the n_neighbors rows of X nearest to each row of new."""
    X = as_points(X, "X")
    new = as_new_samples(new, n_columns=X.shape[1], sizes=MEASURABLE)
    return nearest(X, new, as_count(n_neighbors, "n_neighbors", high=len(X)))


def knn_graph(X: ArrayLike, n_neighbors: int) -> csr_array:
    """Join i and j when either is among the n_neighbors nearest of the other; the edge has their distance.

    j ∈ N(i) or i ∈ N(j)  ⇔  ℓᵢⱼ = ‖xᵢ − xⱼ‖        (eq-isomap-graph)

    "Either" matters: being a near neighbour is not a symmetric relation.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_neighbors : between 1 and N − 1

    Returns
    -------
    (N, N) sparse array of edge lengths

    Cost
    ----
    At most O(N² D) time, O(N k) memory.

    Counterpart
    -----------
    sklearn.neighbors.kneighbors_graph, whose edges lead one way.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.knn_graph([[0.0], [1.0], [3.0]], 1).toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 2.0], [0.0, 2.0, 0.0]]
    """
    distances, indices = nearest_neighbors(X, n_neighbors)
    return symmetrised(distances, indices)


def symmetrised(values: Array, indices: Indices) -> csr_array:
    """Return the symmetric sparse matrix with values[i, a] at (i, indices[i, a]) and at its mirror."""
    size, width = indices.shape
    row, column = np.repeat(np.arange(size), width), indices.ravel()
    # by pairs and not by adding the two halves: sparse sums would drop the edges of length zero
    pairs, first = np.unique(np.minimum(row, column) * size + np.maximum(row, column), return_index=True)
    entries, (low, high) = values.ravel()[first], np.divmod(pairs, size)
    ends = np.concatenate([low, high]), np.concatenate([high, low])
    return csr_array((np.concatenate([entries, entries]), ends), shape=(size, size))


def require_connected(graph: csr_array) -> None:
    """Raise ValueError, with the number and the sizes of the components, unless the graph is connected."""
    count, labels = connected_components(as_sparse(graph, "graph"), directed=False)
    if count > 1:
        sizes = sorted(np.bincount(labels).tolist(), reverse=True)
        shown = ", ".join(map(str, sizes[:10])) + (", …" if count > 10 else "")
        raise ValueError(
            f"the neighbourhood graph must be connected, got {count} components of sizes {shown}: "
            "take more neighbours, or keep the rows that graph.largest_component returns"
        )


def require_apart(distances: Array) -> None:
    """Raise ValueError if all these distances to neighbours are 0: what joins copies shows no shape."""
    if not distances.any():
        raise ValueError("X must have neighbours that differ, got copies of points only")


def largest_component(graph: csr_array) -> Indices:
    """Return the vertices of the largest connected component, ascending.

    Parameters
    ----------
    graph : (N, N) symmetric matrix of edges, sparse or dense

    Returns
    -------
    indices of vertices

    Cost
    ----
    O(N + E) time for E edges.

    Counterpart
    -----------
    scipy.sparse.csgraph.connected_components.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.largest_component([[0, 1, 0], [1, 0, 0], [0, 0, 0]]).tolist()
    [0, 1]
    """
    _, labels = connected_components(as_sparse(graph, "graph"), directed=False)
    return np.flatnonzero(labels == np.bincount(labels).argmax())


def checked_graph(graph: csr_array, name: str = "graph") -> csr_array:
    """Return a symmetric sparse matrix with entries that are not negative, or raise ValueError."""
    graph = as_sparse(graph, name)
    if graph.data.min(initial=0.0) < 0:
        raise ValueError(f"{name} must hold entries that are not negative, got {graph.data.min()}")
    if not graph.has_sorted_indices:
        graph = graph.sorted_indices()
    mirror = csr_array(graph.T)
    if not (np.array_equal(graph.indices, mirror.indices) and np.array_equal(graph.data, mirror.data)):
        raise ValueError(
            f"{name} must be symmetric: an edge i–j needs the same entry in both directions; "
            f"{name}.maximum({name}.T) joins i and j when either is a neighbour of the other"
        )
    return graph


def shortest_paths(graph: csr_array) -> Array:
    """Return the length of the shortest path between every two vertices; no path is inf.

    Vertices are eliminated one by one, as in Gaussian elimination but with (min, +) for (+, ×); see
    eliminated_paths. Where that fills in too much the answer comes from Dijkstra.

    Parameters
    ----------
    graph : (N, N) symmetric matrix of edge lengths, sparse or dense; a zero of a dense one is no edge

    Returns
    -------
    (N, N) array

    Cost
    ----
    At most O(N (E + N log N)) time for E edges, O(N²) memory.

    Counterpart
    -----------
    scipy.sparse.csgraph.shortest_path.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.shortest_paths([[0, 1, 0], [1, 0, 2], [0, 2, 0]])[0].tolist()
    [0.0, 1.0, 3.0]
    """
    distances, position = eliminated_paths(graph)
    return distances[np.ix_(position, position)]


def dijkstra_paths(graph: csr_array, sources: ArrayLike | None = None) -> Array:
    """Return the length of the shortest path from each source (default: every vertex) to every vertex.

    Dijkstra's algorithm settles vertices in the order of their distance: O(N log N + N k) per source
    for N vertices of degree about k, so O(N² log N + N² k) for all of them (eq-isomap-dijkstra-cost).
    """
    graph = checked_graph(graph)
    if sources is not None:
        sources = as_indices(sources, "sources", size=graph.shape[0])
    # the matrix is symmetric, so following edges in their stored direction is enough (and twice as fast)
    return np.asarray(dijkstra(graph, directed=True, indices=sources), dtype=np.float64)


def floyd_warshall(graph: csr_array) -> Array:
    """Return all shortest path lengths by admitting one intermediate vertex after another: O(N³).

    Δᵢⱼ ← min(Δᵢⱼ, Δᵢᵥ + Δᵥⱼ)   for v = 1 … N        (eq-isomap-floyd-warshall)
    """
    graph = checked_graph(graph)
    distances = paths.dense_lengths(graph, np.arange(graph.shape[0]))
    for v in range(len(distances)):
        np.minimum(distances, distances[:, v, None] + distances[v], out=distances)
    return distances


def eliminated_paths(graph: csr_array) -> tuple[Array, Indices]:
    """Return all shortest path lengths in an order of their own, and the position of each vertex in it.

    Entry (position[i], position[j]) is the distance of i and j: a caller who needs no particular order
    (an eigenproblem) saves a second N × N array.

    Removing a vertex v keeps all distances between the others if its neighbours are joined through it:

    Δₐᵦ ← min(Δₐᵦ, Δₐᵥ + Δᵥᵦ)   for a, b ∈ N(v)        (eq-isomap-eliminate)

    and once the distances between the others are known, a path from v must start at one of those neighbours:

    Δᵥⱼ = min Δᵥₐ + Δₐⱼ   over a ∈ N(v)                (eq-isomap-back-substitute)

    The cost is O(N² f) with f the mean size of N(v) at its removal, which a minimum-degree order
    keeps small on graphs of curves and surfaces. Where it is large the answer is left to Dijkstra.
    """
    graph = checked_graph(graph)
    found = paths.all_paths(graph)
    return (dijkstra_paths(graph), np.arange(graph.shape[0])) if found is None else found
