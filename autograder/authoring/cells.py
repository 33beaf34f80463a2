"""Read and write nbgrader's metadata of a cell.

A cell's role is the mapping under `metadata.nbgrader`. Cells also come from submissions, so their form is not
trusted.
"""

import re
from collections.abc import Container, Iterator, Mapping
from typing import Any

CHECK = re.compile(r"""^check\(\s*["'](?P<topic>\w+)\.(?P<task>\w+)["']\s*,\s*(?P<answer>\w+)\s*\)$""")


def role(cell: Any) -> Mapping[str, Any]:
    """Return nbgrader's metadata of a cell, empty if it has none."""
    metadata = cell.get("metadata")
    entry = metadata.get("nbgrader") if isinstance(metadata, Mapping) else None
    return entry if isinstance(entry, Mapping) else {}


def new_role(
    name: str, *, solution: bool = False, points: float | None = None, locked: bool = False
) -> dict[str, object]:
    """Return nbgrader's metadata for a new cell; with points it is graded."""
    entry: dict[str, Any] = {
        "schema_version": 3,
        "grade_id": name,
        "solution": solution,
        "grade": points is not None,
        "locked": locked,
        "task": False,
    }
    return entry if points is None else {**entry, "points": float(points)}


def name_of(cell: object) -> str | None:
    """Return the name of a cell in nbgrader, or None."""
    name = role(cell).get("grade_id")
    return name if isinstance(name, str) else None


def is_answer_cell(cell: object) -> bool:
    """Return whether the student writes this cell."""
    return bool(role(cell).get("solution"))


def source_of(cell: Any) -> str:
    """Return the text of a cell as one string.

    Files keep it as a list of lines, and submissions may hold anything.
    """
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def check_of(source: str) -> re.Match[str] | None:
    """Match a cell that is a single `check(…)`.

    The groups are topic, task and the name of the answer.
    """
    return CHECK.match(source.strip())


def answer_cell_name(check: re.Match[str], names: Container[str]) -> str:
    """Return the name of the solution cell that a check tests.

    It is named after what it defines; in a composed assignment, after the task.
    """
    return check["task"] if check["task"] in names else check["answer"]


def check_name(task: str) -> str:
    """Return the name of the cell that tests a task."""
    return f"check-{task}"


def checked(cell: Any) -> tuple[str, str] | None:
    """Return task and answer's name of a test cell, else None.

    A test cell is locked and graded, so it is ours.
    """
    if cell.get("cell_type") != "code" or not (role(cell).get("grade") and role(cell).get("locked")):
        return None
    match = check_of(source_of(cell))
    return (match["task"], match["answer"]) if match else None


def checks(notebook: Any) -> Iterator[tuple[str, str]]:
    """Yield task and answer's name of each test cell, in order."""
    return filter(None, map(checked, notebook["cells"]))
