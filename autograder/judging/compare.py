"""Compare an attempt with one case of a key, part by part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.attempt import CallResult
from autograder.answers.values import UnsupportedAnswerError
from autograder.judging import fingerprints, forms
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.sameness import Sameness, discrepancy, fits
from autograder.judging.structures.kinds import Kind
from autograder.judging.structures.leaves import DIGEST_SIZE, MAX_LEAVES, count_leaves

# An answer may have 4 times the entries of the right one and 2000 more. The margin lets a table of all samples, given
# in place of one of the features, be recognised. Larger answers are rejected unread.
MAX_ENTRIES_RATIO, MAX_EXTRA_ENTRIES = 4, 2000


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison, part by part.

    `trouble` says why an answer could not be read; `parts` is None then.
    `marks` holds, at a sealed case, the fingerprint of each part that has the right form. `values` holds the parts
    themselves if some of them have structure, which `parts` holds as digests.
    """

    right: tuple[bool, ...]
    parts: tuple[Array, ...] | None = None
    trouble: str = ""
    marks: tuple[str | None, ...] = ()
    values: tuple[Any, ...] = ()

    @property
    def is_right(self) -> bool:
        """Return whether all parts are right."""
        return all(self.right)

    @property
    def share(self) -> float:
        """Return the share of the parts that are right."""
        return sum(self.right) / len(self.right)


def compare(key: TaskKey, case: OpenCase | SealedCase, attempt: CallResult) -> Comparison:
    """Compare the result of a call with the expected answer."""
    nothing = (False,) * len(key.same)
    if attempt.problem:
        return Comparison(nothing)
    try:
        if key.kinds:
            _require_few_leaves(key, case, forms.split_kinds(attempt.value, key.kinds))
        parts = forms.read_parts(attempt.value, expected_form(key, case))
    except UnsupportedAnswerError as error:
        return Comparison(nothing, trouble=str(error))
    trouble = _describe_excess(parts, expected_form(key, case))
    if trouble:
        return Comparison(nothing, trouble=trouble)
    values = forms.split_kinds(attempt.value, key.kinds) if key.kinds else ()
    if isinstance(case, SealedCase):
        marks = part_fingerprints(case, parts, key.samenesses)
        right = tuple(mark == want for mark, want in zip(marks, case.expected, strict=True))
        return Comparison(right, parts, marks=marks, values=values)
    if key.kinds:
        return Comparison(_agreeing_parts(key, case, values, parts), parts, values=values)
    expected = forms.read_parts(case.expected, expected_form(key, case))
    zero = zero_scale(case)
    pairs = zip(parts, expected, key.samenesses, strict=True)
    # `<=` is False for nan, so an answer that is not a number never agrees
    flags = (_distance(*pair, zero) <= key.tolerance for pair in pairs)
    return Comparison(tuple(flags), parts)


def _require_few_leaves(key: TaskKey, case: OpenCase | SealedCase, values: Sequence[object]) -> None:
    """Refuse an answer with far more entries than the right one before it is read."""
    for part, (kind, value) in enumerate(zip(key.kinds, values, strict=True)):
        expected = count_leaves(right_value(key, case, part), MAX_LEAVES) if kind else 0
        most = MAX_ENTRIES_RATIO * expected + MAX_EXTRA_ENTRIES
        if kind and count_leaves(value, most) > most:
            raise UnsupportedAnswerError("the answer has far more entries than were expected")


def _agreeing_parts(
    key: TaskKey, case: OpenCase, values: Sequence[object], parts: Sequence[Array]
) -> tuple[bool, ...]:
    """Compare parts with structure leaf by leaf, and the others as numbers."""
    flags, rights = [], forms.split_kinds(case.expected, key.kinds)
    for position, (kind, same) in enumerate(zip(key.kinds, key.samenesses, strict=True)):
        if kind:
            flags.append(kind.agrees(values[position], rights[position], key.tolerance))
        else:
            want = right_part(key, case, position)
            flags.append(_distance(parts[position], want, same, zero_scale(case)) <= key.tolerance)
    return tuple(flags)


def _describe_excess(parts: Sequence[Array], form: forms.ExpectedForm) -> str:
    """Describe a part that has far too many entries, if any.

    Samenesses and laws square an array, and the square of a million numbers takes eight terabytes.
    """
    for number, (part, shape) in enumerate(zip(parts, form.shapes, strict=True)):
        actual = part.shape if form.points is None else part.shape[1:]
        is_basis = bool(form.free_columns) and form.free_columns[number] and len(shape) == 2
        largest = shape[0] ** 2 if is_basis else int(np.prod(shape, dtype=int))
        if int(np.prod(actual, dtype=int)) > MAX_ENTRIES_RATIO * largest + MAX_EXTRA_ENTRIES:
            return f"the answer should be {forms.format_shape(shape)}; it is {forms.format_shape(actual)}"
    return ""


