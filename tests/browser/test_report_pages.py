"""The pages for teachers in a window of 1280 pixels: a class of 180 and fifteen topics, without scrolling sideways."""

import random

import pytest

from autograder.reports import statistics
from autograder.reports.pages import render_page
from autograder.reports.report import write_report
from tests.command import dimred
from tests.conftest import ROOT
from tests.grading.small_class import TOPIC, WRONG, hand_in

TOPICS = sorted(path.name for path in (ROOT / "solutions").iterdir() if (path / "notebook.md").is_file())


@pytest.fixture(scope="module")
def course_page(tmp_path_factory):
    rng = random.Random(1)
    rows = []
    for number in range(180):
        shares = [None if rng.random() < 0.1 else rng.random() for _ in TOPICS]
        known = [share for share in shares if share is not None]
        name = f"Wilhelmina Featherstonehaugh-{number} (user{number:03d})"
        rows.append(
            {"name": name, "section": "Monday", "shares": shares, "mean": sum(known) / len(known), "why": ""}
        )
    topic = {"page": "x", "number": 170, "mean": 0.7, "median": 0.72, "pending": 3, "hardest": "scores"}
    values = {
        "topics": [{"topic": name, **topic} for name in TOPICS],
        "students": rows,
        "bins": statistics.bins([row["mean"] for row in rows]),
        "names_of_topics": TOPICS,
    }
    values |= {"help": [], "misconceptions": [], "section": "", "hidden": False, "help_below": 0.5}
    path = tmp_path_factory.mktemp("report") / "index.html"
    path.write_text(render_page("course.html", **values, falling=0.2, has_sections=True), "utf-8")
    return path


def test_the_table_of_the_course_fits_the_window(chromium, course_page):
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(course_page.as_uri())
    assert len(TOPICS) >= 15
    hidden = "[...document.querySelectorAll('.scroll')].map(box => box.scrollWidth - box.clientWidth)"
    assert set(page.evaluate(hidden)) == {0}
    page.close()


def test_a_click_turns_the_distribution(chromium, course_page):
    page = chromium.new_page()
    page.goto(course_page.as_uri())
    first = "document.querySelector('caption').parentElement.tBodies[0].rows[0].cells[0].textContent"
    assert page.evaluate(first) == "0–10 %"
    heading = page.locator("caption + thead button").first
    heading.click()
    heading.click()
    assert page.evaluate(first) == "90–100 %"
    page.close()


def test_every_table_of_a_class_report_fits_the_window(chromium, classroom):
    """The tasks of the tiny course under the longest name that a task of the course has."""
    hand_in(classroom, "ada", total=WRONG)
    hand_in(classroom, "bob")
    assert dimred(classroom.root, "grade")[0] == 0
    path = write_report(classroom, TOPIC)
    longest = max((name.stem for name in (ROOT / "solutions").glob("*/*.py")), key=len)
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.goto(path.as_uri())
    cells = page.locator("table.dense td:first-child")
    assert cells.count() >= 2
    cells.evaluate_all("(cells, name) => cells.forEach(cell => { cell.textContent = name; })", longest)
    hidden = "[...document.querySelectorAll('.scroll')].map(box => box.scrollWidth - box.clientWidth)"
    assert set(page.evaluate(hidden)) == {0}
    page.close()


def test_no_script_but_the_pages_own_runs(chromium, course_page):
    """Also in a page that is opened as a file, should a student's markup ever get into it."""
    hostile = "<img src=x onerror='document.title=1'><script>document.title=1</script>"
    page = chromium.new_page()
    path = course_page.with_name("hostile.html")
    path.write_text(course_page.read_text("utf-8").replace("</h1>", f"</h1>{hostile}", 1), "utf-8")
    page.goto(path.as_uri())
    assert page.locator("img[onerror]").count() == 1
    assert page.locator("caption + thead button").count() > 0, "the page's own script has run"
    assert page.title() != "1"
    page.close()
