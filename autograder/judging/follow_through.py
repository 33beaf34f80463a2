"""Follow-through: a function that calls an earlier one is judged on its own logic, so one mistake costs once.

A task may say which earlier functions its own is likely to call, and with what (`Task.follows`). The key then holds
what those functions should have returned. The function is called as it is, and again with stubs in their place;
where that earns more, that is what it earns. Only a function that the student wrote is replaced by a stub
(`is_replaceable`): a stub for a missing one would be an oracle.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from autograder.answers.attempt import Attempt, Call
from autograder.answers.stand_in import holds_infinity
from autograder.answers.values import encode
from autograder.judging.compare import Compared, compare, wanted
from autograder.judging.facts import Ask
from autograder.judging.judge import judge
from autograder.judging.key import OpenCase, TaskKey
from autograder.judging.sameness import fits
from autograder.judging.verdict import Verdict


def calls_of(key: TaskKey, replaceable: Collection[str] | None = None) -> list[Call]:
    """Return the calls of a function: every case as it is, then with its stubs, if it has some.

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
    return plain + [Call(case.inputs, given) for case, given in zip(cases, stubs, strict=True)]


def is_replaceable(key: TaskKey, attempts: Sequence[Attempt], verdict: Verdict) -> bool:
    """Return whether a function was really written, so that later ones may be judged with a right one.

    It returned finite numbers on every case, and either made a known mistake or has answers of the right shape that
    depend on its arguments and are no copies of them.
    """
    if verdict.passed:
        return True
    cases = [case for case in key.cases if isinstance(case, OpenCase)]
    if len(cases) < len(key.cases) or verdict.problem == "not judged":
        return False
    pairs = list(zip(cases, attempts, strict=False))  # with stubs there are more attempts than cases
    compared = [compare(key, case, attempt) for case, attempt in pairs]
    if not all(map(_is_readable, cases, compared)):
        return False
    if verdict.misconception or verdict.slip:
        return True
    has_shape = all(
        fits(part, shape, same)
        for case, result in zip(cases, compared, strict=True)
        for part, shape, same in zip(
            result.parts or (), wanted(key, case).shapes, key.samenesses, strict=True
        )
    )
    return has_shape and not _is_constant(pairs) and not all(_is_copy(*pair) for pair in pairs)


def _is_readable(case: OpenCase, result: Compared) -> bool:
    """Return whether an answer holds numbers, infinite ones only where the right answer has some."""
    is_bad = np.isnan if holds_infinity(case.expected) else lambda part: ~np.isfinite(part)
    return result.parts is not None and not any(is_bad(part).any() for part in result.parts)


def _is_constant(pairs: Sequence[tuple[OpenCase, Attempt]]) -> bool:
    """Return whether all answers are equal although the right ones differ."""
    right = {repr(encode(case.expected)) for case, _ in pairs}
    return len(right) > 1 and len({repr(encode(attempt.value)) for _, attempt in pairs}) == 1


def _is_copy(case: OpenCase, attempt: Attempt) -> bool:
    """Return whether an argument was returned as it was."""
    tables = [value for value in case.inputs.values() if np.ndim(value)]
    return any(np.array_equal(attempt.value, table) for table in tables)


def judge_calls(
    task_id: str,
    key: TaskKey,
    attempts: list[Attempt],
    ask: Ask | None = None,
    replaceable: Collection[str] | None = None,
) -> Verdict:
    """Judge the attempts at `calls_of`: the better verdict of the function as it is and with stubs."""
    number = len(key.cases)
    own = judge(task_id, key, attempts[:number], ask)
    if own.passed or len(attempts) == number:
        return own
    leaning = judge(task_id, key, attempts[number:])
    if leaning.fraction <= own.fraction:
        return own
    stubs = [name for call in calls_of(key, replaceable) for name in call.given]
    names = " and ".join(f"`{name}`" for name in dict.fromkeys(stubs))
    why = f"Judged with a correct {names}, because a mistake there is counted there only."
    return replace(leaning, message=f"{leaning.message} {why}")
