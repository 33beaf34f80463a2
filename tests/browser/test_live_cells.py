"""Tasks solved in the page: Python runs in the reader's browser, below a prefix, and nothing leaves this machine."""

import pytest

from tests.browser.accessibility import AXE, VIOLATIONS
from tests.browser.live import PATIENCE, LivePage
from tests.browser.test_book_in_browser import TEXT_OF_LOW_CONTRAST

pytestmark = pytest.mark.browser

PAGE = "book/assignments/pca.html"
UNCENTRED = """def scores(X, n_components):
    return X @ np.linalg.svd(X)[2][:n_components].T"""
RIGHT = """def scores(X, n_components):
    centred = X - X.mean(axis=0)
    return centred @ np.linalg.svd(centred)[2][:n_components].T"""

SLEEP = "import time\ntime.sleep(600)"
LONG_CALL = "import numpy\nones = numpy.ones(10**6)\nnumpy.convolve(ones, ones)"


@pytest.fixture(scope="module")
def open_live(chromium, site):
    """Open the page anew: `open_live(width=390, color_scheme="dark")`; `script` runs before the page's own."""
    contexts = []

    def open_page(script="", **options):
        view = {"width": options.pop("width", 1280), "height": 900}
        contexts.append(chromium.new_context(viewport=view, service_workers="block", **options))
        contexts[-1].set_default_timeout(PATIENCE)
        contexts[-1].add_init_script(script)
        live = LivePage(contexts[-1].new_page())
        live.listen()
        live.go(f"{site}/{PAGE}")
        return live

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def live(open_live):
    """One page for many tests: Python starts once."""
    return open_live()


def test_nothing_of_python_is_fetched_before_the_first_touch(live):
    """The first of this file: nobody touched the page."""
    assert [url for url in live.requests if "/_static/live/" in url and "/page-" not in url] == []


def test_a_task_is_solved_by_keyboard_alone(live):
    """The second: the editor comes while the reader is there."""
    field = live.page.locator('.live[data-task="pca.scores"] textarea')
    field.focus()
    live.cell("pca.scores").block.locator(".cm-content").wait_for()
    assert [url for url in live.requests if "/editor-" in url]
    live.page.keyboard.press("Control+a")
    live.page.keyboard.type("def scores(X, n_components):\ncentred = X - X.mean(axis=0)\n")
    live.page.keyboard.type("return centred @ np.linalg.svd(centred)[2][:n_components].T")
    live.page.keyboard.press("Control+Enter")
    live.page.wait_for_selector(".dimred-verdict")
    assert "PASSED" in live.cell("pca.scores").said


def test_a_wrong_answer_is_told_its_mistake_and_a_right_one_passes(live, site):
    cell = live.cell("pca.scores")
    assert cell.check(UNCENTRED) == "Not yet."
    assert "about the origin" in cell.said
    link = cell.block.locator(".dimred-verdict a")
    assert link.evaluate("link => link.href").startswith(f"{site}/book/pca.html#")
    assert cell.check(RIGHT) == "Passed."
    assert "PASSED" in cell.said


def test_a_formula_is_judged_and_the_symbols_above_are_known(live):
    cell = live.cell("pca.curvature")
    assert cell.check("curvature = [2*(a - b), 2*(c - b)]") == "Passed."
    assert cell.check("curvature = [a - b, c - b]") == "Not yet."


def test_two_cells_share_one_python_and_a_later_one_may_use_an_earlier(live):
    workers = len(live.page.workers)
    live.cell("pca.scores").write(RIGHT)
    later = live.cell("pca.principal_axes")
    assert later.run("scores(np.eye(3), 2).shape") == "Done."
    assert "(3, 2)" in later.said
    assert len(live.page.workers) == workers == 1


def test_an_endless_loop_is_stopped_and_python_lives(live):
    cell = live.cell("pca.deflate")
    cell.begin("while True:\n    pass")
    worker = live.page.workers[0]
    cell.press("Stop")
    assert cell.ended() == "Stopped."
    assert live.page.workers[0] is worker
    assert cell.run("1 + 1") == "Done."


def test_a_new_python_starts_after_one_that_ended_or_does_not_listen(live):
    """An exit; a sleep; one long call of numpy: each begins in a Python that was started after the one before."""
    cell = live.cell("pca.deflate")
    assert cell.run("import os\nos._exit(3)") == "It did not run to the end."
    assert "exit(3)" in cell.said
    for code in (SLEEP, LONG_CALL):
        cell.begin(code)
        cell.press("Stop")
        assert cell.ended() == "Stopped."
    assert cell.run("1 + 1") == "Done."
    assert cell.said.strip() == "2"


