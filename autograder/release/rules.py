"""Rules that a draw must pass before it is released.

Rules of a task: no case is ill-posed. The reference and every alternative earn full marks. Every misconception is
rejected and recognised as itself on the cases where it is definite, and earns the share that it earns on other draws.
No program of `must_fail` passes. A sealed answer is not at the edge of its rounding. No two numbers of a hand task
agree by chance.
Rules of a notebook (see `autograder.release.variant`): the solution earns full marks, the untouched notebook none.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from autograder.answers.arguments import arguments
from autograder.answers.attempt import CallResult
from autograder.answers.values import to_plain_data
from autograder.authoring.task import Task, Way
from autograder.judging import fingerprints, trace
from autograder.judging.check import verdict_on
from autograder.judging.forms import Evaluated, any_form, read_parts, split_kinds, split_parts
from autograder.judging.judge import judge
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.verdict import Verdict
from autograder.release.coincidences import lucky_agreements
from autograder.release.mistakes import listed_parts
from autograder.release.quiet import quiet

# Minimal distance of a sealed answer from a rounding edge, in grid steps. A student may round to one digit more than
# the grid has. A formula is evaluated to many digits, so only the last of them matter.
SEAL_MARGIN = {"hand": 0.1, "sym": 1e-4}

Shares = Mapping[str, float]  # misconception → share of the points


def broken_rules(task: Task, key: TaskKey, usual: Shares | None = None) -> list[str]:
    """Describe every rule that this draw breaks; empty if it is certified.

    `usual` holds the shares of misconceptions on other draws. Without it, shares are not checked.
    """
    wrong_ways = partial(_accepted_wrong_ways, usual=usual or {})
    rules = (
        _ill_posed,
        _rejected_right_ways,
        wrong_ways,
        _passing_programs,
        _rounding_edges,
        lucky_agreements,
    )
    return [broken for rule in rules for broken in rule(task, key)]


def _arguments(case: OpenCase | SealedCase) -> list[object]:
    """Copy the arguments of a case, because programs may change them."""
    return arguments(case.inputs)


def _ill_posed(task: Task, key: TaskKey) -> Iterator[str]:
    for case in key.cases:
        reason = task.ill_posed(*_arguments(case))
        if reason:
            yield f"case {case.name!r} is ill-posed: {reason}"


def _rejected_right_ways(task: Task, key: TaskKey) -> Iterator[str]:
    for way in (task.answer, *task.alternatives):
        verdict = judge_solution(task, key, way)
        if not verdict.passed:
            name = way if isinstance(way, str) else way.__name__
            yield f"the correct way {name!r} fails: {verdict.message}"


def _accepted_wrong_ways(task: Task, key: TaskKey, usual: Shares) -> Iterator[str]:
    for misconception in task.misconceptions:
        telling = _with_definite_cases(key, misconception.name)
        where = "" if len(telling.cases) == len(key.cases) else " where it is definite"
        if not telling.cases:
            why = misconception.indefinite(*_arguments(key.cases[0]))
            yield f"the misconception {misconception.name!r} is definite on no case: {why}"
            continue
        verdict = judge_solution(task, telling, misconception.wrong)
        if verdict.passed:
            yield f"the misconception {misconception.name!r} passes{where}"
        elif verdict.misconception != misconception.name:
            taken_for = verdict.misconception or "no misconception"
            yield f"the misconception {misconception.name!r} is taken for {taken_for!r}{where}"
        elif usual:
            whole = judge_solution(task, key, misconception.wrong) if where else verdict
            yield from _unusual_share(misconception.name, _share(whole), usual[misconception.name])


def _unusual_share(name: str, share: float, usual: float) -> Iterator[str]:
    """Describe a misconception whose share differs from other draws.

    The same mistake must cost every student the same.
    """
    if share != usual:
        yield f"the misconception {name!r} earns {share:.3g} of the points, on other draws {usual:.3g}"


def _share(verdict: Verdict) -> float:
    return round(verdict.fraction, 9)


def points_by_misconception(task: Task, key: TaskKey) -> Shares:
    """Return the share of the points that each misconception earns.

    The result is empty for an ill-posed draw.
    """
    if any(_ill_posed(task, key)):
        return {}
    return {
        misconception.name: _share(judge_solution(task, key, misconception.wrong))
        for misconception in task.misconceptions
    }


def typical_points(seen: Sequence[Shares]) -> Shares:
    """Return the shares of the draw that agrees most with the others.

    It is one draw's whole profile, because the shares of a draw belong together.
    """
    counts = Counter(item for shares in seen for item in shares.items())
    return max(seen, key=lambda shares: sum(counts[item] for item in shares.items()), default={})


def _with_definite_cases(key: TaskKey, name: str) -> TaskKey:
    """Restrict a key to the cases on which a misconception is definite."""
    position = key.wrongs.index(name)
    return replace(key, cases=tuple(case for case in key.cases if _is_definite(case, position)))


def _is_definite(case: OpenCase | SealedCase, position: int) -> bool:
    if isinstance(case, SealedCase):
        return any(part[position] is not None for part in case.wrong)
    return not bool(np.isnan(case.wrong[position]).any()) or trace.CANCELLED in case.wrong[position]


def _passing_programs(task: Task, key: TaskKey) -> Iterator[str]:
    for program in task.must_fail:
        if _passes(task, key, program):
            yield f"the wrong program {program.__name__!r} passes by luck"


def _passes(task: Task, key: TaskKey, program: Callable[..., object]) -> bool:
    try:
        return judge_solution(task, key, program).passed
    except Exception:  # a wrong program may raise anything
        return False


def _rounding_edges(task: Task, key: TaskKey) -> Iterator[str]:
    for case in key.cases:
        if isinstance(case, SealedCase) and _is_near_edge(task, key, case):
            yield f"the answer of case {case.name!r} lies at the edge of its rounding"


def _is_near_edge(task: Task, key: TaskKey, case: SealedCase) -> bool:
    """Return whether another program could round the answer of a sealed case otherwise."""
    answer, margin = listed_parts(task, to_plain_data(task.answer(*_arguments(case)))), SEAL_MARGIN[task.kind]
    values = split_kinds(answer, key.kinds) if key.kinds else ()
    if any(kind.is_near_edge(value, margin) for value, kind in zip(values, key.kinds, strict=True) if kind):
        return True
    parts = zip(read_parts(answer, any_form(key.samenesses)), key.samenesses, case.grids, strict=True)
    return any(
        np.any(np.abs(np.mod(fingerprints.steps(same.quantity(part), grid), 1.0) - 0.5) < margin)
        for part, same, grid in parts
        if not same.kind
    )


def judge_solution(task: Task, key: TaskKey, way: Way) -> Verdict:
    """Judge a submission that returns what this program, value or formula returns."""
    with quiet():
        if task.kind == "code":
            return verdict_on("", key, way)
        return judge("", key, [CallResult(_as_submitted(task, key, way))])


def _as_submitted(task: Task, key: TaskKey, way: Way) -> object:
    if isinstance(way, str):
        return way
    (case,) = key.cases
    value = to_plain_data(way(*_arguments(case)))
    if task.kind == "hand":
        return value
    # a reference formula is represented by its values at the sample points
    value = listed_parts(task, value)
    parts = tuple(Evaluated(_at_all_points(part, case)) for part in split_parts(value, len(key.same)))
    return parts if len(parts) > 1 else parts[0]


def _at_all_points(part: object, case: OpenCase | SealedCase) -> object:
    """Repeat a constant for every sample point."""
    array = np.asarray(part, dtype=float)
    return (
        array if array.ndim else np.full(len(np.atleast_1d(next(iter(case.inputs.values())))), float(array))
    )
