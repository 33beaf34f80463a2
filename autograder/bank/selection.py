"""Select tasks of the bank by topic, kind, points, minutes, difficulty and discrimination.

A range is written as "5..15", "..15" or "5..", a single number as "2".
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from autograder.bank.catalogue import BankTask
from autograder.errors import CourseError
from autograder.judging.key import TaskKind

KINDS = TaskKind.__args__  # type: ignore[attr-defined]
WORDS = ("topic", "kind", "misconception")
RANGES = ("points", "minutes", "difficulty", "discrimination", "students")
RANGE = re.compile(r"(?P<low>\d+(?:\.\d+)?)?(?P<dots>\.\.)?(?P<high>\d+(?:\.\d+)?)?")


@dataclass(frozen=True)
class Selection:
    """Conditions that a task must meet. An empty list of words allows all."""

    words: Mapping[str, tuple[str, ...]]
    ranges: Mapping[str, tuple[float, float]]

    def chosen(self, tasks: Iterable[BankTask]) -> list[BankTask]:
        """Return the tasks that meet all conditions, in their order."""
        return [task for task in tasks if self._meets_words(task) and self._meets_ranges(task)]

    def _meets_words(self, task: BankTask) -> bool:
        values = {"topic": {task.topic}, "kind": {task.kind}, "misconception": {*task.misconceptions}}
        return all(values[name] & {*allowed} for name, allowed in self.words.items() if allowed)

    def _meets_ranges(self, task: BankTask) -> bool:
        """Return whether the task's numbers lie in the ranges. A number that was not measured lies in none."""
        measured = task.measured
        values = {
            "points": task.points,
            "minutes": task.minutes,
            "difficulty": measured.difficulty,
            "discrimination": measured.discrimination,
            "students": measured.students,
        }
        numbers = ((values[name], low, high) for name, (low, high) in self.ranges.items())
        return all(number is not None and low <= number <= high for number, low, high in numbers)


def read_selection(table: Mapping[str, object], where: str, topics: Iterable[str]) -> Selection:
    """Read the conditions of a table; raise CourseError for an unknown or malformed one."""
    for name in table:
        if name not in (*WORDS, *RANGES):
            raise CourseError(
                f"{where}: tasks cannot be chosen by {name!r}, but by {', '.join((*WORDS, *RANGES))}"
            )
    words = {name: _words(table[name], f"{where}: {name}") for name in WORDS if name in table}
    _require_known(words.get("topic", ()), [*topics], f"{where}: unknown topic")
    _require_known(words.get("kind", ()), KINDS, f"{where}: unknown kind")
    return Selection(
        words, {name: read_range(table[name], f"{where}: {name}") for name in RANGES if name in table}
    )


def _words(value: object, where: str) -> tuple[str, ...]:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise CourseError(f"{where} must be a name or a list of names, not {value!r}")
    return tuple(words)


def _require_known(words: Iterable[str], known: Iterable[str], where: str) -> None:
    known = [*known]
    for word in words:
        if word not in known:
            raise CourseError(f"{where} {word!r}; there are {', '.join(known)}")


def read_range(value: object, where: str) -> tuple[float, float]:
    """Read a range of numbers."""
    match = RANGE.fullmatch(str(value).replace(" ", ""))
    if match is None or not (match["low"] or match["high"]):
        raise CourseError(f'{where} must be a range such as "5..15", "..15" or "5..", not {value!r}')
    low = float(match["low"] or "-inf")
    high = float(match["high"] or "inf") if match["dots"] else low
    return low, high
