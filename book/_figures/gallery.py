"""The drawings of the gallery: walls of small pictures that find their own number of columns, also on a phone."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from IPython.display import HTML

from _figures.sliders import Frame, Scene, pixels, slider
from _figures.style import Array
from dimred_ref.procrustes import rigid_alignment

SHADES = 6  # colours along a coordinate
DRAWN = 260  # points of a picture at most: more would only cover one another
SIDE = 100  # of a picture's box
SHAPES = (  # one for each group, so that colour is not needed
    "h0",
    "m-2 0h4m-2 -2v4",
    "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
    "m-2 -2l4 4m0-4l-4 4",
    "m-2 2l2-4l2 4z",
)
WIDTHS = (3.4, 1.2, 0.9, 1.2, 1.0)  # of the strokes of these shapes


@dataclass(frozen=True)
class Picture:
    """What hangs in one place of the wall: a drawing, a title, and the lines below it."""

    title: str
    drawing: str  # SVG elements in a box of SIDE by SIDE
    lines: Sequence[str] = ()


def wall(pictures: Sequence[Picture], *, alt: str) -> HTML:
    """Hang pictures side by side, as many in a row as there is room for."""
    return HTML(
        f'<div class="wall" role="group" aria-label="{html.escape(alt)}">{STYLE}{"".join(map(_hung, pictures))}</div>'
    )


def _hung(picture: Picture) -> str:
    words = html.escape(", ".join([picture.title, *picture.lines]))
    lines = "".join(f"<span>{html.escape(line)}</span>" for line in picture.lines)
    box = f'<svg viewBox="0 0 {SIDE} {SIDE}" role="img" aria-label="{words}">{picture.drawing}</svg>'
    return f'<div class="hung">{box}<b>{html.escape(picture.title)}</b>{lines}</div>'


def points(places: Array, colours: Array, *, is_grouped: bool = False) -> str:
    """Draw points of the plane, all to one scale: shades along a coordinate, or a shape and a shade per group."""
    step = -(-len(places) // DRAWN)
    places, colours = fitted(places)[::step], np.asarray(colours)[::step]
    parts = colours.astype(int) if is_grouped else _shares(colours)
    last = max(int(parts.max()), 1)
    drawn = []
    for part in np.unique(parts):
        form = part if is_grouped else 0
        marks = "".join(f"M{x:.0f} {y:.0f}{SHAPES[form]}" for x, y in places[parts == part])
        shade = round((SHADES - 1) * part / last)  # few groups take colours that lie far apart
        drawn.append(f'<path d="{marks}" stroke="var(--shade{shade})" stroke-width="{WIDTHS[form]}"/>')
    return "".join(drawn)


def named(places: Array, names: Mapping[int, str]) -> str:
    """Draw points, and write names beside a few of them."""
    places = fitted(places, margin=10)
    marks = "".join(f"M{x:.0f} {y:.0f}h0" for x, y in places)
    written = np.empty((0, 2))
    for row in names:
        written = np.vstack([written, _free_place(places[row], places, written)])
    words = "".join(
        f'<text x="{x:.0f}" y="{y:.0f}">{name}</text>'
        for (x, y), name in zip(written, names.values(), strict=True)
    )
    return f'<path d="{marks}" stroke="var(--shade0)" stroke-width="4"/>{words}'


def _free_place(point: Array, places: Array, written: Array) -> Array:
    """Find the middle of the base line of a name: above, below or beside its point, where it covers least."""
    choices = point + np.array([[0, -4], [0, 12], [15, 4], [-15, 4]])

    def covered(base: Array) -> float:
        dots = np.abs(places - base + (0, 4)) < (13, 5)
        names = np.abs(written - base) < (24, 9)
        outside = np.abs(base - SIDE / 2) > SIDE / 2
        return dots.all(axis=1).sum() + 10 * names.all(axis=1).sum() + outside.sum()

    return min(choices, key=covered)


def images(pictures: Array, side: int) -> str:
    """Draw four square images, one per row, as a block of two by two."""
    ink = pictures.reshape(-1, side, side)
    ink = ink / ink.max()
    places = ((2, 2), (52, 2), (2, 52), (52, 52))
    return "".join(pixels(image, (*place, 46, 46)) for image, place in zip(ink, places, strict=False))


def photographs(pictures: Array, side: int) -> str:
    """Draw four round grey photographs, one per row, with their own light and shadow on light and on dark pages."""
    light = pictures.reshape(-1, side, side) / pictures.max()
    places = ((2, 2), (52, 2), (2, 52), (52, 52))
    drawn = (pixels(1 - grey, (*place, 46, 46)) for grey, place in zip(light, places, strict=False))
    return f'<g class="photographs">{"".join(drawn)}</g>'


def fitted(places: Array, margin: float = 4) -> Array:
    """Move points into the box, with one unit for both axes; up is up."""
    middle = (places.max(axis=0) + places.min(axis=0)) / 2
    reach = np.abs(places - middle).max()
    return SIDE / 2 + (places - middle) * (1, -1) * (SIDE / 2 - margin) / reach


def like(embedding: Array, model: Array | None) -> Array:
    """Turn and mirror an embedding as the model lies, which changes nothing that the method decided."""
    if model is None:
        return embedding
    return (embedding - embedding.mean(axis=0)) @ rigid_alignment(embedding, model).rotation


def seen(X: Array, *, turn: float = 0.5, tilt: float = 0.35) -> Array:
    """Look at points of space from the side and a little from above."""
    x, y, z = (X - X.mean(axis=0)).T
    across, away = np.cos(turn) * x - np.sin(turn) * y, np.sin(turn) * x + np.cos(turn) * y
    return np.column_stack([across, np.cos(tilt) * z + np.sin(tilt) * away])


def neighbor_slider(
    frames: Sequence[tuple[str, Mapping[str, Array]]], colours: Array, *, caption: str
) -> HTML:
    """Draw embeddings by several methods side by side, with a slider over the number of neighbours."""
    width, gap = 112, 8
    drawn = []
    for words, embeddings in frames:
        panels = "".join(
            f'<g class="strokes" transform="translate({place * (width + gap)} 22) scale({width / SIDE})">'
            f"{points(embedding, colours)}</g>"
            for place, embedding in enumerate(embeddings.values())
        )
        drawn.append(Frame(panels, words))
    still = STYLE + "".join(
        f'<text x="{place * (width + gap) + width / 2}" y="14" text-anchor="middle">{name}</text>'
        for place, name in enumerate(frames[0][1])
    )
    count = len(frames[0][1])
    scene = Scene(
        (0, 0, count * (width + gap) - gap, width + 26), "Three embeddings of the swiss roll", still
    )
    return slider(drawn, scene, label="Number of neighbours k", caption=caption, first=1)


def _shares(values: Array) -> Array:
    """Number equal shares of the values from the least to the largest."""
    ranks = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    return ranks * SHADES // len(values)


# The theme puts HTML that it does not know on a light ground, also where the page is dark.
STYLE = """<style>
.wall, .slider-figure {
  --shade0: #440154; --shade1: #453781; --shade2: #32648e; --shade3: #228b8d; --shade4: #2cb17e; --shade5: #6fc44a;
}
html[data-theme="dark"] .wall, html[data-theme="dark"] .slider-figure {
  --shade0: #ffd6ff; --shade1: #d3bbff; --shade2: #91aee4; --shade3: #54a5ba; --shade4: #3fae9c; --shade5: #3fb04c;
}
.wall { display: grid; grid-template-columns: repeat(auto-fill, minmax(104px, 1fr)); gap: 0.9rem 0.6rem; }
@media screen and (min-width: 720px) { .wall { grid-template-columns: repeat(4, 1fr); } }
.wall style { display: none; }
.wall .hung { line-height: 1.3; font-variant-numeric: tabular-nums; font-size: 0.85rem; text-align: center; }
.wall .hung b, .wall .hung span { display: block; }
.wall .hung span { font-size: 0.8rem; }
.wall svg { width: 100%; max-width: 160px; height: auto; overflow: visible; }
.wall svg path, .slider-figure .strokes path { fill: none; stroke-linecap: round; stroke-linejoin: round; }
.wall svg text { fill: currentColor; font-size: 10px; text-anchor: middle; }
.wall svg image { image-rendering: pixelated; }
html[data-theme="dark"] .wall svg image { filter: invert(0.92); }
html[data-theme] .wall svg .photographs image { filter: none; clip-path: circle(45.5%); }
.bd-content div.cell_output .text_html:has(.wall) {
  background: none !important; color: inherit !important; padding: 0;
}
</style>"""
