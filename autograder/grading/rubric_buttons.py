"""Add rubric buttons to formgrader, below the answers to open questions.

nbgrader lets a course add preprocessors and filters to formgrader's export (`HTMLExporter` in its settings). A
preprocessor inserts a mark below each answer with a rubric. A filter replaces the mark by buttons after the students'
text has been rendered. The stored notebook is not changed. Each click writes a line of nbgrader's comment. When every
item is decided, the score is set to their sum.
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

# A mark starts with a random word, drawn by each process, so that a student cannot write a mark.
RUBRIC_WORD = f"rubric-{secrets.token_hex(16)}"
RUBRIC_MARK_PATTERN = re.compile(rf"<p>{RUBRIC_WORD} ([A-Za-z0-9+/=]+)</p>")


class RubricButtons(Preprocessor):  # type: ignore[misc]
    """Insert marks for buttons in formgrader, recognised by `submission_id`."""

    def preprocess(self, notebook: Any, resources: Any) -> tuple[object, object]:
        """Insert a mark below each answer that has a rubric."""
        rubric_by_question = {rubric.question: rubric for rubric in rubrics(notebook)}
        if "submission_id" in resources and rubric_by_question:
            notebook.cells = [
                cell
                for original in notebook.cells
                for cell in (original, *_marks(rubric_by_question.get(str(name_of(original)))))
            ]
        return notebook, resources


def _marks(rubric: Rubric | None) -> list[object]:
    if rubric is None:
        return []
    items = [[item.name, item.points] for item in rubric.items]
    packed = base64.b64encode(json.dumps([rubric.question, items]).encode()).decode()
    return [nbformat.v4.new_markdown_cell(f"{RUBRIC_WORD} {packed}")]


def with_buttons(text: str) -> str:
    """Replace the marks in a rendered cell by buttons (a Jinja filter)."""
    return RUBRIC_MARK_PATTERN.sub(lambda match: _buttons(match[1]), str(strip_files_prefix(text)))


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


def _row(name: str, max_points: float) -> str:
    buttons = "".join(
        f'<button type="button" class="btn btn-default btn-sm" data-points="{points:g}">{points:g}</button>'
        for points in sorted({0.0, max_points / 2, max_points})
    )
    name_html = html.escape(name)
    return (
        f'<div class="rubric-item" data-name="{name_html}" data-most="{max_points:g}" style="padding: 2px 0">'
        f'<span class="btn-group" role="group" aria-label="{name_html}">{buttons}</span> {name_html}</div>'
    )


@cache
def _script() -> str:
    return Path(__file__).with_name("rubric_buttons.js").read_text("utf-8")
