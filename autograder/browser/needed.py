"""Which of the statements before a cell does it need?

A page has many cells, and a reader starts anywhere. What a cell leans on is run before it, and nothing else: a task
that never names sympy does not wait for it.
"""

import ast
from collections.abc import Iterable, Iterator


def needed(before: Iterable[str], code: str) -> str:
    """The statements of earlier cells on which the code leans, directly or through others, as one program."""
    wanted = _used(ast.parse(code))
    kept: list[str] = []
    for statement in reversed(list(_statements(before))):
        if _bound(statement) & wanted:
            kept.append(ast.unparse(statement))
            wanted |= _used(statement)
    return "\n".join(reversed(kept))


def _statements(cells: Iterable[str]) -> Iterator[ast.stmt]:
    """Yield the statements of the cells; one that cannot be read yet is not there yet."""
    for cell in cells:
        try:
            yield from ast.parse(cell).body
        except SyntaxError:
            continue


def _used(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _bound(statement: ast.stmt) -> set[str]:
    """The names that a statement defines or changes."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    stored = (node for node in ast.walk(statement) if isinstance(getattr(node, "ctx", None), ast.Store))
    return {name for node in stored for name in _used(node)}
