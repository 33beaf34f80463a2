"""Formulas are typeset when the book is built, and everything that reads a page still finds their TeX."""

import json
import re

import pytest
import yaml

from autograder.book import formulas
from autograder.book.formulas import as_written, typeset_in, typeset_pages, with_typeset
from autograder.book.sphinx.practice import unfolded
from autograder.errors import BookError
from autograder.release.practice import PRACTICE_DATA_FOLDER
from tests.conftest import ROOT

NO_NODE = "formulas are typeset by node, which is not installed"
pytestmark = pytest.mark.skipif(formulas.node_program() is None, reason=NO_NODE)

PRACTICE = sorted((ROOT / "book" / PRACTICE_DATA_FOLDER).glob("*.json"))
SCRIPT = '<script defer="defer" src="../_static/mathjax/tex-mml-chtml.js?v=1"></script>'
SETTINGS = '<script>window.MathJax = {"tex": {"macros": {"norm": ["\\\\lVert #1 \\\\rVert", 1]}}}</script>'
INLINE = r'<span class="math notranslate nohighlight">\(a &lt; \norm{b}\)</span>'
DISPLAYED = """<div class="math notranslate nohighlight" id="equation-eq-one">
<span class="eqno">(1.1)<a class="headerlink" href="#equation-eq-one">#</a></span>\\[\\begin{split}x &amp;= "y" \\\\
&amp;= 2\\end{split}\\]</div>"""
PAGE = f"<html><head>{SETTINGS}{SCRIPT}</head><p>Let {INLINE}, then {INLINE}.</p>{DISPLAYED}</html>"


@pytest.fixture
def page(tmp_path):
    written = tmp_path / "page.html"
    written.write_text(PAGE, "utf-8")
    return written


def test_a_page_shows_its_formulas_without_a_script(page):
    typeset_pages([page], page.parent)
    text = page.read_text("utf-8")
    assert "tex-mml-chtml.js" not in text
    assert 'href="../_static/mathjax/formulas.css"' in text
    assert len(re.findall("<mjx-container", text)) == 3
    assert len(re.findall("<mjx-assistive-mml", text)) == 3, "who hears the page has MathML"
    assert '<span class="eqno">(1.1)' in text
    style = page.with_name("formulas.css").read_text("utf-8")
    fonts = set(re.findall(r'url\("([^"]+)"\)', style))
    assert fonts
    assert all((formulas.mathjax_folder() / font).is_file() for font in fonts)


def test_the_page_that_was_written_can_be_had_again(page):
    typeset_pages([page], page.parent)
    text = page.read_text("utf-8")
    again = as_written(text)
    assert re.sub(r"\s+", "", again).replace("&quot;", '"') == re.sub(r"\s+", "", PAGE).replace(
        SCRIPT.replace(" ", ""), '<linkrel="stylesheet"type="text/css"href="../_static/mathjax/formulas.css">'
    )
    assert with_typeset(again, typeset_in(text)) == text
    typeset_pages([page], page.parent)
    assert page.read_text("utf-8") == text, "what is typeset stays as it is"


@pytest.mark.parametrize(
    ("tex", "said"), [(r"\nonsense", "Undefined control sequence"), (r"\frac{1", "brace")]
)
def test_a_formula_that_tex_refuses_is_named_with_its_page(page, tex, said):
    page.write_text(PAGE.replace(r"\norm{b}", tex), "utf-8")
    before = page.read_text("utf-8")
    with pytest.raises(BookError, match=f"^page: .*{said}.*: a < {re.escape(tex)}$"):
        typeset_pages([page], page.parent)
    assert page.read_text("utf-8") == before


def test_without_node_a_page_typesets_its_formulas_itself(page, monkeypatch):
    monkeypatch.setattr(formulas, "node_program", lambda: None)
    typeset_pages([page], page.parent)
    assert page.read_text("utf-8") == PAGE


def test_a_build_stops_at_a_formula_that_tex_refuses_and_says_which(tiny):
    tiny.write_pages(start="# Start\n\nHere is $a = \\nonsense{2}$.\n")
    with pytest.raises(BookError, match=r"start: Undefined control sequence \\nonsense: a = \\nonsense\{2\}"):
        tiny.build()


def texts_of_practice():
    """The statement and the worked solution of each problem, in each of their forms."""
    for path in PRACTICE:
        data = json.loads(path.read_text("utf-8"))
        for texts in filter(None, (data["text"], data["worked"])):
            forms = [form for form, _ in texts["rows"]]
            yield from (unfolded(texts, forms.index(form)) for form in sorted(set(forms)))


def test_every_formula_of_the_practice_problems_can_be_typeset(page):
    """Pages typeset them when a reader asks for other numbers or the worked solution."""
    texts = list(texts_of_practice())
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"][
        "mathjax3_config"
    ]
    page.write_text(
        f"<script>window.MathJax = {json.dumps(settings)}</script>\n{SCRIPT}{''.join(texts)}", "utf-8"
    )
    typeset_pages([page], page.parent)
    assert page.read_text("utf-8").count("<mjx-container") > 10 * len(PRACTICE)
