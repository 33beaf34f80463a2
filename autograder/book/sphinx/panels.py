"""Show the panels of a wide picture one below the other where the screen is narrow.

A picture of the book is a file in SVG that may say which boxes it consists of: `data-panels="left,top,width,height …"`
in points, the units of its `viewBox`. Behind the whole picture the page then gets each box as a window on the same
file, which is fetched once; course.css decides by the width of the screen which of the two is seen. So neither paper
nor a phone needs a script, and nothing moves while the page loads.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from sphinx.application import Sphinx

from autograder.book.sphinx.finishing import unfinished_pages

SVG_IMAGE = re.compile(r'<img (?P<attributes>[^>]*?src="(?P<file>[^":]+\.svg)"[^>]*?) ?/?>')
DONE = "in-panels"  # the class of a picture whose panels stand behind it
WINDOW = 'alt="" loading="lazy"'  # of a picture seen through a window
PIXELS = 4 / 3  # of a point
ORDER = '<span class="panels-order">On this narrow screen, left comes first and right last.</span>'


@dataclass(frozen=True)
class Panel:
    """A box of a picture."""

    left: float
    top: float
    width: float
    height: float

    def window(self, file: str, whole: float) -> str:
        """Return the box as a window on its picture, which is so many points wide."""
        inside = (
            f"width: {100 * whole / self.width:.2f}%; "
            f"left: {-100 * self.left / self.width:.2f}%; top: {-100 * self.top / self.height:.2f}%"
        )
        outside = f"width: {PIXELS * self.width:.0f}px; aspect-ratio: {self.width:g} / {self.height:g}"
        return f'<span style="{outside}"><img src="{file}" {WINDOW} style="{inside}"></span>'


def cut_pictures(app: Sphinx, error: Exception | None) -> None:
    """Add the panels to the finished pages; a page without any keeps its date."""
    if error is not None or app.builder.format != "html":
        return
    for path in unfinished_pages(app):
        before = path.read_text("utf-8")
        after = with_panels(before, path.parent)
        if after != before:
            path.write_text(after, "utf-8")


def with_panels(page: str, folder: Path) -> str:
    """Return the text of a page that stands in a folder, with the panels of its pictures."""
    return SVG_IMAGE.sub(lambda found: _picture(found, folder), page)


def _picture(found: re.Match[str], folder: Path) -> str:
    is_done = DONE in found["attributes"] or WINDOW in found["attributes"]
    if is_done or not (folder / found["file"]).is_file():
        return found[0]
    whole, panels = _panels((folder / found["file"]).read_text("utf-8"))
    if not panels:
        return found[0]
    attributes, classes = _without_classes(found["attributes"])
    windows = "".join(panel.window(found["file"], whole) for panel in panels)
    alt = re.search(r'alt="([^"]*)"', attributes)
    label = f' role="img" aria-label="{alt[1]}"' if alt else ""
    caption = found.string[found.end() :].partition("</figcaption>")[0]
    note = ORDER if len(panels) > 1 and re.search(r"\b(left|right)\b(?! angle)", caption, re.I) else ""
    return (
        f'<img class="{" ".join([DONE, *classes])}" {attributes} />'
        f'<span class="{" ".join(["panels", *classes])}"{label}>{windows}</span>{note}'
    )


def _without_classes(attributes: str) -> tuple[str, list[str]]:
    found = re.search(r'class="([^"]*)" ?', attributes)
    return (attributes.replace(found[0], "", 1), found[1].split()) if found else (attributes, [])


def _panels(svg: str) -> tuple[float, list[Panel]]:
    """Return the width of a picture, and its panels."""
    root = re.search(r"<svg\b[^>]*>", svg)
    said = re.search(r'data-panels="([^"]*)"', root[0]) if root else None
    width = re.search(r'viewBox="\S+ \S+ (\S+) ', root[0]) if root else None
    if said is None or width is None:
        return 0.0, []
    return float(width[1]), [Panel(*map(float, box.split(","))) for box in said[1].split()]


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("build-finished", cut_pictures)
