"""Python for the browser, in one folder: Pyodide, the wheels of the libraries, their bytecode, a trimmed lock."""

import hashlib
import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from autograder.book.live.cache import digest_of, made_once
from autograder.book.live.packages import NPM, locked, node, npm_packages, wheels
from autograder.errors import LiveError

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LIBRARIES = ("numpy", "mpmath", "scipy", "sympy", "matplotlib")
FOR_NOTEBOOKS = ("micropip",)
RUN, COMPILE = NPM / "run.mjs", NPM / "compile_wheels.py"
# What starting and a first verdict import: of the standard library, only this is shipped as bytecode.
FIRST = (
    *("ast", "base64", "contextlib", "copy", "dataclasses", "decimal", "fractions", "functools", "hashlib"),
    *("hmac", "html", "io", "json", "linecache", "math", "numpy.linalg", "pathlib", "pyodide.code"),
    *("symtable", "threading", "traceback", "typing", "_ast_unparse"),
)


def python_folder() -> Path:
    """The folder from which a page starts Python."""
    core = npm_packages() / "pyodide"
    lock = json.loads((core / "pyodide-lock.json").read_text("utf-8"))
    entries = locked(LIBRARIES, lock)
    made_from = [json.dumps([entries, FIRST]).encode(), RUN.read_bytes(), COMPILE.read_bytes()]
    made_from += [(core / name).read_bytes() for name in CORE]

    def make(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as raw:
            _put_together(Path(raw), core, entries, lock)
            run_in_python(
                Path(raw), COMPILE, {"/in": Path(raw), "/out": folder}, {"imports": FIRST}, ["numpy"]
            )
        _stamp(folder, lock | {"packages": entries})

    return made_once(f"python-{digest_of(made_from)}", make)


def official_lock() -> dict[str, Any]:
    """Return the entries for our libraries in Pyodide's own lock, which is there before they are compiled."""
    lock = json.loads((npm_packages() / "pyodide" / "pyodide-lock.json").read_text("utf-8"))
    return {"packages": locked(LIBRARIES, lock)}


def lock_of(python: Path) -> dict[str, Any]:
    """What that folder has: for every package its file, what it can import and what it needs."""
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
    return wheels(locked((*LIBRARIES, *FOR_NOTEBOOKS), lock))


def _stamp(folder: Path, lock: dict[str, Any]) -> None:
    """Write the lock of what was made: the wheels were compiled, so their hashes are new."""
    for entry in lock["packages"].values():
        entry["sha256"] = hashlib.sha256((folder / entry["file_name"]).read_bytes()).hexdigest()
    _write_lock(folder, lock)


def _write_lock(folder: Path, lock: dict[str, Any]) -> None:
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")


def run_in_python(
    python: Path, script: Path, mounts: Mapping[str, Path], job: Any = None, packages: Iterable[str] = ()
) -> str:
    """Run a Python file in the browser's Python under node; return what it printed."""
    options = {
        "packages": list(packages),
        "mounts": {inside: str(outside) for inside, outside in mounts.items()},
        "job": job,
    }
    command = [node(), str(RUN), str(python), str(script), json.dumps(options)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise LiveError(f"{script.name} failed in the browser's Python: {done.stderr.strip()[-500:]}")
    return done.stdout
