"""Rubrics of open questions: declared in the text above the question, applied as named comments and points.

The list above a question is its rubric. What stands in brackets is the name of an item, else its first sentence:

    - **1 point** (splits each sample): say what is split into what.

A grader's decision is a line of nbgrader's comment on the answer: `[0.5 of 1] splits each sample`. So it is seen by the
student, survives in the gradebook, and can be counted.
"""

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograder.authoring.cells import is_answer, name_of, role, source_of
from autograder.errors import SourceError

ITEM = re.compile(
    r"^- \*\*(?P<points>\d+(?:\.\d+)?) points?\*\*(?: \((?P<name>[^)]+)\))?: (?P<text>.+)$", re.MULTILINE
)
DECISION = re.compile(
    r"^\[(?P<points>\d+(?:\.\d+)?) of (?P<most>\d+(?:\.\d+)?)\] (?P<name>.+)$", re.MULTILINE
)
FIRST_SENTENCE = re.compile(r"^.*?(?=[.;:](?:\s|$)|$)")
LONGEST = 120


@dataclass(frozen=True)
class Item:
    """One thing that an answer should hold, and its points."""

    name: str
    points: float


@dataclass(frozen=True)
class Rubric:
    """The items by which an answer to an open question is read; `question` is its name in the gradebook."""

    question: str
    points: float
    items: tuple[Item, ...]


def rubrics(notebook: Any) -> list[Rubric]:
    """The rubrics of a notebook's open questions, in order; a question without a list above it has none."""
    cells = notebook["cells"]
    return [
        Rubric(str(name_of(cell)), float(role(cell)["points"]), items)
        for above, cell in itertools.pairwise(cells)
        if cell["cell_type"] == "markdown" and is_answer(cell) and role(cell).get("grade")
        for items in [tuple(_items(source_of(above)))]
        if items
    ]


def _items(text: str) -> Iterator[Item]:
    for match in ITEM.finditer(text):
        yield Item(match["name"] or _short(match["text"]), float(match["points"]))


def _short(text: str) -> str:
    """The first sentence without marks of Markdown and formulas, which a comment shows as they are."""
    found = FIRST_SENTENCE.match(text)
    plain = re.sub(r"[*$`]", "", found[0] if found else text).strip()
    return plain if len(plain) <= LONGEST else plain[: LONGEST - 1].rstrip() + "…"


def require_sums(notebook: Any) -> None:
    """SourceError when the items of a rubric do not add up to the points of their question."""
    for rubric in rubrics(notebook):
        total = sum(item.points for item in rubric.items)
        if total != rubric.points:
            raise SourceError(
                f"the rubric of {rubric.question!r} adds up to {total:g} points, the question has {rubric.points:g}"
            )


def decisions(comment: str) -> dict[str, float]:
    """What a grader decided, by the names of items, as the comment tells it."""
    return {match["name"].strip(): float(match["points"]) for match in DECISION.finditer(comment)}
