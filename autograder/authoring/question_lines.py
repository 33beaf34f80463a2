"""Source of the programs of questions: lines, and functions without docstring, annotations and decorators."""

import ast
import inspect
import textwrap
from collections.abc import Callable

from autograder.authoring.mutants import tree_of
from autograder.errors import SourceError


def program_lines(function: Callable[..., object]) -> list[str]:
    """Return the statements of a function's body as its author wrote them, without docstring."""
    text = textwrap.dedent(inspect.getsource(function))
    definition = next(node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    body = definition.body[1:] if ast.get_docstring(definition) is not None else definition.body
    return [textwrap.dedent(_segment(text, node)) for node in body]


def _segment(text: str, node: ast.stmt) -> str:
    lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
    return "\n".join(line.split("  # ")[0].rstrip() for line in lines)


def parameters_of(function: Callable[..., object]) -> list[str]:
    """Return the names of a function's parameters."""
    return list(inspect.signature(function).parameters)


def plain_source(function: Callable[..., object], name: str) -> str:
    """Return the source of a function under another name, without docstring, annotations and decorators."""
    tree = tree_of(function)
    if tree is None:
        raise SourceError(f"{function.__name__} has no source that can be shown")
    definition = tree.body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.name = name
    return ast.unparse(tree)
