"""The class list: who gets a variant, under which folder, from which seed.

A roster is the CSV file that `nbgrader db student import` reads (a column `id`, others are optional), or a plain
list of ids. An id may hold any character; a folder may not, so each student has a folder name made from the id.
"""

import csv
import hashlib
import hmac
import io
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from autograder.errors import CourseError

LONGEST_NAME = 200  # bytes; file systems allow 255, and names get endings
# No folder can be called so, or not everywhere: separators, control characters, a leading dot. A percent sign
# is escaped where it would look like an escape, so that no two ids share a folder.
UNSAFE = re.compile(r"[/\\\x00-\x1f\x7f-\x9f\u2028\u2029]|^\.|%(?=[0-9A-Fa-f]{2})")
COLUMN_NAMES = {"name", "student", "student_id", "students", "email", "e-mail", "login", "user", "username"}


@dataclass(frozen=True)
class Student:
    """Somebody on the roster; `folder` is the student's name in nbgrader's folders and gradebook."""

    id: str
    folder: str


def read_roster(path: Path) -> list[Student]:
    """The students of a class list, in its order; CourseError says in one line what is wrong with it."""
    seen: dict[str, int] = {}
    for line, name in _ids(path.name, _text(path)):
        if not name:
            raise CourseError(f"{path.name}, line {line}: the id is empty")
        if name in seen:
            raise CourseError(f"{path.name}, line {line}: the id {name!r} is also on line {seen[name]}")
        seen[name] = line
    if not seen:
        raise CourseError(f"{path.name} names no students")
    return [Student(name, folder_name(name)) for name in seen]


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise CourseError(f"{path.name} is not UTF-8 text: save it as CSV in UTF-8") from None
    except OSError as error:
        raise CourseError(f"{path} cannot be read: {error.strerror}") from None


def _ids(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Each id with the number of its line; blank lines are nobody."""
    reader = csv.reader(io.StringIO(text, newline=""))
    column: int | None = None
    try:
        for row in reader:
            cells = [unicodedata.normalize("NFC", cell).strip() for cell in row]
            if not any(cells) and len(cells) <= 1:
                continue
            if column is None:
                column = _column(name, cells)
                if cells[column] == "id":
                    continue
            yield reader.line_num, cells[column] if column < len(cells) else ""
    except csv.Error as error:
        raise CourseError(f"{name}, line {reader.line_num}: not CSV ({error})") from None


def _column(name: str, first: list[str]) -> int:
    """Where the ids stand: below the heading `id`, or in the only column of a file without headings."""
    if "id" in first:
        return first.index("id")
    if len(first) == 1 and first[0].lower() not in COLUMN_NAMES and ";" not in first[0]:
        return 0
    raise CourseError(f"{name} has no column 'id'; its first line is {','.join(first)[:80]!r}")


def folder_name(student: str) -> str:
    """The folder of a student: the id itself wherever a folder can be called so; never the same for two ids."""
    return short_name(UNSAFE.sub(lambda match: _escaped(match[0]), unicodedata.normalize("NFC", student)))


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
