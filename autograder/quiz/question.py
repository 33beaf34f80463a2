"""A task with one set of numbers as a question: its text, its blanks and its foreseen answers.

A foreseen answer is the right one, another right way, or what a misconception of the task's author gives. Its feedback
and its share of the points are those of the judge.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Any

import numpy as np

from autograder.answers.arrays import Array, Inputs
from autograder.authoring.asked import Asked, asked, split_form
from autograder.authoring.task import Task
from autograder.course.course import Course
from autograder.judging.check import verdict_on
from autograder.judging.key import TaskKey
from autograder.judging.verdict import Verdict
from autograder.quiz.texts import finished_text
from autograder.release.draw import parts_that_differ
from autograder.release.mistakes import own_mistakes, parts_from, right_parts
from autograder.release.practice import hand_tasks, statement_html, variants
from autograder.release.prose import prose_html

TYPED_DIGITS = 12  # of a number as a student might type it


@dataclass(frozen=True)
class AnswerPart:
    """A part of the answer, which takes the blanks from `first` on."""

    name: str
    same: str
    shape: tuple[int, ...]
    grid: float
    first: int
    labels: tuple[str, ...]

    @property
    def blanks(self) -> range:
        """Return the numbers of its blanks."""
        return range(self.first, self.first + len(self.labels))


@dataclass(frozen=True)
class Foreseen:
    """An answer that the author foresaw, as typed numbers or chosen letters, with the judge's verdict."""

    name: str
    numbers: tuple[Any, ...]
    passed: bool
    fraction: float
    feedback: str  # HTML; "" if it passed


@dataclass(frozen=True)
class QuizQuestion:
    """A question: `right` first, then other right ways and the misconceptions.

    `left_out` names misconceptions whose answers do not fit into the blanks.
    """

    topic: str
    task: str
    number: int
    title: str
    text: str  # HTML with TeX
    worked: str
    points: float
    parts: tuple[AnswerPart, ...]
    foreseen: tuple[Foreseen, ...]
    left_out: tuple[str, ...]

    @property
    def ident(self) -> str:
        """Return a name that is unique in a course and valid in XML."""
        return f"{self.topic}.{self.task}.{self.number:03d}"

    @property
    def right(self) -> Foreseen:
        """Return the right answer."""
        return self.foreseen[0]

    @property
    def wrong(self) -> tuple[Foreseen, ...]:
        """Return the misconceptions in the order of the key."""
        return tuple(answer for answer in self.foreseen if not answer.passed)

    @property
    def labels(self) -> tuple[str, ...]:
        """Return the labels of all blanks."""
        return tuple(label for part in self.parts for label in part.labels)

    @property
    def weights(self) -> tuple[int, ...]:
        """Return whole weights of the blanks with which every part weighs the same."""
        common = lcm(*(len(part.labels) for part in self.parts))
        return tuple(common // len(part.labels) for part in self.parts for _ in part.labels)


def questions(course: Course, topic: str, name: str, most: int, root: str) -> Iterator[QuizQuestion]:
    """Yield certified questions of a hand task; their numbers follow from `root`."""
    task = hand_tasks(course, topic)[name]
    drawn = variants(course, (topic, name), task, most, lambda number: f"{root} quiz {number}")
    for position, (_, key) in enumerate(drawn, start=1):
        yield make_question(course, topic, name, key, position)


def make_question(course: Course, topic: str, name: str, key: TaskKey, number: int = 1) -> QuizQuestion:
    """Make a question of a task and the key of its numbers."""
    task = hand_tasks(course, topic)[name]
    words, inputs = asked(course, topic)[name], key.cases[0].inputs
    right = right_parts(task, inputs)
    answers, left_out = _foreseen_answers(task, inputs, right)
    foreseen = [
        _judged(course, f"{topic}.{name}", key, label, parts) for label, parts in answers if parts is not None
    ]
    worked = prose_html(task.worked(*inputs.values())[0]) if task.worked else ""
    return QuizQuestion(
        topic,
        name,
        number,
        words.title,
        finished_text(course, statement_html(words, topic, name, inputs)),
        finished_text(course, worked),
        key.points,
        tuple(_parts(words, task, key, right)),
        tuple(foreseen),
        left_out,
    )


def _foreseen_answers(
    task: Task, inputs: Inputs, right: Sequence[Array]
) -> tuple[list[tuple[str, Sequence[Array]]], tuple[str, ...]]:
    """Return named answers, the right one first, and the names of those without a place in the blanks."""
    answers: list[tuple[str, Sequence[Array]]] = [("right", right)]
    for way in task.alternatives:
        if callable(way):
            answers.append((way.__name__, parts_from(task, way, inputs)))
    left_out = []
    for mistake in own_mistakes(task):
        parts = parts_that_differ(task, mistake, inputs, right)
        if any(part is None or part.shape != want.shape for part, want in zip(parts, right, strict=True)):
            left_out.append(mistake.name)
        else:
            answers.append((mistake.name, [part for part in parts if part is not None]))
    return answers, tuple(left_out)


def _judged(course: Course, full: str, key: TaskKey, label: str, parts: Sequence[Array]) -> Foreseen:
    """Return an answer as it is typed, with the judge's verdict on it."""
    numbers = tuple(as_typed(number) for part in parts for number in np.ravel(part))
    verdict = judge_numbers(full, key, numbers)
    feedback = "" if verdict.passed else finished_text(course, prose_html(verdict.message))
    return Foreseen(label, numbers, verdict.passed, verdict.fraction, feedback)


def as_typed(number: float) -> float:
    """Return a number as a student types it."""
    return float(format(float(number), f".{TYPED_DIGITS}g")) + 0.0


def judge_numbers(full: str, key: TaskKey, numbers: Sequence[float]) -> Verdict:
    """Judge the numbers of all blanks as the notebook does."""
    values: list[Any] = []
    case, first = key.cases[0], 0
    for shape in case.shapes:  # type: ignore[union-attr]
        size = int(np.prod(shape, dtype=int))
        values.append(np.reshape(numbers[first : first + size], shape))
        first += size
    return verdict_on(full, key, values[0] if len(values) == 1 else tuple(values))


def _parts(words: Asked, task: Task, key: TaskKey, right: Sequence[Array]) -> Iterator[AnswerPart]:
    forms, first = words.parts(len(right)), 0
    for place, part in enumerate(right):
        name = task.parts[place] if task.parts else ("" if part.shape else forms[place])
        grid = float(key.cases[0].grids[place])  # type: ignore[union-attr]
        yield AnswerPart(
            name, key.same[place], part.shape, grid, first, tuple(_blank_labels(forms[place], part.shape))
        )
        first += part.size


def _blank_labels(form: str, shape: tuple[int, ...]) -> Iterator[str]:
    """Yield the labels of a part's blanks, from the form that the notebook asks for."""
    if not shape:
        yield ""
    elif len(shape) == 1:
        names = split_form(form[1:-1])
        yield from names if len(names) == shape[0] else (f"entry {place + 1}" for place in range(shape[0]))
    else:
        for row, column in np.ndindex(*shape):
            yield f"row {row + 1}, column {column + 1}"
