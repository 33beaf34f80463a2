"""The wheel that students install, built with the book and published beside it."""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.course.package import FOLDER, package
from autograder.errors import BookError

PARTS = ("pyproject.toml", "README.md", "LICENSE*")
CODE = "from setuptools import build_meta; import sys; build_meta.build_wheel(sys.argv[1])"


def publish_wheel(root: Path) -> Path | None:
    """Build the course's package into the site, if it changed; None where the course has none."""
    found = package(root)
    if found is None:
        return None
    folder = root / "_build" / "html" / FOLDER
    sources = _sources(root)
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()
    noted = root / "_build" / "wheel.digest"
    target = folder / found.wheel
    if not target.is_file() or not noted.is_file() or noted.read_text() != digest:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _build(root, sources, folder)
        noted.write_text(digest)
    return target


def _sources(root: Path) -> list[Path]:
    """What goes into the wheel: every package folder beside the settings that is not a test or an exercise."""
    import tomllib

    tool = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    packages = tool["packages"]["find"]["include"]
    found = [path for name in packages for path in root.glob(f"{name}/**/*") if path.is_file()]
    found += [path for name in PARTS for path in root.glob(name)]
    return sorted(path for path in set(found) if "__pycache__" not in path.parts)


def _build(root: Path, sources: list[Path], folder: Path) -> None:
    """Build from a copy: a build leaves folders behind."""
    with tempfile.TemporaryDirectory() as work:
        for path in sources:
            copy = Path(work) / path.relative_to(root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        done = subprocess.run(
            [sys.executable, "-c", CODE, str(folder)], cwd=work, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["it gave no reason"])[-1]
            raise BookError(f"the package for students could not be built: {last}")
