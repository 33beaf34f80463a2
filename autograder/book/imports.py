"""The files of the project that the cells of a page import, directly or through others.

Modules loaded by name (importlib) are not seen.
"""

import ast
import hashlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

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
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(str(node.module).partition(".")[0])
    return found


def digest(page: Path, root: Path) -> str:
    """Return a digest of the project files that a page depends on."""
    total = hashlib.sha256()
    for path in imported_files(page, root):
        total.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def _imported_by(source: str, package: Sequence[str], folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the project files that Python source imports; package is where its relative imports start."""
    for name in _names(source, tuple(package)):
        yield from _files_of(name.split("."), folders)


@lru_cache(maxsize=1024)  # every page asks about the same modules
def _names(source: str, package: tuple[str, ...]) -> tuple[str, ...]:
    """Return the dotted names that Python source imports."""
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *filter(None, [node.module])])
            # `from package import module` and `from module import name` look alike: both are looked up.
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return tuple(found)


def _files_of(module: Sequence[str], folders: Sequence[Path]) -> list[Path]:
    """Return the files that importing a dotted module runs, its packages included; none if it is not ours."""
    for folder in folders:
        parents = [folder.joinpath(*module[: depth + 1]) for depth in range(len(module))]
        candidates = [
            file for path in parents for file in (path.with_name(path.name + ".py"), path / "__init__.py")
        ]
        if files := [file for file in candidates if file.is_file()]:
            return files
    return []


def _package_of(path: Path, folders: Sequence[Path]) -> tuple[str, ...]:
    folder = next(folder for folder in folders if path.is_relative_to(folder))
    return path.relative_to(folder).parent.parts