def _distance(part: Array, want: Array, same: Any, zero: float) -> float:
    try:
        return discrepancy(part, want, same, zero)
    except UnsupportedAnswerError:  # the zero vector has no direction
        return float("inf")


def _shapes_of_kinds(expected: object, kinds: Sequence[Kind | None]) -> tuple[tuple[int, ...], ...]:
    rights = zip(forms.split_kinds(expected, kinds), kinds, strict=True)
    return tuple((DIGEST_SIZE,) if kind else np.shape(right) for right, kind in rights)


def expected_form(key: TaskKey, case: OpenCase | SealedCase) -> forms.ExpectedForm:
    """Return the form that an answer to this case should have."""
    free = tuple(same.free_columns for same in key.samenesses)
    if isinstance(case, OpenCase):
        if key.kinds:
            shapes = _shapes_of_kinds(case.expected, key.kinds)
            return forms.ExpectedForm(shapes, exact_form=key.exact_form, kinds=key.kinds)
        shapes = tuple(map(np.shape, forms.split_parts(case.expected, len(key.same))))
        return forms.ExpectedForm(shapes, exact_form=key.exact_form, free_columns=free)
    points = _points(case) if key.kind == "sym" else None
    shapes = tuple(shape[1:] for shape in case.shapes) if points is not None else case.shapes
    return forms.ExpectedForm(shapes, points, key.exact_form, free, key.kinds)


def right_value(key: TaskKey, case: OpenCase | SealedCase, part: int) -> object:
    """Return one part of the expected answer as plain data, for a key with structures; None if the case is sealed."""
    return forms.split_kinds(case.expected, key.kinds)[part] if isinstance(case, OpenCase) else None


def right_part(key: TaskKey, case: OpenCase, part: int) -> Array:
    """Return one part of the expected answer of an open case."""
    return forms.read_parts(case.expected, expected_form(key, case))[part]


def _points(case: SealedCase) -> tuple[dict[str, float], ...]:
    names = list(case.inputs)
    rows = zip(*(np.atleast_1d(case.inputs[name]) for name in names), strict=True)
    return tuple(dict(zip(names, map(float, row), strict=True)) for row in rows)


def zero_scale(case: OpenCase | SealedCase) -> float:
    """Return the magnitude that an answer could have, judged by the inputs.

    Where zero is expected, distances are relative to it.
    """
    largest = largest_number(case.inputs)
    return max(largest, largest**2) or 1.0


def largest_number(inputs: Mapping[str, object]) -> float:
    """Return the largest magnitude in the arrays of the inputs.

    Integer arrays may hold indices, so they count only if there is no float array.
    """
    arrays = [value for value in inputs.values() if isinstance(value, np.ndarray)]
    measured = [array for array in arrays if array.dtype.kind == "f"] or arrays
    return max((float(np.abs(array).max(initial=0.0)) for array in measured), default=1.0)


def part_fingerprints(
    case: SealedCase, parts: Sequence[Array], samenesses: Sequence[Sameness]
) -> tuple[str | None, ...]:
    """Return the fingerprint of each part's invariant.

    It is None where the form of the part is wrong or an entry is not finite.
    """
    marks: list[str | None] = []
    for part, shape, grid, same in zip(parts, case.shapes, case.grids, samenesses, strict=True):
        try:
            marks.append(
                fingerprints.fingerprint(same.quantity(part), grid, case.salt)
                if fits(part, shape, same)
                else None
            )
        except UnsupportedAnswerError:
            marks.append(None)
    return tuple(marks)


def answer_entries(kind: str, part: Array) -> list[Array]:
    """Return the entries of a part, each as it is fingerprinted.

    An entry of a formula has a value for each sample point.
    """
    if kind == "sym":
        return list(part.reshape(len(part), -1).T)
    return list(part.reshape(-1))


def right_entries(key: TaskKey, case: SealedCase, part: int, answer: Array) -> list[bool] | None:
    """Return for each entry of a sealed part whether it is right.

    None if the key holds no fingerprints of entries or the number of entries differs.
    """
    known, entries = case.entries[part], answer_entries(key.kind, answer)
    if not known or len(entries) != len(known) or not np.isfinite(answer).all():
        return None
    marks = [fingerprints.fingerprint(entry, case.grids[part], case.salt) for entry in entries]
    return [mark == want for mark, want in zip(marks, known, strict=True)]
