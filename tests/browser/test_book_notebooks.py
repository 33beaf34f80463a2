"""Each page that computes can be taken away as a notebook, which opens and runs without the rest of the book."""

import re

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.book import myst
from autograder.course.contents import pages
from tests.conftest import ROOT

WITH_CELLS = [page for page in pages(ROOT) if myst.cell_code(page.read_text("utf-8")).strip()]
WITHOUT = [page for page in pages(ROOT) if page not in WITH_CELLS]


def download_of(built_book, page):
    """The file that the download button of a page leads to; none if the page has no such button."""
    built = built_book / page.relative_to(ROOT).with_suffix(".html")
    link = re.search(r'<a href="([^"]*)"[^>]* btn-download-notebook-button ', built.read_text("utf-8"))
    return link and built.parent / link[1]


@pytest.mark.parametrize("page", WITH_CELLS, ids=lambda page: page.stem)
def test_a_page_with_cells_offers_a_valid_notebook_with_its_code_and_outputs(built_book, page):
    notebook = nbformat.read(download_of(built_book, page), as_version=4)
    nbformat.validate(notebook)
    sources = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    for line in myst.cell_code(page.read_text("utf-8")).splitlines():
        assert line in sources or any(
            word in line for word in ("glue", "course_map", "explorable_pictures")
        )  # the map and the picture of the landing page stay there
    assert "glue" not in sources
    assert any(cell.get("outputs") for cell in notebook.cells)


@pytest.mark.parametrize("page", WITH_CELLS, ids=lambda page: page.stem)
def test_the_prose_of_a_notebook_is_plain_markdown(built_book, page):
    cells = nbformat.read(download_of(built_book, page), as_version=4).cells
    prose = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert re.findall(r"\{[a-z:]+\}`\w|^:::|^```\{|<div|<span|(?<!\\)\\[(\[]", prose, re.MULTILINE) == []
    theorems = len(re.findall(r"^`{3,}\{prf:theorem\}", page.read_text("utf-8"), re.MULTILINE))
    assert len(re.findall(r"^> \*\*Theorem \d+\.\d+", prose, re.MULTILINE)) == theorems
    equations = len(re.findall(r"^\s*\$\$ \(eq-", page.read_text("utf-8"), re.MULTILINE))
    assert len(re.findall(r"\\tag\{\d+(?:\.\d+)?\}", prose)) == equations


@pytest.mark.parametrize("page", WITHOUT, ids=lambda page: page.stem)
def test_a_page_without_cells_offers_none(built_book, page):
    assert download_of(built_book, page) is None


@pytest.mark.parametrize(
    "topic", ["geometry", "pca"]
)  # one reads a data file, one hands numbers to its prose
def test_a_downloaded_notebook_runs_where_nothing_else_of_the_course_is(built_book, tmp_path, topic):
    notebook = nbformat.read(download_of(built_book, ROOT / "book" / f"{topic}.md"), as_version=4)
    where = "import dimred_ref, _figures\nprint(dimred_ref.__file__, _figures.__file__)"
    notebook.cells.append(nbformat.v4.new_code_cell(where))
    NotebookClient(notebook, resources={"metadata": {"path": str(tmp_path)}}, timeout=120).execute()
    assert notebook.cells[-1].outputs[0].text.count(f"{topic}.zip") == 2
