"""Find numbers of a hand task that agree by chance.

Such numbers hide a wrong method. A solver meets many quantities on the way to an answer: the entries and counts of the
inputs, the results of the worked solution's steps, and the root or the square of what a misconception gives. If one of
them equals a part of the right answer on this draw but not on others, a solver who stops there gets "Correct.". If two
results of steps have the same size, or a descending list contains a number and its negative, the answer does not show
which one the solver took. Such a draw is rejected. (A rule on shares of points finds a misconception that equals the
answer itself.)

Some quantities always agree: the last step of a worked solution is the answer. An agreement on each of a few trial
draws, which no variant uses, is natural. So is an input of which some entry agrees on each of them. A task declares
what else may agree, with the reason: `may_agree=(("lengths", "a shortest walk may be a single edge"),)`.
"""

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from autograder.answers.arguments import arguments
from autograder.answers.arrays import Array, Inputs
from autograder.authoring.task import Task
from autograder.judging.key import TaskKey
from autograder.judging.slips import sizes_of
from autograder.release.mistakes import (
    Mistake,
    is_equal,
    mistake_answer,
    own_mistakes,
    right_parts,
    trial_inputs,
)
from autograder.release.quiet import quiet
from autograder.release.worked_results import displayed_results

STEPS_KIND = "steps"
COUNTS_KIND = "counts"
ANSWER = "answer"
COUNTED_SIZES = {"rows": "number of rows", "columns": "number of columns", "length": "number of entries"}
EQUAL_RTOL = 1e-6
SECOND_SLIPS: Mapping[str, Callable[[Array], object]] = {"the square": np.square, "the root": np.sqrt}


@dataclass(frozen=True, order=True)
class Agreement:
    """Two quantities of a task that are equal on a draw.

    `group` is the source of the first (an input, the steps, the counts, a mistake), `place` its place there. `other` is
    the second, a part of the answer or another step.
    """

    group: str
    place: str
    other: str

    def __str__(self) -> str:
        """Describe the agreement as a broken rule."""
        return f"{self.place} equals {self.other} by luck"


def lucky_agreements(task: Task, key: TaskKey) -> Iterator[str]:
    """Describe the quantities of a hand task that agree by chance.

    Agreements that are natural or declared in `may_agree` are left out.
    """
    if task.kind != "hand":
        return
    allowed = {group for group, _ in task.may_agree}
    natural = natural_agreements(task)
    natural_groups = {(agreement.group, agreement.other) for agreement in natural if not agreement.place}
    for case in key.cases:
        for agreement in sorted(agreements(task, case.inputs) - natural):
            is_natural = (agreement.group, agreement.other) in natural_groups
            if not is_natural and agreement.group not in allowed:
                yield str(agreement)


@functools.cache
def natural_agreements(task: Task) -> frozenset[Agreement]:
    """Return the agreements that occur on every trial draw.

    An input of which some entry always agrees has an empty `place`.
    """
    draws = [agreements(task, inputs) for inputs in trial_inputs(task)]
    inputs = set(trial_inputs(task)[0])
    with_groups = [
        draw
        | {Agreement(agreement.group, "", agreement.other) for agreement in draw if agreement.group in inputs}
        for draw in draws
    ]
    return frozenset(set.intersection(*with_groups))


def agreements(task: Task, inputs: Inputs) -> set[Agreement]:
    """Return all pairs of equal quantities that could hide a wrong method.

    Chance and natural agreements are both included.
    """
    right = right_parts(task, inputs)
    steps = _step_results(task, inputs)
    pairs = itertools.chain(
        _agreements_with_answer(task, _quantities(inputs, steps), right),
        *(_agreements_by_mistake(task, mistake, inputs, right) for mistake in own_mistakes(task)),
        _agreements_among_parts(task, right),
        _agreements_among_steps(steps),
        _opposite_entries(inputs),
    )
    return set(pairs)


