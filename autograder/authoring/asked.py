"""The title, text and answer form of each task in a notebook.

A task is identified by the cell that checks it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from autograder.authoring.cells import check_of
from autograder.authoring.topic import read_notebook_text
from autograder.course.course import Course
from autograder.errors import CourseError

_HEADING = re.compile(r"^#+ (?:[\d.]+ )?(?P<title>.+?)(?: \([^()]*points?[^()]*\))?$", re.MULTILINE)
FORM_COMMENT = re.compile(r"#\s*your answer:\s*(?P<form>.+)$", re.MULTILINE)
_PAIRS = {"(": ")", "[": "]"}


@dataclass(frozen=True)
class Asked:
    """A task in the notebook; `text` has placeholders for the numbers."""

    title: str
    text: str
    form: str

    def parts(self, number: int) -> tuple[str, ...]:
        """Return the form of each part of the answer.

        "([x, y], share)" has the parts "[x, y]" and "share".
        """
        if number == 1:
            return (self.form,)
        pieces = split_form(self.form[1:-1])
        if len(pieces) != number:
            raise CourseError(f"“{self.title}”: the form {self.form} should name {number} parts")
        return tuple(pieces)


def split_form(text: str) -> list[str]:
    """Split a form of answers at the commas outside of brackets."""
    pieces, open_ = [""], 0
    for letter in text:
        open_ += (letter in _PAIRS) - (letter in _PAIRS.values())
        if letter == "," and open_ == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece.strip() for piece in pieces]


@lru_cache(maxsize=32)
def asked(course: Course, topic: str) -> dict[str, Asked]:
    """Return the tasks with a value as answer, by name.

    Their answer cell has a comment that describes the form of the answer.
    """
    import jupytext

    cells = jupytext.reads(read_notebook_text(course, topic), fmt="md:myst").cells
    tasks = {}
    for words, answer, check in zip(cells, cells[1:], cells[2:], strict=False):
        task, form = check_of(check.source), FORM_COMMENT.search(answer.source)
        if check.cell_type == "code" and task and form and words.cell_type == "markdown":
            tasks[task["task"]] = _read(words.source, form["form"])
    return tasks


def _read(words: str, form: str) -> Asked:
    *_, heading = [None, *_HEADING.finditer(words)]
    title, start = (heading["title"], heading.end()) if heading else ("", 0)
    return Asked(title, words[start:].strip(), form.strip())
