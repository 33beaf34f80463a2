"""Small versions of a function's public cases, to be followed by hand.

A case loses rows, columns and digits step by step. A step counts only if the task still calls the case well posed, all
correct solutions agree on it, and every argument keeps its properties (symmetric, columns of length one, rows that add
up to one). Small cases are shown but never scored.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograder.answers.arrays import Array, Inputs
from autograder.judging.key import INPUT_DIGITS, round_values
from autograder.judging.properties import PROPERTIES

MAX_TWINS = 3
MIN_LENGTH = 3  # many methods need at least 3 points or features
MAX_SMALL_ENTRIES = 24  # in all arguments together
MAX_REFERENCE_CALLS = 120  # for one case
ROUNDING_DECIMALS = (0, 1, 2)


def small_cases(
    cases: Sequence[Inputs], tied: Sequence[str], is_valid: Callable[[Inputs], bool]
) -> list[dict[str, object]]:
    """Return small versions of the cases, the smallest first.

    The result is empty if arguments are `tied` to each other.
    """
    results: list[dict[str, Any]] = []
    for inputs in cases if not tied else ():
        small = _shrink(inputs, is_valid)
        is_new = all(repr(small) != repr(other) for other in results)
        if (
            count_entries(small) <= MAX_SMALL_ENTRIES
            and count_entries(small) < count_entries(inputs)
            and is_new
        ):
            results.append(small)
    return sorted(results, key=count_entries)[:MAX_TWINS]


def count_entries(inputs: Inputs) -> int:
    """Count the numbers of all arguments."""
    return sum(
        int(np.size(value)) for value in inputs.values() if isinstance(value, np.ndarray | int | float)
    )


def _shrink(inputs: Inputs, is_valid: Callable[[Inputs], bool]) -> dict[str, object]:
    """Remove rows, columns and digits while the case stays valid."""
    small, steps = dict(inputs), 0
    is_changed = True
    while is_changed:
        is_changed = False
        for candidate in _smaller(small):
            steps += 1
            if steps > MAX_REFERENCE_CALLS:
                return small
            if keeps_kinds(small, candidate) and is_valid(candidate):
                small, is_changed = candidate, True
                break
    for decimals in ROUNDING_DECIMALS:
        candidate = {name: _round_relative(value, decimals) for name, value in small.items()}
        if keeps_kinds(small, candidate) and is_valid(candidate):
            return candidate
    return small


def _smaller(inputs: Inputs) -> Iterator[dict[str, object]]:
    """Yield the case without one row or column.

    It is removed from all arguments of that length. The largest length comes first.
    """
    arrays = [value for value in inputs.values() if isinstance(value, np.ndarray)]
    if any(value.dtype.kind != "f" for value in arrays):
        return  # whole numbers may be indices into another argument
    lengths = set[int]().union(*(value.shape for value in arrays))
    for length in sorted(lengths, reverse=True):
        for place in range(length - 1, -1, -1) if length > MIN_LENGTH else ():
            yield {name: _remove_index(value, length, place) for name, value in inputs.items()}


def _remove_index(value: object, length: int, place: int) -> object:
    if not isinstance(value, np.ndarray):
        return value
    for axis, size in enumerate(value.shape):
        value = np.delete(value, place, axis=axis) if size == length else value
    return np.ascontiguousarray(value)


def _round_relative(value: object, decimals: int) -> object:
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return value
    largest = float(np.abs(value).max(initial=0.0))
    if largest == 0:
        return value
    unit = 10.0 ** np.floor(np.log10(largest))
    return round_values(np.round(value / unit, decimals + 1) * unit, INPUT_DIGITS)


def keeps_kinds(before: Inputs, after: Inputs) -> bool:
    """Return whether every argument keeps its properties."""
    return all(
        _properties_of(before[name]) <= _properties_of(after[name])
        for name, value in before.items()
        if isinstance(value, np.ndarray)
    )


def _properties_of(value: Array) -> set[str]:
    """Return the properties of an argument that a smaller one must keep."""
    kinds = {name for name, property_ in PROPERTIES.items() if name != "whole" and property_.holds(value)}
    if value.ndim == 2 and np.allclose(value.sum(axis=1), 1):
        kinds.add("rows add up to one")
    if value.ndim == 2 and value.shape[0] == value.shape[1] and not np.diag(value).any():
        kinds.add("zero diagonal")
    return kinds
