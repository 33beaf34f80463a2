"""Students' text read by the grader, outside any sandbox: the time grows with its length, not with its square."""

import time

import pytest

from autograder.answers.attempt import CallResult
from autograder.answers.raised import RaisedError
from autograder.authoring.names_used import names_used
from autograder.grading.failed_cells import FailedCell, explain_missing
from autograder.judging.cell_source import IPYTHON_LINE, MAX_PROGRAM_CHARACTERS
from autograder.reports.similarity import MAX_ANSWER_CHARACTERS, fingerprints

SECONDS = (
    6.0  # of CPU time; the slowest machine that we know takes two for as many characters of ordinary code
)


def repeated(text, characters):
    return text * (characters // len(text))


# Each makes one way to read programs slow: many names in one statement, each with many others, in many levels.
HOSTILE = {
    "chain of assignments": lambda size: repeated("a=", size - 1) + "1",
    "names times names": lambda size: (
        "".join(f"a{number}=" for number in range(size // 16))
        + "("
        + "".join(f"b{number}," for number in range(size // 16))
        + ")"
    ),
    "names that lead on": lambda size: "\n".join(f"a{n}=a{n + 1},a{n + 2}" for n in range(size // 24)),
    "nested functions": lambda size: (
        "if 1:\n"
        + "".join(" " * level + f"def f{level}():\n" for level in range(1, 90))
        + repeated(" " * 90 + "x=y;" + "x=y;" * 40 + "\n", size - 10_000)
    ),
    "deep expressions": lambda size: repeated("-" * 800 + "1\n", size),
    "deep calls": lambda size: repeated("f(" * 90 + ")" * 90 + "\n", size),
    "long targets": lambda size: "(" + repeated("a,", size - 10) + ")=1",
}


def seconds_of(function, *arguments, **options):
    began = time.thread_time()
    function(*arguments, **options)
    return time.thread_time() - began


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_uses_of_names_are_found_in_linear_time(text):
    source = text(MAX_PROGRAM_CHARACTERS)
    assert len(source) <= MAX_PROGRAM_CHARACTERS
    assert seconds_of(lambda: names_used([source] * 50)("a")) < SECONDS


@pytest.mark.parametrize("line", [" ", "a", "a,", "a?", "a? ", "=", "%"])
def test_commands_of_ipython_are_found_in_linear_time(line):
    assert seconds_of(IPYTHON_LINE.sub, "pass", repeated(line, MAX_PROGRAM_CHARACTERS) + "/") < 0.5


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_programs_are_compared_in_linear_time(text):
    assert seconds_of(fingerprints, text(MAX_ANSWER_CHARACTERS), is_code=True) < SECONDS


# Lines of cells that do not run, searched for the name that they should have defined.
BROKEN = {
    "names": lambda size: repeated("total ", size),
    "imports": lambda size: repeated("import ", size),
    "blanks": lambda size: repeated(" ", size) + "x",
    "blank lines": lambda size: repeated("\n", size) + "x",
    "imports on lines": lambda size: repeated("import\n", size),
    "lines of names": lambda size: repeated("total\n", size),
    "definitions": lambda size: repeated("async def ", size),
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_failed_cells_are_searched_in_linear_time(text):
    cell = FailedCell(text(100_000), RaisedError("SyntaxError", "invalid syntax"))
    failed = dict.fromkeys(range(2_000), cell)
    attempts = [CallResult(problem="missing")] * 5
    assert seconds_of(explain_missing, "cubes", attempts, failed) < SECONDS
    attempts = [
        CallResult(problem="raised", error=RaisedError("NameError", "name 'cubes' is not defined"))
    ] * 5
    assert seconds_of(explain_missing, "total", attempts, failed) < SECONDS


@pytest.mark.parametrize(
    ("line", "is_defined"),
    [
        ("def total(x):", True),
        ("    async  def total(x", True),
        ("class total:", True),
        ("total = 1", True),
        ("a, total = 1, 2", True),
        ("total == 1", False),
        ("f(total) = 1", False),
        ("# total = 1", False),
        ("from x import (total", True),
        ("total import x", False),
        ("subtotal = 1", False),
    ],
)
def test_definitions_are_still_seen_in_broken_cells(line, is_defined):
    cell = FailedCell(f"1 +\n{line}\n)", RaisedError("SyntaxError", "invalid syntax"))
    assert cell.defines("total") is is_defined


def test_uses_are_still_seen_in_blocks_and_helpers():
    cells = [
        "if True:\n    def f(x):\n        return g(x)\n",
        "g = h = lambda x: k(x)",
        "# only a comment: z",
    ]
    uses = names_used(cells)
    assert {"g", "k"} <= uses("f")
    assert uses("h") == {"x", "k"}
    assert "z" not in uses("f")
