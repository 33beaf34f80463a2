"""Cut a student's program down to one function: what it needs and no more, without words of the student.

The text is only parsed here. It runs in the sandbox, whatever it does (`autograder.authoring.adopted`).
"""

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from autograder.errors import CourseError

Statements = list[ast.stmt]


@dataclass(frozen=True)
class Signature:
    """What the new function is called, its arguments, and its docstring."""

    name: str
    arguments: tuple[str, ...]
    said: str


def function_of(sources: Sequence[str], answer: str, made: Signature) -> str:
    """The source of a function that does what `answer` does in a notebook with these cells."""
    try:
        needed = _needed(_statements(sources), answer)
        if not needed:
            raise CourseError(f"no cell of that notebook defines {answer}: say the program with --formula")
        return _simple(needed, answer, made) or _nested(needed, answer, made)
    except (RecursionError, MemoryError):
        raise CourseError("the program is nested too deeply to be read: say it with --formula") from None


def function_of_formula(formula: str, made: Signature) -> str:
    """The source of a function that returns a formula in its arguments, with NumPy's functions by their names."""
    try:
        tree = ast.parse(formula.replace("^", "**").strip(), mode="eval").body
    except SyntaxError:
        raise CourseError(f"{formula!r} is not a formula in {', '.join(made.arguments)}") from None
    return _written(made, [ast.Return(_WithNumpy(set(made.arguments)).visit(tree))])


class _WithNumpy(ast.NodeTransformer):
    """`sqrt(a)` as `np.sqrt(a)`, which takes arrays."""

    def __init__(self, arguments: set[str]) -> None:
        self.arguments = arguments

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Names that are neither arguments nor Python's own are NumPy's."""
        if node.id in self.arguments or node.id == "np" or hasattr(builtins, node.id):
            return node
        return ast.Attribute(ast.Name("np", ast.Load()), node.id, ast.Load())


def _statements(sources: Sequence[str]) -> Iterator[ast.stmt]:
    for source in sources:
        try:
            yield from ast.parse(source).body
        except SyntaxError:  # a cell that does not run defines nothing
            continue


def _needed(statements: Iterator[ast.stmt], answer: str) -> Statements:
    """The statements that define the answer, and what those use, in their order; the last definition counts."""
    defined = {name: node for node in statements for name in _defines(node)}
    wanted, found = [answer], dict[int, ast.stmt]()
    while wanted:
        node = defined.get(wanted.pop())
        if node is not None and id(node) not in found:
            found[id(node)] = node
            wanted += _uses(node)
    order = {id(node): place for place, node in enumerate(defined.values())}
    return sorted(found.values(), key=lambda node: order[id(node)])


def _uses(node: ast.stmt) -> set[str]:
    """The names that a statement takes from outside itself; what a function calls its own things is its affair."""
    names = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
    read = {one.id for one in names if isinstance(one.ctx, ast.Load)}
    if not isinstance(node, ast.FunctionDef):
        return read
    own = {one.id for one in names if isinstance(one.ctx, ast.Store)}
    return read - own - {one.arg for one in ast.walk(node) if isinstance(one, ast.arg)}


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.Assign):
        return [one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)]
    return []


def _simple(needed: Statements, answer: str, made: Signature) -> str:
    """One function of the right arguments is taken as it is, under its new name; else nothing."""
    own = [node for node in needed if not isinstance(node, ast.Import) or ast.unparse(node) != NUMPY]
    node = own[0] if len(own) == 1 else None
    if not isinstance(node, ast.FunctionDef) or node.name != answer or node.decorator_list:
        return ""
    taken = [argument.arg for argument in node.args.args]
    recursive = any(isinstance(one, ast.Name) and one.id == answer for one in ast.walk(node))
    if len(taken) != len(made.arguments) or node.args.vararg or node.args.kwonlyargs or recursive:
        return ""
    return _written(replace(made, arguments=tuple(taken)), _without_docstring(node.body))


NUMPY = "import numpy as np"


def _nested(needed: Statements, answer: str, made: Signature) -> str:
    arguments: list[ast.expr] = [ast.Name(one, ast.Load()) for one in made.arguments]
    call = ast.Call(ast.Name(answer, ast.Load()), arguments, [])
    for node in needed:
        if isinstance(node, ast.FunctionDef):
            node.body = _without_docstring(node.body)
    body = [node for node in needed if ast.unparse(node) != NUMPY]
    return _written(made, [*body, ast.Return(call)])


def _without_docstring(body: Statements) -> Statements:
    first = body[0]
    said = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if said and len(body) > 1 else body


def _written(made: Signature, body: Sequence[ast.stmt]) -> str:
    text = "\n".join(ast.unparse(ast.fix_missing_locations(node)) for node in body)
    indented = "\n".join(f"    {line}" if line else "" for line in text.splitlines())
    return f'def {made.name}({", ".join(made.arguments)}):\n    """{made.said}"""\n{indented}\n'
