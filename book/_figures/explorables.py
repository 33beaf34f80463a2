"""Pictures that the reader moves and that the page computes: a still, its data, and the place for the script.

The still is drawn here when the book is built: it is what paper, search and a browser without scripts show. The script
`_static/explore/load.mjs` brings the module of the same name when the figure comes near the screen; it reads the data
below, so still, cells and live picture show the same points. Fails the module, the still stays.
"""

import html
import json
from typing import Any

import numpy as np
from IPython.display import HTML

from _figures.sliders import Scene
from _figures.style import Array

DECIMALS = 4  # of the numbers handed to a page
SHADES = 8  # of dots, as many as lib/draw.mjs has


def explorable(name: str, data: dict[str, Any], still: Scene, *, question: str, caption: str) -> HTML:
    """Return the figure of `_static/explore/<name>.mjs`; the caption may hold HTML, all else is plain words."""
    table = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return HTML(f"""<figure class="explorable" data-explorable="{html.escape(name)}">
{STYLE}
<p class="question">{html.escape(question)}</p>
<svg class="still" viewBox="{" ".join(map(str, still.box))}" role="img" aria-label="{html.escape(still.alt)}"
 style="max-width: {still.box[2]}px">{still.drawing}</svg>
<script type="application/json">{table}</script>
<figcaption>{caption}</figcaption>
</figure>""")


def rounded(values: Any) -> list[float]:
    """Return the entries of an array, row after row, as the page gets them."""
    return [round(float(value), DECIMALS) for value in values.ravel()]


class Plane:
    """A scale for both axes of a box, y upwards, as `frame` of lib/draw.mjs."""

    def __init__(self, left: float, width: float, reach: float, height: float = 0) -> None:
        height = height or width
        self.middle = np.array([left + width / 2, height / 2])
        self.unit = min(width, height) / (2 * reach)

    def __call__(self, points: Array) -> Array:
        """Return the places of points, one per row."""
        return self.middle + self.unit * points * (1, -1)


def circles(places: Array, kind: str) -> str:
    """Return a circle for each place."""
    return "".join(f'<circle class="{kind}" r="6" cx="{x:.1f}" cy="{y:.1f}"/>' for x, y in places)


def segments(places: Array, pairs: Array, kind: str) -> str:
    """Return a path of the segments between pairs of places."""
    lines = "".join("M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*places[pair].ravel()) for pair in pairs)
    return f'<path class="{kind}" d="{lines}"/>'


def dots(places: Array, shades: Array) -> str:
    """Return dots as strokes of no length, a path for each shade."""
    groups = ["".join(f"M{x:.0f} {y:.0f}h0" for x, y in places[shades == shade]) for shade in range(SHADES)]
    drawn = "".join(f'<path class="shade-{shade}" d="{data}"/>' for shade, data in enumerate(groups))
    return f'<g class="dots">{drawn}</g>'


def shades_of(values: Array) -> Array:
    """Return the number of a shade for each value, the smallest the darkest."""
    share = (values - values.min()) / np.ptp(values)
    shades: Array = np.minimum((SHADES * share).astype(int), SHADES - 1)
    return shades


# Of the still and of the live picture. The theme puts HTML that it does not know on a light ground, also in the dark.
STYLE = """<style>
.explorable {
  --ink: #222222; --pale: #8c8c8c; --blue: #0a5c96; --orange: #c14e00; --ground: #ffffff;
  --s0: #440154; --s1: #46307e; --s2: #3a528b; --s3: #2c728e;
  --s4: #20908c; --s5: #28ae80; --s6: #54c568; --s7: #7ad151;
  margin: 1.5rem auto; text-align: center;
}
html[data-theme="dark"] .explorable {
  --ink: #dddddd; --pale: #8a8a8a; --blue: #6db7ee; --orange: #ff9b57; --ground: #14181e;
  --s0: #7a6cc0; --s1: #5b8ac6; --s2: #4a9fc0; --s3: #2fb0a8;
  --s4: #35c08a; --s5: #74d055; --s6: #b8de29; --s7: #fde725;
}
.explorable svg { display: block; width: 100%; margin: 0 auto; }
.explorable svg text { fill: var(--ink); font-size: 15px; }
.explorable .question { margin: 0 0 0.5rem; font-weight: 600; }
.explorable :is(.pale, .edges, .axis, .column, .short-cuts) { fill: none; stroke: var(--pale); stroke-width: 1.2; }
.explorable .edges { stroke-opacity: 0.6; stroke-width: 0.8; }
.explorable .axis { stroke: var(--orange); stroke-width: 3; stroke-linecap: round; }
.explorable .column { stroke: var(--blue); stroke-width: 2; }
.explorable .axis.thin { stroke-width: 1.6; }
.explorable .dashed { stroke-dasharray: 6 4; }
.explorable .ellipse { fill: var(--blue); fill-opacity: 0.1; stroke: var(--blue); stroke-width: 1.5; }
.explorable .short-cuts { stroke: var(--orange); stroke-width: 2.2; stroke-dasharray: 6 3; }
.explorable .short-cuts.thin { stroke-width: 1.4; }
.explorable :is(.point, .place, .bar) { fill: var(--blue); }
.explorable .negative { fill: var(--orange); }
.explorable .ink { fill: var(--ink); }
.explorable .dots path { stroke-width: 6; stroke-linecap: round; }
.explorable .shade-0 { stroke: var(--s0); } .explorable .shade-1 { stroke: var(--s1); }
.explorable .shade-2 { stroke: var(--s2); } .explorable .shade-3 { stroke: var(--s3); }
.explorable .shade-4 { stroke: var(--s4); } .explorable .shade-5 { stroke: var(--s5); }
.explorable .shade-6 { stroke: var(--s6); } .explorable .shade-7 { stroke: var(--s7); }
.bd-content div.cell_output .text_html:has(.explorable) {
  background: none !important; color: inherit !important; padding: 0;
}
</style>"""
