"""Build the book by Jupyter Book, say in one line what went wrong, and print it if asked.

The book is what a plain `jupyter-book build .` makes: all that is ours happens in `autograder.book.sphinx`. Here a
build becomes all or nothing: a warning, a failing cell or a false assertion raises BookError.
"""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from autograder.book import pdf as book_pdf
from autograder.book.live.assets import live_assets
from autograder.book.wheel import publish_wheel
from autograder.course.contents import pages
from autograder.errors import BookError


def build_book(
    root: Path, *, pdf: bool = False, live: bool = False, progress: Callable[[str], None] | None = None
) -> Path:
    """Build the book of the course in root and return its first page, or the PDF.

    With `live`, cells can be run and checked in the page; LiveError says why that cannot be had here.

    `progress` is called with a line for each page whose cells run. The full log is _build/book.log.
    """
    root = Path(root).resolve()
    for name in ("_config.yml", "_toc.yml"):
        if not (root / name).is_file():
            raise BookError(f"{root} is not the root of a book: it has no {name}")
    if importlib.util.find_spec("jupyter_book") is None:
        raise BookError("the book is built by Jupyter Book, which is not installed: pip install '.[book]'")
    if pdf and book_pdf.chromium() is None:  # said before the long work begins
        raise BookError(book_pdf.NO_CHROMIUM)
    if live:
        (progress or _silent)("making Python ready for live pages (a minute or two for the first time)")
        live_assets()
    _jupyter_book(root, progress or _silent, live=live)
    publish_wheel(root)
    if pdf:
        (progress or _silent)("printing the book, which takes a minute or two")
        return _print_pdf(root)
    return root / "_build" / "html" / "index.html"


def _silent(line: str) -> None:
    """Ignore a line of progress."""


def _jupyter_book(root: Path, progress: Callable[[str], None], *, live: bool) -> None:
    """Run Jupyter Book in a process of its own: it changes global state of docutils and Sphinx."""
    command = "import sys; from jupyter_book.cli.main import main; main(sys.argv[1:])"
    arguments = ["build", str(root), "-W", "-n", "--keep-going"]
    process = subprocess.Popen(
        [sys.executable, "-c", command, *arguments],
        env=os.environ | {"NO_COLOR": "1", "PYTHONUNBUFFERED": "1", "DIMRED_LIVE": "yes" if live else ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    lines: list[str] = []
    assert process.stdout is not None
    for line in process.stdout:
        lines.append(line)
        if running := re.match(r"(.*\.md): Executing notebook", line):
            progress(f"running {Path(running[1]).relative_to(root)}")
    log = root / "_build" / "book.log"
    output = re.sub(r"\x1b\[[0-9;]*m", "", "".join(lines))  # Jupyter Book colours its lines regardless
    log.parent.mkdir(exist_ok=True)
    log.write_text(output, "utf-8")
    if process.wait() != 0:
        raise BookError(_first_problem(output.replace(f"{root}{os.sep}", ""), log))


def _first_problem(output: str, log: Path) -> str:
    """Say in one line what went wrong: the page, and the exception or the warning."""
    warnings = re.findall(
        r"^(?:(\S+?\.\w+(?::\d+)?): )?(?:WARNING|ERROR|CRITICAL): (.*)$", output, re.MULTILINE
    )
    if not warnings:
        boxed = re.search(r"^=+\n\s*(\S.*)$", output, re.MULTILINE)  # how Jupyter Book says what it cannot do
        return f"the book was not built: {boxed[1] if boxed else output.strip()[-200:]}; see {log}"
    place, message = warnings[0]
    if message.startswith("Executing notebook failed"):
        message = f"a cell failed: {_exception(output)}"
    others = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
    return f"{place or 'the book'}: {message}{others}; see {log}"


def _exception(output: str) -> str:
    """Return the exception that ended a cell, and the line of the page that raised it."""
    traceback = output.partition("Executing notebook failed")[2].partition("[mystnb.exec]")[0]
    names = re.findall(r"^(?:\w+\.)*\w*(?:Error|Exception|Warning|Interrupt)\b.*$", traceback, re.MULTILINE)
    arrows = re.findall(r"^-+> \d+ (.*)$", traceback, re.MULTILINE)
    return " in ".join([*names[-1:], *(f"`{line.strip()}`" for line in arrows[:1])])


def _print_pdf(root: Path) -> Path:
    """Print the built pages, in the order of _toc.yml."""
    site = root / "_build" / "html"
    built = [site / page.relative_to(root).with_suffix(".html") for page in pages(root)]
    title = re.search(r"^title:\s*(.+?)\s*$", (root / "_config.yml").read_text("utf-8"), re.MULTILINE)
    try:
        return book_pdf.print_pages(built, title[1] if title else root.name, root / "_build" / "book.pdf")
    except book_pdf.PrintError as error:
        raise BookError(str(error)) from error
