"""The questions of one variant, as they are printed: read from its certified notebook."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.authoring.asked import FORM_COMMENT
from autograder.authoring.blocks import HEADING_LINE
from autograder.authoring.cells import check_of, is_answer_cell, role, source_of
from autograder.course.course import Course
from autograder.judging.key import Key, TaskKey, read_key
from autograder.judging.question import QuickQuestion

SYMBOLS = re.compile(r'sp\.symbols\("(?P<names>[^"]+)"(?:,\s*(?P<properties>[^)]*))?\)')
MARKDOWN_LINK = re.compile(r"\[(?P<words>[^\]]+)\]\([^)\s]+\)")
SYMBOL_PROPERTIES = {"positive=True": "positive", "real=True": "real"}


@dataclass(frozen=True)
class PrintedQuestion:
    """A printed question; `text` is Markdown without its heading, `form` the form of the answer in words.

    `quick` is the quick question that fills the slot, if one does; `text` is then what stands below it.
    """

    slot: str
    title: str
    points: float
    text: str
    form: str
    kind: str
    quick: QuickQuestion | None = None


@dataclass(frozen=True)
class Sheet:
    """The exam of one student, or of one form. `folder` is that of the variant; the key has its numbers."""

    folder: str
    name: str
    code: str
    questions: tuple[PrintedQuestion, ...]
    key: Key
    conventions: str = ""

    @property
    def points(self) -> float:
        """The points of all questions."""
        return sum(question.points for question in self.questions)


def read_sheet(course: Course, exam: str, folder: str, name: str, code: str) -> Sheet:
    """Read the variant of a student or form."""
    release = course.paths.release(exam, folder)
    notebook = json.loads((release / f"{exam}.ipynb").read_text("utf-8"))
    key = read_key(release / f"{exam}.key.json")
    return Sheet(folder, name, code, tuple(_questions(notebook, key)), key, _conventions(notebook))


def _conventions(notebook: Mapping[str, Any]) -> str:
    """Return the conventions that stand above the first question."""
    above = "\n\n".join(
        source_of(cell) for cell in notebook["cells"] if not source_of(cell).startswith("## ")
    )
    parts = [part for part in above.split("\n\n") if part.startswith("**Conventions of ")]
    return MARKDOWN_LINK.sub(lambda match: match["words"], "\n\n".join(parts))


def _title_and_text(parts: Sequence[str], name: str, task: TaskKey) -> tuple[str, str]:
    """Return the title of a question, and its text with symbols in words, without heading and links.

    The text of a quick question is left out, because its key has it.
    """
    heading, _, first = parts[0].partition("\n")
    title, symbols = HEADING_LINE.match(heading), task.cases[0].inputs
    below = (_symbols_in_words(part, symbols) if SYMBOLS.search(part) else part for part in parts[1:])
    asked = [] if task.question else [first]
    text = MARKDOWN_LINK.sub(lambda match: match["words"], "\n\n".join([*asked, *below]))
    return title["title"] if title else name, text.strip()


def _questions(notebook: Mapping[str, Any], key: Key) -> Iterator[PrintedQuestion]:
    """Yield the questions of a notebook: what stands above each check."""
    parts: list[str] = []
    form = ""
    for cell in notebook["cells"]:
        source = source_of(cell)
        check = check_of(source)
        if cell["cell_type"] == "markdown" and source.startswith("## "):
            parts, form = [source], ""
        elif check and role(cell).get("grade"):
            task = key.tasks[check["task"]]
            title, text = _title_and_text(parts, check["task"], task)
            points = float(role(cell)["points"])
            yield PrintedQuestion(check["task"], title, points, text, form, task.kind, task.question)
        elif is_answer_cell(cell):
            comment = FORM_COMMENT.search(source)
            form = comment["form"].strip() if comment else ""
        elif parts:
            parts.append(source if cell["cell_type"] == "markdown" else _given_code(source))


def _given_code(source: str) -> str:
    """Return code as it is printed; definitions of symbols are said in words later."""
    return source if SYMBOLS.search(source) else f"```python\n{source}\n```"


def _symbols_in_words(source: str, used: Collection[str]) -> str:
    """Return the symbols that a formula may use, in words; no others that the same code defines."""
    sentences = []
    for match in SYMBOLS.finditer(source):
        names = [f"`{name}`" for name in match["names"].split() if name in used]
        properties = " and ".join(
            SYMBOL_PROPERTIES[word.strip()]
            for word in (match["properties"] or "").split(",")
            if word.strip() in SYMBOL_PROPERTIES
        )
        if names:
            sentences.append(f"Symbols: {', '.join(names)}{f' ({properties})' if properties else ''}.")
    return " ".join(sentences)
