"""Build the wheel that students install and publish it beside the book."""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from autograder.course.package import INSTALL_FOLDER, package
from autograder.errors import BookError

WHEEL_SOURCES = ("pyproject.toml", "README.md", "LICENSE*")
BUILD_BACKEND_CODE = (
    "from setuptools import build_meta; import sys; getattr(build_meta, sys.argv[1])(sys.argv[2])"
)
EPOCH, FIRST_DATE = "SOURCE_DATE_EPOCH", "315532800"  # 1980-01-01, the earliest date in a zip archive


def publish_wheel(root: Path) -> Path | None:
    """Build the course's package into the site, if it changed.

    The result is None for a course without a package.
    """
    course_package = package(root)
    if course_package is None:
        return None
    folder = root / "_build" / "html" / INSTALL_FOLDER
    sources = package_sources(root)
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
    digest_file = root / "_build" / "wheel.digest"
    target = folder / course_package.wheel
    if not target.is_file() or not digest_file.is_file() or digest_file.read_text() != digest:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _build(root, sources, folder)
        digest_file.write_text(digest)
    return target


def package_sources(root: Path) -> list[Path]:
    """Return the files of the wheel.

    They are the included packages of `pyproject.toml`, and WHEEL_SOURCES.
    """
    tool = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    packages = tool["packages"]["find"]["include"]
    files = [path for name in packages for path in root.glob(f"{name}/**/*") if path.is_file()]
    files += [path for name in WHEEL_SOURCES for path in root.glob(name)]
    return sorted(path for path in set(files) if "__pycache__" not in path.parts)


def _build(root: Path, sources: list[Path], folder: Path) -> None:
    with copied_sources(root, sources) as work:
        run_backend(work, "build_wheel", folder)


@contextlib.contextmanager
def copied_sources(root: Path, sources: list[Path]) -> Iterator[Path]:
    """Copy the sources of a package to a temporary folder.

    A build leaves folders behind, and file modes enter the archive.
    """
    with tempfile.TemporaryDirectory() as work:
        for path in sources:
            copy = Path(work) / path.relative_to(root)
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
