"""Answers that look at no input: a part that is the same on every case earns nothing unless it is right on all.

A constant meets the right answer of some case by luck or by copying it. Whether a function looks at its inputs is read
off its answers: a part is constant if its numbers are the same on all cases. Of an array that is filled with one
number, and of a multiple of the identity, only that number counts, not the size.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autograder.judging.compare import Compared
from autograder.judging.key import TaskKey
from autograder.judging.relations import listed
from autograder.judging.told import part_name

Array = NDArray[np.float64]


def constant_parts(found: Sequence[Compared], number: int) -> list[int]:
    """List the parts that are the same on all answered cases, of which there must be two.

    An empty array fits beside every constant.
    """
    answers = [one.parts for one in found if one.parts is not None]
    if len(answers) < 2:
        return []
    contents = [{_content(parts[part]) for parts in answers if parts[part].size} for part in range(number)]
    return [part for part, distinct in enumerate(contents) if len(distinct) <= 1]


def _content(part: Array) -> tuple[tuple[int, ...], bytes]:
    """Return shape and entries; of entries that are all equal only one of them."""
    entries = np.ravel(part) + 0.0  # -0.0 is 0.0
    if np.array_equal(entries, np.full(entries.size, entries[0]), equal_nan=True):
        return (), np.float64(entries[0]).tobytes()
    if part.ndim == 2 and np.array_equal(part, part[0, 0] * np.eye(*part.shape)):
        return (1, 1), np.float64(part[0, 0]).tobytes()  # a multiple of the identity, of whatever size
    return part.shape, entries.tobytes()


def without_constants(found: Sequence[Compared], number: int) -> list[Compared]:
    """Take away what constant parts have right on some of the cases; what is right on all of them stays."""
    lucky = {
        part for part in constant_parts(found, number) if any(one.right[part] for one in found)
    } - _right_everywhere(found, number)
    if not lucky:
        return list(found)
    return [
        replace(one, right=tuple(yes and part not in lucky for part, yes in enumerate(one.right)))
        for one in found
    ]


def _right_everywhere(found: Sequence[Compared], number: int) -> set[int]:
    return {part for part in range(number) if all(one.right[part] for one in found)}


def describe_constants(key: TaskKey, before: Sequence[Compared], after: Sequence[Compared]) -> str:
    """Say which parts earn nothing because they do not depend on the input; empty if there are none."""
    lucky = [
        part
        for part in range(len(key.same))
        if any(one.right[part] != other.right[part] for one, other in zip(before, after, strict=True))
    ]
    if not lucky:
        return ""
    them = listed([part_name(key, part) for part in lucky])
    verb = "is" if len(lucky) == 1 else "are"
    return f"{them[:1].upper()}{them[1:]} {verb} the same on every case, and the right one is not: that earns nothing."
