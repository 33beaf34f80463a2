"""First visits and runs of cells on every page of a live book, in headless Chromium.

`dimred book --live`, then `python -m benchmarks.live pages [page …]`. A page is opened by a browser that knows nothing
of the book: what the server was asked for is weighed, compressed. Then every cell that a reader may change is run
twice; a second fresh browser runs the first cell that draws. Processor seconds are those of the thread that runs
Python. A restart is a Python beyond the first.
"""

import functools
import gzip
import http.server
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.book.pdf import chromium
from benchmarks.live_budgets import worker_cpu
from tests.browser.conftest import FLAGS, _QuietHandler

MAX_KILOBYTES = 400  # beyond pictures, compressed
MAX_SECOND_SECONDS, MAX_TEXT_SECONDS, MAX_FIGURE_SECONDS = 1.0, 3.0, 6.0
PICTURES = {".png", ".jpg", ".svg", ".ico", ".gif"}
COMPRESSED = {".png", ".jpg", ".gif", ".woff", ".woff2", ".whl", ".zip"}
HEADINGS = (
    *("page", "kB", "cells", "first text, s / CPU s", "first figure, s / CPU s"),
    *("slowest second run, CPU s", "over 1 s", "restarts", "errors"),
)
CELL_TIMEOUT = 300_000  # milliseconds
# Turn a cell live if it is not, run it, and wait for its end.
RUN = """async number => {
  const door = document.querySelector(`.live-door[data-cell="${number}"]`);
  door.querySelector(".live-turn")?.click();
  const start = performance.now();
  door.querySelector("button[aria-label^='Run ']").click();
  while (door.getAttribute("aria-busy") !== "false") await new Promise(resolve => setTimeout(resolve, 5));
  const said = door.closest(".cell").querySelector(".live-said");
  return {
    seconds: (performance.now() - start) / 1000, draws: said.querySelector("img") !== null,
    error: said.querySelector(".live-error")?.textContent ?? "",
  };
}"""
CELLS = """[...document.querySelectorAll(".live-door")].map(door => ({
  number: Number(door.dataset.cell), draws: door.closest(".cell").querySelector(".cell_output img") !== null,
}))"""


@dataclass
class PageResult:
    """Measurements of one page. Pairs are (seconds by the clock, processor seconds)."""

    kilobytes: float = 0.0
    n_cells: int = 0
    n_pythons: int = 0
    first_text: tuple[float, float] | None = None
    first_figure: tuple[float, float] | None = None
    second_runs: list[tuple[float, int]] = field(default_factory=list)  # (processor seconds, cell)
    errors: list[str] = field(default_factory=list)

    def row(self, name: str) -> str:
        """Return the row of the table."""
        pair = [
            "–" if run is None else "{:.1f} / {:.1f}".format(*run)
            for run in (self.first_text, self.first_figure)
        ]
        slowest, cell = max(self.second_runs, default=(0.0, 0))
        over = sum(seconds > MAX_SECOND_SECONDS for seconds, _ in self.second_runs)
        runs = [self.n_cells, *pair, f"{slowest:.2f} (cell {cell + 1})" if self.n_cells else "–", over]
        restarts = max(self.n_pythons - 1, 0)
        cells = [name, f"{self.kilobytes:.0f}", *runs, restarts, len(self.errors)]
        return f"| {' | '.join(map(str, cells))} |"


class _Counted(_QuietHandler):
    """Serve a folder and note every file that was sent."""

    sent: set[Path]

    def send_head(self) -> Any:
        path = Path(self.translate_path(self.path))
        self.sent.add(path / "index.html" if path.is_dir() else path)
        return super().send_head()


@contextmanager
def _served(folder: Path) -> Iterator[tuple[str, set[Path]]]:
    sent: set[Path] = set()
    handler = functools.partial(type("Counted", (_Counted,), {"sent": sent}), directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}", sent
    server.shutdown()


def compressed_kilobytes(files: set[Path]) -> float:
    """Return the size of files other than pictures, as a server that compresses text sends them."""
    total = 0
    for file in files:
        if file.is_file() and file.suffix not in PICTURES:
            content = file.read_bytes()
            total += len(content if file.suffix in COMPRESSED else gzip.compress(content))
    return total / 1e3


def pages(site: Path, names: list[str]) -> bool:
    """Print a row for each page; return whether every page is within its bounds."""
    from playwright.sync_api import sync_playwright

    print(f"| {' | '.join(HEADINGS)} |\n|{'---|' * len(HEADINGS)}")
    results = {}
    with sync_playwright() as playwright, _served(site) as (address, sent):
        for name in names or sorted(path.stem for path in (site / "book").glob("*.html")):
            results[name] = _measure(playwright, f"{address}/book/{name}.html", sent)
            print(results[name].row(name), flush=True)
    for name, result in results.items():
        for error in result.errors:
            print(f"\n{name}: {error}")
    print(f"\nLoad average at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    return not any(
        result.errors
        or result.n_pythons > 1
        or result.kilobytes > MAX_KILOBYTES
        or any(seconds > MAX_SECOND_SECONDS for seconds, _ in result.second_runs)
        for result in results.values()
    )


def _measure(playwright: Any, address: str, sent: set[Path]) -> PageResult:
    result = PageResult()
    with _fresh_page(playwright, result) as page:
        pythons: list[Any] = []
        page.on("worker", lambda worker: pythons.append(worker))
        sent.clear()
        page.goto(address)
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(1500)  # what a service worker fetches by itself
        result.kilobytes = compressed_kilobytes(sent)
        cells = page.evaluate(CELLS)
        result.n_cells = len(cells)
        cells.sort(key=lambda cell: cell["draws"])  # the first run is one that prints, if there is one
        for place, cell in enumerate(cells):
            first = _run(page, cell["number"], result)
            if place == 0 and not cell["draws"]:
                result.first_text = first
            result.second_runs.append((_run(page, cell["number"], result)[1], cell["number"]))
        result.n_pythons = len(pythons)
    drawing = [cell["number"] for cell in cells if cell["draws"]]
    if drawing:
        with _fresh_page(playwright, result) as page:
            page.goto(address)
            page.wait_for_load_state("networkidle")
            result.first_figure = _run(page, drawing[0], result)
    return result


@contextmanager
def _fresh_page(playwright: Any, result: PageResult) -> Iterator[Any]:
    """Open a browser of its own, so that the processor seconds of its threads begin at zero."""
    browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
    page = browser.new_page()
    page.set_default_timeout(CELL_TIMEOUT)
    page.on("pageerror", lambda error: result.errors.append(f"page: {error}"))
    page.on("console", lambda line: line.type == "error" and result.errors.append(f"console: {line.text}"))
    try:
        yield page
    finally:
        browser.close()


def _run(page: Any, number: int, result: PageResult) -> tuple[float, float]:
    """Run a cell and return its seconds by the clock and of the processor."""
    before = worker_cpu()
    run = page.evaluate(RUN, number)
    if run["error"]:
        result.errors.append(f"cell {number + 1}: {run['error'].strip().splitlines()[-1]}")
    return run["seconds"], worker_cpu() - before
