"""The course's Python package, published as a wheel beside the book."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from autograder.course.address import Site
from autograder.course.course import Course

INSTALL_FOLDER = "install"  # in the built site


@dataclass(frozen=True)
class Package:
    """The distribution with the engine and the modules of the course."""

    name: str
    version: str

    @property
    def wheel(self) -> str:
        """File name of its wheel."""
        return f"{self.name.replace('-', '_')}-{self.version}-py3-none-any.whl"

    def requirement(self, book_url: str = "") -> str:
        """Return the pip requirement for students.

        It names the wheel on the site of the book, or the package index if there is no site.
        """
        place = f" @ {book_url.rstrip('/')}/{INSTALL_FOLDER}/{self.wheel}" if book_url else ""
        return f"{self.name}[exercises]{place}"

    def command(self, book_url: str = "") -> str:
        """Return the command that installs everything the notebooks need."""
        return f'python -m pip install jupyterlab "{self.requirement(book_url)}"'


def package(root: Path) -> Package | None:
    """Return the package of the course in a folder, or None."""
    try:
        project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
        return Package(project["name"], project["version"])
    except (OSError, LookupError, tomllib.TOMLDecodeError):
        return None


def install_command(course: Course) -> str | None:
    """Return the install command from the package index, or None without a package."""
    course_package = package(course.root)
    return course_package.command() if course_package else None


def published_site(course: Course) -> Site:
    """Return the address of the published book and its install command."""
    address, course_package = str(course.settings["book_url"]).rstrip("/"), package(course.root)
    return Site(address, course_package.command(address) if course_package and address else "")
