"""Copy a folder that a student's account can write, without following links.

The student may change the folder while it is copied. Every file is therefore opened relative to the descriptor of its
folder, with O_NOFOLLOW and O_NONBLOCK, and examined through its own descriptor: what was examined is what is copied.
"""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAX_DEPTH = 8  # folders inside each other: a notebook with its data has two or three
MAX_FILES = 1000
CHUNK_BYTES = 1 << 20
OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
OPEN_FOLDER = OPEN_FILE | os.O_DIRECTORY


class ForeignFolderError(Exception):
    """The folder cannot be copied; the message says why, in one line."""


@dataclass
class ForeignFolder:
    """A folder of another account, opened; `left_out` says which of its files are not copied, and why."""

    descriptor: int
    max_bytes: int
    left_out: list[str] = field(default_factory=list)
    _n_files: int = 0

    @property
    def owner(self) -> int:
        """Return the number of the account that owns the folder."""
        return os.fstat(self.descriptor).st_uid

    def last_change(self) -> float:
        """Return when the folder or a file in it was last written; its owner cannot set this time back."""
        times = [file.ctime for file in self._walk(self.descriptor, "")]
        return max([os.fstat(self.descriptor).st_ctime, *times])

    def copy_to(self, target: Path) -> None:
        """Copy the owner's own ordinary files into a new folder."""
        self.left_out, self._n_files, n_bytes = [], 0, 0
        target.mkdir()
        for file in self._walk(self.descriptor, ""):
            place = target / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            n_bytes += file.copy_to(place, self.max_bytes - n_bytes)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self.descriptor)

    def _walk(self, folder: int, path: str, depth: int = 0) -> Iterator["_File"]:
        """Open the files one after the other; each is closed when the next one is asked for."""
        for name in sorted(os.listdir(folder)):
            self._n_files += 1
            if self._n_files > MAX_FILES or depth > MAX_DEPTH:
                raise ForeignFolderError(
                    f"it holds more than {MAX_FILES} files or {MAX_DEPTH} levels of folders"
                )
            yield from self._open(folder, name, f"{path}{name}", depth)

    def _open(self, folder: int, name: str, path: str, depth: int) -> Iterator["_File"]:
        try:
            descriptor = os.open(name, OPEN_FILE, dir_fd=folder)
        except OSError as error:  # a link, a socket, or a file that may not be read
            self.left_out.append(f"{path!r} cannot be opened as a file ({error.strerror})")
            return
        try:
            status = os.fstat(descriptor)
            if stat.S_ISDIR(status.st_mode):
                yield from self._walk(descriptor, f"{path}/", depth + 1)
            elif not stat.S_ISREG(status.st_mode):
                self.left_out.append(f"{path!r} is not an ordinary file")
            elif status.st_uid != self.owner:
                self.left_out.append(f"{path!r} belongs to another account")
            else:
                yield _File(descriptor, path, status.st_ctime)
        finally:
            os.close(descriptor)


@dataclass(frozen=True)
class _File:
    descriptor: int
    path: str
    ctime: float

    def copy_to(self, place: Path, max_bytes: int) -> int:
        """Copy the content and return its size; a file may grow while it is read, so the bytes are counted."""
        n_bytes = 0
        with place.open("xb") as target:
            while chunk := os.read(self.descriptor, CHUNK_BYTES):
                n_bytes += len(chunk)
                if n_bytes > max_bytes:
                    raise ForeignFolderError(f"its files hold more than {max_bytes} bytes")
                target.write(chunk)
        return n_bytes


def open_folder(path: Path, max_bytes: int, is_allowed: Callable[[int], bool]) -> ForeignFolder:
    """Open a folder that belongs to an account that is allowed."""
    try:
        folder = ForeignFolder(os.open(path, OPEN_FOLDER), max_bytes)
    except OSError as error:
        raise ForeignFolderError(f"it cannot be opened as a folder ({error.strerror})") from None
    owner = folder.owner
    if not is_allowed(owner):
        folder.close()
        raise ForeignFolderError(f"it belongs to account {owner}, which may not hand in under this name")
    return folder
