"""An exception is evidence for nothing but itself: it is named, with its line, and explained by no mistake."""

import numpy as np
import pytest

from autograder.answers.attempt import CallResult, call_answer
from autograder.answers.raised import RaisedError, raised_error, read_error
from autograder.judging.check import verdict_on
from autograder.judging.key import read_key
from autograder.judging.raised import advice_on, describe_error
from solutions.covariance.after_a_map import transposed_the_wrong_factor
from solutions.least_squares.careful_fit import solved_the_normal_equations
from tests.conftest import ROOT

KEYS = {path.parent.name: path for path in sorted(ROOT.glob("exercises/*/*.key.json"))}


def name_error(*inputs):
    return undefined_thing  # noqa: F821


def division(*inputs):
    return 1 / 0


def index_error(*inputs):
    return [1.0][5]


def value_error(*inputs):
    return np.ones(3) + np.ones(4)


def nothing(*inputs):
    return None


FUNCTIONS = {
    name_error: "NameError: name 'undefined_thing' is not defined",
    division: "ZeroDivisionError: division by zero",
    index_error: "IndexError: list index out of range",
    value_error: "ValueError: operands could not be broadcast",
    nothing: "nothing was returned",
}


@pytest.mark.parametrize("topic", KEYS)
def test_an_error_is_named_and_earns_no_reason(topic):
    key = read_key(KEYS[topic])
    functions = {name: task for name, task in key.tasks.items() if not task.is_sealed}
    assert functions
    for name, task in functions.items():
        for function, words in FUNCTIONS.items():
            verdict = verdict_on(name, task, function)
            assert words in verdict.message, (name, verdict.message)
            told = (verdict.misconception, verdict.slip, verdict.fraction, verdict.fault)
            assert told == (None, None, 0.0, ""), name


def test_a_misconception_that_raises_elsewhere_is_still_recognised():
    """Its numbers on other cases are the evidence; the error is told beside it."""
    task = read_key(KEYS["covariance"]).tasks["after_a_map"]
    verdict = verdict_on("t", task, transposed_the_wrong_factor)
    assert verdict.misconception == "transposed_the_wrong_factor"
    assert "raised ValueError" in verdict.message
    assert task.hints[verdict.misconception].text in verdict.message


def test_an_error_on_one_case_names_the_case_and_keeps_the_others():
    task = read_key(KEYS["geometry"]).tasks["squared_distances"]
    first = task.cases[0].inputs

    def fails_once(*inputs):
        if all(np.array_equal(one, other) for one, other in zip(inputs, first.values(), strict=True)):
            raise KeyError("seldom")
        return next(
            case.expected
            for case in task.cases
            if all(map(np.array_equal, inputs, case.inputs.values()))
        )  # fmt: skip

    verdict = verdict_on("t", task, fails_once)
    assert verdict.message.startswith(
        f"On “{task.cases[0].name}” your function raised KeyError: 'seldom' (line "
    )
    assert verdict.fraction == pytest.approx(1 - 1 / len(task.cases))


def test_the_line_is_the_last_of_the_own_code():
    made = call_answer(lambda x: np.linalg.inv(x), {"x": np.zeros((2, 2))})
    assert made.error == RaisedError("LinAlgError", "Singular matrix", made.error.line, made.error.source)
    assert "np.linalg.inv(x)" in made.error.source


def test_a_syntax_error_has_the_line_of_the_text():
    with pytest.raises(SyntaxError) as caught:
        compile("x = 1\ny = (2\n", "<cell>", "exec")
    error = raised_error(caught.value)
    assert (error.type, error.line, error.source) == ("SyntaxError", 2, "y = (2")


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (RaisedError("ModuleNotFoundError", "No module named 'pandas.core'"), "`pandas` cannot be used here"),
        (RaisedError("NameError", "name 'q' is not defined"), "defines `q`"),
        (RaisedError("RecursionError", "maximum recursion depth exceeded"), "without end"),
        (RaisedError("TypeError", "f() takes 1 positional argument but 2 were given"), "how many arguments"),
    ],
)
def test_common_errors_come_with_advice(error, advice):
    assert advice in advice_on(error)


def test_an_error_without_a_line_ends_in_one_full_stop():
    assert describe_error(RaisedError("OSError", "No space left.")) == "OSError: No space left."
    assert describe_error(RaisedError("OSError")) == "OSError."


class HostileError(Exception):
    """An exception whose text raises in turn."""

    def __str__(self) -> str:
        raise RuntimeError


def test_an_exception_that_raises_when_shown_still_has_a_type():
    def fails(x):
        raise HostileError

    assert call_answer(fails, {"x": 1}).error.name == "HostileError"


@pytest.mark.parametrize("tree", [None, 3, "error", ["NameError"]])
def test_no_error_is_read_from_other_data(tree):
    assert read_error(tree) is None


def test_a_forged_error_is_plain_and_bounded():
    forged = {"type": "<b>", "message": "a\n\x1b[31m\u202e\ud800" * 999, "line": 10**12, "source": "`" * 9999}
    error = read_error(forged)
    assert (error.type, error.line) == ("Exception", 0)
    assert (len(error.message) <= 300, len(error.source) <= 160) == (True, True)
    assert all(letter.isprintable() for letter in error.message + error.source)
    assert "`" not in error.source
    assert read_error({"type": ["x"], "line": True}) == RaisedError("Exception")


def test_an_attempt_that_raised_has_no_value():
    assert call_answer(division, {"x": 1}) == CallResult(
        problem="raised", error=call_answer(division, {"x": 1}).error
    )


def test_a_singular_matrix_may_be_what_an_author_foresaw():
    """Solving the normal equations is right on an ordinary design and ends in an error on others."""
    task = read_key(KEYS["least_squares"]).tasks["careful_fit"]
    verdict = verdict_on("t", task, solved_the_normal_equations)
    assert verdict.misconception == "solved_the_normal_equations"
    assert "raised LinAlgError: Singular matrix" in verdict.message
    for name, other in read_key(KEYS["least_squares"]).tasks.items():
        if not other.is_sealed:
            assert verdict_on(name, other, singular).slip is None


def singular(*inputs):
    return np.linalg.inv(np.zeros((2, 2)))
