"""Recognise tables of Canvas, Moodle, Blackboard and Brightspace by their headings.

Each platform has sets of headings that identify its tables, and a list of id columns. Canvas writes its headings
in English whatever its language (`lib/gradebook_exporter.rb`); Moodle translates them, so the German, French and
Spanish ones are listed, too.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from autograder.course.tables import Table
from autograder.errors import CourseError

Row = Mapping[str, str]
MIN_ID_SHARE = 0.8  # of the students, who have a value in the column of ids


def _is_any_row(row: Row) -> bool:
    return True


def _is_canvas_student(row: Row) -> bool:
    """Return whether a row of Canvas is a student.

    Canvas adds rows with maximal points and posting policies, and a test student.
    """
    name = row.get("Student", row.get("LastName", "")).strip()
    first_name = row.get("FirstName", "").strip()
    return name not in ("", "Points Possible", "Student, Test") and (name, first_name) != ("Student", "Test")


@dataclass(frozen=True)
class Platform:
    """Column names of a platform; each set in `marks` identifies its tables."""

    name: str
    marks: tuple[frozenset[str], ...]
    ids: tuple[str, ...]
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_student: Callable[[Row], bool] = _is_any_row
    prefix: str = ""  # put before ids in its tables


# German, French, Spanish: the strings firstname, lastname, fullname, email, idnumber, username and groups of Moodle's
# language packs, older and newer ones.
EMAILS = (
    "Email address",
    "E-Mail-Adresse",
    "Adresse de courriel",
    "Dirección de correo",
    "Dirección de correo electrónico",
    "Dirección Email",
)
ID_NUMBERS = (
    "ID number",
    "ID-Nummer",
    "Numéro d'identification",
    "Numéro d’identification",
    "Número de ID",
    "Número de identificación",
)
USERNAMES = ("Username", "Anmeldename", "Nom d'utilisateur", "Nom d’utilisateur", "Nombre de usuario")
COMMON_COLUMNS = {
    "first_name": ("first_name", "First name", "First Name", "FirstName", "Vorname", "Prénom", "Nombre"),
    "last_name": (
        *("last_name", "Last name", "Last Name", "LastName", "Surname", "Nachname"),
        *("Nom de famille", "Nom", "Apellido(s)", "Apellidos"),
    ),
    "name": (
        *("name", "full_name", "Full name", "Student", "Vollständiger Name"),
        *("Nom complet", "Nombre completo"),
    ),
    "email": ("email", "e-mail", *EMAILS, "Email", "E-Mail", "Courriel"),
    "section": ("section", "Group", "Groups", "Gruppen", "Groupes", "Grupos"),
    "extension": ("extension",),
}
PLATFORMS = (  # order matters: tables of Brightspace have the headings of Blackboard, too
    Platform(
        "Canvas",
        (frozenset({"Student", "ID", "Section"}), frozenset({"LastName", "FirstName", "ID", "Section"})),
        ("SIS Login ID", "SIS User ID", "ID"),
        COMMON_COLUMNS,
        _is_canvas_student,
    ),
    Platform(
        "Brightspace",
        (frozenset({"OrgDefinedId", "Username"}), frozenset({"OrgDefinedId", "End-of-Line Indicator"})),
        ("Username", "OrgDefinedId"),
        COMMON_COLUMNS,
        prefix="#",  # so that spreadsheets keep zeros
    ),
    Platform(
        "Blackboard",
        (frozenset({"Last Name", "First Name", "Username"}),),
        ("Username", "Student ID"),
        COMMON_COLUMNS,
    ),
    Platform(
        "Moodle",
        tuple(frozenset({name}) for name in EMAILS),
        (*USERNAMES, *ID_NUMBERS, *EMAILS),
        COMMON_COLUMNS,
    ),
)
CLASS_LIST_PLATFORM = Platform("a class list", (frozenset({"id"}),), ("id",), COMMON_COLUMNS)
# Known id columns, which never hold scores: see `identity`.
ID_COLUMNS = (
    *dict.fromkeys(name for platform in (CLASS_LIST_PLATFORM, *PLATFORMS) for name in platform.ids),
    "Integration ID",
)


def platform_of(table: Table) -> Platform | None:
    """Return the platform of a table, or None if unknown.

    A table with a column `id` is a plain class list.
    """
    header = set(table.header)
    known = (CLASS_LIST_PLATFORM, *PLATFORMS)
    return next((platform for platform in known if any(mark <= header for mark in platform.marks)), None)


def rows_of(table: Table, platform: Platform) -> list[tuple[int, Row]]:
    """Return the students' rows as mappings, with the index of each in the table."""
    header = table.header
    rows: list[tuple[int, Row]] = []
    for index, cells in enumerate(table.rows[1:], start=1):
        texts = (cell.strip().removeprefix(platform.prefix) for cell in cells)
        row = dict(zip(header, texts, strict=False))
        # skip rows of separators only, which spreadsheets add at the end
        if any(row.values()) and platform.is_student(row):
            rows.append((index, row))
    return rows


def id_columns(table: Table, platform: Platform, chosen: str | None = None) -> list[str]:
    """Return the id column, then those that hold the id of students without a value in it.

    It is the chosen one, or the platform's first one without gaps. Addresses are ids only if there is no other column
    that most students have, because addresses change: one guest without a number has the address, and not everybody.
    """
    if chosen is not None:
        return [require_column(table, chosen)]
    present = [name for name in platform.ids if name in table.header]
    rows = [row for _, row in rows_of(table, platform)]
    share = {name: sum(bool(row.get(name)) for row in rows) / max(1, len(rows)) for name in present}
    first = _first_id_column(share)
    return [first, *(name for name in present if name != first)]


def _first_id_column(share: Mapping[str, float]) -> str:
    """Return the best column for ids; `share` maps each to the share of students who have a value in it."""
    lasting = [name for name in share if name not in EMAILS]
    for names, needed in ((lasting, 1.0), (lasting, MIN_ID_SHARE), (list(share), 1.0)):
        for name in names:
            if share[name] >= needed:
                return name
    return next(iter(share))


def require_column(table: Table, heading: str) -> str:
    """Return a column's name as the table spells it.

    Raise CourseError if there is no such column.
    """
    column_index = table.column(heading)
    if column_index is None:
        raise CourseError(f"{table.name} has no column {heading!r}; it has {', '.join(table.header)}")
    return table.header[column_index]


def first_of(row: Row, names: Iterable[str]) -> str:
    """Return the first non-empty value among these columns (case-insensitive)."""
    by_name = {name.casefold(): text for name, text in row.items()}
    return next((by_name[name.casefold()] for name in names if by_name.get(name.casefold())), "")
