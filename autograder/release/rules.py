"""The certificate: the rules that a variant must pass on its own numbers before it is released.

Rules of a task: no case is ill-posed; the reference and every alternative earn full marks; every
misconception, on the cases where it is definite, is rejected and recognised as itself and as no other; a sealed
answer is not at the edge of its rounding.
Rules of a notebook (see `autograder.release.variant`): the solution earns full marks, the untouched notebook none.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.answers.attempt import Attempt
from autograder.answers.values import plain
from autograder.authoring.task import Task, Way
from autograder.judging.check import verdict_on
from autograder.judging.judge import Evaluated, judge, parts_of
from autograder.judging.key import SealedCase, TaskKey, quantities_of, steps
from autograder.judging.verdict import Verdict

# Of a grid step: how far from a rounding edge a sealed answer must lie. A person may round to one digit more
# than the grid has; a formula is evaluated to many digits, so only the last of them matter.
SEAL_MARGIN = {"hand": 0.1, "sym": 1e-4}


def broken_rules(task: Task, key: TaskKey) -> list[str]:
    """Every rule that this draw of the task breaks, in words; empty when it is certified."""
    rules = (_ill_posed, _rejected_right_ways, _accepted_wrong_ways, _edges)
    return [broken for rule in rules for broken in rule(task, key)]


def _ill_posed(task: Task, key: TaskKey) -> Iterator[str]:
    for case in key.cases:
        reason = task.ill_posed(*case.inputs.values())
        if reason:
            yield f"case {case.name!r} is ill-posed: {reason}"


def _rejected_right_ways(task: Task, key: TaskKey) -> Iterator[str]:
    for way in (task.answer, *task.alternatives):
        verdict = verdict_on_way(task, key, way)
        if not verdict.passed:
            name = way if isinstance(way, str) else way.__name__
            yield f"the correct way {name!r} fails: {verdict.message}"


def _accepted_wrong_ways(task: Task, key: TaskKey) -> Iterator[str]:
    for misconception in task.misconceptions:
        telling = tuple(case for case in key.cases if misconception.name in case.wrong)
        where = "" if len(telling) == len(key.cases) else " where it is definite"
        if not telling:
            why = misconception.indefinite(*key.cases[0].inputs.values())
            yield f"the misconception {misconception.name!r} is definite on no case: {why}"
            continue
        verdict = verdict_on_way(task, replace(key, cases=telling), misconception.wrong)
        if verdict.passed:
            yield f"the misconception {misconception.name!r} passes{where}"
        elif verdict.misconception != misconception.name:
            taken_for = verdict.misconception or "no misconception"
            yield f"the misconception {misconception.name!r} is taken for {taken_for!r}{where}"


def _edges(task: Task, key: TaskKey) -> Iterator[str]:
    for case in key.cases:
        if isinstance(case, SealedCase):
            answer = parts_of(key, plain(task.answer(*case.inputs.values())))
            for quantity, grid in zip(quantities_of(answer, key.samenesses), case.grids, strict=True):
                fractions = np.mod(steps(quantity, grid), 1.0)
                if np.any(np.abs(fractions - 0.5) < SEAL_MARGIN[task.kind]):
                    yield f"the answer of case {case.name!r} lies at the edge of its rounding"


def verdict_on_way(task: Task, key: TaskKey, way: Way) -> Verdict:
    """The verdict on what a student who works this way hands in: a function, a value, or a formula."""
    if task.kind == "code":
        return verdict_on("", key, way)
    return judge("", key, [Attempt(_handed_in(task, key, way))])


def _handed_in(task: Task, key: TaskKey, way: Way) -> Any:
    if isinstance(way, str):
        return way
    (case,) = key.cases
    value = plain(way(*case.inputs.values()))
    if task.kind == "hand":
        return value
    # a reference formula is given by its values at the sample points, not by its text
    parts = tuple(Evaluated(np.asarray(part, dtype=float)) for part in parts_of(key, value))
    return parts if len(parts) > 1 else parts[0]
