"""Practising on a page of the book, as a reader does: by keyboard, with hints, on a phone, in the dark, in vain."""

import json

import pytest

from tests.browser.accessibility import violations
from tests.browser.conftest import opened
from tests.browser.test_book_in_browser import TEXT_OF_LOW_CONTRAST
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

TASK = "pca.first_component"
DATA = json.loads((ROOT / f"book/_static/practice/data/{TASK}.json").read_text("utf-8"))
BOX = f".practice[data-task='{TASK}']"


UNFOLD = "document.querySelectorAll('.practice-fold').forEach(fold => fold.open = true)"


@pytest.fixture(scope="module")
def chapter(chromium, book_url):
    """One page for all tests, opened and not scrolled yet; only what is new on it is typeset."""
    visited = opened(chromium, f"{book_url}/book/pca.html", mathematics=False)
    yield visited
    visited.page.context.close()


@pytest.fixture
def problem(chapter):
    """Come near the problem, with empty fields: the visit and the box."""
    page = chapter.page
    page.evaluate(UNFOLD)
    box = page.locator(BOX)
    box.scroll_into_view_if_needed()
    page.wait_for_selector(f"{BOX}[data-ready]")
    for field in box.locator("input").all():
        field.fill("")
    yield chapter, box
    page.emulate_media(media="screen", color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 900})


def answer_of(number):
    """The right answer of a variant, as it may be typed."""
    (x, y), share = DATA["variants"][number]["answer"]
    return f"{3 * x!r}, {3 * y!r}", repr(share)


def fill(box, *texts):
    for place, text in enumerate(texts):
        box.locator("input").nth(place).fill(text)
    box.get_by_role("button", name="Check").click()


def verdict(box):
    return box.locator(".practice-verdict").inner_text()


def test_a_link_to_a_folded_problem_opens_it(visit, book_url):
    page = visit(f"{book_url}/book/pca.html#problem-{TASK}").page
    page.wait_for_selector(f"{BOX}[data-ready]")
    assert page.locator(BOX).is_visible()
    waiting = page.locator(".practice-fold:not([open])")
    assert waiting.count() == 1


def test_numbers_are_fetched_only_when_a_problem_comes_near(chapter):
    """The first of this file: nobody scrolled."""
    assert not [url for url in chapter.requests if "/practice/data/" in url]


def test_a_misconception_is_told_what_helps_and_where_to_reread(problem):
    _, box = problem
    wrong = DATA["wrongs"][0]
    (x, y), share = DATA["variants"][0]["answer"]
    fill(box, f"{-y!r} {x!r}" if -y >= 0 <= x else f"[{-y!r}, {x!r}]", repr(1 - share))
    assert wrong[1] in verdict(box)
    assert box.locator(".practice-verdict a").get_attribute("href").startswith("pca.html#")
    assert box.locator("input").first.get_attribute("aria-invalid") == "true"
    assert "not right" in box.locator(".practice-read").first.inner_text()


def test_a_right_part_is_marked_right_and_the_wrong_one_wrong(problem):
    _, box = problem
    fill(box, "1, 17", answer_of(0)[1])
    assert verdict(box).startswith("Partly right.")
    reads = box.locator(".practice-read")
    assert "not right ✘" in reads.nth(0).inner_text()
    assert "right ✔" in reads.nth(1).inner_text()
    assert box.locator("input").nth(1).get_attribute("aria-invalid") is None


def test_entries_of_a_list_are_marked_one_by_one(visit, book_url):
    page = visit(f"{book_url}/book/lle.html").page
    page.evaluate(UNFOLD)
    box = page.locator(".practice[data-task='lle.three_neighbors']")
    box.scroll_into_view_if_needed()
    page.wait_for_selector(".practice[data-task='lle.three_neighbors'][data-ready]")
    data = json.loads((ROOT / "book/_static/practice/data/lle.three_neighbors.json").read_text("utf-8"))
    (weights,) = data["variants"][0]["answer"]
    fill(box, f"[{weights[0]!r}, {weights[1]!r}, {weights[2] + 50!r}]")
    assert "entries 1 ✔, 2 ✔, 3 ✘" in box.locator(".practice-read").inner_text()


def test_markup_that_was_typed_is_shown_as_text(problem):
    visited, box = problem
    typed = "<img src=x onerror=document.title='broken'>"
    fill(box, typed, "1")
    assert typed[:20] in verdict(box)
    assert box.locator("img").count() == 0
    assert visited.page.title() != "broken"


def test_a_decimal_comma_is_read_as_a_list_and_the_field_says_why(problem):
    _, box = problem
    vector, number = box.locator("input").all()
    vector.fill("1,5")
    number.fill("0,5")
    read = box.locator(".practice-read").all_inner_texts()
    assert read == [
        "read as (1, 5)",
        "read as (0, 5) (a comma keeps two numbers apart; decimals have a point)",
    ]


def test_a_long_word_breaks_on_a_phone(problem):
    visited, box = problem
    visited.page.set_viewport_size({"width": 390, "height": 900})
    fill(box, "1, 17", "x" * 500)
    assert "x" * 50 in verdict(box)
    assert visited.page.evaluate("document.documentElement.scrollWidth") <= 390


