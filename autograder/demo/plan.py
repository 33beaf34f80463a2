"""What each made-up student means to hand in: drawn once per topic, the same at every call.

A way of answering is taken by at most one student or by at least `CROWD`: the report calls pairs similar by what only
few have, and strangers who err alike must not look like a copied pair.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from autograder.demo.ways import ERRORS
from autograder.release.draw import stream

Kind = Literal["right", "another way", "misconception", "unforeseen", "error", "nothing", "unreadable"]
KINDS: tuple[Kind, ...] = (
    "right",
    "another way",
    "misconception",
    "unforeseen",
    "error",
    "nothing",
    "unreadable",
)
CROWD = 4  # the report ignores what more than three students of a small class have in common
UNFORESEEN_GROUP = 5
ORIGINAL, COPY = 3, 15  # places of the copied pair
HALF_A_FILE = 19
SPECIAL = (ORIGINAL, COPY, HALF_A_FILE)  # their answers are not dealt
ERROR_SHARE = 0.5  # of the tasks
NOTHING_SHARE = 0.15  # of the wrong answers


@dataclass(frozen=True)
class Meant:
    """What a student means by an answer; `name` is the way, the misconception or the error."""

    kind: Kind
    name: str = ""


RIGHT, NOTHING = Meant("right"), Meant("nothing")
Plan = list[dict[str, Meant]]  # by place of the student, by task


@dataclass(frozen=True)
class Choices:
    """What can be meant for a task: names of right ways and of misconceptions, and whether there is a mistake more."""

    right: Sequence[str]
    wrong: Sequence[str]
    has_unforeseen: bool
    is_code: bool
    needs: frozenset[str]  # earlier tasks whose answers the solution uses
    long: frozenset[str] = frozenset()  # ways with helper functions, which the ways of a task often share


def draw_plan(topic: str, choices: Mapping[str, Choices], size: int) -> Plan:
    """Return what each student of a class means by each task of a topic."""
    skills = stream("demo", "skills").beta(4, 2, size)
    plan: Plan = [{} for _ in range(size)]
    for task, choice in choices.items():
        rng = stream("demo", topic, task)
        for place, meant in enumerate(_draw_task(choice, skills, rng)):
            plan[place][task] = meant
    _let_follow(plan, choices)
    _mark_special(plan, choices)
    return plan


def _draw_task(choice: Choices, skills: np.ndarray, rng: np.random.Generator) -> list[Meant]:
    """Return what every student means by one task."""
    luck = rng.random(len(skills))
    places = [int(place) for place in rng.permutation(len(skills)) if place not in SPECIAL]
    right = [place for place in places if 0.8 * skills[place] < luck[place] <= skills[place]]
    wrong = [place for place in places if luck[place] > skills[place]]
    everyone = dict.fromkeys(
        (*wrong, *right, *places)
    )  # the five are those who err anyway, if they are enough
    group = list(everyone)[:UNFORESEEN_GROUP] if choice.has_unforeseen else []
    meant = [RIGHT] * len(skills)
    for place in group:
        meant[place] = Meant("unforeseen")
    _deal_right(meant, [place for place in right if place not in group], choice, rng)
    _deal_wrong(meant, [place for place in wrong if place not in group], choice, rng)
    return meant


def _deal_right(meant: list[Meant], places: list[int], choice: Choices, rng: np.random.Generator) -> None:
    ways = [Meant("another way", str(name)) for name in rng.permutation(list(choice.right))]
    rest = _with_one_long(ways[1:], choice)  # the first is the pair's
    for place, way in zip(places, _deal(rest, len(places)), strict=True):
        meant[place] = way or RIGHT


def _deal_wrong(meant: list[Meant], places: list[int], choice: Choices, rng: np.random.Generator) -> None:
    number = round(NOTHING_SHARE * len(places))
    blank, rest = places[:number], places[number:]
    if rest and rng.random() < ERROR_SHARE:
        meant[rest.pop()] = Meant("error", ERRORS[rng.integers(len(ERRORS))])
    ways = [Meant("misconception", str(name)) for name in rng.permutation(list(choice.wrong))]
    for place, way in zip(rest, _deal(_with_one_long(ways, choice), len(rest)), strict=True):
        meant[place] = way or NOTHING
    for place in blank:
        meant[place] = NOTHING


def _with_one_long(ways: Sequence[Meant], choice: Choices) -> list[Meant]:
    """Return the ways for the crowd and for one student each, of which only one has helpers."""
    crowd, singles = list(ways[:1]), list(ways[1:])
    long = [way for way in singles if way.name in choice.long]
    return [*crowd, *(way for way in singles if way.name not in choice.long), *long[:1]]


def _deal(ways: Sequence[Meant], number: int) -> list[Meant | None]:
    """Deal ways to so many students: the first to a crowd, the others to one each; None when they run out."""
    if not ways:
        return [None] * number
    crowd = max(number - len(ways) + 1, CROWD if number >= CROWD else 1)
    if 1 < crowd < CROWD:
        return [*ways[:number], *[None] * (number - len(ways))]
    dealt: list[Meant | None] = [ways[0]] * min(crowd, number)
    return dealt + list(ways[1 : 1 + number - len(dealt)])


def _let_follow(plan: Plan, choices: Mapping[str, Choices]) -> None:
    """Leave a task blank whose solution uses an answer that the student does not have."""
    for meant in plan:
        for task, choice in choices.items():
            lacks = any(meant[earlier].kind in ("nothing", "error") for earlier in choice.needs)
            if lacks and meant[task].kind in ("right", "error", "unforeseen"):
                meant[task] = NOTHING


def _mark_special(plan: Plan, choices: Mapping[str, Choices]) -> None:
    """Give the copied pair ways of its own, and take back what a half file loses."""
    if len(plan) > COPY:
        for task, choice in choices.items():
            if choice.is_code and choice.right:
                plan[ORIGINAL][task] = Meant("another way", _unused(plan, task, choice.right))
        plan[COPY] = dict(plan[ORIGINAL])
    if len(plan) > HALF_A_FILE:
        plan[HALF_A_FILE] = dict.fromkeys(choices, Meant("unreadable"))


def _unused(plan: Plan, task: str, ways: Iterable[str]) -> str:
    """Return a way that nobody else takes, or the last."""
    taken = {meant[task].name for meant in plan}
    names = list(ways)
    return next((name for name in names if name not in taken), names[-1])
