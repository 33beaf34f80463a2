"""Python for the browser, in one folder: Pyodide, the wheels of the libraries, their bytecode, a trimmed lock."""

import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

from autograder.book.live.bytecode import PROGRAMS, compile_archives
from autograder.book.live.cache import build_once, digest_of
from autograder.book.live.packages import locked, npm_packages, wheels

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
RUNTIME_LIBRARIES = ("numpy", "mpmath", "scipy", "sympy", "matplotlib")
FOR_NOTEBOOKS = ("micropip",)
ARCHIVES = (".whl", ".zip")
# What starting and a first verdict import: of the standard library, only this is shipped as bytecode.
FIRST_PACKAGES = (
    *("ast", "base64", "contextlib", "copy", "dataclasses", "decimal", "fractions", "functools", "hashlib"),
    *("hmac", "html", "io", "json", "linecache", "math", "numpy.linalg", "pathlib", "pyodide.code"),
    *("symtable", "threading", "traceback", "typing", "_ast_unparse"),
)


def python_folder() -> Path:
    """The folder from which a page starts Python."""
    core = npm_packages() / "pyodide"
    lock = json.loads((core / "pyodide-lock.json").read_text("utf-8"))
    entries = locked(RUNTIME_LIBRARIES, lock)
    made_from = [json.dumps([entries, FIRST_PACKAGES]).encode()]
    made_from += [path.read_bytes() for path in (*PROGRAMS, *(core / name for name in CORE))]

    def make(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as raw:
            _put_together(Path(raw), core, entries, lock)
            archives = [path for path in sorted(Path(raw).iterdir()) if path.suffix in ARCHIVES]
            for path in {*Path(raw).iterdir()}.difference(archives):
                shutil.copy(path, folder)
            compile_archives(Path(raw), archives, folder, imports=FIRST_PACKAGES)
        _stamp(folder, lock | {"packages": entries})

    return build_once(f"python-{digest_of(made_from)}", make)


def official_lock() -> dict[str, object]:
    """Return the entries for our libraries in Pyodide's own lock, which is there before they are compiled."""
    lock = json.loads((npm_packages() / "pyodide" / "pyodide-lock.json").read_text("utf-8"))
    return {"packages": locked(RUNTIME_LIBRARIES, lock)}


def lock_of(python: Path) -> dict[str, object]:
    """Read the lock of a folder: file, imports and dependencies of each package."""
    lock: dict[str, Any] = json.loads((python / "pyodide-lock.json").read_text("utf-8"))
    return lock


def _put_together(folder: Path, core: Path, entries: dict[str, Any], lock: dict[str, Any]) -> None:
    fetched = library_wheels(lock)
    files = [*(core / name for name in CORE), *(fetched / entry["file_name"] for entry in entries.values())]
    for path in files:
        shutil.copy(path, folder)  # not a link: the mounted folder would not lead out of itself
    _write_lock(folder, lock | {"packages": entries})


def library_wheels(lock: dict[str, Any]) -> Path:
    """The wheels as they were released, with those that only notebooks need: fetched together."""
    return wheels(locked((*RUNTIME_LIBRARIES, *FOR_NOTEBOOKS), lock))


def _stamp(folder: Path, lock: dict[str, Any]) -> None:
    """Write the lock of what was made: the wheels were compiled, so their hashes are new."""
    for entry in lock["packages"].values():
        entry["sha256"] = hashlib.sha256((folder / entry["file_name"]).read_bytes()).hexdigest()
    _write_lock(folder, lock)


def _write_lock(folder: Path, lock: dict[str, Any]) -> None:
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")
