"""Read the class list; make folder names and seeds of students.

A roster is the CSV file that `nbgrader db student import` reads (a column `id`, others are optional), a gradebook
as Canvas, Moodle or Blackboard export it, or a plain list of ids.
An id may contain any character. A folder may not, so each student has a folder name made from the id.
"""

import hashlib
import hmac
import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from autograder.course.platforms import (
    CLASS_LIST_PLATFORM,
    COMMON_COLUMNS,
    Platform,
    Row,
    first_of,
    id_columns,
    platform_of,
    require_column,
    rows_of,
)
from autograder.course.tables import Table, read_table
from autograder.errors import CourseError

MAX_EXTENSION = 10_000  # days or hours
MAX_NAME_BYTES = 200  # file systems allow 255, and names get suffixes
# Not allowed in folder names on every system: separators, control characters, a leading dot. A percent sign is
# escaped if two hexadecimal digits follow, so that no two ids share a folder.
UNSAFE_CHARACTERS = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\u2028\u2029]|^\.|%(?=[0-9A-Fa-f]{2})")
EXTENSION_PATTERN = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>d(?:ays?)?|h(?:ours?)?)", re.IGNORECASE
)
# Names of devices on Windows, in any case and with any suffix: not allowed as folder names there.
WINDOWS_DEVICE = re.compile(
    r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE | re.DOTALL
)
HEADER_WORDS = {"name", "student", "student_id", "students", "email", "e-mail", "login", "user", "username"}


@dataclass(frozen=True)
class Student:
    """A student on the roster; `folder` is the name in nbgrader's folders and gradebook."""

    id: str
    folder: str
    first_name: str = ""
    last_name: str = ""
    name: str = ""
    email: str = ""
    section: str = ""
    extension: str = ""  # extra time, such as "2 days"
    columns: dict[str, str] = field(default_factory=dict)  # non-empty cells of the class list, by heading
    has_left: bool = False  # was on an earlier list; the work stays

    @property
    def shown(self) -> str:
        """Full name, or the id if the roster has no name."""
        return self.name or f"{self.first_name} {self.last_name}".strip() or self.id


@dataclass(frozen=True)
class ColumnChoice:
    """Columns chosen by the user, for tables with unknown headings.

    Names in several columns are joined.
    """

    id: str | None = None
    names: tuple[str, ...] = ()
    email: str | None = None


def read_roster(path: Path, column: str | None = None, choice: ColumnChoice | None = None) -> list[Student]:
    """Read the students of a class list, in its order.

    Raise CourseError if it is invalid. `column` names the id column, for tables without `id` or a platform's headings.
    `choice` names other columns, too.
    """
    choice = choice or ColumnChoice(column)
    table = _add_header(read_table(path))
    if not table.rows:
        raise CourseError(f"{path.name} names no students")
    platform = _find_platform(table, choice)
    columns = id_columns(table, platform, choice.id)
    _require_one_column(table, columns[0])
    students: dict[str, Student] = {}
    lines: dict[str, int] = {}
    for index, row in rows_of(table, platform):
        where = f"{path.name}, line {table.lines[index]}"
        student = _read_student(_add_chosen_columns(table, row, choice), columns, where)
        folded = folded_id(student.id)
        if folded in lines:
            raise CourseError(
                _describe_twin(where, student.id, students[folded].id, f"on line {lines[folded]}")
            )
        students[folded], lines[folded] = student, table.lines[index]
    if not students:
        raise CourseError(f"{path.name} names no students")
    return list(students.values())


def _find_platform(table: Table, choice: ColumnChoice) -> Platform:
    platform = platform_of(table) or (CLASS_LIST_PLATFORM if choice.id else None)
    if platform is None:
        known = (
            "Canvas, Moodle, Blackboard and Brightspace are recognised by theirs; --id-column names another"
        )
        first_line = ",".join(table.header)[:80]
        raise CourseError(f"{table.name} has no column 'id'; its first line is {first_line!r}. {known}")
    return platform


def _add_chosen_columns(table: Table, row: Row, choice: ColumnChoice) -> Row:
    """Add the chosen columns under the headings `name` and `email`."""
    chosen = dict(row)
    if choice.names:
        parts = (row.get(require_column(table, name), "") for name in choice.names)
        chosen["name"] = " ".join(part for part in parts if part)
    if choice.email:
        chosen["email"] = row.get(require_column(table, choice.email), "")
    return chosen


