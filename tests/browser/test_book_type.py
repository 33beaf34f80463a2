"""How the pages are set: formulas on a phone, punctuation beside them, the ends of proofs, words in the search."""

import json
import re

import pytest

from tests.browser.site import CHAPTERS, PAGES

pytestmark = pytest.mark.browser

WIDE = """() => [...document.querySelectorAll('article mjx-container[display="true"]')]
  .filter(formula => formula.scrollWidth > formula.clientWidth + 1)"""
MASKS = f"() => ({WIDE})().map(formula => getComputedStyle(formula).maskImage)"

# What stands directly before or after a formula and could be torn off by the end of a line.
TORN = """() => [...document.querySelectorAll("article span.math")].filter(formula => !formula.closest(".glued"))
  .map(formula => [formula.previousSibling?.data ?? "", formula.nextSibling?.data ?? ""])
  .filter(([before, after]) => /[(\\[“]$/.test(before) || /^[.,;:!?)\\]”]/.test(after))"""
BROKEN = """() => [...document.querySelectorAll("article .glued")]
  .filter(piece => piece.checkVisibility() && piece.getClientRects().length > 1
    && new Set([...piece.getClientRects()].map(box => Math.round(box.bottom / 12))).size > 1)
  .map(piece => piece.textContent.slice(0, 60))"""
ENDS = """() => [...document.querySelectorAll('article div[class="proof admonition"]')].map(proof => {
  const last = proof.lastElementChild;
  const holder = last.tagName === "P" ? last : proof;
  return getComputedStyle(holder, "::after").content;
})"""


@pytest.mark.parametrize("path", PAGES, scope="module")
def test_a_formula_that_goes_on_beyond_the_edge_fades_there(look, path):
    page = look(path, width=390).page
    page.wait_for_timeout(200)
    assert [mask for mask in page.evaluate(MASKS) if "gradient(to left" not in mask] == []


def test_at_its_end_a_scrolled_formula_fades_on_the_other_side(visit, book_url):
    page = visit(f"{book_url}/book/isomap.html", width=390).page
    page.wait_for_selector("mjx-container[display=true].more-right")
    wide = page.locator("mjx-container[display=true].more-right").first.element_handle()
    wide.evaluate("formula => formula.scrollTo(formula.scrollWidth, 0)")
    page.wait_for_timeout(300)
    assert wide.get_attribute("class").split()[-1:] == ["more-left"]
    wide.evaluate("formula => formula.scrollTo(20, 0)")
    page.wait_for_timeout(300)
    assert {"more-left", "more-right"} <= set(wide.get_attribute("class").split())


def test_panels_side_by_side_keep_their_size_on_a_phone_and_scroll(visit, book_url):
    page = visit(f"{book_url}/book/intro.html", width=390).page
    frame = page.locator("#fig-intro-views .panorama.more-right")
    frame.wait_for()
    assert frame.locator("img").bounding_box()["width"] > 600
    assert frame.get_attribute("tabindex") == "0"
    assert visit(f"{book_url}/book/intro.html").page.locator(".panorama.more-right").count() == 0


def test_what_fits_does_not_fade(visit, book_url):
    page = visit(f"{book_url}/book/pca.html").page
    page.wait_for_timeout(200)
    fading = page.locator("article mjx-container:is(.more-left, .more-right)").count()
    assert fading == len(page.evaluate(MASKS))


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("path", CHAPTERS, scope="module")
def test_punctuation_stays_with_its_formula(look, path, width):
    page = look(path, width=width).page
    assert page.evaluate(TORN) == []
    assert page.evaluate(BROKEN) == []


@pytest.mark.parametrize("path", CHAPTERS, scope="module")
def test_every_proof_has_its_end(look, path):
    ends = look(path).page.evaluate(ENDS)
    assert [end for end in ends if not end.startswith('"∎"')] == []


def test_the_search_shows_words(visit, book_url):
    page = visit(f"{book_url}/search.html?q=eigenvector").page
    page.wait_for_selector("#search-results p.context")
    page.wait_for_timeout(1500)
    shown = page.locator("#search-results").inner_text()
    assert "eigenvector" in shown
    assert re.findall(r"\\[a-zA-Z(\[]|\$", shown) == []


def test_the_index_of_the_search_holds_no_tex(built_book):
    text = (built_book / "searchindex.js").read_text("utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))
    used = {term for term, pages in index["terms"].items() if pages != []}  # Sphinx keeps words that are gone
    assert {"mathbb", "frac", "lambda_1", "mathbf"} & used == set()
    titles = [*index["titles"], *index["alltitles"]]
    assert [title for title in titles if "\\" in title] == []
    assert any("ν=0" in title for title in titles)
