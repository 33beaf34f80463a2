"""Recognise right answers that were rounded.

They may be rounded to decimals or significant digits, or stored in 16 bits.
"""

from collections.abc import Callable, Sequence

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.attempt import CallResult
from autograder.answers.values import is_half_precision
from autograder.judging.compare import Comparison, right_part
from autograder.judging.key import OpenCase, TaskKey
from autograder.judging.messages import Diagnosis, fill_subject, part_name, prepend_right_parts, wrong_parts
from autograder.judging.sameness import Sameness

ArrayPair = tuple[Array, Array]  # an answer and the right one, with the same signs where signs are free
MAX_DECIMALS = 8
MAX_SIGNIFICANT = 5  # with six an answer counts as right
STEP_RTOL = 1e-6  # in units of the last digit
HALF_PRECISION_RTOL = 2.0**-10
HALF_PRECISION_STEP = 2.0**-24  # smaller numbers become zero
FREE_SIGNS = ("up_to_column_signs", "up_to_sign")


def diagnose_rounding(
    key: TaskKey, attempts: Sequence[CallResult], comparisons: Sequence[Comparison]
) -> Diagnosis | None:
    """Describe how the wrong parts were rounded; None unless it explains all."""
    wrong = wrong_parts(comparisons, len(key.same))
    texts = [_describe_part(key, attempts, comparisons, part) for part in wrong]
    if not texts or not all(texts):
        return None
    sentences = " ".join(
        fill_subject(text, part_name(key, part)) for text, part in zip(texts, wrong, strict=True)
    )
    return Diagnosis(
        prepend_right_parts(key, wrong, sentences), None, "answer:rounded to fewer digits", key.see
    )


def _describe_part(
    key: TaskKey, attempts: Sequence[CallResult], comparisons: Sequence[Comparison], part: int
) -> str:
    pairs = _pairs(key, comparisons, part)
    if not pairs or not any(answer.any() for answer, _ in pairs):
        return ""
    if all(map(_is_stored_in_16_bits, attempts)) and all(_is_near(*pair) for pair in pairs):
        return "{it} is right, but stored in half precision (float16, three digits): return all digits."
    how = describe_rounding(pairs)
    return f"{{it}} is right, but {how}: return all digits." if how else ""


def _is_stored_in_16_bits(attempt: CallResult) -> bool:
    items = attempt.value if isinstance(attempt.value, list | tuple) else [attempt.value]
    return any(map(is_half_precision, items))


def _is_near(answer: Array, right: Array) -> bool:
    return bool(
        np.abs(answer - right).max(initial=0.0)
        <= HALF_PRECISION_RTOL * np.abs(right).max() + HALF_PRECISION_STEP
    )


def _pairs(key: TaskKey, comparisons: Sequence[Comparison], part: int) -> list[ArrayPair]:
    """Return a part beside the right one on all cases.

    The list is empty if one of them cannot be compared entry by entry.
    """
    same = key.samenesses[part]
    pairs: list[ArrayPair] = []
    for case, comparison in zip(key.cases, comparisons, strict=True):
        if not isinstance(case, OpenCase) or comparison.parts is None:
            return []
        answer, right = comparison.parts[part], right_part(key, case, part)
        if answer.shape != right.shape or not np.isfinite(answer).all():
            return []
        pairs.append((answer, with_signs_of(answer, right, same)))
    return pairs if same.name in ("exactly", *FREE_SIGNS) else []


def with_signs_of(answer: Array, right: Array, same: Sameness) -> Array:
    """Return the right answer with the answer's signs, where free."""
    if same.name not in FREE_SIGNS:
        return right
    signs = np.where(np.sum(answer * right, axis=0) < 0, -1.0, 1.0)
    flipped: Array = right * signs
    return flipped


def _describe_decimals(pairs: Sequence[ArrayPair], decimals: int) -> str:
    """Describe answers with so many decimals; return an empty string if they are not the right ones."""
    where = "to whole numbers" if decimals == 0 else f"to {_count(decimals, 'decimal')}"
    if all(_is_rounded(*pair, decimals) for pair in pairs):
        # further decimals may be zero on all these cases
        is_certain = not all(_is_rounded(*pair, decimals + 1) for pair in pairs)
        return f"rounded {where}" if is_certain else "rounded to a few decimals"
    return f"cut {where}" if all(_is_cut(*pair, decimals) for pair in pairs) else ""


def describe_rounding(pairs: Sequence[ArrayPair]) -> str:
    """Describe to how many digits answers were rounded or cut, if any."""
    for decimals in range(MAX_DECIMALS + 1):
        if all(_is_multiple(answer, decimals) for answer, _ in pairs):
            if words := _describe_decimals(pairs, decimals):
                return words
            break
    for digits in range(1, MAX_SIGNIFICANT + 1):
        keep = _significant(digits)
        if all(np.allclose(answer, keep(right), rtol=1e-9, atol=0) for answer, right in pairs):
            return f"rounded to {_count(digits, 'significant digit')}"
    return ""


def _is_multiple(answer: Array, decimals: int) -> bool:
    steps = answer * 10.0**decimals
    room = STEP_RTOL + 4 * np.finfo(float).eps * np.abs(steps)  # a large number has no more digits
    return bool(np.all(np.abs(steps - np.rint(steps)) <= room))


def _is_rounded(answer: Array, right: Array, decimals: int) -> bool:
    room = 0.5 + STEP_RTOL + 4 * np.finfo(float).eps * np.abs(right) * 10.0**decimals
    return bool(np.all(np.abs(answer - right) * 10.0**decimals <= room))


def _is_cut(answer: Array, right: Array, decimals: int) -> bool:
    lost = (np.abs(right) - np.abs(answer)) * 10.0**decimals
    is_towards_zero = np.all(answer * right >= 0) and lost.min(initial=0.0) >= -STEP_RTOL
    return bool(is_towards_zero and lost.max(initial=0.0) < 1)


def _significant(digits: int) -> Callable[[Array], Array]:
    return np.vectorize(lambda number: float(f"{number:.{digits}g}"), otypes=[np.float64])


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")
