"""Trials of a task by mutation: which wrong programs would its cases let pass?

Every correct way (reference, alternatives, the notebook's own solution) is changed in one place, or made to take
something for granted, and judged on several draws as a student's program would be. A mutant that passes on all of
them is tried on the task's `hard` inputs: if it fails there, the cases are too weak to tell it from a right program;
if not, it is equal as far as anyone can see. One that passes on some draws only is lucky.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from autograder.authoring.mutants import Mutant, assuming, mutants
from autograder.authoring.task import Task

Fate = Literal["killed", "lucky", "weak", "equal"]
Passes = Callable[[Callable[..., Any]], bool]


@dataclass(frozen=True)
class Survivor:
    """A mutant that was not killed.

    Of which way, what was changed, on how many draws it passed, what tells it apart, and which of the changes of this
    way with the same word it is.
    """

    way: str
    word: str
    passed: int
    told_by: str = ""
    number: int = 1


@dataclass
class Trial:
    """What became of the mutants of one task."""

    name: str
    draws: int
    fates: dict[Fate, int] = field(default_factory=lambda: {"killed": 0, "lucky": 0, "weak": 0, "equal": 0})
    weak: list[Survivor] = field(default_factory=list)
    lucky: list[Survivor] = field(default_factory=list)

    @property
    def made(self) -> int:
        """How many mutants were tried."""
        return sum(self.fates.values())


def ways_of(task: Task, solution: Callable[..., Any] | None) -> list[Callable[..., Any]]:
    """The correct programs of a task."""
    ways = [way for way in (task.answer, *task.alternatives) if callable(way)]
    return [*ways, *([solution] if solution is not None and task.kind == "code" else [])]


def all_mutants(ways: Sequence[Callable[..., Any]], kind: str) -> Iterator[tuple[str, Mutant]]:
    """Every mutant of every way; assumptions mean something for functions only."""
    for way in ways:
        for one in mutants(way):
            yield way.__name__, one
        for one in assuming(way) if kind == "code" else ():
            yield way.__name__, one


def tried(
    name: str, made: Iterator[tuple[str, Mutant]], draws: Sequence[Passes], hard: Mapping[str, Passes]
) -> Trial:
    """Judge every mutant on every draw until one kills it, the survivors on the hard inputs."""
    trial = Trial(name, len(draws))
    for way, mutant, number in numbered(made):
        passed = _passed(mutant, draws)
        if not any(passed):
            trial.fates["killed"] += 1
        elif not all(passed):
            trial.fates["lucky"] += 1
            trial.lucky.append(Survivor(way, mutant.word, sum(passed), number=number))
        else:
            told = next((where for where, passes in hard.items() if not passes(mutant.function)), "")
            trial.fates["weak" if told else "equal"] += 1
            if told:
                trial.weak.append(Survivor(way, mutant.word, len(draws), told))
    return trial


def numbered(made: Iterator[tuple[str, Mutant]]) -> Iterator[tuple[str, Mutant, int]]:
    """Count the changes of one way that go by the same word."""
    seen = Counter[tuple[str, str]]()
    for way, mutant in made:
        seen[way, mutant.word] += 1
        yield way, mutant, seen[way, mutant.word]


def _passed(mutant: Mutant, draws: Sequence[Passes]) -> list[bool]:
    """On which draws it passes; two that kill it are enough to know."""
    found = [passes(mutant.function) for passes in draws[:2]]
    return found + [passes(mutant.function) for passes in draws[2:]] if any(found) else found
