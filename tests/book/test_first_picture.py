"""Every chapter shows a picture on its first screen: little stands above it, and folded code is one line."""

import re

import pytest

from autograder.course import contents
from tests.conftest import ROOT

CELL = re.compile(r"^```\{code-cell\}.*?^```$", re.DOTALL | re.MULTILINE)
DRAWS = re.compile(r"mystnb:\n  figure:|explorable_pictures\.|^figures\.\w*slider\(|^hang\(", re.MULTILINE)
HEADER = re.compile(r"\A---\n.*?^---$", re.DOTALL | re.MULTILINE)
MAX_CHARACTERS = 1_450  # of text above the picture: about 600 pixels
MAX_CELLS = 2
CHAPTERS = [ROOT / f"{entry.name}.md" for entry in contents.outline(ROOT) if entry.numbered]


@pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: page.stem)
def test_first_picture_stands_on_the_first_screen(page):
    text = HEADER.sub("", page.read_text("utf-8"))
    first = next(cell for cell in CELL.finditer(text) if DRAWS.search(cell[0]))
    above, n_cells = CELL.subn("", text[: first.start()])
    assert len(above) <= MAX_CHARACTERS
    assert n_cells <= MAX_CELLS
