"""The progress page, and the choice of the folder to serve.

Until the first chapters are built, every address shows the progress page. Then the site of the first chapters is
served, and, as soon as it is complete, the whole book.
"""

import json
from pathlib import Path

from autograder.book.serve import FolderFiles, Guarded, Route
from autograder.course.course import Course
from autograder.first_run.board import Board

PROGRESS_PATH = "progress"
PROGRESS_TEMPLATE = Path(__file__).parent / "progress.html"


class BookUnderConstruction:
    """Choose the folder to serve: whole book, first chapters, or none yet."""

    def __init__(self, course: Course, board: Board) -> None:
        """Serve an earlier build of the whole book, if any, at once."""
        build = course.root / "_build"
        self._whole, self._first = build / "html", build / "first" / "html"
        self.board = board

    def folder(self) -> Path | None:
        """Return the folder to serve, or None.

        Jupyter Book writes index.html last, so it marks a complete book.
        """
        return next((place for place in (self._whole, self._first) if (place / "index.html").is_file()), None)

    @property
    def is_whole(self) -> bool:
        """Whether the whole book is built."""
        return self.folder() == self._whole


class ProgressPage(Guarded):
    """Handler of the progress page, which also reloads without scripts."""

    def initialize(self, site: BookUnderConstruction) -> None:
        """Store the book under construction."""
        self.site = site

    def get(self) -> None:
        """Send the page."""
        self.set_header("Cache-Control", "no-store")
        self.finish(progress_page(self.site))


class ProgressData(ProgressPage):
    """Handler of the progress as JSON, for the page's script."""

    def get(self) -> None:
        """Send the progress as JSON."""
        self.set_header("Cache-Control", "no-store")
        self.finish(progress_data(self.site))


class GrowingBook(FolderFiles):
    """Handler of the book's files, or the progress page for missing ones."""

    def initialize(self, site: BookUnderConstruction) -> None:  # type: ignore[override]
        """Store the book under construction, whose folder changes at each stage."""
        self.site = site
        super().initialize("", default_filename="index.html")

    async def get(self, path: str, include_body: bool = True) -> None:
        """Serve a file from the current folder."""
        folder = self.site.folder()
        if folder is not None:
            self.root = str(folder.resolve())
        if folder is None or (not self.site.is_whole and self._is_missing_page(folder, path)):
            self.set_header("Cache-Control", "no-store")
            self.finish(progress_page(self.site))
            return
        await super().get(path, include_body)

    def compute_etag(self) -> str | None:
        """Return the ETag of a file; the progress page has none."""
        return super().compute_etag() if hasattr(self, "absolute_path") else None

    def _is_missing_page(self, folder: Path, path: str) -> bool:
        return path.endswith(".html") and not (folder / path).is_file()


def progress_data(site: BookUnderConstruction) -> dict[str, object]:
    """Return the steps and what can be read already."""
    folder = site.folder()
    return {"steps": site.board.as_json(), "ready": "whole" if site.is_whole else "first" if folder else ""}


def progress_page(site: BookUnderConstruction) -> str:
    """Return the page with the current state in it."""
    data = json.dumps(progress_data(site)).replace("<", "\\u003c")
    return PROGRESS_TEMPLATE.read_text("utf-8").replace("{{ data }}", data)


def routes(site: BookUnderConstruction) -> list[Route]:
    """Return Tornado's routes for a book under construction."""
    return [
        (rf"/{PROGRESS_PATH}", ProgressPage, {"site": site}),
        (rf"/{PROGRESS_PATH}\.json", ProgressData, {"site": site}),
        (r"/(.*)", GrowingBook, {"site": site}),
    ]
