"""A comma never begins a line: punctuation is kept on the line of the formula that it follows or opens."""

import re

from docutils import nodes
from sphinx.application import Sphinx

_AFTER = re.compile(r"^(?:[.,;:!?)\]’”\"…]+|’?s\b|-\w+)+(?=\s|$)|^[.,;:!?)\]’”…]+")
_BEFORE = re.compile(r"[(\[“‘\"]+$")


def glue_punctuation(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put each formula and the punctuation beside it into one unbreakable piece."""
    for formula in list(doctree.findall(nodes.math)):
        before, after = _beside(formula, -1), _beside(formula, 1)
        opening, closing = _BEFORE.search(before), _AFTER.search(after)
        if not opening and not closing:
            continue
        piece = nodes.inline("", "", classes=["glued"])
        parent = formula.parent
        place = parent.index(formula)
        parent[place] = piece
        if opening:
            parent[place - 1] = nodes.Text(before[: opening.start()])
            piece += nodes.Text(opening[0])
        piece += formula
        if closing:
            parent[place + 1] = nodes.Text(after[closing.end() :])
            piece += nodes.Text(closing[0])


def _beside(formula: nodes.math, step: int) -> str:
    """Return the text directly before or after a formula."""
    place = formula.parent.index(formula) + step
    neighbour = formula.parent[place] if 0 <= place < len(formula.parent) else None
    return neighbour.astext() if isinstance(neighbour, nodes.Text) else ""


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("doctree-resolved", glue_punctuation)
