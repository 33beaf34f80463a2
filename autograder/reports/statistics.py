"""The numbers of a report, each by its usual definition; what cannot be told from so few students is None."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
FEWEST = 10  # students from whom a correlation is shown: with fewer its error is above 0.3


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """The lower quartile, the median, the upper quartile."""
    low, middle, high = np.quantile(np.array(values or [0.0]), [0.25, 0.5, 0.75])
    return float(low), float(middle), float(high)


def deviation(values: Sequence[float]) -> float | None:
    """The standard deviation of a sample, with n - 1."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else None


def correlation(one: Array, other: Array) -> float | None:
    """Pearson's correlation; None from too few, or when one of them does not vary."""
    if len(one) < FEWEST or np.ptp(one) < 1e-12 or np.ptp(other) < 1e-12:
        return None
    return float(np.corrcoef(one, other)[0, 1])


def discriminations(points: Array) -> list[float | None]:
    """Item-rest correlations: of each column with the sum of all others."""
    total = points.sum(axis=1)
    return [correlation(column, total - column) for column in points.T]


def reliability(points: Array) -> float | None:
    """Cronbach's alpha: k/(k-1) · (1 - Σ var(column) / var(total))."""
    students, tasks = points.shape
    if students < FEWEST or tasks < 2:
        return None
    whole = float(np.var(points.sum(axis=1), ddof=1))
    return tasks / (tasks - 1) * (1 - float(np.var(points, axis=0, ddof=1).sum()) / whole) if whole else None


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> tuple[float, float] | None:
    """Spearman's rank correlation and its two-sided p-value; None from too few, or when one does not vary."""
    from scipy.stats import spearmanr

    if len(one) < FEWEST or len(set(one)) < 2 or len(set(other)) < 2:
        return None
    found = spearmanr(one, other)
    return float(found.statistic), float(found.pvalue)


def bins(shares: Sequence[float]) -> list[dict[str, Any]]:
    """Ten bins of the share of points; the last one includes full marks."""
    counts = Counter(min(max(int(10 * share + 1e-9), 0), 9) for share in shares)
    highest = max(counts.values(), default=1)
    return [
        {
            "label": f"{10 * low}–{10 * low + 10} %",
            "count": counts[low],
            "width": 100 * counts[low] // highest,
        }
        for low in range(9, -1, -1)
    ]
