"""The files of the project that the cells of a page import, directly or through others.

Modules loaded by name (importlib) are not seen.
"""

import ast
import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from autograder.book import myst


def imported_files(page: Path, root: Path) -> list[Path]:
    """Return the files of the project that the cells of a page import, directly or through others."""
    return files_imported_by(myst.code(page.read_text("utf-8")), (page.parent, root))


def files_imported_by(source: str, folders: Sequence[Path]) -> list[Path]:
    """Return the files below some folders that Python source imports, directly or through others."""
    waiting = list(_imported_by(source, (), folders))
    reached: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += _imported_by(path.read_text("utf-8"), _package_of(path, folders), folders)
    return sorted(reached)


def packages_imported_by(source: str) -> set[str]:
    """Return the top-level names that Python source imports."""
    return {one.module.partition(".")[0] for one in _imports(source) if not one.level}


def digest(page: Path, root: Path) -> str:
    """Return a digest of the project files that a page depends on."""
    total = hashlib.sha256()
    for path in imported_files(page, root):
        total.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def _imported_by(source: str, package: Sequence[str], folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the project files that Python source imports; package is where its relative imports start."""
    for one in _imports(source):
        above = package[: len(package) - one.level + 1] if one.level else ()
        base = [*above, *filter(None, one.module.split("."))]
        # `from package import module` and `from module import name` look alike: both are looked up.
        for name in ([], *([name] for name in one.names)):
            yield from _files_of([*base, *name], folders)


class _Import(NamedTuple):
    """`from ..module import names`, with a level of 2; of `import module` there are no names."""

    module: str
    names: tuple[str, ...] = ()
    level: int = 0


@lru_cache(maxsize=1024)  # every page asks about the same modules
def _imports(source: str) -> tuple[_Import, ...]:
    """Return what Python source imports."""
    found: list[_Import] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [_Import(alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(_Import(node.module or "", tuple(alias.name for alias in node.names), node.level))
    return tuple(found)


def _files_of(module: Sequence[str], folders: Sequence[Path]) -> list[Path]:
    """Return the files that importing a dotted module runs, its packages included; none if it is not ours."""
    for folder in folders:
        # Strings and a look at the first part: a build asks this ten thousand times, mostly about libraries.
        top = os.path.join(folder, module[0]) if module else ""
        if not os.path.isdir(top) and not os.path.isfile(f"{top}.py"):
            continue
        parents = [os.path.join(folder, *module[: depth + 1]) for depth in range(len(module))]
        candidates = [file for path in parents for file in (f"{path}.py", os.path.join(path, "__init__.py"))]
        if files := [Path(file) for file in candidates if os.path.isfile(file)]:
            return files
    return []


def _package_of(path: Path, folders: Sequence[Path]) -> tuple[str, ...]:
    folder = next(folder for folder in folders if path.is_relative_to(folder))
    return path.relative_to(folder).parent.parts


def libraries(page: Path, root: Path) -> set[str]:
    """Return the modules outside the project that a page imports, directly or through files of the project."""
    folders = (page.parent, root)
    texts = [path.read_text("utf-8") for path in imported_files(page, root)]
    modules = {
        imported.module
        for text in (myst.code(page.read_text("utf-8")), *texts)
        for imported in _imports(text)
        if not imported.level
    }
    return {name for name in modules if not _files_of(name.split("."), folders)}
