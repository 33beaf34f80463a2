"""Were the variants equally hard? Students with numbers of their own must have had the same chance.

Where several students share a variant, their mean shares are compared. Where each has an own one, nobody can be
compared with anybody on the same numbers; then it is asked, for each task by hand, whether those whose numbers are
longer to write earned less.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

import numpy as np

from autograder.judging.key import Key
from autograder.reports.statistics import rank_correlation

FEW = 5  # students of a variant whose mean is shown
SUSPICIOUS = 0.01  # p-value, after dividing by the number of tasks


def by_variant(variants: Mapping[str, str], shares: Mapping[str, float]) -> list[dict[str, Any]]:
    """Each variant that several students have: how many, their mean share, how far it is from that of the others."""
    groups: dict[str, list[float]] = defaultdict(list)
    for student, share in shares.items():
        groups[variants.get(student, "the class")].append(share)
    shown = {name: found for name, found in groups.items() if len(found) >= FEW}
    if len(shown) < 2:
        return []
    return [
        {
            "variant": name,
            "number": len(found),
            "mean": mean(found),
            "apart": _apart(found, [share for other in shown if other != name for share in shown[other]]),
        }
        for name, found in sorted(shown.items())
    ]


def _apart(one: Sequence[float], others: Sequence[float]) -> float | None:
    """The difference of two means in its standard errors (Welch's t)."""
    error = np.sqrt(np.var(one, ddof=1) / len(one) + np.var(others, ddof=1) / len(others))
    return float((mean(one) - mean(others)) / error) if error > 0 else None


def by_length(keys: Mapping[str, Key], shares: Mapping[str, Mapping[str, float]]) -> list[dict[str, Any]]:
    """By task by hand: how long students' own numbers are, and whether that goes with their shares."""
    first = next(iter(keys.values())).tasks if keys else {}
    tasks = [name for name, task in first.items() if task.kind == "hand"]
    rows = []
    for task in tasks:
        lengths = {student: length(key, task) for student, key in keys.items() if task in key.tasks}
        students = [student for student in lengths if task in shares.get(student, {})]
        found = rank_correlation([lengths[one] for one in students], [shares[one][task] for one in students])
        if students:
            rows.append(_row(task, [lengths[one] for one in students], found, len(tasks)))
    return rows


def _row(task: str, lengths: list[int], found: tuple[float, float] | None, tasks: int) -> dict[str, Any]:
    return {
        "task": task,
        "least": min(lengths),
        "most": max(lengths),
        "correlation": found[0] if found else None,
        "suspicious": bool(found and found[0] < 0 and found[1] * tasks < SUSPICIOUS),
    }


def length(key: Key, task: str) -> int:
    """How many digits the inputs of a task's first case have in all, which a notebook prints for work by hand."""
    inputs = key.tasks[task].cases[0].inputs
    numbers = [number for value in inputs.values() for number in np.ravel(np.asarray(value, dtype=object))]
    return sum(
        sum(character.isdigit() for character in f"{number:.6g}") for number in numbers if _is_number(number)
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
