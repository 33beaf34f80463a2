"""Estimate the intrinsic dimension of data from distances to neighbours, in three ways."""

import numpy as np
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_count, as_points, as_positive
from dimred_ref.graph import nearest_neighbors


def mle_dimension(X: ArrayLike, *, n_neighbors: int) -> float:
    """Return the maximum likelihood estimate of Levina and Bickel, averaged as by MacKay and Ghahramani.

        1/d = mean over i and j < k of log(T_k(i) / T_j(i))        (eq-choosing-mle)

    with T_j(i) the distance from point i to its j-th neighbour.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_neighbors : k, at least 2

    Returns
    -------
    float

    Cost
    ----
    At most O(N² D) time, O(N k) memory.

    Counterpart
    -----------
    None in scikit-learn; skdim.id.MLE.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[t, 2 * t, 3 * t] for t in (0.0, 1.0, 2.2, 3.1, 4.4, 5.0)]
    >>> round(dr.mle_dimension(X, n_neighbors=3), 2)
    1.31
    """
    n_neighbors = as_count(n_neighbors, "n_neighbors", low=2, high=len(as_points(X, "X", min_rows=3)) - 1)
    distances = _positive_distances(X, n_neighbors)
    return float(1 / np.log(distances[:, -1:] / distances[:, :-1]).mean())


def two_nn_dimension(X: ArrayLike, *, discarded: float = 0.1) -> float:
    """Return the estimate of Facco and others from the ratio of the first two distances.

        −log(1 − F(μ)) = d log μ,   μ = T₂ / T₁        (eq-choosing-two-nn)

    fitted by a line through the origin, without the share of the largest ratios.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    discarded : share of the largest ratios that is left out

    Returns
    -------
    float

    Cost
    ----
    At most O(N² D) time, O(N) memory.

    Counterpart
    -----------
    None in scikit-learn; skdim.id.TwoNN.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[t, 2 * t, 3 * t] for t in (0.0, 1.0, 2.2, 3.1, 4.4, 5.0)]
    >>> dr.two_nn_dimension(X) > 0
    True
    """
    as_points(X, "X", min_rows=5)
    discarded = as_positive(discarded, "discarded", zero_allowed=True)
    if discarded >= 1:
        raise ValueError(f"discarded must be less than 1, got {discarded}")
    distances = _positive_distances(X, 2)
    ratios = np.sort(np.log(distances[:, 1] / distances[:, 0]))
    count = max(2, int(len(ratios) * (1 - discarded)))
    levels = -np.log1p(-np.arange(count) / len(ratios))  # F of the i-th of N ratios is i / N, from 0
    return float(ratios[:count] @ levels / (ratios[:count] @ ratios[:count]))


def correlation_dimension(X: ArrayLike, *, n_neighbors: tuple[int, int] = (5, 20)) -> float:
    """Return the slope of log C(r) against log r, with C the share of pairs nearer than r.

        d = (log C(r₂) − log C(r₁)) / (log r₂ − log r₁)        (eq-choosing-correlation)

    r₁ and r₂ are the median distances to the two numbered neighbours.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_neighbors : two numbers of neighbours, the smaller first

    Returns
    -------
    float

    Cost
    ----
    At most O(N² D) time, O(N k) memory.

    Counterpart
    -----------
    None in scikit-learn; skdim.id.CorrInt.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[float(t)] for t in range(40)]
    >>> round(dr.correlation_dimension(X, n_neighbors=(2, 10)))
    1
    """
    points = as_points(X, "X", min_rows=4)
    few, many = n_neighbors
    many = as_count(many, "n_neighbors[1]", low=2, high=len(points) - 1)
    few = as_count(few, "n_neighbors[0]", high=many - 1)
    distances = nearest_neighbors(points, min(3 * many, len(points) - 1))[0]
    radii = np.median(distances[:, [few - 1, many - 1]], axis=0)
    if not 0 < radii[0] < radii[1]:
        raise ValueError(f"X must have few copies of points, got radii {radii[0]:.3g} and {radii[1]:.3g}")
    # of a dense region, farther neighbours than 3 · many may be within the radius: they are not counted
    counts = [np.count_nonzero(distances <= radius) for radius in radii]
    return float(np.log(counts[1] / counts[0]) / np.log(radii[1] / radii[0]))


def _positive_distances(X: ArrayLike, n_neighbors: int) -> Array:
    """Return distances to neighbours without the rows in which a copy of the point is the nearest."""
    distances = nearest_neighbors(X, n_neighbors)[0]
    distances = distances[distances[:, 0] > 0]
    if not (len(distances) and (distances[:, -1] > distances[:, 0]).any()):
        raise ValueError("X must have points whose neighbours are at different distances")
    return distances
