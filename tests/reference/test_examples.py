"""The examples of the reference run and print what they say; every public function has its whole description."""

import ast
import doctest
import importlib
import inspect
import re

import pytest

import dimred_ref
from autograder.book.api_page import api_page
from autograder.course.course import Course
from tests.conftest import ROOT

SECTIONS = ("Parameters", "Returns", "Cost", "Counterpart", "Examples")


@pytest.fixture(scope="module")
def page():
    """The text of the page of the reference."""
    return api_page(Course(ROOT), "dimred_ref")


@pytest.mark.parametrize("name", dimred_ref.__all__)
def test_an_example_runs_and_prints_what_it_says(name):
    function = getattr(dimred_ref, name)
    found = doctest.DocTestFinder(recurse=False).find(function, name, globs={})
    examples = [example for test in found for example in test.examples]
    assert len(examples) > 1, "an example imports the package and calls the function"
    assert any(f"dr.{name}(" in example.source for example in examples)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in found:
        runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("name", dimred_ref.__all__)
def test_an_example_is_a_cell_that_runs_in_the_page(name, page):
    """A page has a button at cells that show something, if the browser has what the page imports."""
    (cell,) = re.findall(
        rf"autofunction:: dimred_ref\.{name}\n```\n\n```{{code-cell}} python\n(.*?)```", page, re.S
    )
    tree = ast.parse(cell)
    assert isinstance(tree.body[-1], ast.Expr), "a cell shows its last expression"
    imports = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert imports <= {"dimred_ref", "numpy", "scipy"}
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))


@pytest.mark.parametrize("name", dimred_ref.__all__)
def test_a_description_has_all_its_sections(name):
    described = inspect.getdoc(getattr(dimred_ref, name))
    missing = [title for title in SECTIONS if f"\n{title}\n{'-' * len(title)}\n" not in described]
    assert missing == []
    parameters = described.partition("Parameters\n")[2].partition("\nReturns\n")[0]
    for parameter in inspect.signature(getattr(dimred_ref, name)).parameters:
        assert any(
            parameter in line.partition(" : ")[0].replace(",", " ").split()
            for line in parameters.splitlines()
        ), parameter


@pytest.mark.parametrize("name", dimred_ref.__all__)
def test_a_counterpart_exists_in_its_library(name):
    described = inspect.getdoc(getattr(dimred_ref, name)).partition("Counterpart\n-----------\n")[2]
    named = re.findall(r"\b(?:sklearn|scipy)(?:\.\w+)+", described.partition("\n\n")[0])
    assert named or described.startswith(("None", "umap.UMAP of umap-learn"))  # which nothing here installs
    for path in named:
        module, _, attribute = path.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), path
