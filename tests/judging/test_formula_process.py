"""Formulas evaluated in a process that can be ended: the same values, and an end to those that take too long."""

import threading
import time

import numpy as np
import pytest

from autograder.answers.values import Expression, UnsupportedAnswerError
from autograder.judging import forms, formula_process
from autograder.judging.forms import ExpectedForm

POINTS = ({"a": 1.5, "b": 0.25}, {"a": -2.0, "b": 4.0})
LONG = "+".join(f"gamma(a+0.{number})" for number in range(1_000, 1_200))


def in_a_thread(function):
    """Each thread has a process of its own: one that tests may end."""
    found = []

    def run():
        with formula_process.formulas_in_subprocess():
            found.append(function())

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    return found[0]


@pytest.mark.parametrize(
    "answer",
    ["a + b", ["a", "log(b)", 2.0], [["a", "b"], ["sqrt(-a)", "1"]], "[a, b]", ("-a", Expression("a**b"))],
)
def test_another_process_finds_the_same_values(answer):
    wanted = ExpectedForm((np.shape(answer) or (2,),), POINTS)
    there = in_a_thread(lambda: forms.read_part(answer, wanted))
    np.testing.assert_array_equal(there, forms.read_part(answer, wanted))


def test_what_another_process_does_not_understand_is_said_in_the_same_words():
    def refused():
        with pytest.raises(UnsupportedAnswerError) as caught:
            forms.read_part("a + c", ExpectedForm(((),), POINTS))
        return str(caught.value)

    assert in_a_thread(refused) == refused()


def test_formulas_that_take_too_long_are_given_up_and_the_next_answer_is_read(monkeypatch):
    monkeypatch.setattr(formula_process, "PART_CPU_SECONDS", 0.2)

    def both():
        with pytest.raises(UnsupportedAnswerError, match="too long to evaluate"):
            forms.read_parts([LONG] * 8, ExpectedForm(((8,),), POINTS * 20))
        return forms.read_part("a + b", ExpectedForm(((),), POINTS))

    assert in_a_thread(both).tolist() == [1.75, 2.0]


def test_a_submission_has_a_limit_for_all_its_formulas(monkeypatch):
    monkeypatch.setattr(formula_process, "SUBMISSION_CPU_SECONDS", 0.0)

    def refused():
        with pytest.raises(UnsupportedAnswerError, match="too long to evaluate"):
            forms.read_part("a + b", ExpectedForm(((),), POINTS))
        return True

    assert in_a_thread(refused)


def test_more_formulas_than_could_be_asked_for_are_not_even_parsed():
    begun = time.process_time()
    with pytest.raises(UnsupportedAnswerError, match="5000 formulas; 3 were expected"):
        forms.read_parts([LONG] * 5_000, ExpectedForm(((3,),), POINTS))
    assert time.process_time() - begun < 5


def test_formulas_that_are_too_long_together_are_refused():
    with pytest.raises(UnsupportedAnswerError, match="too long to be read"):
        forms.read_parts([LONG] * 20, ExpectedForm(((20,),), POINTS))
