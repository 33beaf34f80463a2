"""Fill in grades in an exported gradebook of Canvas, Moodle or Blackboard.

The instructor exports the gradebook, runs `dimred`, and imports the result. Other columns and lines are not changed. A
topic's column is found by its name, or added:

    Canvas       Areas (311)                              a new column makes a new assignment, with its points
    Moodle       Assignment: Areas (Real)                 a new column is mapped by hand in Moodle's preview
    Moodle       Grade, in an assignment's worksheet      which is of one topic
    Blackboard   Areas [Total Pts: 33 Score] |311         a new column becomes a column of text
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from autograder.course.identity import id_texts
from autograder.course.platforms import CLASS_LIST_PLATFORM, Platform, platform_of, rows_of
from autograder.course.tables import Table, read_table
from autograder.errors import CourseError
from autograder.program import program_name
from autograder.reports.grades import Grade

OUR_COLUMN = {  # the name of an assignment inside the heading of its column
    "Canvas": re.compile(r"(?P<name>.+?)(?: \(\d+\))?"),
    "Moodle": re.compile(r"(?:[^:]+: ?)?(?P<name>.+?)(?: \((?:Real|Points?|Punkte|Réel|Brut|Puntos)\))?"),
    "Blackboard": re.compile(r"(?P<name>.+?)(?: \[Total Pts: [^\]]*\])?(?: \|\d+)?"),
    "Brightspace": re.compile(r"(?P<name>.+?)(?: Points Grade)?(?: <[^>]*>)?"),
}
# Of Moodle's grading worksheet: the strings gradenoun and maxgrade of its language packs.
WORKSHEET_GRADES = ("Grade", "Bewertung", "Note", "Calificación")
WORKSHEET_POINTS = (
    *("Maximum Grade", "Maximum grade", "Bestwertung", "Note maximale"),
    *("Calificación máxima", "Máxima calificación"),
)
POINTS_POSSIBLE = "Points Possible"
BLACKBOARD_TOTAL = re.compile(r"\[Total Pts: ([\d.,]+)")
NEW_COLUMN = {
    "Canvas": "{name}",
    "Moodle": "Assignment: {name} (Real)",
    "Blackboard": "{name}",
    "Brightspace": "{name} Points Grade",
}


@dataclass
class FillResult:
    """The result of filling in a gradebook: counts, new columns, unmatched students."""

    platform: str
    written: int = 0
    made: list[str] = field(default_factory=list)
    without_line: list[str] = field(default_factory=list)
    other_points: list[tuple[str, float, float | None]] = field(default_factory=list)  # topic, here, there
    unread: Counter[str] = field(default_factory=Counter)  # topic → scores that are not final yet


def fill(path: Path, target: Path, grades: Iterable[Grade], titles: dict[str, str]) -> FillResult:
    """Write grades into a copy of an exported gradebook.

    `titles` maps topics to titles. A column may have either name.
    """
    table = read_table(path)
    platform = platform_of(table) if table.rows else None
    if platform is None or platform is CLASS_LIST_PLATFORM:
        raise CourseError(
            f"{path.name} is not a gradebook of Canvas, Moodle or Blackboard: {_first_line(table)}"
        )
    grades = list(grades)
    _require_one_topic(table, grades)
    filled = FillResult(platform.name)
    lines = _lines_by_student(table, platform)
    checked: set[str] = set()
    for grade in grades:
        line = _find_line(lines, grade, filled)
        if line is None:
            continue
        column = _find_or_add_column(table, platform, grade, titles, filled)
        _write_cell(table, line, column, table.number(grade.score))
        points = _platform_points(table, line, column)
        if grade.topic not in checked and points not in (None, grade.most):
            filled.other_points.append((grade.topic, grade.most, points))
        checked.add(grade.topic)
        filled.written += 1
        if grade.pending:
            filled.unread[grade.topic] += 1
    table.write(target)
    return filled


def worksheet_columns(table: Table) -> tuple[int, int] | None:
    """Return the columns of grades and maximal grades of Moodle's grading worksheet; None for other tables."""
    header = table.header
    grades = [header.index(name) for name in WORKSHEET_GRADES if name in header]
    points = [header.index(name) for name in WORKSHEET_POINTS if name in header]
    return (grades[0], points[0]) if grades and points else None


def _require_one_topic(table: Table, grades: Iterable[Grade]) -> None:
    topics = {grade.topic for grade in grades}
    if worksheet_columns(table) and len(topics) > 1:
        raise CourseError(
            f"{table.name} is the grading worksheet of one assignment, and {len(topics)} topics were graded: "
            f"name its topic: `{program_name()} export --fill {table.name} TOPIC`"
        )


