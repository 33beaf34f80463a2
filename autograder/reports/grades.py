"""Export grades as CSV, per assignment and per task."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.people import known_students
from autograder.course.roster import Student
from autograder.course.tables import csv_text
from autograder.grading import gradebook
from autograder.grading.audit import update_late_penalties

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
    """A student's grade for an assignment; `score` is after the late penalty."""

    student: Student
    topic: str
    score: float
    most: float
    penalty: float
    late: float
    pending: bool
    tasks: dict[str, float | None]


def grades(course: Course, topics: Sequence[str]) -> Iterator[Grade]:
    """Yield the grades of topics, sorted by student within each topic."""
    known = known_students(course)
    for topic in topics:
        for folder, record in sorted(gradebook.scores(course, topic).items()):
            yield _grade(known.get(folder) or Student(folder, folder), topic, record)


def _grade(student: Student, topic: str, record: dict[str, Any]) -> Grade:
    values = (record["score"], record["max"], record["penalty"], record["late"], record["needs_manual_grade"])
    return Grade(student, topic, *values, record["scores"])


def write_tables(course: Course, topics: Sequence[str]) -> list[Path]:
    """Write `assignments.csv` and `tasks.csv`; return their paths."""
    for topic in topics:
        update_late_penalties(course, topic)
    all_grades = list(grades(course, topics))
    folder = course.paths.exports
    tables = {
        "assignments.csv": csv_text(ASSIGNMENTS, (_assignment_row(grade) for grade in all_grades)),
        "tasks.csv": csv_text(TASKS, (row for grade in all_grades for row in _task_rows(grade))),
    }
    for name, text in tables.items():
        write_text(folder / name, text)
    return [folder / name for name in tables]


def _assignment_row(grade: Grade) -> list[object]:
    who = [grade.student.id, grade.student.shown, grade.student.email, grade.student.section]
    late = round(grade.late / 3600, 2)
    return [
        *who,
        grade.topic,
        _format_number(grade.score),
        _format_number(grade.most),
        _format_number(grade.penalty),
        late,
        int(grade.pending),
    ]


def _task_rows(grade: Grade) -> Iterator[list[object]]:
    for task, score in sorted(grade.tasks.items()):
        name = task.removeprefix("check-")
        yield [
            grade.student.id,
            grade.student.shown,
            grade.student.section,
            grade.topic,
            name,
            _format_number(score),
        ]


def _format_number(value: float | None) -> str:
    """Format a number with two decimals at most.

    None gives an empty string.
    """
    return "" if value is None else f"{round(value, 2):g}"
