"""Quick questions in a page: `{quick-questions} topic` shows the questions whose data `dimred practice` wrote.

The page carries every variant, so that formulas are typeset when the book is built; the script shows one of them, adds
fields and judges. Without scripts and on paper the first variant can be read.
"""

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from autograder.book.labels import Label, labels
from autograder.book.sphinx.practice import published
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.program import program_name

QUESTIONS_DATA_FOLDER = Path("_static", "questions")  # in the folder of the pages
QUESTION_SCRIPTS = Path(__file__).parents[1] / "questions"
_LABEL = re.compile(r"\[\[([a-z]+(?:-[a-z0-9]+)+)\]\]")  # an input of a program may be [[5]]


class quick_questions(nodes.General, nodes.Element):  # type: ignore[misc]  # noqa: N801 - docutils' visitors
    """The quick questions of a topic."""


class QuickQuestions(SphinxDirective):
    """The quick questions of a topic, or those named below it."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Read the data, so that a page whose data are missing is found when it is read."""
        topic = self.arguments[0]
        path = Course(Path(self.env.srcdir)).book / QUESTIONS_DATA_FOLDER / f"{topic}.json"
        if not path.is_file():
            raise self.error(
                f"{topic} has no quick questions: make them with `{program_name()} practice {topic}`"
            )
        self.env.note_dependency(str(path))
        names = [line.strip() for line in self.content if line.strip()]
        questions = json.loads(path.read_text("utf-8"))
        known = {question["name"].partition(".")[2] for question in questions}
        unknown = [name for name in names if name not in known]
        if unknown:
            raise self.error(f"{topic} has no quick question {unknown[0]}; it has {', '.join(sorted(known))}")
        return [quick_questions("", path=str(path), names=names)]


def questions_html(questions: list[dict[str, Any]], places: dict[str, Label], static: str) -> str:
    """Return the questions of a page, what the script needs, and the script."""
    named = {label for question in questions for label in _labels_in(question)}
    addresses = {label: [places[label].href, places[label].name] for label in sorted(named)}
    return "".join(
        [
            f'<link rel="stylesheet" href="{static}/questions/quick.css">\n',
            *(_folded(question["title"], _question_html(question, places)) for question in questions),
            _json("quick-places", addresses),
            f'<script type="module" src="{static}/questions/quick.mjs"></script>\n',
        ]
    )


def _json(name: str, data: object) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f'<script type="application/json" class="{name}">{text}</script>\n'


def _labels_in(question: dict[str, Any]) -> set[str]:
    items = [item for variant in question["variants"] for item in variant["items"].values()]
    texts = [question["explanation"], *(variant["text"] for variant in question["variants"])]
    texts += [text for item in items for text in (item["html"], item.get("hint", ""))]
    named = {label for text in texts for label in _LABEL.findall(text)}
    return named | {question["see"], *(item["see"] for item in items if item.get("see"))}


def _question_html(question: dict[str, Any], places: dict[str, Label]) -> str:
    variants = "".join(
        _variant_html(number, variant, places) for number, variant in enumerate(question["variants"])
    )
    return (
        f'<div class="quick" data-name="{question["name"]}">\n<h3>{escape(question["title"])}</h3>\n'
        f"{variants}{_json('quick-data', _judged(question, places))}</div>\n"
    )


def _folded(title: str, html: str) -> str:
    """Fold a question under its title."""
    return f'<details class="quick-fold">\n<summary><b>{escape(title)}</b></summary>\n{html}</details>\n'


def _variant_html(number: int, variant: dict[str, Any], places: dict[str, Label]) -> str:
    figure = f"<p>{variant['figure']}</p>" if variant["figure"] else ""
    items = "".join(
        f'<li data-letter="{letter}"><b>{letter}</b> <div>{_linked(item["html"], places)}</div></li>\n'
        for letter, item in variant["items"].items()
    )
    hidden = " hidden" if number else ""
    return (
        f'<div class="quick-variant"{hidden}>\n<div class="quick-text">{_linked(variant["text"], places)}</div>'
        f'{figure}\n<ul class="quick-items">\n{items}</ul>\n</div>\n'
    )


def _judged(question: dict[str, Any], places: dict[str, Label]) -> dict[str, Any]:
    """Return what the script judges by: everything but the shown texts."""
    variants = [
        {
            letter: {**{name: value for name, value in item.items() if name != "html"}}
            for letter, item in variant["items"].items()
        }
        for variant in question["variants"]
    ]
    head = {name: question[name] for name in ("name", "kind", "several", "see")}
    return {**head, "explanation": _linked(question["explanation"], places), "variants": variants}


def _linked(text: str, places: dict[str, Label]) -> str:
    """Return a text with labels as links that say the book's numbers."""

    return _LABEL.sub(lambda match: places[match[1]].link, text)


def _visit(self: Any, node: nodes.Element) -> None:
    builder = self.builder
    up = "../" * builder.current_docname.count("/")
    book = Course(Path(builder.app.srcdir)).book
    questions = json.loads(Path(node["path"]).read_text("utf-8"))
    chosen_names = node["names"] or [question["name"].partition(".")[2] for question in questions]
    chosen = [question for question in questions if question["name"].partition(".")[2] in chosen_names]
    self.body.append(questions_html(chosen, labels(book), f"{up}_static"))


def _leave(self: object, node: nodes.Element) -> None:
    """Everything was written at the beginning."""


def _skip(self: object, node: nodes.Element) -> None:
    raise nodes.SkipNode


def publish_questions(app: Sphinx, error: Exception | None) -> None:
    """Put scripts and style into the site, as readers fetch them."""
    if error is not None or app.builder.format != "html":
        return
    for path in QUESTION_SCRIPTS.iterdir():
        text = path.read_text("utf-8")
        target = Path(app.outdir, QUESTIONS_DATA_FOLDER, path.name)
        write_text(target, published(text) if path.suffix == ".mjs" else text)


def setup(app: Sphinx) -> None:
    """Connect to Sphinx."""
    other = (_skip, _leave)
    app.add_node(quick_questions, html=(_visit, _leave), latex=other, text=other, man=other, texinfo=other)
    app.add_directive("quick-questions", QuickQuestions)
    app.connect("build-finished", publish_questions)
