"""Files that are written whole or not at all, and folders that are put back when a change fails."""

import contextlib
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path


def write_text(path: Path, text: str) -> None:
    """Write a file beside its place and move it there: whoever reads it finds the old text or the new one."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """The same of any bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".tmp")
    new.write_bytes(data)
    new.replace(path)


def write_texts(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts into a folder, by name, each whole or not at all."""
    for name, text in files.items():
        write_text(folder / name, text)


def move_files(source: Path, target: Path) -> None:
    """Move every file to the same place below another folder."""
    for path in sorted(source.rglob("*")):
        if path.is_file():
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            path.replace(place)


@contextlib.contextmanager
def emptied_afterwards(folder: Path) -> Iterator[Path]:
    """An empty folder, removed afterwards with all that was left in it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
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
