"""Pictures that the reader moves: the loader and its style sheet on pages that have one, and the scripts in the site.

The figures come from code cells (`book/_figures/explorables.py`); a page without one asks for nothing.
"""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from autograder.book.sphinx.practice import published

EXPLORE_FOLDER = Path("_static", "explore")  # in the site
MARK = 'data-explorable="'


def add_loader(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: object
) -> None:
    """Add the loader and the style sheet to a page that has an explorable."""
    if MARK in context.get("body", ""):
        app.add_css_file("explore/explore.css")
        app.add_js_file("explore/load.mjs", type="module")


def publish_explorables(app: Sphinx, error: Exception | None) -> None:
    """Put the scripts into the site without comments and white space."""
    if error is None and app.builder.format == "html":
        for path in Path(app.outdir, EXPLORE_FOLDER).rglob("*.mjs"):
            path.write_text(published(path.read_text("utf-8")), "utf-8")


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("html-page-context", add_loader)
    app.connect("build-finished", publish_explorables)
