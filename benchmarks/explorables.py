"""Measure the explorables in headless Chromium: milliseconds of main thread for each frame, and bytes.

Each picture is changed once in every frame, as by a hand that drags. Run `python -m benchmarks.explorables`, with
`--slower 4` as on a phone whose core is four times slower. Work is counted by Chromium's own clock of tasks.
"""

import argparse
import functools
import gzip
import http.server
import importlib
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from autograder.book.pdf import chromium
from autograder.book.sphinx.practice import published
from tests.browser.conftest import FLAGS, _QuietHandler

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "book/_static/explore"
N_FRAMES = 100
LIVE = "document.querySelector('figure.is-live')?.explorable !== undefined"
PAGE = """<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8"><title>{name}</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="explore/explore.css">{figure}
<script type="module" src="explore/load.mjs"></script></html>"""
# A key for what listens to keys, else the first range; once in each frame. Returns the intervals between frames.
DRAG = """async count => {
  const grip = document.querySelector(".live :is(.point[tabindex='0'], [role=slider], svg[tabindex])");
  const range = document.querySelector(".live input[type=range]");
  const change = place => {
    if (grip) {
      const key = place % 20 < 10 ? "ArrowUp" : "ArrowDown";
      return grip.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
    range.value = Number(range.value) + (place % 20 < 10 ? 1 : -1) * Number(range.step);
    range.dispatchEvent(new Event("input"));
  };
  const times = [];
  for (let place = 0; place < count; place++) {
    times.push(await new Promise(requestAnimationFrame));
    change(place);
  }
  return times.slice(1).map((time, at) => time - times[at]).sort((a, b) => a - b);
}"""
# From a new number of neighbours to the map, and the longest task on the way.
UNROLL = """async () => {
  const range = document.querySelector(".live input[type=range]"), live = document.querySelector(".live");
  const times = [];
  for (const k of [7, 8, 9, 10, 6]) {
    const before = document.querySelector("figure").explorable, start = performance.now();
    range.value = k;
    range.dispatchEvent(new Event("input"));
    while (document.querySelector("figure").explorable === before) await new Promise(requestAnimationFrame);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[2];
}"""


def main() -> None:
    """Print a row for each picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slower", type=float, default=1, help="how many times slower the core is made")
    arguments = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        names = _write_pages(Path(folder))
        address = _serve(folder)
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        print("| picture | ms a frame, all | of it script | frames apart, median / 95 % | bytes, gzipped |")
        print("|---|---|---|---|---|")
        for name in names:
            page = browser.new_page(viewport={"width": 900, "height": 900})
            page.goto(f"{address}/{name}.html")
            page.wait_for_function(LIVE)
            print(_row(page, name, arguments.slower))
            if name == "roll":
                print(f"| roll, a new map | {page.evaluate(UNROLL):.0f} (to the map, by the clock) | | | |")
            page.close()
        browser.close()
    library = sum(_weight(path) for path in sorted((SCRIPTS / "lib").glob("*.mjs")))
    print(
        f"\nLibrary {library} bytes, loader {_weight(SCRIPTS / 'load.mjs')}, style {_weight(SCRIPTS / 'explore.css')}."
    )


def _row(page: Any, name: str, slower: float) -> str:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
    before = _metrics(session)
    apart = page.evaluate(DRAG, N_FRAMES)
    after = _metrics(session)
    whole, script = (
        1000 * (after[key] - before[key]) / N_FRAMES for key in ("TaskDuration", "ScriptDuration")
    )
    median, late = apart[len(apart) // 2], apart[int(0.95 * len(apart))]
    return f"| {name} | {whole:.1f} | {script:.1f} | {median:.1f} / {late:.1f} | {_weight(SCRIPTS / f'{name}.mjs')} |"


def _metrics(session: Any) -> dict[str, float]:
    return {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}


def _weight(path: Path) -> int:
    text = path.read_text("utf-8")
    return len(gzip.compress((published(text) if path.suffix == ".mjs" else text).encode(), mtime=0))


def _write_pages(folder: Path) -> list[str]:
    """Write a bare page for each picture and return their names."""
    shutil.copytree(SCRIPTS, folder / "explore")
    for path in (folder / "explore").rglob("*.mjs"):
        path.write_text(published(path.read_text("utf-8")), "utf-8")
    sys.path.insert(0, str(ROOT / "book"))
    pictures = importlib.import_module("_figures.explorable_pictures")
    names = sorted(path.stem for path in SCRIPTS.glob("*.mjs") if path.stem != "load")
    for name in names:
        text = PAGE.format(name=name, figure=getattr(pictures, name)().data)
        (folder / f"{name}.html").write_text(text, "utf-8")
    return names


def _serve(folder: str) -> str:
    handler = functools.partial(_QuietHandler, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


if __name__ == "__main__":
    main()
