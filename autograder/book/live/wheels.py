"""Wheels of our own for the browser: modules of the project, with bytecode beside the sources that tracebacks quote."""

import io
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.book.live.cache import digest_of, made_once
from autograder.book.live.runtime import COMPILE, RUN, run_in_python

TAGS = "Wheel-Version: 1.0\nGenerator: autograder\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@dataclass(frozen=True)
class Wheel:
    """Files to be installed, the packages that can then be imported, and the wheels that these need."""

    name: str  # of the distribution, with dashes
    files: Mapping[str, bytes] = field(repr=False)  # by their place below site-packages
    imports: tuple[str, ...]
    depends: tuple[str, ...]

    @property
    def file_name(self) -> str:
        """What the file is called."""
        return f"{self.name.replace('-', '_')}-1-py3-none-any.whl"

    def content(self) -> bytes:
        """The wheel, the same bytes each time."""
        information = f"{self.file_name.removesuffix('-py3-none-any.whl')}.dist-info"
        metadata = f"Metadata-Version: 2.1\nName: {self.name}\nVersion: 1\n"
        files = {
            **self.files,
            f"{information}/METADATA": metadata.encode(),
            f"{information}/WHEEL": TAGS.encode(),
        }
        files[f"{information}/RECORD"] = "".join(f"{name},,\n" for name in files).encode()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as wheel:
            for name in sorted(files):
                wheel.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED, 9)
        return packed.getvalue()

    def folder(self, python: Path) -> Path:
        """The folder with the compiled wheel."""
        content = self.content()

        def make(folder: Path) -> None:
            with tempfile.TemporaryDirectory() as raw:
                Path(raw, self.file_name).write_bytes(content)
                run_in_python(python, COMPILE, {"/in": Path(raw), "/out": folder}, {"keep_sources": True})

        made_from = [content, RUN.read_bytes(), COMPILE.read_bytes(), python.name.encode()]
        return made_once(f"{self.name}-{digest_of(made_from)}", make)

    def entry(self, folder: Path) -> dict[str, Any]:
        """What a page is told of it."""
        address = f"{folder.name}/{self.file_name}"
        return {"address": address, "imports": list(self.imports), "depends": list(self.depends)}
