"""The distribution of this engine, which students install from a wheel beside the book."""

from dataclasses import dataclass

from autograder.course.address import Site
from autograder.course.course import Course
from autograder.course.digests import ENGINE_ROOT
from autograder.errors import CourseError
from autograder.program import ENGINE, ENGINE_VERSION

INSTALL_FOLDER = "install"  # in the built site
PACKAGING_FOLDER = ENGINE_ROOT.parent / "packaging"  # of a checkout; an installed engine has none
ENGINE_PROJECT = PACKAGING_FOLDER / "engine" / "pyproject.toml"


@dataclass(frozen=True)
class Package:
    """A distribution: its name and version."""

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
        return f"{self.name}[check]{place}"

    def command(self, book_url: str = "") -> str:
        """Return the command that installs everything the notebooks need."""
        return f'python -m pip install jupyterlab "{self.requirement(book_url)}"'


def engine_package() -> Package:
    """Return the distribution of this engine."""
    return Package(ENGINE, ENGINE_VERSION)


def require_engine(course: Course) -> None:
    """Raise CourseError if a course asks for another version of the engine than this one.

    The setting `engine` holds the first numbers of a version: 0.1 accepts 0.1.0 and 0.1.7.
    """
    asked = str(course.settings["engine"])
    if asked and not f"{ENGINE_VERSION}.".startswith(f"{asked}."):
        raise CourseError(
            f"course.toml asks for {ENGINE} {asked}, and this is {ENGINE_VERSION}: "
            f'python -m pip install "{ENGINE}=={asked}.*", or change the line `engine` of course.toml'
        )


def install_command() -> str:
    """Return the install command from the package index."""
    return engine_package().command()


def published_site(course: Course) -> Site:
    """Return the address of the published book and its install command."""
    address = str(course.settings["book_url"]).rstrip("/")
    return Site(address, engine_package().command(address) if address else "")
