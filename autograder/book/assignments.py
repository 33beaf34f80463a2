"""Write each topic's assignment as a page with an archive.

Pages and archives are made from `exercises/<topic>/` at every build, into `book/assignments/`, which is not committed.
An archive runs by itself: it contains the notebook, its key and the part of the engine that checks.
"""

import io
import json
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

import autograder
from autograder.book.bank_page import BANK_PAGE, GUIDE_PAGE, bank_page
from autograder.book.imports import ENGINE_PARENT, engine_files_imported_by, packages_imported_by
from autograder.book.labels import Label, labels
from autograder.book.notebook_links import AssignmentLink, assignment_links
from autograder.book.references import with_places
from autograder.course.address import (
    INSTALLATION,
    NOWHERE,
    Site,
    key_at,
    notebook_at,
    with_key,
    with_links_to,
)
from autograder.course.contents import contents_entries
from autograder.course.course import Course
from autograder.course.package import published_site

ASSIGNMENTS_FOLDER = "assignments"  # in the folder of the pages
QUICK_QUESTION = "quick_question"  # in the metadata of a cell that belongs to a quick question
QUICK_QUESTIONS_HEADING = "quick-questions"  # its value for the cell above all of them
_MINUTES = re.compile(r"\b(\d+) minutes?\b")
_GUARD = re.compile(
    r"^try:\n    (from autograder import check)\nexcept ImportError .*?\n    \) from missing$",
    re.MULTILINE | re.DOTALL,
)
_LIBRARIES = re.compile(
    r"\b(?:NumPy|SciPy|SymPy)\b"
)  # the names in the rules of libraries that a student may use


@dataclass(frozen=True)
class Cell:
    """A code cell of an assignment; `is_answer` if the student writes it."""

    name: str
    source: str
    is_answer: bool


@dataclass(frozen=True)
class AssignmentPage:
    """The public exercise of a topic and the site that publishes it."""

    topic: str
    folder: Path
    site: Site = NOWHERE

    @cached_property
    def notebook(self) -> dict[str, Any]:
        """The student's notebook."""
        tree: dict[str, Any] = json.loads((self.folder / f"{self.topic}.ipynb").read_text("utf-8"))
        return tree

    @property
    def cells(self) -> list[Cell]:
        """The code cells in order, without test cells and quick questions."""
        marked = ((cell, _marking(cell)) for cell in self.notebook["cells"] if cell["cell_type"] == "code")
        return [
            Cell(mark.get("grade_id", ""), "".join(cell["source"]).strip(), bool(mark.get("solution")))
            for cell, mark in marked
            if not mark.get("grade") and QUICK_QUESTION not in cell["metadata"]
        ]

    @property
    def title(self) -> str:
        """The first heading of the notebook."""
        heading = re.search(r"^# (.+)$", self._text("markdown"), re.MULTILINE)
        return heading[1].strip() if heading else self.topic

    @property
    def short_title(self) -> str:
        """The title for lists: "Areas of squares" for "Exercises: areas of squares"."""
        title = self.title.partition(": ")[2] or self.title
        return title[0].upper() + title[1:]

    @property
    def points(self) -> float:
        """The points of the whole assignment."""
        return sum(float(_marking(cell).get("points", 0)) for cell in self.notebook["cells"])

    @property
    def tasks(self) -> int:
        """The number of cells that earn points."""
        return sum("points" in _marking(cell) for cell in self.notebook["cells"])

    @property
    def minutes(self) -> int:
        """The sum of the minutes in its headings, or 0."""
        headings = re.findall(r"^#+ .*$", self._text("markdown"), re.MULTILINE)
        return sum(int(minutes) for heading in headings for minutes in _MINUTES.findall(heading))

    @property
    def time(self) -> str:
        """The time in words: "about 2 hours and 10 minutes"."""
        hours, minutes = divmod(5 * round(self.minutes / 5), 60)
        parts = [f"{hours} hour{'s' * (hours > 1)}"] * bool(hours) + [f"{minutes} minutes"] * bool(minutes)
        return f"about {' and '.join(parts)}" if parts else ""

    @cached_property
    def modules(self) -> list[Path]:
        """The files of the engine that its checks import."""
        return engine_files_imported_by(self._text("code"))

    @property
    def needs(self) -> list[str]:
        """The import names of the packages to install.

        They are the imports of the checks, and the libraries that the rules allow.
        """
        sources = [self._text("code"), *(path.read_text("utf-8") for path in self.modules)]
        allowed = {name.lower() for name in _LIBRARIES.findall(self._text("markdown"))}
        packages = allowed.union(*map(packages_imported_by, sources))
        return sorted(packages - {autograder.__name__, "IPython"} - set(sys.stdlib_module_names))

    @cached_property
    def key(self) -> str:
        """The public key, with addresses in the published book."""
        return key_at((self.folder / f"{self.topic}.key.json").read_text("utf-8"), self.site.address)

    @cached_property
    def handed_out(self) -> dict[str, object]:
        """The notebook, with links to the published book."""
        return notebook_at(self.notebook, self.site)

    def archive(self) -> bytes:
        """Zip everything that a reader downloads, reproducibly."""
        notebook = notebook_json(with_key(self.handed_out, self.key))
        files = {f"{self.topic}.ipynb": notebook.encode(), f"{self.topic}.key.json": self.key.encode()}
        files |= {path.relative_to(ENGINE_PARENT).as_posix(): path.read_bytes() for path in self.modules}
        files["README.md"] = _rendered("assignment_readme.md", assignment=self).encode()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as target:
            for name in sorted(files):
                target.writestr(zipfile.ZipInfo(f"{self.topic}/{name}"), files[name], zipfile.ZIP_DEFLATED, 9)
        return packed.getvalue()

    def page(
        self, places: Mapping[str, Label], chapter: Sequence[str] = (), doors: Sequence[AssignmentLink] = ()
    ) -> str:
        """Return its page in MyST.

        `chapter` names the pages that it belongs to, `doors` the other places that open it.
        """
        text = _with_numbers(_with_inner_links("\n\n".join(self._shown())), places)
        chapter = chapter or [self.topic]
        return _rendered("assignment.md", assignment=self, chapter=chapter, text=text, doors=doors)

    def door(self) -> str:
        """Return the MyST box that links from the chapter to this page."""
        return _rendered("assignment_door.md", assignment=self, folder=ASSIGNMENTS_FOLDER)

    def _shown(self) -> Iterator[str]:
        """Yield the text or code of each cell, without test cells."""
        for cell in self.notebook["cells"]:
            source = "".join(cell["source"]).strip()
            if QUICK_QUESTION in cell["metadata"]:
                yield from self._quick_questions(cell["metadata"][QUICK_QUESTION], source)
            elif cell["cell_type"] == "markdown":
                yield INSTALLATION.sub("", re.sub(r"^# .*\n+", "", source)).strip()
            elif _marking(cell).get("solution") and (name := _marking(cell).get("grade_id")):
                yield f"```{{live-task}} {self.topic}.{name}\n```"
            elif not _marking(cell).get("grade"):
                plain = _GUARD.sub(lambda guard: guard[1], source)
                yield f"```python\n{plain}\n```"

    def _quick_questions(self, name: str, source: str) -> Iterator[str]:
        """Yield the heading of the quick questions, and the questions as pages show them."""
        if name == QUICK_QUESTIONS_HEADING:
            yield source
            yield f"```{{quick-questions}} {self.topic}\n```"

    def _text(self, kind: str) -> str:
        cells = (cell for cell in self.notebook["cells"] if cell["cell_type"] == kind)
        return "\n\n".join("".join(cell["source"]) for cell in cells)


