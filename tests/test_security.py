"""SECURITY.md: each promise names tests that exist, and its numbers are the sandbox's."""

import ast
import re

import pytest

from autograder.course import contents
from autograder.sandbox.limits import Limits
from tests.conftest import ROOT

TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
ROWS = re.findall(r"^\| (?!promise \||---)(.*?) \| (.*) \|$", TEXT, re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
MIN_PROMISES = 25


def functions(path):
    """Return the names of the functions of a file of tests."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_there_are_promises_to_three_kinds_of_people():
    assert re.findall(r"^## (To .*)$", TEXT, re.MULTILINE) == [
        "To a student",
        "To an instructor",
        "To a reader",
    ]
    assert len(ROWS) >= MIN_PROMISES


@pytest.mark.parametrize(("promise", "tests"), ROWS, ids=[promise[:40] for promise, _ in ROWS])
def test_each_promise_names_tests_that_exist(promise, tests):
    assert promise.endswith(".")
    named = TEST.findall(tests)
    assert ", ".join(f"`{path}::{name}`" for path, name in named) == tests
    for path, name in named:
        assert name.startswith("test_")
        assert name in functions(path), f"{path} has no {name}"


def test_promised_limits_are_the_sandboxs():
    limits = Limits()
    assert (
        f"{limits.cell_seconds:g} s for a cell, {limits.notebook_seconds:g} s for a notebook, "
        f"{limits.submission_seconds:g} s in all, {limits.memory_bytes / 2**30:g} GB of memory and "
        f"{limits.processes} processes"
    ) in TEXT


def test_the_page_of_the_site_is_this_text():
    page = (ROOT / "book" / "security.md").read_text("utf-8")
    assert "{include} ../SECURITY.md" in page
    assert page.splitlines()[0] == TEXT.splitlines()[0]
    assert "book/security" in contents.entries(ROOT)


def test_every_file_that_the_text_names_exists():
    for path in re.findall(r"`(tests/[\w/]+(?:\.py)?)`", TEXT):
        assert (ROOT / path).exists(), path
