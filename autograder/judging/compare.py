"""Compare an attempt with one case of a key: which parts are right, and as what were they read?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.answers.attempt import Attempt
from autograder.answers.values import NotPlainError, is_half_precision
from autograder.judging import forms, seal
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.sameness import Sameness, discrepancy, fits

Array = NDArray[np.float64]
# So many times the entries of the right answer, and so many more (a table of all samples, asked for one of the
# features, is recognised): what is larger is not looked at closer.
MANY, SOME_MORE = 4, 2000
HALF_PRECISION = 2.0**-10  # twice what rounding to 16 bits changes: invariants may hold products


@dataclass(frozen=True)
class Compared:
    """What comparing found: right or wrong by part, the parts as arrays, or why they could not be read.

    `marks` holds, at a sealed case, the fingerprint of each part that has the right form.
    """

    right: tuple[bool, ...]
    parts: tuple[Array, ...] | None = None
    trouble: str = ""
    marks: tuple[str | None, ...] = ()

    @property
    def is_right(self) -> bool:
        """Are all parts right?"""
        return all(self.right)

    @property
    def share(self) -> float:
        """The share of the parts that are right."""
        return sum(self.right) / len(self.right)


def compare(key: TaskKey, case: OpenCase | SealedCase, attempt: Attempt) -> Compared:
    """Compare what was given with what was expected."""
    nothing = (False,) * len(key.same)
    if attempt.problem:
        return Compared(nothing)
    try:
        parts = forms.read(attempt.value, wanted(key, case))
    except NotPlainError as error:
        return Compared(nothing, trouble=str(error))
    trouble = _far_too_large(parts, wanted(key, case))
    if trouble:
        return Compared(nothing, trouble=trouble)
    if isinstance(case, SealedCase):
        marks = sealed_marks(case, parts, key.samenesses)
        right = tuple(mark == want for mark, want in zip(marks, case.expected, strict=True))
        return Compared(right, parts, marks=marks)
    expected = forms.read(case.expected, wanted(key, case))
    zero = zero_scale(case)
    pairs = zip(parts, expected, key.samenesses, strict=True)
    tolerances = _tolerances(key, attempt.value)
    # `<=` is False for nan, so an answer that is not a number never agrees
    flags = (_distance(*pair, zero) <= most for pair, most in zip(pairs, tolerances, strict=True))
    return Compared(tuple(flags), parts)


def _tolerances(key: TaskKey, answer: Any) -> list[float]:
    """Return the tolerance of each part: a part of 16-bit numbers can be no closer than these are."""
    number, half = len(key.same), max(key.tolerance, HALF_PRECISION)
    if is_half_precision(answer):
        return [half] * number
    items = list(answer.values()) if isinstance(answer, dict) else answer
    if not isinstance(items, list | tuple) or len(items) != number or number == 1:
        return [key.tolerance] * number
    return [half if is_half_precision(item) else key.tolerance for item in items]


def _far_too_large(parts: Sequence[Array], form: forms.Wanted) -> str:
    """What is said of a part that is wrong by its size alone; empty if there is none.

    Samenesses and laws square what they are given, and a list of a million numbers has a square of eight terabytes.
    """
    for number, (part, shape) in enumerate(zip(parts, form.shapes, strict=True)):
        own = part.shape if form.points is None else part.shape[1:]
        is_basis = bool(form.free_columns) and form.free_columns[number] and len(shape) == 2
        largest = shape[0] ** 2 if is_basis else int(np.prod(shape, dtype=int))
        if int(np.prod(own, dtype=int)) > MANY * largest + SOME_MORE:
            return f"the answer should be {forms.said(shape)}; it is {forms.said(own)}"
    return ""


def _distance(part: Array, want: Array, same: Any, zero: float) -> float:
    try:
        return discrepancy(part, want, same, zero)
    except NotPlainError:  # the zero vector has no direction
        return float("inf")


def wanted(key: TaskKey, case: OpenCase | SealedCase) -> forms.Wanted:
    """The form that an answer to this case should have."""
    free = tuple(same.free_columns for same in key.samenesses)
    if isinstance(case, OpenCase):
        shapes = tuple(np.shape(part) for part in forms.parts_of(case.expected, len(key.same)))
        return forms.Wanted(shapes, exact_form=key.exact_form, free_columns=free)
    points = _points(case) if key.kind == "sym" else None
    shapes = tuple(shape[1:] for shape in case.shapes) if points is not None else case.shapes
    return forms.Wanted(shapes, points, exact_form=key.exact_form, free_columns=free)


def right_part(key: TaskKey, case: OpenCase, part: int) -> Array:
    """What a part of the answer to an open case should be."""
    return forms.read(case.expected, wanted(key, case))[part]


def _points(case: SealedCase) -> tuple[dict[str, float], ...]:
    names = list(case.inputs)
    rows = zip(*(np.atleast_1d(case.inputs[name]) for name in names), strict=True)
    return tuple(dict(zip(names, map(float, row), strict=True)) for row in rows)


def zero_scale(case: OpenCase | SealedCase) -> float:
    """How large an answer to this case could be: where zero is expected, this says what is close to it."""
    largest = largest_number(case.inputs)
    return max(largest, largest**2) or 1.0


def largest_number(inputs: Mapping[str, Any]) -> float:
    """The largest number among the tables and lists of the inputs; whole ones, which may be indices, if alone."""
    arrays = [value for value in inputs.values() if isinstance(value, np.ndarray)]
    measured = [array for array in arrays if array.dtype.kind == "f"] or arrays
    return max((float(np.abs(array).max(initial=0.0)) for array in measured), default=1.0)


def sealed_marks(
    case: SealedCase, parts: Sequence[Array], samenesses: Sequence[Sameness]
) -> tuple[str | None, ...]:
    """The fingerprint of each part, up to its sameness, that could be right by its form."""
    marks: list[str | None] = []
    for part, shape, grid, same in zip(parts, case.shapes, case.grids, samenesses, strict=True):
        try:
            marks.append(
                seal.fingerprint(same.quantity(part), grid, case.salt) if fits(part, shape, same) else None
            )
        except NotPlainError:
            marks.append(None)
    return tuple(marks)


def entries_of(kind: str, part: Array) -> list[Array]:
    """The entries of a list or table, each as something that can be sealed; a formula's entry has a value per point."""
    if kind == "sym":
        return list(part.reshape(len(part), -1).T)
    return list(part.reshape(-1))


def right_entries(key: TaskKey, case: SealedCase, part: int, given: Array) -> list[bool] | None:
    """Which entries of a sealed list or table are right, if the key can tell."""
    known, entries = case.entries[part], entries_of(key.kind, given)
    if not known or len(entries) != len(known) or not np.isfinite(given).all():
        return None
    found = [seal.fingerprint(entry, case.grids[part], case.salt) for entry in entries]
    return [one == want for one, want in zip(found, known, strict=True)]
