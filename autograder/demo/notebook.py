"""Notebooks of made-up students: filled releases and typical accidents."""

import copy
import json
from collections.abc import Mapping
from typing import Any

from autograder.authoring.cells import check_of, checks, is_answer_cell, name_of, source_of
from autograder.authoring.source_notebook import BEGIN_SOLUTION, END_SOLUTION

MAX_SENTENCES = 2  # of the model answer to an open question, handed in by a made-up student


def filled_in(release: Any, source: Any, answers: Mapping[str, str | None]) -> object:
    """Return the released notebook with all cells solved, except these answers.

    An answer is a text, with `NAME` for the name to define, or None for no answer.
    """
    solved = {cell["id"]: cell.source for cell in source.cells}
    tested = {answer: task for task, answer in checks(release)}
    notebook = copy.deepcopy(release)
    for cell in notebook.cells:
        if not is_answer_cell(cell):
            continue
        name = str(name_of(cell))
        if tested.get(name) not in answers:
            cell.source = solved[cell["id"]]
        elif answers[tested[name]] is not None:
            cell.source = f"{answers[tested[name]]}".replace("NAME", name)
    return notebook


def solution_cells(source: Any) -> dict[str, str]:
    """Return the right solutions as students submit them, by cell name."""
    return {str(name_of(cell)): _submitted_text(cell) for cell in source["cells"] if is_answer_cell(cell)}


def _submitted_text(cell: Any) -> str:
    """Return a solution without the author's markers.

    A model answer in words is cut to its first sentences.
    """
    text = source_of(cell)
    if cell["cell_type"] == "markdown":
        return ". ".join(text.split(". ")[:MAX_SENTENCES]).rstrip(".") + "."
    return "\n".join(line for line in text.split("\n") if line.strip() not in (BEGIN_SOLUTION, END_SOLUTION))


def filled_cells(release: Any, cells: Mapping[str, str | None]) -> object:
    """Return the release with these cells; None leaves a cell unchanged."""
    notebook = {**release, "cells": [dict(cell) for cell in release["cells"]]}
    for cell in notebook["cells"]:
        text = cells.get(str(name_of(cell))) if is_answer_cell(cell) else None
        if text is not None:
            cell["source"] = text
    return notebook


def write_notebook_text(notebook: object) -> str:
    """Return the text of a notebook file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def copy_a_cell(notebook: Any) -> None:
    """Duplicate the first answer's cell with its id, which is invalid."""
    place = _check_places(notebook)[0]
    notebook["cells"].insert(place, copy.deepcopy(notebook["cells"][place - 1]))


def delete_a_test(notebook: Any) -> None:
    """Delete the last test."""
    del notebook["cells"][_check_places(notebook)[-1]]


def print_a_warning(notebook: Any) -> None:
    """Add a cell that prints a warning."""
    cell: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "id": "own",
        "metadata": {},
        "outputs": [],
        "source": "import warnings\nwarnings.warn('careful')",
    }
    notebook["cells"].insert(_check_places(notebook)[0], cell)


def _check_places(notebook: Any) -> list[int]:
    return [place for place, cell in enumerate(notebook["cells"]) if check_of(source_of(cell))]
