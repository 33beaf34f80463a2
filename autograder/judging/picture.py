"""Draw the answer beside the expected one as an SVG picture.

Only failing open cases are drawn, from public data. The SVG is written by hand, because a verdict appears under every
failing check and a plotting library takes two hundred times as long.
"""

import base64
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.tables import DataTable
from autograder.judging.structures.shown import labelled_numbers
from autograder.judging.verdict import Verdict

EXPECTED_COLOUR, ANSWER_COLOUR, INK_COLOUR = (
    "#0072b2",
    "#d55e00",
    "#777",
)  # told apart by colour-blind readers and, by marker, in grey
MAX_LABELS = 12
PICTURE_WIDTH, PICTURE_HEIGHT, PICTURE_MARGIN = 400, 270, 30


def picture(verdict: Verdict) -> tuple[str, str] | None:
    """Return data URI and alternative text of the picture, or None."""
    failing = verdict.failing
    if verdict.picture is None or failing is None or failing.expected is None or failing.answer is None:
        return None
    try:
        labels, answer, expected = _pair_of_points(failing.answer, failing.expected)
    except (ValueError, TypeError, IndexError):
        return None
    if answer.shape != expected.shape or not np.isfinite(answer).all():
        return None
    if "up_to_column_signs" in verdict.same:  # a free sign must not look like a difference
        answer = answer * np.where((answer * expected).sum(axis=0) < 0, -1.0, 1.0)
    as_plane = verdict.picture == "points" and answer.shape[1] >= 2
    svg = _svg(_in_plane(answer, as_plane), _in_plane(expected, as_plane), labels, equal_axes=as_plane)
    uri = "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()
    return uri, f"Your answer (crosses) and the expected one (circles), on {failing.name}"


def _pair_of_points(answer: object, expected: object) -> tuple[list[str], Array, Array]:
    """Return labels, if any, the points of the answer and those of the right one."""
    if not isinstance(expected, dict | DataTable):
        return [], _points(answer), _points(expected)
    labels, (numbers, right) = _labelled_pair(answer, expected)
    return labels, _points(np.array(numbers)), _points(np.array(right))


def _labelled_pair(answer: object, expected: object) -> tuple[list[str], tuple[list[float], list[float]]]:
    """Return the labels of a dict or a table, and the numbers of both answers in the same order.

    Raise ValueError if they have other labels.
    """
    numbers, right = labelled_numbers(answer), labelled_numbers(expected)
    if not right or numbers.keys() != right.keys() or len(right) > MAX_LABELS:
        raise ValueError("the answers have other labels")
    return list(right), ([numbers[label] for label in right], list(right.values()))


def _points(value: object) -> Any:
    """Return the first part of the answer as a table of numbers."""
    array = np.asarray(value[0] if isinstance(value, tuple | list) else value, dtype=float)
    return array[:, None] if array.ndim == 1 else array[:, :2]


def _in_plane(table: Any, as_plane: bool) -> object:
    """Return two columns to draw: both coordinates, or index and value."""
    return table[:, :2] if as_plane else np.column_stack([np.arange(1, len(table) + 1), table[:, 0]])


def _svg(answer: Any, expected: Any, labels: Sequence[str], *, equal_axes: bool) -> str:
    both = np.vstack([answer, expected])
    low, high = both.min(axis=0), both.max(axis=0)
    size = np.maximum(high - low, 1e-12 + 1e-3 * np.abs(both).max())
    scale = (np.array([PICTURE_WIDTH, PICTURE_HEIGHT]) - 2 * PICTURE_MARGIN) / size
    if equal_axes:
        scale[:] = scale.min()

    def place(points: object) -> Any:
        centred = (points - (low + high) / 2) * scale * (1, -1)
        return centred + np.array([PICTURE_WIDTH, PICTURE_HEIGHT]) / 2

    circles = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5"/>' for x, y in place(expected))
    crosses = "".join(f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0-8l-8 8"/>' for x, y in place(answer))
    names = "".join(
        f'<text x="{x:.1f}" y="{PICTURE_HEIGHT - 6}" text-anchor="middle">{escape(label)}</text>'
        for (x, _), label in zip(place(expected), labels, strict=False)
    )
    if names:
        names = f'<g font-family="sans-serif" font-size="11" fill="{INK_COLOUR}" stroke="none">{names}</g>'
    x, y = place(np.zeros((1, 2)))[0]
    axes = (
        f'<path d="M0 {y:.1f}H{PICTURE_WIDTH}M{x:.1f} 0V{PICTURE_HEIGHT}" stroke="{INK_COLOUR}" stroke-width=".6"/>'
        if equal_axes
        else ""
    )
    legend = (
        f'<g font-family="sans-serif" font-size="12"><circle cx="14" cy="14" r="5" stroke="{EXPECTED_COLOUR}"/>'
        f'<text x="24" y="18" fill="{EXPECTED_COLOUR}" stroke="none">expected</text>'
        f'<path d="M95 10l8 8m0-8l-8 8" stroke="{ANSWER_COLOUR}"/>'
        f'<text x="110" y="18" fill="{ANSWER_COLOUR}" stroke="none">yours</text></g>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{PICTURE_WIDTH}" height="{PICTURE_HEIGHT}" '
        f'fill="none" stroke-width="1.6">'
        f'{axes}<g stroke="{EXPECTED_COLOUR}">{circles}</g><g stroke="{ANSWER_COLOUR}">{crosses}</g>'
        f"{names}{legend}</svg>"
    )
