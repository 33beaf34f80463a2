"""On a live site a door beside the code of cells that print or draw: behind it a reader changes the code and runs it.

The door is empty and hidden; the page's script puts a button into it. Cells that give markup (sliders, tables) have
none, nor cells that verify a theorem, nor cells of a page that imports what the browser does not have.
"""

from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from autograder.book.checked import TAG
from autograder.book.live.chapters import sources, unavailable
from autograder.book.live.runtime import official_lock

log = logging.getLogger(__name__)


class live_door(nodes.General, nodes.Element):  # type: ignore[misc]  # noqa: N801 - docutils' visitors are found by it
    """The place of the button."""


def add_doors(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put a door behind the code of every cell of a page that a reader may run."""
    page = Path(app.srcdir, f"{docname}.md")
    if not app.config.live_page or app.builder.format != "html" or not page.is_file():
        return
    cells = _elements(doctree, "cell_code")
    doors = [(number, code) for number, cell in enumerate(cells) for code in _code_of(cell)]
    if not doors or len(cells) != len(sources(page)):
        return
    missing = unavailable(page, Path(app.srcdir), _lock())
    if missing:
        log.info(
            "%s: its cells cannot be run in a browser, which has no %s", docname, ", ".join(sorted(missing))
        )
        return
    for number, code in doors:
        code += live_door("", cell=number, page=docname)


def _code_of(cell: nodes.container) -> list[nodes.container]:
    """The code of a cell that prints or draws; of others nothing."""
    parts = {node.get("nb_element"): node for node in cell.findall(nodes.container)}
    code, output = parts.get("cell_code_source"), parts.get("cell_code_output")
    if code is None or output is None or f"tag_{TAG}" in cell["classes"]:
        return []
    kinds = set(map(type, output.findall()))
    has_markup = any(issubclass(kind, nodes.raw | nodes.paragraph) for kind in kinds)
    shows = any(issubclass(kind, nodes.image | nodes.literal_block) for kind in kinds)
    return [code] if shows and not has_markup else []


def _elements(doctree: nodes.document, kind: str) -> list[nodes.container]:
    """Return the containers of one kind that MyST-NB made."""
    return [node for node in doctree.findall(nodes.container) if node.get("nb_element") == kind]


@cache
def _lock() -> dict[str, object]:
    return official_lock()


def has_doors(doctree: nodes.document | None) -> bool:
    """Has the page a cell that can be run?"""
    return doctree is not None and next(iter(doctree.findall(live_door)), None) is not None


def _open(self: Any, node: nodes.Element) -> None:
    page = escape(node["page"])
    self.body.append(f'<div class="live-door" data-page="{page}" data-cell="{node["cell"]}" hidden></div>\n')


def _nothing(self: object, node: nodes.Element) -> None:
    """Elsewhere nothing can be run."""


def setup(app: Sphinx) -> None:
    """Connect to Sphinx, before cells that verify are folded."""
    plain = (_nothing, _nothing)
    app.add_node(live_door, html=(_open, _nothing), latex=plain, text=plain, man=plain, texinfo=plain)
    app.connect("doctree-resolved", add_doors, priority=400)
