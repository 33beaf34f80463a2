"""Name what a folded cell holds: the code of a picture, definitions, or other code."""

import re

from docutils import nodes
from sphinx.application import Sphinx

STATEMENT = re.compile(r"^(?:import |from |def |class |@)", re.MULTILINE)
DRAWING = " of the picture"
SET_UP = ": imports and definitions"


def name_folds(app: Sphinx, doctree: nodes.document) -> None:
    """Extend the line over each cell with hidden code by what the code is for."""
    for cell in doctree.findall(nodes.container):
        if cell.get("nb_element") == "cell_code" and cell.get("hide_mode") == "input":
            cell["prompt_show"] += subject_of(cell)
            cell["prompt_hide"] += subject_of(cell)


def subject_of(cell: nodes.container) -> str:
    """Return what a cell draws or defines, in words that follow "Show the code"; empty if it prints."""
    outputs = [part for part in cell.children if part.get("nb_element") == "cell_code_output"]
    if any(next(part.findall(_is_picture), None) is not None for part in outputs):
        return DRAWING
    source = next((block.astext() for block in cell.findall(nodes.literal_block)), "")
    return SET_UP if not outputs and STATEMENT.search(source) else ""


def _is_picture(node: nodes.Node) -> bool:
    return isinstance(node, nodes.image) or (isinstance(node, nodes.raw) and "<svg" in node.astext())


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    app.connect("doctree-read", name_folds)
