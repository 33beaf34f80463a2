"""The line over a folded cell says what its code is for."""

import pytest
from docutils import nodes
from docutils.utils import new_document

from autograder.book.sphinx.prompts import name_folds


def folded_cell(source, *outputs, hide_mode="input"):
    cell = nodes.container(
        nb_element="cell_code", hide_mode=hide_mode, prompt_show="Show the code", prompt_hide="Hide the code"
    )
    cell += nodes.container("", nodes.literal_block(source, source), nb_element="cell_code_source")
    if outputs:
        cell += nodes.container("", *outputs, nb_element="cell_code_output")
    return cell


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        (folded_cell("import numpy as np\nX = 1"), "Show the code: imports and definitions"),
        (folded_cell("def twice(x):\n    return 2 * x"), "Show the code: imports and definitions"),
        (folded_cell("draw()", nodes.image(uri="cloud.svg")), "Show the code of the picture"),
        (
            folded_cell(
                "import plots\nplots.slider()", nodes.raw("", "<div><svg></svg></div>", format="html")
            ),
            "Show the code of the picture",
        ),
        (folded_cell("print(1)", nodes.literal_block("1", "1")), "Show the code"),
        (folded_cell("import os\nprint(1)", nodes.literal_block("1", "1")), "Show the code"),
        (folded_cell("x = 1"), "Show the code"),
        (folded_cell("import os", hide_mode=""), "Show the code"),
    ],
)
def test_the_line_says_what_the_code_is_for(cell, line):
    page = new_document("page")
    page += cell
    name_folds(None, page)
    assert cell["prompt_show"] == line
    assert cell["prompt_hide"] == line.replace("Show", "Hide")
