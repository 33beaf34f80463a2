"""The names and sentences of the engine: numbers of known faults, which may only fall."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

MODULES = {
    path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8"))
    for path in sorted((ROOT / "autograder").rglob("*.py"))
}
# A docstring that opens so explains before it names. Lower a number when it has fallen; never raise it.
OPENERS = {"By", "How", "That", "Those", "What", "Where", "Which", "Who", "Whose"}
MOST_BAD_OPENERS = 3
VAGUE_VARIABLES = {"found", "given", "kept", "made", "one", "own", "said", "told", "wanted"}
MOST_VAGUE_VARIABLES = 130
# A value of this type may be used in any way, right or wrong: mypy says nothing of it.
MOST_ANY = 700
# Names that another program looks for in each module: Sphinx's extensions, entry points, verbs of the command line.
PROTOCOLS = {"add_verbs", "main", "setup"}


def docstrings(tree: ast.Module) -> Iterator[str]:
    """The docstrings of a module, its classes and its functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""


def bad_openers(tree: ast.Module) -> list[str]:
    """The first words that rule 1 forbids."""
    words = ((text.split() or [""])[0].strip(",.:;") for text in docstrings(tree))
    return [word for word in words if word in OPENERS]


def vague_variables(tree: ast.Module) -> list[str]:
    """The variables and arguments, once for each use, that rule 5 forbids."""
    nodes = list(ast.walk(tree))
    names = [node.id for node in nodes if isinstance(node, ast.Name)]
    names += [node.arg for node in nodes if isinstance(node, ast.arg)]
    return [name for name in names if name in VAGUE_VARIABLES]


def unchecked_types(tree: ast.Module) -> list[str]:
    """The types that are Any, or hold it."""
    return [node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == "Any"]


def public_names(tree: ast.Module) -> set[str]:
    """The functions, classes and constants that a module defines for others."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {
                part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)
            }
    return {name for name in names if not name.startswith("_")}


def worst(counts: dict[str, list[str]]) -> str:
    """The modules with the most faults, for whoever has to mend one."""
    ranked = sorted(counts.items(), key=lambda item: -len(item[1]))[:5]
    return "; ".join(f"{name}: {dict(Counter(faults))}" for name, faults in ranked)


@pytest.mark.parametrize(
    ("faults_in", "most"),
    [
        (bad_openers, MOST_BAD_OPENERS),
        (vague_variables, MOST_VAGUE_VARIABLES),
        (unchecked_types, MOST_ANY),
    ],
)
def test_plain_words_gain_ground(faults_in, most):
    counts = {name: faults_in(tree) for name, tree in MODULES.items()}
    assert sum(map(len, counts.values())) <= most, worst(counts)


def test_a_public_name_is_defined_in_one_module():
    homes = defaultdict(list)
    for module, tree in MODULES.items():
        for name in public_names(tree) - PROTOCOLS:
            homes[name].append(module)
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


@pytest.mark.parametrize(
    ("source", "faults_in"),
    [
        ('"""What it is."""', bad_openers),
        ('def f():\n    """Whose, if any."""', bad_openers),
        ("one = 1", vague_variables),
        ("def f(told): ...", vague_variables),
        ("def f(value: list[Any]): ...", unchecked_types),
    ],
)
def test_a_fault_would_be_found(source, faults_in):
    assert len(faults_in(ast.parse(source))) == 1


def test_names_of_a_module_are_all_seen():
    source = "A, (B, _C) = 1, (2, 3)\nD: int = 4\ndef e(): ...\nclass F: ...\n_g = 5"
    assert public_names(ast.parse(source)) == {"A", "B", "D", "e", "F"}


def test_every_module_of_the_engine_is_read():
    assert {Path(name).parts[0] for name in MODULES} == {"autograder"}
    assert len(MODULES) > 200
