"""The formulas of finished pages are typeset, so that no reader's browser has to."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

from autograder.book.formulas import typeset_pages
from autograder.errors import BookError


def typeset_formulas(app: Sphinx, error: Exception | None) -> None:
    """Typeset the pages that were written now; the others are typeset already."""
    if error is not None or app.builder.name != "html":
        return
    site = Path(app.outdir)
    pages = (
        path for path in site.rglob("*.html") if path.relative_to(site).parts[0] not in ("lite", "_static")
    )
    try:
        typeset_pages(sorted(pages), site / "_static" / "mathjax")
    except BookError as fault:
        logging.getLogger(__name__).warning("%s", fault)  # as other faults of pages are told
        raise ExtensionError(str(fault)) from fault


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("build-finished", typeset_formulas, priority=850)  # before notebooks are made of the pages
