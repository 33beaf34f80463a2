"""The same pages in another browser: a practice problem solved and a live cell checked in Firefox."""

import json

import pytest

from tests.browser.firefox import Firefox, find_firefox
from tests.conftest import ROOT

pytestmark = pytest.mark.browser
PROBLEM = ".practice[data-task='pca.variance_along']"
CELL = ".live[data-task='pca.scores']"
DATA = json.loads((ROOT / "book/_static/practice/data/pca.variance_along.json").read_text("utf-8"))
ANSWER = DATA["variants"][0]["answer"][0]
# one line each: an editor indents by itself
UNCENTRED = "scores = lambda X, d: X @ np.linalg.svd(X)[2][:d].T"
RIGHT = "scores = lambda X, d: (X - X.mean(axis=0)) @ np.linalg.svd(X - X.mean(axis=0))[2][:d].T"


@pytest.fixture(scope="module")
def firefox(request, tmp_path_factory):
    """The chapter of the small live book, opened; where there is no Firefox, the book need not be built."""
    program = find_firefox()
    if program is None:
        pytest.skip("Firefox is not installed: apt-get install firefox-esr")
    site = request.getfixturevalue("site")
    firefox = Firefox(program, tmp_path_factory.mktemp("profile"))
    firefox.open(f"{site}/book/pca.html")
    yield firefox
    firefox.close()


def said(firefox, selector):
    """What stands in a place, once something does."""
    return firefox.wait_for(f"document.querySelector({selector!r})?.innerText")


def test_a_practice_problem_is_solved(firefox):
    verdict = f"{PROBLEM} .practice-verdict"
    firefox.click(PROBLEM)  # it is made ready when it comes near
    firefox.click(f"{PROBLEM}[data-ready] input")
    firefox.type(repr(ANSWER + 1))
    firefox.press("Enter")
    assert "Correct." not in said(firefox, verdict)
    firefox.evaluate("document.activeElement.select()")
    firefox.type(repr(ANSWER))
    firefox.press("Enter")
    assert said(firefox, verdict).startswith("Correct.")


def test_a_live_cell_tells_a_mistake_and_passes_what_is_right(firefox):
    firefox.click(f"{CELL} textarea")
    firefox.click(f"{CELL} .cm-content")  # which takes its place
    for code, verdict in ((UNCENTRED, "about the origin"), (RIGHT, "PASSED")):
        firefox.press("Control+a")
        firefox.type(code)
        firefox.press("Control+Enter")
        firefox.wait_for(f"document.querySelector({CELL!r}).getAttribute('aria-busy') === 'false'")
        assert verdict in said(firefox, f"{CELL} .live-said")


def test_an_endless_loop_is_stopped(firefox):
    status = f"document.querySelector({CELL!r}).querySelector('[role=status]').innerText"
    firefox.click(f"{CELL} .cm-content")
    firefox.press("Control+a")
    firefox.type("while True: pass")
    firefox.press("Shift+Enter")
    firefox.wait_for(f"{status} === 'Running…'")
    firefox.click(f"{CELL} button[aria-label^='Stop']")
    firefox.wait_for(f"{status} === 'Stopped.'")


def test_no_request_left_this_machine_and_nothing_complained(firefox):
    """The last of this file: what the tests above asked for."""
    server = firefox.evaluate("location.origin")
    assert [url for url in firefox.requests if not url.startswith((server, "data:", f"blob:{server}"))] == []
    assert firefox.errors == []
