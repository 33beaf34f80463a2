"""Jupyter as students and graders see it: verdicts under a check, and our grades in nbgrader's formgrader."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request

import nbformat
import pytest

from autograder.authoring.rubric import decisions
from autograder.book.serve import free_port
from autograder.course.course import Course
from autograder.demo import filled_in
from autograder.grading.choose import load_assignment
from autograder.grading.grade import grade
from autograder.grading.gradebook import open_gradebook
from autograder.grading.workers import local_examiners
from autograder.release import variant as generate
from tests.conftest import ROOT

pytestmark = pytest.mark.browser
FORGOT = "def NAME(x):\n    return x.sum()"


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory):
    """A running JupyterLab in a course with a graded class; yields (address, course)."""
    course = graded_class(tmp_path_factory.mktemp("browser") / "course")
    port = free_port(8890)
    settings = ["--IdentityProvider.token=", "--ServerApp.open_browser=False", "--allow-root"]
    home = course.root.parent
    folders = {"JUPYTER_CONFIG_DIR": str(home / "config"), "JUPYTER_DATA_DIR": str(home / "data")}
    with subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", f"--port={port}", *settings],
        cwd=course.root,
        env={**os.environ, **folders},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        address = f"http://127.0.0.1:{port}"
        wait_for(f"{address}/api/status")
        yield address, course
        server.terminate()


def graded_class(root):
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    course = Course(root)
    generate.write_classroom(course, generate.make_variant(course, "squares", "one", "a secret word"))
    source = nbformat.read(course.classroom / "source" / "squares" / "squares.ipynb", as_version=4)
    release = nbformat.reads(load_assignment(course, "squares").release, as_version=4)
    for student, answers in (("ada", {}), ("bob", {"total": FORGOT})):
        path = course.places.submission(student, "squares")
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(filled_in(release, source, answers)), "utf-8")
    with local_examiners(1) as examiners:
        grade(course, "squares", examiners)
    mine = root / "mine"
    shutil.copytree(course.classroom / "release" / "squares", mine)
    (mine / "squares.ipynb").write_text(json.dumps(filled_in(release, source, {"total": FORGOT})), "utf-8")
    return course


def wait_for(address, seconds=60):
    for _ in range(seconds * 4):
        try:
            return urllib.request.urlopen(address).status
        except urllib.error.URLError:
            time.sleep(0.25)
    raise AssertionError(f"{address} did not answer")


def test_formgrader_shows_the_class_and_its_scores(chromium, jupyter):
    address, _ = jupyter
    page = chromium.new_page()
    page.goto(f"{address}/formgrader/manage_submissions/squares")
    page.wait_for_selector("text=ada")
    rows = page.locator("tbody tr").all_inner_texts()
    assert any("ada" in row and "5 / 8" in row for row in rows), rows
    assert any("bob" in row and "3.5 / 8" in row for row in rows), rows
    page.close()


def test_formgrader_opens_a_submission_with_our_verdict(chromium, jupyter):
    address, _ = jupyter
    page = chromium.new_page()
    page.goto(f"{address}/formgrader/gradebook/squares/squares")
    page.wait_for_selector("text=Submission #1")
    links = page.locator("a", has_text="Submission #").all()
    addresses = [link.get_attribute("href") for link in links]
    texts = []
    for link in addresses:
        page.goto(f"{address}{link}" if link.startswith("/") else f"{address}/formgrader/{link}")
        page.wait_for_selector(".dimred-verdict")
        texts.append(page.inner_text("body"))
    assert any("Nothing was squared." in text for text in texts)
    page.close()


def test_clicks_on_a_rubric_write_the_named_comment_and_the_score(chromium, jupyter):
    address, course = jupyter
    page = chromium.new_page(viewport={"width": 1200, "height": 1400})
    page.goto(f"{address}/formgrader/gradebook/squares/squares")
    page.wait_for_selector("text=Submission #1")
    link = page.locator("a", has_text="Submission #1").first.get_attribute("href")
    page.goto(f"{address}{link}" if link.startswith("/") else f"{address}/formgrader/{link}")
    rubric = page.locator(".rubric")
    rubric.get_by_text("0 of 2 decided").wait_for()
    page.wait_for_load_state("networkidle")
    first, second = rubric.locator(".rubric-item").all()
    first.get_by_role("button", name="1", exact=True).click()
    assert page.input_value("input.score#why") == ""  # half a decision is no score
    second.get_by_role("button", name="1", exact=True).click()
    rubric.get_by_text("2 of 2 decided").wait_for()
    first.get_by_role("button", name="2", exact=True).click()  # a second thought
    page.wait_for_load_state("networkidle")
    page.reload()
    page.locator(".rubric").get_by_text("2 of 2 decided").wait_for()
    pressed = page.locator(".rubric button[aria-pressed=true]").all_inner_texts()
    assert pressed == ["2", "1"]
    with open_gradebook(course) as book:
        graded = [
            one
            for one in ("ada", "bob")
            if book.find_grade("why", "squares", "squares", one).manual_score == 3
        ]
        assert len(graded) == 1
        comment = book.find_comment("why", "squares", "squares", graded[0]).comment
    decided = {"says that each is at least zero": 2.0, "what follows for a sum of such numbers": 1.0}
    assert decisions(comment) == decided
    page.close()


def test_a_student_sees_the_verdict_under_the_check(chromium, jupyter, tmp_path):
    address, _ = jupyter
    page = chromium.new_page(viewport={"width": 1200, "height": 2200})
    page.goto(f"{address}/lab/tree/mine/squares.ipynb?reset")
    page.wait_for_selector(".jp-Notebook", timeout=60_000)
    page.wait_for_selector("text=/Python 3 .* Idle/", timeout=60_000)  # cells run before that are lost
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_text("Run All Cells", exact=True).click()
    page.wait_for_selector(".dimred-verdict:has-text('squares.binomial')", timeout=60_000)
    page.screenshot(path=str(tmp_path / "verdict.png"))
    shown = page.locator(".dimred-verdict").all_inner_texts()
    assert len(shown) == 4
    assert "Nothing was squared." in shown[0]
    assert "PARTLY" in shown[0]
    assert all("PASSED" in text for text in shown[1:])
    assert page.locator(".dimred-verdict a").first.get_attribute("href").endswith("#equation-eq-squares-sum")
    page.close()
