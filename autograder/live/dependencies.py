"""Find the statements of earlier cells that a cell depends on.

A page has many cells, and a reader may start at any of them. Only the dependencies of a cell are run before it: a task
that does not name sympy does not wait for its import. Random numbers are drawn in the order of the page, so a cell that
uses a generator depends on every earlier statement that drew from it.
"""

import ast
import symtable
from collections.abc import Iterable, Iterator, Sequence

GENERATORS = ("default_rng", "RandomState")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
IMMEDIATE_SCOPES = ("listcomp", "setcomp", "dictcomp")  # comprehensions: nested scopes that run immediately


def required_statements(before: Iterable[str], code: str) -> str:
    """Return the statements that the code depends on, directly or indirectly, as a program."""
    statements = list(_parse_statements(before))
    modules = {
        name for statement in statements if isinstance(statement, IMPORTS) for name in _bound_names(statement)
    }
    random_sources = _find_random_sources(statements)
    called: set[str] = set()
    while True:
        required = _needed_names(ast.parse(code)) | called
        selected: list[str] = []
        later: set[str] = set()
        for statement in reversed(statements):
            changed = _bound_names(statement) | _names_with_method_calls(statement) - modules
            if changed & required or (required & random_sources and _draws(statement, random_sources)):
                selected.append(ast.unparse(statement))
                now, when_called = _looked_up_names(selected[-1])
                required |= now | when_called
                later |= when_called
        if later <= called:
            return "\n".join(reversed(selected))
        called |= later  # a function may use names bound between its definition and its call: repeat


def _needed_names(tree: ast.Module) -> set[str]:
    """Return the names that a program looks up before it has surely bound them.

    A name that is bound only in one branch, or only in a loop, counts as not bound.
    """
    needed: set[str] = set()
    _follow(tree.body, set(), needed)
    return needed


def _follow(statements: Iterable[ast.stmt], bound: set[str], needed: set[str]) -> set[str]:
    """Add the names that statements need and have not bound; return the names that are surely bound after them."""
    bound = set(bound)
    for statement in statements:
        if isinstance(statement, DEFINITIONS):
            needed |= _free_names(statement) - bound - {statement.name}
            bound.add(statement.name)
        elif isinstance(statement, IMPORTS):
            bound |= _bound_names(statement)
        elif isinstance(statement, ast.Assign):
            _look_up([statement.value, *statement.targets], bound, needed)
            bound |= _bound_names(statement)
        elif isinstance(statement, ast.For):
            _look_up([statement.iter, statement.target], bound, needed)
            _follow(statement.body, bound | _stored_names(statement.target), needed)
            _follow(statement.orelse, bound, needed)
        elif isinstance(statement, ast.If):
            _look_up([statement.test], bound, needed)
            bound = _follow(statement.body, bound, needed) & _follow(statement.orelse, bound, needed)
        else:  # what a block such as `with` binds does not count
            _look_up([statement], bound, needed)
    return bound


def _look_up(nodes: Iterable[ast.AST], bound: set[str], needed: set[str]) -> None:
    """Add the names that parts of a statement look up in order."""
    for node in nodes:
        if isinstance(node, ast.Name):
            needed |= set() if isinstance(node.ctx, ast.Store) else {node.id} - bound
        elif isinstance(node, COMPREHENSIONS):
            inside = set(bound)
            for loop in node.generators:
                _look_up([loop.iter], inside, needed)
                inside |= _stored_names(loop.target)
                _look_up([loop.target, *loop.ifs], inside, needed)
            results = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            _look_up(results, inside, needed)
        elif isinstance(node, ast.Lambda):
            needed |= _free_names(node) - bound
        elif isinstance(node, ast.AugAssign):
            needed |= _used_names(node) - bound
        else:
            _look_up(ast.iter_child_nodes(node), bound, needed)


def _stored_names(target: ast.expr) -> set[str]:
    names = (node for node in ast.walk(target) if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, ast.Store)}


def _free_names(node: ast.AST) -> set[str]:
    """Return the names that a definition or a lambda looks up, now or when it is called."""
    return set[str].union(*_looked_up_names(ast.unparse(node)))


def _looked_up_names(source: str) -> tuple[set[str], set[str]]:
    """Return the global names that a statement looks up immediately, and when called."""
    immediate: set[str] = set()
    deferred: set[str] = set()

    def look(scope: symtable.SymbolTable, names: set[str]) -> None:
        is_page = scope.get_type() == "module"
        names |= {symbol.get_name() for symbol in scope.get_symbols() if symbol.is_global() or is_page}
        for inner in scope.get_children():
            is_called = inner.get_type() == "function" and inner.get_name() not in IMMEDIATE_SCOPES
            look(inner, deferred if is_called else names)

    look(symtable.symtable(source, "<above>", "exec"), immediate)
    return immediate, deferred


def _parse_statements(cells: Iterable[str]) -> Iterator[ast.stmt]:
    """Yield the statements of the cells; skip cells with a syntax error."""
    for cell in cells:
        try:
            yield from ast.parse(cell).body
        except SyntaxError:
            continue


def _used_names(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a statement defines or assigns to."""
    if isinstance(statement, DEFINITIONS):
        return {statement.name}
    if isinstance(statement, IMPORTS):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    stored = (node for node in ast.walk(statement) if isinstance(getattr(node, "ctx", None), ast.Store))
    return {name for node in stored for name in _used_names(node)}


def _names_with_method_calls(statement: ast.stmt) -> set[str]:
    """Return the names whose methods an expression statement calls.

    Such a call, as in `rows[0].append(1)`, may modify the object.
    """
    if isinstance(statement, DEFINITIONS):
        return set()
    expressions = (node.value for node in ast.walk(statement) if isinstance(node, ast.Expr))
    calls = (node.func for value in expressions for node in ast.walk(value) if isinstance(node, ast.Call))
    return {name for call in calls if isinstance(call, ast.Attribute) for name in _root_name(call)}


def _root_name(expression: ast.expr) -> set[str]:
    """Return the first name of an expression such as `table[i].rows`, as a set."""
    while isinstance(expression, ast.Attribute | ast.Subscript):
        expression = expression.value
    return {expression.id} if isinstance(expression, ast.Name) else set()


def _draws(statement: ast.stmt, random_sources: set[str]) -> bool:
    """Return whether a statement draws random numbers when it runs."""
    return not isinstance(statement, DEFINITIONS) and bool(_used_names(statement) & random_sources)


def _find_random_sources(statements: Sequence[ast.stmt]) -> set[str]:
    """Return the random generators, and the functions and classes that use them."""
    makers = [statement for statement in statements if _called_names(statement) & set(GENERATORS)]
    names = set[str]().union(*map(_bound_names, makers))
    if not names:
        return names
    used_by = {
        statement: set[str].union(*_looked_up_names(ast.unparse(statement)))
        for statement in statements
        if isinstance(statement, DEFINITIONS)
    }
    while True:
        drawers = {definition.name for definition, used in used_by.items() if used & names}
        if drawers <= names:
            return names
        names |= drawers


def _called_names(statement: ast.stmt) -> set[str]:
    if not isinstance(statement, ast.Assign):
        return set()
    calls = (node.func for node in ast.walk(statement.value) if isinstance(node, ast.Call))
    return {getattr(call, "attr", getattr(call, "id", "")) for call in calls}
