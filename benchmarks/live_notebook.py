"""A whole assignment in JupyterLite: `python -m benchmarks.live_notebook` prints when it is there, and what it takes.

Headless Chromium, a first and a second visit; processor seconds are those of all its processes, and of the server that
runs in this one. Bytes are compressed, as a server would send them.
"""

import functools
import gzip
import http.server
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from autograder.book.pdf import chromium
from tests.browser.conftest import FLAGS, _QuietHandler
from tests.browser.live_book import PREFIX, publish

IS_OPEN = "document.querySelector('.jp-CodeCell')"
IS_READY = "jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
IS_JUDGED = "document.querySelector('.dimred-verdict')"
LOOK = 100  # milliseconds: Playwright's own way of waiting draws the page at every look
RUN = "() => void jupyterapp.commands.execute('notebook:run-all-cells')"


def main() -> None:
    """Publish a small book, visit its notebook twice, print the table."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        course, root = Path(temporary, "course"), Path(temporary, "published")
        course.mkdir()
        root.mkdir()
        publish(course, root)
        handler = functools.partial(_QuietHandler, directory=str(root))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_address[1]}/{PREFIX}"
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        context = browser.new_context()
        fetched: set[str] = set()
        context.on("request", lambda request: fetched.add(request.url.partition("?")[0]))
        print("| | | wall s | CPU s |\n|---|---|---|---|")
        for visit in ("first visit", "second visit"):
            for name, seconds, processor in _visit(context.new_page(), site):
                print(f"| {visit} | {name} | {seconds:.1f} | {processor:.1f} |")
        places = [root / PREFIX / url.removeprefix(f"{site}/") for url in fetched if url.startswith(site)]
        _print_bytes([place for place in places if place.is_file()])
        server.shutdown()


def _visit(page: Any, site: str) -> Iterator[tuple[str, float, float]]:
    """Open the notebook, wait for Python, run all cells; each step with the seconds since the beginning."""
    page.set_default_timeout(300_000)
    start, busy = time.perf_counter(), _processor_seconds()

    def since() -> tuple[float, float]:
        return time.perf_counter() - start, _processor_seconds() - busy

    page.goto(f"{site}/lite/notebooks/index.html?path=pca/pca.ipynb")
    page.wait_for_function(IS_OPEN, polling=LOOK)
    yield "the notebook can be read", *since()
    page.wait_for_function(IS_READY, polling=LOOK)
    yield "Python is ready", *since()
    page.evaluate(RUN)
    page.wait_for_function(IS_JUDGED, polling=LOOK)
    yield "the first verdict, sympy imported", *since()
    page.close()


def _processor_seconds() -> float:
    """Of this process and of all that it started and that still run."""
    own = psutil.Process()
    times = [one.cpu_times() for one in (own, *own.children(recursive=True))]
    return sum(one.user + one.system for one in times)


def _print_bytes(files: list[Path]) -> None:
    sizes = {place: len(gzip.compress(place.read_bytes(), 9)) for place in files}
    python = sum(size for place, size in sizes.items() if "/_static/live/" in place.as_posix())
    print(f"\n{python / 1e6:.1f} MB of Python, {(sum(sizes.values()) - python) / 1e6:.1f} MB of JupyterLite")


if __name__ == "__main__":
    main()
