"""Metric multidimensional scaling: distances themselves, by majorisation (SMACOF)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import pdist, squareform

from dimred_ref._arrays import Array, as_count, as_matrix, as_positive, as_symmetric
from dimred_ref._result import Result
from dimred_ref.classical_mds import classical_mds

MAX_STEPS = 10**6


@dataclass(frozen=True, eq=False, repr=False)
class MetricMDS(Result):
    """A map whose distances come near to those of a table, and how near at each step."""

    embedding: Array  # (N, d), of mean 0
    stress: float  # Σ_{i<j} (δᵢⱼ − dᵢⱼ)²
    stresses: Array  # (steps + 1,), never increasing


def metric_mds(
    distances: ArrayLike,
    n_components: int,
    *,
    start: ArrayLike | None = None,
    n_steps: int = 300,
    tolerance: float = 1e-9,
) -> MetricMDS:
    """Place points so that their distances come near to those of a table.

        min σ(Y) = Σ_{i<j} (δᵢⱼ − ‖yᵢ − yⱼ‖)²                  (eq-metric-mds-stress)
        Y ← B(Y) Y / N,   bᵢⱼ = −δᵢⱼ / ‖yᵢ − yⱼ‖, B 1 = 0       (eq-metric-mds-guttman)

    The stress never increases. There are local minima; the default start is classical scaling.

    Parameters
    ----------
    distances : (N, N) symmetric table, not negative
    n_components : number of coordinates, at most N − 1
    start : (N, d) first map, or None for classical scaling
    n_steps : at most so many steps
    tolerance : of the decrease in a step, relative to the stress, at which it stops

    Returns
    -------
    MetricMDS
        embedding (N, d), stress, stresses

    Cost
    ----
    O(N² d) time a step, O(N²) memory.

    Counterpart
    -----------
    sklearn.manifold.MDS, and sklearn.manifold.smacof.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.metric_mds([[0, 1, 2], [1, 0, 1], [2, 1, 0]], 1).stress < 1e-9
    True
    """
    table = as_symmetric(distances, "distances")
    if table.min() < 0 or np.diag(table).any():
        raise ValueError("distances must be non-negative, with zeros on the diagonal")
    n_components = as_count(n_components, "n_components", high=len(table) - 1)
    n_steps = as_count(n_steps, "n_steps", high=MAX_STEPS)
    tolerance = as_positive(tolerance, "tolerance", zero_allowed=True)
    Y = classical_mds(table, n_components).embedding if start is None else as_matrix(start, "start")
    if Y.shape != (len(table), n_components):
        raise ValueError(f"start must have shape {(len(table), n_components)}, got {Y.shape}")
    Y = Y - Y.mean(axis=0)
    stresses = [raw_stress(table, Y)]
    for _ in range(n_steps):
        Y = guttman_transform(table, Y)
        stresses.append(raw_stress(table, Y))
        if stresses[-2] - stresses[-1] <= tolerance * stresses[-2]:
            break
    return MetricMDS(Y, stresses[-1], np.array(stresses))


def raw_stress(distances: Array, Y: Array) -> float:
    """Return Σ_{i<j} (δᵢⱼ − ‖yᵢ − yⱼ‖)² (eq-metric-mds-stress)."""
    return float(np.sum((squareform(distances, checks=False) - pdist(Y)) ** 2))


def guttman_transform(distances: Array, Y: Array) -> Array:
    """Return B(Y) Y / N, the minimum of the majorising quadratic (eq-metric-mds-guttman)."""
    lengths = squareform(pdist(Y))
    ratios = np.divide(distances, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return np.asarray((ratios.sum(axis=1)[:, None] * Y - ratios @ Y) / len(Y))
