"""Let a page ask for what it shows: the icons and characters that the site uses, and no search before one searches."""

import re
from pathlib import Path

from sphinx.application import Sphinx

from autograder.book.fonts import SMALL_THEME_STYLE, site_texts, trim_formula_style, trim_icons
from autograder.book.sphinx.finishing import unfinished_pages

PRIORITY = 860  # when formulas are typeset
SEARCH_PAGE = "search.html"
# The theme loads the index of all words on every page, for a search as you type, which is switched off.
SEARCH_SCRIPTS = re.compile(
    r'\s*<script src="[^"]*_static/searchtools\.js"></script>\s*<script src="[^"]*_static/language_data\.js"></script>'
    r'\s*<script src="[^"]*searchindex\.js"></script>'
)
THEME_LINK = re.compile(r'(<link href="[^"]*)_static/styles/pydata-sphinx-theme\.css[^"]*"')
SCRIPTS = ("_static/*.js", "_static/scripts/*theme.js")  # which may show icons


def make_pages_light(app: Sphinx, error: Exception | None) -> None:
    """Trim styles and fonts, and the scripts of the pages that were written now."""
    if error is not None or app.builder.format != "html":
        return
    site = Path(app.outdir)
    pages = unfinished_pages(app)
    if not pages:
        return
    trim_formula_style(site, site_texts(site, "**/*.html"))
    has_icons = trim_icons(
        site, (text for name in ("**/*.html", *SCRIPTS) for text in site_texts(site, name))
    )
    for path in pages:
        before = path.read_text("utf-8")
        after = before if path.name == SEARCH_PAGE else SEARCH_SCRIPTS.sub("", before)
        if has_icons:
            after = THEME_LINK.sub(rf'\1{SMALL_THEME_STYLE}"', after)
        if after != before:
            path.write_text(after, "utf-8")


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("build-finished", make_pages_light, priority=PRIORITY)