def _find_line(lines: Mapping[str, set[int]], grade: Grade, filled: FillResult) -> int | None:
    """Return the line of a student; note in the result if none fits, or several.

    No line is expected for a student who has left the class.
    """
    possible = [lines[key] for key in _student_keys(grade) if key in lines]
    for candidates in possible:
        if len(candidates) == 1:
            return next(iter(candidates))
    if possible or not grade.student.has_left:
        why = f"{len(possible[0])} lines could be" if possible else "no line for"
        filled.without_line.append(f"{why} {grade.student.id} ({grade.topic})")
    return None


def _first_line(table: Table) -> str:
    return f"its first line is {','.join(table.header)[:80]!r}"


def _lines_by_student(table: Table, platform: Platform) -> dict[str, set[int]]:
    """Map each identifier to the lines that contain it.

    An identifier may match several lines, because a student's number may be another student's id. Students can choose
    their e-mail addresses, so an address counts only if no id has the same text.
    """
    rows = rows_of(table, platform)
    return {**_lines_by_name(rows, platform.names["email"]), **_lines_by_name(rows, platform.ids)}


def _lines_by_name(
    rows: Iterable[tuple[int, Mapping[str, str]]], columns: Iterable[str]
) -> dict[str, set[int]]:
    lines: dict[str, set[int]] = {}
    for index, row in rows:
        for name in columns:
            if row.get(name):
                lines.setdefault(_normalise_key(row[name]), set()).add(index)
    return lines


def _student_keys(grade: Grade) -> list[str]:
    student = grade.student
    return [
        _normalise_key(text)
        for text in dict.fromkeys((student.id, student.folder, *id_texts(student)))
        if text
    ]


def _normalise_key(text: str) -> str:
    """Normalise case and Unicode of an identifier."""
    return unicodedata.normalize("NFC", text).casefold()


def _find_or_add_column(
    table: Table, platform: Platform, grade: Grade, titles: dict[str, str], filled: FillResult
) -> int:
    """Return the column of a topic; add it if missing."""
    if worksheet := worksheet_columns(table):
        return worksheet[0]
    names = {_normalise_name(grade.topic), _normalise_name(titles.get(grade.topic, ""))}
    places = [
        place
        for place, heading in enumerate(table.header)
        if (match := OUR_COLUMN[platform.name].fullmatch(heading)) and _normalise_name(match["name"]) in names
    ]
    if len(places) > 1:
        both = " and ".join(repr(table.header[place]) for place in places)
        raise CourseError(f"{table.name}: {both} could both be {grade.topic}: rename all but one")
    if places:
        return places[0]
    heading = NEW_COLUMN[platform.name].format(name=titles.get(grade.topic) or grade.topic)
    filled.made.append(heading)
    return _add_column(table, heading, grade.most)


def _platform_points(table: Table, row: int, column: int) -> float | None:
    """Return the maximum points of a column in the platform, or None.

    Canvas has them in a line, Blackboard in the heading, Moodle's worksheet in a column.
    """
    if worksheet := worksheet_columns(table):
        return _read_points(table.rows[row][worksheet[1] : worksheet[1] + 1])
    line = next((row for row in table.rows[1:] if row and row[0].strip() == POINTS_POSSIBLE), [])
    return _read_points(line[column : column + 1] or BLACKBOARD_TOTAL.findall(table.header[column]))


def _read_points(texts: list[str]) -> float | None:
    """Return the first text as a number, or None."""
    try:
        return float(texts[0].replace(",", ".")) if texts else None
    except ValueError:  # "(read only)"
        return None


def _normalise_name(name: str) -> str:
    """Normalise punctuation, spaces and case of a name."""
    return re.sub(r"[\W_]+", " ", name).strip().casefold()


def _add_column(table: Table, heading: str, most: float) -> int:
    """Append a column, with its maximum in Canvas's line of points."""
    place = len(table.rows[0])
    _write_cell(table, 0, place, heading)
    for index, row in enumerate(table.rows):
        if index and row and row[0].strip() == POINTS_POSSIBLE:
            _write_cell(table, index, place, f"{most:g}")
    return place


def _write_cell(table: Table, line: int, column: int, text: str) -> None:
    """Write a cell; extend a line that is too short."""
    row = table.rows[line]
    row.extend([""] * (column + 1 - len(row)))
    row[column] = text
