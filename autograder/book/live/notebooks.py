"""Whole assignments as notebooks in the browser: JupyterLite on the same Python, the same wheels, the same engine.

JupyterLite looks its packages up in a lock of their own, which leads to the wheels of the live cells beside it. What it
needs besides (IPython and what that imports) is pure Python from PyPI, pinned by hash. Work is kept by the browser.
"""

import hashlib
import importlib.metadata
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autograder.book.assignments import Assignment
from autograder.book.live import engine
from autograder.book.live.cache import digest_of, made_once
from autograder.book.live.packages import npm_packages, pip_download
from autograder.book.live.runtime import FOR_NOTEBOOKS, library_wheels
from autograder.errors import LiveError

PURE = Path(__file__).parent / "lite" / "requirements.txt"
LITE = ("jupyterlite-core", "jupyterlite-pyodide-kernel")
PLACE = "lite"  # below the root of the site


def notebook_folder(python: Path, engine_folder: Path) -> Path:
    """The lock for notebooks, and the wheels that only they need."""
    shared = json.loads((python / "pyodide-lock.json").read_text("utf-8"))
    official = json.loads((npm_packages() / "pyodide" / "pyodide-lock.json").read_text("utf-8"))

    def make(folder: Path) -> None:
        pip_download(["--python-version", "3.14", "--require-hashes", "-r", str(PURE)], folder)
        for name in FOR_NOTEBOOKS:
            shutil.copy(library_wheels(official) / official["packages"][name]["file_name"], folder)
        for entry in shared["packages"].values():
            entry["file_name"] = f"../{python.name}/{entry['file_name']}"
        known = official["packages"]
        for wheel in folder.glob("*.whl"):
            entry = _entry(wheel, wheel.name)
            entry["depends"] = known.get(entry["name"], {}).get("depends", [])
            shared["packages"][entry["name"]] = entry
        own = engine_folder / engine.NAME
        entry = _entry(own, f"../{engine_folder.name}/{engine.NAME}")
        shared["packages"][entry["name"]] = entry | {"depends": ["numpy", "mpmath"]}
        (folder / "pyodide-lock.json").write_text(json.dumps(shared), "utf-8")

    made_from = [
        PURE.read_bytes(),
        python.name.encode(),
        engine_folder.name.encode(),
        Path(__file__).read_bytes(),
    ]
    return made_once(f"notebook-{digest_of(made_from)}", make)


def _entry(wheel: Path, address: str) -> dict[str, Any]:
    """What a lock says of a wheel."""
    name, version = wheel.name.split("-")[:2]
    with zipfile.ZipFile(wheel) as opened:
        tops = {entry.partition("/")[0].removesuffix(".py") for entry in opened.namelist()}
    return {
        "name": name.lower().replace("_", "-"),
        "version": version,
        "file_name": address,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": [],
        "unvendored_tests": False,
    }


def lite_folder(assignments: Iterable[Assignment], python: Path, notebook: Path) -> Path:
    """JupyterLite with every assignment in it, each notebook beside its key."""
    files = {name: content for one in assignments for name, content in _files(one).items()}
    settings = json.dumps(_settings(python, notebook))
    versions = [importlib.metadata.version(name).encode() for name in LITE]
    made_from = [
        *versions,
        settings.encode(),
        *(part for name in files for part in (name.encode(), files[name])),
    ]

    def make(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as work:
            for name, content in files.items():
                path = Path(work, "contents", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            Path(work, "jupyter-lite.json").write_text(settings, "utf-8")
            _build(Path(work), Path(work, "made"))
            shutil.copytree(Path(work, "made"), folder, dirs_exist_ok=True)

    return made_once(f"lite-{digest_of([*made_from, Path(__file__).read_bytes()])}", make)


def _files(assignment: Assignment) -> dict[str, bytes]:
    """The notebook, for the kernel that there is in the browser (no question asked), and its key."""
    notebook = json.loads(json.dumps(assignment.notebook))
    notebook["metadata"]["kernelspec"] = {
        "name": "python",
        "display_name": "Python (Pyodide)",
        "language": "python",
    }
    start = f"{assignment.topic}/{assignment.topic}"
    key = assignment.folder / f"{assignment.topic}.key.json"
    return {f"{start}.ipynb": json.dumps(notebook, indent=1).encode(), f"{start}.key.json": key.read_bytes()}


def _settings(python: Path, notebook: Path) -> dict[str, Any]:
    """Everything from this site: addresses below the folder of JupyterLite."""
    live = "../_static/live"
    kernel = {
        # JupyterLite moves addresses that start with "./" to where this file lies
        "pyodideUrl": f"./{live}/{python.name}/pyodide.mjs",
        "disablePyPIFallback": True,
        "loadPyodideOptions": {"lockFileURL": f"{live}/{notebook.name}/pyodide-lock.json"},
    }
    data = {
        "appName": "Assignments",
        "exposeAppInBrowser": True,
        "disabledExtensions": [
            "@jupyter/nbgrader"
        ],  # for those who make and collect assignments, with a server
        "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
    }
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": data}


def _build(work: Path, made: Path) -> None:
    options = ["--contents", "contents", "--output-dir", str(made), "--no-sourcemaps", "--apps", "lab"]
    command = [sys.executable, "-m", "jupyterlite_core", "build", *options]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    settings = made / "jupyter-lite.json"
    if done.returncode or "pyodideUrl" not in (settings.read_text("utf-8") if settings.is_file() else ""):
        raise LiveError(f"JupyterLite was not built: {(done.stderr or done.stdout).strip()[-300:]}")


def are_possible() -> bool:
    """Not yet: no test has seen such a notebook run, kept, downloaded and graded the same, so no page offers it."""
    return False
