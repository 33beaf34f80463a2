"""Contracts of PCA, checked on the reader's data."""

from collections.abc import Iterator

import numpy as np

from dimred_ref.clinic.distances import DistanceReport
from dimred_ref.clinic.evidence import Evidence, Finding, format_count, format_percent
from dimred_ref.clinic.linear import carriers, has_gap

DOMINANT_SHARE = 0.8  # of the variance, by one column
MAX_CARRIERS = 5  # outliers that can be named
CARRIED_SHARE = 0.5  # of an axis, by so few
FEW_ROWS_PER_COLUMN = 5


def units_contract(evidence: Evidence) -> Iterator[Finding]:
    """Check that no column dominates by its unit."""
    prepared, shares = evidence.prepared, evidence.linear.column_shares
    worst = int(shares.argmax())
    if shares[worst] > DOMINANT_SHARE:
        yield Finding(
            "bad",
            f"Column {prepared.names[worst]!r} alone has {format_percent(shares[worst])} of the variance: in "
            "these units PCA and all "
            "distances see little else. Standardise, unless the units are meant.",
            "practice#sec-practice-scaling",
        )
    elif prepared.choices.scaling == "centre":
        yield Finding(
            "good",
            f"No column dominates: the largest share of the variance is {format_percent(shares[worst])}.",
            "practice#sec-practice-scaling",
        )


def size_contract(evidence: Evidence) -> Iterator[Finding]:
    """Check that there are rows enough for the columns."""
    n_rows, n_columns = evidence.prepared.X.shape
    if n_rows <= n_columns:
        yield Finding(
            "bad",
            f"{n_rows} rows and {n_columns} columns: the covariance matrix has rank at most "
            f"{n_rows - 1}, and axes follow the noise of "
            "single rows.",
            "duality#sec-duality-noise",
        )
    elif n_rows < FEW_ROWS_PER_COLUMN * n_columns:
        yield Finding(
            "look",
            f"{n_rows} rows for {n_columns} columns: the largest variances come out too large, the "
            "smallest too small.",
            "duality#sec-duality-noise",
        )


def outliers_contract(evidence: Evidence) -> Iterator[Finding]:
    """Check that no few points carry an axis."""
    names, is_clean = evidence.prepared.row_names, True
    for axis in range(min(2, evidence.linear.scores.shape[1])):
        order, shares = carriers(evidence.linear, axis)
        n_few = min(MAX_CARRIERS, max(1, len(order) // 20))
        n_carriers = int(np.count_nonzero(shares[:n_few] > shares[0] / 4))  # those of the size of the first
        if shares[:n_carriers].sum() > CARRIED_SHARE:
            is_clean = False
            listed = ", ".join(names[i] for i in order[:n_carriers])
            them = "it" if n_carriers == 1 else "them"
            yield Finding(
                "bad",
                f"{format_count(n_carriers, 'outlier carries', 'outliers carry')} axis {axis + 1}: "
                f"{format_percent(shares[:n_carriers].sum())} "
                f"of its variance (row {listed}). Look at {them}, and repeat without {them}.",
                "practice#sec-practice-outliers",
            )
    if is_clean:
        yield Finding(
            "good", "No few points carry one of the first two axes.", "practice#sec-practice-outliers"
        )


def gap_contract(evidence: Evidence) -> Iterator[Finding]:
    """Check that the plane of PCA is determined."""
    report = evidence.linear
    is_gap = has_gap(report, 2)
    if is_gap is None:
        words = (
            "two axes hold all the variance"
            if len(report.variances) == 2
            else "one axis holds all the variance"
        )
        yield Finding("good", f"The plane of PCA loses nothing: {words}.", "pca_error#sec-pca-error")
        return
    second, third = report.variances[1:3]
    numbers = f"λ₂ = {second:.3g}, λ₃ = {third:.3g}, N = {len(report.scores)}"
    if is_gap:
        yield Finding(
            "good",
            f"There is a gap after 2 ({numbers}): the plane of PCA is determined.",
            "pca_error#sec-pca-unique",
        )
    else:
        yield Finding(
            "bad",
            f"There is no gap after 2 ({numbers}): the plane of PCA is arbitrary, another sample would "
            "give another one.",
            "pca_error#sec-pca-unique",
        )


def dimension_contract(evidence: Evidence) -> Iterator[Finding]:
    """Compare the dimension of the data with that of a map."""
    report = evidence.linear
    plane = float(report.shares[:2].sum())
    level = "good" if plane > 0.7 else "look"
    reach = format_count(report.n_by_share or 0, "axis reaches", "axes reach")
    count = f"{reach} 90 %" if report.n_by_share else "90 % need more than 20 axes"
    yield Finding(
        level,
        f"The plane of PCA shows {format_percent(plane)} of the variance; {count}; "
        f"{format_count(report.n_by_broken_stick, 'axis', 'axes')} "
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


def copies_contract(evidence: Evidence) -> Iterator[Finding]:
    """Count copies of rows."""
    copies = evidence.distances.n_copies
    if copies:
        yield Finding(
            "look",
            f"{format_count(copies, 'row is a copy', 'rows are copies')} of others: neighbours at distance 0 "
            "bind their neighbourhood.",
            "isomap#sec-isomap-steps",
        )