def _require_one_column(table: Table, name: str) -> None:
    """Raise CourseError if two columns have the name of the id column."""
    number = sum(cell.casefold() == name.casefold() for cell in table.header)
    if number > 1:
        raise CourseError(
            f"{table.name} has {number} columns {name!r}: rename all but the one that holds the ids"
        )


def _describe_twin(where: str, new: str, known: str, place: str) -> str:
    if new == known:
        return f"{where}: the id {new!r} is also {place}: give everyone one line"
    return (
        f"{where}: the ids {new!a} and {known!a} {place} differ only in capitals, width or invisible "
        "characters: give everyone an id of their own"
    )


def folded_id(student: str) -> str:
    """Normalize an id, so that ids that look the same are equal.

    Applies Unicode NFKC, casefolding, and removes format characters (Cf).
    """
    normalized = unicodedata.normalize("NFKC", student)
    visible = "".join(character for character in normalized if unicodedata.category(character) != "Cf")
    return unicodedata.normalize("NFKC", visible.casefold()).strip()


def require_distinct_ids(students: Iterable[Student], known: Iterable[Student]) -> None:
    """Raise CourseError if a new id looks like a different id in the class."""
    ids = {folded_id(student.id): student.id for student in known}
    for student in students:
        other = ids.get(folded_id(student.id), student.id)
        if other != student.id:
            raise CourseError(_describe_twin("the class list", student.id, other, "of an earlier list"))


def _read_student(row: Row, id_headings: list[str], where: str) -> Student:
    text = next((row[heading] for heading in id_headings if row.get(heading)), "")
    name = unicodedata.normalize("NFC", text).strip()
    if not folded_id(name):
        raise CourseError(f"{where}: the id is empty")
    known: dict[str, Any] = {word: first_of(row, names) for word, names in COMMON_COLUMNS.items()}
    if "," in known["name"] and not known["last_name"]:  # Canvas writes "Lovelace, Ada"
        known["last_name"], known["first_name"] = map(str.strip, known["name"].split(",", 1))
        known["name"] = f"{known['first_name']} {known['last_name']}"
    parse_extension(known["extension"], where)  # validate now, not at the first grading
    columns = {heading: text for heading, text in row.items() if heading and text}
    return Student(name, folder_name(name), **known, columns=columns)


def parse_extension(text: str, where: str = "") -> timedelta:
    """Parse an extension such as "2 days" or "36 h"; empty text is zero."""
    if not text:
        return timedelta()
    match = EXTENSION_PATTERN.fullmatch(text.strip())
    if not match:
        raise CourseError(f"{where}: the extension {text!r} is not of the form '2 days' or '36 hours'")
    number = float(match["number"].replace(",", "."))
    if number > MAX_EXTENSION:
        raise CourseError(f"{where}: the extension {text[:40]!r} is longer than any course")
    return timedelta(days=number) if match["unit"].startswith(("d", "D")) else timedelta(hours=number)


def _add_header(table: Table) -> Table:
    """Add the header `id` to a bare list of ids."""
    is_bare = len(table.header) == 1 and table.header[0].lower() not in HEADER_WORDS
    if is_bare and "id" not in table.header:
        return replace(table, rows=[["id"], *table.rows], lines=[0, *table.lines])
    return table


def folder_name(student: str) -> str:
    """Return the folder name of a student id.

    It is the id itself where possible, and never the same for two ids.
    """
    safe = UNSAFE_CHARACTERS.sub(lambda match: _escape(match[0]), unicodedata.normalize("NFC", student))
    return short_name(f"%{ord(safe[0]):02X}{safe[1:]}" if WINDOWS_DEVICE.fullmatch(safe) else safe)


def _escape(character: str) -> str:
    return "%2E" if character == "." else quote(character, safe="")


def short_name(name: str) -> str:
    """Return the name, or its SHA-256 digest if it is too long for a file name."""
    data = name.encode("utf-8", "surrogateescape")
    return name if len(data) <= MAX_NAME_BYTES else hashlib.sha256(data).hexdigest()


def student_seed(secret: str, topic: str, seed: str, student: str) -> str:
    """Return the seed of a personal variant, an HMAC-SHA256 with the course's secret.

    It cannot be computed from the id without the secret.
    """
    words = json.dumps(["variant", topic, seed, student]).encode()
    return hmac.new(secret.encode(), words, hashlib.sha256).hexdigest()[:32]
