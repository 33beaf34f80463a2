"""Quick questions on a page: boxes, lines ordered by keys and by dragging, verdicts, other numbers, accessibility."""

import json

import pytest

from tests.browser.accessibility import violations
from tests.browser.conftest import opened
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

DATA = {
    question["name"]: question
    for question in json.loads((ROOT / "book/_static/questions/pca.json").read_text("utf-8"))
}
UNFOLD = "document.querySelectorAll('.quick-fold').forEach(fold => fold.open = true)"


@pytest.fixture(scope="module")
def chapter(chromium, book_url):
    """One page for all tests; the first variant of each question is shown."""
    visited = opened(chromium, f"{book_url}/book/pca.html", mathematics=False)
    visited.page.wait_for_selector(".quick[data-ready]", state="attached")
    visited.page.evaluate(UNFOLD)
    yield visited
    visited.page.context.close()


@pytest.fixture
def question(chapter):
    """Find a question by its name, with nothing answered."""

    def find(name):
        box = chapter.page.locator(f".quick[data-name='pca.{name}']")
        box.get_by_role("button", name="Start again").click()
        return box

    return find


def items_of(name, variant=0):
    return DATA[f"pca.{name}"]["variants"][variant]["items"]


def right_letters(name, variant=0):
    return [letter for letter, item in items_of(name, variant).items() if item["right"]]


def check(box):
    box.get_by_role("button", name="Check").click()
    return box.locator(".quick-verdict").inner_text()


def shown(box):
    return box.locator(".quick-variant:not([hidden])")


def order_of(box):
    return box.locator(".quick-order > li").evaluate_all("rows => rows.map(row => row.dataset.letter)")


def test_the_page_has_every_question_and_no_error(chapter):
    assert chapter.page.locator(".quick[data-ready]").count() == len(DATA)
    assert chapter.errors == []


def test_a_wrong_option_gets_its_hint_and_a_link(question):
    box = question("keeps_the_scores")
    assert "Not written yet" in check(box)
    box.get_by_label("Every feature is divided by its standard deviation.").check()
    told = check(box)
    assert "Every feature was given variance one first" in told
    assert box.locator(".quick-verdict a").get_attribute("href").endswith("#equation-eq-pca-covariance")


def test_all_right_options_together_are_correct(question):
    box = question("keeps_the_scores")
    first, *others = right_letters("keeps_the_scores")
    shown(box).locator(f"input[value={first}]").check()
    assert "not all that is right" in check(box)
    for letter in others:
        shown(box).locator(f"input[value={letter}]").check()
    assert check(box).startswith("Correct.")


def test_other_numbers_are_another_variant(question):
    box = question("picture_of_the_scores")
    before = shown(box).locator("img").first.get_attribute("src")
    box.get_by_role("button", name="Other numbers").click()
    assert shown(box).locator("img").first.get_attribute("src") != before
    (letter,) = right_letters("picture_of_the_scores", 1)
    shown(box).locator(f"input[value={letter}]").check()
    assert check(box).startswith("Correct.")


def test_lines_are_put_in_order_by_keys(question):
    box = question("off_axis")
    items = items_of("off_axis")
    ready, right = [], right_letters("off_axis")
    while len(ready) < len(right):
        ready.append(next(a for a in right if a not in ready and set(items[a].get("after", ())) <= {*ready}))
    for letter in reversed(ready):
        box.locator(f"li[data-letter={letter}]").press("Enter")
    assert order_of(box) == ready[::-1]
    assert "cannot come before" in check(box)
    for place, letter in enumerate(ready):
        for _ in range(len(ready) - 1 - place):
            box.locator(f"li[data-letter={letter}]").press("ArrowUp")
    assert order_of(box) == ready
    assert check(box).startswith("Correct.")


def test_lines_are_dragged_in_and_out(question):
    box = question("off_axis")
    wrong = next(letter for letter, item in items_of("off_axis").items() if not item["right"])
    box.locator(f"li[data-letter={wrong}]").drag_to(box.locator(".quick-empty"))
    assert order_of(box) == [wrong]
    assert f"{wrong} is wrong" in check(box)
    box.locator(f"li[data-letter={wrong}]").get_by_role("button", name="Take out").click()
    assert order_of(box) == []


def test_questions_are_accessible(chapter):
    assert [found for found in violations(chapter.page) if "quick" in json.dumps(found)] == []
