"""Cells of chapters that a reader may change and run: their sources, page by page, and what they import, as wheels.

A cell can be run in the browser if all that its page imports is there: libraries of the browser's Python, modules of
the project, and stand-ins for the parts of Jupyter that pages name (`autograder.live.notebook`).
"""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from autograder.book import myst
from autograder.book.imports import imported_files, packages_imported_by
from autograder.book.live.cache import digest_of
from autograder.book.live.wheels import Wheel
from autograder.course.contents import pages

CHAPTERS_FOLDER = "chapters"
ENGINE_PACKAGE = "autograder"  # has a wheel of its own
NOTEBOOK_PACKAGES = ("IPython", "matplotlib_inline", "myst_nb")  # the packages of `autograder.live.notebook`


def sources(page: Path) -> list[str]:
    """The code of every cell of a page, in order."""
    return [cell.body.rstrip("\n") for cell in myst.cells(page.read_text("utf-8"))]


def chapters(root: Path) -> list[Path]:
    """The pages that have cells."""
    return [page for page in pages(root) if page.suffix == ".md" and sources(page)]


def project_wheels(root: Path, lock: dict[str, Any]) -> list[Wheel]:
    """A wheel for each package of the project that a chapter imports: the modules that are reached, and their data."""
    packages: dict[tuple[Path, str], list[Path]] = {}
    folders = _folders(root)
    for path in sorted({path for page in chapters(root) for path in imported_files(page, root)}):
        packages.setdefault(_package_of(path, folders), []).append(path)
    tops = {top for _, top in packages} - {ENGINE_PACKAGE}
    return [
        _wheel(folder, top, modules, _wheels_of(packages_of(modules) - {top}, tops, lock))
        for (folder, top), modules in packages.items()
        if top in tops
    ]


def _folders(root: Path) -> set[Path]:
    """Return the folders from which pages import: the root and the folders of pages."""
    return {root, *(page.parent for page in pages(root))}


def _package_of(module: Path, folders: set[Path]) -> tuple[Path, str]:
    """Return the folder of a module's package and the package's name."""
    above = (folder for folder in folders if module.is_relative_to(folder))
    folder = max(above, key=lambda path: len(path.parts))
    return folder, module.relative_to(folder).parts[0].removesuffix(".py")


def _wheels_of(named: set[str], tops: set[str], lock: dict[str, Any]) -> list[str]:
    libraries = [name for name, entry in lock["packages"].items() if named & set(entry["imports"])]
    return sorted([*libraries, *(_name(top) for top in named & tops)])


def _name(top: str) -> str:
    return f"chapters-{top.strip('_').replace('_', '-')}"


def _wheel(folder: Path, top: str, modules: Sequence[Path], depends: Sequence[str]) -> Wheel:
    data = [
        path for path in (folder / top).rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc")
    ]
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in (*modules, *data)}
    return Wheel(_name(top), files, (top,), tuple(depends))


def packages_of(modules: Iterable[Path]) -> set[str]:
    """Return the top-level packages that some modules import."""
    return {name for path in modules for name in packages_imported_by(path.read_text("utf-8"))}


def unavailable(page: Path, root: Path, lock: dict[str, Any]) -> set[str]:
    """Return the packages that a page imports and the browser lacks.

    Imports of the project's modules count, too."""
    modules = imported_files(page, root)
    named = packages_of(modules) | packages_imported_by(myst.cell_code(page.read_text("utf-8")))
    folders = _folders(root)
    ours = {_package_of(path, folders)[1] for path in modules}
    there = {name for entry in lock["packages"].values() for name in entry["imports"]}
    return named - there - ours - {ENGINE_PACKAGE} - set(NOTEBOOK_PACKAGES) - set(sys.stdlib_module_names)


def write_chapters(live: Path, root: Path) -> dict[str, str]:
    """Write the sources of every page beside the scripts; return where each page's are."""
    (live / CHAPTERS_FOLDER).mkdir(parents=True)
    places: dict[str, str] = {}
    for page in chapters(root):
        content = json.dumps(sources(page), ensure_ascii=False).encode()
        name = page.relative_to(root).with_suffix("").as_posix()
        places[name] = f"{CHAPTERS_FOLDER}/{page.stem}-{digest_of([content])}.json"
        (live / places[name]).write_bytes(content)
    return places
