"""All that live pages need beside the book's own files, found or made by one call and put into the built site."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.book.assignments import Assignment
from autograder.book.live import chapters, editor, engine, notebooks
from autograder.book.live.cache import digest_of, linked
from autograder.book.live.kernel import notebook_folder
from autograder.book.live.runtime import lock_of, python_folder
from autograder.book.live.topics import topic_file
from autograder.book.live.wheels import Wheel
from autograder.course.course import Course
from autograder.course.files import replaced, write_text

PAGE = Path(__file__).parent / "page"
PLACE = "_static/live"


def page_folder_name() -> str:
    """The name of the folder with the pages' own scripts."""
    files = sorted(path for path in PAGE.iterdir() if path.is_file())
    return f"page-{digest_of(part for path in files for part in (path.name.encode(), path.read_bytes()))}"


@dataclass(frozen=True)
class Assets:
    """The folders, in the cache, that a live site serves; `notebook` once notebooks are possible.

    `project` has the wheels that cells of chapters import, each with its folder.
    """

    python: Path
    engine: Path
    editor: Path
    notebook: Path | None = None
    project: tuple[tuple[Wheel, Path], ...] = ()

    @property
    def named_by_hash(self) -> list[Path]:
        """Folders that never change."""
        folders = (self.python, self.engine, self.editor, self.notebook)
        return [folder for folder in folders if folder] + [folder for _, folder in self.project]

    @property
    def places(self) -> list[str]:
        """Where they lie below the root of the site."""
        return [f"{PLACE}/{folder.name}" for folder in self.named_by_hash]

    def put_into(self, site: Path, course: Course, assignments: Sequence[Assignment]) -> None:
        """Put everything into a built site; what was there under another hash goes."""
        place = site / PLACE
        wanted = {folder.name: folder for folder in self.named_by_hash} | {page_folder_name(): PAGE}
        for path in [*place.iterdir()] if place.is_dir() else []:
            if path.is_dir() and path.name not in wanted:
                shutil.rmtree(path)
        for folder in self.named_by_hash:
            _put(folder, place / folder.name, linked)
        table = {
            "python": f"{self.python.name}/",
            "editor": f"{self.editor.name}/{editor.NAME}",
            "wheels": {wheel.name: wheel.entry(folder) for wheel, folder in self._wheels()},
            "book_url": str(course.settings.get("book_url", "")).rstrip("/"),
            "topics": _write_topics(place / "topics", assignments),
            "chapters": chapters.write_chapters(place, course.root),
        }
        write_text(place / "live.json", json.dumps(table, indent=1))
        if self.notebook:
            notebooks.put_notebooks(site / notebooks.PLACE, assignments, self.python, self.notebook)
        _put(PAGE, place / page_folder_name(), shutil.copy)  # last: with the scripts, pages are live

    def _wheels(self) -> list[tuple[Wheel, Path]]:
        return [(engine.engine_wheel(), self.engine), *self.project]


def _put(folder: Path, target: Path, copy: Callable[[str, str], Any]) -> None:
    """Copy a folder that never changes into the site, complete or not at all."""
    if not target.is_dir():
        with replaced(target) as new:
            shutil.copytree(folder, new, copy_function=copy, dirs_exist_ok=True)


def live_assets(root: Path | None = None) -> Assets:
    """Everything, fetched, verified and made where the cache does not have it; LiveError says why it cannot be had.

    With the root of a course, what its chapters import is there, too.
    """
    python = python_folder()
    own = engine.engine_folder(python)
    notebook = notebook_folder(python, own)
    notebooks.app_folder()  # made now: a build that cannot have it says so before it begins
    wheels = chapters.project_wheels(root, lock_of(python)) if root else []
    project = tuple((wheel, wheel.folder(python)) for wheel in wheels)
    return Assets(python, own, editor.editor_folder(), notebook, project)


def _write_topics(folder: Path, assignments: Sequence[Assignment]) -> dict[str, str]:
    folder.mkdir(parents=True)
    names: dict[str, str] = {}
    for one in assignments:
        content = topic_file(one)
        names[one.topic] = f"topics/{one.topic}-{digest_of([content])}.json"
        (folder.parent / names[one.topic]).write_bytes(content)
    return names
