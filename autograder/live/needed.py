"""Which of the statements before a cell does it need?

A page has many cells, and a reader starts anywhere. What a cell leans on is run before it, and nothing else: a task
that never names sympy does not wait for it. Random numbers are drawn in the order of the page, so whoever leans on a
generator leans on every statement above that drew from it.
"""

import ast
from collections.abc import Iterable, Iterator, Sequence

GENERATORS = ("default_rng", "RandomState")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)


def needed(before: Iterable[str], code: str) -> str:
    """The statements of earlier cells on which the code leans, directly or through others, as one program."""
    statements = list(_statements(before))
    modules = {name for one in statements if isinstance(one, IMPORTS) for name in _bound(one)}
    drawing = _drawing(statements)
    wanted = _used(ast.parse(code))
    kept: list[str] = []
    for statement in reversed(statements):
        draws = not isinstance(statement, DEFINITIONS) and _used(statement) & drawing and wanted & drawing
        if draws or (_bound(statement) | _told(statement) - modules) & wanted:
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
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    if isinstance(statement, IMPORTS):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    stored = (node for node in ast.walk(statement) if isinstance(getattr(node, "ctx", None), ast.Store))
    return {name for node in stored for name in _used(node)}


def _told(statement: ast.stmt) -> set[str]:
    """The names of things that a statement tells to do something, as in `found[0].append(1)`: it may change them."""
    if isinstance(statement, DEFINITIONS):
        return set()
    orders = (node.value for node in ast.walk(statement) if isinstance(node, ast.Expr))
    calls = (node.func for order in orders for node in ast.walk(order) if isinstance(node, ast.Call))
    return {name for call in calls if isinstance(call, ast.Attribute) for name in _root(call)}


def _root(place: ast.expr) -> set[str]:
    """The name at which a place such as `table[i].rows` starts."""
    while isinstance(place, ast.Attribute | ast.Subscript):
        place = place.value
    return {place.id} if isinstance(place, ast.Name) else set()


def _drawing(statements: Sequence[ast.stmt]) -> set[str]:
    """The generators of random numbers, and the functions that draw from them."""
    names = {name for one in statements if _used_attributes(one) & set(GENERATORS) for name in _bound(one)}
    if not names:
        return names
    while True:
        drawers = {one.name for one in statements if isinstance(one, DEFINITIONS) and _used(one) & names}
        if drawers <= names:
            return names
        names |= drawers


def _used_attributes(statement: ast.stmt) -> set[str]:
    if not isinstance(statement, ast.Assign):
        return set()
    calls = (node.func for node in ast.walk(statement.value) if isinstance(node, ast.Call))
    return {getattr(call, "attr", getattr(call, "id", "")) for call in calls}
