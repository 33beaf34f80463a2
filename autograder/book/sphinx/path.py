"""The reader's path: a table of chapters and problems for the scripts, which go on every page.

`{reader-path} board` shows what this device remembers of a reader, `{reader-path} session` the problems of the day and
`{reader-path} steps` what to do next. Prerequisites and the core path come from `path.json` in the folder of the pages.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from autograder.book.assignments import ASSIGNMENTS_FOLDER, AssignmentPage, assignments
from autograder.book.kata_pages import KATA_LINE
from autograder.book.sphinx.katas import kata_parts
from autograder.book.sphinx.practice import PRACTICE_FOLDER, practice_places, published
from autograder.course import contents
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.errors import BookError

PATH_FOLDER = Path("_static", "path")  # in the site
PATH_SCRIPTS = Path(__file__).parents[1] / "path"
PATH_FILE = "path.json"  # beside the pages
TABLE_FILE = "course.json"
PRACTICE_LIST = re.compile(r"^```\{practice\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
WITHOUT_SCRIPTS = {
    "board": "With scripts, this page shows what you have read, practised and solved on this device.",
    "session": "With scripts, this page gives you the problems of the day.",
    "steps": "",
}


class reader_path(nodes.General, nodes.Element):  # type: ignore[misc]  # noqa: N801 - docutils' visitors are found by it
    """A place that a script fills."""


class ReaderPath(SphinxDirective):
    """The directive."""

    required_arguments: ClassVar[int] = 1

    def run(self) -> list[nodes.Node]:
        """Check the name of the part."""
        part = self.arguments[0]
        if part not in WITHOUT_SCRIPTS:
            raise self.error(f"{part!r} is none of {', '.join(WITHOUT_SCRIPTS)}")
        return [reader_path("", part=part)]


def practice_tasks(page: Path) -> list[str]:
    """Return the practice problems that a page lists."""
    if not page.is_file():
        return []
    return [
        line.strip() for block in PRACTICE_LIST.findall(page.read_text("utf-8")) for line in block.split()
    ]


def path_settings(course: Course) -> dict[str, Any]:
    """Return the prerequisites of chapters, and the pages of the core path; nothing if a course has none."""
    path = course.book / PATH_FILE
    if not path.is_file():
        return {"needs": {}, "core": []}
    settings: dict[str, Any] = json.loads(path.read_text("utf-8"))
    names = {
        *settings["needs"],
        *settings["core"],
        *(need for all_ in settings["needs"].values() for need in all_),
    }
    missing = sorted(name for name in names if not (course.book / f"{name}.md").is_file())
    if missing:
        raise BookError(f"{PATH_FILE} names pages that do not exist: {', '.join(missing)}")
    return settings


def path_table(course: Course, titles: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """Return the chapters with prerequisites and tasks, and where each problem stands.

    `titles` gives number and title of each page.
    """
    settings, solve = path_settings(course), _live_tasks(course)
    chapters: list[dict[str, Any]] = []
    tasks: dict[str, dict[str, Any]] = {}
    for entry in contents.outline(course.root):
        stem, listed = Path(entry.name).name, practice_tasks(course.root / f"{entry.name}.md")
        tasks |= {name: _kata(course, name, entry.name) for name in _katas(course, entry.name)}
        is_chapter = entry.depth == 1 and (entry.numbered or listed)
        if not is_chapter or entry.name not in titles:
            continue
        number, title = titles[entry.name]
        chapters.append(
            {
                "page": entry.name,
                "number": number,
                "title": title,
                "needs": [f"{course.book.name}/{need}" for need in settings["needs"].get(stem, [])],
                "isCore": stem in settings["core"],
                "practice": listed,
                "solve": solve.get(stem, []),
                "assignment": f"{course.book.name}/{ASSIGNMENTS_FOLDER}/{stem}" if stem in solve else "",
            }
        )
        tasks = {name: _problem(course, name, entry.name) for name in listed} | tasks  # the first page counts
    return {"chapters": chapters, "tasks": tasks}


def _live_tasks(course: Course) -> dict[str, list[str]]:
    """Return the names of the checked tasks of each assignment."""
    return {
        page.topic: [f"{page.topic}.{cell.name}" for cell in page.cells if cell.is_answer and cell.name]
        for page in assignments(course)
    }


def _katas(course: Course, page: str) -> list[str]:
    path = course.root / f"{page}.md"
    return KATA_LINE.findall(path.read_text("utf-8")) if path.is_file() else []


def _kata(course: Course, name: str, page: str) -> dict[str, Any]:
    topic, _, short = name.partition(".")
    title, *_ = kata_parts(AssignmentPage(topic, course.exercises / topic), short)
    return {"title": title, "page": page, "version": "", "isKata": True}


def _problem(course: Course, name: str, page: str) -> dict[str, Any]:
    text = (course.book / PRACTICE_FOLDER / "data" / f"{name}.json").read_text("utf-8")
    return {
        "title": json.loads(text)["title"],
        "page": page,
        "version": hashlib.sha256(text.encode()).hexdigest()[:8],
    }


def add_path_scripts(
    app: Sphinx, page: str, template: str, context: dict[str, object], doctree: object
) -> None:
    """Load the script and the style sheet on every page."""
    app.add_css_file("path/path.css")
    app.add_js_file("path/path.mjs", type="module")


def write_table(app: Sphinx, error: Exception | None) -> None:
    """Write the table, and the scripts as readers fetch them."""
    if error is not None or app.builder.format != "html":
        return
    folder = Path(app.outdir, PATH_FOLDER)
    table = path_table(Course(Path(app.srcdir)), dict(_titles(app)))
    write_text(folder / TABLE_FILE, json.dumps(table, ensure_ascii=False, separators=(",", ":")))
    for path in PATH_SCRIPTS.iterdir():
        text = path.read_text("utf-8")
        write_text(folder / path.name, published(text) if path.suffix == ".mjs" else text)


def _titles(app: Sphinx) -> Iterator[tuple[str, tuple[str, str]]]:
    for page, title in app.env.titles.items():
        number = app.env.toc_secnumbers.get(page, {}).get("", ())
        yield page, (".".join(map(str, number)), title.astext())


def _visit(self: Any, node: nodes.Element) -> None:
    part = node["part"]
    self.body.append(f'<div class="reader-path" data-part="{part}"><p>{WITHOUT_SCRIPTS[part]}</p></div>\n')
    if part == "session":
        builder = self.builder
        course = Course(Path(builder.app.srcdir))
        names = [name for page in contents.pages(course.root) for name in practice_tasks(page)]
        static = "../" * builder.current_docname.count("/") + "_static"
        self.body.append(f'<link rel="stylesheet" href="{static}/practice/practice.css">\n')
        self.body.append(practice_places(course.book, names))


def _leave(self: object, node: nodes.Element) -> None:
    """Everything was written at the beginning."""


def _skip(self: object, node: nodes.Element) -> None:
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    other = (_skip, _leave)
    app.add_node(reader_path, html=(_visit, _leave), latex=other, text=other, man=other, texinfo=other)
    app.add_directive("reader-path", ReaderPath)
    app.connect("html-page-context", add_path_scripts)
    app.connect("build-finished", write_table)
