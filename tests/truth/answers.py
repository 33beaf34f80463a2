"""Answers as students write them, kept as text that anyone can extend: `tests/truth/<topic>.txt`.

The first set lies there; later ones, written from exercise and chapter alone to see whether what was learned on the
earlier ones holds for others, in folders of their own: `tests/truth/second/<topic>.txt`, `third`, `fourth`,
`fifth`.

A block is a line `== <task> right|wrong: <why, in a few words>` and the code of a student's cell, which defines the
answer under the name that the notebook gives it (`np` and `sp` are there). Numbers are those of the published
variant.
"""

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder.authoring.cells import checks
from autograder.course.course import Course
from autograder.judging.check import verdict_on
from autograder.judging.key import Key, read_key
from autograder.judging.verdict import Verdict
from autograder.release.time_limit import OutOfTimeError, time_limit

FOLDER = Path(__file__).parent
SETS = {"first": FOLDER, **{name: FOLDER / name for name in ("second", "third", "fourth", "fifth")}}
HEAD = re.compile(r"^== (?P<task>\w+) (?P<kind>right|wrong): *(?P<why>.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """One student's answer to one task, and what it deserves."""

    topic: str
    task: str
    is_right: bool
    why: str
    code: str


def topics(which: str = "first") -> list[str]:
    """The topics that have answers on file in a set."""
    return sorted(path.stem for path in SETS[which].glob("*.txt"))


def answers(topic: str, which: str = "first") -> Iterator[Answer]:
    """The answers of a topic in a set."""
    text = (SETS[which] / f"{topic}.txt").read_text("utf-8")
    heads = list(HEAD.finditer(text))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        code = text[head.end() : following.start() if following else None].strip("\n")
        yield Answer(topic, head["task"], head["kind"] == "right", head["why"], code)


def public_key(course: Course, topic: str) -> Key:
    """The key of the published variant."""
    return read_key(course.exercises / topic / f"{topic}.key.json")


def names(course: Course, topic: str) -> dict[str, str]:
    """By task, the name under which the notebook wants its answer."""
    import nbformat

    return dict(checks(nbformat.read(course.exercises / topic / f"{topic}.ipynb", as_version=4)))


def verdict(answer: Answer, key: Key, name: str) -> Verdict:
    """What the check in the notebook says of an answer."""
    import sympy

    space: dict[str, Any] = {"np": np, "sp": sympy, "sympy": sympy}
    with warnings.catch_warnings(), np.errstate(all="ignore"), time_limit(20):
        warnings.simplefilter("ignore")
        exec(compile(answer.code, f"<{answer.topic}.{answer.task}>", "exec"), space)
        return verdict_on(f"{answer.topic}.{answer.task}", key.tasks[answer.task], space[name])


__all__ = ["SETS", "Answer", "OutOfTimeError", "answers", "names", "public_key", "topics", "verdict"]
