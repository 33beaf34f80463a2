"""What the book costs: seconds to build it, and bytes to read a page.

    python -m benchmarks.book

The book is built in a temporary copy: from nothing, again without a change, after a change of prose,
and after a change of a module. Then every page is opened in Chromium, and what it asks for is weighed.
"""

import functools
import http.server
import resource
import shutil
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import Browser, Response, sync_playwright

from autograder.book.build import build_book
from autograder.book.pdf import chromium
from autograder.course.contents import pages

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("book", "dimred_ref", "exercises", "solutions", "_config.yml", "_toc.yml", "course.toml")


def main() -> None:
    """Print both tables, as Markdown."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        copy_course(root)
        print("| build | pages that ran | seconds of CPU | seconds |\n|---|---|---|---|")
        print(timed("from nothing", root))
        print(timed("nothing changed", root))
        with (root / "book" / "pca.md").open("a", encoding="utf-8") as page:
            page.write("\nOne more sentence.\n")
        print(timed("a sentence of one page", root))
        with (root / "dimred_ref" / "svd.py").open("a", encoding="utf-8") as module:
            module.write("\n# One more comment.\n")
        print(timed("`dimred_ref/svd.py`", root))
        print(timed("the PDF", root, pdf=True))
        size = (root / "_build" / "book.pdf").stat().st_size
        print(
            f"\nThe PDF has {size / 1e6:.1f} MB, the site {site_size(root / '_build' / 'html') / 1e6:.1f} MB.\n"
        )
        weigh(root)


def copy_course(root: Path) -> None:
    files = subprocess.run(
        ["git", "ls-files", *PARTS], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    for name in files.stdout.splitlines():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)


def cpu() -> float:
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def timed(what: str, root: Path, *, pdf: bool = False) -> str:
    ran: list[str] = []
    before, start = cpu(), time.perf_counter()
    build_book(root, pdf=pdf, progress=lambda step: ran.append(str(step)))
    seconds = time.perf_counter() - start
    count = sum(line.startswith("running") for line in ran)
    return f"| {what} | {count} | {cpu() - before:.0f} | {seconds:.0f} |"


def site_size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


def weigh(root: Path) -> None:
    """Print what each page asks for at a first visit; a second page finds all but its own in the cache."""
    handler = functools.partial(_Quiet, directory=str(root / "_build" / "html"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(
        "| page | HTML kB | images kB | shared: style, scripts, fonts kB | requests |\n|---|---|---|---|---|"
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        for page in pages(root):
            path = page.relative_to(root).with_suffix(".html").as_posix()
            print(weight(browser, f"http://127.0.0.1:{server.server_address[1]}/{path}", page.stem))
        browser.close()
    server.shutdown()


def weight(browser: Browser, address: str, name: str) -> str:
    sizes = {"document": 0, "image": 0, "shared": 0}
    page = browser.new_page()
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    page.goto(address, timeout=120_000)
    page.evaluate("window.MathJax?.startup?.promise?.then(() => true)")
    page.wait_for_load_state("networkidle")
    for response in responses:
        kind = response.request.resource_type
        sizes[kind if kind in sizes else "shared"] += len(response.body())
    page.close()
    return (
        f"| {name} | " + " | ".join(f"{size / 1e3:.0f}" for size in sizes.values()) + f" | {len(responses)} |"
    )


if __name__ == "__main__":
    main()
