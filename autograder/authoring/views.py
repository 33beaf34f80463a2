"""Show a task in another way than in its chapter, for media in which no program can be written.

`returns` turns a function into a question for pencil and paper: the author's program is shown, and what it returns for
small whole numbers is asked. The result is a task like any other: it is drawn, certified, and judged by the same rules.
A function has this view if small inputs give an answer that one can write down exactly.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.answers.arguments import arguments
from autograder.answers.arrays import Array, Inputs
from autograder.authoring.blocks import BlockCell, TaskBlock, topic_blocks
from autograder.authoring.small_cases import keeps_kinds, small_cases
from autograder.authoring.source_notebook import BEGIN_SOLUTION, END_SOLUTION
from autograder.authoring.task import Cases, Misconception, Task
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.judging.sameness import Sameness

VIEWS = ("returns",)
CASE_NAME = "the numbers of the text"
MAX_PAPER_INPUTS = 16  # of all arguments together: to be copied from paper
MAX_ANSWER_ENTRIES = 12
MAX_ANSWER_DECIMALS = 3
LARGEST_INPUT = 9  # whole numbers of one digit
MAX_PRINTED_ENTRIES = 64  # in the text of a task for paper
MAX_DRAWS = 40  # of the task's own cases, until one has a small version
MAX_ROUNDINGS = 6  # of one small case to whole numbers
N_TRIALS = 6  # draws on which a misconception must be told apart
EQUAL = 1e-6
NOT_WORKED_OUT = "what a program returns may equal a number on the way"


def view_of(task: Task, view: str, name: str) -> Task:
    """Return a task as it is shown in a view; raise CourseError if it cannot be."""
    if view not in VIEWS:
        raise CourseError(f"{name}: there is no view {view!r}; there is {', '.join(VIEWS)}")
    if task.kind != "code":
        raise CourseError(f"{name} is a {task.kind} task, and only a function has the view {view!r}")
    return returns(task, name)


def returns(task: Task, name: str) -> Task:
    """Return the task that asks what a function returns for small whole numbers."""

    def draw(rng: np.random.Generator) -> Cases:
        return {CASE_NAME: _small_inputs(task, rng, name)}

    return replace(
        task,
        kind="hand",
        draw=draw,
        misconceptions=tuple(_told_apart(task, name)),
        alternatives=tuple(way for way in task.alternatives if callable(way)),
        follows=(),
        must_fail=(),
        hard=None,
        worked=None,
        practice_draw=None,
        announced=(),
        picture=None,
        may_agree=tuple((group, NOT_WORKED_OUT) for group in _groups(task)),
    )


def _groups(task: Task) -> Iterator[str]:
    """Yield every source of numbers that may equal a part of the answer."""
    yield from ("steps", "counts", "answer")
    yield from task.answer.__code__.co_varnames[: task.answer.__code__.co_argcount]
    yield from (misconception.name for misconception in task.misconceptions)


def has_returns(task: Task, name: str) -> bool:
    """Return whether a function has the view `returns`."""
    try:
        _small_inputs(task, np.random.default_rng(0), name)
    except CourseError:
        return False
    return True


def _small_inputs(task: Task, rng: np.random.Generator, name: str) -> dict[str, object]:
    """Draw small whole numbers for which the answer can be written down."""
    for _ in range(MAX_DRAWS):
        cases = list(task.draw(rng).values())
        for inputs in small_cases(cases, task.tied, lambda inputs: _is_valid(task, inputs)) or cases:
            for jitter in range(MAX_ROUNDINGS):
                whole = {key: _whole(value, rng, jitter) for key, value in inputs.items()}
                if _is_printable(whole) and keeps_kinds(inputs, whole) and _is_exact(task, whole):
                    return whole
    raise CourseError(
        f"{name} cannot be asked on paper: no small whole numbers give an answer that one can write down"
    )


def _whole(value: object, rng: np.random.Generator, jitter: int) -> object:
    """Return an argument in whole numbers of one digit, as large as it was small, moved by up to `jitter`."""
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        return value
    largest = float(np.abs(value).max(initial=0.0))
    scale = rng.integers(3, LARGEST_INPUT + 1) / largest if largest else 1.0
    moved = np.rint(value * scale) + rng.integers(-jitter, jitter + 1, size=value.shape)
    return np.clip(moved, -LARGEST_INPUT, LARGEST_INPUT) + 0.0


def _is_printable(inputs: Inputs) -> bool:
    """Return whether the arguments fit into a text as numbers, vectors and matrices."""
    for value in inputs.values():
        if not isinstance(value, np.ndarray | int | float) or np.ndim(value) > 2:
            return False
    return sum(int(np.size(value)) for value in inputs.values()) <= MAX_PAPER_INPUTS


def _is_valid(task: Task, inputs: Inputs) -> bool:
    """Return whether the inputs are well posed and all correct programs agree on them."""
    try:
        if task.ill_posed(*arguments(inputs)) is not None:
            return False
        right = _parts(task, task.answer, inputs)
        others = [_parts(task, way, inputs) for way in task.alternatives if callable(way)]
    except Exception:
        return False
    return all(map(np.size, right)) and all(_are_equal(task, right, other) for other in others)


def _is_exact(task: Task, inputs: Inputs) -> bool:
    """Return whether the inputs are valid, and the answer is short and has few decimals."""
    if not _is_valid(task, inputs):
        return False
    right = _parts(task, task.answer, inputs)
    if sum(part.size for part in right) > MAX_ANSWER_ENTRIES:
        return False
    numbers = np.concatenate([part.ravel() for part in right])
    is_trivial = not numbers.any() or (numbers.size > 1 and np.ptp(numbers) == 0)
    rounded = np.round(numbers, MAX_ANSWER_DECIMALS)
    return bool(np.isfinite(numbers).all() and not is_trivial and np.abs(numbers - rounded).max() < 1e-9)


def _parts(task: Task, program: Any, inputs: Inputs) -> list[Array]:
    answer = program(*arguments(inputs))
    parts = answer if len(task.samenesses) > 1 else (answer,)
    return [np.asarray(part, dtype=float) for part in parts]


def _are_equal(task: Task, right: Sequence[Array], other: Sequence[Array]) -> bool:
    return len(right) == len(other) and all(
        _same(part, want, same) for part, want, same in zip(other, right, task.samenesses, strict=True)
    )


def _same(part: Array, want: Array, same: Sameness) -> bool:
    try:
        first, second = same.quantity(part), same.quantity(want)
    except ValueError:
        return False
    return first.shape == second.shape and bool(
        np.allclose(first, second, rtol=EQUAL, atol=EQUAL * max(1.0, float(np.abs(second).max(initial=0.0))))
    )


@lru_cache(maxsize=256)
def _told_apart(task: Task, name: str) -> tuple[Misconception, ...]:
    """Return the misconceptions that small numbers tell from the right answer and from each other."""
    rng = np.random.default_rng(0)
    trials = [_small_inputs(task, rng, name) for _ in range(N_TRIALS)]
    rights = [_parts(task, task.answer, inputs) for inputs in trials]
    chosen: list[tuple[Misconception, list[list[Array]]]] = []
    for misconception in task.misconceptions:
        wrongs = _definite_answers(task, misconception, trials)
        others = [rights, *(known for _, known in chosen)]
        if wrongs and not any(_is_equal_somewhere(task, other, wrongs) for other in others):
            chosen.append((misconception, wrongs))
    return tuple(misconception for misconception, _ in chosen)


def _definite_answers(
    task: Task, misconception: Misconception, trials: Sequence[Mapping[str, object]]
) -> list[list[Array]]:
    """Return the answers of a misconception to all trials; none if one is not finite or not definite."""
    try:
        wrongs = [_parts(task, misconception.wrong, inputs) for inputs in trials]
        is_definite = all(misconception.indefinite(*arguments(inputs)) is None for inputs in trials)
    except Exception:
        return []
    is_finite = all(np.isfinite(part).all() for parts in wrongs for part in parts)
    return wrongs if is_definite and is_finite else []


def _is_equal_somewhere(task: Task, answers: Sequence[list[Array]], others: Sequence[list[Array]]) -> bool:
    return any(_are_equal(task, first, second) for first, second in zip(answers, others, strict=True))


def view_block(course: Course, topic: str, name: str, task: Task) -> TaskBlock:
    """Return the text and the answer cell of a function that is shown as `returns`."""
    blocks = topic_blocks(course, topic).by_task
    block = blocks[name]
    programs = [
        _solved(cell.source) for earlier in block.needs for cell in blocks[earlier].cells if cell.is_solution
    ]
    programs += [_solved(cell.source) for cell in block.cells if cell.is_solution]
    arguments_ = task.answer.__code__.co_varnames[: task.answer.__code__.co_argcount]
    numbers = ",\\qquad ".join(
        rf"\texttt{{{_tex(argument)}}}={{{{ {name}.{argument} }}}}" for argument in arguments_
    )
    parts = "Give its parts in their order." if len(task.samenesses) > 1 else ""
    text = (
        "Read this program.\n\n```python\n" + "\n\n".join(programs) + "\n```\n\n"
        f"What does `{block.answer}({', '.join(arguments_)})` return for\n\n$$\n{numbers}?\n$$\n\n{parts}"
    )
    answer = f"{block.answer}_returns"
    solution = (
        f"{answer} = None  # your answer: {_form(task)}\n"
        f"{BEGIN_SOLUTION}\n{answer} = {{{{ {name}.answer }}}}\n{END_SOLUTION}"
    )
    title = f"{block.title}: read a program"
    cells = (BlockCell(False, text), BlockCell(True, solution))
    return TaskBlock(title, cells, answer, frozenset({answer}), frozenset(), (), ())


def _form(task: Task) -> str:
    return f"({', '.join(task.parts)})" if len(task.parts) > 1 else "what it returns"


def _tex(name: str) -> str:
    return name.replace("_", r"\_")


def _solved(source: str) -> str:
    """Return a solution cell without the author's marks, and without what the student is told in the docstring."""
    lines = [line for line in source.splitlines() if line.strip() not in (BEGIN_SOLUTION, END_SOLUTION)]
    return "\n".join(lines).strip()


def paper_obstacle(task: Task, name: str) -> str:
    """Return why a task cannot be asked on paper; empty if it can."""
    if task.by_looking:
        return f"{name} cannot be asked on paper: its answer is read from a picture that the student draws"
    if any(same.kind for same in task.samenesses):
        return f"{name} cannot be asked on paper: its answer is no number, list or table of numbers"
    if task.kind == "code" and not has_returns(task, name):
        return (
            f"{name} cannot be asked on paper: no small whole numbers give an answer that one can write down"
        )
    if task.kind == "hand":
        inputs: Mapping[str, Any] = next(iter(task.draw(np.random.default_rng(0)).values()))
        entries = sum(int(np.size(value)) for value in inputs.values())
        if entries > MAX_PRINTED_ENTRIES:
            return f"{name} cannot be asked on paper: its text holds {entries} numbers"
    return ""
