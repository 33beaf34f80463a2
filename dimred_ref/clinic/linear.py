"""PCA of a prepared table: spectrum, scores, loadings, and the points that carry an axis."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dimred_ref._arrays import Array
from dimred_ref.clinic.preparation import Prepared
from dimred_ref.pca import pca
from dimred_ref.practice import broken_stick, n_components_for

MAX_AXES = 20
SHARE_TO_KEEP = 0.9


@dataclass(frozen=True)
class LinearReport:
    """PCA with divisor N, and what is read from it."""

    scores: Array  # (N, axes)
    axes: Array  # (D, axes)
    variances: Array  # (axes,)
    total_variance: float
    shares: Array  # (axes,), of the total variance
    correlations: Array  # (D, axes), of each column with each score: the loadings that a biplot shows
    n_by_share: int | None  # axes for 90 % of the variance; None if more than are computed
    n_by_broken_stick: int  # leading axes with more than the broken stick's share
    column_shares: Array  # (D,), of the total variance before rotation


def linear_report(prepared: Prepared) -> LinearReport:
    """Return PCA of a prepared table; axes without variance are left out."""
    X = prepared.X
    fit = pca(X, min(MAX_AXES, X.shape[1], len(X) - 1))
    n_axes = max(1, int(np.count_nonzero(fit.variances > 1e-12 * fit.total_variance)))
    variances, scores, axes = fit.variances[:n_axes], fit.embedding[:, :n_axes], fit.axes[:, :n_axes]
    shares = variances / fit.total_variance
    column_variances = X.var(axis=0)
    return LinearReport(
        scores=scores,
        axes=axes,
        variances=variances,
        total_variance=fit.total_variance,
        shares=shares,
        correlations=axes * np.sqrt(variances) / np.sqrt(column_variances)[:, None],
        n_by_share=n_components_for(variances, SHARE_TO_KEEP) if shares.sum() > 1 - 1e-9 else _first(shares),
        n_by_broken_stick=_leading(shares > broken_stick(X.shape[1])[:n_axes]),
        column_shares=column_variances / column_variances.sum(),
    )


def _first(shares: Array) -> int | None:
    reached = np.flatnonzero(shares.cumsum() >= SHARE_TO_KEEP)
    return int(reached[0]) + 1 if len(reached) else None


def _leading(is_large: NDArray[np.bool_]) -> int:
    return len(is_large) if is_large.all() else int(np.argmin(is_large))


def carriers(report: LinearReport, axis: int) -> tuple[NDArray[np.intp], Array]:
    """Return the points by their share of the variance along an axis, largest first, and these shares.

    yᵢ² / (N λ)        (eq-pca-scores)
    """
    shares = report.scores[:, axis] ** 2 / (len(report.scores) * report.variances[axis])
    order = np.argsort(-shares, kind="stable")
    return order, shares[order]


def has_gap(report: LinearReport, n_axes: int) -> bool | None:
    """Return whether λ after n_axes falls by more than two sampling errors; None if no axis follows.

    The error of a variance from N samples of a Gaussian is about λ √(2/N) (North's rule of thumb).
    """
    if len(report.variances) <= n_axes:
        return None
    kept, lost = report.variances[n_axes - 1 : n_axes + 1]
    return bool(kept - lost > 2 * kept * np.sqrt(2 / len(report.scores)))
