"""Quality over all numbers of neighbours at once, from the co-ranking matrix."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist

from dimred_ref._arrays import Array, as_points
from dimred_ref._result import Result


@dataclass(frozen=True, eq=False, repr=False)
class RankCurves(Result):
    """Shares of kept neighbours for k = 1 … N − 2, and their mean over log k."""

    kept: Array  # (N − 2,), Q_NX(k), the mean share of common neighbours
    gained: Array  # (N − 2,), R_NX(k): 0 for a random map, 1 for a perfect one
    area: float  # mean of R_NX with weights 1/k


def coranking_matrix(X: ArrayLike, embedding: ArrayLike) -> NDArray[np.int64]:
    """Count pairs by their two ranks: entry (r, s) for rank r + 1 in the data and s + 1 on the map."""
    X, Y = as_points(X, "X", min_rows=4), as_points(embedding, "embedding")
    if len(X) != len(Y):
        raise ValueError(f"embedding must have {len(X)} rows like X, got {len(Y)}")
    size = len(X)
    places = _ranks(X) * size + _ranks(Y)
    counts = np.bincount(places.ravel(), minlength=size * size).reshape(size, size)
    return np.asarray(counts[1:, 1:], dtype=np.int64)  # without the points themselves, at rank 0


def rank_curves(X: ArrayLike, embedding: ArrayLike) -> RankCurves:
    """Return for each k which share of the k nearest neighbours is kept.

        Q(k) = Σᵢ |N_X(i) ∩ N_Y(i)| / kN,   R(k) = ((N−1) Q(k) − k) / (N−1−k)     (eq-choosing-rank-curves)

    Parameters
    ----------
    X : (N, D) array of the data
    embedding : (N, d) array

    Returns
    -------
    RankCurves
        kept, gained, both (N − 2,), and area

    Cost
    ----
    O(N² (D + d + log N)) time, O(N²) memory.

    Counterpart
    -----------
    None in scikit-learn; coranking in the package of that name.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.rank_curves([[0.0], [1.0], [3.0], [6.0]], [[0.0], [2.0], [6.0], [12.0]]).area
    1.0
    """
    counts = coranking_matrix(X, embedding)
    size = len(counts) + 1
    k = np.arange(1, size - 1)
    blocks = counts.cumsum(axis=0).cumsum(axis=1).diagonal()[:-1]
    kept = blocks / (k * size)
    gained = ((size - 1) * kept - k) / (size - 1 - k)
    return RankCurves(kept, gained, float(np.sum(gained / k) / np.sum(1 / k)))


def _ranks(X: Array) -> NDArray[np.intp]:
    table = cdist(X, X, "sqeuclidean")
    np.fill_diagonal(table, -1.0)
    order = np.argsort(table, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(len(X))[None, :], axis=1)
    return ranks