CLOSE = "import js\njs.self.close()"
FORGE = """from pyodide.code import run_js
run_js("postMessage({type: 'done', id: 1, outcome: {}})")"""
ASK_ITSELF = """from pyodide.code import run_js
run_js("self.dispatchEvent(new MessageEvent('message', {data: {type: 'run', id: 1, request: {code: '1'}}}))")"""


def test_a_cell_can_neither_end_its_worker_nor_speak_for_it(live):
    cell = live.cell("pca.deflate")
    assert cell.run(CLOSE) == "It did not run to the end."
    assert cell.run(FORGE) == "It did not run to the end."
    assert "postMessage is not defined" in cell.said
    assert cell.run(ASK_ITSELF) == "Done."
    assert cell.run("1 + 1") == "Done."
    assert cell.said.strip() == "2"


def test_a_cell_that_changes_what_all_share_leaves_the_others_alone(live):
    cell = live.cell("pca.deflate")
    forged = "render.html = lambda *_: '<script>document.title = 1</script><b onclick=x>PASSED</b>'"
    assert (
        cell.run(f"import numpy as np\nfrom autograder.judging import render\n{forged}\nnp.mean = 1")
        == "Done."
    )
    other = live.cell("pca.scores")
    assert other.check(UNCENTRED) == "Not yet."
    assert "about the origin" in other.said


def test_a_verdict_holds_nothing_but_what_verdicts_are_made_of(live):
    """Whoever puts a text of his own in the place of a verdict has a text."""
    cell = live.cell("pca.scores")
    markup = "<img src=x onerror=document.title=1><b onclick=x>bold</b><a href=javascript:x>y</a>"
    forged = f"from autograder.judging import render\nrender.html = lambda *_: {markup!r}"
    cell.check(f"{forged}\n{UNCENTRED}")
    said = cell.block.locator(".live-said > div").inner_html()
    assert said == "<img>bold<a>y</a>"
    assert cell.check(UNCENTRED) == "Not yet."
    assert "about the origin" in cell.said


def test_what_a_cell_left_running_holds_nobody_up(live):
    left = "import asyncio\nasync def forever():\n    while True:\n        pass\nasyncio.ensure_future(forever());"
    cell = live.cell("pca.deflate")
    assert cell.run(left) == "Done."
    assert cell.run("1 + 1") == "Done."
    assert cell.said.strip() == "2"


def test_a_figure_is_drawn(live):
    cell = live.cell("pca.reconstruct")
    assert cell.run("from matplotlib import pyplot as plt\nplt.plot([1, 4, 9])") == "Done."
    image = cell.block.locator(".live-said img")
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 100
    assert cell.said == ""


def test_markup_is_shown_as_text(live):
    cell = live.cell("pca.multiplier")
    code = 'multiplier = "<img src=x onerror=document.title=1>"\nprint("<b>bold</b>")'
    cell.check(code)
    assert "<b>bold</b>" in cell.said
    assert cell.block.locator(".live-said img[src=x], .live-said b").count() == 0
    assert cell.run("raise ValueError('<i>x</i>')") == "It did not run to the end."
    assert "<i>x</i>" in cell.said


def test_escape_leaves_the_editor_and_tab_is_no_trap(live):
    cell = live.cell("pca.scores")
    cell.open()
    live.page.keyboard.press("Escape")
    focused = "document.activeElement.getAttribute('aria-label')"
    assert live.page.evaluate(focused) == "Run pca.scores"
    cell.open()
    live.page.keyboard.press("Tab")
    assert live.page.evaluate(focused) == "Run pca.scores"
    live.page.keyboard.press("Shift+Tab")
    assert live.page.evaluate(focused) == "Your answer to pca.scores"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_verdict_on_a_phone_fits_stands_out_and_breaks_no_rule(live, theme):
    page = live.page
    page.set_viewport_size({"width": 390, "height": 900})
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"document.documentElement.dataset.theme === {theme!r}")
    assert live.cell("pca.scores").check(UNCENTRED) == "Not yet."
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(TEXT_OF_LOW_CONTRAST) == []
    page.add_script_tag(path=str(AXE))
    page.evaluate("scrollTo(0, 0)")  # the header, which stays, would cover a button
    assert page.evaluate(VIOLATIONS.replace("axe.run(context", 'axe.run(".live"')) == []
    page.set_viewport_size({"width": 1280, "height": 900})


