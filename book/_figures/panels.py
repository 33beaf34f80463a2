"""Where a figure may be cut: on a phone, panels that stand side by side are shown one below the other.

A figure says in an attribute of its SVG, `data-panels`, which boxes it consists of (left, top, width and
height), in the order of reading. The pages show these boxes one by one where the screen is too narrow for the whole.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib as mpl
import matplotlib.pyplot as plt
from IPython import get_ipython
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

PHONE = 330.0  # points of 1/72 inch: on a phone, 358 pixels wide, words keep four fifths of their size
READ_DOWN = "read down"  # the label of a figure whose columns are read one after the other
RIM = 2.0  # points around a panel
PAD = 0.1  # inches around the whole
TOUCH = 1.0  # points by which two panels may overlap and still be cut apart


@dataclass(frozen=True)
class Box:
    """A part of a drawing, in points from its left and upper edge."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From the left edge to the right one."""
        return self.right - self.left


def cut(boxes: Sequence[Box], *, by_columns: bool = False) -> list[Box]:
    """Return what can be shown apart, row by row and from left to right; panels that fit side by side stay together."""
    if around(boxes).width > PHONE:
        for apart in (_columns, _rows) if by_columns else (_rows, _columns):
            if len(parts := apart(boxes)) > 1:
                return [panel for part in parts for panel in cut(part, by_columns=by_columns)]
    return [around(boxes)]


def around(boxes: Sequence[Box]) -> Box:
    """The smallest box that holds all of them."""
    lefts, tops, rights, bottoms = zip(*((b.left, b.top, b.right, b.bottom) for b in boxes), strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def _rows(boxes: Sequence[Box]) -> list[list[Box]]:
    return _apart([(box.top, box.bottom, box) for box in boxes])


def _columns(boxes: Sequence[Box]) -> list[list[Box]]:
    return _apart([(box.left, box.right, box) for box in boxes])


def _apart(spans: Sequence[tuple[float, float, Box]]) -> list[list[Box]]:
    """Group boxes by their spans along one axis: those of two groups hardly overlap."""
    groups: list[list[Box]] = []
    reached = float("-inf")
    for start, end, box in sorted(spans, key=lambda span: span[:2]):
        if start > reached - TOUCH:
            groups.append([])
        groups[-1].append(box)
        reached = max(reached, end)
    return groups


def drawn(fig: Figure) -> str | None:
    """Return a figure as SVG that names its panels, where cutting them apart gains width.

    A figure without words is a panel by itself: it may shrink to any width.
    """
    if not fig.axes:
        return None
    artists, whole = _measured(fig)
    file = io.StringIO()
    rim = whole.padded(72 * PAD)
    fig.savefig(file, format="svg", bbox_inches=Bbox(rim.get_points() / 72), metadata={"Date": None})
    boxes = [Box(box.x0 - rim.x0, rim.y1 - box.y1, box.x1 - rim.x0, rim.y1 - box.y0) for box in artists]
    panels = cut(boxes, by_columns=fig.get_label() == READ_DOWN)
    if _has_words(fig) and max(panel.width for panel in panels) > 0.8 * around(boxes).width:
        return file.getvalue()
    named = " ".join(
        f"{p.left - RIM:.0f},{p.top - RIM:.0f},{p.width + 2 * RIM:.0f},{p.bottom - p.top + 2 * RIM:.0f}"
        for p in panels
    )
    return file.getvalue().replace("<svg ", f'<svg data-panels="{named}" ', 1)


def _has_words(fig: Figure) -> bool:
    return any(text.get_visible() and text.get_text() for text in fig.findobj(Text))


def _measured(fig: Figure) -> tuple[list[Bbox], Bbox]:
    """Return the boxes of axes, legends and words, in points as SVG has them, and what holds them all.

    `bbox_inches="tight"` would find out the latter too, but by drawing everything once more.
    """
    fig.set_dpi(72)
    renderer = RendererSVG(*(72 * fig.get_size_inches()), io.StringIO())
    artists = [artist for artist in fig.get_children() if artist is not fig.patch and artist.get_visible()]
    found = [artist.get_tightbbox(renderer) for artist in artists if artist.get_in_layout()]
    boxes = [box for box in found if box is not None and box.width > 0]
    return boxes, Bbox.union(boxes)


def name_panels() -> None:
    """Let Jupyter show figures as `drawn` writes them, and no other way; elsewhere there is nothing to do."""
    if shell := get_ipython():
        plt.switch_backend(mpl.get_backend())  # now: it begins to draw each figure after its cell, for nobody
        plt.uninstall_repl_displayhook()
        shell.display_formatter.formatters["image/svg+xml"].for_type(Figure, drawn)
