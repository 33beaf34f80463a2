"""The search finds and shows words: formulas enter its index as plain characters, displayed ones not at all."""

import re

from docutils import nodes
from sphinx.application import Sphinx

from autograder.book.tex import readable


def index_words(app: Sphinx) -> None:
    """Let the builder index each page without its TeX."""
    index_page = getattr(app.builder, "index_page", None)  # of builders that write a search
    if index_page is None:
        return

    def index(pagename: str, doctree: nodes.document, title: str) -> None:
        words = re.sub(r"\\\((.*?)\\\)", lambda formula: readable(formula[1]), title)
        index_page(pagename, searchable_text(doctree), words)

    app.builder.index_page = index  # type: ignore[attr-defined]


def searchable_text(doctree: nodes.document) -> object:
    """Return a copy of a page in which formulas are plain characters."""
    copy = doctree.deepcopy()
    for formula in list(copy.findall(nodes.math_block)):
        formula.parent.remove(formula)
    for formula in list(copy.findall(nodes.math)):
        formula.replace_self(nodes.Text(readable(formula.astext())))
    return copy


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("builder-inited", index_words)
