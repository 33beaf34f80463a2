"""Signatures of wrong answers, to group programs with the same mistake.

A signature is stored beside the verdict of each wrong answer that no misconception explains, and
`autograder.grading.unforeseen` groups equal ones. For each case it holds the traces of the parts, up to the task's
sameness, or a word on the problem. Its size does not depend on the size of the answer.
"""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.attempt import CallResult
from autograder.answers.values import Expression
from autograder.judging import trace
from autograder.judging.compare import compare
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.sameness import Sameness

MAX_SHOWN_CHARACTERS = 200
NOT_A_NUMBER = "not a number"
PartSignature = str | list[float]  # a word, or two traces and a norm
CaseSignature = str | list[PartSignature]  # a word on the problem, or the parts


class ShownCase(TypedDict):
    """The name of the first wrong case, and the answer to it as text."""

    case: str
    text: str


class AnswerSignature(TypedDict):
    """The signatures of all cases, and the first wrong case."""

    cases: list[CaseSignature]
    shown: ShownCase


def answer_signature(key: TaskKey, attempts: Sequence[CallResult]) -> AnswerSignature | None:
    """Return the signature of the results of a key's cases.

    Return None on any error. An error here must not prevent the grading of the submission.
    """
    try:
        return _signature(key, attempts)
    except Exception:
        return None


def _signature(key: TaskKey, attempts: Sequence[CallResult]) -> AnswerSignature:
    pairs = list(zip(key.cases, attempts, strict=False))  # with stubs there are more attempts than cases
    return {"cases": [_case_signature(key, *pair) for pair in pairs], "shown": _first_wrong_case(key, pairs)}


def _case_signature(key: TaskKey, case: OpenCase | SealedCase, attempt: CallResult) -> CaseSignature:
    if attempt.error:
        return f"raised {attempt.error.type}"
    comparison = compare(key, case, attempt)
    if attempt.problem or comparison.parts is None:
        return (attempt.problem or comparison.trouble)[:MAX_SHOWN_CHARACTERS]
    return [_part_signature(part, same) for part, same in zip(comparison.parts, key.samenesses, strict=True)]


def _part_signature(part: Array, same: Sameness) -> PartSignature:
    if not np.isfinite(part).all():
        return NOT_A_NUMBER
    try:
        quantity = trace.quantity_of(part, same)
    except ValueError:  # a zero vector has no direction
        quantity = part
    return [*map(float, trace.trace(quantity)), float(np.linalg.norm(quantity))]


def _first_wrong_case(key: TaskKey, pairs: Sequence[tuple[OpenCase | SealedCase, CallResult]]) -> ShownCase:
    """Return name and answer of the first wrong case."""
    for case, attempt in pairs:
        if not compare(key, case, attempt).is_right:
            return {"case": case.name, "text": _text(attempt)}
    return {"case": "", "text": ""}


def _text(attempt: CallResult) -> str:
    if attempt.problem:
        text = attempt.error.name if attempt.error else attempt.message
        return (text or attempt.problem)[:MAX_SHOWN_CHARACTERS]
    value = attempt.value
    if isinstance(value, str | Expression):
        return str(getattr(value, "text", value))[:MAX_SHOWN_CHARACTERS]
    with np.printoptions(precision=5, threshold=12, suppress=True):
        return " ".join(str(value).split())[:MAX_SHOWN_CHARACTERS]


def same_return(first: Sequence[CaseSignature], second: Sequence[CaseSignature]) -> bool:
    """Tell whether two signatures agree on every case, up to rounding."""
    return len(first) == len(second) and all(map(_same_case, first, second))


def _same_case(first: CaseSignature, second: CaseSignature) -> bool:
    if isinstance(first, str) or isinstance(second, str):
        return first == second
    return len(first) == len(second) and all(map(_same_part, first, second))


def _same_part(first: PartSignature, second: PartSignature) -> bool:
    if isinstance(first, str) or isinstance(second, str):
        return first == second
    size = max(first[2], second[2], 1e-12)
    return all(
        abs(left - right) <= trace.TRACE_RTOL * size for left, right in zip(first, second, strict=True)
    )
