"""Nearest points: by a k-d tree where the data have few dimensions, by products of coordinates elsewhere.

Both find what sorting all distances would: of points that are equally distant, those with the smaller index.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from dimred_ref._arrays import Array

Indices = NDArray[np.intp]
Singles = NDArray[np.float32]

FLAT = 5  # columns up to which a tree is always faster,
TREE_COLUMNS = 60  # and up to which it is where the data themselves have at most so many dimensions:
TREE_DIMENSION = 4.5
TIE = 1e-12  # relative: distances by a tree that are this close may be equal
BLOCK = 64  # queries at once: their products with all points stay in the cache
GROUPS = 12  # of points, per neighbour: so many that two of the nearest seldom meet in one
CROWD = 8  # candidates per neighbour, on average: with more, one table of distances is faster


def nearest(X: Array, queries: Array, count: int) -> tuple[Array, Indices]:
    """Return the distances and the indices of the count rows of X nearest to each query, nearest first."""
    search = by_tree if _is_for_a_tree(X, count) else by_products
    return search(X, queries, count)


def _is_for_a_tree(X: Array, count: int) -> bool:
    if X.shape[1] <= FLAT or X.shape[1] > TREE_COLUMNS:
        return bool(X.shape[1] <= FLAT)
    return local_dimension(X, max(count, 10)) <= TREE_DIMENSION


def local_dimension(X: Array, count: int) -> float:
    """Estimate from a few points how fast their neighbours become more: rⱼ ∝ j^(1/d) for the j-th of them.

    1/d = mean of log(r_k / rⱼ),   j < k
    """
    few = X[:: max(1, len(X) // BLOCK)][:BLOCK]
    distances = by_products(X, few, min(count + 1, len(X)))[0][:, 1:]
    distances = distances[(distances > 0).all(axis=1)]  # copies tell nothing
    ratios = distances[:, -1:] / distances[:, :-1]
    return float(1 / np.log(ratios).mean()) if (ratios > 1).any() else 0.0


def by_tree(X: Array, queries: Array, count: int) -> tuple[Array, Indices]:
    """Ask a k-d tree; where it met a tie, which it breaks as it likes, measure again."""
    distances, indices = cKDTree(X).query(queries, [*range(1, min(count + 1, len(X)) + 1)])
    is_tied = (distances[:, 1:] <= (1 + TIE) * distances[:, :-1]).any(axis=1)
    distances, indices = distances[:, :count], indices[:, :count]
    if is_tied.any():
        distances[is_tied], indices[is_tied] = by_products(X, queries[is_tied], count)
    return distances, indices


def by_products(X: Array, queries: Array, count: int) -> tuple[Array, Indices]:
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
