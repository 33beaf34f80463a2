"""Fill the gradebook of Canvas, Moodle or Blackboard: export it there, fill it here, import it there.

Every column and line that is not ours stays as it was, to the letter. A topic's column is found by its name, or made:

    Canvas       Areas (311)                              a new column makes a new assignment, with its points
    Moodle       Assignment: Areas (Real)                 a new column is mapped by hand in Moodle's preview
    Blackboard   Areas [Total Pts: 33 Score] |311         a new column becomes a column of text
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course.platforms import PLAIN, Platform, platform_of, rows_of
from autograder.course.tables import Table, read_table
from autograder.errors import CourseError
from autograder.reports.grades import Grade

OURS = {  # the name of an assignment inside the heading of its column
    "Canvas": re.compile(r"(?P<name>.+?)(?: \(\d+\))?"),
    "Moodle": re.compile(r"(?:[^:]+: )?(?P<name>.+?)(?: \((?:Real|Points?)\))?"),
    "Blackboard": re.compile(r"(?P<name>.+?)(?: \[Total Pts: [^\]]*\])?(?: \|\d+)?"),
}
POSSIBLE = "Points Possible"
TOTAL = re.compile(r"\[Total Pts: ([\d.,]+)")
NEW = {"Canvas": "{name}", "Moodle": "Assignment: {name} (Real)", "Blackboard": "{name}"}


@dataclass
class Filled:
    """What became of a gradebook: whose it is, how many scores were written, what found no place."""

    platform: str
    written: int = 0
    made: list[str] = field(default_factory=list)
    without_line: list[str] = field(default_factory=list)
    other_points: list[tuple[str, float, float | None]] = field(default_factory=list)  # topic, here, there
    unread: Counter[str] = field(
        default_factory=Counter
    )  # scores, by topic, that a person must still complete


def fill(path: Path, target: Path, found: Iterable[Grade], titles: dict[str, str]) -> Filled:
    """Write grades into a copy of an exported gradebook; `titles` are the names that a topic goes by."""
    table = read_table(path)
    platform = platform_of(table) if table.rows else None
    if platform is None or platform is PLAIN:
        raise CourseError(
            f"{path.name} is not a gradebook of Canvas, Moodle or Blackboard: {_first_line(table)}"
        )
    filled = Filled(platform.name)
    lines = _lines(table, platform)
    checked: set[str] = set()
    for grade in found:
        possible = [lines[key] for key in _keys(grade) if key in lines]
        line = next((next(iter(one)) for one in possible if len(one) == 1), None)
        if line is None:
            why = f"{len(possible[0])} lines could be" if possible else "no line for"
            filled.without_line.append(f"{why} {grade.student.id} ({grade.topic})")
            continue
        column = _column(table, platform, grade, titles, filled)
        _cell(table, line, column, table.number(grade.score))
        if grade.topic not in checked and _points_there(table, column) not in (None, grade.most):
            filled.other_points.append((grade.topic, grade.most, _points_there(table, column)))
        checked.add(grade.topic)
        filled.written += 1
        if grade.pending:
            filled.unread[grade.topic] += 1
    table.write(target)
    return filled


def _first_line(table: Table) -> str:
    return f"its first line is {','.join(table.header)[:80]!r}"


def _lines(table: Table, platform: Platform) -> dict[str, set[int]]:
    """Where a student's line may be, by everything that names the student: one's number may be another's id.

    Addresses, which students may choose, count only where no id has the same letters.
    """
    rows = rows_of(table, platform)
    return {**_places(rows, platform.names["email"]), **_places(rows, platform.ids)}


def _places(rows: Iterable[tuple[int, Mapping[str, str]]], columns: Iterable[str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for index, row in rows:
        for name in columns:
            if row.get(name):
                found.setdefault(_key(row[name]), set()).add(index)
    return found


def _keys(grade: Grade) -> list[str]:
    one = grade.student
    return [_key(text) for text in (one.id, one.folder, one.email) if text]


def _key(text: str) -> str:
    """One spelling for all that look the same."""
    return unicodedata.normalize("NFC", text).casefold()


def _column(table: Table, platform: Platform, grade: Grade, titles: dict[str, str], filled: Filled) -> int:
    """The column of a topic; made if there is none."""
    names = {_plain(grade.topic), _plain(titles.get(grade.topic, ""))}
    places = [
        place
        for place, heading in enumerate(table.header)
        if (match := OURS[platform.name].fullmatch(heading)) and _plain(match["name"]) in names
    ]
    if len(places) > 1:
        both = " and ".join(repr(table.header[place]) for place in places)
        raise CourseError(f"{table.name}: {both} could both be {grade.topic}: rename all but one")
    if places:
        return places[0]
    heading = NEW[platform.name].format(name=titles.get(grade.topic) or grade.topic)
    filled.made.append(heading)
    return _new_column(table, heading, grade.most)


def _points_there(table: Table, column: int) -> float | None:
    """What a column is out of, where the platform says so: Canvas in a line, Blackboard in the heading."""
    line = next((row for row in table.rows[1:] if row and row[0].strip() == POSSIBLE), [])
    said = line[column : column + 1] or TOTAL.findall(table.header[column])
    try:
        return float(said[0].replace(",", ".")) if said else None
    except ValueError:  # "(read only)"
        return None


def _plain(name: str) -> str:
    """A name without what people write in one way or the other."""
    return re.sub(r"[\W_]+", " ", name).strip().casefold()


def _new_column(table: Table, heading: str, most: float) -> int:
    """Append a column; Canvas reads the points of an assignment from a line of its own."""
    place = len(table.rows[0])
    _cell(table, 0, place, heading)
    for index, row in enumerate(table.rows):
        if index and row and row[0].strip() == POSSIBLE:
            _cell(table, index, place, f"{most:g}")
    return place


def _cell(table: Table, line: int, column: int, text: str) -> None:
    """Write a cell; a line that is too short is filled up."""
    row = table.rows[line]
    row.extend([""] * (column + 1 - len(row)))
    row[column] = text
