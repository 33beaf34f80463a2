"""Match a sender to a student by id, else by name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from autograder.course.identity import People, folded_name, id_texts
from autograder.course.platforms import COMMON_COLUMNS, first_of
from autograder.course.roster import Student
from autograder.course.tables import read_table
from autograder.errors import CourseError
from autograder.grading.download_names import Sender
from autograder.grading.download_times import parse_platform_time

IDENTIFIERS = ("Identifier", "ID", "Identifiant", "Identificador")
SUBMISSION_TIMES = (
    "Last modified (submission)",
    "Zuletzt geändert (Abgabe)",
    "Dernière modification (travail remis)",
    "Dernière modification (remise)",
    "Última modificación (entrega)",
    "time",
    "submitted",
)


@dataclass(frozen=True)
class Match:
    """The student of a sender; None and a problem if not certain."""

    student: Student | None
    is_by_name: bool = False
    problem: str = ""


@dataclass(frozen=True)
class Worksheet:
    """Moodle's grading worksheet: students by participant number, and their times."""

    people: Mapping[str, Student] = field(default_factory=dict)
    times: Mapping[str, datetime] = field(default_factory=dict)  # local times, by folder


class Matcher:
    """Matches senders by the instructor's choices, the worksheet and the class list."""

    def __init__(
        self, people: People, worksheet: Worksheet | None = None, said: Mapping[str, str] | None = None
    ) -> None:
        """`said` maps labels of senders to ids of the class list."""
        self.people, self.worksheet = people, worksheet or Worksheet()
        self._named_students = {label: self._require_student(name) for label, name in (said or {}).items()}

    def _require_student(self, name: str) -> Student:
        students = self.people.with_id(name)
        if len(students) != 1:
            raise CourseError(f"{name!r} is not an id of the class list: --is LABEL=ID names a student by id")
        return students[0]

    def match(self, sender: Sender) -> Match:
        """Return the match of a sender.

        Tried in this order: the instructor's choice, the worksheet, the platform's column, any id, the name.
        """
        if sender.label in self._named_students:
            return Match(self._named_students[sender.label])
        if sender.participant in self.worksheet.people:
            return Match(self.worksheet.people[sender.participant])
        in_column = _distinct(self.people.with_column(sender.column, text) for text in sender.ids)
        if len(in_column) == 1:
            return Match(in_column[0])
        by_id = _distinct(map(self.people.with_id, sender.ids))
        if by_id:
            return _require_single(by_id, "have this id")
        by_name = _distinct(map(self.people.with_name, sender.names))
        if not by_name:
            return Match(None, problem="nobody of the class list has this name or id")
        match = _require_single(by_name, "have this name")
        return Match(match.student, is_by_name=True, problem=match.problem)

    def time_of(self, student: Student, sender: Sender) -> datetime | None:
        """Return the local time of submission from the file name or the worksheet."""
        return sender.time or self.worksheet.times.get(student.folder)


def _distinct(groups: Iterable[Iterable[Student]]) -> list[Student]:
    return list({student.folder: student for students in groups for student in students}.values())


def _require_single(students: list[Student], what: str) -> Match:
    if len(students) == 1:
        return Match(students[0])
    ids = ", ".join(student.id for student in students[:5])
    return Match(None, problem=f"{len(students)} students {what}: {ids}")


def read_worksheet(path: Path, people: People) -> Worksheet:
    """Read Moodle's grading worksheet, or a table of students and times."""
    table = read_table(path)
    header = table.header
    if not {name.casefold() for name in header} & {name.casefold() for name in SUBMISSION_TIMES}:
        raise CourseError(
            f"{path.name} has no column of times; known are {', '.join(SUBMISSION_TIMES)}: "
            "download the grading worksheet of the assignment in Moodle"
        )
    known: dict[str, Student] = {}
    times: dict[str, datetime] = {}
    for cells in table.rows[1:]:
        row = dict(zip(header, (cell.strip() for cell in cells), strict=False))
        student = _find_student(row, people)
        if student is None:
            continue
        if number := _participant_number(row):
            known[number] = student
        if time := parse_platform_time(first_of(row, SUBMISSION_TIMES)):
            times[student.folder] = time
    return Worksheet(known, times)


def _participant_number(row: Mapping[str, str]) -> str:
    return "".join(sign for sign in first_of(row, IDENTIFIERS) if sign.isdigit())


def _find_student(row: Mapping[str, str], people: People) -> Student | None:
    """Return the student of a row by unique id, address or name."""
    person = Student("", "", columns=dict(row), email=first_of(row, COMMON_COLUMNS["email"]))
    for text in id_texts(person):
        students = people.with_id(text)
        if len(students) == 1:
            return students[0]
    name = first_of(row, COMMON_COLUMNS["name"])
    students = people.with_name(name) if folded_name(name) else []
    return students[0] if len(students) == 1 else None
