"""The class list: who gets a variant, under which folder, from which seed.

A roster is the CSV file that `nbgrader db student import` reads (a column `id`, others are optional), a gradebook
as Canvas, Moodle or Blackboard export it, or a plain list of ids.
An id may hold any character; a folder may not, so each student has a folder name made from the id.
"""

import hashlib
import hmac
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

from autograder.course.platforms import COMMON, PLAIN, id_column, platform_of, rows_of
from autograder.course.tables import Table, read_table
from autograder.errors import CourseError

LONGEST_EXTENSION = 10_000  # days or hours
LONGEST_NAME = 200  # bytes; file systems allow 255, and names get endings
# No folder can be called so, or not everywhere: separators, control characters, a leading dot. A percent sign
# is escaped where it would look like an escape, so that no two ids share a folder.
UNSAFE = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\u2028\u2029]|^\.|%(?=[0-9A-Fa-f]{2})")
EXTENSION = re.compile(r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>d(?:ays?)?|h(?:ours?)?)", re.IGNORECASE)
# Windows has devices of these names, whatever their capitals and endings; no folder can be called so there.
DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?", re.IGNORECASE | re.DOTALL)
COLUMN_NAMES = {"name", "student", "student_id", "students", "email", "e-mail", "login", "user", "username"}


@dataclass(frozen=True)
class Student:
    """Somebody on the roster; `folder` is the student's name in nbgrader's folders and gradebook."""

    id: str
    folder: str
    first_name: str = ""
    last_name: str = ""
    name: str = ""
    email: str = ""
    section: str = ""
    extension: str = ""  # more time than the class has, such as "2 days"

    @property
    def shown(self) -> str:
        """The name as people say it; the id if the roster has none."""
        return self.name or f"{self.first_name} {self.last_name}".strip() or self.id


def read_roster(path: Path, column: str | None = None) -> list[Student]:
    """The students of a class list, in its order; CourseError says in one line what is wrong with it.

    `column` names the one that holds the ids, where neither `id` nor a platform's own names tell.
    """
    table = _with_header(read_table(path))
    if not table.rows:
        raise CourseError(f"{path.name} names no students")
    platform = platform_of(table) or (PLAIN if column else None)
    if platform is None:
        known = "Canvas, Moodle and Blackboard are recognised by theirs; --id-column names another"
        raise CourseError(
            f"{path.name} has no column 'id'; its first line is {','.join(table.header)[:80]!r}. {known}"
        )
    named = id_column(table, platform, column)
    _require_one_column(table, named)
    found: dict[str, Student] = {}
    lines: dict[str, int] = {}
    for index, row in rows_of(table, platform):
        one = _student(row, named, f"{path.name}, line {table.lines[index]}")
        alike = folded_id(one.id)
        if alike in lines:
            where = f"{path.name}, line {table.lines[index]}"
            raise CourseError(_describe_twin(where, one.id, found[alike].id, f"on line {lines[alike]}"))
        found[alike], lines[alike] = one, table.lines[index]
    if not found:
        raise CourseError(f"{path.name} names no students")
    return list(found.values())


def _require_one_column(table: Table, name: str) -> None:
    """Refuse a table in which two columns could hold the ids."""
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
    """Fold an id so that two are equal if people or file systems take them for one (NFKC, case, no Cf)."""
    seen = unicodedata.normalize("NFKC", student)
    visible = "".join(sign for sign in seen if unicodedata.category(sign) != "Cf")
    return unicodedata.normalize("NFKC", visible.casefold()).strip()


def require_distinct_ids(students: Iterable[Student], known: Iterable[Student]) -> None:
    """Refuse a student whose id looks like that of another one who is in the class already."""
    ids = {folded_id(student.id): student.id for student in known}
    for student in students:
        other = ids.get(folded_id(student.id), student.id)
        if other != student.id:
            raise CourseError(_describe_twin("the class list", student.id, other, "of an earlier list"))


def _student(row: Mapping[str, str], column: str, where: str) -> Student:
    name = unicodedata.normalize("NFC", row.get(column, "")).strip()
    if not folded_id(name):
        raise CourseError(f"{where}: the id is empty")
    known = {word: _first(row, names) for word, names in COMMON.items()}
    if known["name"] and "," in known["name"] and not known["last_name"]:  # Canvas writes "Lovelace, Ada"
        known["last_name"], known["first_name"] = (part.strip() for part in known["name"].split(",", 1))
        known["name"] = f"{known['first_name']} {known['last_name']}"
    more_time(known["extension"], where)  # complain now, not when the first one is graded
    return Student(name, folder_name(name), **known)


def _first(row: Mapping[str, str], names: tuple[str, ...]) -> str:
    """What stands in the first of these columns that there is, whatever its capitals."""
    by_name = {name.casefold(): text for name, text in row.items()}
    return next((by_name[name.casefold()] for name in names if by_name.get(name.casefold())), "")


def more_time(text: str, where: str = "") -> timedelta:
    """The time that an extension such as "2 days" or "36 h" gives; none if it is empty."""
    if not text:
        return timedelta()
    found = EXTENSION.fullmatch(text.strip())
    if not found:
        raise CourseError(f"{where}: the extension {text!r} is not of the form '2 days' or '36 hours'")
    number = float(found["number"].replace(",", "."))
    if number > LONGEST_EXTENSION:
        raise CourseError(f"{where}: the extension {text[:40]!r} is longer than any course")
    return timedelta(days=number) if found["unit"].startswith(("d", "D")) else timedelta(hours=number)


def _with_header(table: Table) -> Table:
    """A bare list of ids, one on each line, is a table with the one column `id`."""
    is_bare = len(table.header) == 1 and table.header[0].lower() not in COLUMN_NAMES
    if is_bare and "id" not in table.header:
        return replace(table, rows=[["id"], *table.rows], lines=[0, *table.lines])
    return table


def folder_name(student: str) -> str:
    """The folder of a student: the id itself wherever a folder can be called so; never the same for two ids."""
    safe = UNSAFE.sub(lambda match: _escaped(match[0]), unicodedata.normalize("NFC", student))
    return short_name(f"%{ord(safe[0]):02X}{safe[1:]}" if DEVICE.fullmatch(safe) else safe)


def _escaped(character: str) -> str:
    return "%2E" if character == "." else quote(character, safe="")


def short_name(name: str) -> str:
    """The name itself, or its digest when it is too long for a file."""
    data = name.encode("utf-8", "surrogateescape")
    return name if len(data) <= LONGEST_NAME else hashlib.sha256(data).hexdigest()


def student_seed(secret: str, topic: str, seed: str, student: str) -> str:
    """The seed of a student's own variant: it cannot be computed from the id without the course's secret."""
    words = json.dumps(["variant", topic, seed, student]).encode()
    return hmac.new(secret.encode(), words, hashlib.sha256).hexdigest()[:32]
