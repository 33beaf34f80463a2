"""Group wrong answers that no misconception explains by their results.

Different programs with the same mistake return the same values on the same cases. So a group is probably a
misconception that the task does not list yet. `autograder.release.adopt` creates a misconception from it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import nbformat

from autograder.authoring.cells import checks, is_answer_cell, name_of
from autograder.course.course import Course
from autograder.grading.outcome import Outcome, outcomes_on_file
from autograder.grading.returned import CaseSignature, same_return


@dataclass(frozen=True)
class Group:
    """Students whose wrong answers to a task return the same values.

    `slip` is the slip that the engine recognised, or empty.
    """

    topic: str
    task: str
    number: int  # within its task, the largest group first
    students: tuple[str, ...]
    cases: tuple[CaseSignature, ...]
    case: str
    text: str
    slip: str

    @property
    def name(self) -> str:
        """The group's name on the command line."""
        return f"{self.topic}.{self.task}:{self.number}"


def unexplained_groups(course: Course, topic: str, outcomes: Sequence[Outcome] | None = None) -> list[Group]:
    """Group the unexplained wrong answers of a topic, the largest group first.

    `outcomes` defaults to the stored outcomes.
    """
    gathered: dict[str, list[list[Outcome]]] = {}
    for outcome in outcomes if outcomes is not None else outcomes_on_file(course, topic):
        for task in outcome.returned:
            _add_to_group(gathered.setdefault(task, []), task, outcome)
    groups = [group for task, members in gathered.items() for group in _number_groups(topic, task, members)]
    return sorted(groups, key=lambda group: -len(group.students))


def _add_to_group(groups: list[list[Outcome]], task: str, outcome: Outcome) -> None:
    cases = outcome.returned[task]["cases"]
    for group in groups:
        if same_return(group[0].returned[task]["cases"], cases):
            group.append(outcome)
            return
    groups.append([outcome])


def _number_groups(topic: str, task: str, members: list[list[Outcome]]) -> Iterator[Group]:
    for number, group in enumerate(sorted(members, key=len, reverse=True), start=1):
        answer = group[0].returned[task]
        verdict = group[0].verdicts.get(task)
        yield Group(
            topic,
            task,
            number,
            tuple(outcome.student for outcome in group),
            tuple(answer["cases"]),
            answer["shown"]["case"],
            answer["shown"]["text"],
            str((verdict and verdict.get("slip")) or ""),
        )


def shortest_program(course: Course, group: Group, most: int = 40) -> tuple[str, str]:
    """Return a student of the group and the shortest program.

    Only the first `most` students are considered, and empty programs come last.
    """
    programs = {
        student: program_of(course, group.topic, group.task, student) for student in group.students[:most]
    }
    student = min(programs, key=lambda name: (len(programs[name]) or 10**9, name))
    return student, programs[student]


def program_of(course: Course, topic: str, task: str, student: str) -> str:
    """Return a student's text in the answer cell of a task.

    The result is empty if missing.
    """
    path = course.paths.autograded(student, topic) / f"{topic}.ipynb"
    if not path.is_file():
        return ""
    notebook = nbformat.read(path, as_version=4)
    sources = {str(name_of(cell)): str(cell.source) for cell in notebook.cells if is_answer_cell(cell)}
    return sources.get(task) or sources.get(dict(checks(notebook)).get(task, ""), "")
