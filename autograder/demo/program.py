"""Write a function of the course as a self-contained notebook cell.

The sandbox hides the course's own packages from students, so the cell contains everything that the function uses.
Libraries that students have are imported.
"""

import ast
import copy
import importlib
import inspect
import symtable
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import ModuleType

import numpy as np

from autograder.authoring import task
from autograder.authoring.placeholders import python
from autograder.authoring.task import TaskBuilder

STUDENT_LIBRARIES = frozenset({"numpy", "scipy", "matplotlib", "sympy"})
STANDARD_LIBRARIES = frozenset(
    {"collections", "dataclasses", "fractions", "functools", "itertools", "math", "types"}
)
ALREADY_IMPORTED = {("np", "numpy"), ("sp", "sympy")}  # by the first cell of every exercise
FIRST_VERSION_NAME = "first"  # the name of the reference answer inside a wrong program
CONSTANT_TYPES = (
    bool,
    int,
    float,
    complex,
    str,
    tuple,
    list,
    dict,
    set,
    frozenset,
    np.ndarray,
    np.generic,
    type(None),
)


class NotSelfContainedError(Exception):
    """A program that needs more than the students' libraries."""


Definition = Callable[..., object]  # a function or a class


def write_program(
    function: Definition,
    name: str,
    substitute: Callable[[Definition], Definition] = lambda definition: definition,
) -> str:
    """Return a cell that defines `function` as `name`, with its dependencies.

    `substitute` replaces a definition by an equivalent that reads better: the notebook's own solution for a reference
    answer. Helpers are prefixed with the name of the answer, so that cells of one notebook never redefine each other's.
    """
    program = _Program(name, substitute)
    program.add(function, name)
    return "\n\n\n".join([*_import_blocks(program.imports), *program.pieces])


def _import_blocks(imports: Mapping[str, None]) -> Iterator[str]:
    if imports:
        yield "\n".join(imports)


@dataclass
class _Program:
    """The parts of a program under construction, helpers first."""

    answer: str
    substitute: Callable[[Definition], Definition]
    imports: dict[str, None] = field(default_factory=dict)  # ordered set
    pieces: list[str] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)  # by identity of the object
    taken: set[str] = field(default_factory=set)

    def add(self, value: object, name: str) -> str:
        """Write a function, class or constant after everything that it uses."""
        self.names[id(value)] = name
        self.taken.add(name)
        if not (inspect.isfunction(value) or inspect.isclass(value)):
            self.pieces.append(f"{name} = {_literal(value)}")
            return name
        value = self.substitute(value)
        parsed = _parse(value)
        variables = _variables_of(value)
        renamed = {old: self._use(old, variables[old]) for old in parsed.free_names if old in variables}
        renamed[parsed.tree.name] = name
        _require_no_local(parsed, renamed)
        tree = _Renaming(renamed, variables, self).visit(copy.deepcopy(parsed.tree))
        self.pieces.append(ast.unparse(ast.fix_missing_locations(tree)))
        return name

    def _use(self, old: str, value: object) -> str:
        """Return the name of a value in the program, adding new values."""
        if isinstance(value, TaskBuilder):
            old, value = FIRST_VERSION_NAME, value.answer
        if inspect.ismodule(value):
            return old  # _Renaming imports it or replaces its attributes
        if id(value) in self.names:
            return self.names[id(value)]
        home = getattr(value, "__module__", None)
        if isinstance(home, str) and _is_importable(home) and hasattr(value, "__name__"):
            return self._import_from(home, value.__name__, old)
        if isinstance(value, np.ufunc):
            return self._import_from("scipy.special", value.__name__, old)
        return self.add(value, self._free_name(old))

    def import_module(self, name: str, module: ModuleType) -> None:
        """Import a library under this name, unless every notebook imports it."""
        if not _is_importable(module.__name__):
            raise NotSelfContainedError(f"{module.__name__} is not one of the students' libraries")
        if (name, module.__name__) not in ALREADY_IMPORTED:
            self.imports[_import_line(module.__name__, name)] = None

    def _import_from(self, module: str, name: str, alias: str) -> str:
        public = _public_home(module, name)
        self.imports[f"from {public} import {name}" + (f" as {alias}" if alias != name else "")] = None
        return alias

    def _free_name(self, old: str) -> str:
        """Return an unused name for a helper, prefixed with the answer's."""
        name = f"{self.answer}_{old.strip('_')}"
        while name in self.taken:
            name += "_"
        return name


