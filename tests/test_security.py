"""SECURITY.md: each promise names tests that exist, and its numbers are the sandbox's."""

import ast
import re

import pytest

from autograder.course import contents
from autograder.sandbox.limits import Limits
from tests.conftest import ROOT

TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
PROMISES = re.findall(r"^- \*\*([A-Z]\d+)\.\*\* ", TEXT, re.MULTILINE)
ITEMS = re.findall(r"^- \*\*([A-Z]\w*)", TEXT.partition("## What is not promised")[0], re.MULTILINE)
BLOCK = re.findall(r"^```text\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)[-1].splitlines()
MIN_PROMISES = 30


def promises_with_tests():
    """Read the block at the end: a promise, and the tests below each other."""
    named: dict[str, list[str]] = {}
    for line in BLOCK:
        promise, name = line[:4].strip(), line[4:].strip()
        if promise:
            assert promise not in named, promise
            named[promise] = []
        named[list(named)[-1]].append(name)
    return named


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
    assert len(PROMISES) >= MIN_PROMISES


def test_each_promise_has_tests_and_no_test_is_without_promise():
    assert PROMISES == ITEMS
    assert list(promises_with_tests()) == PROMISES


@pytest.mark.parametrize(("promise", "tests"), promises_with_tests().items(), ids=list(promises_with_tests()))
def test_each_promise_names_tests_that_exist(promise, tests):
    for test in tests:
        path, _, name = test.partition("::")
        assert name.startswith("test_")
        assert name in functions(path), f"{promise}: {path} has no {name}"


def test_promised_limits_are_the_sandboxs():
    limits, text = Limits(), " ".join(TEXT.split())
    assert (
        f"{limits.cell_seconds:g} s for a cell, {limits.notebook_seconds:g} s for a notebook, "
        f"{limits.submission_seconds:g} s in all, {limits.memory_bytes / 2**30:g} GB of memory and "
        f"{limits.processes} processes"
    ) in text
    assert limits.worst_seconds < 300
    assert "less than five minutes" in text


def test_the_page_of_the_site_is_this_text():
    page = (ROOT / "book" / "security.md").read_text("utf-8")
    assert "{include} ../SECURITY.md" in page
    assert page.splitlines()[0] == TEXT.splitlines()[0]
    assert "book/security" in contents.contents_entries(ROOT)


def test_every_file_that_the_text_names_exists():
    for path in re.findall(r"`(tests/[\w/]+(?:\.py)?)`", TEXT):
        assert (ROOT / path).exists(), path
