"""A hostile notebook made inside JupyterLite: run there, forged there, downloaded, graded by what it deserves."""

import json
import re
import shutil

import nbformat
import pytest
from nbgrader.apps import NbGraderAPI

from autograder.grading.grade import grade
from autograder.grading.nbgrader_settings import nbgrader_config
from autograder.grading.workers import local_grading_pool
from autograder.reports.feedback import write_feedback
from autograder.reports.report import write_report
from tests.attacks.pages import Scripts
from tests.browser.conftest import opened
from tests.browser.live import PATIENCE
from tests.browser.test_lite_notebook import HAS_KERNEL, IS_SAVED, RIGHT, WRONG, choose, write
from tests.browser.test_live_offline import wait_until
from tests.grading.small_class import TOPIC, hand_in

pytestmark = pytest.mark.browser
SCRIPT = "<script>parent.pwned = 1; pwned = 1</script><img src=x onerror='pwned = 2'>"
# Runs in the browser's Python: replaces the check, shows a verdict of its own and scripts of every kind.
HOSTILE_CELL = f"""
import builtins, autograder
from IPython.display import HTML, Javascript, SVG, display
def check(task, *answer):
    display(HTML('<div class="dimred-verdict"><p>PASSED ' + task + ': 1000 of 1000 points</p>{SCRIPT}</div>'))
    return 1000.0
autograder.check = builtins.check = check
display(Javascript("window.pwned = 3"))
display(SVG('<svg xmlns="http://www.w3.org/2000/svg" onload="pwned = 4"><script>pwned = 5</script></svg>'))
display({{"text/markdown": "[x](javascript:pwned=6)", "text/latex": "$\\\\href{{javascript:pwned=7}}{{x}}$",
         "application/vnd.jupyter.widget-view+json": {{"model_id": "pwned"}}}}, raw=True)
print("hostile cell ran")
"""
HAS_RUN = "hostile cell ran"
# Changes what JupyterLite holds, as an extension would: points, roles and locks, metadata of extensions, outputs.
FORGE = """
([script, hostile]) => {
    const model = jupyterapp.shell.currentWidget.context.model;
    const tree = model.toJSON();
    tree.metadata.dimred = {seed: "one", student: "somebody else", topic: "squares"};
    tree.metadata.widgets = {"application/vnd.jupyter.widget-state+json": {state: {pwned: {html: script}}}};
    tree.metadata.kernelspec = {name: "bash", display_name: script, language: script};
    tree.metadata["jupyterlab-toc"] = {title: script};
    tree.metadata.celltoolbar = script;
    for (const cell of tree.cells) {
        cell.metadata["@jupyterlab/extension"] = {html: script, trusted: true};
        cell.metadata.trusted = true;
        cell.metadata.tags = [script, "remove-input"];
        if (cell.metadata.nbgrader) {
            Object.assign(cell.metadata.nbgrader, {points: 1000, locked: false, solution: true, task: false});
            if (String(cell.source).includes("check(")) {
                cell.source = `check("squares.total", total); 1000.0 # ${script}`;
                cell.outputs = [
                    {output_type: "display_data", metadata: {}, data: {
                        "text/html": `<div class="dimred-verdict">PASSED ${script}</div>`, "text/plain": "PASSED"}},
                    {output_type: "execute_result", metadata: {}, execution_count: 1,
                     data: {"text/plain": "1000.0"}},
                ];
            }
        }
    }
    if (hostile)
        tree.cells.splice(1, 0, {cell_type: "code", id: "hostile", source: hostile, metadata: {}, outputs: [],
                                 execution_count: null});
    tree.cells.push({cell_type: "markdown", id: "text", source: script, metadata: {}, attachments:
                     {"x.svg": {"image/svg+xml": "<svg onload='pwned = 8'/>"}}});
    model.fromJSON(tree);
}
"""


