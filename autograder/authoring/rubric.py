"""Rubrics of open questions: lists of items, applied as comments.

The list above a question is its rubric. An item is named by its text in brackets, else by its first sentence:

    - **1 point** (splits each sample): say what is split into what.

A grader's decision is a line of nbgrader's comment on the answer: `[0.5 of 1] splits each sample`. So the student sees
it, the gradebook stores it, and reports can count it.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograder.authoring.cells import is_answer_cell, name_of, role, source_of
from autograder.errors import SourceError

ITEM = re.compile(
    r"^- \*\*(?P<points>\d+(?:\.\d+)?) points?\*\*(?: \((?P<name>[^)]+)\))?: (?P<text>.+)$", re.MULTILINE
)
DECISION = re.compile(
    r"^\[(?P<points>\d+(?:\.\d+)?) of (?P<most>\d+(?:\.\d+)?)\] (?P<name>.+)$", re.MULTILINE
)
FIRST_SENTENCE = re.compile(r"^.*?(?=[.;:](?:\s|$)|$)")
MAX_ITEM_CHARACTERS = 120


@dataclass(frozen=True)
class RubricItem:
    """One thing that an answer should contain, and its points."""

    name: str
    points: float


@dataclass(frozen=True)
class Rubric:
    """The items by which an open question is graded.

    `question` is its name in the gradebook.
    """

    question: str
    points: float
    items: tuple[RubricItem, ...]


def rubrics(notebook: Any) -> list[Rubric]:
    """Return the rubrics of a notebook's open questions, in order.

    A question without a list above it has none.
    """
    cells = notebook["cells"]
    return [
        Rubric(str(name_of(cell)), float(role(cell)["points"]), items)
        for above, cell in itertools.pairwise(cells)
        if cell["cell_type"] == "markdown" and is_answer_cell(cell) and role(cell).get("grade")
        for items in [tuple(_items(source_of(above)))]
        if items
    ]


def _items(text: str) -> Iterator[RubricItem]:
    for match in ITEM.finditer(text):
        yield RubricItem(match["name"] or _short(match["text"]), float(match["points"]))


def _short(text: str) -> str:
    """Return the first sentence without marks of Markdown and formulas.

    A comment would show these marks as they are.
    """
    match = FIRST_SENTENCE.match(text)
    plain = re.sub(r"[*$`]", "", match[0] if match else text).strip()
    return plain if len(plain) <= MAX_ITEM_CHARACTERS else plain[: MAX_ITEM_CHARACTERS - 1].rstrip() + "…"


def require_sums(notebook: object) -> None:
    """Raise SourceError if a rubric's items do not add up."""
    for rubric in rubrics(notebook):
        total = sum(item.points for item in rubric.items)
        if total != rubric.points:
            raise SourceError(
                f"the rubric of {rubric.question!r} adds up to {total:g} points, the question has {rubric.points:g}"
            )


def decisions(comment: str) -> dict[str, float]:
    """Return a grader's decisions in a comment, by names of items."""
    return {match["name"].strip(): float(match["points"]) for match in DECISION.finditer(comment)}