def assignments(course: Course) -> list[AssignmentPage]:
    """Return the generated assignments in the order of the chapters."""
    folders, site = ((topic, course.exercises / topic) for topic in course.topics()), published_site(course)
    return [
        AssignmentPage(topic, folder, site)
        for topic, folder in folders
        if (folder / f"{topic}.ipynb").is_file()
    ]


def chapter_pages(course: Course, topic: str) -> list[str]:
    """Return the page of a topic and its continuations.

    `areas_more` continues `areas`, unless it is a topic itself.
    """
    further = {path.stem for path in course.book.glob(f"{topic}_*.md")} - {*course.all_topics()}
    return [topic, *sorted(further)]


def write_assignments(course: Course) -> list[AssignmentPage]:
    """Write changed pages and archives, remove those of dropped topics.

    Return all assignments.
    """
    pages, target = assignments(course), course.book / ASSIGNMENTS_FOLDER
    places = labels(course.book) if pages else {}
    files: dict[str, bytes] = {}
    for page in pages:
        doors = assignment_links(course, page.topic)
        files[f"{page.topic}.md"] = page.page(places, chapter_pages(course, page.topic), doors).encode()
        files[f"{page.topic}.zip"] = page.archive()
    if pages and has_bank_page(course):
        text = bank_page(pages, lambda text: _with_numbers(_with_inner_links(text), places))
        files[f"{BANK_PAGE}.md"] = text.encode()
    for path in target.glob("*.*"):
        if path.name not in files:
            path.unlink()
    for name, content in files.items():
        path = target / name
        if not path.is_file() or path.read_bytes() != content:  # an unchanged page is not built again
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
    return pages


def has_bank_page(course: Course) -> bool:
    """Return whether the table of contents names the guide beside which the bank of tasks is shown."""
    return f"{course.book.name}/{GUIDE_PAGE}" in contents_entries(course.root)


def _marking(cell: dict[str, Any]) -> dict[str, Any]:
    """Return nbgrader's metadata of a cell."""
    return dict(cell["metadata"].get("nbgrader", {}))


def notebook_json(notebook: Mapping[str, object]) -> str:
    """Return the text of a notebook file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _with_inner_links(text: str) -> str:
    """Turn links to the book into links inside it.

    They are HTML tags, because MyST would look for a source file.
    """
    inner = with_links_to(text, "../../")
    return re.sub(r"\[([^\]]+)\]\(\.\./\.\./book/([^)\s]+)\)", r'<a href="../\2">\1</a>', inner)


def _with_numbers(text: str, places: Mapping[str, Label]) -> str:
    """Replace labels by the book's numbers, as links inside the site."""
    return with_places(text, places, lambda name, place: f'<a href="../{place.href}">{name}</a>')


def _rendered(template: str, **values: object) -> str:
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    loader = PackageLoader("autograder.book")
    return Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