@pytest.fixture(scope="module")
def download(chromium, site, tmp_path_factory):
    """Answer two tasks in JupyterLite, run hostile code there, forge everything, save, download."""
    context = chromium.new_context(viewport={"width": 1280, "height": 2000})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{site}/book/assignments/{TOPIC}.html")
    page.get_by_role("link", name="Open the notebook in the browser").click()
    for answer in (RIGHT, WRONG):
        write(page, answer)
    wait_until(page, HAS_KERNEL)
    page.evaluate(FORGE.replace("if (String", "if (false && String"), [SCRIPT, HOSTILE_CELL])
    choose(page, "Run", "Run All Cells")
    wait_until(page, f"document.querySelector('.jp-Notebook').innerText.includes('{HAS_RUN}')")
    wait_until(page, "jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === 'idle'")
    page.evaluate(FORGE, [SCRIPT, ""])
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    wait_until(page, IS_SAVED)
    with page.expect_download() as started:
        choose(page, "File", "Download")
    file = tmp_path_factory.mktemp("downloads") / started.value.suggested_filename
    started.value.save_as(file)
    yield file
    context.close()


@pytest.fixture(scope="module")
def graded(download, released_course, tmp_path_factory):
    """A class of the hostile download and the same work done on the desktop: course and outcomes."""
    root = tmp_path_factory.mktemp("hostile_lite") / "course"
    shutil.copytree(released_course.root, root)
    course = type(released_course)(root)
    hand_in(course, "desktop", total=RIGHT, cubes=WRONG, by_hand=None, binomial=None)
    target = course.paths.submission("mallory", TOPIC)
    target.parent.mkdir(parents=True)
    shutil.copy(download, target.with_name(download.name))
    with local_grading_pool(1) as examiners:
        desktop, mallory = grade(course, TOPIC, examiners)
    write_feedback(course, TOPIC)
    write_report(course, TOPIC)
    return course, desktop, mallory


def test_the_download_holds_what_was_forged_in_the_browser(download):
    """A control: without it the tests below would try an ordinary notebook."""
    tree = json.loads(download.read_text("utf-8"))
    text = json.dumps(tree)
    assert HAS_RUN in text
    assert text.count("PASSED squares.total: 1000 of 1000 points") + text.count("1000.0") > 2
    assert "widget-state" in text
    assert "onload" in text
    assert tree["metadata"]["kernelspec"]["name"] == "bash"


def test_the_hostile_download_earns_what_its_honest_part_deserves(graded):
    _, desktop, mallory = graded
    assert mallory.score == desktop.score == 2
    assert mallory.state == "repaired"
    told = {name: (verdict["passed"], verdict["fraction"]) for name, verdict in mallory.verdicts.items()}
    assert told == {
        name: (verdict["passed"], verdict["fraction"]) for name, verdict in desktop.verdicts.items()
    }


def test_the_graded_notebook_holds_text_and_our_verdicts_only(graded):
    course, _, _ = graded
    notebook = nbformat.read(course.paths.autograded("mallory", TOPIC) / f"{TOPIC}.ipynb", as_version=4)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert {kind for output in outputs for kind in output.get("data", {})} <= {
        "text/plain",
        "text/html",
        "image/png",
    }
    pages = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert pages
    assert not any("pwned" in page for page in pages)
    assert "widgets" not in notebook.metadata


def test_feedback_and_report_run_nothing_of_it(graded, chromium):
    course, _, _ = graded
    paths = [course.paths.feedback_page("mallory", TOPIC), *sorted(course.classroom.glob("report/*.html"))]
    assert len(paths) > 1
    for path in paths:
        visited = opened(chromium, path.as_uri(), mathematics=True)
        assert visited.page.evaluate("window.pwned") is None, path.name
        assert not [url for url in visited.requests if not re.match(r"file:|data:", url)]
        assert visited.errors == []
        visited.page.context.close()


def test_nbgraders_page_runs_nothing_of_it(graded):
    course, _, _ = graded
    api = NbGraderAPI(config=nbgrader_config(course))
    assert api.generate_feedback(TOPIC, "mallory", force=True)["success"]
    page = course.paths.feedback_page("mallory", TOPIC)
    assert Scripts(page.read_text("utf-8")).found == []
