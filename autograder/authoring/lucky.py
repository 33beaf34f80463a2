"""What mutation found about a task, kept beside it in `solutions/<topic>/mutants.json`.

`dimred mutate --write` writes it: how many wrong programs were tried, how many every draw told from a right one, how
many nothing tells from one, and the *lucky* ones, which some draws let pass. Those must fail from then on: a draw that
lets one pass is drawn again. (Not those that most draws let pass: only a coincidence tells them from a right program,
and few draws would be left.) A lucky program is kept as what it was made of: the correct way, the word for the change,
and which of the changes with this word it is.
"""

import functools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from autograder.authoring.task import Task
from autograder.authoring.trials import Trial, all_mutants, numbered, ways_of
from autograder.errors import CourseError

Function = Callable[..., Any]
FILE = "mutants.json"
Lucky = tuple[str, str, int]  # the way, the word for the change, and which of the changes with this word
SPELT = re.compile(r"(?P<way>\w+) #(?P<number>\d+): (?P<word>.+)")


@dataclass(frozen=True)
class Found:
    """The counts of one task's trial, and its lucky programs."""

    counts: dict[str, int] = field(default_factory=dict)
    lucky: tuple[Lucky, ...] = ()


def found_beside(folder: Path) -> dict[str, Found]:
    """What was found about the tasks of a topic, by name."""
    path = folder / FILE
    if not path.is_file():
        return {}
    tree = json.loads(path.read_text("utf-8"))
    return {name: Found(one["counts"], tuple(map(_read, one["lucky"]))) for name, one in tree.items()}


def _read(line: str) -> Lucky:
    spelt = SPELT.fullmatch(line)
    if spelt is None:
        raise CourseError(f"{FILE}: {line!r} is not “way #number: word”")
    return spelt["way"], spelt["word"], int(spelt["number"])


def write_beside(folder: Path, trials: Sequence[Trial], ways: dict[str, set[str]]) -> None:
    """Add what trials found; lucky programs that were known stay, as long as the way they were made of is there."""
    known = found_beside(folder)
    for trial in trials:
        name = trial.name.partition(".")[2]
        before = [one for one in known.get(name, Found()).lucky if one[0] in ways[name]]
        now = [(one.way, one.word, one.number) for one in trial.lucky if 2 * one.passed < trial.draws]
        counts: dict[str, int] = {"tried": trial.made}
        counts.update((fate, number) for fate, number in trial.fates.items() if number)
        known[name] = Found(counts, tuple(dict.fromkeys([*before, *now])))
    tree = {
        name: {"counts": one.counts, "lucky": [f"{way} #{number}: {word}" for way, word, number in one.lucky]}
        for name, one in known.items()
    }
    (folder / FILE).write_text(json.dumps(tree, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@functools.cache
def with_lucky(task: Task, found: tuple[Lucky, ...], solution: Function | None) -> Task:
    """The task, for which its lucky programs must fail; the same object every time, since much is kept by task."""
    programs = tuple(_later(task, solution, one) for one in found)
    return replace(task, must_fail=(*task.must_fail, *programs))


def _later(task: Task, solution: Function | None, one: Lucky) -> Function:
    """A program that is made when it is first called: most who load a task do not draw it."""

    def program(*inputs: Any) -> Any:
        return _made(task, solution)[one](*inputs)

    program.__name__ = f"{one[0]}, {one[1].partition('|')[0]}"
    return program


@functools.cache
def _made(task: Task, solution: Function | None) -> dict[Lucky, Function]:
    return dict(_programs(task, solution))


def _programs(task: Task, solution: Function | None) -> Iterator[tuple[Lucky, Function]]:
    for way, mutant, number in numbered(all_mutants(ways_of(task, solution), task.kind)):
        yield (way, mutant.word, number), mutant.function


def require_lucky(name: str, task: Task, found: Found, solution: Function | None) -> None:
    """Every lucky program on file must still be what can be made."""
    made = _made(task, solution)
    for one in found.lucky:
        if one not in made:
            raise CourseError(
                f"{name}: {one[0]} has no change {one[1]!r} any more: run dimred mutate --write {name}"
            )
