"""A made-up class with typical mistakes, to see the whole course work.

Its students know the tasks to different degrees: they answer with the solution, with another correct way,
with a classic mistake, or not at all. Everything is built from the tasks themselves, so a new task or
misconception joins the class by being written. A few students have mishaps that happen in every class.
"""

import ast
import copy
import inspect
import json
import shutil
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

import nbformat
import numpy as np

from autograder.authoring.cells import check_of, checks, is_answer, name_of
from autograder.authoring.placeholders import python
from autograder.authoring.source_notebook import dump
from autograder.authoring.task import Task
from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.grading.choose import load_assignment
from autograder.judging.key import load_key
from autograder.release.draw import stream

CLASS_SIZE = 30


def make_class(course: Course, topic: str, size: int = CLASS_SIZE) -> list[str]:
    """Write a class's submissions in nbgrader's layout; an earlier made-up class is replaced."""
    assignment = load_assignment(course, topic)
    release = nbformat.reads(assignment.release, as_version=4)
    source = nbformat.read(course.places.source_notebook(topic), as_version=4)
    inputs = {name: key.cases[0].inputs for name, key in load_key(assignment.public).tasks.items()}
    for student in course.places.students_with(topic):
        if student.startswith("demo"):
            shutil.rmtree(course.places.submission(student, topic).parent)
    names = [f"demo{number:02d}" for number in range(1, size + 1)]
    for number, student in enumerate(names):
        answers = _answers(load_tasks(course, topic), inputs, stream("demo", topic, student))
        path = course.places.submission(student, topic)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_with_mishap(filled_in(release, source, answers), number), encoding="utf-8")
    return names


def filled_in(release: Any, source: Any, answers: Mapping[str, str | None]) -> Any:
    """The released notebook with every cell solved, but for the answers given: a text, or None for nothing.

    An answer's text is what stands right of `name =`, or a function definition with `NAME` for its name.
    """
    solved = {cell["id"]: cell.source for cell in source.cells}
    tested = {answer: task for task, answer in checks(release)}
    notebook = copy.deepcopy(release)
    for cell in notebook.cells:
        if not is_answer(cell):
            continue
        name = str(name_of(cell))
        if tested.get(name) not in answers:
            cell.source = solved[cell["id"]]
        elif answers[tested[name]] is not None:
            cell.source = f"{answers[tested[name]]}".replace("NAME", name)
    return notebook


def _answers(
    tasks: Mapping[str, Task], inputs: Mapping[str, Mapping[str, Any]], rng: np.random.Generator
) -> dict[str, str | None]:
    """Tasks answered otherwise than by the solution: text for another way or a mistake, None for nothing."""
    skill = rng.beta(4, 2)
    answers: dict[str, str | None] = {}
    for name, task in tasks.items():
        luck = rng.random()
        if luck < skill * 0.8:
            continue
        ways = task.alternatives if luck < skill else tuple(wrong.wrong for wrong in task.misconceptions)
        way = ways[rng.integers(len(ways))] if ways and rng.random() < 0.9 else None
        answers[name] = typed(way, task, inputs[name])
    return answers


def typed(way: Any, task: Task, inputs: Mapping[str, Any]) -> str | None:
    """A way of answering as a student would type it, with `NAME` for the name to define."""
    if way is None or (task.kind == "sym" and not isinstance(way, str)):
        return None
    if isinstance(way, str):
        return f"NAME = {way!r}"
    if task.kind == "hand":
        return f"NAME = {python(_plain(way(*inputs.values())))}"
    return f"{_self_contained(way)}\n\n\nNAME = {way.__name__}"


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def _self_contained(function: Callable[..., Any]) -> str:
    """The source of a function with the module-level functions and imports it uses."""
    pieces: list[str] = []
    pending, seen = [function], set()
    while pending:
        one = pending.pop()
        if one.__name__ in seen:
            continue
        seen.add(one.__name__)
        pieces.insert(0, _without_annotations(inspect.getsource(one)))
        for name, value in inspect.getclosurevars(one).globals.items():
            if inspect.isfunction(value) and value.__module__ == function.__module__:
                pending.append(value)
            elif inspect.ismodule(value):
                pieces.insert(0, f"import {value.__name__} as {name}")
            elif inspect.isfunction(value) or inspect.isclass(value):
                pieces.insert(0, f"from {value.__module__} import {value.__name__} as {name}")
            else:
                pieces.insert(0, f"{name} = {python(_plain(value))}")
    return "\n\n\n".join(pieces)


def _without_annotations(source: str) -> str:
    """Students rarely annotate, and the names in annotations would have to be imported."""
    tree = ast.parse(textwrap.dedent(source))
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return ast.unparse(tree)


def _with_mishap(notebook: Any, number: int) -> str:
    """Some students copy a cell, delete a test, print a warning, or hand in half a file."""
    checks = [position for position, cell in enumerate(notebook.cells) if check_of(cell.source)]
    if number % 15 == 7:
        notebook.cells.insert(checks[0], copy.deepcopy(notebook.cells[checks[0] - 1]))
        return json.dumps(notebook)  # two cells with one id: no valid notebook, and every class has one
    if number % 15 == 11:
        del notebook.cells[checks[-1]]
    if number % 15 == 13:
        notebook.cells.insert(
            checks[0], nbformat.v4.new_code_cell("import warnings\nwarnings.warn('careful')", id="own")
        )
    text = dump(notebook)
    return text[: len(text) // 2] if number == 19 else text
