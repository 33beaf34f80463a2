"""All that live pages need beside the book's own files, found or made by one call and put into the built site."""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.book.assignments import Assignment
from autograder.book.live import editor, engine, notebooks
from autograder.book.live.cache import digest_of
from autograder.book.live.runtime import python_folder
from autograder.book.live.topics import topic_file

PAGE = Path(__file__).parent / "page"
PLACE = "_static/live"


def page_folder_name() -> str:
    """The name of the folder with the pages' own scripts."""
    files = sorted(path for path in PAGE.iterdir() if path.is_file())
    return f"page-{digest_of(part for path in files for part in (path.name.encode(), path.read_bytes()))}"


@dataclass(frozen=True)
class Assets:
    """The folders, in the cache, that a live site serves; `notebook` once notebooks are possible."""

    python: Path
    engine: Path
    editor: Path
    notebook: Path | None = None

    @property
    def named_by_hash(self) -> list[Path]:
        """Folders that never change."""
        return [folder for folder in (self.python, self.engine, self.editor, self.notebook) if folder]

    @property
    def places(self) -> list[str]:
        """Where they lie below the root of the site."""
        return [f"{PLACE}/{folder.name}" for folder in self.named_by_hash]

    def put_into(self, site: Path, assignments: Sequence[Assignment], book_url: str) -> None:
        """Put everything into a built site; what was there under another hash goes."""
        place = site / PLACE
        wanted = {folder.name: folder for folder in self.named_by_hash} | {page_folder_name(): PAGE}
        for path in [*place.iterdir()] if place.is_dir() else []:
            if path.is_dir() and path.name not in (*wanted, "topics"):
                shutil.rmtree(path)
        for name, folder in wanted.items():
            if not (place / name).is_dir():
                shutil.copytree(
                    folder, place / name, copy_function=shutil.copy if folder == PAGE else _linked
                )
        table = {
            "python": f"{self.python.name}/",
            "engine": f"{self.engine.name}/{engine.NAME}",
            "editor": f"{self.editor.name}/{editor.NAME}",
            "book_url": book_url,
            "topics": _write_topics(place / "topics", assignments),
        }
        (place / "live.json").write_text(json.dumps(table, indent=1), "utf-8")
        self._put_notebooks(site / notebooks.PLACE, assignments)

    def _put_notebooks(self, place: Path, assignments: Sequence[Assignment]) -> None:
        shutil.rmtree(place, ignore_errors=True)
        if self.notebook and assignments:
            made = notebooks.lite_folder(assignments, self.python, self.notebook)
            shutil.copytree(made, place, copy_function=_linked)


def live_assets() -> Assets:
    """Everything, fetched, verified and made where the cache does not have it; LiveError says why it cannot be had."""
    python = python_folder()
    own = engine.engine_folder(python)
    notebook = notebooks.notebook_folder(python, own) if notebooks.are_possible() else None
    return Assets(python, own, editor.editor_folder(), notebook)


def _write_topics(folder: Path, assignments: Sequence[Assignment]) -> dict[str, str]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    names: dict[str, str] = {}
    for one in assignments:
        content = topic_file(one)
        names[one.topic] = f"topics/{one.topic}-{digest_of([content])}.json"
        (folder.parent / names[one.topic]).write_bytes(content)
    return names


def _linked(source: str, target: str) -> None:
    """A second name for a file where the disk allows it: the runtime is large."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)
