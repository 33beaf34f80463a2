"""Pictures for verdicts: the answer beside the expected one, where a picture says more than numbers.

Drawn only for failing open cases, from public data. Returns a data URI and its alternative text.
"""

import base64
import io
from typing import Any

import numpy as np

from autograder.verdict import Verdict

EXPECTED, GIVEN = "#0072b2", "#d55e00"  # told apart by colour-blind readers and, by marker, in grey print


def picture(verdict: Verdict) -> tuple[str, str] | None:
    """Return (data URI, alt text), or None when there is nothing to draw."""
    failing = verdict.failing
    if verdict.picture is None or failing is None or failing.expected is None or failing.answer is None:
        return None
    try:
        answer, expected = _points(failing.answer), _points(failing.expected)
    except (ValueError, TypeError, IndexError):
        return None
    if answer.shape != expected.shape or not np.isfinite(answer).all():
        return None
    if "up_to_column_signs" in verdict.same:  # a free sign must not look like a difference
        answer = answer * np.where((answer * expected).sum(axis=0) < 0, -1.0, 1.0)
    draw = _scatter if verdict.picture == "points" and answer.shape[1] >= 2 else _lines
    return _draw(draw, answer, expected), f"Your answer and the expected one, on {failing.name}"


def _points(value: Any) -> Any:
    """The first part of the answer, as a table of numbers."""
    array = np.asarray(value[0] if isinstance(value, tuple | list) else value, dtype=float)
    return array[:, None] if array.ndim == 1 else array[:, :2]


def _draw(draw: Any, answer: Any, expected: Any) -> str:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.2, 3.0), dpi=96, layout="constrained")
    axes = figure.subplots()
    draw(axes, answer, expected)
    axes.legend(frameon=False, fontsize=9)
    stream = io.BytesIO()
    figure.savefig(stream, format="png", metadata={"Software": None})
    return "data:image/png;base64," + base64.b64encode(stream.getvalue()).decode()


def _scatter(axes: Any, answer: Any, expected: Any) -> None:
    axes.scatter(*expected.T, s=46, facecolors="none", edgecolors=EXPECTED, label="expected")
    axes.scatter(*answer.T, s=24, marker="x", color=GIVEN, label="yours")
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("first coordinate")
    axes.set_ylabel("second coordinate")


def _lines(axes: Any, answer: Any, expected: Any) -> None:
    positions = np.arange(1, len(answer) + 1)
    axes.plot(positions, expected[:, 0], "o", mfc="none", color=EXPECTED, label="expected")
    axes.plot(positions, answer[:, 0], "x", color=GIVEN, label="yours")
    axes.set_xlabel("entry")
    axes.set_xticks(positions[:: max(1, len(positions) // 10)])
