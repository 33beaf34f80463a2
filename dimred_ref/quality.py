"""Measure the quality of an embedding by ranks of neighbours, by distances and against a known truth."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import pdist, squareform

from dimred_ref._arrays import Array, as_count, as_points, as_symmetric
from dimred_ref._fast.ranks import ranks_by_counting, ranks_by_sorting
from dimred_ref.graph import Indices, nearest_neighbors
from dimred_ref.procrustes import rigid_alignment

FEW = 40  # neighbours: for more, all distances are sorted
ENTRIES = 1 << 18  # distances at a time


def trustworthiness(X: ArrayLike, embedding: ArrayLike, *, n_neighbors: int) -> float:
    """Are neighbours in the embedding neighbours in the data? 1 if all are; each intruder costs its rank.

    1 − 2 / (N k (2N − 3k − 1)) · Σᵢ Σ_{j ∈ N_Y(i) \\ N_X(i)} (rank_X(i, j) − k)  (eq-quality-trustworthiness)

    Parameters
    ----------
    X : (N, D) array of the data
    embedding : (N, d) array
    n_neighbors : less than N / 2

    Returns
    -------
    float
        at most 1

    Cost
    ----
    O(N² (D + d + log N)) time.

    Counterpart
    -----------
    sklearn.manifold.trustworthiness.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.trustworthiness([[0.0], [1.0], [3.0], [6.0]], [[0.0], [1.0], [2.0], [3.0]], n_neighbors=1)
    1.0
    """
    return _faithfulness(*_checked(X, embedding), n_neighbors)


def continuity(X: ArrayLike, embedding: ArrayLike, *, n_neighbors: int) -> float:
    """Are neighbours in the data neighbours in the embedding? Trustworthiness with the roles exchanged.

    Parameters
    ----------
    X : (N, D) array of the data
    embedding : (N, d) array
    n_neighbors : less than N / 2

    Returns
    -------
    float
        at most 1

    Cost
    ----
    O(N² (D + d + log N)) time.

    Counterpart
    -----------
    sklearn.manifold.trustworthiness with data and embedding exchanged.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.continuity([[0.0], [1.0], [3.0], [6.0]], [[0.0], [1.0], [2.0], [3.0]], n_neighbors=1)
    1.0
    """
    X, Y = _checked(X, embedding)
    return _faithfulness(Y, X, n_neighbors)


def _checked(X: ArrayLike, embedding: ArrayLike) -> tuple[Array, Array]:
    X, Y = as_points(X, "X"), as_points(embedding, "embedding")
    if len(X) != len(Y):
        raise ValueError(f"embedding must have {len(X)} rows like X, got {len(Y)}")
    if len(X) < 4:
        raise ValueError(f"X must have at least 4 rows to rank neighbours, got {len(X)}")
    return X, Y


def _faithfulness(X: Array, Y: Array, n_neighbors: int) -> float:
    """Return the trustworthiness of Y for X: the formula, of whatever the two are (eq-quality-trustworthiness)."""
    # beyond N/2 neighbours the worst case of the sum is another one, and the scale would be wrong
    n_neighbors = as_count(n_neighbors, "n_neighbors", high=(len(X) - 1) // 2)
    _, neighbors = nearest_neighbors(Y, n_neighbors)
    ranks = neighbor_ranks(X, neighbors)
    penalties = float(np.maximum(ranks - n_neighbors, 0).sum())
    worst = len(X) * n_neighbors * (2 * len(X) - 3 * n_neighbors - 1) / 2
    return 1 - penalties / worst


def residual_variance(distances: ArrayLike, embedding: ArrayLike) -> float:
    """Return 1 − r², with r the correlation of the given distances and those of the embedding.

    It is blind to the scale of the embedding, and 0 when the distances agree (eq-quality-residual-variance).

    Parameters
    ----------
    distances : (N, N) table
    embedding : (N, d) array

    Returns
    -------
    float
        between 0 and 1

    Cost
    ----
    O(N² d) time, O(N²) memory.

    Counterpart
    -----------
    None.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> abs(round(dr.residual_variance([[0, 1, 2], [1, 0, 1], [2, 1, 0]], [[0.0], [1.0], [2.0]]), 12))
    0.0
    """
    table, Y = as_symmetric(distances, "distances"), as_points(embedding, "embedding")
    if len(table) != len(Y):
        raise ValueError(f"embedding must have {len(table)} rows like distances, got {len(Y)}")
    if len(Y) < 3:
        raise ValueError(f"embedding must have at least 3 rows to correlate distances, got {len(Y)}")
    given = _deviations(squareform(table, checks=False), "distances")
    embedded = _deviations(pdist(Y), "embedding")
    return 1 - float(given @ embedded) ** 2 / float((given @ given) * (embedded @ embedded))


def _deviations(lengths: Array, name: str) -> Array:
    """Return lengths about their mean, in the unit of the longest: a correlation knows no unit."""
    longest = float(np.abs(lengths).max())
    if float(np.ptp(lengths)) <= 8 * np.finfo(np.float64).eps * longest:
        raise ValueError(
            f"{name} must not keep all points equally far apart, got {longest:.3g} for every pair"
        )
    in_units = lengths / longest
    return np.asarray(in_units - in_units.mean())


def procrustes_error(embedding: ArrayLike, truth: ArrayLike) -> float:
    """Return ‖truth − moved embedding‖ / ‖truth − its mean‖ after the best rigid motion.

    Parameters
    ----------
    embedding : (N, d) array
    truth : (N, d) array

    Returns
    -------
    float

    Cost
    ----
    O(N d² + d³) time.

    Counterpart
    -----------
    scipy.spatial.procrustes, which also changes the scale.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> square = [[0, 0], [1, 0], [1, 1], [0, 1]]
    >>> turned = [[5, 5], [5, 6], [4, 6], [4, 5]]
    >>> round(dr.procrustes_error(turned, square), 6)
    0.0
    """
    return rigid_alignment(embedding, truth).error


def neighbor_ranks(X: Array, neighbors: Indices) -> Indices:
    """Return the rank of each listed point as a neighbour of its row: 1 for the nearest, ties by index.

    rank(i, j) = #{l ≠ i : ‖xₗ − xᵢ‖ < ‖xⱼ − xᵢ‖, or equal and l ≤ j}
    """
    count = ranks_by_counting if neighbors.shape[1] <= FEW else ranks_by_sorting
    width = max(1, ENTRIES // len(X))
    starts = range(0, len(X), width)
    return np.concatenate([count(X, start, neighbors[start : start + width]) for start in starts])
