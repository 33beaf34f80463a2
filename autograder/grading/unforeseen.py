"""Wrong answers that nobody foresaw, grouped by what they return on the same cases.

Students who think alike leave different programs that give the same wrong answer: each group is one misunderstanding
that the task does not name yet. `autograder.release.adopt` makes a misconception of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import nbformat

from autograder.authoring.cells import checks, is_answer, name_of
from autograder.course.course import Course
from autograder.grading.outcome import Outcome, outcomes_on_file
from autograder.grading.returned import same_return


@dataclass(frozen=True)
class Group:
    """Students whose answers to one task return the same wrong thing; `slip` is what the engine took it for."""

    topic: str
    task: str
    number: int  # within its task, the largest group first
    students: tuple[str, ...]
    cases: tuple[Any, ...]
    case: str
    text: str
    slip: str

    @property
    def name(self) -> str:
        """What the command line calls it."""
        return f"{self.topic}.{self.task}:{self.number}"


def unforeseen(course: Course, topic: str, outcomes: Sequence[Outcome] | None = None) -> list[Group]:
    """The groups of a topic, the largest first; `outcomes` are those on file unless given."""
    gathered: dict[str, list[list[Outcome]]] = {}
    for one in outcomes if outcomes is not None else outcomes_on_file(course, topic):
        for task in one.returned:
            _join(gathered.setdefault(task, []), task, one)
    groups = [group for task, found in gathered.items() for group in _numbered(topic, task, found)]
    return sorted(groups, key=lambda group: -len(group.students))


def _join(groups: list[list[Outcome]], task: str, one: Outcome) -> None:
    own = one.returned[task]["cases"]
    for group in groups:
        if same_return(group[0].returned[task]["cases"], own):
            group.append(one)
            return
    groups.append([one])


def _numbered(topic: str, task: str, found: list[list[Outcome]]) -> Iterator[Group]:
    for number, group in enumerate(sorted(found, key=len, reverse=True), start=1):
        given = group[0].returned[task]
        yield Group(
            topic,
            task,
            number,
            tuple(one.student for one in group),
            tuple(given["cases"]),
            given["shown"]["case"],
            given["shown"]["text"],
            str(group[0].verdicts.get(task, {}).get("slip") or ""),
        )


def shortest_program(course: Course, group: Group, most: int = 40) -> tuple[str, str]:
    """The shortest of a group's programs (of the first few who handed in), and whose it is."""
    programs = {
        student: program_of(course, group.topic, group.task, student) for student in group.students[:most]
    }
    student = min(programs, key=lambda one: (len(programs[one]) or 10**9, one))
    return student, programs[student]


def program_of(course: Course, topic: str, task: str, student: str) -> str:
    """What a student wrote in the cell that a task's check looks at; empty if it is not there."""
    path = course.places.autograded(student, topic) / f"{topic}.ipynb"
    if not path.is_file():
        return ""
    notebook = nbformat.read(path, as_version=4)
    answer = dict(checks(notebook)).get(task)
    sources = [cell.source for cell in notebook.cells if is_answer(cell) and name_of(cell) == answer]
    return str(sources[0]) if sources else ""
