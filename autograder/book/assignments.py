"""Each topic's assignment as a page of the site, read-only, with everything to take away as one archive.

Pages and archives are made from `exercises/<topic>/` at every build, into `book/assignments/`, which is not
committed. An archive runs by itself: beside the notebook and its key lies the part of the engine that checks.
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
from autograder.book.imports import files_imported_by, packages_imported_by
from autograder.book.labels import Label, labels
from autograder.book.references import with_places
from autograder.course.course import Course

FOLDER = "assignments"  # in the folder of the pages
_ENGINE = Path(autograder.__file__).resolve().parents[1]
_MINUTES = re.compile(r"\b(\d+) minutes?\b")
# What a notebook says to whoever opened it without an archive: the page has its own words for that.
INSTALLATION = re.compile(r"^\*\*Before you start\*\*.*$", re.MULTILINE)
_GUARD = re.compile(
    r"^try:\n    (from autograder import check)\nexcept ImportError .*?\n    \) from missing$",
    re.MULTILINE | re.DOTALL,
)
_LIBRARIES = re.compile(r"\b(?:NumPy|SciPy|SymPy)\b")  # as the rules name those that a student may use


@dataclass(frozen=True)
class Cell:
    """A cell that a student runs; `is_answer` if it is written by the student."""

    name: str
    source: str
    is_answer: bool


@dataclass(frozen=True)
class Assignment:
    """The exercise of a topic, as everyone may see it."""

    topic: str
    folder: Path

    @cached_property
    def notebook(self) -> dict[str, Any]:
        """The notebook that a student opens."""
        tree: dict[str, Any] = json.loads((self.folder / f"{self.topic}.ipynb").read_text("utf-8"))
        return tree

    @property
    def cells(self) -> list[Cell]:
        """The cells of code, in order, without those that only check."""
        marked = ((cell, _marking(cell)) for cell in self.notebook["cells"] if cell["cell_type"] == "code")
        return [
            Cell(mark.get("grade_id", ""), "".join(cell["source"]).strip(), bool(mark.get("solution")))
            for cell, mark in marked
            if not mark.get("grade")
        ]

    @property
    def title(self) -> str:
        """The first heading of the notebook."""
        found = re.search(r"^# (.+)$", self._text("markdown"), re.MULTILINE)
        return found[1].strip() if found else self.topic

    @property
    def short_title(self) -> str:
        """What tells it from others: "Exercises: areas of squares" is called "Areas of squares" in a list."""
        title = self.title.partition(": ")[2] or self.title
        return title[0].upper() + title[1:]

    @property
    def points(self) -> float:
        """What the whole assignment is worth."""
        return sum(float(_marking(cell).get("points", 0)) for cell in self.notebook["cells"])

    @property
    def tasks(self) -> int:
        """How many parts earn points."""
        return sum("points" in _marking(cell) for cell in self.notebook["cells"])

    @property
    def minutes(self) -> int:
        """The time that its headings name, together; 0 if they name none."""
        headings = re.findall(r"^#+ .*$", self._text("markdown"), re.MULTILINE)
        return sum(int(minutes) for heading in headings for minutes in _MINUTES.findall(heading))

    @property
    def time(self) -> str:
        """That time in words: "about 2 hours and 10 minutes"."""
        hours, minutes = divmod(5 * round(self.minutes / 5), 60)
        parts = [f"{hours} hour{'s' * (hours > 1)}"] * bool(hours) + [f"{minutes} minutes"] * bool(minutes)
        return f"about {' and '.join(parts)}" if parts else ""

    @cached_property
    def modules(self) -> list[Path]:
        """The files of the engine that its checks run."""
        return files_imported_by(self._text("code"), (_ENGINE,))

    @property
    def needs(self) -> list[str]:
        """The packages to install, by the names under which they are imported: what checks use and students may."""
        sources = [self._text("code"), *(path.read_text("utf-8") for path in self.modules)]
        allowed = {name.lower() for name in _LIBRARIES.findall(self._text("markdown"))}
        found = allowed.union(*map(packages_imported_by, sources))
        return sorted(found - {autograder.__name__, "IPython"} - set(sys.stdlib_module_names))

    def archive(self) -> bytes:
        """Everything to take away, the same bytes at every build."""
        own = [self.folder / f"{self.topic}.ipynb", self.folder / f"{self.topic}.key.json"]
        files = {path.name: path.read_bytes() for path in own}
        files |= {path.relative_to(_ENGINE).as_posix(): path.read_bytes() for path in self.modules}
        files["README.md"] = _rendered("assignment_readme.md", assignment=self).encode()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as target:
            for name in sorted(files):
                target.writestr(zipfile.ZipInfo(f"{self.topic}/{name}"), files[name], zipfile.ZIP_DEFLATED, 9)
        return packed.getvalue()

    def page(self, places: Mapping[str, Label], book_url: str, chapter: Sequence[str] = ()) -> str:
        """Its page, in MyST; `chapter` names the pages that it belongs to, if they are several."""
        text = _with_numbers(_with_inner_links("\n\n".join(self._shown()), f"{book_url}/book/"), places)
        return _rendered("assignment.md", assignment=self, chapter=chapter or [self.topic], text=text)

    def door(self) -> str:
        """The box at the end of the topic's chapter that leads here, in MyST."""
        return _rendered("assignment_door.md", assignment=self, folder=FOLDER)

    def _shown(self) -> Iterator[str]:
        """Yield what a reader sees of each cell: its text, or code to complete; cells that only check are left out."""
        for cell in self.notebook["cells"]:
            source = "".join(cell["source"]).strip()
            if cell["cell_type"] == "markdown":
                yield INSTALLATION.sub("", re.sub(r"^# .*\n+", "", source)).strip()
            elif _marking(cell).get("solution") and (name := _marking(cell).get("grade_id")):
                yield f"```{{live-task}} {self.topic}.{name}\n```"
            elif not _marking(cell).get("grade"):
                plain = _GUARD.sub(lambda guard: guard[1], source)
                yield f"```python\n{plain}\n```"

    def _text(self, kind: str) -> str:
        cells = (cell for cell in self.notebook["cells"] if cell["cell_type"] == kind)
        return "\n\n".join("".join(cell["source"]) for cell in cells)


