"""What a wrong answer returned, in a few numbers: two programs that are wrong in the same way leave the same ones.

Kept on file beside the verdict of every wrong answer that no misconception explains, so that those which nobody
foresaw can be grouped (`autograder.grading.unforeseen`). Of each case it holds the traces of the parts, up to the
task's sameness, or in a word why there are none: some hundred bytes, however large the answer.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder.answers.attempt import Attempt
from autograder.answers.values import Expression
from autograder.judging import trace
from autograder.judging.compare import Array, compare
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.sameness import Sameness

LONGEST = 200  # characters of an answer that are kept to be shown
NOT_A_NUMBER = "not a number"
Returned = dict[
    str, Any
]  # "cases": of each a word or the parts' [sum, sum, size]; "shown": the first wrong one


def returned(key: TaskKey, attempts: Sequence[Attempt]) -> Returned | None:
    """What the attempts at the cases of a key returned; None if that cannot be told, which must cost nobody a grade."""
    try:
        return _returned(key, attempts)
    except Exception:
        return None


def _returned(key: TaskKey, attempts: Sequence[Attempt]) -> Returned:
    pairs = list(zip(key.cases, attempts, strict=False))  # with stand-ins there are more attempts than cases
    return {"cases": [_case(key, *pair) for pair in pairs], "shown": _shown(key, pairs)}


def _case(key: TaskKey, case: OpenCase | SealedCase, attempt: Attempt) -> Any:
    if attempt.error:
        return f"raised {attempt.error.type}"
    found = compare(key, case, attempt)
    if attempt.problem or found.parts is None:
        return (attempt.problem or found.trouble)[:LONGEST]
    return [_part(part, same) for part, same in zip(found.parts, key.samenesses, strict=True)]


def _part(part: Array, same: Sameness) -> Any:
    if not np.isfinite(part).all():
        return NOT_A_NUMBER
    try:
        quantity = trace.quantity_of(part, same)
    except ValueError:  # the zero vector has no direction
        quantity = part
    return [*map(float, trace.trace(quantity)), float(np.linalg.norm(quantity))]


def _shown(key: TaskKey, pairs: Sequence[tuple[OpenCase | SealedCase, Attempt]]) -> Mapping[str, str]:
    """The first case that is wrong, and what was given there."""
    for case, attempt in pairs:
        if not compare(key, case, attempt).is_right:
            return {"case": case.name, "text": _text(attempt)}
    return {"case": "", "text": ""}


def _text(attempt: Attempt) -> str:
    if attempt.problem:
        text = attempt.error.name if attempt.error else attempt.message
        return (text or attempt.problem)[:LONGEST]
    value = attempt.value
    if isinstance(value, str | Expression):
        return str(getattr(value, "text", value))[:LONGEST]
    with np.printoptions(precision=5, threshold=12, suppress=True):
        return " ".join(str(value).split())[:LONGEST]


def same_return(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Did two programs return the same on every case, up to the task's sameness and to rounding?"""
    return len(one) == len(other) and all(map(_same_case, one, other))


def _same_case(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    return len(one) == len(other) and all(map(_same_part, one, other))


def _same_part(one: Any, other: Any) -> bool:
    if isinstance(one, str) or isinstance(other, str):
        return bool(one == other)
    size = max(one[2], other[2], 1e-12)
    return all(abs(mine - theirs) <= trace.CLOSE * size for mine, theirs in zip(one, other, strict=True))
