"""What a student installs: the course's own package, published as a wheel beside the book."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from autograder.course.course import Course

FOLDER = "install"  # of the built site


@dataclass(frozen=True)
class Package:
    """The distribution that holds the engine and whatever the course imports."""

    name: str
    version: str

    @property
    def wheel(self) -> str:
        """The file name of its wheel."""
        return f"{self.name.replace('-', '_')}-{self.version}-py3-none-any.whl"

    def command(self, book_url: str) -> str:
        """What a student types, once, to have all that the notebooks need."""
        address = f"{book_url.rstrip('/')}/{FOLDER}/{self.wheel}"
        return f'python -m pip install jupyterlab "{self.name}[exercises] @ {address}"'


def package(root: Path) -> Package | None:
    """The package of the course in a folder; None if the folder builds none."""
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
        return Package(project["name"], project["version"])
    except (OSError, LookupError, tomllib.TOMLDecodeError):
        return None


def install_command(course: Course) -> str | None:
    """What a student types, or None where the course has no package or no address."""
    found, address = package(course.root), str(course.settings["book_url"])
    return found.command(address) if found and address else None
