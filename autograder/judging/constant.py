"""Withhold credit from parts that do not depend on the inputs.

A constant equals the right answer of some case by chance or by copying, so it earns nothing unless it is right on all
cases. A part is constant if its numbers are the same on all cases. An array filled with one number counts as that
number, whatever its size. So does a multiple of the identity.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autograder.answers.arrays import Array
from autograder.judging.compare import Comparison
from autograder.judging.key import TaskKey
from autograder.judging.messages import part_name
from autograder.judging.relations import join_words


def constant_parts(comparisons: Sequence[Comparison], number: int) -> list[int]:
    """List the parts that are the same on all answered cases.

    The list is empty with fewer than two answered cases. An empty array agrees with every constant.
    """
    answers = [comparison.parts for comparison in comparisons if comparison.parts is not None]
    if len(answers) < 2:
        return []
    contents = [{_content(parts[part]) for parts in answers if parts[part].size} for part in range(number)]
    return [part for part, distinct in enumerate(contents) if len(distinct) <= 1]


def _content(part: Array) -> tuple[tuple[int, ...], bytes]:
    """Return shape and entries, or one entry if all are equal."""
    entries = np.ravel(part) + 0.0  # -0.0 is 0.0
    if np.array_equal(entries, np.full(entries.size, entries[0]), equal_nan=True):
        return (), np.float64(entries[0]).tobytes()
    if part.ndim == 2 and np.array_equal(part, part[0, 0] * np.eye(*part.shape)):
        return (1, 1), np.float64(part[0, 0]).tobytes()  # a multiple of the identity, of whatever size
    return part.shape, entries.tobytes()


def without_constants(comparisons: Sequence[Comparison], number: int) -> list[Comparison]:
    """Mark constant parts as wrong, unless they are right on all cases."""
    unearned = {
        part
        for part in constant_parts(comparisons, number)
        if any(comparison.right[part] for comparison in comparisons)
    } - _right_everywhere(comparisons, number)
    if not unearned:
        return list(comparisons)
    return [
        replace(
            comparison, right=tuple(yes and part not in unearned for part, yes in enumerate(comparison.right))
        )
        for comparison in comparisons
    ]


def _right_everywhere(comparisons: Sequence[Comparison], number: int) -> set[int]:
    return {part for part in range(number) if all(comparison.right[part] for comparison in comparisons)}


def describe_constants(key: TaskKey, before: Sequence[Comparison], after: Sequence[Comparison]) -> str:
    """Name the parts that earn nothing because they ignore the input."""
    unearned = [
        part
        for part in range(len(key.same))
        if any(earlier.right[part] != later.right[part] for earlier, later in zip(before, after, strict=True))
    ]
    if not unearned:
        return ""
    them = join_words([part_name(key, part) for part in unearned])
    verb = "is" if len(unearned) == 1 else "are"
    return f"{them[:1].upper()}{them[1:]} {verb} the same on every case, and the right one is not: that earns nothing."
