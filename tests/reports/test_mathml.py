"""Formulas of students: what one student writes costs no other student theirs."""

import shutil
from html.parser import HTMLParser

import pytest

from autograder.reports import mathml
from autograder.reports.mathml import formulas_in, markdown_with_formulas, to_mathml

needs_node = pytest.mark.skipif(not shutil.which("node"), reason="MathJax runs under node")
PIXEL = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB"
SQUARE, CUBE = ("x^2", False), ("x^3", True)


def braces(number):
    """A formula whose conversion takes the square of its length, and whose every number is another."""
    return "{" * 480 + f"x_{{{number}}}" + "}" * 480, True


@needs_node
def test_a_page_spends_its_own_seconds_only(monkeypatch):
    monkeypatch.setattr(mathml, "PAGE_CPU_SECONDS", 0.2)
    costly = [braces(number) for number in range(200)]
    converted = to_mathml([[SQUARE], [*costly, CUBE], [CUBE]])
    assert {SQUARE, CUBE} <= converted.keys()
    assert 0 < len(converted.keys() & set(costly)) < len(costly) / 2


@needs_node
def test_a_formula_of_a_spent_page_is_converted_for_the_next(monkeypatch):
    monkeypatch.setattr(mathml, "PAGE_CPU_SECONDS", 0.0)
    assert to_mathml([[SQUARE]]) == {}
    monkeypatch.setattr(mathml, "PAGE_CPU_SECONDS", 2.0)
    assert to_mathml([[SQUARE, ("x" * 1001, False)]]).keys() == {SQUARE}


# Stands in for MathJax: some formulas end it, or never end.
FRAGILE = """
const order = JSON.parse(require("fs").readFileSync(0, "utf-8"));
for (const page of order.pages) {
  if (page[0][0] === "crash") process.abort();
  while (page[0][0] === "hang") {}
  require("fs").writeFileSync(1, JSON.stringify(page.map(([tex]) => `<math><mi>${tex}</mi></math>`)) + "\\n");
}
"""


@needs_node
def test_a_page_that_ends_the_program_costs_only_itself(tmp_path, monkeypatch):
    program = tmp_path / "fragile.cjs"
    program.write_text(FRAGILE, "utf-8")
    monkeypatch.setattr(mathml, "MATHML_SCRIPT", program)
    monkeypatch.setattr(mathml, "RUN_SECONDS", 2.0)
    pages = [[(name, False)] for name in ("crash", "a", "hang", "b", "crash", "c")]
    assert {tex for tex, _ in to_mathml(pages)} == {"a", "b", "c"}


@needs_node
def test_a_broken_program_is_not_started_for_every_page(tmp_path, monkeypatch):
    runs = []
    program = tmp_path / "broken.cjs"
    program.write_text("process.exit(1)", "utf-8")
    monkeypatch.setattr(mathml, "MATHML_SCRIPT", program)
    run = mathml._run
    monkeypatch.setattr(mathml, "_run", lambda *given: runs.append(1) or run(*given))
    assert to_mathml([[(str(number), False)] for number in range(50)]) == {}
    assert len(runs) == mathml.MAX_RUNS_WITHOUT_PAGE


# A quotation mark in a formula ends an attribute, if the formula is put into one.
IN_ATTRIBUTES = (
    f'![a $\\text{{" onerror="alert(1)}}$ b]({PIXEL})',
    f'![a \\(\\text{{" onload="alert(1)}}\\) b]({PIXEL} "$x$")',
    '<b title="\\(\\text{&quot; onclick=&quot;alert(1)}\\)">z</b>',
    '<a title="$\\text{&quot; onfocus=alert(1) autofocus}$" href="/a">q</a>',
    "<a title='$$\\text{&quot; onfocus=alert(1)}$$' href='/a'>q</a>",
    "[q](http://a.example/$\\text{x}$)",
    "<span title='a$'>\\text{<img src=x onerror=alert(1)>}$</span>",
    "<span title='> $x$'>$y$</span>",
    '<a title="\\begin{align}x&quot; onclick=&quot;alert(1)\\end{align}">q</a>',
)


class Attributes(HTMLParser):
    """The attributes of a page, without those of formulas."""

    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attributes):
        self.seen |= {(tag, name) for name, _ in attributes}


@needs_node
@pytest.mark.parametrize("text", IN_ATTRIBUTES)
def test_no_formula_is_put_into_an_attribute(text):
    page = markdown_with_formulas(text, to_mathml([formulas_in([text])]))
    attributes = Attributes()
    attributes.feed(page)
    assert attributes.seen <= {("img", "src"), ("img", "alt"), ("img", "title"), ("a", "href"), ("a", "title"),
                               ("span", "title"), ("b", "title")}  # fmt: skip
    assert 'title="<math' not in page


@needs_node
def test_formulas_beside_tags_are_shown():
    text = "**so** $a<b$ and <b title='x'>$x^2$</b>, `$code$`, $$\\frac{1}{2}$$"
    page = markdown_with_formulas(text, to_mathml([formulas_in([text])]))
    assert page.count("<math") == 3
    assert "$code$" in page
