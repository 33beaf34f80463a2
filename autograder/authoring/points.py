"""Write the tasks' points into headings and total of a notebook.

Examples are "(2 points, about 10 minutes)" and "There are 33 points."

A heading names the points between it and the next heading that names points. Authors write the words. The numbers are
filled in when the notebook is made, so that the points of a task are written in one place only.
"""

import re
from typing import Any

from autograder.authoring.cells import role

POINTS_HEADING = re.compile(r"^(?P<before>#+ [^\n]*\()\d+(?:\.\d+)? points?\b", re.MULTILINE)
TOTAL_POINTS_SENTENCE = re.compile(r"\bThere (?:is|are) \d+(?:\.\d+)? points?\b")


def with_points(notebook: Any) -> Any:
    """Put the tasks' points into headings and total."""
    total, waiting = 0.0, 0.0
    for cell in reversed(
        notebook.cells
    ):  # backwards, so that the points below a heading are known when it is reached
        earned = float(role(cell).get("points", 0.0))
        total, waiting = total + earned, waiting + earned
        if cell.cell_type == "markdown" and POINTS_HEADING.search(cell.source):
            cell.source = _with_last(cell.source, waiting)
            waiting = 0.0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = TOTAL_POINTS_SENTENCE.sub(_there_are(total), cell.source)
    return notebook


def points_in(notebook: Any) -> tuple[float, float]:
    """Return all points of a notebook, and those graded by hand."""
    graded = [entry for cell in notebook["cells"] if (entry := role(cell)).get("grade")]
    by_hand = [entry for entry in graded if entry.get("solution")]
    return sum(float(entry["points"]) for entry in graded), sum(float(entry["points"]) for entry in by_hand)


def _with_last(text: str, points: float) -> str:
    """Put points into the last heading of a text that names some.

    It is the last one because a task follows its text.
    """
    last = list(POINTS_HEADING.finditer(text))[-1]
    return text[: last.start()] + last["before"] + _points(points) + text[last.end() :]


def _points(number: float) -> str:
    return f"{number:g} point" if number == 1 else f"{number:g} points"


def _there_are(number: float) -> str:
    return f"There {'is' if number == 1 else 'are'} {_points(number)}"
