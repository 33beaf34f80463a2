"""The Python of notebooks in the browser: that of the live cells, and the wheels that only notebooks need.

JupyterLite looks packages up in a lock of its own, which leads to the wheels of the live cells and of the engine beside
it. What it needs besides (IPython and what that imports) is pure Python from PyPI, pinned by hash.
"""

import hashlib
import json
import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from autograder.book.live import engine
from autograder.book.live.bytecode import PROGRAMS, compile_archives
from autograder.book.live.cache import build_once, digest_of
from autograder.book.live.packages import npm_packages, pip_download
from autograder.book.live.runtime import FOR_NOTEBOOKS, library_wheels

PURE = Path(__file__).parent / "lite" / "requirements.txt"
LOCK = "pyodide-lock.json"
STAYS_AS_IT_IS = "jedi-*.whl"  # it reads the sources and stubs that it ships, to complete names


def notebook_folder(python: Path, engine_folder: Path) -> Path:
    """The lock for notebooks, and the wheels that only they need, as bytecode."""
    official = json.loads((npm_packages() / "pyodide" / LOCK).read_text("utf-8"))

    def make(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as raw:
            _fetch(Path(raw), official)
            for path in Path(raw).glob(STAYS_AS_IT_IS):
                shutil.move(path, folder)
            compile_archives(python, sorted(Path(raw).glob("*.whl")), folder)
        shared = json.loads((python / LOCK).read_text("utf-8"))
        own = engine_folder / engine.ENGINE_WHEEL
        shared["packages"] = {
            **_elsewhere(shared["packages"], python.name),
            **_entries(folder, official["packages"]),
            "autograder": _entry(own, f"../{engine_folder.name}/{own.name}", ["numpy", "mpmath"]),
        }
        (folder / LOCK).write_text(json.dumps(shared), "utf-8")

    programs = [path.read_bytes() for path in (PURE, *PROGRAMS, Path(__file__))]
    made_from = [*programs, python.name.encode(), engine_folder.name.encode()]
    return build_once(f"notebook-{digest_of(made_from)}", make)


def _fetch(folder: Path, official: dict[str, Any]) -> None:
    pip_download(["--python-version", "3.14", "--require-hashes", "-r", str(PURE)], folder)
    for name in FOR_NOTEBOOKS:
        shutil.copy(library_wheels(official) / official["packages"][name]["file_name"], folder)


def _elsewhere(entries: dict[str, Any], folder: str) -> dict[str, object]:
    """The entries of another folder's lock, as seen from beside that folder."""
    return {
        name: entry | {"file_name": f"../{folder}/{entry['file_name']}"} for name, entry in entries.items()
    }


def _entries(folder: Path, official: dict[str, Any]) -> dict[str, Any]:
    """An entry for each wheel; what it depends on, the official lock knows."""
    found = {}
    for wheel in sorted(folder.glob("*.whl")):
        name = wheel.name.partition("-")[0].lower().replace("_", "-")
        found[name] = _entry(wheel, wheel.name, official.get(name, {}).get("depends", []))
    return found


def _entry(wheel: Path, address: str, depends: list[str]) -> dict[str, Any]:
    """Return the lock's entry of a wheel."""
    name, version = wheel.name.split("-")[:2]
    with zipfile.ZipFile(wheel) as opened:
        tops = {
            entry.partition("/")[0].removesuffix(".pyc").removesuffix(".py") for entry in opened.namelist()
        }
    return {
        "name": name.lower().replace("_", "-"),
        "version": version,
        "file_name": address,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": depends,
        "unvendored_tests": False,
    }
