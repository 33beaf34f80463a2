"""Headless Chromium that can reach this machine and nothing else, and a server for built folders."""

import contextlib
import fcntl
import functools
import http.server
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from autograder.book import pdf as book_pdf
from autograder.book.build import build_book
from autograder.book.formulas import as_written
from autograder.book.live.assets import live_assets
from autograder.book.serve import BOOK_POLICY
from autograder.errors import LiveError
from tests.browser.live_book import PREFIX, publish

ROOT = Path(__file__).resolve().parents[2]

# Every name but these two is unknown, so a page that works here works without the internet.
ONLY_THIS_MACHINE = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules={ONLY_THIS_MACHINE}",
]

# True when MathJax has typeset what it was asked to. One expression that waits by itself: a page that leads on to
# another may do so between two questions.
TYPESET = "window.MathJax?.startup?.promise?.then(() => true)"
# Where the book was built without node, its pages typeset their formulas themselves.
BUILT_TYPESET = "!document.querySelector('script[src*=mathjax]')"
# Over when a page has been laid out for its window, and the scripts that listen to that have run.
LAID_OUT = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


@dataclass
class Visit:
    """A page that was opened, with what it asked for and what went wrong."""

    page: "playwright.sync_api.Page"  # noqa: F821 - imported only where Chromium is
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class _QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files under the content security policy of `dimred book --serve`: what it forbids is an error here."""

    def end_headers(self) -> None:
        self.send_header("Content-Security-Policy", BOOK_POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serve a folder on a free port of this machine: `serve(folder)` returns its address."""
    servers = []

    def start(folder: Path) -> str:
        handler = functools.partial(_QuietHandler, directory=str(folder))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in servers:
        server.shutdown()


@pytest.fixture(scope="session")
def chromium():
    """One browser for the whole run."""
    executable = book_pdf.chromium()
    if executable is None:
        pytest.fail(
            "Chromium was not found. Install it: apt-get install chromium-headless-shell", pytrace=False
        )
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        yield browser
        browser.close()


# What is asked of a page is asked of its folded parts, too.
OPEN_IN_DEPTH_PARTS = (
    "document.querySelectorAll('article details.depth').forEach(part => { part.open = true; })"
)


def opened(
    chromium,
    url: str,
    *,
    width: int = 1280,
    theme: str = "light",
    mathematics: bool = True,
) -> Visit:
    """Open a page in a context of its own, with its formulas, or with the TeX that they were made of."""
    context = chromium.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=theme,
        service_workers="block",  # it would fetch the whole book at every visit
    )
    visited = Visit(context.new_page())
    visited.page.on("request", lambda request: visited.requests.append(request.url))
    visited.page.on("pageerror", lambda error: visited.errors.append(str(error)))
    visited.page.on("console", lambda line: line.type == "error" and visited.errors.append(line.text))
    if not mathematics:
        visited.page.route("**/*.html*", with_formulas_as_text)
    visited.page.goto(url, timeout=120_000)
    visited.page.wait_for_function(f"{BUILT_TYPESET} || {TYPESET}", timeout=120_000)
    return visited


def with_formulas_as_text(route) -> None:
    """Hand a page to the browser with the TeX that its formulas were made of."""
    answer = route.fetch()
    route.fulfill(response=answer, body=as_written(answer.text()))


@pytest.fixture
def visit(chromium):
    """Open a page: `visit(url, width=390, theme="dark")` returns a Visit."""
    visits = []

    def open_page(url: str, **view) -> Visit:
        visits.append(opened(chromium, url, **view))
        return visits[-1]

    yield open_page
    for visited in visits:
        visited.page.context.close()


@pytest.fixture(scope="module")
def look(chromium, book_url):
    """Look at a page of the book that other tests have looked at or will: `look(path, width=390)`.

    The last page stays open. Another width makes its window narrower or wider, as when a phone is turned: to lay out a
    chapter takes seconds. Tests that ask for every page are parametrised with `scope="module"`, so that pytest runs all
    tests of one page before it goes to the next.
    """
    last: dict[str, Visit] = {}

    def at(path: str, *, width: int = 1280) -> Visit:
        if path not in last:
            close()
            last[path] = opened(chromium, f"{book_url}/{path}", width=width)
            last[path].page.evaluate(OPEN_IN_DEPTH_PARTS)
        visited = last[path]
        if visited.page.viewport_size["width"] != width:
            visited.page.set_viewport_size({"width": width, "height": 900})
            visited.page.evaluate(LAID_OUT)
        return visited

    def close() -> None:
        while last:
            last.popitem()[1].page.context.close()

    yield at
    close()


@pytest.fixture(scope="session")
def why_not_live() -> str:
    """Why the files of live pages cannot be had here; empty where they can, and then they are there."""
    with _alone():
        try:
            live_assets()
        except LiveError as error:
            return str(error)
    return ""


@pytest.fixture(scope="session")
def built_book(why_not_live) -> Path:
    """The folder of the built book, brought up to date once in a run, live where it can be."""
    run, built_in = os.environ.get("PYTEST_XDIST_TESTRUNUID"), ROOT / "_build" / "built_in"
    with _alone():
        if run is None or not built_in.is_file() or built_in.read_text("utf-8") != run:
            build_book(ROOT, live=not why_not_live)
            built_in.write_text(run or "", "utf-8")
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def live_book(why_not_live, tmp_path_factory, released_course) -> Path:
    """The root of a server with a small live book below a prefix."""
    if why_not_live:
        pytest.skip(f"the files of live pages cannot be had: {why_not_live}")
    root = tmp_path_factory.mktemp("published")
    publish(tmp_path_factory.mktemp("live"), root, released_course)
    return root


@pytest.fixture(scope="session")
def site(serve, live_book) -> str:
    """The address of the small live book."""
    return f"{serve(live_book)}/{PREFIX}"


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Test processes that run side by side build one after the other."""
    (ROOT / "_build").mkdir(exist_ok=True)
    with (ROOT / "_build" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def book_url(serve, built_book) -> str:
    """The address of the built book."""
    return serve(built_book)
