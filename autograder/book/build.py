"""Build the book with Jupyter Book, and print it if asked.

A plain `jupyter-book build .` makes the same pages: our extensions live in `autograder.book.sphinx`. Here a warning, a
failing cell or a false assertion raises BookError, with a message of one line.
"""

import contextlib
import importlib.util
import re
from collections.abc import Callable
from pathlib import Path

from autograder.book import pdf as book_pdf
from autograder.book.api_page import write_api_page
from autograder.book.author_page import write_author_page
from autograder.book.first import EarlySite, first_pages
from autograder.book.jupyter_book import log_failures, run_jupyter_book
from autograder.book.live.publish import Preparation
from autograder.book.run.pages import run_pages
from autograder.book.steps import BuildProgress, BuildStep, ignore
from autograder.book.wheel import publish_wheel
from autograder.course.contents import pages
from autograder.course.course import Course
from autograder.course.faults import find_faults
from autograder.errors import BookError
from autograder.program import ENGINE


def build_book(
    root: Path,
    *,
    pdf: bool = False,
    live: bool | Callable[[], bool] = False,
    progress: BuildProgress = ignore,
    first_ready: Callable[[Path], None] | None = None,
) -> Path:
    """Build the book in `root`; return its first page or the PDF.

    With `live`, cells can be run and checked in the page. The files for this are prepared while the book is built.
    LiveError says why they are not available here. If it is raised after the build, the book is complete without live
    cells. If `live` is a function, it is called when the cells have run and says whether pages are live. The caller
    then prepares and publishes the files (`publish_live_assets`).

    `progress` is called with a step when a page starts to run and when it has run. With `first_ready`, a site of the
    first chapters is built as soon as their pages have run (`autograder.book.first`). The function is called with its
    folder, in another thread. The full log is _build/book.log.
    """
    root = Path(root).resolve()
    _require_parts(root, pdf=pdf)
    write_api_page(Course(root))  # before their cells run
    write_author_page(Course(root))
    preparation = Preparation(root) if live is True else None
    early = EarlySite(root, first_ready) if first_ready else None
    with log_failures(root):
        run_pages(
            root,
            first=first_pages(root) if early else (),
            progress=progress,
            first_done=early.start if early else None,
        )
    progress(BuildStep("writing the pages"))
    try:
        run_jupyter_book(root, live=live() if callable(live) else live)
    except BookError:
        # Pages are written even if a warning fails the build; they need the wheel that students install.
        with contextlib.suppress(BookError, OSError):
            publish_wheel(root)
        raise
    if preparation:
        progress(BuildStep("making Python ready for live pages (a minute or two for the first time)"))
        preparation.publish()
    publish_wheel(root)
    if early:
        early.join()
    if pdf:
        progress(BuildStep("printing the book, which takes a minute or two"))
        return _print_pdf(root)
    return root / "_build" / "html" / "index.html"


def _require_parts(root: Path, *, pdf: bool) -> None:
    """Raise BookError before the build if something is missing."""
    for name in ("_config.yml", "_toc.yml"):
        if not (root / name).is_file():
            raise BookError(f"{root} is not the root of a book: it has no {name}")
    for fault in find_faults(Course(root)):
        raise BookError(fault)
    if importlib.util.find_spec("jupyter_book") is None:
        raise BookError(
            f"the book is built by Jupyter Book, which is not installed: pip install '{ENGINE}[book]'"
        )
    if pdf and book_pdf.chromium() is None:
        raise BookError(book_pdf.NO_CHROMIUM)


def _print_pdf(root: Path) -> Path:
    """Print the built pages, in the order of _toc.yml."""
    site = root / "_build" / "html"
    built = [site / page.relative_to(root).with_suffix(".html") for page in pages(root)]
    title = re.search(r"^title:\s*(.+?)\s*$", (root / "_config.yml").read_text("utf-8"), re.MULTILINE)
    try:
        return book_pdf.print_pages(built, title[1] if title else root.name, root / "_build" / "book.pdf")
    except book_pdf.PrintError as error:
        raise BookError(str(error)) from error
