"""Neighbourhood graphs and the lengths of their shortest paths.

A graph is a symmetric sparse matrix of edge lengths. An edge of length zero (between two
copies of a point) is stored like any other, so it joins; an entry that is not stored is no edge.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csc_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.sparse.linalg import spilu
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from dimred_ref._arrays import Array, as_count, as_matrix

Indices = NDArray[np.intp]

TREE_DIMENSION = 12  # beyond it a k-d tree visits nearly every point, and one matrix product is faster
FILL_LIMIT = 60  # neighbours at removal, on average: with more, elimination is slower than Dijkstra
SPARE_CANDIDATES = 6
BLOCK = 128  # queries at once: their products with all points stay in the cache


def nearest_neighbors(X: ArrayLike, n_neighbors: int) -> tuple[Array, Indices]:
    """Return the distances and the indices of the n_neighbors points nearest to each point, nearest first.

    A point is never its own neighbour; a copy of it may be. Among equally distant points the choice
    is arbitrary (but always the same), so results on tied data depend on the order of the samples.
    """
    X = as_matrix(X, "X", min_rows=2)
    n_neighbors = as_count(n_neighbors, "n_neighbors", high=len(X) - 1)
    distances, indices = _search(X, X, n_neighbors + 1)
    own = indices == np.arange(len(X))[:, None]
    # among many copies of a point the search may not return the point itself: then the last one goes
    own[~own.any(axis=1), -1] = True
    shape = (len(X), n_neighbors)
    return distances[~own].reshape(shape), indices[~own].reshape(shape)


def nearest_training_points(X: ArrayLike, new: ArrayLike, n_neighbors: int) -> tuple[Array, Indices]:
    """Return the distances and the indices of the n_neighbors rows of X nearest to each row of new."""
    X = as_matrix(X, "X")
    new = as_matrix(new, "new")
    if new.shape[1] != X.shape[1]:
        raise ValueError(f"new must have {X.shape[1]} columns like the training points, got {new.shape[1]}")
    return _search(X, new, as_count(n_neighbors, "n_neighbors", high=len(X)))


def knn_graph(X: ArrayLike, n_neighbors: int) -> csr_array:
    """Join i and j when either is among the n_neighbors nearest of the other; the edge has their distance.

    j ∈ N(i) or i ∈ N(j)  ⇔  ℓᵢⱼ = ‖xᵢ − xⱼ‖        (eq-isomap-graph)

    "Either" matters: being a near neighbour is not a symmetric relation.
    """
    distances, indices = nearest_neighbors(X, n_neighbors)
    return symmetrised(distances, indices)


def symmetrised(values: Array, indices: Indices) -> csr_array:
    """Return the symmetric sparse matrix with values[i, a] at (i, indices[i, a]) and at its mirror."""
    size, width = indices.shape
    row, column = np.repeat(np.arange(size), width), indices.ravel()
    keys = np.concatenate([row * size + column, column * size + row])
    # by keys and not by adding the two halves: sparse sums would drop the edges of length zero
    keys, first = np.unique(keys, return_index=True)
    entries = np.concatenate([values.ravel()] * 2)[first]
    starts = np.searchsorted(keys, np.arange(size + 1) * size)
    return csr_array((entries, keys % size, starts), shape=(size, size))


def require_connected(graph: csr_array) -> None:
    """Raise ValueError, with the number and the sizes of the components, unless the graph is connected."""
    count, labels = connected_components(graph, directed=False)
    if count > 1:
        sizes = sorted(np.bincount(labels).tolist(), reverse=True)
        shown = ", ".join(map(str, sizes[:10])) + (", …" if count > 10 else "")
        raise ValueError(
            f"the neighbourhood graph must be connected, got {count} components of sizes {shown}: "
            "take more neighbours, or keep the rows that graph.largest_component returns"
        )


def largest_component(graph: csr_array) -> Indices:
    """Return the vertices of the largest connected component, ascending."""
    _, labels = connected_components(graph, directed=False)
    return np.flatnonzero(labels == np.bincount(labels).argmax())


def checked_graph(graph: csr_array, name: str = "graph") -> csr_array:
    """Return a symmetric sparse matrix with finite entries that are not negative, or raise ValueError."""
    graph = csr_array(graph, dtype=np.float64)
    if graph.shape[0] != graph.shape[1]:
        raise ValueError(f"{name} must be square, got shape {graph.shape}")
    if not (np.isfinite(graph.data).all() and graph.data.min(initial=0.0) >= 0):
        raise ValueError(f"{name} must hold finite entries that are not negative, got {graph.data.min()}")
    if not graph.has_sorted_indices:
        graph = graph.sorted_indices()
    mirror = csr_array(graph.T)
    if not (np.array_equal(graph.indices, mirror.indices) and np.array_equal(graph.data, mirror.data)):
        raise ValueError(f"{name} must be symmetric: an edge i–j needs the same entry in both directions")
    return graph


def shortest_paths(graph: csr_array) -> Array:
    """Return the length of the shortest path between every two vertices; no path is inf.

    Vertices are eliminated one by one, as in Gaussian elimination but with (min, +) for (+, ×); see
    eliminated_paths. Where that fills in too much the answer comes from Dijkstra.
    """
    distances, position = eliminated_paths(graph)
    return distances[np.ix_(position, position)]


def dijkstra_paths(graph: csr_array, sources: ArrayLike | None = None) -> Array:
    """Return the length of the shortest path from each source (default: every vertex) to every vertex.

    Dijkstra's algorithm settles vertices in the order of their distance: O(N log N + N k) per source
    for N vertices of degree about k, so O(N² log N + N² k) for all of them (eq-isomap-dijkstra-cost).
    """
    graph = checked_graph(graph)
    # the matrix is symmetric, so following edges in their stored direction is enough (and twice as fast)
    return np.asarray(dijkstra(graph, directed=True, indices=sources), dtype=np.float64)


def floyd_warshall(graph: csr_array) -> Array:
    """Return all shortest path lengths by admitting one intermediate vertex after another: O(N³).

    Δᵢⱼ ← min(Δᵢⱼ, Δᵢᵥ + Δᵥⱼ)   for v = 1 … N        (eq-isomap-floyd-warshall)
    """
    distances = _dense_lengths(checked_graph(graph), np.arange(graph.shape[0]))
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
    keeps small on graphs of curves and surfaces. Beyond FILL_LIMIT the answer is left to Dijkstra.
    """
    graph = checked_graph(graph)
    position = _minimum_degree_positions(graph)
    neighbors = _neighbors_at_removal(graph, position)
    if neighbors is None:
        return dijkstra_paths(graph), np.arange(len(position))
    distances = _dense_lengths(graph, position)
    _eliminate(distances, neighbors)
    _substitute_back(distances, neighbors)
    return distances, position


