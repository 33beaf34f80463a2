"""The book for those who do not see it or do not hold a mouse, where one page shows what holds for all.

What is asked of every page stands in test_book_in_browser.py.
"""

import pytest

from tests.browser.accessibility import violations

pytestmark = pytest.mark.browser


def test_formulas_break_no_rule_of_accessibility(visit, book_url):
    page = visit(f"{book_url}/book/notation.html").page
    assert violations(page, skip_formulas=False) == []


def test_the_search_breaks_no_rule_of_accessibility(visit, book_url):
    assert violations(visit(f"{book_url}/search.html").page) == []


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
        element = page.locator(selector).locator("visible=true").first
        element.focus()
        style = element.evaluate(
            "e => (s => [s.outlineStyle, s.outlineWidth, s.boxShadow])(getComputedStyle(e))"
        )
        assert (style[0] != "none" and style[1] != "0px") or style[2] != "none", selector
