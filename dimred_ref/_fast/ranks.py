"""Ranks of a few points among all: how many are nearer? The clear version sorts all distances of a row."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from dimred_ref._arrays import Array

Indices = NDArray[np.intp]


def ranks_by_sorting(X: Array, first: int, neighbors: Indices) -> Indices:
    """Return the ranks of the listed points as neighbours of the rows from `first` on: sort each row."""
    order = np.argsort(_distances(X, first, len(neighbors)), axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(len(X))[None, :], axis=1)
    return np.take_along_axis(ranks, neighbors, axis=1)


def ranks_by_counting(X: Array, first: int, neighbors: Indices) -> Indices:
    """Return the same by counting what is nearer: a pass per neighbour, less than a sort for few of them."""
    table = _distances(X, first, len(neighbors))
    lengths = np.take_along_axis(table, neighbors, axis=1)
    ranks = np.empty(neighbors.shape, dtype=np.intp)
    for a in range(neighbors.shape[1]):
        length = lengths[:, a, None]
        ranks[:, a] = np.count_nonzero(table < length, axis=1)
        equal = table == length
        for row in np.flatnonzero(
            np.count_nonzero(equal, axis=1) > 1
        ):  # ties: those with smaller indices first
            ranks[row, a] += np.count_nonzero(equal[row, : neighbors[row, a]])
    return ranks


def _distances(X: Array, first: int, count: int) -> Array:
    """Return the distances of some rows to all points; a point is before all others, its copies too."""
    rows = np.arange(first, first + count)
    table: Array = cdist(X[rows], X, "sqeuclidean")
    table[np.arange(count), rows] = -1.0
    return table
