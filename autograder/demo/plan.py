"""Draw the intended answer of each made-up student, with a fixed seed.

An answer is given by one student or by at least `MIN_CROWD`. The report calls pairs similar by rare answers, and
independent students with the same mistake must not look like a copied pair.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from autograder.demo.ways import DEMO_ERRORS
from autograder.release.draw import rng_from_words

AnswerKind = Literal["right", "another way", "misconception", "unforeseen", "error", "nothing", "unreadable"]
ANSWER_KINDS: tuple[AnswerKind, ...] = (
    "right",
    "another way",
    "misconception",
    "unforeseen",
    "error",
    "nothing",
    "unreadable",
)
MIN_CROWD = 4  # the report ignores answers that more than three students of a small class share
UNFORESEEN_GROUP = 5
ORIGINAL, COPY = 3, 8  # places of the copied pair
HALF_A_FILE = 12
SPECIAL = (ORIGINAL, COPY, HALF_A_FILE)  # their answers are planned separately
ERROR_SHARE = 0.5  # of the tasks
NOTHING_SHARE = 0.15  # of the wrong answers


@dataclass(frozen=True)
class Meant:
    """A student's intended answer.

    `name` is that of the program, the misconception or the error.
    """

    kind: AnswerKind
    name: str = ""


RIGHT, NOTHING = Meant("right"), Meant("nothing")
ClassPlan = list[dict[str, Meant]]  # by place of the student, by task


@dataclass(frozen=True)
class Choices:
    """The possible answers to a task.

    `right` names alternative solutions, `wrong` misconceptions. `has_unforeseen` tells whether there is a mistake that
    no task lists.
    """

    right: Sequence[str]
    wrong: Sequence[str]
    has_unforeseen: bool
    is_code: bool
    needs: frozenset[str]  # earlier tasks whose answers the solution uses
    long: frozenset[str] = frozenset()  # programs with helper functions, which those of one task often share


def draw_plan(topic: str, choices: Mapping[str, Choices], size: int) -> ClassPlan:
    """Return the intended answers of a class to a topic's tasks."""
    skills = rng_from_words("demo", "skills").beta(4, 2, size)
    plan: ClassPlan = [{} for _ in range(size)]
    for task, choice in choices.items():
        rng = rng_from_words("demo", topic, task)
        for place, meant in enumerate(_draw_task(choice, skills, rng)):
            plan[place][task] = meant
    _blank_dependent_tasks(plan, choices)
    _plan_special_students(plan, choices)
    return plan


def _draw_task(choice: Choices, skills: np.ndarray, rng: np.random.Generator) -> list[Meant]:
    """Return the intended answers of all students to one task."""
    luck = rng.random(len(skills))
    places = [int(place) for place in rng.permutation(len(skills)) if place not in SPECIAL]
    right = [place for place in places if 0.8 * skills[place] < luck[place] <= skills[place]]
    wrong = [place for place in places if luck[place] > skills[place]]
    everyone = [*wrong, *right, *places]  # the group is taken from wrong answers first
    group = list(dict.fromkeys(everyone))[: UNFORESEEN_GROUP * choice.has_unforeseen]
    meant = [RIGHT] * len(skills)
    for place in group:
        meant[place] = Meant("unforeseen")
    _deal_right(meant, _without(right, group), choice, rng)
    _deal_wrong(meant, _without(wrong, group), choice, rng)
    return meant


def _without(places: Sequence[int], group: Collection[int]) -> list[int]:
    return [place for place in places if place not in group]


def _deal_right(meant: list[Meant], places: list[int], choice: Choices, rng: np.random.Generator) -> None:
    ways = [Meant("another way", str(name)) for name in rng.permutation(list(choice.right))]
    rest = _with_one_long(ways[1:], choice)  # the first is reserved for the copied pair
    for place, way in zip(places, _deal_ways(rest, len(places)), strict=True):
        meant[place] = way or RIGHT


def _deal_wrong(meant: list[Meant], places: list[int], choice: Choices, rng: np.random.Generator) -> None:
    number = round(NOTHING_SHARE * len(places))
    blank, rest = places[:number], places[number:]
    if rest and rng.random() < ERROR_SHARE:
        meant[rest.pop()] = Meant("error", DEMO_ERRORS[rng.integers(len(DEMO_ERRORS))])
    ways = [Meant("misconception", str(name)) for name in rng.permutation(list(choice.wrong))]
    for place, way in zip(rest, _deal_ways(_with_one_long(ways, choice), len(rest)), strict=True):
        meant[place] = way or NOTHING
    for place in blank:
        meant[place] = NOTHING


def _with_one_long(ways: Sequence[Meant], choice: Choices) -> list[Meant]:
    """Return the answers with at most one single that needs helpers.

    The first answer belongs to the crowd and stays.
    """
    crowd, singles = list(ways[:1]), list(ways[1:])
    long = [way for way in singles if way.name in choice.long]
    return [*crowd, *(way for way in singles if way.name not in choice.long), *long[:1]]


def _deal_ways(ways: Sequence[Meant], number: int) -> list[Meant | None]:
    """Deal answers to students: the first to a crowd, the others singly.

    None stands for students without an answer.
    """
    if not ways:
        return [None] * number
    crowd = max(number - len(ways) + 1, MIN_CROWD if number >= MIN_CROWD else 1)
    if 1 < crowd < MIN_CROWD:
        return [*ways[:number], *[None] * (number - len(ways))]
    dealt: list[Meant | None] = [ways[0]] * min(crowd, number)
    return dealt + list(ways[1 : 1 + number - len(dealt)])


def _blank_dependent_tasks(plan: ClassPlan, choices: Mapping[str, Choices]) -> None:
    """Leave a task blank if its solution uses a missing answer."""
    for meant in plan:
        for task, choice in choices.items():
            lacks = any(meant[earlier].kind in ("nothing", "error") for earlier in choice.needs)
            if lacks and meant[task].kind in ("right", "error", "unforeseen"):
                meant[task] = NOTHING


def _plan_special_students(plan: ClassPlan, choices: Mapping[str, Choices]) -> None:
    """Plan the copied pair and the student with half a file.

    The pair gets answers of its own.
    """
    if len(plan) > COPY:
        for task, choice in choices.items():
            if choice.is_code and choice.right:
                plan[ORIGINAL][task] = Meant("another way", _unused_way(plan, task, choice.right))
        plan[COPY] = dict(plan[ORIGINAL])
    if len(plan) > HALF_A_FILE:
        plan[HALF_A_FILE] = dict.fromkeys(choices, Meant("unreadable"))


def _unused_way(plan: ClassPlan, task: str, ways: Iterable[str]) -> str:
    """Return an answer that no other student has, or the last."""
    taken = {meant[task].name for meant in plan}
    names = list(ways)
    return next((name for name in names if name not in taken), names[-1])
