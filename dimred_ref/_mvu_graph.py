"""The graph of maximum variance unfolding: checked, connected, and with coinciding points merged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.csgraph import connected_components

from dimred_ref._arrays import Array, as_vector

Indices = NDArray[np.intp]

NEGLIGIBLE = 1e-7  # of the root mean square edge


@dataclass(frozen=True)
class MergedGraph:
    """A connected graph none of whose edges is vanishingly short.

    Two points joined by an edge of length 0 coincide in every feasible embedding, so they become
    one node that weighs 2: nothing is lost, and the program gains an interior. Edges below NEGLIGIBLE
    are treated alike; the radii keep account of what that may lose.
    """

    tails: Indices  # (m,) nodes
    heads: Indices  # (m,) nodes
    squared_lengths: Array  # (m,), positive
    weights: Array  # (n,) how many points each node stands for
    radii: Array  # (n,) no point of a feasible embedding is farther from the mean of its node
    node_of_point: Indices  # (N,)
    edge_of: Indices  # (m,) position of each kept edge in the caller's list

    def node_means(self, points: Array) -> Array:
        """Return the mean position of the points of each node, moved so that the points are centred."""
        sums = np.zeros((len(self.weights), points.shape[1]))
        np.add.at(sums, self.node_of_point, points)
        means: Array = sums / self.weights[:, None] - sums.sum(axis=0) / self.weights.sum()
        return means

    def differences(self) -> scipy.sparse.csr_array:
        """Return the m × n matrix B with (B Y)ₑ = yᵢ − yⱼ for the edge e = (i, j)."""
        rows = np.arange(len(self.tails))
        signs = np.repeat([1.0, -1.0], len(rows))
        positions = (np.tile(rows, 2), np.concatenate([self.tails, self.heads]))
        return scipy.sparse.csr_array((signs, positions), shape=(len(rows), len(self.weights)))

    def lengths_between_nodes(self) -> scipy.sparse.csr_array:
        """Return the n × n matrix of edge lengths; of parallel edges the shortest counts."""
        return edge_lengths(
            np.column_stack([self.tails, self.heads]), self.squared_lengths, len(self.weights)
        )


def edge_lengths(edges: Indices, squared_lengths: Array, n_points: int) -> scipy.sparse.csr_array:
    """Return the matrix of edge lengths, each edge on one side of the diagonal; of parallel ones the shortest."""
    pairs = edges.min(axis=1) * n_points + edges.max(axis=1)
    shortest_first = np.lexsort((squared_lengths, pairs))
    distinct, first = np.unique(pairs[shortest_first], return_index=True)
    lengths = np.sqrt(squared_lengths[shortest_first[first]])
    return scipy.sparse.csr_array((lengths, np.divmod(distinct, n_points)), shape=(n_points, n_points))


def checked_edges(edges: ArrayLike, n_points: int) -> Indices:
    """Return the edges as an m × 2 array of indices of different points, or say which edge is wrong."""
    array = np.asarray(edges)
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "iu" or not len(array):
        raise ValueError(
            f"edges must be a non-empty m × 2 array of integers, got {array.dtype} of shape {array.shape}"
        )
    pairs = array.astype(np.intp)
    outside = (pairs < 0).any(axis=1) | (pairs >= n_points).any(axis=1)
    loops = pairs[:, 0] == pairs[:, 1]
    for wrong, rule in ((outside, f"join points 0 … {n_points - 1}"), (loops, "join two different points")):
        if wrong.any():
            first = int(np.flatnonzero(wrong)[0])
            raise ValueError(f"edges must {rule}, got edge {first} = {tuple(pairs[first].tolist())}")
    return pairs


def checked_squared_lengths(squared_lengths: ArrayLike, n_edges: int) -> Array:
    """Return the squared lengths as floats: finite, none negative, one per edge, not all zero."""
    array = as_vector(squared_lengths, "squared_lengths", length=n_edges)
    if (array < 0).any():
        raise ValueError(f"squared_lengths must be non-negative, got {array.min():.6g}")
    if not (array > 0).any():
        raise ValueError("squared_lengths must hold a positive entry, got zeros only: all points coincide")
    return array


def require_connected_edges(edges: Indices, n_points: int) -> None:
    """Refuse a graph of several components: they could drift apart for ever, the variance has no maximum."""
    count, labels = _components(edges, n_points)
    if count > 1:
        sizes: Sequence[int] = sorted(np.bincount(labels).tolist(), reverse=True)
        shown = ", ".join(map(str, sizes[:10])) + (", …" if count > 10 else "")
        raise ValueError(
            f"edges must connect all {n_points} points, got {count} components of sizes {shown}: "
            "the variance is unbounded"
        )


def merged_graph(edges: Indices, squared_lengths: Array, n_points: int) -> MergedGraph:
    """Merge the points that negligible edges hold together; drop edges inside a node."""
    require_connected_edges(edges, n_points)
    for threshold in (NEGLIGIBLE**2 * squared_lengths.mean(), 0.0):
        short = squared_lengths <= threshold
        count, node_of_point = _components(edges[short], n_points)
        if count > 1:
            break
    else:
        raise ValueError("squared_lengths must leave two points apart, got zeros that join all points")
    ends = node_of_point[edges]
    radii = np.zeros(count)
    np.add.at(radii, ends[short, 0], np.sqrt(squared_lengths[short]))
    kept = np.flatnonzero(ends[:, 0] != ends[:, 1])
    return MergedGraph(
        tails=ends[kept, 0],
        heads=ends[kept, 1],
        squared_lengths=squared_lengths[kept],
        weights=np.bincount(node_of_point, minlength=count).astype(np.float64),
        radii=radii,
        node_of_point=node_of_point,
        edge_of=kept,
    )


def _components(edges: Indices, n_points: int) -> tuple[int, Indices]:
    adjacency = scipy.sparse.coo_array(
        (np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n_points, n_points)
    )
    count, labels = connected_components(adjacency, directed=False)
    return int(count), labels.astype(np.intp)
