"""The formulas of finished pages are typeset, so that no reader's browser has to."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

from autograder.book.formulas import CACHE, typeset_pages
from autograder.book.sphinx.finishing import unfinished_pages
from autograder.errors import BookError


def typeset_formulas(app: Sphinx, error: Exception | None) -> None:
    """Typeset the pages that were written now; the others are typeset already."""
    if error is not None or app.builder.name != "html":
        return
    site = Path(app.outdir)
    try:
        typeset_pages(unfinished_pages(app), site / "_static" / "mathjax", site.parent / CACHE)
    except BookError as fault:
        logging.getLogger(__name__).warning("%s", fault)  # as other faults of pages are told
        raise ExtensionError(str(fault)) from fault


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("build-finished", typeset_formulas, priority=850)  # before notebooks are made of the pages
