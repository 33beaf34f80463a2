"""A whole assignment in JupyterLite: run, kept over a reload, downloaded, and graded as if it came from Jupyter."""

import json
import shutil

import pytest

from autograder.book.assignments import Assignment
from autograder.book.live.assets import live_assets
from autograder.course.course import Course
from autograder.demo import filled_in
from autograder.grading.choose import load_assignment
from autograder.grading.grade import grade
from autograder.grading.workers import local_examiners
from autograder.release import variant as generate
from tests.browser.live import LivePage
from tests.conftest import ROOT

nbformat = pytest.importorskip("nbformat")
pytestmark = pytest.mark.browser
FORGOT = "def NAME(x):\n    return x.sum()"
PATIENCE = 240_000
IS_IDLE = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
RUN_ALL = """() => {
  window.done = false;
  jupyterapp.commands.execute('notebook:run-all-cells').then(() => { window.done = true; });
}"""
VERDICTS = """() => {
  const { cells } = jupyterapp.shell.currentWidget.content.model;
  return [...cells].filter(cell => cell.type === 'code').flatMap(cell => cell.sharedModel.getOutputs())
    .map(output => String(output.data?.['text/plain'] ?? '')).filter(text => /PASSED|PARTLY|TRY AGAIN/.test(text));
}"""


@pytest.fixture(scope="module")
def assignment(why_not_live, tmp_path_factory):
    """A course whose student has written a mistake into the notebook, and the live site of that course."""
    if why_not_live:
        pytest.skip(f"the files of live pages cannot be had: {why_not_live}")
    root = tmp_path_factory.mktemp("lite") / "course"
    shutil.copytree(ROOT / "tests" / "sample_course", root)
    course = Course(root)
    generate.write_classroom(course, generate.make_variant(course, "squares", "one", "a secret word"))
    source = nbformat.read(course.classroom / "source" / "squares" / "squares.ipynb", as_version=4)
    release = nbformat.reads(load_assignment(course, "squares").release, as_version=4)
    folder = root / "exercises" / "squares"
    shutil.copytree(course.classroom / "release" / "squares", folder, dirs_exist_ok=True)
    (folder / "squares.ipynb").write_text(json.dumps(filled_in(release, source, {"total": FORGOT})), "utf-8")
    site = tmp_path_factory.mktemp("served")
    live_assets().put_into(site / "my-repo", [Assignment("squares", folder)], "http://127.0.0.1:8000")
    return course, site


def opened(live, address):
    live.page.goto(f"{address}/my-repo/lite/lab/index.html?path=squares/squares.ipynb")
    live.page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=PATIENCE)
    live.page.wait_for_function(IS_IDLE, timeout=PATIENCE)


def test_a_notebook_in_the_browser_is_kept_downloaded_and_graded_the_same(
    chromium, serve, assignment, tmp_path
):
    course, site = assignment
    address = serve(site)
    context = chromium.new_context(accept_downloads=True)
    live = LivePage(context.new_page())
    live.listen()
    opened(live, address)
    live.page.evaluate(RUN_ALL)
    live.page.wait_for_function("window.done", timeout=PATIENCE)
    said = live.page.evaluate(VERDICTS)
    assert len(said) == 4
    assert "Nothing was squared." in said[0]
    assert all("PASSED" in text for text in said[1:])
    live.page.evaluate("jupyterapp.commands.execute('docmanager:save')")

    opened(live, address)  # anew: the work was kept
    assert live.page.evaluate(VERDICTS) == said
    with live.page.expect_download(timeout=PATIENCE) as download:
        live.page.evaluate("() => { jupyterapp.commands.execute('docmanager:download'); }")
    submission = course.places.submission("ada", "squares")
    submission.parent.mkdir(parents=True)
    download.value.save_as(submission)
    with local_examiners(1) as examiners:
        (outcome,) = grade(course, "squares", examiners)
    assert outcome.graded
    assert outcome.score == 3.5  # as the same answers earn in tests/browser/test_jupyter_in_browser.py
    assert live.foreign(address) == []
    context.close()
