"""After one visit the book opens and checks without a network; after an update no page is stale."""

import functools
import http.server
import json
import re
import shutil
import threading

import pytest

from autograder.book.live.offline import write_worker
from benchmarks.live_pages import RUN
from tests.browser.conftest import _QuietHandler
from tests.browser.live import PATIENCE, LivePage

pytestmark = pytest.mark.browser
RIGHT = """def scores(X, n_components):
    centred = X - X.mean(axis=0)
    return centred @ np.linalg.svd(centred)[2][:n_components].T"""
IS_KEPT = "navigator.serviceWorker.controller !== null"
IS_KEPT_ANEW = """async () => {
  const names = (await caches.keys()).filter(name => name.startsWith("book "));
  const pages = await Promise.all(names.map(async name => (await caches.open(name)).match(location.href)));
  const texts = await Promise.all(pages.map(page => page?.text() ?? ""));
  return texts.length === 1 && texts[0].includes("Anew");
}"""
PROBLEM = """async () => {
  const answer = await fetch("../_static/practice/data/pca.first_component.json?1234abcd");
  return (await answer.json()).task;
}"""


class Server:
    """A server that can go away and come back at the same address."""

    def __init__(self, folder):
        self.handler = functools.partial(_QuietHandler, directory=str(folder))
        self.port = 0
        self.start()

    def start(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), self.handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def published(live_book, tmp_path_factory):
    """A copy of the small live book that a test may change, its server and its address."""
    root = tmp_path_factory.mktemp("offline")
    shutil.copytree(live_book / "my-repo", root / "my-repo")
    server = Server(root)
    yield root / "my-repo", server, f"http://127.0.0.1:{server.port}/my-repo"
    server.stop()


def wait_until(page, question):
    """Ask until the page says yes. `wait_for_function` would take the promise of an answer for a yes."""
    for _ in range(PATIENCE // 200):
        if page.evaluate(question):
            return
        page.wait_for_timeout(200)
    pytest.fail(f"it never became true: {question}")


def title(page):
    return page.locator("h1").last.inner_text()


def runtime_of(folder):
    table = json.loads((folder / "_static/live/live.json").read_text("utf-8"))
    files = [table["python"], table["editor"], *(wheel["address"] for wheel in table["wheels"].values())]
    return [f"_static/live/{file.partition('/')[0]}" for file in files]


@pytest.fixture(scope="module")
def live(chromium, published):
    """A reader who visits the path, asks for the whole book, and goes to the chapter: one for all tests."""
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    live = LivePage(context.new_page())
    live.page.goto(f"{published[2]}/book/path.html")
    wait_until(live.page, IS_KEPT)
    live.page.get_by_role("button", name="Keep the book offline").click()
    live.page.wait_for_selector("text=All pages open without a network now.")
    live.page.goto(f"{published[2]}/book/pca.html")
    yield live
    context.close()


def test_the_book_opens_and_checks_without_a_network(live, published):
    _, server, address = published
    assert live.cell("pca.scores").check(RIGHT) == "Passed."
    manifest = live.page.locator("link[rel=manifest]").evaluate(
        "link => fetch(link.href).then(file => file.json())"
    )
    assert manifest["start_url"] == "./index.html"

    server.stop()
    live.page.goto(f"{address}/book/start.html")  # not visited before
    assert "Start" in title(live.page)
    assert live.page.evaluate(PROBLEM) == "pca.first_component"
    live.page.goto(f"{address}/book/assignments/pca.html")
    assert live.cell("pca.scores").check(RIGHT) == "Passed."
    server.start()


def test_python_that_was_kept_draws_a_figure_without_a_network(live, published):
    _, server, address = published
    live.page.goto(f"{address}/book/path.html")
    asked = []
    live.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    live.page.get_by_role("button", name="Keep Python offline").click()
    live.page.wait_for_selector("text=All cells of the pages that are kept run without a network now.")
    assert re.search(r"have \d\d MB", asked[0])
    server.stop()
    live.page.goto(f"{address}/book/cells.html")
    run = live.page.evaluate(RUN, 2)
    assert run["draws"], run
    assert run["error"] == ""
    server.start()


def test_no_page_is_stale_after_an_update(live, published):
    folder, server, address = published
    start = f"{address}/book/start.html"
    page = folder / "book" / "start.html"
    page.write_text(page.read_text("utf-8").replace("Start", "Anew"), "utf-8")
    write_worker(folder, runtime_of(folder))
    live.page.goto(start)
    assert "Anew" in title(live.page)  # at once, though the old worker still serves
    wait_until(live.page, IS_KEPT_ANEW)
    server.stop()
    live.page.goto(start)
    assert "Anew" in title(live.page)


def test_a_first_visit_fetches_one_page_and_that_page_opens_without_a_network(chromium, live_book, tmp_path):
    shutil.copytree(live_book / "my-repo", tmp_path / "my-repo")
    server = Server(tmp_path)
    address = f"http://127.0.0.1:{server.port}/my-repo"
    context = chromium.new_context()
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    page.goto(f"{address}/book/cells.html")
    wait_until(page, IS_KEPT)
    wait_until(page, "caches.match(location.href).then(Boolean)")
    page.wait_for_timeout(500)
    assert not [url for url in asked if "/book/" in url and not url.endswith("/book/cells.html")]
    server.stop()
    page.goto(f"{address}/book/cells.html")
    assert "Cells" in title(page)
    assert page.evaluate("document.styleSheets.length") > 2
    context.close()


def test_a_worker_is_new_exactly_when_something_that_it_keeps_is(tmp_path):
    (tmp_path / "_static/live/python-1").mkdir(parents=True)
    page, runtime = tmp_path / "a.html", tmp_path / "_static/live/python-1/x.wasm"
    page.write_text("one", "utf-8")
    runtime.write_text("large", "utf-8")

    def written():
        write_worker(tmp_path, ["_static/live/python-1"])
        return (tmp_path / "sw.js").read_text("utf-8")

    first = written()
    assert 'FILES = ["a.html"]' in first
    assert 'RUNTIME_FILES = ["_static/live/python-1/x.wasm"]' in first
    assert written() == first
    page.write_text("two", "utf-8")
    assert written() != first
