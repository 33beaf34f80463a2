"""Read the open questions of a topic, with answers and decisions."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbformat

from autograder.authoring.cells import is_answer_cell, name_of, role, source_of
from autograder.authoring.rubric import RubricItem, rubrics
from autograder.course.course import Course
from autograder.course.people import known_students
from autograder.errors import CourseError
from autograder.grading import gradebook
from autograder.grading.gradebook_tables import open_gradebook
from autograder.program import program_name

N_REMEMBERED_NOTEBOOKS = 2000


@dataclass(frozen=True)
class Question:
    """An open question with its points, rubric, author's answer and released stub."""

    name: str
    text: str
    points: float
    items: tuple[RubricItem, ...]
    model_answer: str
    stub: str


@dataclass(frozen=True)
class Answer:
    """A student's answer to a question, and its decision in the gradebook."""

    student: str
    shown_name: str
    text: str
    asked: str  # the text of the question, which may differ between personal variants
    score: float | None
    comment: str
    is_read: bool

    @property
    def version(self) -> str:
        """A digest of text and decision, to detect changes."""
        seen = [self.text, self.score, self.comment, self.is_read]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:24]


def collect_open_questions(course: Course, topic: str) -> list[Question]:
    """Return the open questions of a topic, in order.

    Raise CourseError if none.
    """
    source = nbformat.read(course.paths.source_notebook(topic), as_version=4)
    release = nbformat.read(course.paths.release(topic) / f"{topic}.ipynb", as_version=4)
    stubs = {name_of(cell): source_of(cell) for cell in release.cells if is_answer_cell(cell)}
    items = {rubric.question: rubric.items for rubric in rubrics(source)}
    questions = [
        Question(
            name,
            asked,
            float(role(cell)["points"]),
            items.get(name, ()),
            source_of(cell),
            stubs.get(name, ""),
        )
        for name, asked, cell in _open_cells(source.cells)
    ]
    if not questions:
        raise CourseError(f"{topic} has no open question")
    return questions


def _open_cells(cells: list[Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield name, text above and cell of each manually graded answer."""
    above = ""
    for cell in cells:
        is_text = cell["cell_type"] == "markdown"
        if is_text and is_answer_cell(cell) and role(cell).get("grade"):
            yield str(name_of(cell)), above, cell
        above = source_of(cell) if is_text else above


def read_answers(course: Course, topic: str, question: str) -> list[Answer]:
    """Return all answers to a question, sorted by student.

    Raise CourseError if none.
    """
    known = known_students(course)
    with open_gradebook(course) as book:
        decisions = dict(_decisions(book, topic, question))
    answers = []
    for student, (score, comment, is_read) in sorted(decisions.items()):
        text, asked = _answer_on_file(course, topic, student, question)
        name = known[student].shown if student in known else student
        if text is not None:
            answers.append(Answer(student, name, text, asked, score, comment, is_read))
    if not answers:
        raise CourseError(f"no answers to {question!r} yet: run `{program_name()} grade {topic}` first")
    return answers


def _answer_on_file(course: Course, topic: str, student: str, question: str) -> tuple[str | None, str]:
    """Return an answer and its question from the graded notebook.

    The answer is None if it is missing.
    """
    path = course.paths.autograded(student, topic) / f"{topic}.ipynb"
    try:
        state = path.stat()
        return _open_answers(path, state.st_ino, state.st_mtime_ns).get(question, (None, ""))
    except (OSError, ValueError, LookupError):
        return None, ""


@lru_cache(N_REMEMBERED_NOTEBOOKS)
def _open_answers(path: Path, inode: int, changed: int) -> dict[str, tuple[str, str]]:
    """Map each open question of a notebook to its answer and text.

    `inode` and `changed` are part of the cache key, so a changed file is read again.
    """
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return {name: (source_of(cell), asked) for name, asked, cell in _open_cells(cells)}


def _decisions(
    book: object, topic: str, question: str
) -> Iterator[tuple[str, tuple[float | None, str, bool]]]:
    """Yield each student with score, comment and whether the answer was read."""
    comments = {
        student: words for student, cell, words in gradebook.all_comments(book, topic) if cell == question
    }
    scores = gradebook.raw_scores(book, topic, unread=True)
    for student, cell, (auto, manual, extra, needs_person) in scores:
        if cell == question:
            score = manual if manual is not None else auto
            total = None if needs_person and manual is None else float(score or 0.0) + float(extra or 0.0)
            yield student, (total, comments.get(student, ""), not needs_person)
