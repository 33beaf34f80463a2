"""What a notebook asks in one task: its title, its words, the form of the answer; found by the cell that checks it."""

import re
from dataclasses import dataclass
from functools import lru_cache

from autograder.authoring.cells import check_of
from autograder.authoring.topic import notebook_text
from autograder.course.course import Course
from autograder.errors import CourseError

_HEADING = re.compile(r"^#+ (?:[\d.]+ )?(?P<title>.+?)(?: \([^()]*points?[^()]*\))?$", re.MULTILINE)
_FORM = re.compile(r"#\s*your answer:\s*(?P<form>.+)$", re.MULTILINE)
_PAIRS = {"(": ")", "[": "]"}


@dataclass(frozen=True)
class Asked:
    """A task as the notebook asks it; `text` has placeholders where numbers will stand."""

    title: str
    text: str
    form: str

    def parts(self, number: int) -> tuple[str, ...]:
        """The form of each part of the answer: "([x, y], share)" has the parts "[x, y]" and "share"."""
        if number == 1:
            return (self.form,)
        found = _split(self.form[1:-1])
        if len(found) != number:
            raise CourseError(f"“{self.title}”: the form {self.form} should name {number} parts")
        return tuple(found)


def _split(text: str) -> list[str]:
    """Split at the commas that stand in no bracket."""
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
    """The tasks of a topic whose answer is a value, by name: those whose cell says what form it has."""
    import jupytext

    cells = jupytext.reads(notebook_text(course, topic), fmt="md:myst").cells
    found = {}
    for words, answer, check in zip(cells, cells[1:], cells[2:], strict=False):
        task, form = check_of(check.source), _FORM.search(answer.source)
        if check.cell_type == "code" and task and form and words.cell_type == "markdown":
            found[task["task"]] = _read(words.source, form["form"])
    return found


def _read(words: str, form: str) -> Asked:
    *_, heading = [None, *_HEADING.finditer(words)]
    title, start = (heading["title"], heading.end()) if heading else ("", 0)
    return Asked(title, words[start:].strip(), form.strip())