class _Renaming(ast.NodeTransformer):
    """Rename global names and resolve attributes of modules.

    Attributes of the course's modules become helpers. The libraries used are imported.
    """

    def __init__(
        self, renamed: Mapping[str, str], variables: Mapping[str, object], program: _Program
    ) -> None:
        self.renamed, self.variables, self.program = renamed, variables, program

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self.renamed.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self.renamed.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        module = self.variables.get(node.value.id) if isinstance(node.value, ast.Name) else None
        if inspect.ismodule(module) and _is_ours(module.__name__):
            helper = self.program._use(node.attr, getattr(module, node.attr))
            return ast.copy_location(ast.Name(helper, node.ctx), node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.variables.get(node.id)
        if node.id in self.renamed and inspect.ismodule(value):
            self.program.import_module(node.id, value)
        node.id = self.renamed.get(node.id, node.id)
        return node


@dataclass(frozen=True)
class _Parsed:
    """A definition without annotations and docstrings, and its names.

    `free_names` come from its module, `local_names` are its own.
    """

    tree: ast.FunctionDef | ast.ClassDef
    free_names: tuple[str, ...]
    local_names: frozenset[str]


@lru_cache(maxsize=4096)
def _parse(value: Definition) -> _Parsed:
    tree = _definition(value)
    top = symtable.symtable(ast.unparse(tree), "<program>", "exec")
    free, local = set(), set()
    for scope in _scopes(top):
        for symbol in scope.get_symbols():
            if symbol.is_referenced() and (scope is top or symbol.is_global()):
                free.add(symbol.get_name())
            if scope is not top and symbol.is_local():
                local.add(symbol.get_name())
    return _Parsed(tree, tuple(sorted(free)), frozenset(local - {tree.name}))


def _definition(value: Definition) -> ast.FunctionDef | ast.ClassDef:
    """Return the syntax tree of a definition without course-specific parts.

    Annotations, docstrings and decorators of tasks are removed.
    """
    node = copy.deepcopy(_node_of(value))
    variables = _variables_of(value)
    node.decorator_list = [
        decorator for decorator in node.decorator_list if not _is_of_a_task(decorator, variables)
    ]
    for part in ast.walk(node):
        if isinstance(part, ast.arg):
            part.annotation = None
        elif isinstance(part, ast.FunctionDef):
            part.returns = None
        if isinstance(part, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(part) is not None:
            part.body = part.body[1:] or [ast.Pass()]
    return _WithoutAnnotations().visit(node)  # type: ignore[no-any-return]


def _is_of_a_task(decorator: ast.expr, variables: Mapping[str, object]) -> bool:
    """Return whether a decorator is `task.hand(…)`, or one such as `area.wrong(…)`."""
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    if not (isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name)):
        return False
    owner = variables.get(called.value.id)
    return owner is task or isinstance(owner, TaskBuilder)


class _WithoutAnnotations(ast.NodeTransformer):
    """Turn annotated assignments into plain ones, except in classes.

    Fields of a dataclass need their annotations.
    """

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value, lineno=node.lineno), node)


def _node_of(value: Definition) -> ast.FunctionDef | ast.ClassDef:
    """Find a definition in its module or in its notebook's source."""
    source = getattr(value, "source", None)
    nodes = _definitions(source) if source else _definitions_of_module(value.__module__)
    if value.__qualname__ not in nodes:
        raise NotSelfContainedError(f"{value.__qualname__} is not defined in its module")
    return nodes[value.__qualname__]


@lru_cache(maxsize=256)
def _definitions_of_module(name: str) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    try:
        return _definitions(inspect.getsource(sys.modules[name]))
    except (OSError, TypeError, KeyError) as error:
        raise NotSelfContainedError(f"{name} has no source") from error


def _definitions(source: str) -> dict[str, ast.FunctionDef | ast.ClassDef]:
    nodes = ast.parse(source).body
    return {node.name: node for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}


def _variables_of(value: Definition) -> dict[str, object]:
    """Return the global names that a function or class can see."""
    if hasattr(value, "source"):
        return dict(value.__globals__)
    return dict(vars(sys.modules[value.__module__]))


def _scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _scopes(child)


def _require_no_local(parsed: _Parsed, renamed: Mapping[str, str]) -> None:
    """Refuse a definition whose local variables clash with renamed globals."""
    changed = {name for pair in renamed.items() if pair[0] != pair[1] for name in pair}
    if clash := parsed.local_names & changed:
        raise NotSelfContainedError(f"{min(clash)} is also a local variable of {parsed.tree.name}")


def _is_importable(module: str) -> bool:
    return module.partition(".")[0] in STUDENT_LIBRARIES | STANDARD_LIBRARIES


def _is_ours(module: str) -> bool:
    return not _is_importable(module)


def _import_line(module: str, name: str) -> str:
    return f"import {module}" if name == module else f"import {module} as {name}"


def _public_home(module: str, name: str) -> str:
    """Return the shortest package with a name: `scipy.linalg`, not `scipy.linalg._basic`."""
    parts = [part for part in module.split(".") if not part.startswith("_")]
    for length in range(1, len(parts) + 1):
        package = ".".join(parts[:length])
        if hasattr(importlib.import_module(package), name):
            return package
    return module


def _literal(value: object) -> str:
    """Return the Python source of a constant."""
    if not isinstance(value, CONSTANT_TYPES):
        raise NotSelfContainedError(f"{type(value).__name__} is not a constant")
    return python(value.tolist() if isinstance(value, np.generic) else value)
