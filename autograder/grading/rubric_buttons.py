"""Rubrics in formgrader: under each answer to an open question, buttons that write the comment and the score.

nbgrader lets a course add steps and filters to the export that formgrader shows (`HTMLExporter` in its settings). A
step puts a mark below each answer that has a rubric, a filter turns the mark into buttons after everything that
students wrote has been rendered. What is shown changes, never the notebook on file. Each click writes one line of
nbgrader's own comment; when every item is decided, the score is their sum. Nothing else is sent anywhere.
"""

import base64
import html
import json
import re
import secrets
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbconvert.filters import strip_files_prefix
from nbconvert.preprocessors import Preprocessor

from autograder.authoring.cells import name_of
from autograder.authoring.rubric import Rubric, rubrics

# A mark begins with a word that is drawn anew by every process: a student cannot write one, and with it make buttons.
WORD = f"rubric-{secrets.token_hex(16)}"
MARK = re.compile(rf"<p>{WORD} ([A-Za-z0-9+/=]+)</p>")


class RubricButtons(Preprocessor):  # type: ignore[misc]
    """Marks where buttons go; only in formgrader, which alone says whose submission it shows."""

    def preprocess(self, notebook: Any, resources: Any) -> tuple[Any, Any]:
        """Put a mark below each answer that has a rubric."""
        found = {rubric.question: rubric for rubric in rubrics(notebook)}
        if "submission_id" in resources and found:
            notebook.cells = [
                cell for one in notebook.cells for cell in (one, *_marks(found.get(str(name_of(one)))))
            ]
        return notebook, resources


def _marks(rubric: Rubric | None) -> list[Any]:
    if rubric is None:
        return []
    items = [[item.name, item.points] for item in rubric.items]
    packed = base64.b64encode(json.dumps([rubric.question, items]).encode()).decode()
    return [nbformat.v4.new_markdown_cell(f"{WORD} {packed}")]


def with_buttons(text: str) -> str:
    """What formgrader shows of a cell, with buttons in the place of a mark."""
    return MARK.sub(lambda match: _buttons(match[1]), str(strip_files_prefix(text)))


def _buttons(packed: str) -> str:
    try:
        question, items = json.loads(base64.b64decode(packed))
        rows = "".join(_row(str(name), float(points)) for name, points in items)
    except (ValueError, TypeError):
        return ""
    return (
        f'<div class="rubric panel panel-default" data-question="{html.escape(str(question))}" '
        f'style="padding: 6px 12px">{rows}<div class="rubric-state text-muted" aria-live="polite"></div></div>'
        f"<script>{_script()}</script>"
    )


def _row(name: str, most: float) -> str:
    buttons = "".join(
        f'<button type="button" class="btn btn-default btn-sm" data-points="{points:g}">{points:g}</button>'
        for points in sorted({0.0, most / 2, most})
    )
    said = html.escape(name)
    return (
        f'<div class="rubric-item" data-name="{said}" data-most="{most:g}" style="padding: 2px 0">'
        f'<span class="btn-group" role="group" aria-label="{said}">{buttons}</span> {said}</div>'
    )


@cache
def _script() -> str:
    return Path(__file__).with_name("rubric_buttons.js").read_text("utf-8")
