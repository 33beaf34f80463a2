"""The whole book on paper: every chapter, formulas typeset, code that is folded on screen left out."""

import re

import pytest
from pypdf import PdfReader

from autograder.book import pdf as book_pdf
from autograder.course.contents import pages
from tests.book.printed import read
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

BYTES_PER_PAGE = 40_000  # 33,000 with fonts once a chapter; several times as much with fonts on each page


@pytest.fixture(scope="module")
def pdf(built_book, tmp_path_factory):
    built = [built_book / page.relative_to(ROOT).with_suffix(".html") for page in pages(ROOT)]
    target = tmp_path_factory.mktemp("print") / "book.pdf"
    return book_pdf.print_pages(built, "Dimensionality Reduction", target)


@pytest.fixture(scope="module")
def printed(pdf):
    return read(pdf)


@pytest.fixture(scope="module")
def letters(printed):
    return "".join(printed.pages)


def without_spaces(text):
    return "".join(text.split())


def headings(page):
    """The headings of a page that have no formula in them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [
        heading.replace("'", "’")  # as it is printed
        for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
        if not re.search(r"[$*`]", heading)
    ]


@pytest.mark.parametrize("page", pages(ROOT), ids=lambda page: page.stem)
def test_every_heading_of_a_page_is_printed_and_bookmarked(letters, printed, page):
    assert headings(page)
    for heading in headings(page):
        assert without_spaces(heading) in letters
        assert any(title.endswith(heading) for title in printed.bookmarks), heading


def test_a_page_is_printed_to_its_last_word(letters):
    assert (
        without_spaces("In this book, pca takes up").replace("pca", "Principalcomponentanalysis") in letters
    )


def test_formulas_are_typeset(pdf, letters):
    for raw in ("\\frac", "\\sum", "\\(", "\\[", "$$", "mjx-"):
        assert raw not in letters
    assert b"MathJax_Math" in pdf.read_bytes()
    assert b"MathJax_Size" in pdf.read_bytes()


def test_code_is_printed_where_it_computes_and_left_out_where_it_only_draws(letters):
    assert without_spaces("standard = centred(birds.X) / birds.X.std(axis=0)") in letters
    assert "figures.shadows(" not in letters
    assert "Showthecode" not in letters


def test_bookmarks_keep_formulas_and_are_said_once(printed):
    assert "2.4. Divide by N or by N-1?" in printed.bookmarks
    assert [
        title for title in printed.bookmarks if title[: len(title) // 2] == title[len(title) // 2 :]
    ] == []


def test_references_lead_to_places_in_the_document_itself(pdf):
    reader = PdfReader(pdf)
    links = [
        link.get_object()
        for page in reader.pages
        for link in page.get("/Annots", [])
        if link.get_object()["/Subtype"] == "/Link"
    ]
    outside = {str(link["/A"]["/URI"]) for link in links if "/URI" in link.get("/A", {})}
    assert {address for address in outside if not address.startswith("https://")} == set()
    used = {str(link["/Dest"]).removeprefix("/") for link in links if "/Dest" in link}
    assert len(used) > 200
    assert used <= {name.removeprefix("/") for name in reader.named_destinations}


def test_the_pdf_is_of_a_sane_size(pdf, printed):
    assert 200 < len(printed.pages) < 800
    assert pdf.stat().st_size < BYTES_PER_PAGE * len(printed.pages)
    assert [page[:2] for page in printed.pages[10:13]] == ["11", "12", "13"], "no page numbers"
