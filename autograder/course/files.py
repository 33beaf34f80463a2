"""Files that are written whole or not at all, and folders that are put back when a change fails.

What is written into a private folder is private, whatever the umask: new files and folders get no more rights than
the folder they are put into.
"""

import contextlib
import errno
import fcntl
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from autograder.errors import CourseError

READ_AND_WRITE = 0o666


def is_file(path: Path) -> bool:
    """Tell whether a path is a file; PermissionError where it cannot be looked at.

    Since Python 3.14, `Path.is_file` says False there, and work that cannot be read would pass for work not handed in.
    """
    return stat.S_ISREG(_mode(path))


def is_folder(path: Path) -> bool:
    """Tell whether a path is a folder; PermissionError where it cannot be looked at."""
    return stat.S_ISDIR(_mode(path))


def _mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            raise
        return 0


def make_folder(folder: Path) -> Path:
    """Make a folder and those above it that are missing, each as private as the folder it is in."""
    if not folder.is_dir():
        rights = make_folder(folder.parent).stat().st_mode & 0o777
        folder.mkdir(mode=rights, exist_ok=True)
    return folder


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file beside its place and move it there: whoever reads it finds the old one or the new one."""
    rights = make_folder(path.parent).stat().st_mode & READ_AND_WRITE
    new = path.with_name(path.name + ".tmp")
    new.unlink(missing_ok=True)  # left by a run that was stopped, with the rights of that day
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, rights), "wb") as file:
            file.write(data)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)  # a full disk must not keep half a file
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8, whole or not at all."""
    write_bytes(path, text.encode("utf-8"))


def write_texts(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts into a folder, by name, each whole or not at all."""
    for name, text in files.items():
        write_text(folder / name, text)


def write_changed_texts(folder: Path, files: Mapping[str, str]) -> None:
    """Write the texts that differ from the files: what stays keeps its time, so nothing is built again for it."""
    for name, text in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != text.encode("utf-8"):
            write_text(path, text)


def move_files(source: Path, target: Path) -> None:
    """Move every file to the same place below another folder."""
    for path in sorted(source.rglob("*")):
        if path.is_file():
            place = target / path.relative_to(source)
            make_folder(place.parent)
            path.replace(place)


@contextlib.contextmanager
def replaced(folder: Path) -> Iterator[Path]:
    """A new folder, to be filled; it takes the place of the old one when that is done, or leaves no trace."""
    new = folder.with_name(f".{folder.name}.tmp")
    with emptied_afterwards(new):
        yield new
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Nobody else is here: a lock that ends with the process, however that ends."""
    if not path.exists():
        write_text(path, "")
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CourseError(f"another run is writing in {path.parent}: wait until it has ended") from None
        yield


@contextlib.contextmanager
def emptied_afterwards(folder: Path) -> Iterator[Path]:
    """An empty folder, removed afterwards with all that was left in it."""
    shutil.rmtree(folder, ignore_errors=True)
    make_folder(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def put_back_on_error(folder: Path) -> Iterator[Path]:
    """Let a folder be changed; if that fails, it is as it was."""
    kept = folder.with_name(f"{folder.name}.tmp")
    shutil.rmtree(kept, ignore_errors=True)
    if folder.is_dir():
        shutil.copytree(folder, kept)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        if kept.is_dir():
            kept.rename(folder)
        raise
    shutil.rmtree(kept, ignore_errors=True)
