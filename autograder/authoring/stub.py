"""Write a misconception into its task's module, below existing ones.

Only lines are added; comments and layout of the author stay.
"""

import ast
import json
import textwrap
from dataclasses import dataclass

from autograder.errors import CourseError

NUMPY_IMPORT = "import numpy as np"
TASK_DECORATORS = ("code", "hand", "sym")
MAX_LINE_CHARACTERS = 100  # characters of a hint in a line


@dataclass(frozen=True)
class NewMisconception:
    """A mistake: the source that defines it, its hint, and a label.

    `see` is empty if the task's label applies.
    """

    name: str
    definition: str
    hint: str
    see: str = ""
    imports: tuple[str, ...] = ()


def with_misconception(text: str, task: str, new: NewMisconception) -> str:
    """Return the module's text with one more mistake of `task`."""
    tree = ast.parse(text)
    if new.name in _names(tree):
        raise CourseError(f"{new.name} is already a name in the module of {task}: choose another")
    lines = text.splitlines()
    end = _last_mistake(tree, task).end_lineno
    lines[end:end] = ["", "", *_format_mistake(task, new).splitlines()]
    needed = [*([NUMPY_IMPORT] if "np." in new.definition else []), *new.imports]
    first = _first_line(tree) - 1
    lines[first:first] = [line for line in needed if line.split()[-1] not in _names(tree)]
    module = "\n".join(lines) + "\n"
    ast.parse(module)  # what was a module must still be one
    return module


def defines(text: str, task: str) -> bool:
    """Return whether a module defines this task."""
    return any(_is_answer(node, task) for node in ast.parse(text).body)


def _is_answer(node: ast.stmt, task: str) -> bool:
    """Return whether this is the reference answer of a task.

    It is a function of the task's name under `@task.code(…)`, `@task.hand(…)` or `@task.sym(…)`.
    """
    return (
        isinstance(node, ast.FunctionDef)
        and node.name == task
        and any(
            isinstance(part, ast.Call)
            and isinstance(part.func, ast.Attribute)
            and part.func.attr in TASK_DECORATORS
            for part in node.decorator_list
        )
    )


def _imports_task(node: ast.stmt, task: str) -> bool:
    """Return whether this statement imports a task of another module, to add mistakes to it."""
    is_solution = isinstance(node, ast.ImportFrom) and str(node.module).startswith("solutions.")
    return is_solution and any(alias.name == task for alias in node.names)  # type: ignore[attr-defined]


def _last_mistake(tree: ast.Module, task: str) -> ast.stmt:
    """Return the last statement that adds a mistake to the task.

    Without mistakes it is the reference answer, or the import of it.
    """
    answers = [node for node in tree.body if _is_answer(node, task) or _imports_task(node, task)]
    if not answers:
        raise CourseError(f"the module has no function {task} under @task.code, @task.hand or @task.sym")
    return [*answers, *(node for node in tree.body if _adds_mistake(node, task))][-1]


def _adds_mistake(node: ast.stmt, task: str) -> bool:
    added = node.decorator_list if isinstance(node, ast.FunctionDef) else [node]
    return any(
        isinstance(part, ast.Attribute)
        and part.attr in ("wrong", "inherits")
        and isinstance(part.value, ast.Name)
        and part.value.id == task
        for decorator in added
        for part in ast.walk(decorator)
    )


def _names(tree: ast.Module) -> set[str]:
    """Return every name that a module binds at top level."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def _format_mistake(task: str, new: NewMisconception) -> str:
    """Return the source that adds the definition as a mistake."""
    pieces = textwrap.wrap(new.hint, MAX_LINE_CHARACTERS, break_long_words=False, drop_whitespace=False) or [
        ""
    ]
    hint = "\n    ".join(json.dumps(piece, ensure_ascii=False) for piece in pieces)
    settings = f", see={json.dumps(new.see)}" if new.see else ""
    registered = f"{task}.wrong(\n    {hint}{settings}\n)"
    if new.definition.startswith("def "):
        return f"@{registered}\n{new.definition}"
    return f"{new.definition.rstrip()}\n{registered}({new.name})"


def _first_line(tree: ast.Module) -> int:
    """Return the line of the first import.

    Without imports it is the line of the last statement.
    """
    imports = [node.lineno for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return imports[0] if imports else tree.body[-1].lineno
