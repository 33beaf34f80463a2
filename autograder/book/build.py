"""Build the book by Jupyter Book, say in one line what went wrong, and print it if asked.

The book is what a plain `jupyter-book build .` makes: all that is ours happens in `autograder.book.sphinx`. Here a
build becomes all or nothing: a warning, a failing cell or a false assertion raises BookError.
"""

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from autograder.book import pdf as book_pdf
from autograder.book.first import EarlySite, first_pages
from autograder.book.jupyter_book import log_failures, run_jupyter_book
from autograder.book.live.publish import Preparation
from autograder.book.run.pages import run_pages
from autograder.book.steps import Progress, Step, ignore
from autograder.book.wheel import publish_wheel
from autograder.course.contents import pages
from autograder.errors import BookError


def build_book(
    root: Path,
    *,
    pdf: bool = False,
    live: bool | Literal["later"] = False,
    progress: Progress = ignore,
    first_ready: Callable[[Path], None] | None = None,
) -> Path:
    """Build the book of the course in root and return its first page, or the PDF.

    With `live`, cells can be run and checked in the page. What that needs is prepared beside the build; LiveError says
    why it cannot be had here. Where LiveError comes after the build, the book is complete without live cells. With
    "later" the caller prepares and publishes it (`publish_live_assets`).

    `progress` is called with a step when a page starts to run and when it has run. With `first_ready`, a site of the
    first chapters is built as soon as their pages have run (`autograder.book.first`); the function is called with its
    folder, in another thread. The full log is _build/book.log.
    """
    root = Path(root).resolve()
    _require_parts(root, pdf=pdf)
    preparation = Preparation(root) if live is True else None
    early = EarlySite(root, first_ready) if first_ready else None
    with log_failures(root):
        run_pages(
            root,
            first=first_pages(root) if early else (),
            progress=progress,
            first_done=early.start if early else None,
        )
    progress(Step("writing the pages"))
    run_jupyter_book(root, live=bool(live))
    if preparation:
        progress(Step("making Python ready for live pages (a minute or two for the first time)"))
        preparation.publish()
    publish_wheel(root)
    if early:
        early.join()
    if pdf:
        progress(Step("printing the book, which takes a minute or two"))
        return _print_pdf(root)
    return root / "_build" / "html" / "index.html"


def _require_parts(root: Path, *, pdf: bool) -> None:
    """Raise BookError, before the long work begins, if something is missing."""
    for name in ("_config.yml", "_toc.yml"):
        if not (root / name).is_file():
            raise BookError(f"{root} is not the root of a book: it has no {name}")
    if importlib.util.find_spec("jupyter_book") is None:
        raise BookError("the book is built by Jupyter Book, which is not installed: pip install '.[book]'")
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
