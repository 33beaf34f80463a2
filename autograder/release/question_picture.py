"""Draw points as an SVG picture, an option of a question.

The colour of a point tells its place in the list, so that a mirrored or shuffled picture looks different. The axes are
equally long and labelled, because a scale may be what is asked.
"""

import base64
from typing import Any

import numpy as np

WIDTH, HEIGHT, MARGIN = 240, 180, 22
POINT_COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#e69f00",
    "#56b4e9",
)  # told apart by colour-blind readers


def points_picture(points: object) -> str:
    """Return the data URI of a picture of points in the plane, drawn with equal scales on both axes."""
    table = np.asarray(points, dtype=float)
    reach = float(np.abs(table).max(initial=1e-12)) * 1.1
    scale = min((WIDTH - 2 * MARGIN) / 2, (HEIGHT - 2 * MARGIN) / 2) / reach
    middle = np.array([WIDTH, HEIGHT]) / 2
    dots = "".join(_dot(middle + point * scale * (1, -1), number) for number, point in enumerate(table))
    x, y = middle
    axes = (
        f'<path d="M{MARGIN / 2} {y}H{WIDTH - MARGIN / 2}M{x} {MARGIN / 2}V{HEIGHT - MARGIN / 2}" stroke="#777" '
        f'stroke-width=".8"/>'
    )
    unit = 10 ** np.floor(np.log10(reach))
    tick = (
        f'<path d="M{x + unit * scale:.1f} {y - 4}v8M{x - 4} {y - unit * scale:.1f}h8" stroke="#777"/>'
        f'<text x="{x + unit * scale:.1f}" y="{y + 17}" font-size="11" text-anchor="middle" fill="#555">{unit:g}</text>'
    )
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="sans-serif"><desc>{_in_words(table)}</desc>'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{axes}{tick}{dots}</svg>'
    )
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def _in_words(table: Any) -> str:
    """Return the points for those who cannot see them: `describe_picture` reads it from the picture."""
    places = "; ".join(f"{x:.2g}, {y:.2g}" for x, y in table)
    return f"{len(table)} points in the plane: {places}"


def _dot(place: Any, number: int) -> str:
    x, y = place
    colour = POINT_COLOURS[number % len(POINT_COLOURS)]
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
