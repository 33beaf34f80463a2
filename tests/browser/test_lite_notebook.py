"""A whole assignment done in the browser: opened from its page, solved, checked, kept, downloaded, graded the same."""

import shutil
from dataclasses import dataclass
from pathlib import Path

import nbformat
import numpy as np
import pytest

from autograder import check
from autograder.grading.grade import grade
from autograder.grading.workers import local_grading_pool
from tests.browser.live import PATIENCE, LivePage
from tests.browser.test_live_offline import wait_until
from tests.grading.small_class import TOPIC, hand_in

pytestmark = pytest.mark.browser
RIGHT = "def total(x):\n    return np.sum(x**2)"
WRONG = "def cubes(X):\n    return X**2"  # a classic mistake
TASKS = 4
HAS_KERNEL = "!!jupyterapp.shell.currentWidget.sessionContext.session?.kernel"
IS_SAVED = "!jupyterapp.shell.currentWidget.context.model.dirty"


@dataclass
class Work:
    """What came of doing the assignment."""

    live: LivePage
    kept: str  # what the notebook says after a reload
    file: Path  # to hand in


@pytest.fixture(scope="module")
def work(chromium, site, tmp_path_factory):
    """Open the notebook by the link of its page, answer two tasks, check all, reload, download: Python starts once."""
    context = chromium.new_context(viewport={"width": 1280, "height": 2000})  # only what is seen is drawn
    context.set_default_timeout(PATIENCE)
    live = LivePage(context.new_page())
    live.listen()
    page = live.page
    page.goto(f"{site}/book/assignments/{TOPIC}.html")
    page.get_by_role("link", name="Open the notebook in the browser").click()
    for answer in (RIGHT, WRONG):
        write(page, answer)
    wait_until(page, HAS_KERNEL)  # before that, it would ask which one to take
    choose(page, "Run", "Run All Cells")
    wait_until(page, f"document.querySelectorAll('.dimred-verdict').length === {TASKS}")
    wait_until(page, IS_SAVED)  # by itself
    page.reload()
    page.locator(".dimred-verdict").nth(1).wait_for()
    kept = page.locator(".jp-Notebook").inner_text()
    with page.expect_download() as download:
        choose(page, "File", "Download")
    file = tmp_path_factory.mktemp("downloads") / download.value.suggested_filename
    download.value.save_as(file)
    yield Work(live, kept, file)
    context.close()


def write(page, answer):
    """Type an answer over what stands in its cell."""
    first_line = answer.partition("\n")[0]
    page.locator(".jp-CodeCell .cm-content").filter(has_text=first_line).click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(answer)


def choose(page, menu, item):
    page.get_by_role("menuitem", name=menu, exact=True).click()
    page.get_by_role("menuitem", name=item, exact=True).click()


def said(notebook):
    """What each check said, by the code of its cell."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and "check(" in cell.source]
    shown = {cell.source: [one.data["text/plain"] for one in cell.outputs if one.data] for cell in cells}
    return {source: "\n".join(texts) for source, texts in shown.items() if texts}


def test_checks_say_what_they_say_on_the_desktop(work, released_course, monkeypatch, capsys):
    monkeypatch.chdir(released_course.classroom / "release" / TOPIC)
    in_browser = said(nbformat.read(work.file, as_version=4))
    names = {"np": np, "check": check, "by_hand": None, "binomial": None}
    exec(f"{RIGHT}\n{WRONG}", names)
    assert len(in_browser) == TASKS
    for source, text in in_browser.items():
        exec(source, names)
        assert capsys.readouterr().out.strip() == text
    assert "One power too few." in str(in_browser)


def test_a_reload_keeps_answers_and_verdicts(work):
    assert "return X**2" in work.kept
    assert "One power too few." in work.kept
    assert "PASSED squares.total" in work.kept


def test_the_download_is_graded_like_the_same_work_done_on_the_desktop(work, classroom):
    hand_in(classroom, "desktop", total=RIGHT, cubes=WRONG, by_hand=None, binomial=None)
    target = classroom.paths.submission("browser", TOPIC)
    target.parent.mkdir(parents=True)
    shutil.copy(work.file, target.with_name(work.file.name))  # under the name that the browser gave it
    with local_grading_pool(1) as examiners:
        browser, desktop = grade(classroom, TOPIC, examiners)
    assert browser.verdicts == desktop.verdicts
    assert (browser.score, browser.state) == (desktop.score, desktop.state)
    assert browser.score == 2


def test_the_service_worker_of_the_book_is_left_in_its_place(work, site):
    scopes = "Object.getPrototypeOf(navigator.serviceWorker).getRegistrations.call(navigator.serviceWorker)"
    found = work.live.page.evaluate(f"{scopes}.then(all => all.map(one => one.scope))")
    assert sorted(found) == [f"{site}/", f"{site}/lite/"]


def test_nothing_asks_to_be_installed(work):
    assert "pip install" not in work.kept


def test_no_request_left_this_machine_and_nothing_complained(work, site):
    assert work.live.foreign(site.rpartition("/")[0]) == []
    assert work.live.errors == []