def test_what_another_tab_solved_stays_solved(problem):
    visited, box = problem
    elsewhere = [DATA["variants"][1]["seed"]]
    visited.page.evaluate(
        f"localStorage.setItem('practice:{TASK}', '{{\"at\": 0, \"solved\": {elsewhere}}}')"
    )
    fill(box, *answer_of(0))
    assert "Solved here: 2 of 50" in box.inner_text()
    box.get_by_role("button", name="Erase").click()
    assert "Solved here: 0 of 50" in box.inner_text()


def test_an_empty_field_is_asked_for_before_anything_is_judged(problem):
    visited, box = problem
    box.get_by_role("button", name="Check").click()
    assert "Still empty: the direction" in verdict(box)
    assert visited.page.evaluate("document.activeElement.tagName") == "INPUT"


def test_the_worked_solution_has_the_numbers_of_the_variant(problem):
    visited, box = problem
    box.get_by_role("button", name="Worked solution").click()
    visited.page.wait_for_selector(f"{BOX} .practice-worked mjx-container")
    assert box.locator(".practice-worked li").count() >= 3
    assert visited.page.evaluate("document.querySelectorAll('mjx-merror').length") == 0


def test_progress_stays_on_this_device_until_it_is_erased(problem):
    visited, box = problem
    fill(box, *answer_of(0))
    visited.page.reload()
    visited.page.evaluate(UNFOLD)
    box.scroll_into_view_if_needed()
    visited.page.wait_for_selector(f"{BOX}[data-ready]")
    assert "Solved here: 1 of 50" in box.inner_text()
    box.get_by_role("button", name="Erase").click()
    assert "Solved here: 0 of 50" in box.inner_text()
    assert visited.page.evaluate(f"localStorage.getItem('practice:{TASK}')") is None


def test_the_box_says_what_awaits_and_nothing_of_marks(problem):
    visited, box = problem
    title = visited.page.locator(f".practice-fold:has({BOX}) > summary")
    assert "2 answers to type, 50 sets of numbers, a worked solution" in title.inner_text()
    assert "marks" not in box.inner_text()


def test_a_blank_before_a_sign_is_explained_where_one_number_is_wanted(problem):
    _, box = problem
    box.locator("input").nth(1).fill("3 -2")
    assert box.locator(".practice-read").nth(1).inner_text() == (
        "read as (3, −2) (a blank before a sign keeps two numbers apart; a difference is 3 - 2)"
    )


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")])
def test_a_judged_problem_breaks_no_rule_and_can_be_read(problem, width, theme):
    visited, box = problem
    page = visited.page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"document.documentElement.dataset.theme === {theme!r}")
    fill(box, "1, 17", answer_of(0)[1])
    box.get_by_role("button", name="Worked solution").click()
    page.wait_for_selector(f"{BOX} .practice-worked mjx-container")
    assert violations(page) == []
    assert page.evaluate(TEXT_OF_LOW_CONTRAST) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_scripts_the_problem_and_the_way_to_the_assignment_remain(chromium, book_url):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{book_url}/book/pca.html")
    page.locator(".practice-fold > summary").first.click()
    assert "Find the first principal direction" in page.locator(BOX).inner_text()
    assert page.locator(f"{BOX} a[href='assignments/pca.html']").count() == 1
    assert page.locator(f"{BOX} form").count() == 0
    context.close()


def test_on_paper_the_fields_are_gone(problem):
    visited, box = problem
    visited.page.emulate_media(media="print")
    assert not box.locator("form").is_visible()
    assert box.locator(".practice-text").is_visible()


def test_a_problem_is_solved_by_keyboard_alone(problem):
    """The last that needs the numbers of the first variant."""
    visited, box = problem
    page = visited.page
    box.locator("input").first.focus()
    page.keyboard.type(answer_of(0)[0])
    page.keyboard.press("Tab")
    page.keyboard.type(answer_of(0)[1])
    page.keyboard.press("Enter")
    assert verdict(box).startswith("Correct.")
    assert "Solved here: 1 of 50" in box.inner_text()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "New numbers"
    before = box.locator(".practice-text").inner_text()
    page.keyboard.press("Enter")
    page.wait_for_function(
        f"() => document.activeElement.closest({BOX!r}) && document.activeElement.value === ''"
    )
    assert box.locator(".practice-text").inner_text() != before
    assert box.locator(".practice-text mjx-container").count() > 0
    assert visited.errors == []


def test_data_that_cannot_be_had_are_reported_and_leave_the_text(chromium, book_url):
    context = chromium.new_context()
    context.route("**/practice/data/**", lambda route: route.abort())
    page = context.new_page()
    page.goto(f"{book_url}/book/pca.html")
    page.evaluate(UNFOLD)
    page.locator(BOX).scroll_into_view_if_needed()
    page.wait_for_selector(f"{BOX} .practice-verdict:not(:empty)")
    assert "could not be loaded" in page.locator(f"{BOX} .practice-verdict").inner_text()
    context.close()
