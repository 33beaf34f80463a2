"""Find the names that a function uses, directly or through helpers.

The syntax tree is read, so names in comments, docstrings and other texts do not count.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache

from autograder.judging.python_source import parse_module

MAX_PROGRAM_CHARACTERS = 200_000  # of all cells together; no student writes more


def names_used(sources: Iterable[str]) -> Callable[[str], set[str]]:
    """Return a function that maps a name to the names it uses.

    The time is linear in the length of the cells: each statement is visited once, by the names that it binds.
    """
    statements = list(_statements(sources))
    loads = [_names(statement, ast.Load) for statement in statements]
    binders: defaultdict[str, list[int]] = defaultdict(list)
    for number, statement in enumerate(statements):
        for name in _bound_names(statement):
            binders[name].append(number)

    @cache
    def reachable(name: str) -> set[str]:
        reached, visited, pending = set[str](), set[int](), [name]
        while pending:
            new = set(binders.get(pending.pop(), ())) - visited
            visited |= new
            for number in new:
                pending += loads[number] - reached
                reached |= loads[number]
        return reached

    return reachable


def _bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a top-level statement binds."""
    functions = ast.FunctionDef | ast.AsyncFunctionDef
    if isinstance(statement, functions | ast.ClassDef):
        return {statement.name}
    inner = {node.name for node in ast.walk(statement) if isinstance(node, functions)}
    return inner | _names(statement, ast.Store)


def _statements(sources: Iterable[str]) -> Iterable[ast.stmt]:
    """Yield the statements of the cells, up to MAX_PROGRAM_CHARACTERS."""
    left = MAX_PROGRAM_CHARACTERS
    for source in sources:
        left -= len(source)
        if left >= 0:
            yield from _parse(source)


def _parse(source: str) -> list[ast.stmt]:
    """Parse a cell without IPython's commands.

    A cell that cannot be parsed has no statements.
    """
    lines = ["" if line.startswith(("%", "!", "?")) else line for line in source.splitlines()]
    try:
        return parse_module("\n".join(lines)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {
        name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, context)
    }
