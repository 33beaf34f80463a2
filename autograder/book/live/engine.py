"""The part of the engine that judges in the browser, as a wheel: the modules that a check imports and no other."""

import io
import tempfile
import zipfile
from pathlib import Path

import autograder
from autograder.book.imports import files_imported_by
from autograder.book.live.cache import digest_of, made_once
from autograder.book.live.runtime import COMPILE, RUN, run_in_python

WAYS_IN = "from autograder import check\nimport autograder.browser.cell"
NAME = "autograder_in_the_browser-1-py3-none-any.whl"
ENGINE = Path(autograder.__file__).resolve().parents[1]
METADATA = "Metadata-Version: 2.1\nName: autograder-in-the-browser\nVersion: 1\n"
TAGS = "Wheel-Version: 1.0\nGenerator: autograder\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def engine_modules() -> list[Path]:
    """The files that run in the browser."""
    return files_imported_by(WAYS_IN, (ENGINE,))


def engine_wheel() -> bytes:
    """The wheel, the same bytes each time."""
    files = {path.relative_to(ENGINE).as_posix(): path.read_bytes() for path in engine_modules()}
    information = f"{NAME.removesuffix('-py3-none-any.whl')}.dist-info"
    files |= {f"{information}/METADATA": METADATA.encode(), f"{information}/WHEEL": TAGS.encode()}
    files[f"{information}/RECORD"] = "".join(f"{name},,\n" for name in files).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as wheel:
        for name in sorted(files):
            wheel.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def engine_folder(python: Path) -> Path:
    """The folder with the wheel, its bytecode beside its sources: tracebacks quote lines."""
    wheel = engine_wheel()

    def make(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as raw:
            Path(raw, NAME).write_bytes(wheel)
            run_in_python(python, COMPILE, {"/in": Path(raw), "/out": folder}, {"keep_sources": True})

    made_from = [wheel, RUN.read_bytes(), COMPILE.read_bytes(), python.name.encode()]
    return made_once(f"engine-{digest_of(made_from)}", make)
