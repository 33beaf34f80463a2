"""Copy a folder that a student's account can write, without following links.

The student may change the folder during the copy (a race between check and use). So every file is opened relative to
the descriptor of its folder, with O_NOFOLLOW and O_NONBLOCK. Checks and copying use the same descriptor.
"""

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAX_FOLDER_DEPTH = 8  # nested folders; a notebook with its data has two or three
MAX_FOLDER_FILES = 1000
CHUNK_BYTES = 1 << 20
OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
OPEN_FOLDER = OPEN_FILE | os.O_DIRECTORY


class ForeignFolderError(Exception):
    """A folder cannot be copied."""


@dataclass
class ForeignFolder:
    """An open folder of another account.

    `left_out` lists the files that are not copied, with reasons.
    """

    descriptor: int
    max_bytes: int
    left_out: list[str] = field(default_factory=list)
    _n_files: int = 0

    @property
    def owner(self) -> int:
        """The user id of the folder's owner."""
        return os.fstat(self.descriptor).st_uid

    def last_change(self) -> float:
        """Return the latest ctime, which the owner cannot set."""
        times = [file.ctime for file in self._walk(self.descriptor, "")]
        return max([os.fstat(self.descriptor).st_ctime, *times])

    def copy_to(self, target: Path) -> None:
        """Copy the owner's ordinary files into a new folder."""
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
        """Yield the files, each open until the next one is requested."""
        for name in sorted(os.listdir(folder)):
            self._n_files += 1
            if self._n_files > MAX_FOLDER_FILES or depth > MAX_FOLDER_DEPTH:
                raise ForeignFolderError(
                    f"it holds more than {MAX_FOLDER_FILES} files or {MAX_FOLDER_DEPTH} levels of folders"
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
        """Copy the content and return the number of bytes.

        The bytes are counted, because the file may grow during the copy.
        """
        n_bytes = 0
        with place.open("xb") as target:
            while chunk := os.read(self.descriptor, CHUNK_BYTES):
                n_bytes += len(chunk)
                if n_bytes > max_bytes:
                    raise ForeignFolderError(f"its files hold more than {max_bytes} bytes")
                target.write(chunk)
        return n_bytes


def open_folder(path: Path, max_bytes: int, is_allowed: Callable[[int], bool]) -> ForeignFolder:
    """Open a folder; raise ForeignFolderError if its owner is not allowed."""
    try:
        folder = ForeignFolder(os.open(path, OPEN_FOLDER), max_bytes)
    except OSError as error:
        raise ForeignFolderError(f"it cannot be opened as a folder ({error.strerror})") from None
    owner = folder.owner
    if not is_allowed(owner):
        folder.close()
        raise ForeignFolderError(f"it belongs to account {owner}, which may not hand in under this name")
    return folder
