"""Rebuild a submitted notebook from the release, keeping only the student's text.

Locked cells and all metadata come from the release. Answer cells take the student's text by their nbgrader id. A locked
cell may have the text of any earlier release, because the course may correct a text while students work. Missing cells
are inserted. Of several copies of a cell the last one counts, as in nbgrader, and the others become ordinary cells.
Cells that the student added stay in their place. Every repair is reported.
"""

import errno
import json
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from autograder.authoring.cells import is_answer_cell, name_of, source_of
from autograder.errors import UnreadableError

MAX_NOTEBOOK = 32 * 2**20
MAX_CELLS = 2_000
NOT_A_LINK = getattr(os, "O_NOFOLLOW", 0)
MAX_NOTEBOOK_ITEMS = 4_000_000  # containers count fourfold: bounds the memory of the JSON parser


@dataclass(frozen=True)
class Repaired:
    """A notebook with trusted structure, and the list of repairs."""

    notebook: Any
    repairs: tuple[str, ...]


def read_file(path: Path) -> bytes:
    """Read a submitted file; raise UnreadableError for links and large files.

    The owner may replace the file, make it a link or let it grow at any time. So it is opened once without following
    links, and all checks use the open descriptor.
    """
    not_a_file = UnreadableError(f"{path.name} is not a file: hand in the notebook itself")
    try:
        descriptor = os.open(path, os.O_RDONLY | NOT_A_LINK | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        raise not_a_file from None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):  # a link, a socket
            raise not_a_file from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise not_a_file
    with open(descriptor, "rb") as file:
        data = file.read(MAX_NOTEBOOK + 1)
    if len(data) > MAX_NOTEBOOK:
        max_mib = MAX_NOTEBOOK // 2**20
        raise UnreadableError(
            f"{path.name} is larger than {max_mib} MiB: clear its outputs and hand in again"
        )
    return data


def parse_notebook(data: bytes, name: str) -> Any:
    """Parse a submitted notebook; raise UnreadableError if it is not a notebook."""
    if 4 * (data.count(b"[") + data.count(b"{")) + data.count(b",") > MAX_NOTEBOOK_ITEMS:
        raise UnreadableError(f"{name} holds too much beside its text: clear its outputs and hand in again")
    try:
        tree = json.loads(data.decode("utf-8-sig"))  # some editors write a byte order mark
    except (ValueError, RecursionError):
        raise UnreadableError(
            f"{name} is not a notebook (not JSON): save it in Jupyter and hand in again"
        ) from None
    cells = tree.get("cells") if isinstance(tree, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise UnreadableError(f"{name} is not a notebook (no cells): save it in Jupyter and hand in again")
    if len(cells) > MAX_CELLS:
        raise UnreadableError(f"{name} has {len(cells)} cells; at most {MAX_CELLS} are read")
    return tree


def read_notebook(path: Path) -> Any:
    """Read and parse a submitted notebook."""
    return parse_notebook(read_file(path), path.name)


Locked = Mapping[str, str]  # name → text of the locked cells of a release


def locked_cells(release: Any) -> dict[str, str]:
    """Map the names of a release's locked cells to their texts."""
    return {
        name: source_of(cell)
        for cell in release["cells"]
        if (name := name_of(cell)) and not is_answer_cell(cell)
    }


def repair(submitted: Any, release: Any, earlier: Sequence[Locked] = ()) -> Repaired:
    """Insert the submission's answers into the released notebook.

    `earlier` holds the locked cells of earlier releases.
    """
    known = {name: cell for cell in release.cells if (name := name_of(cell))}
    names = [name_of(cell) or "" for cell in submitted["cells"]]
    last = {name: position for position, name in enumerate(names) if name in known}
    cells: list[Any] = []
    repairs: list[str] = []
    for position, (name, cell) in enumerate(zip(names, submitted["cells"], strict=True)):
        if last.get(name) == position:
            cells.append(_build_released_cell(known[name], cell, earlier, repairs))
            continue
        if name in last:
            repairs.append(f"cell {name} was copied: the last copy counts")
        cells.append(_build_extra_cell(cell))
    _insert_missing(cells, release, set(last), earlier, repairs)
    _number_extra_cells(cells)
    frame = {"nbformat": 4, "nbformat_minor": 5, "metadata": release.metadata, "cells": cells}
    notebook = nbformat.from_dict(frame)  # a deep copy, so the release is not modified
    return Repaired(notebook, tuple(repairs))


def _number_extra_cells(cells: Sequence[Any]) -> None:
    for number, cell in enumerate(cells):
        if not name_of(cell):
            cell["id"] = f"own-{number}"


def _build_released_cell(known: Any, cell: Any, earlier: Sequence[Locked], repairs: list[str]) -> object:
    """Return a released cell, with the student's text in answer cells."""
    result, text = {**known}, _text(cell)
    if is_answer_cell(known):
        result["source"] = text
    elif text != known.source and all(text != locked.get(name_of(known) or "") for locked in earlier):
        repairs.append(f"cell {name_of(known)} is locked but was edited: the original was run")
    if cell.get("cell_type") != known.cell_type:
        repairs.append(f"cell {name_of(known)} had its type changed: the original type was used")
    return result


def _build_extra_cell(cell: Any) -> object:
    """Return a cell that the student added, without metadata and outputs."""
    new_cell: dict[str, object] = {"cell_type": "markdown", "metadata": {}, "source": _text(cell)}
    if cell.get("cell_type") == "code":
        new_cell = {**new_cell, "cell_type": "code", "outputs": [], "execution_count": None}
    return new_cell


def _text(cell: object) -> str:
    return (
        source_of(cell).encode("utf-8", "replace").decode()
    )  # half characters can be typed, but not written


def _insert_missing(
    cells: list[Any], release: Any, present: set[str | None], earlier: Sequence[Locked], repairs: list[str]
) -> None:
    """Insert each missing released cell after the released cell that precedes it.

    A missing locked cell that some earlier release did not have is not reported.
    """
    position = -1
    for cell in release.cells:
        name = name_of(cell)
        if not name:
            continue
        if name in present:
            position = next(number for number, other in enumerate(cells) if name_of(other) == name)
            continue
        position += 1
        cells.insert(position, {**cell})
        is_new = not is_answer_cell(cell) and any(name not in locked for locked in earlier)
        if not is_new:
            repairs.append(f"cell {name} was missing: it was put back")
