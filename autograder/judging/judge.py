"""Judge attempts by a key. The same judgement in the notebook, in the browser and when grading.

Comparing decides the score; diagnosing only explains it. Each is fenced: a mistake of ours is written down for the
instructor and costs the student nothing that is known.
"""

import math
import traceback
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autograder.answers.attempt import Attempt
from autograder.judging.compare import Compared, compare
from autograder.judging.constant import constant_parts, describe_constants, without_constants
from autograder.judging.diagnosis import diagnose
from autograder.judging.facts import Ask
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.problems import explain_problem
from autograder.judging.relations import listed
from autograder.judging.told import Diagnosis
from autograder.judging.verdict import FailingCase, Verdict

NOTHING_TO_SHOW = ("not written", "missing", "did not run", "stopped")
ALL_CASES_PROBLEMS = (*NOTHING_TO_SHOW, "too slow", "wrong form")  # no reason is looked for beside them


def judge(task_id: str, key: TaskKey, attempts: Sequence[Attempt], ask: Ask | None = None) -> Verdict:
    """Return the verdict on one attempt per case of the key; `ask` calls the function again, for probes."""
    with np.errstate(all="ignore"):  # an answer may be as large as it likes
        return _judged(task_id, key, attempts, ask)


def _judged(task_id: str, key: TaskKey, attempts: Sequence[Attempt], ask: Ask | None) -> Verdict:
    found, fault = _compared(key, attempts)
    if fault:
        return _not_judged(task_id, key, fault)
    if all(one.is_right for one in found):
        message = " ".join(["Correct.", *_remarks(key, attempts)])
        return Verdict(task_id, True, 1.0, key.points, message, see=key.see)
    first = _first_failing(attempts, found)
    case, attempt = key.cases[first], attempts[first]
    said, fault = _diagnosed(key, attempts, found, ask)
    if said is None:
        said = Diagnosis(explain_problem(key, attempts, first, found[first].trouble), see=key.see)
    elif attempt.problem == "raised":  # the error is told first: what else is wrong was seen on other cases
        said = replace(
            said, message=f"{explain_problem(key, attempts, first, found[first].trouble)} {said.message}"
        )
    counted = without_constants(found, len(key.same))
    constant = describe_constants(key, found, counted)
    is_constant = len(constant_parts(found, len(key.same))) == len(key.same)
    return Verdict(
        task=task_id,
        passed=False,
        fraction=max(share_of(counted), 0.0 if is_constant else said.credit),
        points=key.points,
        message=" ".join(filter(None, [said.message, constant])),
        misconception=said.misconception,
        slip=said.slip,
        see=said.see or key.see,
        problem=attempt.problem,
        error=attempt.error.name if attempt.error else "",
        failing=None if attempt.problem in NOTHING_TO_SHOW else _failing_case(case, attempt),
        survived=tuple(case.name for case, one in zip(key.cases, counted, strict=True) if one.is_right),
        picture=key.picture,
        same=key.same,
        fault=fault,
    )


def share_of(found: Sequence[Compared]) -> float:
    """Return the share of the points that comparing alone earns."""
    # `sum` rounds differently since Python 3.12, which the browser has
    return math.fsum(one.share for one in found) / len(found)


def _first_failing(attempts: Sequence[Attempt], found: Sequence[Compared]) -> int:
    """Return the position of the first case with an exception or another problem, else of the first wrong one."""
    wrong = [position for position, one in enumerate(found) if not one.is_right]
    return next((position for position in wrong if attempts[position].problem), wrong[0])


def _remarks(key: TaskKey, attempts: Sequence[Attempt]) -> list[str]:
    """What a good teacher says beside full marks: whoever called the function still needs what it was given."""
    changed = {name for attempt in attempts for name in attempt.changed}
    names = [f"`{name}`" for name in key.cases[0].inputs if name in changed]
    if not names:
        return []
    them = ("argument", "it") if len(names) == 1 else ("arguments", "them")
    return [
        f"One remark: your function changes its {them[0]} {listed(names)}. Whoever calls it still needs {them[1]}."
    ]


def _compared(key: TaskKey, attempts: Sequence[Attempt]) -> tuple[list[Compared], str]:
    try:
        return [compare(key, case, attempt) for case, attempt in zip(key.cases, attempts, strict=True)], ""
    except Exception as error:
        return [], _told(error)


def _diagnosed(
    key: TaskKey, attempts: Sequence[Attempt], found: Sequence[Compared], ask: Ask | None
) -> tuple[Diagnosis | None, str]:
    if any(attempt.problem in ALL_CASES_PROBLEMS for attempt in attempts):
        return None, ""
    try:
        return diagnose(key, attempts, found, ask), ""
    except Exception as error:
        return None, _told(error)


def _told(error: Exception) -> str:
    """An exception of ours, for the instructor: what and where."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.name}, line {last.lineno})"[:300]


def _not_judged(task_id: str, key: TaskKey, fault: str) -> Verdict:
    message = (
        "This answer could not be judged, by a fault of the grader and not of yours; your instructor is told."
    )
    return Verdict(task_id, False, 0.0, key.points, message, see=key.see, problem="not judged", fault=fault)


def _failing_case(case: OpenCase | SealedCase, attempt: Attempt) -> FailingCase:
    if isinstance(case, SealedCase):
        return FailingCase(case.name, {}, attempt.value)
    return FailingCase(case.name, case.inputs, attempt.value, case.expected)
