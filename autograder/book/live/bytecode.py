"""Archives of Python modules as the browser gets them: without what is unused, with bytecode where it saves time.

A browser's Python takes seconds to compile what a page imports, so that is done here, once. What no page imports stays
source: it can be imported all the same, and compiling it would take as long as the rest.
"""

import fnmatch
import io
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from autograder.book.live.node_python import NODE_RUN_SCRIPT, run_in_python
from autograder.book.live.packages import NPM

SCRIPT = NPM / "compile_wheels.py"
PROGRAMS = (
    NODE_RUN_SCRIPT,
    SCRIPT,
    Path(__file__),
)  # whatever is made by them is made again when they change
WHEN = (2020, 1, 1, 0, 0, 0)
LEVEL = 6  # a hundredth larger than the best, in a third of the time
# numpy's f2py stays: scipy imports every name of numpy
UNUSED_FOLDERS = ("/tests/", "/test/", "/sphinxext/", "/mpl-data/sample_data/", "/_pyinstaller/")
UNUSED_ENDINGS = (".pyi", ".c", ".h", ".pxd", ".pyx", ".hpp", ".a", ".afm")
# Nothing on a page or in a notebook of the course imports these; tests/live/test_bytecode.py asks.
SELDOM_IMPORTED = (
    *("fontTools/*", "matplotlib/testing/*", "mpl_toolkits/ax*", "matplotlib/backends/backend_[!ams]*"),
    *("matplotlib/backends/qt_*", "pytz/*", "scipy/cluster/*", "scipy/io/*", "scipy/signal/*"),
    *(
        "sympy/physics/*",
        "sympy/combinatorics/*",
        "sympy/parsing/[acflm]*/*",
        "sympy/stats/*",
        "sympy/vector/*",
    ),
    *("sympy/categories/*", "sympy/testing/*", "sympy/assumptions/handlers/*", "sympy/tensor/tensor.py"),
    *("IPython/terminal/*", "IPython/testing/*", "IPython/extensions/*", "prompt_toolkit/*"),
    *("pygments/lexers/[!_p]*", "pygments/styles/[!_d]*"),
)
SITE_PACKAGES = "/lib/python3.14/site-packages/"
STANDARD_LIBRARY, STANDARD_PLACE = "python_stdlib.zip", "/lib/python314.zip/"
CACHE_TAG = "cpython-314"


def compile_archives(
    python: Path,
    archives: Iterable[Path],
    folder: Path,
    *,
    keep_sources: bool = False,
    imports: Iterable[str] = (),
) -> None:
    """Write archives with bytecode into a folder: in the place of sources, or beside them, for tracebacks to quote.

    Of the standard library, only what `imports` and starting import becomes bytecode.
    """
    archives = list(archives)
    with tempfile.TemporaryDirectory() as sources, tempfile.TemporaryDirectory() as made:
        for path in archives:
            _write_archive(Path(sources, path.name), _sources(path), zipfile.ZIP_STORED)
        job = {"imports": list(imports), "imported_only": [STANDARD_LIBRARY]}
        packages = ["numpy"] if job["imports"] else []
        run_in_python(python, SCRIPT, {"/in": Path(sources), "/out": Path(made)}, job, packages)
        for path in archives:
            with zipfile.ZipFile(Path(made, path.name)) as opened:
                bytecode = {place: opened.read(place) for place in opened.namelist()}
            content = _with_bytecode(path, bytecode, keep_sources=keep_sources)
            _write_archive(folder / path.name, content, zipfile.ZIP_DEFLATED)


def _write_archive(path: Path, entries: Iterable[tuple[str, bytes]], compression: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, body in entries:
            archive.writestr(zipfile.ZipInfo(name, WHEN), body, compression, LEVEL)
    path.write_bytes(packed.getvalue())


def _entries(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive that somebody may use."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if not name.endswith(UNUSED_ENDINGS) and not any(part in f"/{name}" for part in UNUSED_FOLDERS):
                yield name, archive.read(name)


def _sources(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the modules of an archive that are worth compiling, by their places in the browser."""
    for name, body in _entries(path):
        is_module = name.endswith(".py") and ".dist-info/" not in name and ".data/" not in name
        if is_module and not is_seldom_imported(name):
            yield _place(path, name), body


def is_seldom_imported(name: str) -> bool:
    """Return whether a module, named by its file in a wheel, stays source."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in SELDOM_IMPORTED)


def _place(path: Path, name: str) -> str:
    return (STANDARD_PLACE if path.name == STANDARD_LIBRARY else SITE_PACKAGES) + name


def _with_bytecode(
    path: Path, bytecode: Mapping[str, bytes], *, keep_sources: bool
) -> Iterator[tuple[str, bytes]]:
    for name, body in _entries(path):
        code = bytecode.get(_place(path, name))
        if code is None or keep_sources:
            yield name, body
        if code is not None:
            yield (_cached(name) if keep_sources else f"{name}c"), code


def _cached(name: str) -> str:
    folder, _, file = name.rpartition("/")
    return f"{folder}/__pycache__/{file.removesuffix('.py')}.{CACHE_TAG}.pyc"
