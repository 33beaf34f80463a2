"""Find the project files that the cells of a page import.

Indirect imports are followed. Modules loaded by name (importlib) are not seen.
"""

import ast
import hashlib
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from autograder.book import myst
from autograder.course.digests import ENGINE_ROOT

ENGINE_PARENT = ENGINE_ROOT.parent  # a checkout, or site-packages with the packages of many others


def imported_files(page: Path, root: Path) -> list[Path]:
    """Return the project files that a page imports, directly or not."""
    return files_imported_by(myst.cell_code(page.read_text("utf-8")), (page.parent, root))


def files_imported_by(source: str, folders: Sequence[Path], package: str = "") -> list[Path]:
    """Return the files below some folders that Python source imports.

    Indirect imports are included. With `package`, only the files of this package are.
    """
    waiting = list(_imported_by(source, (), folders, package))
    reached: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += _imported_by(path.read_text("utf-8"), _package_of(path, folders), folders, package)
    return sorted(reached)


def engine_files_imported_by(source: str) -> list[Path]:
    """Return the files of this engine that Python source imports.

    Other packages in the engine's parent folder are left out.
    """
    return files_imported_by(source, (ENGINE_PARENT,), ENGINE_ROOT.name)


def packages_imported_by(source: str) -> set[str]:
    """Return the top-level names that Python source imports."""
    return {statement.module.partition(".")[0] for statement in _imports(source) if not statement.level}


def digest(page: Path, root: Path) -> str:
    """Return a digest of the project files that a page imports."""
    total = hashlib.sha256()
    for path in imported_files(page, root):
        total.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def _imported_by(
    source: str, home: Sequence[str], folders: Sequence[Path], package: str = ""
) -> Iterator[Path]:
    """Yield the project files that Python source imports directly.

    Relative imports start at the package `home`.
    """
    for statement in _imports(source):
        above = home[: len(home) - statement.level + 1] if statement.level else ()
        base = [*above, *filter(None, statement.module.split("."))]
        if package and base[:1] != [package]:
            continue
        # `from package import module` and `from module import name` look alike, so both are tried.
        for name in ([], *([name] for name in statement.names)):
            yield from _files_of([*base, *name], folders)


class _Import(NamedTuple):
    """The statement `from ..module import names`, here with level 2.

    `import module` has no names.
    """

    module: str
    names: tuple[str, ...] = ()
    level: int = 0


@lru_cache(maxsize=1024)  # many pages import the same modules
def _imports(source: str) -> tuple[_Import, ...]:
    """Return the import statements of Python source."""
    imports: list[_Import] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imports += [_Import(alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imports.append(_Import(node.module or "", tuple(alias.name for alias in node.names), node.level))
    return tuple(imports)


def _files_of(module: Sequence[str], folders: Sequence[Path]) -> list[Path]:
    """Return the files that run when a dotted module is imported.

    Its packages are included. The list is empty if the module is not below the folders.
    """
    for folder in folders if module else ():
        # Fast path with strings: a build calls this ten thousand times, mostly for libraries.
        top = os.path.join(folder, module[0])
        if not os.path.isdir(top) and not os.path.isfile(f"{top}.py"):
            continue
        parents = [os.path.join(folder, *module[: depth + 1]) for depth in range(len(module))]
        candidates = [file for path in parents for file in (f"{path}.py", os.path.join(path, "__init__.py"))]
        if files := list(map(Path, filter(os.path.isfile, candidates))):
            return files
    return []


def _package_of(path: Path, folders: Sequence[Path]) -> tuple[str, ...]:
    folder = next(folder for folder in folders if path.is_relative_to(folder))
    return path.relative_to(folder).parent.parts


def libraries(page: Path, root: Path) -> set[str]:
    """Return the modules outside the project that a page imports.

    Imports by project files are included.
    """
    folders = (page.parent, root)
    texts = [path.read_text("utf-8") for path in imported_files(page, root)]
    modules = {
        imported.module
        for text in (myst.cell_code(page.read_text("utf-8")), *texts)
        for imported in _imports(text)
        if not imported.level
    }
    return {name for name in modules if not _files_of(name.split("."), folders)}