def assignments(course: Course) -> list[Assignment]:
    """The assignments that were generated, in the order of the chapters."""
    folders = ((topic, course.exercises / topic) for topic in course.topics())
    return [Assignment(topic, folder) for topic, folder in folders if (folder / f"{topic}.ipynb").is_file()]


def chapter_pages(course: Course, topic: str) -> list[str]:
    """The page of a topic, and those that continue it: `areas_more` continues `areas`, being no topic."""
    further = {path.stem for path in course.book.glob(f"{topic}_*.md")} - {*course.topics()}
    return [topic, *sorted(further)]


def write_assignments(course: Course) -> list[Assignment]:
    """Write pages and archives that changed, remove those of topics that are gone; return what there is."""
    found, target = assignments(course), course.book / FOLDER
    places = labels(course.book) if found else {}
    book_url = str(course.settings.get("book_url", "")).rstrip("/") if found else ""
    files: dict[str, bytes] = {}
    for one in found:
        files[f"{one.topic}.md"] = one.page(places, book_url, chapter_pages(course, one.topic)).encode()
        files[f"{one.topic}.zip"] = one.archive()
    for path in target.glob("*.*"):
        if path.name not in files:
            path.unlink()
    for name, content in files.items():
        path = target / name
        if not path.is_file() or path.read_bytes() != content:  # an unchanged page is not built again
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
    return found


def _marking(cell: dict[str, Any]) -> dict[str, Any]:
    """What nbgrader knows of a cell."""
    return dict(cell["metadata"].get("nbgrader", {}))


def _with_inner_links(text: str, book_url: str) -> str:
    """Make links to the published book links inside it: raw tags, because MyST would look for a source file."""
    return re.sub(rf"\[([^\]]+)\]\({re.escape(book_url)}([^)\s]+)\)", r'<a href="../\2">\1</a>', text)


def _with_numbers(text: str, places: Mapping[str, Label]) -> str:
    """Say the book's numbers where a label stands, as links inside the site."""
    return with_places(text, places, lambda name, place: f'<a href="../{place.href}">{name}</a>')


def _rendered(template: str, **values: Any) -> str:
    return _environment().get_template(template).render(values)


@cache
def _environment() -> Environment:
    loader = PackageLoader("autograder.book")
    return Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
