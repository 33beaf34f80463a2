"""No function has more than ten branches: a number of known faults, which may only fall.

ruff's own rule (C901) does not count branches inside comprehensions and conditions, so a long function can hide there.
This is the count of radon, whose grade C begins at 11.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

MAX_COMPLEXITY = 10
MOST_COMPLEX_FUNCTIONS = 14  # with more; lower it when one falls, never raise it
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def branches(node: ast.AST) -> int:
    """The branches of one node, without those below it."""
    match node:
        case ast.Try() | ast.TryStar():
            return len(node.handlers) + bool(node.orelse)
        case ast.BoolOp():
            return len(node.values) - 1
        case ast.If() | ast.IfExp() | ast.Assert():
            return 1
        case ast.For() | ast.AsyncFor() | ast.While():
            return 1 + bool(node.orelse)
        case ast.comprehension():
            return 1 + len(node.ifs)
        case ast.Match():
            return len(node.cases) - any(ast.unparse(case.pattern) == "_" for case in node.cases)
    return 0


def inside(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes below a node, without those of inner functions and classes, which are counted by themselves."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, FUNCTIONS | ast.ClassDef):
            yield child
            yield from inside(child)


def complexity(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return 1 + sum(map(branches, inside(ast.Module(function.body, []))))


def complex_functions(root: Path) -> dict[str, int]:
    numbers = {}
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, FUNCTIONS) and (number := complexity(node)) > MAX_COMPLEXITY:
                numbers[f"{path.relative_to(ROOT).as_posix()}:{node.lineno} {node.name}"] = number
    return numbers


def test_functions_have_few_branches():
    worst = complex_functions(ROOT / "autograder") | complex_functions(ROOT / "dimred_ref")
    assert len(worst) <= MOST_COMPLEX_FUNCTIONS, worst


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return x", 1),
        ("return a if b else c", 2),
        ("return a and b and c", 3),
        ("return [y for y in x if y if not y]", 4),
        ("try:\n  a\nexcept E:\n  b\nelse:\n  c", 3),
        ("for y in x:\n  a\nelse:\n  b", 3),
        ("match x:\n  case 1: a\n  case _: b", 2),
        ("def inner():\n  return a if b else c\nreturn inner", 1),
    ],
)
def test_branches_are_counted_as_by_radon(body, expected):
    source = "def f():\n" + "\n".join(f"  {line}" for line in body.splitlines())
    (function,) = ast.parse(source).body
    assert complexity(function) == expected
