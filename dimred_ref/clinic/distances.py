"""Distances between the rows of a table: their spread, copies, dimension, and how bent the data are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform

from dimred_ref._arrays import Array
from dimred_ref.classical_mds import gram_spectrum
from dimred_ref.clinic.maps import Setting
from dimred_ref.clinic.preparation import draw_rows
from dimred_ref.graph import knn_graph, largest_component, nearest_neighbors, shortest_paths
from dimred_ref.intrinsic_dimension import mle_dimension, two_nn_dimension

N_BINS = 24
MAX_SPECTRUM_ROWS = 300  # an eigenproblem of all pairs
MAX_DIMENSION_RATIO = 1.5  # estimate over columns; sampling errors exceed 1


@dataclass(frozen=True)
class DistanceReport:
    """Distances of the mapped rows."""

    edges: Array  # (bins + 1,) of the histogram
    counts: NDArray[np.int64]
    n_copies: int  # rows that equal an earlier row
    contrast: float  # median of largest over smallest distance of a row; near 1, all are equally far
    dimension_mle: float | None
    dimension_two_nn: float | None
    geodesic_negative_share: float | None  # of Σ|λ| of the Gram matrix of path lengths
    geodesic_stretch: float | None  # median path length over median distance


def distance_report(setting: Setting) -> DistanceReport:
    """Return what the distances of the mapped rows say before any map is made."""
    X = setting.X
    lengths = pdist(X)
    counts, edges = np.histogram(lengths, bins=N_BINS, range=(0.0, float(lengths.max())))
    distinct = np.unique(X, axis=0)
    nearest = nearest_neighbors(distinct, 1)[0][:, 0]
    farthest = squareform(pdist(distinct)).max(axis=1)
    negative, stretch = _geodesics(setting)
    return DistanceReport(
        edges=edges,
        counts=counts.astype(np.int64),
        n_copies=len(X) - len(distinct),
        contrast=float(np.median(farthest / nearest)),
        dimension_mle=_dimension_mle(distinct, setting.n_neighbors),
        dimension_two_nn=_dimension_two_nn(distinct),
        geodesic_negative_share=negative,
        geodesic_stretch=stretch,
    )


def _dimension_mle(distinct: Array, n_neighbors: int) -> float | None:
    try:
        estimate = mle_dimension(distinct, n_neighbors=max(3, min(n_neighbors, len(distinct) - 1)))
    except ValueError:  # too few rows that differ
        return None
    return _possible(float(estimate), distinct)


def _dimension_two_nn(distinct: Array) -> float | None:
    try:
        estimate = two_nn_dimension(distinct)
    except ValueError:  # too few rows that differ, or ties
        return None
    return _possible(float(estimate), distinct)


def _possible(estimate: float, points: Array) -> float | None:
    """Return an estimate of the dimension, None if it is far above the number of columns, as on a grid."""
    return estimate if estimate <= MAX_DIMENSION_RATIO * points.shape[1] else None


def _geodesics(setting: Setting) -> tuple[float | None, float | None]:
    """Return the negative share of the spectrum of path lengths, and how much longer paths are than chords."""
    X = np.unique(setting.X[setting.members], axis=0)  # copies fill a neighbourhood, and paths take detours
    if len(X) < 4:
        return None, None
    X = X[draw_rows(len(X), MAX_SPECTRUM_ROWS)]
    graph = knn_graph(X, min(setting.n_neighbors, len(X) - 1))
    kept = largest_component(graph)
    if len(kept) < 4:
        return None, None
    paths = shortest_paths(graph[kept][:, kept])
    spectrum = gram_spectrum(paths)
    total = float(np.abs(spectrum).sum())
    chords = np.median(pdist(X[kept]))
    if total == 0 or chords == 0:
        return None, None
    above = np.triu_indices(len(kept), 1)
    return float(-spectrum[spectrum < 0].sum() / total), float(np.median(paths[above]) / chords)
