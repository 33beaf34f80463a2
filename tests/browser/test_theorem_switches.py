"""Break this theorem in the browser: switches, search, a pasted example, by keys and on a phone."""

import importlib
import json
import shutil
import sys

import pytest

from tests.browser.accessibility import violations
from tests.browser.conftest import opened
from tests.browser.test_explorables import PAGE, SCRIPTS
from tests.conftest import ROOT

pytestmark = pytest.mark.browser

LIVE = "document.querySelector('figure.is-live')?.explorable !== undefined"


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    root = tmp_path_factory.mktemp("theorems")
    shutil.copytree(SCRIPTS, root / "explore")
    sys.path.insert(0, str(ROOT / "book"))
    try:
        figures = importlib.import_module("_figures.theorem_switches")
        for name in ("eckartYoung", "components"):
            for theme in ("light", "dark"):
                figure = figures.switches(name).data
                page = PAGE.format(name=name, theme=theme, scripts="explore", figure=figure)
                (root / f"{name}-{theme}.html").write_text(page, "utf-8")
    finally:
        sys.path.remove(str(ROOT / "book"))
        for name in [name for name in sys.modules if name.partition(".")[0] == "_figures"]:
            del sys.modules[name]
    return serve(root)


@pytest.fixture
def look(chromium, address):
    visits = []

    def open_claim(name, theme="light"):
        visit = opened(chromium, f"{address}/{name}-{theme}.html", width=390)
        visits.append(visit)
        visit.page.wait_for_function(LIVE)
        visit.page.locator("summary", has_text="Break this theorem").press("Enter")
        return visit

    yield open_claim
    for visit in visits:
        visit.page.context.close()


def told(page, words):
    page.locator(".theorem .words", has_text=words).wait_for()
    return page.evaluate("document.querySelector('figure').explorable")


def test_all_hypotheses_on_reports_how_many_were_tried(look):
    page = look("eckartYoung").page
    page.get_by_role("button", name="Search for a counterexample").press("Enter")
    result = told(page, "No counterexample: 5000 examples tried")
    assert result["on"] == [True, True, True]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_hypothesis_switched_off_by_keys_lets_a_counterexample_be_found(look, theme):
    visit = look("eckartYoung", theme)
    page = visit.page
    page.get_by_role("checkbox").nth(1).press("Space")
    assert page.get_by_text("Off: the rival may have any rank.").is_visible()
    page.get_by_role("button", name="Search for a counterexample").press("Enter")
    result = told(page, "A counterexample after")
    assert result["on"] == [True, False, True]
    assert result["sides"]["left"] > result["sides"]["right"]
    assert page.locator(".theorem table.entries").count() == 2
    assert json.loads(page.locator(".theorem textarea").input_value()) == result["example"]
    assert violations(page) == []
    assert visit.errors == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_pasted_example_is_judged_with_its_hypotheses(look):
    page = look("components").page
    page.locator("summary", has_text="of your own").press("Enter")
    area, judge = page.locator(".theorem textarea"), page.get_by_role("button", name="Judge it")
    area.fill('{"weights": [[0, 2, 2], [2, 0, -1], [2, -1, 0]], "diagonal": "degrees"}')
    judge.press("Enter")
    assert told(page, "The claim fails here; hypothesis 1 does not hold")["failing"] == [1]
    area.fill('{"weights": [[0, 2, 0], [2, 0, 0], [0, 0, 0]], "diagonal": "degrees"}')
    judge.press("Enter")
    told(page, "The claim holds here; all hypotheses hold.")
    relation = "2 = 2 (left: how often 0 is an eigenvalue; right: pieces of the graph)"
    assert page.locator(".found p").first.inner_text() == relation
    area.fill("[1, 2")
    judge.press("Enter")
    told(page, "This is not an example of this theorem")


def test_paper_shows_the_still(look):
    page = look("components").page
    page.emulate_media(media="print")
    assert page.locator(".still").is_visible()
    assert not page.locator(".theorem").is_visible()
