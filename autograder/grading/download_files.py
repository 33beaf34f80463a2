"""Read the files of a bulk download, a folder or zip archive.

Students chose the names in a download. So their paths are shown and parsed and never written to. Links are skipped.
Nothing is unpacked to disk, and the bytes and files read are limited, as a protection against zip bombs.
"""

import os
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import IO

from autograder.errors import CourseError, UnreadableError
from autograder.grading.repair import MAX_NOTEBOOK, read_file

MAX_ARCHIVE_FILES = 50_000  # a class of 1,000 with a data folder each
MAX_TOTAL_BYTES = 2**31  # read from one download
MAX_FILES_INSIDE = 1_000  # in an archive of one student, so that it cannot use up the limit of the class
MAX_BYTES_INSIDE = 4 * MAX_NOTEBOOK
MAX_ARCHIVE_DEPTH = 3  # nested archives: the platform's, the student's, and another by mistake
SKIPPED_FOLDERS = frozenset({"__MACOSX", ".ipynb_checkpoints", ".git", "__pycache__"})
SKIPPED_NAMES = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
# Bits in the flags of a zip entry. Without IS_UTF8 the name is in the code page of the machine that wrote it.
IS_UTF8 = 0x800
IS_ENCRYPTED = 0x1
ARCHIVE_ENDINGS = (".zip",)


@dataclass(frozen=True)
class DownloadedFile:
    """A file of a download, or the problem that prevents reading it."""

    path: str
    data: bytes = b""
    problem: str = ""


class _QuotaError(Exception):
    """An archive exceeds its quota."""


@dataclass
class _Quota:
    """Limits on the files and bytes read from an archive."""

    max_files: int = MAX_ARCHIVE_FILES
    max_bytes: int = MAX_TOTAL_BYTES
    n_files: int = field(default=0, init=False)
    n_bytes: int = field(default=0, init=False)

    def take_file(self) -> None:
        self.n_files += 1
        if self.n_files > self.max_files:
            raise _QuotaError(f"holds more than {self.max_files} files")

    def take_bytes(self, number: int) -> None:
        self.n_bytes += number
        if self.n_bytes > self.max_bytes:
            raise _QuotaError(f"holds more than {self.max_bytes // 2**20} MiB when it is unpacked")


def read_download(source: Path) -> Iterator[DownloadedFile]:
    """Yield the files of a download, including those in nested archives.

    The path of a nested file starts with the path of its archive.
    """
    quota = _Quota()
    try:
        if source.is_dir():
            yield from _read_folder(source, quota)
            return
        with source.open("rb") as file:
            yield from _read_archive(file, "", quota, depth=0)
    except _QuotaError as error:
        raise CourseError(f"{source.name} {error}: collect it in parts") from None
    except OSError as error:
        raise CourseError(f"{source} cannot be read: {error.strerror}") from None
    except zipfile.BadZipFile:
        raise CourseError(
            f"{source.name} is not a zip archive, or it is damaged: download it again"
        ) from None


def _read_folder(source: Path, quota: _Quota) -> Iterator[DownloadedFile]:
    for folder, below, names in os.walk(source):
        below[:] = sorted(name for name in below if name not in SKIPPED_FOLDERS)
        for name in sorted(names):
            path = Path(folder, name)
            shown = path.relative_to(source).as_posix()
            if _is_skipped(shown):
                continue
            quota.take_file()
            try:
                data = read_file(path)
            except UnreadableError as error:
                yield DownloadedFile(shown, problem=str(error))
                continue
            except OSError as error:
                yield DownloadedFile(shown, problem=f"it cannot be read ({error.strerror})")
                continue
            quota.take_bytes(len(data))
            yield from _read_file_or_archive(shown, data, quota, 0)


def _read_archive(file: IO[bytes], prefix: str, quota: _Quota, depth: int) -> Iterator[DownloadedFile]:
    with _open_archive(file) as archive:
        for entry in archive.infolist():
            path = prefix + _entry_name(entry)
            if not entry.filename or entry.is_dir() or _is_skipped(path):
                continue
            quota.take_file()
            if stat.S_ISLNK(entry.external_attr >> 16):
                yield DownloadedFile(path, problem="it is a link to another file")
                continue
            data, problem = _read_entry(archive, entry)
            quota.take_bytes(len(data))
            if problem:
                yield DownloadedFile(path, problem=problem)
                continue
            yield from _read_file_or_archive(path, data, quota, depth)


def _open_archive(file: IO[bytes]) -> zipfile.ZipFile:
    """Open an archive; raise BadZipFile if its directory cannot be read."""
    try:
        return zipfile.ZipFile(file)
    except OSError:
        raise
    # zipfile raises many types for a damaged directory, for example UnicodeDecodeError
    except Exception as error:
        raise zipfile.BadZipFile(str(error)) from None


def _read_file_or_archive(path: str, data: bytes, quota: _Quota, depth: int) -> Iterator[DownloadedFile]:
    """Yield a file, or its contents if it is a zip archive."""
    is_archive = path.lower().endswith(ARCHIVE_ENDINGS) and zipfile.is_zipfile(BytesIO(data))
    if not is_archive:
        yield DownloadedFile(path, data)
        return
    if depth >= MAX_ARCHIVE_DEPTH:
        yield DownloadedFile(path, problem=f"it is an archive inside {MAX_ARCHIVE_DEPTH} others")
        return
    inside = _Quota(MAX_FILES_INSIDE, MAX_BYTES_INSIDE) if depth == 0 else quota
    try:
        yield from _read_archive(BytesIO(data), f"{path}/", inside, depth + 1)
    except (zipfile.BadZipFile, OSError):
        yield DownloadedFile(path, problem="it is a damaged zip archive")
    except _QuotaError as error:
        if depth > 0:
            raise
        yield DownloadedFile(path, problem=f"it {error}")


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> tuple[bytes, str]:
    """Read an entry, at most MAX_NOTEBOOK bytes; return content and problem."""
    if entry.flag_bits & IS_ENCRYPTED:
        return b"", "it is encrypted with a password"
    try:
        with archive.open(entry) as file:
            data = file.read(MAX_NOTEBOOK + 1)
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        return b"", f"it cannot be unpacked ({type(error).__name__})"
    except Exception as error:  # zlib.error and lzma.LZMAError have no common base class
        return b"", f"it cannot be unpacked ({type(error).__name__})"
    if len(data) > MAX_NOTEBOOK:
        return b"", f"it is larger than {MAX_NOTEBOOK // 2**20} MiB"
    return data, ""


def _entry_name(entry: zipfile.ZipInfo) -> str:
    """Return the name of an entry.

    Many programs write UTF-8 without the flag, and zipfile then decodes the name as cp437.
    """
    name = entry.filename
    if not entry.flag_bits & IS_UTF8:
        try:
            name = name.encode("cp437").decode("utf-8")
        except (UnicodeEncodeError, UnicodeDecodeError):
            pass
    return name.replace("\\", "/")


def _is_skipped(path: str) -> bool:
    """Tell whether an operating system or a program created the file."""
    parts = PurePosixPath(path).parts
    name = parts[-1].lower() if parts else ""
    return (
        bool(SKIPPED_FOLDERS.intersection(parts))
        or name in SKIPPED_NAMES
        or name.startswith("._")
        or not name
    )
