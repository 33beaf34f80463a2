"""Cells tagged `verify` are folded under one line with the numbers of what they check."""

from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from autograder.book.checked import CHECK_MARK, TAG, line_for
from autograder.book.labels import labels


class folded(nodes.General, nodes.Element):  # type: ignore[misc]  # noqa: N801 - docutils' visitors are found by it
    """A cell that is folded under a line."""


def fold_cells(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put what is inside every verifying cell of a page into a fold."""
    places = labels(Path(app.srcdir, docname).parent)
    for cell in list(doctree.findall(nodes.container)):
        if f"tag_{TAG}" in cell["classes"]:
            source = next((block.astext() for block in cell.findall(nodes.literal_block)), "")
            inside = folded("", *cell.children, line=line_for(source, places))
            cell.children = []
            cell += inside


def _open(self: Any, node: nodes.Element) -> None:
    line = f'{escape(node["line"])} <span class="tick" aria-hidden="true">{CHECK_MARK}</span>'
    self.body.append(f'<details class="checked"><summary>{line}</summary>\n')


def _close(self: Any, node: nodes.Element) -> None:
    self.body.append("</details>\n")


def _nothing(self: object, node: nodes.Element) -> None:
    """Other formats have no folds: the cell stays as it is."""


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    plain = (_nothing, _nothing)
    app.add_node(folded, html=(_open, _close), latex=plain, text=plain, man=plain, texinfo=plain)
    app.connect("doctree-resolved", fold_cells)
