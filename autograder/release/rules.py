"""The rules that a draw must pass on its own numbers before it is released.

Rules of a task: no case is ill-posed; the reference and every alternative earn full marks; every misconception, on the
cases where it is definite, is rejected and recognised as itself and as no other, and it earns the share that it earns
on other draws; no program that must fail passes; a sealed answer is not at the edge of its rounding.
Rules of a notebook (see `autograder.release.variant`): the solution earns full marks, the untouched notebook none.
"""

import copy
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from autograder.answers.attempt import Attempt
from autograder.answers.values import plain
from autograder.authoring.task import Task, Way
from autograder.judging import seal, trace
from autograder.judging.check import verdict_on
from autograder.judging.forms import Evaluated, Wanted, parts_of, read
from autograder.judging.judge import judge
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.verdict import Verdict
from autograder.release.mistakes import listed_parts
from autograder.release.quiet import quiet

# Of a grid step: how far from a rounding edge a sealed answer must lie. A person may round to one digit more
# than the grid has; a formula is evaluated to many digits, so only the last of them matter.
SEAL_MARGIN = {"hand": 0.1, "sym": 1e-4}

Shares = Mapping[str, float]  # by misconception, the share of the points that it earns


def broken_rules(task: Task, key: TaskKey, usual: Shares | None = None) -> list[str]:
    """Every rule that this draw of the task breaks, in words; empty when it is certified.

    `usual` holds what misconceptions earn on other draws; without it nobody asks.
    """
    wrong_ways = partial(_accepted_wrong_ways, usual=usual or {})
    rules = (_ill_posed, _rejected_right_ways, wrong_ways, _passing_programs, _edges)
    return [broken for rule in rules for broken in rule(task, key)]


def _arguments(case: OpenCase | SealedCase) -> list[Any]:
    """Copies: a way may work in place, and the key is not its to change."""
    return copy.deepcopy(list(case.inputs.values()))


def _ill_posed(task: Task, key: TaskKey) -> Iterator[str]:
    for case in key.cases:
        reason = task.ill_posed(*_arguments(case))
        if reason:
            yield f"case {case.name!r} is ill-posed: {reason}"


def _rejected_right_ways(task: Task, key: TaskKey) -> Iterator[str]:
    for way in (task.answer, *task.alternatives):
        verdict = verdict_on_way(task, key, way)
        if not verdict.passed:
            name = way if isinstance(way, str) else way.__name__
            yield f"the correct way {name!r} fails: {verdict.message}"


def _accepted_wrong_ways(task: Task, key: TaskKey, usual: Shares) -> Iterator[str]:
    for misconception in task.misconceptions:
        telling = _telling(key, misconception.name)
        where = "" if len(telling.cases) == len(key.cases) else " where it is definite"
        if not telling.cases:
            why = misconception.indefinite(*_arguments(key.cases[0]))
            yield f"the misconception {misconception.name!r} is definite on no case: {why}"
            continue
        verdict = verdict_on_way(task, telling, misconception.wrong)
        if verdict.passed:
            yield f"the misconception {misconception.name!r} passes{where}"
        elif verdict.misconception != misconception.name:
            taken_for = verdict.misconception or "no misconception"
            yield f"the misconception {misconception.name!r} is taken for {taken_for!r}{where}"
        elif usual:
            whole = verdict_on_way(task, key, misconception.wrong) if where else verdict
            yield from _unusual_share(misconception.name, _share(whole), usual[misconception.name])


def _unusual_share(name: str, share: float, usual: float) -> Iterator[str]:
    """The same mistake must cost everyone the same: no part of it is right by luck on one draw and not on others."""
    if share != usual:
        yield f"the misconception {name!r} earns {share:.3g} of the points, on other draws {usual:.3g}"


def _share(verdict: Verdict) -> float:
    return round(verdict.fraction, 9)


def shares(task: Task, key: TaskKey) -> Shares:
    """What share of the points each misconception earns on a draw; nothing is learned from an ill-posed one."""
    if any(_ill_posed(task, key)):
        return {}
    return {one.name: _share(verdict_on_way(task, key, one.wrong)) for one in task.misconceptions}


def most_usual(seen: Sequence[Shares]) -> Shares:
    """The shares of the draw that agrees with the others in most misconceptions: what happens, happens together."""
    counts = Counter(item for one in seen for item in one.items())
    return max(seen, key=lambda one: sum(counts[item] for item in one.items()), default={})


def _telling(key: TaskKey, name: str) -> TaskKey:
    """The key with only those cases on which a misconception says something definite."""
    position = key.wrongs.index(name)
    return replace(key, cases=tuple(case for case in key.cases if _is_definite(case, position)))


def _is_definite(case: OpenCase | SealedCase, position: int) -> bool:
    if isinstance(case, SealedCase):
        return any(part[position] is not None for part in case.wrong)
    return not bool(np.isnan(case.wrong[position]).any()) or trace.LOST in case.wrong[position]


def _passing_programs(task: Task, key: TaskKey) -> Iterator[str]:
    for program in task.must_fail:
        if _passes(task, key, program):
            yield f"the wrong program {program.__name__!r} passes by luck"


def _passes(task: Task, key: TaskKey, program: Callable[..., Any]) -> bool:
    try:
        return verdict_on_way(task, key, program).passed
    except Exception:  # a wrong program may stop as it likes
        return False


def _edges(task: Task, key: TaskKey) -> Iterator[str]:
    for case in key.cases:
        if not isinstance(case, SealedCase):
            continue
        loose = Wanted(((),) * len(key.same), exact_form=True)
        parts = read(listed_parts(task, plain(task.answer(*_arguments(case)))), loose)
        for part, same, grid in zip(parts, key.samenesses, case.grids, strict=True):
            fractions = np.mod(seal.steps(same.quantity(part), grid), 1.0)
            if np.any(np.abs(fractions - 0.5) < SEAL_MARGIN[task.kind]):
                yield f"the answer of case {case.name!r} lies at the edge of its rounding"


def verdict_on_way(task: Task, key: TaskKey, way: Way) -> Verdict:
    """The verdict on what a student who works this way hands in: a function, a value, or a formula."""
    with quiet():
        if task.kind == "code":
            return verdict_on("", key, way)
        return judge("", key, [Attempt(_handed_in(task, key, way))])


def _handed_in(task: Task, key: TaskKey, way: Way) -> Any:
    if isinstance(way, str):
        return way
    (case,) = key.cases
    value = plain(way(*_arguments(case)))
    if task.kind == "hand":
        return value
    # a reference formula is given by its values at the sample points, not by its text
    value = listed_parts(task, value)
    parts = tuple(Evaluated(_at_all_points(part, case)) for part in parts_of(value, len(key.same)))
    return parts if len(parts) > 1 else parts[0]


def _at_all_points(part: Any, case: OpenCase | SealedCase) -> Any:
    """A constant has the same value at every sample point."""
    array = np.asarray(part, dtype=float)
    return (
        array if array.ndim else np.full(len(np.atleast_1d(next(iter(case.inputs.values())))), float(array))
    )