def _quantities(inputs: Inputs, steps: Sequence[Array]) -> Iterator[tuple[str, str, Array]]:
    """Yield inputs, entries, counts and step results with group and place."""
    for argument, value in numeric(inputs).items():
        array = np.asarray(value, dtype=np.float64)
        yield argument, argument, array
        for place in np.ndindex(array.shape) if array.ndim else ():
            yield argument, f"entry {[index + 1 for index in place]} of {argument}", np.asarray(array[place])
    for count, size in sizes_of(inputs).items():
        yield COUNTS_KIND, f"the {COUNTED_SIZES[count]}", np.asarray(size)
    for number, result in enumerate(steps, start=1):
        yield STEPS_KIND, f"result {number} of the steps", result


def numeric(inputs: Inputs) -> Inputs:
    """Return the inputs that are numbers or arrays of numbers."""
    return {name: value for name, value in inputs.items() if _is_numeric(value)}


def _is_numeric(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_numeric, value)) and len({np.shape(item) for item in value}) <= 1
    return isinstance(value, np.ndarray | int | float)


def _step_results(task: Task, inputs: Inputs) -> list[Array]:
    if task.worked is None:
        return []
    text, _ = task.worked(*arguments(inputs))
    return list(displayed_results(text))


def _agreements_with_answer(
    task: Task, met: Iterator[tuple[str, str, Array]], right: Sequence[Array]
) -> Iterator[Agreement]:
    for group, place, value in met:
        for part, (want, same) in enumerate(zip(right, task.samenesses, strict=True)):
            if value.shape == want.shape and is_equal(value, want, same):
                yield Agreement(group, place, _part_name(task, part))


def _agreements_by_mistake(
    task: Task, mistake: Mistake, inputs: Inputs, right: Sequence[Array]
) -> Iterator[Agreement]:
    """Yield parts that a mistake and a second slip get right."""
    if mistake.indefinite is not None and mistake.indefinite(*arguments(inputs)):
        return
    for part, value in enumerate(mistake_answer(mistake, inputs, right)):
        if value is None or value.ndim or right[part].ndim:
            continue
        for slip, change in SECOND_SLIPS.items():
            with quiet():
                changed = np.asarray(change(value))
            if is_equal(changed, right[part], task.samenesses[part]):
                yield Agreement(mistake.name, f"{slip} of {mistake.name!r}", _part_name(task, part))


def _agreements_among_parts(task: Task, right: Sequence[Array]) -> Iterator[Agreement]:
    """Yield equal parts of the answer, which a solver could exchange."""
    for part, other_part in itertools.combinations(range(len(right)), 2):
        same = task.samenesses[other_part]
        if right[part].shape == right[other_part].shape and is_equal(right[part], right[other_part], same):
            yield Agreement(ANSWER, _part_name(task, part), _part_name(task, other_part))


def _agreements_among_steps(steps: Sequence[Array]) -> Iterator[Agreement]:
    """Yield pairs of step results with the same size."""
    numbers = [(number, float(abs(step))) for number, step in enumerate(steps, start=1) if step.ndim == 0]
    for (number, size), (other_number, other_size) in itertools.combinations(numbers, 2):
        if size and np.isclose(size, other_size, rtol=EQUAL_RTOL, atol=0):
            yield Agreement(
                STEPS_KIND, f"result {number} of the steps", f"result {other_number} of the steps"
            )


def _opposite_entries(inputs: Inputs) -> Iterator[Agreement]:
    """Yield descending lists that contain a number and its negative.

    A solver who sorts by size could take either.
    """
    for argument, value in numeric(inputs).items():
        entries = np.asarray(value, dtype=np.float64)
        is_descending = entries.ndim == 1 and entries.size > 2 and bool(np.all(np.diff(entries) <= 0))
        if is_descending and np.any(np.isin(-entries, entries) & (entries != 0)):
            yield Agreement(
                argument, f"an entry of {argument}", f"the negative of another entry of {argument}"
            )


def _part_name(task: Task, part: int) -> str:
    if len(task.samenesses) == 1:
        return "the answer"
    return f"part {part + 1} of the answer"
