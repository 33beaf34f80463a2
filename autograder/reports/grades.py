"""Everybody's grades as rows: one for each student and assignment, one for each of its tasks."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.people import people
from autograder.course.roster import Student
from autograder.course.tables import csv_text
from autograder.grading import gradebook

ASSIGNMENTS = (
    "id",
    "name",
    "email",
    "section",
    "assignment",
    "score",
    "max",
    "penalty",
    "hours_late",
    "pending",
)
TASKS = ("id", "name", "section", "assignment", "task", "score")


@dataclass(frozen=True)
class Grade:
    """What a student has for one assignment: `score` is what counts, after a penalty for lateness."""

    student: Student
    topic: str
    score: float
    most: float
    penalty: float
    late: float
    pending: bool
    tasks: dict[str, float | None]


def grades(course: Course, topics: Sequence[str]) -> Iterator[Grade]:
    """Every grade of the named topics, by topic and student."""
    known = people(course)
    for topic in topics:
        for folder, found in sorted(gradebook.scores(course, topic).items()):
            yield _grade(known.get(folder) or Student(folder, folder), topic, found)


def _grade(student: Student, topic: str, found: dict[str, Any]) -> Grade:
    counted = (found["score"], found["max"], found["penalty"], found["late"], found["needs_manual_grade"])
    return Grade(student, topic, *counted, found["scores"])


def write_tables(course: Course, topics: Sequence[str]) -> list[Path]:
    """Write `assignments.csv` and `tasks.csv` of all these topics; return where they are."""
    found = list(grades(course, topics))
    folder = course.places.exports
    tables = {
        "assignments.csv": csv_text(ASSIGNMENTS, (_assignment_row(one) for one in found)),
        "tasks.csv": csv_text(TASKS, (row for one in found for row in _task_rows(one))),
    }
    for name, text in tables.items():
        write_text(folder / name, text)
    return [folder / name for name in tables]


def _assignment_row(one: Grade) -> list[object]:
    who = [one.student.id, one.student.shown, one.student.email, one.student.section]
    late = round(one.late / 3600, 2)
    return [
        *who,
        one.topic,
        _number(one.score),
        _number(one.most),
        _number(one.penalty),
        late,
        int(one.pending),
    ]


def _task_rows(one: Grade) -> Iterator[list[object]]:
    for task, score in sorted(one.tasks.items()):
        name = task.removeprefix("check-")
        yield [one.student.id, one.student.shown, one.student.section, one.topic, name, _number(score)]


def _number(value: float | None) -> str:
    """A number as people write it; nothing where a person must still grade."""
    return "" if value is None else f"{round(value, 2):g}"
