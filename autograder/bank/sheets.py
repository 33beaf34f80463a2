"""The questions of one variant, as they are printed: read from its certified notebook."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.authoring.asked import FORM_COMMENT
from autograder.authoring.blocks import HEADING_LINE
from autograder.authoring.cells import check_of, is_answer_cell, role, source_of
from autograder.course.course import Course
from autograder.judging.key import Key, read_key

SYMBOLS = re.compile(r'sp\.symbols\("(?P<names>[^"]+)"(?:,\s*(?P<properties>[^)]*))?\)')
MARKDOWN_LINK = re.compile(r"\[(?P<words>[^\]]+)\]\([^)\s]+\)")
SYMBOL_PROPERTIES = {"positive=True": "positive", "real=True": "real"}


@dataclass(frozen=True)
class PrintedQuestion:
    """A printed question; `text` is Markdown without its heading, `form` the form of the answer in words."""

    slot: str
    title: str
    points: float
    text: str
    form: str
    kind: str


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
            title = HEADING_LINE.match(parts[0].partition("\n")[0])
            text = "\n\n".join([parts[0].partition("\n")[2], *parts[1:]])
            yield PrintedQuestion(
                check["task"],
                title["title"] if title else check["task"],
                float(role(cell)["points"]),
                MARKDOWN_LINK.sub(lambda match: match["words"], text).strip(),
                form,
                key.tasks[check["task"]].kind,
            )
        elif is_answer_cell(cell):
            comment = FORM_COMMENT.search(source)
            form = comment["form"].strip() if comment else ""
        elif parts:
            parts.append(source if cell["cell_type"] == "markdown" else _given_code(source))


def _given_code(source: str) -> str:
    """Return given code for paper: symbols in words, other code as it is."""
    symbols = [*SYMBOLS.finditer(source)]
    if not symbols:
        return f"```python\n{source}\n```"
    sentences = []
    for match in symbols:
        names = ", ".join(f"`{name}`" for name in match["names"].split())
        properties = " and ".join(
            SYMBOL_PROPERTIES[word.strip()]
            for word in (match["properties"] or "").split(",")
            if word.strip() in SYMBOL_PROPERTIES
        )
        sentences.append(f"Symbols: {names}{f' ({properties})' if properties else ''}.")
    return " ".join(sentences)
