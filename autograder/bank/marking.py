"""The marking key of a sheet: for each question the right answer, and each foreseen wrong one with reason and points.

Points are those that the judge gives: each answer is judged as if it had been handed in.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.answers.arguments import arguments
from autograder.authoring.assignment import assignment_tasks
from autograder.authoring.formula import NotAFormulaError, write_formula
from autograder.authoring.task import Task
from autograder.bank.sheets import PrintedQuestion, Sheet
from autograder.course.course import Course
from autograder.judging.key import TaskKey
from autograder.release.rules import judge_solution

DIGITS = 6  # significant digits of the numbers in a marking key
MAX_SHOWN_DENOMINATOR = 60


@dataclass(frozen=True)
class ExpectedAnswer:
    """An answer that is foreseen, with what it earns and why."""

    text: str
    points: float
    reason: str = ""


@dataclass(frozen=True)
class MarkedQuestion:
    """A question with its right answer and the foreseen wrong ones."""

    question: PrintedQuestion
    right: str
    wrong: tuple[ExpectedAnswer, ...]


def mark_sheet(course: Course, exam: str, sheet: Sheet, form: str) -> list[MarkedQuestion]:
    """Return the marking key of a sheet, whose student has the tasks of this form."""
    tasks = assignment_tasks(Course(course.root, course.room, course.with_private, form), exam)
    return [
        _mark(question, tasks[question.slot], sheet.key.tasks[question.slot]) for question in sheet.questions
    ]


def _mark(question: PrintedQuestion, task: Task, key: TaskKey) -> MarkedQuestion:
    if question.quick:
        return MarkedQuestion(question, "".join(question.quick.right), ())
    inputs = key.cases[0].inputs
    wrong = []
    for misconception in task.misconceptions:
        verdict = judge_solution(task, key, misconception.wrong)
        text = answer_text(task, misconception.wrong, inputs)
        wrong.append(ExpectedAnswer(text, round(verdict.fraction * question.points, 2), misconception.hint))
    return MarkedQuestion(question, answer_text(task, task.answer, inputs), tuple(wrong))


def answer_text(task: Task, way: Any, inputs: Mapping[str, object]) -> str:
    """Return an answer as a person would write it: a formula, a number, a list."""
    if task.kind == "sym":
        try:
            return write_formula(way, inputs).replace("'", "").replace('"', "").replace("**", "^")
        except NotAFormulaError:
            return "(no single formula)"
    answer = way(*arguments(inputs))
    parts = answer if isinstance(answer, tuple) else (answer,)
    return ", ".join(_number_text(np.asarray(part, dtype=float)) for part in parts)


def _number_text(value: Any, *, with_fraction: bool = True) -> str:
    if value.ndim:
        return f"[{', '.join(_number_text(entry, with_fraction=False) for entry in value)}]"
    number = float(value)
    if _is_whole(number):
        return str(round(number))
    fraction = next(_fractions(number), "")
    decimal = f"{number:.{DIGITS}g}"
    if not fraction or float(decimal) == number:
        return decimal
    return f"{fraction} ({decimal})" if with_fraction else fraction


def _fractions(number: float) -> Iterator[str]:
    """Yield a number as a fraction with a small denominator."""
    for denominator in range(2, MAX_SHOWN_DENOMINATOR):
        numerator = number * denominator
        if _is_whole(numerator):
            yield f"{round(numerator)}/{denominator}"


def _is_whole(number: float) -> bool:
    """Return whether a number is whole up to rounding errors."""
    return abs(number - round(number)) < 1e-9 * max(1.0, abs(number))
