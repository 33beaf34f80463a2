"""Shortest paths between all vertices by elimination: (min, +) in the place of (+, ×).

Removing a vertex v keeps all distances between the others if its neighbours are joined through it,
eq-isomap-eliminate in graph.eliminated_paths; once the distances between the others are known, a path from v must
start at one of those neighbours, eq-isomap-back-substitute. The cost is O(N² f) with f the mean number
of neighbours at removal, which a minimum-degree order keeps small on graphs of curves and surfaces.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array, diags_array
from scipy.sparse.linalg import spilu

from dimred_ref._arrays import Array

Indices = NDArray[np.intp]

FILL_LIMIT = 60  # neighbours at removal, on average: with more, elimination is slower than Dijkstra


def all_paths(graph: csr_array) -> tuple[Array, Indices] | None:
    """Return all path lengths in an order of their own, and the position of each vertex; None if that fills in."""
    position = _minimum_degree_positions(graph)
    neighbors = _neighbors_at_removal(graph, position)
    if neighbors is None:
        return None
    distances = dense_lengths(graph, position)
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
    by_degree: dict[str, object] = {"permc_spec": "MMD_AT_PLUS_A", "options": {"SymmetricMode": True}}
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


def dense_lengths(graph: csr_array, position: Indices) -> Array:
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
