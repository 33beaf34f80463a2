"""Test whether the variants of an assignment are equally hard.

If several students share a variant, the mean shares of the variants are compared. If each student has a personal
variant, the report correlates, for each hand task, the number of digits in the inputs with the share of the points.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

import numpy as np

from autograder.judging.key import Key
from autograder.reports.statistics import rank_correlation

MIN_STUDENTS_PER_VARIANT = 5  # needed to show the mean of a variant
P_VALUE_THRESHOLD = 0.01  # divided by the number of tasks (Bonferroni correction)


def by_variant(variants: Mapping[str, str], shares: Mapping[str, float]) -> list[dict[str, Any]]:
    """Return size, mean share and Welch's t of each shared variant.

    The list is empty if fewer than two variants have MIN_STUDENTS_PER_VARIANT students.
    """
    groups: dict[str, list[float]] = defaultdict(list)
    for student, share in shares.items():
        groups[variants.get(student, "the class")].append(share)
    shown = {
        name: variant_shares
        for name, variant_shares in groups.items()
        if len(variant_shares) >= MIN_STUDENTS_PER_VARIANT
    }
    if len(shown) < 2:
        return []
    return [
        {
            "variant": name,
            "number": len(variant_shares),
            "mean": mean(variant_shares),
            "apart": _welch_t(
                variant_shares, [share for other in shown if other != name for share in shown[other]]
            ),
        }
        for name, variant_shares in sorted(shown.items())
    ]


def _welch_t(first: Sequence[float], others: Sequence[float]) -> float | None:
    """Return Welch's t statistic: the difference of two means in standard errors."""
    error = np.sqrt(np.var(first, ddof=1) / len(first) + np.var(others, ddof=1) / len(others))
    return float((mean(first) - mean(others)) / error) if error > 0 else None


def by_length(keys: Mapping[str, Key], shares: Mapping[str, Mapping[str, float]]) -> list[dict[str, object]]:
    """Correlate the length of the inputs of hand tasks with the shares."""
    first = next(iter(keys.values())).tasks if keys else {}
    tasks = [name for name, task in first.items() if task.kind == "hand"]
    rows = []
    for task in tasks:
        graded = [
            student for student, key in keys.items() if task in key.tasks.keys() & shares.get(student, {})
        ]
        if graded:
            lengths = [length(keys[student], task) for student in graded]
            correlation = rank_correlation(lengths, [shares[student][task] for student in graded])
            rows.append(_row(task, lengths, correlation, len(tasks)))
    return rows


def _row(
    task: str, lengths: list[int], correlation: tuple[float, float] | None, tasks: int
) -> dict[str, object]:
    return {
        "task": task,
        "least": min(lengths),
        "most": max(lengths),
        "correlation": correlation[0] if correlation else None,
        "suspicious": bool(correlation and correlation[0] < 0 and correlation[1] * tasks < P_VALUE_THRESHOLD),
    }


def length(key: Key, task: str) -> int:
    """Count the digits in the inputs of a task's first case.

    Numbers are rounded to six significant digits. The notebook prints this case for work by hand.
    """
    inputs = key.tasks[task].cases[0].inputs
    numbers = [number for value in inputs.values() for number in np.ravel(np.asarray(value, dtype=object))]
    return sum(
        sum(character.isdigit() for character in f"{number:.6g}") for number in numbers if _is_number(number)
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
