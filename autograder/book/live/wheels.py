"""Wheels of our own for the browser: modules of the project, with bytecode beside the sources that tracebacks quote."""

import io
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.book.live.bytecode import PROGRAMS, compile_archives
from autograder.book.live.cache import build_once, digest_of, is_made

WHEEL_METADATA = "Wheel-Version: 1.0\nGenerator: autograder\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@dataclass(frozen=True)
class Wheel:
    """Files to be installed, the packages that can then be imported, and the wheels that these need."""

    name: str  # of the distribution, with dashes
    files: Mapping[str, bytes] = field(repr=False)  # by their place below site-packages
    imports: tuple[str, ...]
    depends: tuple[str, ...]

    @property
    def file_name(self) -> str:
        """Name of the wheel's file."""
        return f"{self.name.replace('-', '_')}-1-py3-none-any.whl"

    def content(self) -> bytes:
        """Return the wheel's bytes, which are reproducible."""
        information = f"{self.file_name.removesuffix('-py3-none-any.whl')}.dist-info"
        metadata = f"Metadata-Version: 2.1\nName: {self.name}\nVersion: 1\n"
        files = {
            **self.files,
            f"{information}/METADATA": metadata.encode(),
            f"{information}/WHEEL": WHEEL_METADATA.encode(),
        }
        files[f"{information}/RECORD"] = "".join(f"{name},,\n" for name in files).encode()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as wheel:
            for name in sorted(files):
                wheel.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED, 9)
        return packed.getvalue()

    def folder_name(self, python: Path) -> str:
        """Return the name of the cache folder that holds the compiled wheel."""
        made_from = [self.content(), *(path.read_bytes() for path in PROGRAMS), python.name.encode()]
        return f"{self.name}-{digest_of(made_from)}"

    def entry(self, folder: Path) -> dict[str, Any]:
        """Return the wheel's entry in the list that a page reads."""
        address = f"{folder.name}/{self.file_name}"
        return {"address": address, "imports": list(self.imports), "depends": list(self.depends)}


def compiled_folders(wheels: Sequence[Wheel], python: Path) -> list[Path]:
    """Return a folder with each compiled wheel; those that are missing are compiled together: Python starts once."""
    missing = [wheel for wheel in wheels if not is_made(wheel.folder_name(python))]
    with tempfile.TemporaryDirectory() as raw, tempfile.TemporaryDirectory() as compiled:
        for wheel in missing:
            Path(raw, wheel.file_name).write_bytes(wheel.content())
        if missing:
            compile_archives(python, sorted(Path(raw).iterdir()), Path(compiled), keep_sources=True)

        def copy_into(wheel: Wheel) -> Callable[[Path], object]:
            return lambda folder: shutil.copyfile(Path(compiled, wheel.file_name), folder / wheel.file_name)

        return [build_once(wheel.folder_name(python), copy_into(wheel)) for wheel in wheels]
