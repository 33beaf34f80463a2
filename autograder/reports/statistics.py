"""Compute the statistics of a report.

A function returns None if there are too few students for its statistic.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

PointsArray = NDArray[np.float64]
MIN_STUDENTS_FOR_CORRELATION = 10  # with fewer, the standard error of a correlation is above 0.3


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the lower quartile, the median and the upper quartile."""
    low, middle, high = np.quantile(np.array(values or [0.0]), [0.25, 0.5, 0.75])
    return float(low), float(middle), float(high)


def deviation(values: Sequence[float]) -> float | None:
    """Return the sample standard deviation (n - 1), or None."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else None


def correlation(first: PointsArray, second: PointsArray) -> float | None:
    """Return Pearson's correlation; None for too few or constant values."""
    if len(first) < MIN_STUDENTS_FOR_CORRELATION or np.ptp(first) < 1e-12 or np.ptp(second) < 1e-12:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def discriminations(points: PointsArray) -> list[float | None]:
    """Return the item-rest correlation of each column."""
    total = points.sum(axis=1)
    return [correlation(column, total - column) for column in points.T]


def reliability(points: PointsArray) -> float | None:
    """Return Cronbach's alpha: k/(k-1) · (1 - Σ var(column) / var(total))."""
    students, tasks = points.shape
    if students < MIN_STUDENTS_FOR_CORRELATION or tasks < 2:
        return None
    whole = float(np.var(points.sum(axis=1), ddof=1))
    return tasks / (tasks - 1) * (1 - float(np.var(points, axis=0, ddof=1).sum()) / whole) if whole else None


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> tuple[float, float] | None:
    """Return Spearman's correlation and two-sided p-value.

    Return None for too few or constant values.
    """
    from scipy.stats import spearmanr

    if len(first) < MIN_STUDENTS_FOR_CORRELATION or len(set(first)) < 2 or len(set(second)) < 2:
        return None
    result = spearmanr(first, second)
    return float(result.statistic), float(result.pvalue)


def bins(shares: Sequence[float]) -> list[dict[str, Any]]:
    """Count shares in ten bins, the lowest first.

    The last bin includes 100 %.
    """
    counts = Counter(min(max(int(10 * share + 1e-9), 0), 9) for share in shares)
    highest = max(counts.values(), default=1)
    return [
        {
            "label": f"{10 * low}–{10 * low + 10} %",
            "count": counts[low],
            "width": 100 * counts[low] // highest,
        }
        for low in range(10)
    ]
