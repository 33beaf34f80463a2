"""Take the pictures of README from the real thing: `python -m benchmarks.pictures [chapter] [verdict] [report]`.

A headless Chromium opens the built book, JupyterLab and the demo class's report, does what a person would do, and
photographs it. Run `make course SERVE=no` first: it builds the book with live cells and grades the demo class.
"""

import argparse
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import nbformat
from PIL import Image

from autograder.authoring.cells import name_of
from autograder.book.pdf import chromium
from autograder.book.serve import free_port

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / ".github" / "pictures"
MAX_BYTES = 150_000  # a picture that README shows at once on a slow line
COLOURS = 128  # of a picture: pages are drawn with few, and a palette halves the file
SCALE = 2  # pixels for each CSS pixel: README is read on dense screens, too
TIMEOUT_MS = 600_000  # Python starts in the page, on a busy machine
PORT = 8890

# The classic mistake of README's sample: the data are not centred.
TASK = "scores"
MISTAKE = """def scores(X, n_components):
    _, _, axes = np.linalg.svd(X)
    return X @ axes[:n_components].T"""
# In the chapter: with too many neighbours the graph takes a short cut across the gap of the roll.
FIGURE = "fig-isomap-roll"
FEW, MANY = "knn_graph(roll.X, 10)", "knn_graph(roll.X, 35)"


class PictureError(Exception):
    """A picture cannot be taken; the message says what to do."""


def take_chapter(browser: Any) -> Image.Image:
    """Change a number in a chapter's cell, run it in the page, and photograph cell and figure."""
    if not (ROOT / "_build" / "html" / "_static" / "live").is_dir():
        raise PictureError("the book was built without live cells: run make course SERVE=no")
    with _served(ROOT / "_build" / "html") as address:
        page = _page(browser, width=760, height=1600)
        page.goto(f"{address}/book/isomap.html")
        cell = page.locator(".cell", has=page.locator(f"#{FIGURE}"))
        if not cell.locator("details").first.evaluate("details => details.open"):
            cell.locator("summary").first.click()
        cell.get_by_role("button", name=re.compile("Edit and run")).click()
        editor = cell.locator(".cm-content")
        editor.wait_for()
        code = "\n".join(line.strip("\n") for line in cell.locator(".cm-line").all_inner_texts())
        if FEW not in code:
            raise PictureError(f"the cell of {FIGURE} does not contain {FEW}: change FEW in {__file__}")
        editor.press("Control+a")
        page.keyboard.insert_text(code.replace(FEW, MANY))
        page.keyboard.press("Shift+Enter")
        cell.locator("[role=status]", has_text="Done").wait_for()
        page.wait_for_timeout(500)
        return _clipped(page, cell, margin=14)


