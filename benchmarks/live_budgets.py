"""Bytes and seconds of live pages, in headless Chromium: a small book with a real assignment.

Three readers come one after the other, each with a browser that knows nothing of the book, and come back once. Of
their times the median counts.
"""

import contextlib
import functools
import gzip
import http.server
import os
import statistics
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from autograder.book.pdf import chromium
from tests.browser.conftest import FLAGS, _QuietHandler
from tests.browser.live_book import PREFIX, publish

BUDGETS = {"first verdict, cold": 3.0, "first verdict, warm": 2.5, "later verdicts": 0.15}
MEGABYTES = 12.0
READERS = 3
LATER = 9  # verdicts after the first, of each reader
BUSY = 0.5  # a load, before anything is measured, at which seconds by the clock say little
RIGHT = """def scores(X, n_components):
    centred = X - X.mean(axis=0)
    return centred @ np.linalg.svd(centred)[2][:n_components].T"""
CELL = '.live[data-task="pca.scores"]'
MARKS = (
    "Object.fromEntries(performance.getEntriesByType('mark').map(mark => [mark.name, mark.startTime / 1000]))"
)
PHASES = {
    "compiled": "Python's program is fetched and compiled",
    "unpacked": "numpy and the engine are in its file system",
    "started": "Python has started",
    "imported": "numpy and the engine are imported",
    "answered": "the cell is judged",
    "CPU": "CPU of the thread that runs Python, in all",
}
# The first touch to the verdict, by the page's own clock.
CHECKED = """async selector => {
  const block = document.querySelector(selector), start = performance.now();
  const ended = () => block.getAttribute("aria-busy") === "false" && block.querySelector(".dimred-verdict");
  block.querySelector(".live-said").replaceChildren();
  block.querySelector("textarea, .cm-content").focus();
  block.querySelectorAll(".live-buttons button")[1].click();
  while (!ended()) await new Promise(resolve => setTimeout(resolve, 5));
  return (performance.now() - start) / 1000;
}"""


@dataclass
class Measured:
    """What was measured: seconds by budget, what each phase took by visit, and what was fetched."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in BUDGETS})
    phases: dict[str, list[dict[str, float]]] = field(default_factory=lambda: {"cold": [], "warm": []})
    fetched: set[str] = field(default_factory=set)


def budgets() -> bool:
    """Print the table, a verdict for each budget, and the phases; were all of them met?"""
    from playwright.sync_api import sync_playwright

    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        root, course = Path(temporary, "published"), Path(temporary, "course")
        root.mkdir()
        course.mkdir()
        publish(course, root)
        handler = functools.partial(_QuietHandler, directory=str(root))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_address[1]}/{PREFIX}"
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        measured = Measured()
        for _ in range(READERS):
            # without the service worker, which would serve the second visit
            context = browser.new_context(service_workers="block")
            context.set_default_timeout(120_000)
            _visit_twice(context.new_page(), f"{site}/book/pca.html", measured)
            context.close()
        megabytes = sum(_compressed(root, url.removeprefix(site)) for url in measured.fetched) / 1e6
        server.shutdown()
    are_met = _print(measured, megabytes)
    _print_phases(measured.phases)
    print(f"\nLoad average before the first visit: {load:.1f} on {os.cpu_count()} cores.")
    if load > BUSY:
        print("Other programs ran: bytes and CPU seconds can be compared, seconds by the clock cannot.")
    return are_met


def _visit_twice(page: Any, address: str, measured: Measured) -> None:
    """A first visit and a second; then a few more verdicts."""
    page.goto(address)
    page.evaluate(
        "text => localStorage.setItem(`live:${location.pathname.split('book/')[0]}:pca.scores`, text)", RIGHT
    )
    asked: list[str] = []
    page.context.on("request", lambda request: asked.append(request.url.partition("?")[0]))
    for visit, phases in measured.phases.items():
        page.reload()
        page.wait_for_load_state("networkidle")
        measured.seconds[f"first verdict, {visit}"].append(page.evaluate(CHECKED, CELL))
        assert "PASSED" in page.locator(f"{CELL} .live-said").inner_text()
        phases.append(page.workers[0].evaluate(MARKS) | {"CPU": worker_cpu()})
    measured.seconds["later verdicts"] += [page.evaluate(CHECKED, CELL) for _ in range(LATER)]
    measured.fetched |= {url for url in asked if "/_static/live/" in url}


def worker_cpu() -> float:
    """CPU seconds of the thread that runs Python: what an idle machine would need besides fetching and compiling."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        for file in Path(f"/proc/{process.pid}/task").glob("*/stat"):
            with contextlib.suppress(OSError):
                name, _, fields = file.read_text("utf-8").rpartition(")")
                if "DedicatedWorker" in name:
                    total += sum(map(int, fields.split()[11:13]))
    return total / os.sysconf("SC_CLK_TCK")


def _compressed(root: Path, path: str) -> int:
    return len(gzip.compress(Path(root, PREFIX, path.lstrip("/")).read_bytes(), 9))


def _print(measured: Measured, megabytes: float) -> bool:
    rows = [
        (name, statistics.median(seconds), BUDGETS[name], "s", f"{min(seconds):.2f} – {max(seconds):.2f}")
        for name, seconds in measured.seconds.items()
    ]
    rows.append(("before the first verdict, compressed", megabytes, MEGABYTES, "MB", ""))
    print("| budget | median | from – to | allowed | |\n|---|---|---|---|---|")
    for name, found, allowed, unit, spread in rows:
        verdict = "met" if found <= allowed else "NOT MET"
        print(f"| {name} | {found:.2f} {unit} | {spread} | {allowed:g} {unit} | {verdict} |")
    missed = [name for name, found, allowed, *_ in rows if found > allowed]
    print(f"\nNot met: {', '.join(missed)}." if missed else "\nAll budgets are met.")
    return not missed


def _print_phases(phases: dict[str, list[dict[str, float]]]) -> None:
    """Seconds since the worker was asked to start, at the end of each phase."""
    print(f"\n| phase ends | {' | '.join(phases)} |\n|---|{'---|' * len(phases)}")
    for name, words in PHASES.items():
        medians = [statistics.median(one.get(name, 0.0) for one in visits) for visits in phases.values()]
        print(f"| {words} | {' | '.join(f'{seconds:.2f} s' for seconds in medians)} |")
