"""A reader's path in a small book: practice, ticks, problems of the day, a mistake that is found, files to take."""

import json

import pytest

from autograder.release.draw import parts_that_differ
from autograder.release.mistakes import own_mistakes, right_parts
from tests.browser.accessibility import violations
from tests.browser.conftest import opened
from tests.browser.practice_answers import COURSE, hand_tasks, keys, text
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

TASK = "pca.variance_along"
DATA = json.loads((ROOT / f"book/_static/practice/data/{TASK}.json").read_text("utf-8"))
READY = ".practice[data-ready]"
CODE = "def scores(X):\n    return 42"


@pytest.fixture
def page(chromium, site):
    """A reader on a new device, on the page of the path."""
    visited = opened(chromium, f"{site}/book/path.html")
    yield visited.page
    assert visited.errors == []
    visited.page.context.close()


def answer(page, text):
    page.wait_for_selector(READY)
    page.locator(".practice input").first.fill(text)
    page.get_by_role("button", name="Check").click()


def record(page):
    key = "Object.keys(localStorage).find(key => key.startsWith('path:'))"
    return json.loads(page.evaluate(f"localStorage.getItem({key})"))


def test_a_wrong_answer_returns_tomorrow_and_a_chapter_ticked_stands_in_the_sidebar(page, site):
    page.get_by_label("Chapter: read").check()
    tick = page.locator(".bd-links a[href='pca.html'] .path-tick")
    assert tick.inner_text().replace("\n", "") == "✓, read"
    assert "Practise Chapter: 1 problem that you have not tried." in page.locator(".reader-path").inner_text()
    page.goto(f"{site}/book/session.html")
    answer(page, "-12345")
    page.get_by_role("button", name="Finish").click()
    assert "0 of 1 problem right at the first answer" in page.locator(".session-stage").inner_text()
    card = record(page)["cards"][TASK]
    assert (card["due"] - card["last"], card["lapses"]) == (1, 1)
    page.goto(f"{site}/book/path.html")
    page.get_by_label("Chapter: read").uncheck()
    assert page.locator(".bd-links .path-tick").count() == 0


def test_the_path_goes_to_another_device_in_a_file(page, chromium, site, tmp_path):
    page.get_by_label("Chapter: read").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    other = opened(chromium, f"{site}/book/path.html").page
    (tmp_path / "bad.json").write_text("{}")
    other.locator("input[type=file]").set_input_files(tmp_path / "bad.json")
    other.wait_for_selector("text=Nothing was changed: this file does not hold a reader's progress")
    other.locator("input[type=file]").set_input_files(file)
    other.wait_for_selector("text=Read: 1 page, 0 problems, 0 answers in live tasks.")
    assert other.get_by_label("Chapter: read").is_checked()
    other.context.close()


def test_problems_become_cards_that_anki_imports(page):
    page.get_by_label("Chapter: read").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Cards for Anki").click()
    lines = download.value.path().read_text("utf-8").splitlines()
    assert lines[0] == "#separator:Tab"
    (card,) = [line for line in lines if not line.startswith("#")]
    assert card.count("\t") == 2
    assert "\\(" in card


@pytest.mark.usefixtures("fast_seals")
def test_a_misconception_is_found_in_one_problem(page, site):
    """The reader answers as one misconception would: the page says which, with its hint."""
    task = hand_tasks(COURSE, "pca")["variance_along"]
    (key,) = keys("pca", "variance_along", [DATA["variants"][0]["seed"]])
    mistake = own_mistakes(task)[0]
    inputs = key.cases[0].inputs
    (typed,) = map(text, parts_that_differ(task, mistake, inputs, right_parts(task, inputs)))
    page.goto(f"{site}/book/session.html")
    page.get_by_role("button", name="Find my mistake").click()
    page.wait_for_selector("text=mistakes still possible")
    answer(page, typed)
    found = page.locator(".session-found").inner_text()
    assert found == f"Found: you {mistake.name.replace('_', ' ')}. {mistake.hint.text}"
    assert record(page)["shown"][f"{TASK}/{mistake.name}"]["overcome"] is None


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
def test_the_pages_break_no_rule_of_accessibility(chromium, site, width, theme):
    for name in ("path", "session"):
        page = opened(chromium, f"{site}/book/{name}.html", width=width, theme=theme).page
        page.wait_for_selector(".path-table" if name == "path" else READY)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.context.close()


def test_answers_of_the_page_go_into_a_notebook_and_come_back(chromium, site, tmp_path):
    page = opened(chromium, f"{site}/book/assignments/pca.html", mathematics=False).page
    key = "`live:${location.pathname.replace(/book.*/, '')}:pca.scores`"
    page.evaluate(f"text => localStorage.setItem({key}, text)", CODE)
    page.reload()
    with page.expect_download() as download:
        page.get_by_role("button", name="Take my answers with me").click()
    assert download.value.suggested_filename == "pca.ipynb"
    file = tmp_path / "pca.ipynb"
    download.value.save_as(file)
    assert sources(json.loads(file.read_text("utf-8")))["scores"] == CODE
    page.evaluate("localStorage.clear()")
    page.reload()
    page.locator(".live-carry input").set_input_files(file)
    page.wait_for_selector("text=1 answer brought to this page.")
    assert page.locator(".live[data-task='pca.scores'] textarea").input_value() == CODE
    page.context.close()


def sources(notebook):
    """The text of each answer cell."""
    cells = [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]
    return {cell["metadata"]["nbgrader"]["grade_id"]: "".join(cell["source"]) for cell in cells}
