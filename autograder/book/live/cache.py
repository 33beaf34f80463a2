"""A folder outside the repository for what was fetched or made once, in folders named by the hash of what they hold."""

import contextlib
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

DIGITS = 12


def cache_folder() -> Path:
    """Where live assets are kept: DIMRED_CACHE, or the user's cache."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(os.environ.get("DIMRED_CACHE") or Path(base) / "dimred")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def digest_of(pieces: Iterable[bytes]) -> str:
    """The hash of some bytes and of where one piece ends."""
    total = hashlib.sha256()
    for piece in pieces:
        total.update(len(piece).to_bytes(8, "big") + piece)
    return total.hexdigest()[:DIGITS]


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """The folder of this name, made if it is not there: complete or not at all, whoever else makes it meanwhile."""
    target = cache_folder() / name
    if target.is_dir():
        return target
    started = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=target.parent))
    try:
        make(started)
        started.chmod(0o755)
        for path in started.iterdir():
            if path.is_file():
                path.chmod(0o644)
        with contextlib.suppress(OSError):  # another process was faster, with the same bytes
            started.rename(target)
    finally:
        shutil.rmtree(started, ignore_errors=True)
    return target


def linked(source: str, target: str) -> None:
    """Copy a file by giving it a second name where the disk allows it: what is kept here is large."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)
