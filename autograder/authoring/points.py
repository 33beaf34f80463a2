"""The points that a text names are those of its tasks: "(2 points, about 10 minutes)" and "There are 33 points."

A heading names what is earned between it and the next heading that names points. Authors write the words; the numbers
are put in when the notebook is made, so a task's points stand in one place.
"""

import re
from typing import Any

from autograder.authoring.cells import role

HEADING = re.compile(r"^(?P<before>#+ [^\n]*\()\d+(?:\.\d+)? points?\b", re.MULTILINE)
TOTAL = re.compile(r"\bThere (?:is|are) \d+(?:\.\d+)? points?\b")


def with_points(notebook: Any) -> Any:
    """Put the tasks' points into headings and total."""
    total, waiting = 0.0, 0.0
    for cell in reversed(notebook.cells):  # what follows a heading is known before the heading is reached
        earned = float(role(cell).get("points", 0.0))
        total, waiting = total + earned, waiting + earned
        if cell.cell_type == "markdown" and HEADING.search(cell.source):
            cell.source = _with_last(cell.source, waiting)
            waiting = 0.0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = TOTAL.sub(_there_are(total), cell.source)
    return notebook


def points_in(notebook: Any) -> tuple[float, float]:
    """All points of a notebook, and those that a person gives, for answers to open questions."""
    graded = [found for cell in notebook["cells"] if (found := role(cell)).get("grade")]
    by_hand = [found for found in graded if found.get("solution")]
    return sum(float(one["points"]) for one in graded), sum(float(one["points"]) for one in by_hand)


def _with_last(text: str, points: float) -> str:
    """Put points into the last heading of a text that names some; tasks follow their text."""
    last = list(HEADING.finditer(text))[-1]
    return text[: last.start()] + last["before"] + _points(points) + text[last.end() :]


def _points(number: float) -> str:
    return f"{number:g} point" if number == 1 else f"{number:g} points"


def _there_are(number: float) -> str:
    return f"There {'is' if number == 1 else 'are'} {_points(number)}"
