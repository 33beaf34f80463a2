"""Extract from a student's notebook one function and what it needs.

The text is only parsed here, and comments and docstrings of functions are dropped. It runs in the sandbox only
(`autograder.authoring.adopted`).
"""

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from autograder.authoring.stub import NUMPY_IMPORT
from autograder.errors import CourseError

Statements = list[ast.stmt]


@dataclass(frozen=True)
class Signature:
    """Name, arguments and docstring of the new function."""

    name: str
    arguments: tuple[str, ...]
    docstring: str


def function_of(sources: Sequence[str], answer: str, signature: Signature) -> str:
    """Return the source of a function that computes what `answer` computes.

    `sources` are the cells of the notebook.
    """
    try:
        needed = _needed(_statements(sources), answer)
        if not needed:
            raise CourseError(f"no cell of that notebook defines {answer}: give the program with --formula")
        return _rename_single_function(needed, answer, signature) or _nest_definitions(
            needed, answer, signature
        )
    except (RecursionError, MemoryError):
        raise CourseError("the program is nested too deeply to be read: give it with --formula") from None


def function_of_formula(formula: str, signature: Signature) -> str:
    """Return the source of a function for a formula in its arguments.

    Functions of NumPy may be used by their names.
    """
    try:
        tree = ast.parse(formula.replace("^", "**").strip(), mode="eval").body
    except SyntaxError:
        raise CourseError(f"{formula!r} is not a formula in {', '.join(signature.arguments)}") from None
    return _format_function(signature, [ast.Return(_WithNumpy(set(signature.arguments)).visit(tree))])


class _WithNumpy(ast.NodeTransformer):
    """Write `sqrt(a)` as `np.sqrt(a)`, which accepts arrays."""

    def __init__(self, arguments: set[str]) -> None:
        self.arguments = arguments

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Prefix names that are neither arguments nor builtins with `np`."""
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
    """Return the statements that define the answer and what they use.

    They keep their order. The last definition of a name counts.
    """
    defined = {name: node for node in statements for name in _defines(node)}
    pending, needed = [answer], dict[int, ast.stmt]()
    while pending:
        node = defined.get(pending.pop())
        if node is not None and id(node) not in needed:
            needed[id(node)] = node
            pending += _uses(node)
    order = {id(node): place for place, node in enumerate(defined.values())}
    return sorted(needed.values(), key=lambda node: order[id(node)])


def _uses(node: ast.stmt) -> set[str]:
    """Return the names that a statement reads from outside itself.

    Names that a function binds itself are left out.
    """
    names = [child for child in ast.walk(node) if isinstance(child, ast.Name)]
    read = {child.id for child in names if isinstance(child.ctx, ast.Load)}
    if not isinstance(node, ast.FunctionDef):
        return read
    bound = {child.id for child in names if isinstance(child.ctx, ast.Store)}
    return read - bound - {child.arg for child in ast.walk(node) if isinstance(child, ast.arg)}


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.Assign):
        return [
            child.id for target in node.targets for child in ast.walk(target) if isinstance(child, ast.Name)
        ]
    return []


def _rename_single_function(needed: Statements, answer: str, signature: Signature) -> str:
    """Return the source of a single function under its new name.

    Empty if more than one definition is needed or its arguments do not fit.
    """
    definitions = [
        node for node in needed if not isinstance(node, ast.Import) or ast.unparse(node) != NUMPY_IMPORT
    ]
    node = definitions[0] if len(definitions) == 1 else None
    if not isinstance(node, ast.FunctionDef) or node.name != answer or not _can_be_renamed(node):
        return ""
    parameters = [argument.arg for argument in node.args.args]
    if len(parameters) != len(signature.arguments):
        return ""
    return _format_function(replace(signature, arguments=tuple(parameters)), _without_docstring(node.body))


def _can_be_renamed(node: ast.FunctionDef) -> bool:
    """Return whether a function has plain arguments and does not call itself."""
    if node.decorator_list or node.args.vararg or node.args.kwonlyargs:
        return False
    return not any(isinstance(child, ast.Name) and child.id == node.name for child in ast.walk(node))


def _nest_definitions(needed: Statements, answer: str, signature: Signature) -> str:
    arguments: list[ast.expr] = [ast.Name(name, ast.Load()) for name in signature.arguments]
    call = ast.Call(ast.Name(answer, ast.Load()), arguments, [])
    for node in needed:
        if isinstance(node, ast.FunctionDef):
            node.body = _without_docstring(node.body)
    body = [node for node in needed if ast.unparse(node) != NUMPY_IMPORT]
    return _format_function(signature, [*body, ast.Return(call)])


def _without_docstring(body: Statements) -> Statements:
    first = body[0]
    has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if has_docstring and len(body) > 1 else body


def _format_function(signature: Signature, body: Sequence[ast.stmt]) -> str:
    text = "\n".join(ast.unparse(ast.fix_missing_locations(node)) for node in body)
    indented = "\n".join(f"    {line}" if line else "" for line in text.splitlines())
    return f'def {signature.name}({", ".join(signature.arguments)}):\n    """{signature.docstring}"""\n{indented}\n'
