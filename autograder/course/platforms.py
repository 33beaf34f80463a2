"""The learning platforms whose tables are recognised by their own column names: Canvas, Moodle, Blackboard.

A table is a platform's when it has the columns that mark it. Which of the columns names a student best is tried in
order: the first that every student has filled in.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from autograder.course.tables import Table
from autograder.errors import CourseError

Row = Mapping[str, str]


def _everyone(row: Row) -> bool:
    return True


def _in_canvas(row: Row) -> bool:
    """Canvas puts a line of maximal points, one of posting policies and a made-up student among the people."""
    name = row.get("Student", "").strip()
    return name not in ("", "Points Possible", "Student, Test")


@dataclass(frozen=True)
class Platform:
    """How a platform calls what we need to know of a student."""

    name: str
    marks: frozenset[str]
    ids: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_student: Callable[[Row], bool] = _everyone


COMMON = {
    "first_name": ("first_name", "First name", "First Name"),
    "last_name": ("last_name", "Last name", "Last Name", "Surname"),
    "name": ("name", "full_name", "Full name", "Student"),
    "email": ("email", "e-mail", "Email address", "Email"),
    "section": ("section", "Group", "Groups"),
    "extension": ("extension",),
}
PLATFORMS = (
    Platform(
        "Canvas",
        frozenset({"Student", "ID", "Section"}),
        ("SIS Login ID", "SIS User ID", "ID"),
        COMMON,
        _in_canvas,
    ),
    Platform(
        "Blackboard", frozenset({"Last Name", "First Name", "Username"}), ("Username", "Student ID"), COMMON
    ),
    Platform(
        "Moodle",
        frozenset({"Email address"}),
        ("Username", "ID number", "Email address"),
        COMMON,
    ),
)
PLAIN = Platform("a class list", frozenset({"id"}), ("id",), COMMON)


def platform_of(table: Table) -> Platform | None:
    """Whose table it is: one with a column `id` is a plain list; None if nobody's column names are there."""
    header = set(table.header)
    return next((one for one in (PLAIN, *PLATFORMS) if one.marks <= header), None)


def rows_of(table: Table, platform: Platform) -> list[tuple[int, Row]]:
    """The students' lines as mappings, with the index of each in the table."""
    header = table.header
    found: list[tuple[int, Row]] = []
    for index, cells in enumerate(table.rows[1:], start=1):
        row = dict(zip(header, (cell.strip() for cell in cells), strict=False))
        if any(row.values()) and platform.is_student(
            row
        ):  # spreadsheets end in lines of nothing but separators
            found.append((index, row))
    return found


def id_column(table: Table, platform: Platform, wanted: str | None = None) -> str:
    """The column that names the students: the wanted one, or the platform's first that all have filled in."""
    if wanted is not None:
        place = table.column(wanted)
        if place is None:
            raise CourseError(f"{table.name} has no column {wanted!r}; it has {', '.join(table.header)}")
        return table.header[place]
    present = [name for name in platform.ids if name in table.header]
    rows = rows_of(table, platform)
    return next((name for name in present if all(row.get(name) for _, row in rows)), present[0])
