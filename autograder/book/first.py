"""Build a site of the first chapters, so that there is something to read while the rest is being built.

It is a small course of its own in `_build/first`: links to the first pages, a shortened table of contents, the
settings with an announcement. The outputs of cells are those of the whole book, so nothing runs twice. Because these
chapters come first, they have the numbers that they have in the whole book; links to later chapters are plain words.
"""

import contextlib
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from autograder.book.formulas import CACHE as FORMULAS
from autograder.book.jupyter_book import log_failures, run_jupyter_book
from autograder.book.run.cache import NAME as CACHE
from autograder.book.run.cache import RECORD
from autograder.book.run.pages import run_pages
from autograder.book.steps import Progress, ignore
from autograder.course import contents
from autograder.errors import BookError

FOLDER = Path("_build", "first")
BOOK = "book"
NEEDED_FOLDERS = ("exercises", "solutions")
DERIVED = (
    "assignments",
    "_ledger",
)  # what is written by a build, or tells it to write into the pages' folder
CHAPTERS = 3  # numbered ones, and the pages before them
BIBLIOGRAPHY = "```{bibliography}"
ANNOUNCEMENT = "This is the beginning. The rest of the book is being built."


def build_first_pages(root: Path, progress: Progress = ignore) -> Path:
    """Run the first pages of a book, build a site of them and return its folder, `_build/first/html`."""
    root = Path(root).resolve()
    with log_failures(root):
        run_pages(root, only=first_pages(root), progress=progress)
    return build_first_site(root)


def first_pages(root: Path) -> list[Path]:
    """Return the pages up to the third numbered chapter, and those that list the works which these cite."""
    pages, chapters = [], 0
    for entry in contents.outline(root):
        page = root / f"{entry.name}.md"
        if page.is_file() and (chapters < CHAPTERS or BIBLIOGRAPHY in page.read_text("utf-8")):
            pages.append(page)
        chapters += bool(entry.numbered)
    return pages


def build_first_site(root: Path) -> Path:
    """Build the site of the first pages, whose cells have run; return its folder, complete or not at all."""
    course, site = root / FOLDER, root / FOLDER / "html"
    shutil.rmtree(course, ignore_errors=True)
    _link_course(root, course)
    run_jupyter_book(course)
    (course / "_build" / "html").rename(site)
    return site


def _link_course(root: Path, course: Path) -> None:
    """Make a course of links whose table of contents ends after the first pages."""
    for path in root.iterdir():
        if path.is_file() or path.name in NEEDED_FOLDERS:
            _link(path, course / path.name)
    for path in (root / BOOK).iterdir():
        if path.name not in DERIVED:
            _link(path, course / BOOK / path.name)
    for name in (CACHE, RECORD, FORMULAS):  # what is made for these pages serves the whole book
        _link(root / "_build" / name, course / "_build" / name)
    names = {page.relative_to(root).with_suffix("").as_posix() for page in first_pages(root)}
    _change_yaml(course / contents.NAME, lambda tree: _shortened(tree, names))
    _change_yaml(course / "_config.yml", _announced)


def _link(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.symlink_to(source)


def _change_yaml(path: Path, change: Callable[[Any], Any]) -> None:
    """Replace the link to a file by a file with changed content."""
    tree = yaml.safe_load(path.read_text("utf-8"))
    path.unlink()
    path.write_text(yaml.safe_dump(change(tree), allow_unicode=True, sort_keys=False), "utf-8")


def _shortened(node: Any, names: set[str]) -> Any:
    """Return a node of the table of contents without the pages that are not named; None if nothing is left."""
    if isinstance(node, list):
        return [item for item in (_shortened(item, names) for item in node) if item] or None
    if not isinstance(node, dict):
        return node
    if "file" in node and str(node["file"]).removesuffix(".md") not in names:
        return None
    below = {key: _shortened(node[key], names) for key in contents.BELOW if key in node}
    if below and not any(below.values()) and not {"file", "root"} & set(node):
        return None  # a part without pages
    return {key: below.get(key, value) for key, value in node.items() if below.get(key, value) is not None}


def _announced(config: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the book with an announcement on every page."""
    options = config.setdefault("sphinx", {}).setdefault("config", {}).setdefault("html_theme_options", {})
    options["announcement"] = ANNOUNCEMENT
    return config


class EarlySite:
    """The site of the first pages, built in a thread while other pages run."""

    def __init__(self, root: Path, ready: Callable[[Path], None]) -> None:
        """Build nothing yet; `ready` will be called with the folder of the site."""
        self.root, self.ready = root, ready
        self.thread = threading.Thread(target=self._build, name="first pages", daemon=True)

    def start(self) -> None:
        """Start to build."""
        self.thread.start()

    def join(self) -> None:
        """Wait until the site is built or has failed."""
        if self.thread.ident is not None:
            self.thread.join()

    def _build(self) -> None:
        # A mistake on a page stops the build of the whole book, too, which says so.
        with contextlib.suppress(BookError):
            self.ready(build_first_site(self.root))
