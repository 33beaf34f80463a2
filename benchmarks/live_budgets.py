"""Bytes and seconds of live pages, in headless Chromium: a small book with a real assignment."""

import functools
import gzip
import http.server
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from tests.browser.conftest import FLAGS, _QuietHandler
from tests.browser.live_book import PREFIX, publish

BUDGETS = {"first verdict, cold": 3.0, "first verdict, warm": 2.5, "later verdicts": 0.15}
MEGABYTES = 12.0
LATER = 9
RIGHT = """def scores(X, n_components):
    centred = X - X.mean(axis=0)
    return centred @ np.linalg.svd(centred)[2][:n_components].T"""
CELL = '.live[data-task="pca.scores"]'
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


def budgets() -> None:
    """Print the table: measured, allowed."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        root = Path(temporary, "published")
        root.mkdir()
        publish(Path(temporary, "course"), root)
        handler = functools.partial(_QuietHandler, directory=str(root))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        site = f"http://127.0.0.1:{server.server_address[1]}/{PREFIX}"
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        measured, fetched = _measured(browser, f"{site}/book/pca.html")
        _print(measured, sum(_compressed(root, url.removeprefix(site)) for url in fetched) / 1e6)
        server.shutdown()


def _measured(browser: Any, address: str) -> tuple[dict[str, float], set[str]]:
    # without the service worker, which would serve the second visit
    page = browser.new_context(service_workers="block").new_page()
    fetched: set[str] = set()
    page.goto(address)
    page.evaluate(
        "text => localStorage.setItem(`live:${location.pathname.split('book/')[0]}:pca.scores`, text)", RIGHT
    )
    page.context.on("request", lambda request: fetched.add(request.url.partition("?")[0]))
    measured: dict[str, float] = {}
    for visit in ("cold", "warm"):
        page.reload()
        page.wait_for_load_state("networkidle")
        measured[f"first verdict, {visit}"] = page.evaluate(CHECKED, CELL)
        assert "PASSED" in page.locator(f"{CELL} .live-said").inner_text()
        time.sleep(0.5)
    later = sorted(page.evaluate(CHECKED, CELL) for _ in range(LATER))
    measured["later verdicts"] = later[LATER // 2]
    return measured, {url for url in fetched if "/_static/live/" in url}


def _compressed(root: Path, path: str) -> int:
    return len(gzip.compress(Path(root, PREFIX, path.lstrip("/")).read_bytes(), 9))


def _print(measured: dict[str, float], megabytes: float) -> None:
    print("| budget | measured | allowed |\n|---|---|---|")
    for name, seconds in measured.items():
        print(f"| {name} | {seconds:.2f} s | {BUDGETS[name]:g} s |")
    print(f"| before the first verdict, compressed | {megabytes:.1f} MB | {MEGABYTES:g} MB |")
