"""Every chapter leads to its assignment: pages in the contents, a box at the end of each of its pages."""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx_external_toc.api import Document, FileItem, SiteMap, TocTree

from autograder.book.assignments import (
    ASSIGNMENTS_FOLDER,
    assignments,
    chapter_pages,
    has_bank_page,
    write_assignments,
)
from autograder.book.bank_page import BANK_PAGE, BANK_TITLE, GUIDE_PAGE
from autograder.course.course import Course
from autograder.errors import BookError, CourseError

CAPTION = "Assignments"


def add_pages(app: Sphinx, config: Config) -> None:
    """Write the pages, and give them a part of the table of contents behind the numbered chapters."""
    course = Course(Path(app.srcdir))
    try:
        found = write_assignments(course)
    except (BookError, CourseError) as error:
        raise ExtensionError(str(error)) from error
    titles = {
        f"{course.book.name}/{ASSIGNMENTS_FOLDER}/{assignment.topic}": assignment.short_title
        for assignment in found
    }
    if titles:
        _add(config.external_site_map, titles)
        bank = f"{course.book.name}/{ASSIGNMENTS_FOLDER}/{BANK_PAGE}"
        if has_bank_page(course):
            _add_beside(config.external_site_map, f"{course.book.name}/{GUIDE_PAGE}", bank)
        written = {f"{name}.md" for name in (*titles, bank)}
        config.exclude_patterns = [name for name in config.exclude_patterns if name not in written]


def _add(contents: SiteMap, titles: dict[str, str]) -> None:
    for name, title in titles.items():
        contents[name] = Document(name, title=title)
    parts = contents.root.subtrees
    numbered = [place for place, part in enumerate(parts) if part.numbered]
    place = numbered[-1] + 1 if numbered else len(parts)
    parts.insert(place, TocTree([FileItem(name) for name in titles], caption=CAPTION))


def _add_beside(contents: SiteMap, guide: str, name: str) -> None:
    """Put the bank of tasks behind the page of the guide that explains it."""
    contents[name] = Document(name, title=BANK_TITLE)
    for part in contents.root.subtrees:
        places = [place for place, item in enumerate(part.items) if str(item) == guide]
        if places:
            part.items.insert(places[0] + 1, FileItem(name))


def _doors(app: Sphinx) -> dict[str, str]:
    """The box of each page of a chapter that has an assignment."""
    course = Course(Path(app.srcdir))
    return {
        f"{course.book.name}/{page}": assignment.door()
        for assignment in assignments(course)
        for page in chapter_pages(course, assignment.topic)
    }


def add_door(app: Sphinx, docname: str, source: list[str]) -> None:
    """Add the box at the end of a page."""
    source[0] += app.env.assignment_doors.get(docname, "")  # type: ignore[attr-defined]


def chapters_with_new_doors(app: Sphinx, env: BuildEnvironment, *changes: set[str]) -> list[str]:
    """Return the pages whose box changed since they were read."""
    before, now = getattr(env, "assignment_doors", {}), _doors(app)
    env.assignment_doors = now  # type: ignore[attr-defined]
    changed = {name for name in {*before, *now} if before.get(name) != now.get(name)}
    return sorted(changed & env.found_docs)


def setup(app: Sphinx) -> None:
    """Connect to Sphinx, after the table of contents was read (at 900)."""
    app.connect("config-inited", add_pages, priority=950)
    app.connect("source-read", add_door)
    app.connect("env-get-outdated", chapters_with_new_doors)
