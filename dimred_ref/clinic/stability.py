"""Stability over resamples: does another sample of the same kind give the same axes, the same map?"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import subspace_angles

from dimred_ref._arrays import Array
from dimred_ref.clinic.maps import METHODS, NEED_CONNECTED, Setting
from dimred_ref.clinic.preparation import SEED, Prepared, draw_rows
from dimred_ref.graph import knn_graph, largest_component
from dimred_ref.pca import pca
from dimred_ref.procrustes import similarity_alignment

N_BOOTSTRAPS = 30
N_SUBSAMPLES = 5
SUBSAMPLE_SHARE = 0.8
MAX_RESAMPLED_ROWS = 300  # of maps
STABLE_MAPS = ("PCA", "Isomap", "LLE", "Laplacian eigenmaps", "kernel PCA")


@dataclass(frozen=True)
class AxesStability:
    """Percentiles over bootstrap samples: 5, 50 and 95."""

    first_axis_degrees: Array  # (3,), angle between the first axis and that of the sample
    plane_degrees: Array | None  # (3,), largest angle between the planes; None without a third axis
    share_of_plane: Array  # (3,)


def axes_stability(prepared: Prepared) -> AxesStability:
    """Repeat PCA on bootstrap samples of the rows."""
    X = prepared.X
    rng = np.random.default_rng(SEED)
    whole = pca(X, 2).axes
    first, plane, shares = [], [], []
    for _ in range(N_BOOTSTRAPS):
        sample = X[rng.integers(0, len(X), len(X))]
        if not np.ptp(sample, axis=0).any():
            continue  # one row, drawn again and again
        fit = pca(sample, 2)
        first.append(np.degrees(subspace_angles(whole[:, :1], fit.axes[:, :1])).max())
        plane.append(np.degrees(subspace_angles(whole, fit.axes)).max())
        shares.append(fit.variances.sum() / fit.total_variance)
    return AxesStability(
        _percentiles(first), _percentiles(plane) if X.shape[1] > 2 else None, _percentiles(shares)
    )


def map_stability(name: str, setting: Setting) -> Array:
    """Return percentiles of how much a map changes when a fifth of the points is left out.

    Each is the Procrustes error, after the best similarity, between the whole map and the smaller one on common
    points: 0 for the same map, near 1 for another one.
    """
    members = setting.members if name in NEED_CONNECTED else np.arange(len(setting.X))
    X = setting.X[members[draw_rows(len(members), MAX_RESAMPLED_ROWS)]]
    X = (
        X[largest_component(knn_graph(X, min(setting.n_neighbors, len(X) - 1)))]
        if name in NEED_CONNECTED
        else X
    )
    whole = METHODS[name](X, setting)[0]
    errors = []
    for seed in range(1, N_SUBSAMPLES + 1):
        places = draw_rows(len(X), int(SUBSAMPLE_SHARE * len(X)), seed)
        n_neighbors = min(setting.n_neighbors, len(places) - 1)
        if name in NEED_CONNECTED:
            places = places[largest_component(knn_graph(X[places], n_neighbors))]
        part = METHODS[name](X[places], replace(setting, n_neighbors=min(n_neighbors, len(places) - 1)))[0]
        errors.append(similarity_alignment(part, whole[places]).error)
    return _percentiles(errors)


def _percentiles(values: list[float]) -> Array:
    return np.percentile(values, [5, 50, 95])
