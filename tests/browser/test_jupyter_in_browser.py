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
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.workers import local_grading_pool
from autograder.release import variant as generate
from tests.browser.conftest import TYPESET
from tests.conftest import ROOT

pytestmark = pytest.mark.browser
# Ways to have a page run a script; each would leave its number in `window.pwned`.
RUN = "window.pwned=(window.pwned||[]).concat({})"
SCRIPTS = (
    "<script>{run}</script>",
    "<img src=x onerror='{run}'>",
    "<svg onload='{run}'></svg>",
    "<svg><script>{run}</script></svg>",
    "<details open ontoggle='{run}'><summary>x</summary></details>",
    "<iframe srcdoc='<script>parent.{run}</script>'></iframe>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror={run}&gt;'>",
    "<style>@keyframes x{{}}</style><p style='animation-name:x' onanimationstart='{run}'>x</p>",
    "<input autofocus onfocus='{run}'>",
    "<body onload='{run}'>",
    "<object data='data:text/html,<script>{run}</script>'></object>",
    "$<img src=x onerror='{run}'>$",
    "$$\\text{{</span><img src=x onerror='{run}'>}}$$",
    "`` <img src=x onerror='{run}'> ``",
    "# <img src=x onerror='{run}'>",
    "![x](x\" onerror='{run}')",
    "<noscript><p title='</noscript><img src=x onerror={run}>'>",
)
LINKS = (
    "[x](javascript:{run})",
    "<a href='javascript:{run}'>x</a>",
    "<a href='jav&#x09;ascript:{run}'>x</a>",
    "<a href='&#14;javascript:{run}'>x</a>",
    "<a href='data:text/html,<script>opener.{run}</script>'>x</a>",
    "<svg><a xlink:href='javascript:{run}'><text y=20>x</text></a></svg>",
    "<form action='javascript:{run}'><button>x</button></form>",
    "$\\href{{javascript:{run}}}{{x}}$",
)
HREFS = "[...document.querySelectorAll('a')].map(a => a.href.baseVal ?? a.href)"  # those in drawings, too
# When formulas are typeset, formgrader scrolls to the open question for half a second.
SCROLLED = "document.activeElement.id === 'why' && !$('body, html').is(':animated')"
STUDENTS = ("ada", "bob", "eve")
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
    for student in STUDENTS:
        answers = {"total": FORGOT} if student == "bob" else {}
        path = course.paths.submission(student, "squares")
        path.parent.mkdir(parents=True)
        notebook = filled_in(release, source, answers)
        if student == "eve":
            write_scripts_into(notebook)
        path.write_text(json.dumps(notebook), "utf-8")
    with local_grading_pool(1) as examiners:
        grade(course, "squares", examiners)
    mine = root / "mine"
    shutil.copytree(course.classroom / "release" / "squares", mine)
    (mine / "squares.ipynb").write_text(json.dumps(filled_in(release, source, {"total": FORGOT})), "utf-8")
    return course


def write_scripts_into(notebook):
    """Scripts in the answer to the open question, in a cell of the student's own, and in its id."""
    texts = [text.format(run=RUN.format(number)) for number, text in enumerate(SCRIPTS + LINKS)]
    answer = next(
        cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "why"
    )
    answer.source = "Eve says $a<b$ and **bold**.\n\n" + "\n\n".join(texts)
    notebook.cells += [nbformat.v4.new_markdown_cell(text) for text in texts]


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


def pages_of_submissions(page, address):
    page.goto(f"{address}/formgrader/gradebook/squares/squares")
    page.wait_for_selector("text=Submission #1")
    for link in [one.get_attribute("href") for one in page.locator("a", has_text="Submission #").all()]:
        yield f"{address}{link}" if link.startswith("/") else f"{address}/formgrader/{link}"


def test_formgrader_shows_a_students_text_and_runs_none_of_it(chromium, jupyter):
    address, _ = jupyter
    page = chromium.new_page()
    shown = []
    for link in pages_of_submissions(page, address):
        page.goto(link, wait_until="load")
        page.wait_for_selector(".dimred-verdict")
        if "Eve says" not in page.inner_text("body"):
            continue
        shown.append(page.inner_text("body"))
        assert page.locator("strong", has_text="bold").count() == 1, "Markdown is still Markdown"
        page.wait_for_function(TYPESET)
        page.wait_for_function(SCROLLED)
        addresses = page.evaluate(HREFS)
        assert not [one for one in addresses if one.lower().startswith(("javascript:", "data:"))]
        for one in page.get_by_text("x", exact=True).all():
            if one.is_visible():
                one.click(timeout=2_000, force=True, no_wait_after=True)
        page.wait_for_timeout(500)
        assert page.evaluate("window.pwned || []") == []
    assert len(shown) == 1, "eve's submission was not seen"
    page.close()


