"""Find which names a function uses, by its syntax tree: directly, or by helpers that it uses.

A name in a comment, a docstring or another text is no use of it.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from functools import cache

from autograder.judging.expressions import PARSING

MAX_CHARACTERS = 200_000  # of one cell; longer ones are no program of a student's


def names_used(sources: Iterable[str]) -> Callable[[str], set[str]]:
    """Return a function from a name that the cells define to all names that its definition uses."""
    uses: dict[str, set[str]] = {}
    for source in sources:
        for name, node in _definitions(source):
            uses.setdefault(name, set()).update(_loaded(node))

    @cache
    def reachable(name: str) -> set[str]:
        reached, pending = set[str](), [name]
        while pending:
            new = uses.get(pending.pop(), set()) - reached
            reached |= new
            pending += new
        return reached

    return reachable


def _definitions(source: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield the names that a cell binds at its top level, each with what it is bound by."""
    for node in _statements(source):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node
        else:
            for name in ast.walk(node):
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store):
                    yield name.id, node
                elif isinstance(name, ast.FunctionDef):
                    yield name.name, name


def _statements(source: str) -> list[ast.stmt]:
    """Parse a cell; lines of IPython's own commands are left out, and what cannot be read has no statements."""
    if len(source) > MAX_CHARACTERS:
        return []
    lines = ["" if line.startswith(("%", "!", "?")) else line for line in source.splitlines()]
    try:
        with PARSING:
            return ast.parse("\n".join(lines)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _loaded(node: ast.AST) -> set[str]:
    return {
        name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load)
    }
