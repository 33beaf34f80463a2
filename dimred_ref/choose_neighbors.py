"""Choose the number of neighbours, and say why."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.csgraph import connected_components

from dimred_ref._arrays import Array, as_count, as_points, as_positive
from dimred_ref._result import Result
from dimred_ref.graph import dijkstra_paths, knn_graph

SOURCES = 100  # points from which path lengths are compared
CANDIDATES = tuple(range(5, 25))  # with fewer than five, single edges hold the graph together


@dataclass(frozen=True, eq=False, repr=False)
class NeighborChoice(Result):
    """The chosen number of neighbours, and what speaks against each other candidate."""

    n_neighbors: int
    candidates: tuple[int, ...]
    pieces: tuple[int, ...]  # connected components of each graph
    shrinkage: Array  # (candidates,), largest share of a path length that the step to this candidate removes
    reasons: tuple[str, ...]


def choose_n_neighbors(
    X: ArrayLike, *, candidates: Sequence[int] = CANDIDATES, tolerance: float = 0.5
) -> NeighborChoice:
    """Choose the largest number of neighbours before path lengths collapse.

        s(k) = 99 % quantile over pairs of 1 − Δ_k / Δ_k′        (eq-choosing-shrinkage)

    with k′ the candidate before k. More neighbours straighten paths a little; a short-circuit edge shortens
    many of them a lot. Of the connected graphs the last before the first s(k) over the tolerance is chosen.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    candidates : numbers of neighbours, ascending
    tolerance : which shrinkage counts as a collapse

    Returns
    -------
    NeighborChoice
        n_neighbors, and for each candidate pieces, shrinkage and a reason

    Cost
    ----
    At most O(N² D) time for neighbours and, for each candidate, paths from 100 points.

    Counterpart
    -----------
    None.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[t, 0.0] for t in range(30)]
    >>> dr.choose_n_neighbors(X, candidates=(2, 3, 4)).n_neighbors
    4
    """
    X = as_points(X, "X", min_rows=3)
    tolerance = as_positive(tolerance, "tolerance")
    candidates = tuple(as_count(k, "candidates", high=len(X) - 1) for k in candidates if k < len(X))
    if not candidates or list(candidates) != sorted(set(candidates)):
        raise ValueError(f"candidates must be ascending and below {len(X)}, got {candidates}")
    sources = np.linspace(0, len(X) - 1, min(SOURCES, len(X))).astype(int)
    pieces, shrinkage = _measure_graphs(X, candidates, sources)
    reasons = []
    chosen, is_open = 0, True
    for k, n_pieces, share in zip(candidates, pieces, shrinkage, strict=True):
        if n_pieces > 1:
            reasons.append(f"{n_pieces} connected components")
            continue
        is_open = is_open and share <= tolerance
        chosen = k if is_open else chosen
        reasons.append(_reason(share, is_open=is_open))
    if not chosen:
        raise ValueError(
            f"candidates must reach a connected graph, got {pieces[-1]} components at {candidates[-1]}"
        )
    reasons[candidates.index(chosen)] += "; chosen, the last without a collapse"
    return NeighborChoice(chosen, candidates, tuple(pieces), np.array(shrinkage), tuple(reasons))


def _measure_graphs(
    X: Array, candidates: tuple[int, ...], sources: NDArray[np.intp]
) -> tuple[list[int], list[float]]:
    """Return the number of components of each candidate's graph, and the shrinkage of paths in connected ones."""
    pieces, shrinkage = list[int](), list[float]()
    before: Array | None = None
    for k in candidates:
        graph = knn_graph(X, k)
        pieces.append(int(connected_components(graph, directed=False)[0]))
        shrinkage.append(0.0)
        if pieces[-1] == 1:
            paths = dijkstra_paths(graph, sources)
            shrinkage[-1] = 0.0 if before is None else _shrinkage(before, paths)
            before = paths
    return pieces, shrinkage


def _shrinkage(before: Array, after: Array) -> float:
    apart = before > 0
    return float(np.quantile(1 - after[apart] / before[apart], 0.99))


def _reason(shrinkage: float, *, is_open: bool) -> str:
    words = f"paths shrink by at most {shrinkage:.0%} (99 % of pairs)"
    return words if is_open else f"{words}: a short-circuit edge here or before"
