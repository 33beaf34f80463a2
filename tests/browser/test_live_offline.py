"""After one visit the book opens and checks without a network; the worker that does it is versioned."""

import functools
import http.server
import shutil
import threading

import pytest

from autograder.book.live.offline import write_worker
from tests.browser.conftest import _QuietHandler
from tests.browser.live import PATIENCE, LivePage

pytestmark = pytest.mark.browser
RIGHT = """def scores(X, n_components):
    centred = X - X.mean(axis=0)
    return centred @ np.linalg.svd(centred)[2][:n_components].T"""
KEPT = "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"


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


@pytest.fixture
def published(live_book, tmp_path):
    """A copy of the small live book, its server and its address."""
    shutil.copytree(live_book / "my-repo", tmp_path / "my-repo")
    server = Server(tmp_path)
    yield server, f"http://127.0.0.1:{server.port}/my-repo"
    server.stop()


def test_the_book_opens_and_checks_without_a_network(chromium, published):
    server, address = published
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE)
    live = LivePage(context.new_page())
    live.page.goto(f"{address}/book/pca.html")
    live.page.wait_for_function(KEPT)
    cell = live.cell("pca.scores")
    assert cell.check(RIGHT) == "Passed."
    manifest = live.page.locator("link[rel=manifest]").evaluate(
        "link => fetch(link.href).then(file => file.json())"
    )
    assert manifest["start_url"] == "./index.html"

    server.stop()
    live.page.goto(f"{address}/book/start.html")  # not visited before
    assert "Start" in live.page.locator("h1").last.inner_text()
    live.page.goto(f"{address}/book/assignments/pca.html")
    assert live.cell("pca.scores").check(RIGHT) == "Passed."

    context.close()
    server.start()


def test_a_worker_is_new_exactly_when_something_that_it_keeps_is(tmp_path):
    (tmp_path / "_static/live/python-1").mkdir(parents=True)
    page, runtime = tmp_path / "a.html", tmp_path / "_static/live/python-1/x.wasm"
    page.write_text("one", "utf-8")
    runtime.write_text("large", "utf-8")

    def written():
        write_worker(tmp_path, ["_static/live/python-1"])
        return (tmp_path / "sw.js").read_text("utf-8")

    first = written()
    assert '["a.html"]' in first
    assert written() == first
    page.write_text("two", "utf-8")
    assert written() != first
