"""Follow-through (error carried forward): an earlier mistake costs points once.

A task may declare which earlier functions its function is likely to call, and with which inputs (`Task.follows`). The
key then holds what those functions should return. The student's function is called as it is, and again with stubs in
their place. The better result counts. Only a function that the student wrote gets a stub (`is_replaceable`), because a
stub for a missing one would be an oracle.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from autograder.answers.attempt import Call, CallResult
from autograder.answers.stubs import holds_infinity
from autograder.answers.values import encode
from autograder.judging.compare import Comparison, compare, expected_form
from autograder.judging.judge import judge
from autograder.judging.key import OpenCase, TaskKey
from autograder.judging.law_tests import Ask
from autograder.judging.sameness import fits
from autograder.judging.verdict import Verdict


def calls_of(key: TaskKey, replaceable: Collection[str] | None = None) -> list[Call]:
    """Return the calls of a function, without and with stubs.

    All cases come first as they are, then once more with their stubs. Without stubs the second
    half is left out.
    `replaceable` names the earlier functions that may have stubs; None stands for all of them.
    """
    cases = [case for case in key.cases if isinstance(case, OpenCase)]
    stubs = [
        {name: stub for name, stub in case.given.items() if replaceable is None or name in replaceable}
        for case in cases
    ]
    plain = [Call(case.inputs) for case in cases]
    if not any(stubs):
        return plain
    return plain + [Call(case.inputs, case_stubs) for case, case_stubs in zip(cases, stubs, strict=True)]


def _open_cases(key: TaskKey) -> list[OpenCase]:
    return [case for case in key.cases if isinstance(case, OpenCase)]


def is_replaceable(key: TaskKey, attempts: Sequence[CallResult], verdict: Verdict) -> bool:
    """Return whether the student wrote the function, so a stub is allowed.

    A function that passed did. Otherwise it must have returned finite numbers on every case. It must also have made a
    recognised mistake, or return the right shape, depend on its arguments and not just copy one.
    """
    if verdict.passed:
        return True
    cases = _open_cases(key)
    if len(cases) < len(key.cases) or verdict.problem == "not judged":
        return False
    pairs = list(zip(cases, attempts, strict=False))  # with stubs there are more attempts than cases
    compared = [compare(key, case, attempt) for case, attempt in pairs]
    if not all(map(_is_readable, cases, compared)):
        return False
    if verdict.misconception or verdict.slip:
        return True
    has_shapes = all(_has_shape(key, *pair) for pair in zip(cases, compared, strict=True))
    return has_shapes and not _is_constant(pairs) and not _are_copies(pairs)


def _are_copies(pairs: Sequence[tuple[OpenCase, CallResult]]) -> bool:
    return all(_is_copy(*pair) for pair in pairs)


def _has_shape(key: TaskKey, case: OpenCase, result: Comparison) -> bool:
    shapes = expected_form(key, case).shapes
    return all(fits(*form) for form in zip(result.parts or (), shapes, key.samenesses, strict=True))


def _is_readable(case: OpenCase, result: Comparison) -> bool:
    """Return whether an answer holds numbers and no NaN.

    Infinite entries count only where the right answer has some.
    """
    is_bad = np.isnan if holds_infinity(case.expected) else lambda part: ~np.isfinite(part)
    return result.parts is not None and not any(is_bad(part).any() for part in result.parts)


def _is_constant(pairs: Sequence[tuple[OpenCase, CallResult]]) -> bool:
    """Return whether all answers are equal although the right ones differ."""
    right = {repr(encode(case.expected)) for case, _ in pairs}
    return len(right) > 1 and len({repr(encode(attempt.value)) for _, attempt in pairs}) == 1


def _is_copy(case: OpenCase, attempt: CallResult) -> bool:
    """Return whether the answer is an unchanged argument."""
    tables = [value for value in case.inputs.values() if isinstance(value, np.ndarray) and value.ndim]
    return any(np.array_equal(attempt.value, table) for table in tables)


def judge_calls(
    task_id: str,
    key: TaskKey,
    attempts: list[CallResult],
    ask: Ask | None = None,
    replaceable: Collection[str] | None = None,
) -> Verdict:
    """Judge the results of `calls_of` and return the better verdict.

    The verdict with stubs counts only if its fraction is larger.
    """
    number = len(key.cases)
    verdict = judge(task_id, key, attempts[:number], ask)
    if verdict.passed or len(attempts) == number:
        return verdict
    verdict_with_stubs = judge(task_id, key, attempts[number:])
    if verdict_with_stubs.fraction <= verdict.fraction:
        return verdict
    stubs = [name for call in calls_of(key, replaceable) for name in call.stubs]
    names = " and ".join(f"`{name}`" for name in dict.fromkeys(stubs))
    why = f"Judged with a correct {names}, because a mistake there is counted there only."
    return replace(verdict_with_stubs, message=f"{verdict_with_stubs.message} {why}")
