"""Write a misconception beside its task: the text of a module in, the same text with one function and one line more.

Only the places where something is added change; comments and layout of the author stay.
"""

import ast
import json
import textwrap
from dataclasses import dataclass

from autograder.errors import CourseError

IMPORT = "from autograder.authoring.task import Misconception"
NUMPY = "import numpy as np"
WIDTH = 88


@dataclass(frozen=True)
class NewMisconception:
    """A wrong way as the lines that define it, its name, the hint, and the label of the book to reread."""

    name: str
    function: str
    hint: str
    see: str
    imports: tuple[str, ...] = ()


def with_misconception(text: str, task: str, new: NewMisconception) -> str:
    """The module's text with a wrong way more among the misconceptions of `task`."""
    tree = ast.parse(text)
    if new.name in _names(tree):
        raise CourseError(f"{new.name} is already a name in the module of {task}: choose another")
    assigned = _assignment(tree, task)
    call = assigned.value
    assert isinstance(call, ast.Call)
    added = [_place(call, task, new), ((assigned.lineno, 0), f"{new.function}\n\n")]
    for needed in [IMPORT, *([NUMPY] if "np." in new.function else []), *new.imports]:
        if needed.split()[-1] not in _names(tree):
            added.append(((_first_line(tree), 0), f"{needed}\n"))
    made = _with_insertions(text, added)
    ast.parse(made)  # what was a module must still be one
    return made


def defines(text: str, task: str) -> bool:
    """Does a module's text assign a `Task` to this name?"""
    return any(_is_task(node, task) for node in ast.parse(text).body)


def _is_task(node: ast.stmt, task: str) -> bool:
    return (
        isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == task for target in node.targets)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func).endswith("Task")
    )


def _assignment(tree: ast.Module, task: str) -> ast.Assign:
    for node in tree.body:
        if _is_task(node, task):
            assert isinstance(node, ast.Assign)
            return node
    raise CourseError(f"no module-level line {task} = Task(…) was found")


def _names(tree: ast.Module) -> set[str]:
    """Every name that the module defines or imports at its top level."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def _place(call: ast.Call, task: str, new: NewMisconception) -> tuple[tuple[int, int], str]:
    """Where the new `Misconception(…)` goes, and the text to put there."""
    made = _misconception(new)
    given = {keyword.arg: keyword.value for keyword in call.keywords}.get("misconceptions")
    if given is None:
        last = call.keywords[-1].value if call.keywords else call.args[-1]
        return _end(last), f",\n    misconceptions=({made.lstrip()},)"
    if not isinstance(given, ast.Tuple | ast.List):
        raise CourseError(f"the misconceptions of {task} are not a list in its own lines: add it by hand")
    if given.elts:
        return _end(given.elts[-1]), f",\n{made}"
    return (given.lineno, given.col_offset + 1), f"\n{made},\n    "


def _misconception(new: NewMisconception) -> str:
    pieces = textwrap.wrap(new.hint, WIDTH, break_long_words=False, drop_whitespace=False) or [""]
    lines = f"\n{' ' * 12}".join(json.dumps(piece, ensure_ascii=False) for piece in pieces)
    return (
        f"        Misconception(\n            {new.name},\n            hint={lines},\n"
        f"            see={json.dumps(new.see)},\n        )"
    )


def _end(node: ast.expr) -> tuple[int, int]:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return node.end_lineno, node.end_col_offset


def _first_line(tree: ast.Module) -> int:
    """The line of the first import, or of the first statement after the docstring."""
    imports = [node.lineno for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    return imports[0] if imports else tree.body[-1].lineno


def _with_insertions(text: str, added: list[tuple[tuple[int, int], str]]) -> str:
    """Columns count bytes, as Python's parser does; the last place is filled first, so that the others stay."""
    lines = [line.encode() for line in text.splitlines(keepends=True)]
    for (number, column), new in sorted(added, reverse=True):
        line = lines[number - 1]
        lines[number - 1] = line[:column] + new.encode() + line[column:]
    return b"".join(lines).decode()
