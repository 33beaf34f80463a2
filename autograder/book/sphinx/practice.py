"""Problems to practise on, in the page: `{practice}` lists tasks whose data `dimred practice` wrote.

The page itself carries one variant of each problem and a link to the assignment: all that a reader has without scripts
and on paper. The script, `practice.mjs` in `autograder/book/practice`, adds fields, a verdict and fresh numbers.
"""

import hashlib
import json
import re
import shutil
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from autograder.book.assignments import ASSIGNMENTS_FOLDER as ASSIGNMENTS
from autograder.book.labels import Label, labels
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.program import program_name

PRACTICE_FOLDER = Path("_static", "practice")  # in the folder of the pages
PRACTICE_SCRIPTS = Path(__file__).parents[1] / "practice"
_LABEL = re.compile(r"\[\[([a-z0-9-]+)\]\]")


class practice(nodes.General, nodes.Element):  # type: ignore[misc]  # noqa: N801 - docutils' visitors are found by it
    """A list of problems."""


class Practice(SphinxDirective):
    """The problems of a page: a name, such as `areas.total`, on each line."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Read the data of every task, so that a page whose data are missing is found when it is read."""
        names = [line.strip() for line in self.content if line.strip()]
        book = Course(Path(self.env.srcdir)).book
        for name in names:
            path = book / PRACTICE_FOLDER / "data" / f"{name}.json"
            if not path.is_file():
                raise self.error(
                    f"{name} has no data to practise on: make them with `{program_name()} practice` (a page judges "
                    "hand tasks whose answers are numbers, and no others)"
                )
            self.env.note_dependency(str(path))
        return [practice("", names=names)]


def unfolded(texts: dict[str, Any], number: int) -> str:
    """The text of one variant: what all share, with its own numbers."""
    form, numbers = texts["rows"][number]
    pieces = texts["forms"][form]
    own = [*numbers.split(" "), ""] if numbers else [""]
    return "".join(piece + one for piece, one in zip(pieces, own, strict=True))


def _linked(text: str, places: dict[str, Label]) -> str:
    """Labels as links that say the book's numbers."""

    return _LABEL.sub(lambda match: places[match[1]].link, text)


def _problem(data: dict[str, Any], digest: str, places: dict[str, Label]) -> str:
    topic = data["task"].partition(".")[0]
    return (
        f'<div class="practice" id="problem-{data["task"]}" data-task="{data["task"]}" data-version="{digest}">\n'
        f"<h3>{escape(data['title'])}</h3>\n"
        f'<p class="practice-awaits">{_awaiting(data)}</p>\n'
        f'<div class="practice-text">{_linked(unfolded(data["text"], 0), places)}</div>\n'
        f'<p class="practice-door"><a href="{ASSIGNMENTS}/{topic}.html">The assignment</a> asks this too, with '
        "numbers of its own.</p>\n</div>\n"
    )


def _folded(data: dict[str, Any], problem: str) -> str:
    """Fold a problem under its title. All but the first of a page are folded: one shows what practising is."""
    title = f"<b>{escape(data['title'])}</b> <span>{_awaiting(data)}</span>"
    return f'<details class="practice-fold">\n<summary>{title}</summary>\n{problem}</details>\n'


def _awaiting(data: dict[str, Any]) -> str:
    """Say what a reader will do here."""
    answers, sets = len(data["form"]), len(data["variants"])
    worked = ", a worked solution" if data["worked"] else ""
    return f"By hand: {answers} answer{'s' * (answers > 1)} to type, {sets} sets of numbers{worked}"


def _named(data: dict[str, Any]) -> set[str]:
    """The labels that a verdict or a text of this task may name."""
    texts = [
        piece for text in (data["text"], data["worked"]) if text for form in text["forms"] for piece in form
    ]
    found = {label for text in texts for label in _LABEL.findall(text)}
    return found | {data["see"], *(wrong[2] for wrong in data["wrongs"] if wrong[2])}


def practice_html(book: Path, names: list[str], static: str) -> str:
    """The problems of a page, what their labels are called, and the script."""
    places = labels(book)
    parts = [f'<link rel="stylesheet" href="{static}/practice/practice.css">\n']
    for name in names:
        text = (book / PRACTICE_FOLDER / "data" / f"{name}.json").read_text("utf-8")
        data = json.loads(text)
        problem = _problem(data, hashlib.sha256(text.encode()).hexdigest()[:8], places)
        parts.append(_folded(data, problem) if name != names[0] else problem)
    parts.append(practice_places(book, names))
    parts.append(f'<script type="module" src="{static}/practice/practice.mjs"></script>\n')
    return "".join(parts)


def practice_places(book: Path, names: list[str]) -> str:
    """Return the places and names of the labels that problems name, as data for the script."""
    places, named = labels(book), set()
    for name in names:
        named |= _named(json.loads((book / PRACTICE_FOLDER / "data" / f"{name}.json").read_text("utf-8")))
    known = {label: [places[label].href, places[label].name] for label in sorted(named)}
    table = json.dumps(known, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/json" id="practice-places">{table}</script>\n'


def _visit(self: Any, node: nodes.Element) -> None:
    builder = self.builder
    up = "../" * builder.current_docname.count("/")
    book = Course(Path(builder.app.srcdir)).book
    self.body.append(practice_html(book, node["names"], f"{up}_static"))


def _leave(self: object, node: nodes.Element) -> None:
    """Everything was written at the beginning."""


def _skip(self: object, node: nodes.Element) -> None:
    raise nodes.SkipNode


def published(script: str) -> str:
    """A script as readers fetch it: without comments and white space."""
    from rjsmin import jsmin

    return str(jsmin(script))


def publish_practice(app: Sphinx, error: Exception | None) -> None:
    """Put scripts, style and data into the site; scripts as readers fetch them."""
    data = Course(Path(app.srcdir)).book / PRACTICE_FOLDER / "data"
    if error is not None or app.builder.format != "html" or not data.is_dir():
        return
    site = Path(app.outdir, PRACTICE_FOLDER)
    shutil.copytree(data, site / "data", dirs_exist_ok=True)
    for path in PRACTICE_SCRIPTS.iterdir():
        text = path.read_text("utf-8")
        write_text(site / path.name, published(text) if path.suffix == ".mjs" else text)


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    other = (_skip, _leave)
    app.add_node(practice, html=(_visit, _leave), latex=other, text=other, man=other, texinfo=other)
    app.add_directive("practice", Practice)
    app.connect("build-finished", publish_practice)