def take_verdict(browser: Any) -> Image.Image:
    """Write a classic mistake into the notebook of an exercise, run it in JupyterLab, and photograph the verdict."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copytree(ROOT / "exercises" / "pca", home / "pca")
        _answer(home / "pca" / "pca.ipynb")
        with _jupyter(home) as address:
            page = _page(browser, width=760, height=2400)
            page.goto(f"{address}/doc/tree/pca/pca.ipynb")
            page.wait_for_selector("text=/Idle/", state="attached")  # cells that are run earlier are lost
            page.get_by_role("menuitem", name="Run", exact=True).click()
            page.get_by_text("Run All Cells", exact=True).click()
            verdict = page.locator(".dimred-verdict", has_text=f"pca.{TASK}")
            verdict.wait_for()
            verdict.scroll_into_view_if_needed()
            page.wait_for_timeout(1000)
            check = page.locator(".jp-CodeCell", has=verdict)
            answer = page.locator(".jp-CodeCell", has_text=f"def {TASK}(").first
            return _clipped(page, answer, check, margin=10)


def take_report(browser: Any) -> Image.Image:
    """Photograph what the demo class misunderstood."""
    report = ROOT / "demo" / "report" / "pca.html"
    if not report.is_file():
        raise PictureError("there is no report of the demo class: run make course SERVE=no")
    page = _page(browser, width=1100, height=2400)
    page.goto(report.as_uri())
    heading = page.get_by_role("heading", name="What the class misunderstood")
    rows = page.locator("table.hints").first.locator("tbody tr")
    return _clipped(page, heading, rows.nth(min(rows.count(), 5) - 1), margin=8)


TAKE: dict[str, Callable[[Any], Image.Image]] = {
    "chapter": take_chapter,
    "verdict": take_verdict,
    "report": take_report,
}


def _answer(path: Path) -> None:
    """Put the mistake into its cell of a notebook."""
    notebook = nbformat.read(path, as_version=4)
    (cell,) = [cell for cell in notebook.cells if cell.cell_type == "code" and name_of(cell) == TASK]
    cell.source = MISTAKE
    nbformat.write(notebook, path)


def _page(browser: Any, *, width: int, height: int) -> Any:
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=SCALE,
        color_scheme="light",
        service_workers="block",  # it would fetch the whole book
    )
    context.set_default_timeout(TIMEOUT_MS)
    return context.new_page()


def _clipped(page: Any, first: Any, last: Any = None, *, margin: int) -> Image.Image:
    """Photograph the smallest rectangle that holds both elements."""
    first.scroll_into_view_if_needed()
    boxes = [element.bounding_box() for element in (first, last or first)]
    left = max(min(box["x"] for box in boxes) - margin, 0)
    top = max(min(box["y"] for box in boxes) - margin, 0)
    right = max(box["x"] + box["width"] for box in boxes) + margin
    bottom = max(box["y"] + box["height"] for box in boxes) + margin
    clip = {"x": left, "y": top, "width": right - left, "height": bottom - top}
    return Image.open(io.BytesIO(page.screenshot(clip=clip)))


@contextlib.contextmanager
def _served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port; yield its address."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@contextlib.contextmanager
def _jupyter(home: Path) -> Iterator[str]:
    """Run JupyterLab in a folder, with settings of its own; yield its address."""
    port = free_port(PORT)
    settings = home / ".settings" / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"fetchNews": "false"}', "utf-8")  # else it asks, in front of the notebook
    options = ["--IdentityProvider.token=", "--ServerApp.open_browser=False", "--allow-root"]
    folders = {
        "JUPYTER_CONFIG_DIR": str(home / ".config"),
        "JUPYTER_DATA_DIR": str(home / ".data"),
        "JUPYTERLAB_SETTINGS_DIR": str(home / ".settings"),
    }
    with subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", f"--port={port}", *options],
        cwd=home,
        env={**os.environ, **folders},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            _wait_for(f"http://127.0.0.1:{port}/api/status")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def _wait_for(address: str, seconds: float = 120) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(urllib.error.URLError):
            urllib.request.urlopen(address)
            return
        time.sleep(0.25)
    raise PictureError(f"{address} did not answer within {seconds:g} s: is the machine busy? Run this again")


def save(picture: Image.Image, path: Path) -> int:
    """Write a picture with a palette, and return its size in bytes."""
    few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(path, optimize=True)
    return path.stat().st_size


def main() -> int:
    """Take the pictures that are named, or all."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", nargs="*", choices=[*TAKE, []], help="which of them; all, if none is named")
    names = parser.parse_args().name or list(TAKE)
    program = chromium()
    if program is None:
        print("Chromium was not found: apt-get install chromium-headless-shell", file=sys.stderr)
        return 1
    PICTURES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for name in names:
            try:
                size = save(TAKE[name](browser), PICTURES / f"{name}.png")
            except PictureError as error:
                print(error, file=sys.stderr)
                return 1
            print(f"{PICTURES / name}.png: {size / 1000:.0f} kB")
            if size > MAX_BYTES:
                print(f"{name}.png has {size} bytes, at most {MAX_BYTES} are allowed", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
