"""Find graded cells whose answer has not changed since the last grading.

Graders see the stored notebook in formgrader and on the page of open questions. A manual score stays valid while the
text of the answer is the same.
"""

import json
from collections.abc import Container, Iterable
from pathlib import Path
from typing import Any

from autograder.authoring.cells import answer_cell_name, check_of, is_answer_cell, name_of, role, source_of


def unchanged_cells(folder: Path, notebook: Any) -> set[str]:
    """Return the graded cells with the same answer as in a folder."""
    if notebook is None:
        return set()
    before, now = _answers(_cells_on_file(folder)), _answers(notebook["cells"])
    return {name for name, answer in now.items() if answer is not None and before.get(name) == answer}


def _cells_on_file(folder: Path) -> list[object]:
    """Read the cells of the first notebook in a folder.

    The result is empty if unreadable.
    """
    for path in sorted(folder.glob("*.ipynb")):
        try:
            return list(json.loads(path.read_text("utf-8"))["cells"])
        except (OSError, ValueError, LookupError, TypeError):
            return []
    return []


def _answers(cells: Iterable[object]) -> dict[str, str | None]:
    """Map each graded cell to its text or the answer it tests."""
    cells = list(cells)
    answers = {str(name_of(cell)): source_of(cell) for cell in cells if is_answer_cell(cell)}
    graded = [cell for cell in cells if role(cell).get("grade")]
    return {str(name_of(cell)): answers.get(_answer_name(cell, answers)) for cell in graded}


def _answer_name(cell: object, answers: Container[str]) -> str:
    """Return the name of the cell with a graded cell's answer."""
    match = check_of(source_of(cell))
    return answer_cell_name(match, answers) if match and not is_answer_cell(cell) else str(name_of(cell))
