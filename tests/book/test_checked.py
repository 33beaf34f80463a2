"""A verifying cell becomes one line that says what it checks, on the page, on paper and in the notebook."""

import json
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from autograder.book.checked import line_for
from autograder.book.labels import Label
from autograder.book.pdf import joined

PLACES = {
    "thm-areas-square": Label("areas", "thm-areas-square", "", "Theorem 4.5"),
    "eq-areas-square": Label("areas", "equation-eq-areas-square", "", "Equation (4.12)"),
    "thm-areas-cube": Label("areas", "thm-areas-cube", "", "Theorem 4.6"),
    "sec-intro-plain": Label("intro", "sec-intro-plain", "Plain", ""),
}


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("# thm-areas-square\nassert True", "Theorem 4.5, checked"),
        ("# thm-areas-square: also for negative sides.\nassert True", "Theorem 4.5, checked"),
        ("x = 1\nassert x  # eq-areas-square", "Equation (4.12), checked"),
        ("# thm-areas-square, eq-areas-square\n1", "Theorem 4.5 and Equation (4.12), checked"),
        (
            "# thm-areas-square, thm-areas-cube and eq-areas-square\n1",
            "Theorem 4.5, Theorem 4.6 and Equation (4.12), checked",
        ),
        ("# thm-areas-square and thm-areas-square again\n1", "Theorem 4.5, checked"),
        ("# a plain word first\n# thm-areas-cube\n1", "Theorem 4.6, checked"),
        ("# thm-areas-cube\n# thm-areas-square\n1", "Theorem 4.6, checked"),
        ("text = '# thm-areas-cube'", "Checked"),
        ("%matplotlib inline\n# thm-areas-cube", "Theorem 4.6, checked"),
        ("# sec-intro-plain", "Checked"),
        ("assert True", "Checked"),
    ],
)
def test_the_line_names_what_the_first_comment_names(source, line):
    assert line_for(source, PLACES) == line


PAGE = """\
# Areas

```{prf:theorem} Squares & more
:label: thm-areas-square
The area of a square with side $s$ is $s^2$.
```

```{code-cell} python
:tags: [verify]
# thm-areas-square
from shapes.square import area
assert area(3) == 9
print("nine it is")
```

```{code-cell} python
print("shown")
```
"""


@pytest.fixture(scope="module")
def course(module_tiny):
    module_tiny.write_pages(start="# Start\n", areas=PAGE)
    module_tiny.write(
        "_toc.yml",
        "format: jb-book\nroot: book/start\nparts: [{numbered: true, chapters: [{file: book/areas}]}]\n",
    )
    module_tiny.build()
    return module_tiny


def test_the_cell_is_folded_under_the_number_that_the_page_shows(course):
    page = BeautifulSoup(course.html("areas"), "html.parser")
    (fold,) = page.select("details.checked")
    assert not fold.has_attr("open")
    assert fold.summary.get_text() == "Theorem 1.1, checked ✓"
    assert fold.summary.select_one("[aria-hidden]").get_text() == "✓"
    assert "assert area(3)" in fold.select_one("div.cell_input").get_text()
    assert "nine it is" in fold.select_one("div.cell_output").get_text()
    assert page.select_one("div.proof.theorem .caption-number").get_text().strip() == "Theorem 1.1"
    assert "shown" not in fold.get_text()


def test_on_paper_the_line_remains_and_the_cell_goes(course):
    pages = [Path(course.root, "_build/html/book", f"{name}.html") for name in ("start", "areas")]
    document, _ = joined(pages, "Areas")
    body = BeautifulSoup(document, "html.parser").body
    assert body.select_one("p.checked-line").get_text() == "Theorem 1.1, checked ✓"
    assert not body.select("details")
    assert "nine it is" not in body.get_text()
    assert "shown" in body.get_text()


def test_in_the_notebook_the_cell_is_folded_under_the_line(course):
    path = course.root / "_build/html/_sources/book/areas.ipynb"
    cells = json.loads(path.read_text("utf-8"))["cells"]
    place = next(place for place, cell in enumerate(cells) if "assert area(3)" in cell["source"])
    assert cells[place]["metadata"] == {"jupyter": {"source_hidden": True}}
    assert cells[place]["outputs"][0]["text"] == "nine it is\n"
    assert cells[place - 1]["source"] == "*Theorem 1.1, checked ✓*"
