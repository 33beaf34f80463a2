"""Which of the statements before a cell does it need?

A page has many cells, and a reader starts anywhere. What a cell leans on is run before it, and nothing else: a task
that never names sympy does not wait for it. Random numbers are drawn in the order of the page, so whoever leans on a
generator leans on every statement above that drew from it.
"""

import ast
import symtable
from collections.abc import Iterable, Iterator, Sequence

GENERATORS = ("default_rng", "RandomState")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
AT_ONCE = ("listcomp", "setcomp", "dictcomp")  # scopes of their own that are run where they stand


def needed(before: Iterable[str], code: str) -> str:
    """The statements of earlier cells on which the code leans, directly or through others, as one program."""
    statements = list(_statements(before))
    modules = {name for one in statements if isinstance(one, IMPORTS) for name in _bound(one)}
    drawing = _drawing(statements)
    called: set[str] = set()
    while True:
        wanted = _used(ast.parse(code)) | called
        kept: list[str] = []
        later: set[str] = set()
        for statement in reversed(statements):
            draws = not isinstance(statement, DEFINITIONS) and _used(statement) & drawing and wanted & drawing
            if draws or (_bound(statement) | _told(statement) - modules) & wanted:
                kept.append(ast.unparse(statement))
                now, when_called = _looked_up(kept[-1])
                wanted |= now | when_called
                later |= when_called
        if later <= called:
            return "\n".join(reversed(kept))
        called |= later  # a function may name what stands between it and its call: look once more


def _looked_up(source: str) -> tuple[set[str], set[str]]:
    """The names of the page that a statement looks up where it stands, and those that it does when it is called."""
    now: set[str] = set()
    later: set[str] = set()

    def look(scope: symtable.SymbolTable, found: set[str]) -> None:
        is_page = scope.get_type() == "module"
        found |= {one.get_name() for one in scope.get_symbols() if one.is_global() or is_page}
        for inner in scope.get_children():
            is_called = inner.get_type() == "function" and inner.get_name() not in AT_ONCE
            look(inner, later if is_called else found)

    look(symtable.symtable(source, "<above>", "exec"), now)
    return now, later


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
    definitions = [one for one in statements if isinstance(one, DEFINITIONS)]
    naming = [(one.name, set[str].union(*_looked_up(ast.unparse(one)))) for one in definitions]
    while True:
        drawers = {name for name, named in naming if named & names}
        if drawers <= names:
            return names
        names |= drawers


def _used_attributes(statement: ast.stmt) -> set[str]:
    if not isinstance(statement, ast.Assign):
        return set()
    calls = (node.func for node in ast.walk(statement.value) if isinstance(node, ast.Call))
    return {getattr(call, "attr", getattr(call, "id", "")) for call in calls}