def test_formgrader_typesets_formulas_and_asks_no_other_host(chromium, jupyter):
    address, _ = jupyter
    page = chromium.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(next(pages_of_submissions(page, address)))
    page.wait_for_function(TYPESET)
    assert page.locator("mjx-container svg").count() > 0
    assert "$" not in page.locator("#notebook").first.inner_text()
    assert not [one for one in asked if not one.startswith((address, "data:"))]
    page.close()


def test_formgrader_opens_at_the_open_question_and_its_keys_work(chromium, jupyter):
    """nbgrader's script asks MathJax 2, which is not here, before it sets up scrolling and keys."""
    address, _ = jupyter
    page = chromium.new_page(viewport={"width": 1200, "height": 600})
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(next(pages_of_submissions(page, address)))
    in_sight = "document.activeElement.id === 'why' && document.activeElement.getBoundingClientRect().top"
    page.wait_for_function(f"{in_sight} > 0 && {in_sight} < innerHeight")
    assert page.evaluate("scrollY") > 600
    before = page.url
    page.keyboard.press("Control+.")
    page.wait_for_url(lambda url: url.partition("?")[0] != before.partition("?")[0])
    page.wait_for_function(f"{in_sight} > 0 && {in_sight} < innerHeight")
    assert page.url.partition("?")[2] == before.partition("?")[2]
    assert errors == []
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
    second_thought = "document.querySelector('#why-comment').value.startsWith('[2 of 2]')"
    with page.expect_response(lambda reply: reply.request.method == "PUT" and "/api/" in reply.url):
        first.get_by_role("button", name="2", exact=True).press("Enter")  # by the keyboard
        page.wait_for_function(second_thought)
    page.wait_for_load_state("networkidle")
    box = page.locator("#why-comment")
    lines = box.input_value().splitlines()  # in their order, and all to be seen
    assert [line.startswith("[2 of 2]") for line in lines] == [True, False]
    assert box.evaluate("box => box.scrollHeight <= box.clientHeight + 2")
    assert rubric.get_by_role("group", name="says that each is at least zero").count() == 1
    page.reload()
    page.locator(".rubric").get_by_text("2 of 2 decided").wait_for()
    pressed = page.locator(".rubric button[aria-pressed=true]").all_inner_texts()
    assert pressed == ["2", "1"]
    with open_gradebook(course) as book:
        graded = [
            one for one in STUDENTS if book.find_grade("why", "squares", "squares", one).manual_score == 3
        ]
        assert len(graded) == 1
        comment = book.find_comment("why", "squares", "squares", graded[0]).comment
    decided = {"says that each is at least zero": 2.0, "what follows for a sum of such numbers": 1.0}
    assert decisions(comment) == decided
    page.close()


def test_clicks_on_a_rubric_survive_a_slow_server(chromium, jupyter):
    """The answer to the first save arrives after the second click, and formgrader writes it into the box."""
    address, _ = jupyter
    page = chromium.new_page(viewport={"width": 1200, "height": 1400})
    page.goto(list(pages_of_submissions(page, address))[1])
    rubric = page.locator(".rubric")
    rubric.get_by_text("0 of 2 decided").wait_for()
    page.wait_for_load_state("networkidle")
    late = []

    def hold_the_first(route):
        if route.request.method == "PUT" and not late:
            late.append((route, route.fetch()))
        else:
            route.continue_()

    page.route("**/api/comment/*", hold_the_first)
    first, second = rubric.locator(".rubric-item").all()
    first.get_by_role("button", name="1", exact=True).click()
    page.wait_for_timeout(200)
    with page.expect_response(lambda reply: "/api/comment/" in reply.url):
        second.get_by_role("button", name="1", exact=True).click()
    ((route, response),) = late
    with page.expect_response(lambda reply: "/api/comment/" in reply.url):
        route.fulfill(response=response)
    page.wait_for_timeout(200)
    first.get_by_role("button", name="2", exact=True).click()
    page.wait_for_load_state("networkidle")
    lines = page.locator("#why-comment").input_value().splitlines()
    assert [line.partition("]")[0] for line in lines] == ["[2 of 2", "[1 of 1"]
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
