"""Atomic writes of files, file locks, and folders that are restored when a change fails.

New files and folders get no more permissions than the folder that contains them, so files in a private folder are
private.
"""

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from autograder.course.accounts import describe_account
from autograder.errors import CourseError

READ_WRITE_MODE = 0o666
MAX_HOLDER_CHARACTERS = 200  # of the text that the holder of a lock wrote


def is_file(path: Path) -> bool:
    """Return whether a path is a file; raise PermissionError if it is not accessible.

    Since Python 3.14 `Path.is_file` returns False there, and an unreadable submission would count as missing.
    """
    return stat.S_ISREG(_read_mode(path))


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder; raise PermissionError if it is not accessible."""
    return stat.S_ISDIR(_read_mode(path))


def _read_mode(path: Path) -> int:
    try:
        return path.stat().st_mode
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
            raise
        return 0


def make_folder(folder: Path) -> Path:
    """Create a folder and its missing parents, with the permissions of their parent."""
    if not folder.is_dir():
        mode = make_folder(folder.parent).stat().st_mode & 0o777
        folder.mkdir(mode=mode, exist_ok=True)  # in a shared folder the setgid bit keeps the group
    return folder


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically: readers see the old content or the new one."""
    mode = make_folder(path.parent).stat().st_mode & READ_WRITE_MODE
    new = path.with_name(path.name + ".tmp")
    new.unlink(missing_ok=True)  # left by a run that was killed, perhaps with other permissions
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)  # leave no partial file, for example on a full disk
        raise


def write_text(path: Path, text: str) -> None:
    """Write a text in UTF-8, atomically."""
    write_bytes(path, text.encode("utf-8"))


def write_texts(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts into a folder, by file name, each atomically."""
    for name, text in files.items():
        write_text(folder / name, text)


def write_changed_texts(folder: Path, files: Mapping[str, str]) -> None:
    """Write the texts that differ from their files.

    Unchanged files keep their modification time, so builds do not repeat work.
    """
    for name, text in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != text.encode("utf-8"):
            write_text(path, text)


def move_files(source: Path, target: Path) -> None:
    """Move every file to the same place below another folder."""
    for path in sorted(source.rglob("*")):
        if path.is_file():
            destination = target / path.relative_to(source)
            make_folder(destination.parent)
            path.replace(destination)


@contextlib.contextmanager
def replace_folder(folder: Path) -> Iterator[Path]:
    """Yield a new folder that replaces the old one on success.

    It is removed if the block raises.
    """
    new = folder.with_name(f".{folder.name}.tmp")
    with scratch_folder(new):
        yield new
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)


@contextlib.contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Hold an exclusive file lock.

    Raise CourseError with the holder if another run has it. The system releases the lock when the process ends.
    """
    import fcntl  # Unix only: imported here, because students on other systems import this module

    if not path.exists():
        write_text(path, "")
    with path.open("r+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = file.read(MAX_HOLDER_CHARACTERS).strip()
            who = f" ({holder})" if holder else ""
            raise CourseError(
                f"another run is writing in {path.parent}{who}: wait until it has ended"
            ) from None
        file.truncate(0)
        file.write(f"{describe_account()}, process {os.getpid()}, since {datetime.now():%Y-%m-%d %H:%M}\n")
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


@contextlib.contextmanager
def scratch_folder(folder: Path) -> Iterator[Path]:
    """Yield an empty folder and remove it afterwards."""
    shutil.rmtree(folder, ignore_errors=True)
    make_folder(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def restore_on_error(folder: Path) -> Iterator[Path]:
    """Restore the folder to its former state if the block raises."""
    backup = folder.with_name(f"{folder.name}.tmp")
    shutil.rmtree(backup, ignore_errors=True)
    if folder.is_dir():
        shutil.copytree(folder, backup)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        if backup.is_dir():
            backup.rename(folder)
        raise
    shutil.rmtree(backup, ignore_errors=True)
