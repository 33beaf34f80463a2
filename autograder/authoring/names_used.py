"""Find the names that a function uses, directly or through helpers.

The syntax tree is read, so names in comments, docstrings and other texts do not count.
"""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache

from autograder.judging.cell_source import cell_statements


def names_used(sources: Iterable[str]) -> Callable[[str], set[str]]:
    """Return a function that maps a name to the names it uses.

    The time is linear in the length of the cells: each statement is visited once, by the names that it binds.
    """
    statements = list(cell_statements(sources))
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


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    return {
        name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, context)
    }
