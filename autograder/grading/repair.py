"""Rebuild a submitted notebook on the released one, so that nothing in it but the answers is trusted.

Locked cells come from the release; answer cells take the student's text by their nbgrader id; all metadata
come from the release. Missing cells are put back, copies become ordinary cells (the last one counts, as in
nbgrader), cells of the student's own are kept where they stand. Every repair is reported.
"""

import errno
import json
import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from autograder.authoring.cells import is_answer, name_of, source_of
from autograder.errors import UnreadableError

MAX_NOTEBOOK = 32 * 2**20
MAX_CELLS = 2_000
NOT_A_LINK = getattr(os, "O_NOFOLLOW", 0)
MAX_PARTS = 4_000_000  # what lists and mappings hold, these counted fourfold: they take thirty times their text's room


@dataclass(frozen=True)
class Repaired:
    """A notebook that is safe to run and to score, and what had to be repaired."""

    notebook: Any
    repairs: tuple[str, ...]


def read_file(path: Path) -> bytes:
    """Read a submitted file, if it is a file of a sensible size and not a link to somewhere else.

    It is opened once and everything is asked of what was opened: its owner may replace it, make it a link or let it
    grow at any moment.
    """
    refused = UnreadableError(f"{path.name} is not a file: hand in the notebook itself")
    try:
        descriptor = os.open(path, os.O_RDONLY | NOT_A_LINK | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        raise refused from None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO):  # a link, a socket
            raise refused from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise refused
    with open(descriptor, "rb") as file:
        data = file.read(MAX_NOTEBOOK + 1)
    if len(data) > MAX_NOTEBOOK:
        most = MAX_NOTEBOOK // 2**20
        raise UnreadableError(f"{path.name} is larger than {most} MiB: clear its outputs and hand in again")
    return data


def parse_notebook(data: bytes, name: str) -> Any:
    """The notebook in a submitted file, as data; anything that is not a notebook raises UnreadableError."""
    if 4 * (data.count(b"[") + data.count(b"{")) + data.count(b",") > MAX_PARTS:
        raise UnreadableError(f"{name} holds too much beside its text: clear its outputs and hand in again")
    try:
        tree = json.loads(data.decode("utf-8-sig"))  # some editors put a mark in front
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
    """Read a submitted notebook as data."""
    return parse_notebook(read_file(path), path.name)


def repair(submitted: Any, release: Any) -> Repaired:
    """Return the submission's answers in the released notebook's frame."""
    known = {name_of(cell): cell for cell in release.cells if name_of(cell)}
    last = {
        name_of(cell): position for position, cell in enumerate(submitted["cells"]) if name_of(cell) in known
    }
    cells: list[Any] = []
    repairs: list[str] = []
    for position, cell in enumerate(submitted["cells"]):
        name = name_of(cell)
        if name in known and last[name] == position:
            cells.append(_framed(known[name], cell, repairs))
            continue
        if name in known:
            repairs.append(f"cell {name} was copied: the last copy counts")
        cells.append(_own(cell))
    _put_back(cells, release, set(last), repairs)
    for number, cell in enumerate(cells):
        cell["id"] = cell["id"] if name_of(cell) else f"own-{number}"
    frame = {"nbformat": 4, "nbformat_minor": 5, "metadata": release.metadata, "cells": cells}
    notebook = nbformat.from_dict(frame)  # a deep copy: the release stays as it is
    return Repaired(notebook, tuple(repairs))


def _framed(known: Any, cell: Any, repairs: list[str]) -> Any:
    """The released cell, holding the student's text if it is theirs to write."""
    framed, text = {**known}, _text(cell)
    if is_answer(known):
        framed["source"] = text
    elif text != known.source:
        repairs.append(f"cell {name_of(known)} is locked but was edited: the original was run")
    if cell.get("cell_type") != known.cell_type:
        repairs.append(f"cell {name_of(known)} had its type changed: the original type was used")
    return framed


def _own(cell: Any) -> Any:
    """A cell of the student's own: its text, nothing else."""
    own: dict[str, Any] = {"cell_type": "markdown", "metadata": {}, "source": _text(cell)}
    if cell.get("cell_type") == "code":
        own = {**own, "cell_type": "code", "outputs": [], "execution_count": None}
    return own


def _text(cell: Any) -> str:
    return (
        source_of(cell).encode("utf-8", "replace").decode()
    )  # half characters can be typed, but not written


def _put_back(cells: list[Any], release: Any, present: set[str | None], repairs: list[str]) -> None:
    """Insert each missing released cell after the released cell that precedes it."""
    position = -1
    for cell in release.cells:
        name = name_of(cell)
        if not name:
            continue
        if name in present:
            position = next(number for number, one in enumerate(cells) if name_of(one) == name)
            continue
        position += 1
        cells.insert(position, {**cell})
        repairs.append(f"cell {name} was missing: it was put back")
