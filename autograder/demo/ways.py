"""Cells that students type: right answers, misconceptions and errors."""

import ast
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from autograder.answers.arguments import arguments
from autograder.authoring.formula import NotAFormulaError, write_formula
from autograder.authoring.placeholders import python
from autograder.authoring.task import Task
from autograder.authoring.topic import load_names, load_tasks, solutions
from autograder.course.course import Course
from autograder.demo.program import FIRST_VERSION_NAME, Definition, NotSelfContainedError, write_program

MAX_LINES = 40  # longer programs are not handed in
DEMO_ERRORS = ("NameError", "SyntaxError", "ZeroDivisionError", "ModuleNotFoundError")
Substitute = Callable[[Definition], Definition]


def _unchanged(definition: Definition) -> Definition:
    return definition


def typed(
    way: Any, task: Task, inputs: Mapping[str, object], substitute: Substitute = _unchanged
) -> str | None:
    """Return the cell of an answer, or None if impossible.

    `NAME` stands for the name to define.
    """
    if way is None:
        return None
    try:
        if task.kind == "sym":
            return f"NAME = {write_formula(way, inputs)}"
        if task.kind == "hand":
            return f"NAME = {way!r}" if isinstance(way, str) else f"NAME = {_number(way(*arguments(inputs)))}"
        return write_program(way, "NAME", substitute)
    except (NotAFormulaError, NotSelfContainedError):
        return None


def _number(value: object) -> str:
    """Return a value as a student writes it."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_number, value))}{',' * (len(value) == 1)})"
    return python(value.tolist() if isinstance(value, np.ndarray | np.generic) else value)


def _is_for_students(cell: str) -> bool:
    """Return whether a cell is short and free of `raise`.

    A misconception that raises would get a verdict on the error, not on the mistake.
    """
    return cell.count("\n") < MAX_LINES and not re.search(r"^\s+raise\b", cell, re.MULTILINE)


@dataclass(frozen=True)
class AnswerCells:
    """The answers to a topic's tasks, as cells with `NAME` to define."""

    course: Course
    topic: str
    inputs: Mapping[str, Mapping[str, Any]]  # of each task's first public case

    @cached_property
    def tasks(self) -> dict[str, Task]:
        """The tasks of the topic in the notebook's order."""
        return load_tasks(self.course, self.topic)

    def right(self, task: str) -> dict[str, str]:
        """Return the cells of alternative solutions by name."""
        ways = self.tasks[task].alternatives
        return self._cells_for_students(task, {str(getattr(way, "__name__", way)): way for way in ways})

    def wrong(self, task: str) -> dict[str, str]:
        """Return the cells of the misconceptions by name."""
        return self._cells_for_students(
            task, {way.name: way.wrong for way in self.tasks[task].misconceptions}
        )

    def _cells_for_students(self, task: str, ways: Mapping[str, object]) -> dict[str, str]:
        cells = {name: self._shortest(task, way) for name, way in ways.items()}
        return {name: cell for name, cell in cells.items() if cell and _is_for_students(cell)}

    def _shortest(self, task: str, way: object) -> str | None:
        """Return the shorter of two versions of a program.

        One uses the notebook's solution, the other the task's reference answer.
        """
        texts = []
        for with_solution in (True, False):
            texts.append(
                typed(way, self.tasks[task], self.inputs[task], self._substitute(task, with_solution))
            )
            if texts[0] and f"NAME_{FIRST_VERSION_NAME}" not in texts[0]:
                break  # it does not use the reference answer
        return min(filter(None, texts), key=len, default=None)

    def _substitute(self, task: str, with_solution: bool) -> Substitute:
        solution = self._solutions.get(task) if with_solution else None

        def substitute(definition: Definition) -> Definition:
            if solution is not None and definition is self.tasks[task].answer:
                return solution
            if str(definition.__module__).partition(".")[0] in ("solutions", "None"):
                return definition
            return self._plain.get(definition.__name__, definition)

        return substitute

    @cached_property
    def _solutions(self) -> dict[str, Definition]:
        return solutions(self.course, self.topic)

    @cached_property
    def _plain(self) -> dict[str, Definition]:
        """Short versions of library functions by name."""
        return short_forms(self.course)


def short_forms(course: Course) -> dict[str, Definition]:
    """Return the definitions of `solutions/plain.py` by name.

    They are empty if the course has no such file.
    """
    return {
        name: value
        for name, value in load_names(course, "plain").items()
        if callable(value) and getattr(value, "__module__", "") == "solutions.plain"
    }


def with_error(error: str, name: str, solution: str) -> str:
    """Return a solution's cell with a typing error that raises this exception."""
    is_function = solution.lstrip().startswith("def ")
    if error == "ModuleNotFoundError":
        return f"from my_functions import *\n\n{solution}"
    if error == "SyntaxError":
        return solution.replace("):", ")", 1) if is_function else f"{name} = (2 + 3"
    if error == "ZeroDivisionError":
        return (
            _first_in_body(solution, "count = 0", "share = 1 / count")
            if is_function
            else f"{name} = 3 / (2 - 2)"
        )
    return (
        _first_in_body(solution, "result = squareroot(2)") if is_function else f"{name} = squareroot(2) / 3"
    )


def _first_in_body(solution: str, *lines: str) -> str:
    """Insert lines at the beginning of a function's body."""
    body = ast.parse(solution).body[0]
    assert isinstance(body, ast.FunctionDef)
    first = body.body[1] if ast.get_docstring(body) is not None and len(body.body) > 1 else body.body[0]
    text = solution.split("\n")
    text[first.lineno - 1 : first.lineno - 1] = [f"{' ' * first.col_offset}{line}" for line in lines]
    return "\n".join(text)


LOCAL_NAMES = ("tmp", "res", "aux", "val", "out", "part", "mat", "vec", "num", "help1", "help2", "help3")


def in_other_words(cell: str, shift: int) -> str:
    """Rename the local variables of a cell, as a copying classmate does.

    `shift` chooses the names. Comments and layout are lost.
    """
    tree = ast.parse(cell)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            _rename_locals(node, shift)
    return ast.unparse(tree)


def _rename_locals(function: ast.FunctionDef, shift: int) -> None:
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    variables = _local_variables(function, names)
    if len(variables) > len(LOCAL_NAMES) or {node.id for node in names} & set(LOCAL_NAMES):
        return
    renamed = {name: LOCAL_NAMES[(place + shift) % len(LOCAL_NAMES)] for place, name in enumerate(variables)}
    for node in names:
        node.id = renamed.get(node.id, node.id)


def _local_variables(function: ast.FunctionDef, names: list[ast.Name]) -> list[str]:
    """Return the variables of a function that are no arguments, in the order of their assignments."""
    arguments = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    stored = dict.fromkeys(node.id for node in names if isinstance(node.ctx, ast.Store))
    return [name for name in stored if name not in arguments and re.fullmatch(r"[A-Za-z]\w*", name)]
