"""Neighbourhood graphs and the lengths of their shortest paths.

A graph is a symmetric sparse matrix of edge lengths. An edge of length zero (between two
copies of a point) is stored like any other, so it joins; an entry that is not stored is no edge.
A dense matrix will do where a graph is asked for; its zeros are no edges.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csc_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components, dijkstra
from scipy.sparse.linalg import spilu
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from dimred_ref._arrays import Array, as_count, as_indices, as_points, as_sparse

Indices = NDArray[np.intp]
Singles = NDArray[np.float32]

TREE_DIMENSION = 12  # beyond it a k-d tree visits nearly every point, and one matrix product is faster
FILL_LIMIT = 60  # neighbours at removal, on average: with more, elimination is slower than Dijkstra
BLOCK = 64  # queries at once: their products with all points stay in the cache
GROUPS = 12  # of points, per neighbour: so many that two of the nearest seldom meet in one
CROWD = 8  # candidates per neighbour, on average: with more, one table of distances is faster


def nearest_neighbors(X: ArrayLike, n_neighbors: int) -> tuple[Array, Indices]:
    """Return the distances and the indices of the n_neighbors points nearest to each point, nearest first.

    A point is never its own neighbour; a copy of it may be. Among equally distant points the choice
    is arbitrary (but always the same), so results on tied data depend on the order of the samples.
    """
    X = as_points(X, "X", min_rows=2)
    n_neighbors = as_count(n_neighbors, "n_neighbors", high=len(X) - 1)
    distances, indices = _search(X, X, n_neighbors + 1)
    own = indices == np.arange(len(X))[:, None]
    # among many copies of a point the search may not return the point itself: then the last one goes
    own[~own.any(axis=1), -1] = True
    shape = (len(X), n_neighbors)
    return distances[~own].reshape(shape), indices[~own].reshape(shape)


def nearest_training_points(X: ArrayLike, new: ArrayLike, n_neighbors: int) -> tuple[Array, Indices]:
    """Return the distances and the indices of the n_neighbors rows of X nearest to each row of new."""
    X = as_points(X, "X")
    new = as_points(new, "new")
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
    """Return the vertices of the largest connected component, ascending."""
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
    if sources is not None:
        sources = as_indices(sources, "sources", size=graph.shape[0])
    # the matrix is symmetric, so following edges in their stored direction is enough (and twice as fast)
    return np.asarray(dijkstra(graph, directed=True, indices=sources), dtype=np.float64)


def floyd_warshall(graph: csr_array) -> Array:
    """Return all shortest path lengths by admitting one intermediate vertex after another: O(N³).

    Δᵢⱼ ← min(Δᵢⱼ, Δᵢᵥ + Δᵥⱼ)   for v = 1 … N        (eq-isomap-floyd-warshall)
    """
    graph = checked_graph(graph)
    distances = _dense_lengths(graph, np.arange(graph.shape[0]))
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
    """Search block by block: rough values of ‖q − x‖² − ‖q‖² = ‖x‖² − 2 q·x choose few, which are measured.

    Single precision is rough and fast. By a bound of its rounding errors no neighbour is lost.
    """
    rough = _Rough(X, queries)
    n_groups = min(GROUPS * count, len(X))
    minus_twice, squared_norms = rough.table(X, n_groups)
    rounding = 4 * (X.shape[1] + 8) * np.finfo(np.float32).eps
    distances = np.empty((len(queries), count))
    indices = np.empty((len(queries), count), dtype=np.intp)
    for block in _blocks(len(queries)):
        points = rough(queries[block])
        products = points @ minus_twice
        products += squared_norms
        slack = rounding * (_squared_lengths(points) + squared_norms[: len(X)].max())
        candidates = _candidates(products.reshape(len(points), -1, n_groups), slack, count)
        distances[block], indices[block] = _measured(X, queries[block], candidates, count)
    return distances, indices


class _Rough:
    """Points in single precision, moved and scaled so that no coordinate exceeds 1."""

    def __init__(self, X: Array, queries: Array) -> None:
        self._centre = X.mean(axis=0)  # rounding errors of products grow with the distance from the origin
        ends = [end for points in (X, queries) for end in (points.min(axis=0), points.max(axis=0))]
        self._scale = float(np.abs(np.stack(ends) - self._centre).max()) or 1.0

    def __call__(self, points: Array) -> Singles:
        return np.asarray((points - self._centre) / self._scale, dtype=np.float32)

    def table(self, X: Array, n_groups: int) -> tuple[Singles, Singles]:
        """Return −2 X as columns and ‖x‖², with columns added that are never near: groups of equal size."""
        padded = -(-len(X) // n_groups) * n_groups
        minus_twice = np.zeros((X.shape[1], padded), dtype=np.float32)
        squared_norms = np.full(padded, np.inf, dtype=np.float32)
        for block in _blocks(len(X)):
            points = self(X[block])
            minus_twice[:, block] = -2 * points.T
            squared_norms[block] = _squared_lengths(points)
        return minus_twice, squared_norms


def _blocks(size: int) -> list[slice]:
    return [slice(start, min(start + BLOCK, size)) for start in range(0, size, BLOCK)]


def _squared_lengths(points: Singles) -> Singles:
    return np.asarray(np.einsum("ij,ij->i", points, points))


def _candidates(products: Singles, slack: Singles, count: int) -> tuple[Indices, Indices]:
    """Return query and column of every product that may be among the count smallest of its query.

    The columns are dealt to groups (last axis). At least count columns reach the count-th smallest of the
    minima of the groups, which takes one pass to find; whatever exceeds it by more than the slack is out.
    """
    minima = products.min(axis=1)
    bounds = np.partition(minima, count - 1, axis=1)[:, count - 1] + slack
    chosen = np.flatnonzero(products <= bounds[:, None, None])
    return np.divmod(chosen, products[0].size)


def _measured(
    X: Array, queries: Array, candidates: tuple[Indices, Indices], count: int
) -> tuple[Array, Indices]:
    """Return the count nearest candidates of each query by exact distances; equal ones by their index."""
    at, columns = candidates
    if len(columns) > CROWD * count * len(queries):  # rounding hides the differences: measure all
        table = cdist(queries, X)
        indices = np.argsort(table, axis=1, kind="stable")[:, :count]
        return np.take_along_axis(table, indices, 1), indices
    differences = X[columns]
    differences -= queries[at]
    squared = np.einsum("ij,ij->i", differences, differences)
    order = np.lexsort((squared, at))
    starts = np.searchsorted(at, np.arange(len(queries)))
    nearest = order[starts[:, None] + np.arange(count)]
    return np.sqrt(squared[nearest]), columns[nearest]
