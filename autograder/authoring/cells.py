"""What a cell is to nbgrader: the one place that reads and writes its metadata.

A cell's role is the mapping under `metadata.nbgrader`. Cells come from submissions too, so nothing about their form is
taken for granted here.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

CHECK = re.compile(r"""^check\(\s*["'](?P<topic>\w+)\.(?P<task>\w+)["']\s*,\s*(?P<answer>\w+)\s*\)$""")


def role(cell: Any) -> Mapping[str, Any]:
    """The role that nbgrader knows the cell by; empty if it has none."""
    metadata = cell.get("metadata")
    found = metadata.get("nbgrader") if isinstance(metadata, Mapping) else None
    return found if isinstance(found, Mapping) else {}


def new_role(
    name: str, *, solution: bool = False, points: float | None = None, locked: bool = False
) -> dict[str, Any]:
    """The role of a cell that an author wrote; with points it is graded."""
    made: dict[str, Any] = {
        "schema_version": 3,
        "grade_id": name,
        "solution": solution,
        "grade": points is not None,
        "locked": locked,
        "task": False,
    }
    return made if points is None else {**made, "points": float(points)}


def name_of(cell: Any) -> str | None:
    """The name by which nbgrader knows the cell."""
    name = role(cell).get("grade_id")
    return name if isinstance(name, str) else None


def is_answer(cell: Any) -> bool:
    """Is it the student's to write?"""
    return bool(role(cell).get("solution"))


def source_of(cell: Any) -> str:
    """The text of a cell; files keep it as a list of lines, and submissions may hold anything."""
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def check_of(source: str) -> re.Match[str] | None:
    """The topic, task and answer's name of a lone `check(…)`."""
    return CHECK.match(source.strip())


def check_name(task: str) -> str:
    """The name of the cell that tests a task."""
    return f"check-{task}"


def checked(cell: Any) -> tuple[str, str] | None:
    """The task and the answer's name of a test cell, which is ours because it is locked."""
    if cell.get("cell_type") != "code" or not (role(cell).get("grade") and role(cell).get("locked")):
        return None
    match = check_of(source_of(cell))
    return (match["task"], match["answer"]) if match else None


def checks(notebook: Any) -> Iterator[tuple[str, str]]:
    """The tasks that a notebook tests, with the answers' names, in order."""
    return filter(None, map(checked, notebook["cells"]))
