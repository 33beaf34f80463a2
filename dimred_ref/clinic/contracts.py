"""The contracts of the methods, checked on the reader's data: one finding is one sentence with its numbers.

A finding has a level: "good", "look" (know this before you show the map) or "bad" (a hypothesis of the method fails). `see` is a
page of the book and a place in it. To add a contract, write a function that yields findings and name it in CONTRACTS.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse.csgraph import connected_components

from dimred_ref._arrays import Array
from dimred_ref.clinic.distances import DistanceReport
from dimred_ref.clinic.linear import LinearReport, carriers, has_gap
from dimred_ref.clinic.maps import MAX_SLOW_ROWS, Map, Setting
from dimred_ref.clinic.preparation import Prepared
from dimred_ref.clinic.stability import AxesStability
from dimred_ref.graph import knn_graph

DOMINANT_SHARE = 0.8  # of the variance, by one column
MAX_CARRIERS = 5  # outliers that can be named
CARRIED_SHARE = 0.5  # of an axis, by so few
WIDE_ANGLE_DEGREES = 30.0
UNSTABLE_MAP = 0.5  # Procrustes error
MVU_GAP = 1e-6
POOR_AREA = 0.25
FEW_ROWS_PER_COLUMN = 5
NEAR_ZERO_EIGENVALUE = 1e-3


@dataclass(frozen=True)
class Finding:
    """A sentence on these data."""

    level: str
    words: str
    see: str = ""


@dataclass(frozen=True)
class Evidence:
    """All reports on a table; what a method refused is in `refused`."""

    prepared: Prepared
    linear: LinearReport
    setting: Setting
    distances: DistanceReport
    maps: Mapping[str, Map] = field(default_factory=dict)
    refused: Mapping[str, str] = field(default_factory=dict)
    axes: AxesStability | None = None
    map_errors: Mapping[str, Array] = field(default_factory=dict)


def findings(evidence: Evidence) -> list[Finding]:
    """Return all findings, the bad ones first."""
    order = {"bad": 0, "look": 1, "good": 2}
    everything = [finding for contract in CONTRACTS for finding in contract(evidence)]
    return sorted(everything, key=lambda finding: order[finding.level])


def _units(evidence: Evidence) -> Iterator[Finding]:
    prepared, shares = evidence.prepared, evidence.linear.column_shares
    worst = int(shares.argmax())
    if shares[worst] > DOMINANT_SHARE:
        yield Finding(
            "bad",
            f"Column {prepared.names[worst]!r} alone has {_percent(shares[worst])} of the variance: in these units PCA and all "
            "distances see little else. Standardise, unless the units are meant.",
            "practice#sec-practice-scaling",
        )
    elif prepared.choices.scaling == "centre":
        yield Finding(
            "good",
            f"No column dominates: the largest share of the variance is {_percent(shares[worst])}.",
            "practice#sec-practice-scaling",
        )


def _size(evidence: Evidence) -> Iterator[Finding]:
    n_rows, n_columns = evidence.prepared.X.shape
    if n_rows <= n_columns:
        yield Finding(
            "bad",
            f"{n_rows} rows and {n_columns} columns: the covariance matrix has rank at most {n_rows - 1}, and axes follow the noise of "
            "single rows.",
            "duality#sec-duality-noise",
        )
    elif n_rows < FEW_ROWS_PER_COLUMN * n_columns:
        yield Finding(
            "look",
            f"{n_rows} rows for {n_columns} columns: the largest variances come out too large, the smallest too small.",
            "duality#sec-duality-noise",
        )


def _gap(evidence: Evidence) -> Iterator[Finding]:
    report = evidence.linear
    is_gap = has_gap(report, 2)
    if is_gap is None:
        words = "two axes hold all the variance" if len(report.variances) == 2 else "one axis holds all the variance"
        yield Finding("good", f"The plane of PCA loses nothing: {words}.", "pca_error#sec-pca-error")
        return
    second, third = report.variances[1:3]
    numbers = f"λ₂ = {second:.3g}, λ₃ = {third:.3g}, N = {len(report.scores)}"
    if is_gap:
        yield Finding(
            "good", f"There is a gap after 2 ({numbers}): the plane of PCA is determined.", "pca_error#sec-pca-unique"
        )
    else:
        yield Finding(
            "bad",
            f"There is no gap after 2 ({numbers}): the plane of PCA is arbitrary, another sample would give another one.",
            "pca_error#sec-pca-unique",
        )


def _dimension(evidence: Evidence) -> Iterator[Finding]:
    report = evidence.linear
    plane = float(report.shares[:2].sum())
    level = "good" if plane > 0.7 else "look"
    count = f"{report.n_by_share} axes reach 90 %" if report.n_by_share else "90 % need more than 20 axes"
    yield Finding(
        level,
        f"The plane of PCA shows {_percent(plane)} of the variance; {count}; {_count(report.n_by_broken_stick, 'axis', 'axes')} "
        "above the broken stick.",
        "practice#sec-practice-number",
    )
    dimensions = [
        f"{value:.1f} ({name})"
        for name, value in (
            ("maximum likelihood", evidence.distances.dimension_mle),
            ("two neighbours", evidence.distances.dimension_two_nn),
        )
        if value is not None
    ]
    if dimensions:
        yield Finding(
            "look" if _first_number(evidence.distances) > 3 else "good",
            f"Near a point the data have about {' or '.join(dimensions)} dimensions; a map has 2.",
            "choosing#sec-choosing-dimension",
        )


def _first_number(distances: DistanceReport) -> float:
    return distances.dimension_mle or distances.dimension_two_nn or 0.0


def _outliers(evidence: Evidence) -> Iterator[Finding]:
    names, is_clean = evidence.prepared.row_names, True
    for axis in range(min(2, evidence.linear.scores.shape[1])):
        order, shares = carriers(evidence.linear, axis)
        n_few = min(MAX_CARRIERS, max(1, len(order) // 20))
        reached = np.flatnonzero(shares[:n_few].cumsum() > CARRIED_SHARE)
        if len(reached):
            n_carriers, is_clean = int(reached[0]) + 1, False
            listed = ", ".join(names[i] for i in order[:n_carriers])
            yield Finding(
                "bad",
                f"{_count(n_carriers, 'outlier carries', 'outliers carry')} axis {axis + 1}: {_percent(shares[:n_carriers].sum())} "
                f"of its variance (row {listed}). Look at them, and repeat without them.",
                "practice#sec-practice-outliers",
            )
    if is_clean:
        yield Finding(
            "good", "No few points carry one of the first two axes.", "practice#sec-practice-outliers"
        )


def _copies(evidence: Evidence) -> Iterator[Finding]:
    copies = evidence.distances.n_copies
    if copies:
        yield Finding(
            "look",
            f"{_count(copies, 'row is a copy', 'rows are copies')} of others: neighbours at distance 0 bind their neighbourhood.",
            "isomap#sec-isomap-steps",
        )


def _pieces(evidence: Evidence) -> Iterator[Finding]:
    setting = evidence.setting
    k = setting.n_neighbors
    if len(setting.pieces) > 1:
        sizes = ", ".join(map(str, setting.pieces[:6])) + (", …" if len(setting.pieces) > 6 else "")
        yield Finding(
            "bad",
            f"k = {k} gives {_count(len(setting.pieces), 'piece', 'pieces')} (of {sizes} points): Isomap, LLE, Laplacian eigenmaps and MVU "
            f"show the largest only.{_joining(setting)}",
            "isomap_limits#sec-isomap-failures",
        )
        return
    source = {"data": "chosen from the data", "reader": "your choice", "default": "the default"}[setting.chosen_by]
    yield Finding(
        "good", f"k = {k} ({source}) joins all {len(setting.X)} points.", "choosing#sec-choosing-dimension"
    )
    if k > setting.X.shape[1]:
        yield Finding(
            "look",
            f"k = {k} neighbours in {setting.X.shape[1]} dimensions: the weights of LLE are not unique, the ridge decides.",
            "lle#sec-lle-ridge",
        )


def _joining(setting: Setting) -> str:
    size = len(setting.X)
    for k in range(setting.n_neighbors + 1, min(size, 61)):
        if connected_components(knn_graph(setting.X, k), directed=False)[0] == 1:
            return f" The graph is connected from k = {k} on."
    return " No k up to 60 joins them: analyse the pieces one by one."


def _collapse(evidence: Evidence) -> Iterator[Finding]:
    setting = evidence.setting
    collapsed = [
        k for k, words in zip(setting.candidates, setting.reasons, strict=True) if "short-circuit" in words
    ]
    if collapsed:
        yield Finding(
            "look",
            f"From k = {collapsed[0]} on path lengths collapse: a short-circuit edge. k = {setting.n_neighbors} is below.",
            "choosing#sec-choosing-dimension",
        )


def _bent(evidence: Evidence) -> Iterator[Finding]:
    stretch, negative = evidence.distances.geodesic_stretch, evidence.distances.geodesic_negative_share
    if stretch is None or negative is None:
        return
    bent = "bent: a nonlinear map may pay" if stretch > 1.5 else "hardly bent: expect little beyond PCA"
    yield Finding(
        "look" if stretch > 1.5 else "good",
        f"Paths along the data are {stretch:.2f} times as long as straight lines (median): the data are {bent}.",
        "isomap#sec-isomap-manifold",
    )
    if negative > 0.1:
        yield Finding(
            "look",
            f"Path lengths are not Euclidean: {_percent(negative)} of the spectrum is negative, and Isomap drops it.",
            "classical_mds#sec-classical-mds-which",
        )


def _mvu_gap(evidence: Evidence) -> Iterator[Finding]:
    unfolding = evidence.maps.get("MVU")
    if unfolding is None:
        return
    gap, share = float(unfolding.facts["gap"]), float(unfolding.facts["share of variance in the plane"])
    proved = f"MVU gap {gap:.0e}: no unfolding of these edges is wider by more than that factor"
    if gap > MVU_GAP:
        yield Finding("look", f"MVU gap {gap:.0e}: the unfolding may not be the widest.", "mvu_dual#sec-mvu-certificate")
    else:
        sampled = f" ({len(unfolding.rows)} points)" if len(unfolding.rows) == MAX_SLOW_ROWS["MVU"] else ""
        yield Finding(
            "good", f"{proved}{sampled}; the plane shows {_percent(share)} of it.", "mvu_dual#sec-mvu-certificate"
        )


def _laplacian_gap(evidence: Evidence) -> Iterator[Finding]:
    fit = evidence.maps.get("Laplacian eigenmaps")
    if fit is None or "second eigenvalue" not in fit.facts:
        return
    first, second = float(fit.facts["first eigenvalue"]), float(fit.facts["second eigenvalue"])
    if first < NEAR_ZERO_EIGENVALUE < 10 * first < second:
        yield Finding(
            "look",
            f"The first eigenvalue of the Laplacian is {first:.1e}, the second {second:.1e}: two groups hang together by few edges, and "
            "the first coordinate only tells them apart.",
            "laplacian_eigenmaps#sec-laplacian-eigenmaps-zero",
        )


def _stability(evidence: Evidence) -> Iterator[Finding]:
    axes = evidence.axes
    if axes is not None and axes.plane_degrees is not None:
        median, high = axes.plane_degrees[1:]
        level = "good" if high < WIDE_ANGLE_DEGREES else "bad" if median > WIDE_ANGLE_DEGREES else "look"
        yield Finding(
            level,
            f"Over bootstrap samples the plane of PCA turns by {median:.0f}° (median; 95 %: {high:.0f}°).",
            "svd_stability#thm-svd-davis-kahan",
        )
    shaky = [name for name, errors in evidence.map_errors.items() if errors[1] > UNSTABLE_MAP]
    if shaky:
        yield Finding(
            "look",
            f"Without a fifth of the points {', '.join(shaky)} {'gives' if len(shaky) == 1 else 'give'} another map (Procrustes error above "
            f"{UNSTABLE_MAP}): do not interpret single positions.",
            "isomap_limits#sec-isomap-points",
        )


def _quality(evidence: Evidence) -> Iterator[Finding]:
    whole = {name: fit for name, fit in evidence.maps.items() if len(fit.rows) == len(evidence.setting.X)}
    if "PCA" not in whole:
        return
    best = max(whole.values(), key=lambda fit: fit.area)
    linear = whole["PCA"]
    words = f"Neighbours are kept best by {best.name} (area {best.area:.2f}); PCA has {linear.area:.2f}."
    if best.area < POOR_AREA:
        yield Finding("bad", f"{words} All maps lose most neighbourhoods.", "choosing#sec-choosing-rank-curves")
    else:
        yield Finding("good", words, "choosing#sec-choosing-rank-curves")


def _refusals(evidence: Evidence) -> Iterator[Finding]:
    for name, words in evidence.refused.items():
        yield Finding("look", f"{name} was refused: {words}.")


CONTRACTS: tuple[Callable[[Evidence], Iterator[Finding]], ...] = (
    _units,
    _size,
    _outliers,
    _gap,
    _dimension,
    _copies,
    _pieces,
    _collapse,
    _bent,
    _laplacian_gap,
    _mvu_gap,
    _stability,
    _quality,
    _refusals,
)


def _percent(share: float | np.floating) -> str:
    return f"{100 * share:.1f} %"


def _count(number: int, singular: str, plural: str) -> str:
    return f"{number} {singular if number == 1 else plural}"