def _minimum_degree_positions(graph: csr_array) -> Indices:
    """Return the place of each vertex in an order that always removes one with few neighbours left.

    Sparse LU needs such an order too, and finds it fast: an incomplete factorisation that drops every
    entry does little else.
    """
    degrees = np.diff(graph.indptr)
    joined = csc_array((np.full(graph.nnz, -1.0), graph.indices, graph.indptr), shape=graph.shape)
    regular = csc_array(joined + diags_array(degrees + 1.0))
    by_degree: dict[str, Any] = {"permc_spec": "MMD_AT_PLUS_A", "options": {"SymmetricMode": True}}
    factors = spilu(regular, drop_tol=1.0, fill_factor=1.0, diag_pivot_thresh=0.0, **by_degree)
    return np.asarray(factors.perm_c, dtype=np.intp)


def _neighbors_at_removal(graph: csr_array, position: Indices) -> list[Indices] | None:
    """Return for each place in the order the later places joined to it when its turn comes.

    These are its own later neighbours and those it inherits: a vertex leaves all of its later
    neighbours joined, but it is enough to tell the first of them, who will tell the next.
    """
    edges = graph.tocoo()
    row, column = position[edges.coords[0]], position[edges.coords[1]]
    later = csr_array((edges.data, (row, column)), shape=graph.shape)
    starts, ends = later.indptr.tolist(), later.indices.tolist()
    size, fill = len(position), 0
    joined = [{a for a in ends[starts[v] : starts[v + 1]] if a > v} for v in range(size)]
    for neighbors in joined:
        fill += len(neighbors)
        if fill > FILL_LIMIT * size:
            return None
        if neighbors:
            heir = min(neighbors)
            joined[heir] |= neighbors
            joined[heir].remove(heir)  # came along with the others
    return [np.fromiter(neighbors, dtype=np.intp) for neighbors in joined]


