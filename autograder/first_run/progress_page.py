"""The page that a browser sees while the book is being built, and the choice of what to serve.

Until the first chapters are built, every address shows the progress page. Then the site of the first chapters is
served, and, as soon as it is complete, the whole book.
"""

import json
from pathlib import Path
from typing import Any

from autograder.book.serve import FolderFiles, Guarded, Route
from autograder.course.course import Course
from autograder.first_run.board import Board

PROGRESS_PATH = "progress"
TEMPLATE = Path(__file__).parent / "progress.html"


class BookUnderConstruction:
    """Chooses the folder that is served as the book: the whole book, its first chapters, or none yet."""

    def __init__(self, course: Course, board: Board) -> None:
        """Serve an earlier build of the whole book at once, if there is one."""
        build = course.root / "_build"
        self._whole, self._first = build / "html", build / "first" / "html"
        self.board = board

    def folder(self) -> Path | None:
        """Return the folder to serve; Jupyter Book writes index.html last, so it marks a complete book."""
        return next((place for place in (self._whole, self._first) if (place / "index.html").is_file()), None)

    @property
    def is_whole(self) -> bool:
        """Is the whole book there?"""
        return self.folder() == self._whole


class ProgressPage(Guarded):
    """Shows the steps; reloads itself without scripts, too."""

    def initialize(self, site: BookUnderConstruction) -> None:
        """Remember whose progress to show."""
        self.site = site

    def get(self) -> None:
        """Send the page."""
        self.set_header("Cache-Control", "no-store")
        self.finish(progress_page(self.site))


class ProgressData(ProgressPage):
    """The same as JSON, for the page's script."""

    def get(self) -> None:
        """Send what the script of the page asks for."""
        self.set_header("Cache-Control", "no-store")
        self.finish(progress_data(self.site))


class GrowingBook(FolderFiles):
    """The files of the book as far as it is built; what is not there yet leads to the progress page."""

    def initialize(self, site: BookUnderConstruction) -> None:  # type: ignore[override]
        """Remember where to ask for the folder: it is another one at each stage."""
        self.site = site
        super().initialize("", default_filename="index.html")

    async def get(self, path: str, include_body: bool = True) -> None:
        """Serve a file from the folder of now."""
        folder = self.site.folder()
        if folder is not None:
            self.root = str(folder.resolve())
        if folder is None or (not self.site.is_whole and self._is_missing_page(folder, path)):
            self.set_header("Cache-Control", "no-store")
            self.finish(progress_page(self.site))
            return
        await super().get(path, include_body)

    def compute_etag(self) -> str | None:
        """Return the tag of a file; the progress page, which is no file, has none."""
        return super().compute_etag() if hasattr(self, "absolute_path") else None

    def _is_missing_page(self, folder: Path, path: str) -> bool:
        return path.endswith(".html") and not (folder / path).is_file()


def progress_data(site: BookUnderConstruction) -> dict[str, Any]:
    """Return the board and what can be read already."""
    folder = site.folder()
    return {"steps": site.board.as_json(), "ready": "whole" if site.is_whole else "first" if folder else ""}


def progress_page(site: BookUnderConstruction) -> str:
    """Return the page with the state of now in it."""
    data = json.dumps(progress_data(site)).replace("<", "\\u003c")
    return TEMPLATE.read_text("utf-8").replace("{{ data }}", data)


def routes(site: BookUnderConstruction) -> list[Route]:
    """Return Tornado's routes of a book under construction."""
    return [
        (rf"/{PROGRESS_PATH}", ProgressPage, {"site": site}),
        (rf"/{PROGRESS_PATH}\.json", ProgressData, {"site": site}),
        (r"/(.*)", GrowingBook, {"site": site}),
    ]
