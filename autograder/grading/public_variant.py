"""Recognise a notebook of the public book that was handed in to a class with other numbers.

Its checks pass in the book, and grading compares with the numbers of the class. So student and instructor are told.
"""

import json
from typing import Any

from autograder.authoring.cells import is_answer_cell, source_of
from autograder.course.course import Course
from autograder.errors import UnreadableError
from autograder.grading.assignment import Assignment
from autograder.grading.repair import parse_notebook

PUBLIC_VARIANT_NOTE = (
    "this notebook has the numbers of the public book, not those of your class: an answer that passes there can be "
    "wrong here. Copy your work into the notebook that your class was given, and check it there"
)


def public_variant_notes(course: Course, assignment: Assignment, submitted: bytes) -> list[str]:
    """Return the note if a submission has the public numbers and its class has others."""
    public = public_notebook(course, assignment.topic)
    release = json.loads(assignment.release)
    if public is None:
        return []
    if variant_name(release) == variant_name(public):
        return []
    try:
        notebook = parse_notebook(submitted, "")
    except UnreadableError:
        return []
    is_public = variant_name(notebook) == variant_name(public) or _holds_text_of(public, release, notebook)
    return [PUBLIC_VARIANT_NOTE] if is_public else []


def public_notebook(course: Course, topic: str) -> object:
    """Return the public exercise of a topic, or None."""
    path = course.published.exercises / topic / f"{topic}.ipynb"
    return json.loads(path.read_text("utf-8")) if path.is_file() else None


def _holds_text_of(public: object, release: object, notebook: object) -> bool:
    """Return whether a notebook has passages of the public one and lacks some of its own."""
    texts = cell_texts(notebook, given_only=False)
    public_texts, own_texts = cell_texts(public, given_only=True), cell_texts(release, given_only=True)
    return bool(texts & (public_texts - own_texts)) and not own_texts - public_texts <= texts


def cell_texts(notebook: Any, *, given_only: bool) -> frozenset[str]:
    """Return the texts of a notebook's cells, without answer cells if `given_only`."""
    texts = set()
    for cell in notebook["cells"]:
        if not (given_only and is_answer_cell(cell)):
            texts.add(source_of(cell).strip())
    return frozenset(texts)


def variant_name(notebook: object) -> str:
    """Read the variant's name from untrusted metadata; empty if there is none."""
    for word in ("metadata", "dimred", "seed"):
        notebook = notebook.get(word) if isinstance(notebook, dict) else None
    return notebook if isinstance(notebook, str) else ""
