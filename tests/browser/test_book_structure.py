"""The book for those who do not see it or do not hold a mouse: WCAG 2.2 AA as far as a program can tell.

axe-core (tests/browser/axe-core, MPL-2.0, used by the tests only) knows the rules. What it does not
ask is asked here: one title, levels that do not skip, a way past the navigation, sliders by keyboard.
Contrast has tests of its own, which see through the layers of a page.
"""

import itertools
from pathlib import Path

import pytest

from tests.browser.site import PAGES

AXE = Path(__file__).with_name("axe-core") / "axe.min.js"

pytestmark = pytest.mark.browser

# What MathJax puts inside a formula is the same on every page, and a chapter has 50,000 elements of it, which axe
# would walk through: all other pages are asked with their formulas as text (`mathematics=False`).
VIOLATIONS = """async skipFormulas => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const rules = {"color-contrast": {enabled: false}};
  const context = skipFormulas ? {exclude: [["mjx-container > *"], [".math:not(:has(mjx-container))"]]} : document;
  const result = await axe.run(context, {runOnly: {type: "tag", values: tags}, rules});
  return result.violations.map(found => `${found.id}: ${found.nodes.map(node => node.html.slice(0, 90)).join(" · ")}`);
}"""

OUTLINE = """() => [...document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")]
  .filter(heading => heading.checkVisibility()).map(heading => Number(heading.tagName[1]))"""

UNNAMED = """() => {
  const words = element => (element.innerText || "").trim() || element.getAttribute("aria-label")
    || element.title || [...element.querySelectorAll("img")].map(image => image.alt).join("");
  const links = [...document.querySelectorAll("a[href]")].filter(link => link.checkVisibility() && !words(link));
  const inputs = [...document.querySelectorAll("input:not([type=hidden])")]
    .filter(input => input.checkVisibility() && !input.labels.length && !input.getAttribute("aria-label"));
  const tables = [...document.querySelectorAll("article table")].filter(table => !table.querySelector("th"));
  const images = [...document.querySelectorAll("img")].filter(image => !image.hasAttribute("alt"));
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  const twice = ids.filter((id, place) => ids.indexOf(id) !== place);
  return [...[links, inputs, tables, images].flat().map(element => element.outerHTML.slice(0, 90)), ...twice];
}"""

SLIDERS = "article input[type=range]"


# The colours of code are thousands of elements of a chapter, and none of axe's business here.
PLAIN_CODE = """() => {
  for (const code of document.querySelectorAll(".highlight pre")) code.textContent = code.textContent;
}"""


def violations(page, *, skip_formulas=True):
    page.evaluate(PLAIN_CODE)
    page.add_script_tag(path=str(AXE))
    return page.evaluate(VIOLATIONS, skip_formulas)


def test_formulas_break_no_rule_of_accessibility(look):
    assert violations(look("book/notation.html").page, skip_formulas=False) == []


@pytest.mark.parametrize("path", [*PAGES, "search.html"], scope="module")
def test_a_page_breaks_no_rule_of_accessibility(look, path):
    page = look(path, mathematics=False).page
    assert violations(page) == []
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.evaluate(UNNAMED) == []
    assert page.locator("main").count() == 1
    assert page.locator("nav[aria-label=Main]").count() == 1


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_headings_are_an_outline(look, path):
    levels = look(path, mathematics=False).page.evaluate(OUTLINE)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_a_phone_adds_no_violation(visit, book_url):
    page = visit(f"{book_url}/book/isomap.html", width=390).page
    page.wait_for_selector("mjx-container[tabindex]")  # a formula that scrolls can be reached by keyboard
    assert violations(page) == []


def test_the_first_tab_leads_past_the_navigation(visit, book_url):
    page = visit(f"{book_url}/book/pca.html").page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText").strip() == "Skip to main content"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main-content")


def test_what_has_the_focus_can_be_seen(visit, book_url):
    page = visit(f"{book_url}/book/pca.html").page
    for selector in ("article p a", "article summary", "nav.bd-links a", ".dropdown-download-buttons button"):
        page.keyboard.press("Tab")  # so that the browser takes the reader for one who uses the keyboard
        element = page.locator(selector).first
        element.focus()
        style = element.evaluate(
            "e => (s => [s.outlineStyle, s.outlineWidth, s.boxShadow])(getComputedStyle(e))"
        )
        assert (style[0] != "none" and style[1] != "0px") or style[2] != "none", selector


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_a_slider_is_moved_by_the_arrow_keys_and_says_where_it_is(look, path):
    page = look(path, mathematics=False).page
    for slider in page.locator(SLIDERS).all():
        slider.focus()
        said = []
        for key in ("Home", "ArrowRight", "ArrowRight", "ArrowLeft", "End"):
            page.keyboard.press(key)
            said.append((slider.input_value(), slider.get_attribute("aria-valuetext")))
        values, words = zip(*said, strict=True)
        assert values[0] == slider.get_attribute("min")
        assert values[1] == values[3] != values[2]
        assert values[4] == slider.get_attribute("max")
        assert words[1] == words[3]
        assert len(set(words)) == 4
        assert all(word and len(word) > 3 for word in words)
