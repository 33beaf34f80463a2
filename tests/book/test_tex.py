"""Formulas where no mathematics can be shown: in search results and bookmarks."""

import pytest
from docutils import nodes

from autograder.book.sphinx.punctuation import glue_punctuation
from autograder.book.sphinx.search import searchable_text
from autograder.book.tex import readable


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        (r"\nu=0", "ν=0"),
        (r"\Sigma_1", "Σ1"),
        (r"v^\top C v \ge 0", "vᵀC v ≥0"),
        (r"X\in\R^{N\times D}", "X∈ℝN×D"),
        (r"\mathbf 1\mu^\top", "1μᵀ"),
        (r"\operatorname{tr} C", "tr C"),
        (r"\tr C", "tr C"),
        (r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}", "1 2 3 4"),
        (r"\lVert x \rVert", "‖x ‖"),
        ("N-1", "N-1"),
    ],
)
def test_a_formula_is_told_in_plain_characters(tex, words):
    assert readable(tex) == words


def paragraph(*parts):
    document = nodes.document(None, None)
    document += nodes.paragraph(
        "", "", *(nodes.math(p[1:], p[1:]) if p[0] == "$" else nodes.Text(p) for p in parts)
    )
    return document


def pieces(document):
    return [piece.astext() for piece in document.findall(nodes.inline)]


@pytest.mark.parametrize(
    ("parts", "glued"),
    [
        (("of ", "$x", ", and"), ["x,"]),
        (("(", "$x", ") and"), ["(x)"]),
        (("of ", "$x", " and"), []),
        (("a ", "$x", "-axis."), ["x-axis."]),
        (("of ", "$x", "."), ["x."]),
        (("$x", ", ", "$y", "; so"), ["x,", "y;"]),
        (("$x",), []),
    ],
)
def test_punctuation_is_glued_to_its_formula_and_no_letter_is_lost(parts, glued):
    document = paragraph(*parts)
    before = document.astext()
    glue_punctuation(None, document, "page")
    assert pieces(document) == glued
    assert document.astext() == before


def test_the_index_gets_words_and_the_page_keeps_its_formulas():
    document = paragraph("why ", r"$\nu=0", ".")
    document += nodes.math_block(r"\frac12", r"\frac12")
    assert searchable_text(document).astext() == "why ν=0."
    assert r"\frac12" in document.astext()
