"""All that live pages need beside the book's own files, found or made by one call and put into the built site."""

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.book.assignments import AssignmentPage
from autograder.book.live import chapters, editor, engine, notebooks
from autograder.book.live.cache import digest_of, linked
from autograder.book.live.kernel import notebook_folder
from autograder.book.live.runtime import lock_of, python_folder
from autograder.book.live.topics import notebook_file, topic_file
from autograder.book.live.wheels import Wheel, compiled_folders
from autograder.course.course import Course
from autograder.course.files import replace_folder, write_text

LIVE_PAGE_FOLDER = Path(__file__).parent / "page"
LIVE_ASSETS_FOLDER = "_static/live"


def page_folder_name() -> str:
    """The name of the folder with the pages' own scripts."""
    files = sorted(path for path in LIVE_PAGE_FOLDER.iterdir() if path.is_file())
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
        """Folders whose names contain a hash of their content."""
        folders = (self.python, self.engine, self.editor, self.notebook)
        return [folder for folder in folders if folder] + [folder for _, folder in self.project]

    @property
    def places(self) -> list[str]:
        """Addresses of the assets below the root of the site."""
        return [f"{LIVE_ASSETS_FOLDER}/{folder.name}" for folder in self.named_by_hash]

    def put_into(self, site: Path, course: Course, assignments: Sequence[AssignmentPage]) -> None:
        """Put everything into a built site; what was there under another hash goes."""
        place = site / LIVE_ASSETS_FOLDER
        wanted = {folder.name: folder for folder in self.named_by_hash} | {
            page_folder_name(): LIVE_PAGE_FOLDER
        }
        for path in [*place.iterdir()] if place.is_dir() else []:
            if path.is_dir() and path.name not in wanted:
                shutil.rmtree(path)
        for folder in self.named_by_hash:
            _put(folder, place / folder.name, linked)
        table = {
            "megabytes": round(sum(map(_size, self.named_by_hash)) / 1e6),
            "python": f"{self.python.name}/",
            "editor": f"{self.editor.name}/{editor.EDITOR_SCRIPT}",
            "wheels": {wheel.name: wheel.entry(folder) for wheel, folder in self._wheels()},
            "topics": _write_for_topics(place / "topics", assignments, topic_file, "json"),
            "notebooks": _write_for_topics(place / "topics", assignments, notebook_file, "ipynb"),
            "chapters": chapters.write_chapters(place, course.root),
        }
        write_text(place / "live.json", json.dumps(table, indent=1))
        if self.notebook:
            notebooks.put_notebooks(site / notebooks.LITE_FOLDER, assignments, self.python, self.notebook)
        _put(
            LIVE_PAGE_FOLDER, place / page_folder_name(), shutil.copy
        )  # last: with the scripts, pages are live

    def _wheels(self) -> list[tuple[Wheel, Path]]:
        return [(engine.engine_wheel(), self.engine), *self.project]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _put(folder: Path, target: Path, copy: Callable[[str, str], object]) -> None:
    """Copy a folder that never changes into the site, complete or not at all."""
    if not target.is_dir():
        with replace_folder(target) as new:
            shutil.copytree(folder, new, copy_function=copy, dirs_exist_ok=True)


def live_assets(root: Path | None = None) -> Assets:
    """Everything, fetched, verified and made where the cache does not have it; LiveError says why it cannot be had.

    With the root of a course, what its chapters import is there, too.
    """
    python = python_folder()
    project = chapters.project_wheels(root, lock_of(python)) if root else []
    own, *folders = compiled_folders([engine.engine_wheel(), *project], python)
    notebook = notebook_folder(python, own)
    notebooks.app_folder()  # made now: a build that cannot have it says so before it begins
    return Assets(python, own, editor.editor_folder(), notebook, tuple(zip(project, folders, strict=True)))


def _write_for_topics(
    folder: Path, assignments: Sequence[AssignmentPage], make: Callable[[AssignmentPage], bytes], suffix: str
) -> dict[str, str]:
    """Write a file for each assignment, named by its hash; return their addresses."""
    folder.mkdir(parents=True, exist_ok=True)
    names: dict[str, str] = {}
    for assignment in assignments:
        content = make(assignment)
        names[assignment.topic] = f"topics/{assignment.topic}-{digest_of([content])}.{suffix}"
        (folder.parent / names[assignment.topic]).write_bytes(content)
    return names
