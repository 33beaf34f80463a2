"""Build the wheel of the engine, which students install, and publish it beside the book.

In a checkout it is built from `packaging/engine/`; an installed engine is packed again as it was installed.
"""

import base64
import contextlib
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

from autograder.course.files import write_bytes
from autograder.course.package import ENGINE_PROJECT, INSTALL_FOLDER, engine_package
from autograder.errors import BookError
from autograder.program import ENGINE

BUILD_BACKEND_CODE = (
    "from setuptools import build_meta; import sys; getattr(build_meta, sys.argv[1])(sys.argv[2])"
)
EPOCH, FIRST_DATE = "SOURCE_DATE_EPOCH", "315532800"  # 1980-01-01, the earliest date in a zip archive
# Folders that commands make in the folders of a distribution.
NOT_PUBLISHED = re.compile(r"/(?:__pycache__|\.ipynb_checkpoints|book/assignments)/")
_NOT_PACKED = ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")  # notes of an installation


def publish_wheel(root: Path) -> Path:
    """Put the wheel of the engine into the site of a course, if it changed."""
    folder = root / "_build" / "html" / INSTALL_FOLDER
    target = folder / engine_package().wheel
    projects = (ENGINE_PROJECT, root / "packaging" / "engine" / "pyproject.toml")
    project = next((path for path in projects if path.is_file()), None)
    if project is None:
        content = installed_wheel(ENGINE)
        if not target.is_file() or target.read_bytes() != content:
            shutil.rmtree(folder, ignore_errors=True)
            write_bytes(target, content)
        return target
    sources = package_sources(project)
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources.values())).hexdigest()
    digest_file = root / "_build" / "wheel.digest"
    if not target.is_file() or not digest_file.is_file() or digest_file.read_text() != digest:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        with copied_sources(sources) as work:
            run_backend(work, "build_wheel", folder)
        digest_file.write_text(digest)
    return target


def _is_packed(file: metadata.PackagePath) -> bool:
    return ".." not in file.parts and file.suffix != ".pyc" and file.name not in _NOT_PACKED


def installed_wheel(name: str) -> bytes:
    """Pack an installed distribution as a wheel again, the same bytes each time."""
    try:
        distribution = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        raise BookError(f"students install {name}, which is not installed here: pip install {name}") from None
    files = {
        file.as_posix(): Path(str(distribution.locate_file(file))).read_bytes()
        for file in distribution.files or ()
        if _is_packed(file)
    }
    information = next(name.partition("/")[0] for name in files if name.endswith(".dist-info/METADATA"))
    rows = [f"{name},{_record_hash(content)},{len(content)}" for name, content in sorted(files.items())]
    files[f"{information}/RECORD"] = "\n".join([*rows, f"{information}/RECORD,,", ""]).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as wheel:
        for place in sorted(files):
            wheel.writestr(zipfile.ZipInfo(place), files[place], zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def _record_hash(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def package_sources(project: Path) -> Mapping[str, Path]:
    """Return the files of a distribution by their place in it.

    `project` is its `pyproject.toml` in `packaging/`. Its packages and the licence lie at the root of the repository.
    """
    root = project.parents[2]
    tools = tomllib.loads(project.read_text("utf-8"))["tool"]
    if "course" in tools:  # pages, exercises and settings, as the package that the table names
        above, names = f"{tools['course']['package']}/", tools["course"]["content"]
    else:
        above, names = "", tools["setuptools"]["packages"]["find"]["include"]
    files = [path for name in names for path in (*root.glob(name), *root.glob(f"{name}/**/*"))]
    sources = {above + path.relative_to(root).as_posix(): path for path in sorted(files) if path.is_file()}
    licences = sorted(root.glob("LICENSE*") if above else [root / "LICENSE"])
    sources |= {path.name: path for path in [*licences, *sorted(project.parent.iterdir())] if path.is_file()}
    return {place: path for place, path in sources.items() if not NOT_PUBLISHED.search(path.as_posix())}


@contextlib.contextmanager
def copied_sources(sources: Mapping[str, Path]) -> Iterator[Path]:
    """Copy the sources of a distribution to a temporary folder.

    A build leaves folders behind, and file modes enter the archive.
    """
    with tempfile.TemporaryDirectory() as work:
        for place, path in sources.items():
            copy = Path(work, place)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
            copy.chmod(0o644)
        yield Path(work)


def run_backend(work: Path, hook: str, folder: Path) -> None:
    """Build a wheel or source archive reproducibly."""
    done = subprocess.run(
        [sys.executable, "-c", BUILD_BACKEND_CODE, hook, str(folder.resolve())],
        cwd=work,
        env={EPOCH: FIRST_DATE, **os.environ},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["it gave no reason"])[-1]
        raise BookError(f"the package for students could not be built: {last}")