def test_a_reload_keeps_the_work_and_reset_brings_the_task_back(live):
    cell = live.cell("pca.captured_and_lost")
    stub = cell.text
    cell.write("mine = 1")
    live.page.reload()
    assert cell.text == "mine = 1"
    cell.press("Reset")
    live.page.wait_for_function(
        "document.querySelector('.live[data-task=\"pca.captured_and_lost\"] [role=status]').textContent"
    )
    assert cell.text.split() == stub.split()
    live.page.reload()
    assert cell.text.split() == stub.split()


def test_without_javascript_the_task_and_a_link_remain(open_live):
    page = open_live(java_script_enabled=False).page
    block = page.locator('.live[data-task="pca.scores"]')
    assert "def scores(X, n_components):" in block.inner_text()
    assert block.locator("a").count() == 1
    assert page.locator(".live button, .live textarea").count() == 0


WITHOUT_STORAGE = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { configurable: true, get() { throw new Error("refused"); } });"""


def test_without_storage_nothing_complains_and_the_page_remembers_until_it_is_left(open_live):
    live = open_live(script=WITHOUT_STORAGE)
    assert "is forgotten when you leave it" in live.page.locator(".live-note").inner_text()
    live.cell("pca.scores").write(RIGHT)
    later = live.cell("pca.principal_axes")
    assert later.run("scores(np.eye(3), 2).shape") == "Done."
    assert "(3, 2)" in later.said
    assert live.errors == []


@pytest.mark.parametrize("lacking", ["WebAssembly", "Worker", "DecompressionStream"])
def test_a_browser_that_cannot_run_python_is_told_so_and_led_to_the_notebook(open_live, lacking):
    page = open_live(script=f"delete globalThis.{lacking}").page
    assert f"has no {lacking}" in page.locator(".live-note").inner_text()
    block = page.locator('.live[data-task="pca.scores"]')
    assert block.locator("a").is_visible()
    assert block.locator(".highlight").is_visible()
    assert page.locator(".live-buttons, .live textarea").count() == 0


def test_a_browser_that_refuses_service_workers_is_not_sent_to_notebooks(open_live):
    door = "Open the notebook in the browser"
    assert open_live().page.get_by_role("link", name=door).is_visible()
    refuse = "navigator.serviceWorker.register = () => Promise.reject(new Error('private window'))"
    assert not open_live(script=refuse).page.get_by_role("link", name=door).is_visible()


def test_what_could_not_be_fetched_is_fetched_when_it_is_wanted_again(open_live):
    live = open_live()
    answers = [lambda route: route.abort(), lambda route: route.fulfill(body="half of it")]
    live.page.context.route(
        "**/numpy*.whl", lambda route: (answers.pop(0) if answers else type(route).continue_)(route)
    )
    cell = live.cell("pca.scores")
    for _ in range(2):
        assert cell.check(RIGHT) == "It did not run to the end."
        assert "could not be fetched" in cell.said
    assert cell.check(RIGHT) == "Passed."


def test_two_tabs_show_the_same_work(open_live):
    from playwright.sync_api import expect

    one = open_live()
    other = LivePage(one.page.context.new_page())
    other.page.goto(one.page.url)
    one.cell("pca.scores").write("mine = 1")
    field = other.page.locator('.live[data-task="pca.scores"] textarea')
    expect(field).to_have_value("mine = 1")
    other.cell("pca.scores").write("mine = 2")
    expect(one.cell("pca.scores").block.locator(".cm-content")).to_have_text("mine = 2")


def test_back_brings_every_field_its_own_text(open_live):
    live = open_live()
    labels = [field.get_attribute("aria-label") for field in live.page.locator(".live textarea").all()]
    texts = [field.input_value() for field in live.page.locator(".live textarea").all()]
    live.cell("pca.scores").open()
    live.page.goto(live.page.url.replace("assignments/", ""))
    live.page.go_back()
    live.page.locator(".live textarea").first.wait_for()
    live.page.wait_for_timeout(500)  # a browser fills fields in after the page has loaded
    fields = live.page.locator(".live textarea").all()
    assert [field.get_attribute("aria-label") for field in fields] == labels
    assert [field.input_value() for field in fields] == texts


def test_on_paper_the_task_is_there_and_the_buttons_are_not(live):
    live.page.emulate_media(media="print")
    block = live.cell("pca.scores").block
    assert block.locator(".live-stub").is_visible()
    assert not block.locator(".live-buttons").is_visible()
    live.page.emulate_media(media="screen")


def test_it_says_where_python_runs_and_what_leaves_the_device(live):
    assert "stays on this device" in live.page.locator(".live-note").inner_text()


def test_no_request_left_this_machine_and_nothing_complained(live, site):
    """The last of this file: what all the tests above asked for."""
    assert live.foreign(site.rpartition("/")[0]) == []
    assert live.errors == []
