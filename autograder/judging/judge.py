"""Judge attempts by a key, in notebooks, browsers and when grading.

Comparison decides the score; diagnosis only explains it. An exception of the engine in either of them is recorded for
the instructor as `fault`. If it happens in the diagnosis, the score stays.
"""

import itertools
import math
import traceback
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from autograder.answers.attempt import Call, CallResult
from autograder.judging.compare import Comparison, compare
from autograder.judging.constant import constant_parts, describe_constants, without_constants
from autograder.judging.diagnosis import diagnose
from autograder.judging.judge_question import judge_question
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.law_tests import Ask
from autograder.judging.messages import Diagnosis
from autograder.judging.problems import explain_problem
from autograder.judging.relations import join_words
from autograder.judging.verdict import FailingCase, Verdict

NOTHING_TO_SHOW = ("not written", "missing", "did not run", "stopped")
ALL_CASES_PROBLEMS = (*NOTHING_TO_SHOW, "too slow", "wrong form")  # these are explained without a diagnosis


def judge(task_id: str, key: TaskKey, attempts: Sequence[CallResult], ask: Ask | None = None) -> Verdict:
    """Return the verdict on one attempt per case of the key.

    `ask` calls the student's function again, for probes.
    """
    if key.question is not None:
        answer = None if attempts[0].problem else attempts[0].value
        return replace(judge_question(key.question, answer), task=task_id, points=key.points)
    with np.errstate(all="ignore"):  # large answers overflow in comparisons
        return _judge_attempts(task_id, key, attempts, ask)


def _find_failing_case(
    key: TaskKey, case: OpenCase | SealedCase, attempt: CallResult, number: int, ask: Ask | None
) -> FailingCase | None:
    """Return the case to show, as small as the function can be asked for."""
    if attempt.problem in NOTHING_TO_SHOW:
        return None
    failing = _failing_case(case, attempt, number)
    return _smaller_failing_case(key, ask, failing) if ask and not attempt.problem else failing


def _credit(key: TaskKey, comparisons: Sequence[Comparison], diagnosis: Diagnosis) -> float:
    """Return the credit of a misconception; a constant answer earns none."""
    is_constant = len(constant_parts(comparisons, len(key.same))) == len(key.same)
    return 0.0 if is_constant else diagnosis.credit


def _after_problem(key: TaskKey, problem: str, diagnosis: Diagnosis | None) -> Diagnosis:
    """Return the diagnosis with the problem of a case before it."""
    if diagnosis is None:
        return Diagnosis(problem, see=key.see)
    return replace(diagnosis, message=f"{problem} {diagnosis.message}")


def _judge_attempts(task_id: str, key: TaskKey, attempts: Sequence[CallResult], ask: Ask | None) -> Verdict:
    comparisons, fault = _compare_all(key, attempts)
    if fault:
        return _not_judged(task_id, key, fault)
    if all(comparison.is_right for comparison in comparisons):
        message = " ".join(["Correct.", *_remarks(key, attempts)])
        return Verdict(task_id, True, 1.0, key.points, message, see=key.see)
    first = _first_failing(attempts, comparisons)
    case, attempt = key.cases[first], attempts[first]
    diagnosis, fault = _try_to_diagnose(key, attempts, comparisons, ask)
    if diagnosis is None or attempt.problem == "raised":
        # an exception comes first; the diagnosis speaks of other cases
        problem = explain_problem(key, attempts, first, comparisons[first].trouble)
        diagnosis = _after_problem(key, problem, diagnosis)
    counted = without_constants(comparisons, len(key.same))
    constant = describe_constants(key, comparisons, counted)
    right_cases = itertools.compress(key.cases, [comparison.is_right for comparison in counted])
    return Verdict(
        task=task_id,
        passed=False,
        fraction=max(share_of(counted), _credit(key, comparisons, diagnosis)),
        points=key.points,
        message=" ".join(filter(None, [diagnosis.message, constant])),
        misconception=diagnosis.misconception,
        slip=diagnosis.slip,
        see=diagnosis.see or key.see,
        problem=attempt.problem,
        error=attempt.error.name if attempt.error else "",
        failing=_find_failing_case(key, case, attempt, first + 1, ask),
        survived=tuple(case.name for case in right_cases),
        picture=key.picture,
        same=key.same,
        fault=fault,
    )


def share_of(comparisons: Sequence[Comparison]) -> float:
    """Return the share of the points that comparison alone earns."""
    # `sum` rounds differently since Python 3.12, which the browser has
    return math.fsum(comparison.share for comparison in comparisons) / len(comparisons)


def _first_failing(attempts: Sequence[CallResult], comparisons: Sequence[Comparison]) -> int:
    """Return the position of the first wrong case, problems first."""
    wrong = [position for position, comparison in enumerate(comparisons) if not comparison.is_right]
    return next((position for position in wrong if attempts[position].problem), wrong[0])


def _remarks(key: TaskKey, attempts: Sequence[CallResult]) -> list[str]:
    """Return a remark if a right function changes its arguments."""
    changed = {name for attempt in attempts for name in attempt.changed}
    names = [f"`{name}`" for name in key.cases[0].inputs if name in changed]
    if not names:
        return []
    them = ("argument", "it") if len(names) == 1 else ("arguments", "them")
    return [
        f"One remark: your function changes its {them[0]} {join_words(names)}. The caller still needs {them[1]}."
    ]


def _compare_all(key: TaskKey, attempts: Sequence[CallResult]) -> tuple[list[Comparison], str]:
    try:
        return [compare(key, case, attempt) for case, attempt in zip(key.cases, attempts, strict=True)], ""
    except Exception as error:
        return [], _describe_fault(error)


def _try_to_diagnose(
    key: TaskKey, attempts: Sequence[CallResult], comparisons: Sequence[Comparison], ask: Ask | None
) -> tuple[Diagnosis | None, str]:
    if any(attempt.problem in ALL_CASES_PROBLEMS for attempt in attempts):
        return None, ""
    try:
        return diagnose(key, attempts, comparisons, ask), ""
    except Exception as error:
        return None, _describe_fault(error)


def _describe_fault(error: Exception) -> str:
    """Describe an exception of the engine for the instructor."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.name}, line {last.lineno})"[:300]


def _not_judged(task_id: str, key: TaskKey, fault: str) -> Verdict:
    message = (
        "This answer could not be judged because of an error in the grader, not in your answer. "
        "Your instructor sees the error."
    )
    return Verdict(task_id, False, 0.0, key.points, message, see=key.see, problem="not judged", fault=fault)


def _failing_case(case: OpenCase | SealedCase, attempt: CallResult, number: int) -> FailingCase:
    if isinstance(case, SealedCase):
        return FailingCase(case.name, {}, attempt.value)
    return FailingCase(case.name, case.inputs, attempt.value, case.expected, number)


def _smaller_failing_case(key: TaskKey, ask: Ask, failing: FailingCase) -> FailingCase:
    """Return the first small case that also fails, else the given one."""
    if not key.twins:
        return failing
    try:
        attempts = ask([Call(twin.inputs) for twin in key.twins])
        for number, (twin, attempt) in enumerate(
            zip(key.twins, attempts, strict=False), start=len(key.cases) + 1
        ):
            if not attempt.problem and not compare(key, twin, attempt).is_right:
                return _failing_case(twin, attempt, number)
    except Exception:  # the first failing case can always be shown
        return failing
    return failing
