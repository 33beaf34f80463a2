"""Compare attempts with a key. The same comparison runs in the notebook, in the browser and when grading."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.answers.attempt import Attempt
from autograder.answers.values import Expression, NotPlainError
from autograder.judging.diagnosis import diagnose
from autograder.judging.expressions import evaluate
from autograder.judging.key import OpenCase, SealedCase, TaskKey, fingerprint, quantities_of
from autograder.judging.sameness import as_array, discrepancy
from autograder.judging.verdict import FailingCase, Verdict

NOTHING_TO_SHOW = ("not written", "missing", "stopped")


@dataclass(frozen=True)
class Evaluated:
    """A formula given by its values at the sample points: made by certification, never by a student."""

    values: Any


def judge(task_id: str, key: TaskKey, attempts: list[Attempt]) -> Verdict:
    """Return the verdict on one attempt per case of the key."""
    # a fingerprint is slow on purpose: take it once per attempt
    seals = [_seal(key, case, attempt) for case, attempt in zip(key.cases, attempts, strict=True)]
    right = [_is_right(key, *one) for one in zip(key.cases, attempts, seals, strict=True)]
    if all(right):
        return Verdict(task_id, True, 1.0, key.points, "Correct.", see=key.see)
    first = right.index(False)
    case, attempt = key.cases[first], attempts[first]
    name = _recognised(key, attempts, seals)
    hint = key.hints[name] if name else None
    fraction = sum(right) / len(right)
    return Verdict(
        task=task_id,
        passed=False,
        fraction=max(fraction, hint.credit) if hint else fraction,
        points=key.points,
        message=hint.text if hint else _explanation(key, case, attempt),
        misconception=name,
        see=hint.see if hint else key.see,
        problem=attempt.problem,
        failing=None if attempt.problem in NOTHING_TO_SHOW else _failing_case(case, attempt),
        survived=tuple(case.name for case, passed in zip(key.cases, right, strict=True) if passed),
        picture=key.picture,
        same=key.same,
    )


def _is_right(key: TaskKey, case: OpenCase | SealedCase, attempt: Attempt, seal: str | None) -> bool:
    if isinstance(case, SealedCase):
        return seal == case.expected
    return _agree(key, attempt, case.expected)


def _agree(key: TaskKey, attempt: Attempt, wanted: Any) -> bool:
    """Is the attempt the same as a wanted answer (the expected one, or a misconception's)?"""
    if attempt.problem:
        return False
    try:
        parts = parts_of(key, attempt.value)
        pairs = zip(parts, parts_of(key, wanted), key.samenesses, strict=True)
        # `<=` is False for nan, so an answer that is not a number never agrees
        return all(discrepancy(part, want, same) <= key.tolerance for part, want, same in pairs)
    except NotPlainError:
        return False


def parts_of(key: TaskKey, answer: Any) -> tuple[Any, ...]:
    """Split an answer into the parts that the key's samenesses read."""
    if len(key.same) == 1:
        return (answer,)
    if not isinstance(answer, list | tuple) or len(answer) != len(key.same):
        raise NotPlainError(f"the answer should be a tuple of {len(key.same)} parts")
    return tuple(answer)


def _seal(key: TaskKey, case: OpenCase | SealedCase, attempt: Attempt) -> str | None:
    """The fingerprint of an attempt at a sealed case, or None when it has no form that could be right."""
    if attempt.problem or isinstance(case, OpenCase):
        return None
    try:
        parts = tuple(sealed_part(key, case, part) for part in parts_of(key, attempt.value))
        if any(part.shape != shape for part, shape in zip(parts, case.shapes, strict=True)):
            return None
        if not all(np.isfinite(part).all() for part in parts):
            return None
        return fingerprint(quantities_of(parts, key.samenesses), case.grids, case.salt)
    except NotPlainError:
        return None


def sealed_part(key: TaskKey, case: SealedCase, part: Any) -> Any:
    """A part of a sealed answer as an array: numbers as they are, formulas evaluated at the case's points."""
    if key.kind == "hand":
        return as_array(_numbers(part))
    return values_at_points(part, case.inputs)


def _numbers(part: Any) -> Any:
    """Constants written as formulas (`sqrt(2)/2`, sympy rationals) count as the numbers they are."""
    if isinstance(part, Expression):
        return evaluate(part.text, {})
    if isinstance(part, str):
        return evaluate(part, {})
    if isinstance(part, list | tuple):
        return [_numbers(item) for item in part]
    return part


def values_at_points(formula: Any, points: Any) -> Any:
    """Evaluate a formula, or a list of formulas, at the sample points: one row per point."""
    if isinstance(formula, Evaluated):
        return formula.values
    names = list(points)
    rows = zip(*(np.atleast_1d(points[name]) for name in names), strict=True)
    return np.array([_at(formula, dict(zip(names, map(float, row), strict=True))) for row in rows])


def _at(formula: Any, point: dict[str, float]) -> Any:
    if isinstance(formula, list | tuple):
        return [_at(item, point) for item in formula]
    if isinstance(formula, np.ndarray):
        return _at(formula.tolist(), point)
    if isinstance(formula, Expression | str):
        return evaluate(formula.text if isinstance(formula, Expression) else formula, point)
    if isinstance(formula, int | float):
        return float(formula)
    raise NotPlainError("a formula in the symbols of the text was expected")


def _recognised(key: TaskKey, attempts: list[Attempt], seals: list[str | None]) -> str | None:
    """The misconception whose answers these are on every case where it has a definite one, if there is one."""
    if any(attempt.problem in NOTHING_TO_SHOW for attempt in attempts):
        return None
    made = list(zip(key.cases, attempts, seals, strict=True))
    return next((name for name in key.hints if all(_made_by(key, name, *one) for one in made)), None)


def _made_by(
    key: TaskKey, name: str, case: OpenCase | SealedCase, attempt: Attempt, seal: str | None
) -> bool:
    if name not in case.wrong:  # indefinite here: nothing speaks for it or against it
        return True
    if isinstance(case, SealedCase):
        return seal is not None and seal == case.wrong[name]
    if case.wrong[name] is None:
        return attempt.problem == "raised"
    return _agree(key, attempt, case.wrong[name])


def _explanation(key: TaskKey, case: OpenCase | SealedCase, attempt: Attempt) -> str:
    """Say what can be said when no misconception was recognised."""
    if attempt.problem == "not written":
        return "Not written yet." if key.kind != "code" else f"Not written yet, or {attempt.message}."
    if attempt.problem == "raised":
        return f"The code raised an error. {attempt.message}"
    if attempt.problem:
        return _sentence(attempt.message)
    try:
        return _mismatch(key, case, attempt)
    except NotPlainError as error:
        return _sentence(str(error))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _mismatch(key: TaskKey, case: OpenCase | SealedCase, attempt: Attempt) -> str:
    parts = parts_of(key, attempt.value)
    if isinstance(case, SealedCase):
        return _sealed_mismatch(key, case, parts)
    for number, (part, want, same) in enumerate(
        zip(parts, parts_of(key, case.expected), key.samenesses, strict=True), start=1
    ):
        if discrepancy(part, want, same) > key.tolerance:
            which = f" (part {number} of {len(parts)})" if len(parts) > 1 else ""
            return diagnose(as_array(part), as_array(want), same) + which + "."
    return "The answer is not the expected one."


def _sealed_mismatch(key: TaskKey, case: SealedCase, parts: tuple[Any, ...]) -> str:
    for part, shape in zip(parts, case.shapes, strict=True):
        given = sealed_part(key, case, part)
        wanted = shape[1:] if key.kind == "sym" else shape  # the first axis of a formula counts sample points
        found = given.shape[1:] if key.kind == "sym" else given.shape
        if found != wanted:
            return f"The answer should be {_form_of(wanted, key.kind)}; yours is {_form_of(found, key.kind)}."
        if not np.isfinite(given).all():
            return "The formula has no real value at some points where the right one has."
    what = (
        "This formula is not equal to the right one" if key.kind == "sym" else "This is not the right value"
    )
    return f"{what}, and it is none of the classic mistakes: check each step."


def _form_of(shape: tuple[int, ...], kind: str) -> str:
    thing = "formula" if kind == "sym" else "number"
    if not shape:
        return f"one {thing}"
    return f"a list of {shape[0]} {thing}s" if len(shape) == 1 else f"a table of shape {shape} of {thing}s"


def _failing_case(case: OpenCase | SealedCase, attempt: Attempt) -> FailingCase:
    if isinstance(case, SealedCase):
        return FailingCase(case.name, {}, attempt.value)
    return FailingCase(case.name, case.inputs, attempt.value, case.expected)