def _dense_lengths(graph: csr_array, position: Indices) -> Array:
    """Return the matrix of edge lengths, 0 on the diagonal and inf where there is no edge."""
    edges = graph.tocoo()
    lengths = np.full(graph.shape, np.inf)
    lengths[position[edges.coords[0]], position[edges.coords[1]]] = edges.data
    np.fill_diagonal(lengths, 0.0)
    return lengths


def _eliminate(distances: Array, neighbors: list[Indices]) -> None:
    for v, joined in enumerate(neighbors):
        through_v = distances[v, joined]
        pairs = joined[:, None], joined
        distances[pairs] = np.minimum(distances[pairs], through_v[:, None] + through_v)


def _substitute_back(distances: Array, neighbors: list[Indices]) -> None:
    for v in reversed(range(len(neighbors))):
        paths = distances[neighbors[v], v + 1 :]
        paths += distances[v, neighbors[v]][:, None]
        shortest = paths.min(axis=0, initial=np.inf)
        distances[v, v + 1 :] = shortest
        distances[v + 1 :, v] = shortest


def _search(X: Array, queries: Array, count: int) -> tuple[Array, Indices]:
    if X.shape[1] > TREE_DIMENSION:
        return _search_by_products(X, queries, count)
    distances, indices = cKDTree(X).query(queries, [*range(1, count + 1)])
    return distances, indices


def _search_by_products(X: Array, queries: Array, count: int) -> tuple[Array, Indices]:
    """Search block by block with one matrix product: ‖q − x‖² − ‖q‖² = ‖x‖² − 2 q·x."""
    centre = X.mean(axis=0)  # rounding errors of the products grow with the distance from the origin
    X, queries = X - centre, queries - centre
    squared_norms, minus_twice = np.einsum("ij,ij->i", X, X), -2 * X.T
    distances = np.empty((len(queries), count))
    indices = np.empty((len(queries), count), dtype=np.intp)
    for start in range(0, len(queries), BLOCK):
        rows = slice(start, start + BLOCK)
        products = queries[rows] @ minus_twice
        products += squared_norms
        distances[rows], indices[rows] = _measured(X, queries[rows], products, count, squared_norms.max())
    return distances, indices


def _measured(X: Array, queries: Array, products: Array, count: int, largest: float) -> tuple[Array, Indices]:
    """Measure the best candidates exactly, and search again among all points where rounding may mislead.

    A few candidates more than wanted are taken: by the margin of the last, no other point can be nearer.
    """
    n_candidates = min(count + SPARE_CANDIDATES, len(X))
    candidates = np.argpartition(products, n_candidates - 1, axis=1)[:, :n_candidates]
    differences = X[candidates] - queries[:, None]
    exact = np.sqrt(np.einsum("ijk,ijk->ij", differences, differences))
    order = np.argsort(exact, axis=1, kind="stable")[:, :count]
    distances, indices = np.take_along_axis(exact, order, 1), np.take_along_axis(candidates, order, 1)
    if n_candidates < len(X):
        query_norms = np.einsum("ij,ij->i", queries, queries)
        last = np.take_along_axis(products, candidates[:, -1:], 1)[:, 0] + query_norms
        rounding = 8 * X.shape[1] * np.finfo(np.float64).eps * (query_norms + largest)
        doubtful = np.flatnonzero(distances[:, -1] ** 2 > last - rounding)
        all_distances = cdist(queries[doubtful], X)
        indices[doubtful] = np.argsort(all_distances, axis=1, kind="stable")[:, :count]
        distances[doubtful] = np.take_along_axis(all_distances, indices[doubtful], 1)
    return distances, indices
