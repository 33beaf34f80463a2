"""Write a quick question: choice, order or find-the-fault.

Questions stand in `solutions/<topic>/quick.py`; the name of a question is the name of its variable. A text may name a
drawn number as `{{ X }}`. `autograder.release.questions` draws and certifies them.

    @question.choice("Areas", "Which of these can be the area of a square with whole sides?", see="eq-areas-square")
    def square_area(area):            # the proof: it decides every option
        return math.isqrt(area) ** 2 == area

    @square_area.right()
    def squared(rng): ...             # an option is a program, its result is shown

    @square_area.wrong("This is the perimeter.", "$4s$")
    def took_the_perimeter(rng): ...

A `Misconception` of a task (`mistake_of(task, function)`) can stand for a hint, `predict` makes a choice of a task and
its mistakes, `order` takes the lines of a function, `proof` takes steps, and `fault` shows a wrong program.
"""

import functools
from collections.abc import Callable, Collection, Mapping
from typing import Any, Unpack, cast

import numpy as np

from autograder.authoring.question_builders import (
    Choice,
    Claims,
    Fault,
    Order,
    PredictionSettings,
    Proof,
    QuestionSettings,
)
from autograder.authoring.task import TaskBuilder, TaskError
from autograder.authoring.task_data import Misconception
from autograder.judging.sameness import Sameness


def choice(
    title: str, text: str, **settings: Unpack[QuestionSettings]
) -> Callable[[Callable[..., bool]], Choice]:
    """Begin a choice; the decorated function decides each option."""
    return lambda test: Choice(title, text, settings, test)


def claims(title: str, text: str, **settings: Unpack[QuestionSettings]) -> Claims:
    """Begin a choice of statements, of which several may be true."""
    return Claims(title, text, settings)


def order(
    title: str, text: str, **settings: Unpack[QuestionSettings]
) -> Callable[[Callable[..., Any]], Order]:
    """Begin an order of the lines of the decorated function."""
    return lambda program: Order(title, text, settings, program)


def proof(title: str, text: str, **settings: Unpack[QuestionSettings]) -> Proof:
    """Begin an order of the steps of a proof."""
    return Proof(title, text, settings)


def fault(
    title: str, text: str, **settings: Unpack[QuestionSettings]
) -> Callable[[Callable[..., object]], Fault]:
    """Begin a find-the-fault question; the decorated function is the correct program."""
    return lambda correct: Fault(title, text, settings, correct)


def mistake_of(task: TaskBuilder[..., Any], function: Callable[..., object]) -> Misconception:
    """Return the misconception of a task that a function is."""
    for misconception in task.task.misconceptions:
        if misconception.wrong is function:
            return misconception
    raise TaskError(f"{function.__name__} is no mistake of {task.name}")


def predict(
    title: str,
    text: str,
    of: TaskBuilder[..., Any],
    among: Collection[Callable[..., object]] | Mapping[Callable[..., object], str],
    **settings: Unpack[PredictionSettings],
) -> Choice:
    """Begin a choice between the result of a task and the results of its mistakes, on numbers of its first case.

    Of a result with several parts, `part` says which is asked. Then `among` maps each mistake to a hint of its own,
    because that of the task speaks of all parts.
    """
    values: dict[str, Any] = dict(settings)
    part, task = values.pop("part", None), of.task
    merged = cast(QuestionSettings, {"same": task.samenesses[part or 0], **values})
    question = Choice(title, text, merged, _never)
    result = _part_of(of.answer, part)
    question.test = lambda value, **inputs: are_same(value, result(**inputs), question.same)
    question.drawing = lambda rng: next(iter(task.draw(rng).values()))
    question.right()(result)
    if part is not None and not isinstance(among, Mapping):
        raise TaskError(f"the question {title!r} asks one part: map each mistake to a hint on this part")
    for function in among:
        mistake = mistake_of(of, function)
        hint = among[function] if isinstance(among, Mapping) else mistake.hint
        question.wrong(hint, see=mistake.see)(_part_of(function, part))
    return question


def _never(value: object, **inputs: object) -> bool:
    return False


def _part_of(function: Callable[..., Any], part: int | None) -> Callable[..., Any]:
    """Return a program that gives one part of a program's result."""
    if part is None:
        return function

    @functools.wraps(function)
    def result(**inputs: Any) -> Any:
        return function(**inputs)[part]

    return result


def are_same(value: object, other: object, same: Sameness) -> bool:
    """Return whether two results are equal up to a sameness."""
    first, second = np.asarray(value, dtype=float), np.asarray(other, dtype=float)
    if first.shape != second.shape:
        return False
    return bool(np.allclose(same.quantity(first), same.quantity(second), rtol=1e-6, atol=1e-9))
