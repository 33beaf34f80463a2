"""Paths that students' programs may read.

These are system libraries, the interpreter, its packages and this engine.
"""

import importlib.machinery
import os
import sys
import sysconfig
from collections.abc import Iterable
from functools import cache
from pathlib import Path

SYSTEM_FOLDERS = (
    "bin",
    "sbin",
    "lib",
    "lib32",
    "lib64",
    "libexec",
    "share",
)  # below "/" only the first five; "src" and others stay hidden
OTHER_PATHS = (
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/proc",
)
ENGINE_FOLDER = Path(__file__).parents[1]


def visible_paths() -> list[str]:
    """Return the folders and files that are visible in the sandbox."""
    prefixes = ("/", "/usr", "/usr/local", sys.base_prefix, sys.prefix)
    parts = {
        os.path.join(prefix, part)
        for prefix in prefixes
        for part in SYSTEM_FOLDERS[: 5 if prefix == "/" else None]
    }
    packages = {sysconfig.get_paths()[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    candidates = {*parts, *packages, *OTHER_PATHS, str(ENGINE_FOLDER), f"{sys.prefix}/pyvenv.cfg"}
    return [path for path in sorted(candidates) if os.path.lexists(path)]


def installed_paths(names: Iterable[str]) -> list[str]:
    """Return the folders and files of packages, in every folder from which this Python imports."""
    folders = [folder for folder in dict.fromkeys([*sys.path, *_package_folders()]) if folder]
    return sorted({path for name in names for folder in folders for path in _paths_of(name, folder) if path})


def _paths_of(name: str, folder: str) -> list[str]:
    """Return the folders of a package, or the file of a module, below a folder."""
    spec = importlib.machinery.PathFinder.find_spec(name, [folder])
    if spec is None:
        return []
    return list(spec.submodule_search_locations or [spec.origin or ""])


def _package_folders() -> list[str]:
    return [sysconfig.get_paths()[name] for name in ("purelib", "platlib")]


@cache
def hidden_packages() -> tuple[str, ...]:
    """Return the packages installed by the same distribution as this engine.

    They may hold a course's reference and solutions, which contain the answers.
    """
    engine_entry = f"{ENGINE_FOLDER.name}/__init__.py,"
    for record in ENGINE_FOLDER.parent.glob("*.dist-info/RECORD"):
        lines = record.read_text("utf-8", "replace").splitlines()
        if any(line.startswith(engine_entry) for line in lines):
            installed = {line.partition(",")[0].partition("/")[0] for line in lines}
            return tuple(
                str(ENGINE_FOLDER.parent / name)
                for name in sorted(installed - {ENGINE_FOLDER.name, record.parent.name, ".."})
            )
    return ()
