"""A folder outside the repository for what was fetched or made once, in folders named by the hash of what they hold."""

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

DIGEST_CHARACTERS = 12


def cache_folder() -> Path:
    """Return the folder of live assets: DIMRED_CACHE, or the user's cache."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(os.environ.get("DIMRED_CACHE") or Path(base) / "dimred")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def digest_of(pieces: Iterable[bytes]) -> str:
    """Return a hash of pieces that also depends on their boundaries."""
    total = hashlib.sha256()
    for piece in pieces:
        total.update(len(piece).to_bytes(8, "big") + piece)
    return total.hexdigest()[:DIGEST_CHARACTERS]


def is_made(name: str) -> bool:
    """Return whether the folder of this name is there."""
    return (cache_folder() / name).is_dir()


def build_once(name: str, make: Callable[[Path], object]) -> Path:
    """The folder of this name, made if it is not there: complete or not at all, and by one process at a time."""
    target = cache_folder() / name
    if not target.is_dir():
        with _held(target):
            if not target.is_dir():  # nobody else made it meanwhile
                _make(target, make)
    return target


@contextlib.contextmanager
def _held(target: Path) -> Iterator[None]:
    """Keep other processes from making the same folder; a lock ends with its process, whatever happens to it."""
    path = target.with_name(f".{target.name}.lock")
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _make(target: Path, make: Callable[[Path], object]) -> None:
    started = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
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


def linked(source: str, target: str) -> None:
    """Copy a file by giving it a second name where the disk allows it: what is kept here is large."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)
