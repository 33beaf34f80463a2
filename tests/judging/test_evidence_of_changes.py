"""The messages on numbers that several plain changes explain, that are zero, or that stand in another order."""

import numpy as np
import pytest

from autograder.answers.attempt import value
from autograder.authoring.mutants import mutants
from autograder.authoring.task import Misconception, Task
from autograder.judging.check import verdict_on
from autograder.judging.judge import judge
from autograder.judging.relations import describe_relation
from autograder.judging.sameness import exactly
from autograder.release.draw import task_key
from autograder.release.mistakes import applicable_mistakes

INPUTS = {"the numbers of the text": {"x": np.array([-2.0, 7.0, 11.0])}}


def message_by_hand(answer, given, n_parts=1):
    """Return what a task worked out by hand with this right answer says of another one."""
    task = Task("hand", 1, 1, lambda rng: INPUTS, answer, "eq-x", same=(exactly,) * n_parts)
    return judge("t", task_key(task, INPUTS, "salt", applicable_mistakes(task)), [value(given)]).message


def test_number_with_a_simple_factor_is_not_called_a_power():
    # -1/2 for -2 is a quarter of it and one divided by it
    said = message_by_hand(lambda x: (float(x[0]), float(x[1])), (-0.5, 7.0), n_parts=2)
    assert said == "Part 2 is right. Part 1 is a quarter of what it should be."


def test_number_that_is_only_a_power_is_called_so():
    said = message_by_hand(lambda x: float(x[2]), 1 / 11)
    assert said == "Your answer is upside down: one divided by what it should be."


@pytest.mark.parametrize(
    ("right", "answer", "said"),
    [
        ([1.0, 2.0, 5.0, 7.0], [1.5, 3.1, 7.0, 8.0], "Every entry of {it} is too large in size."),
        (
            [0.0, 1.0, 2.0, 5.0, 7.0],
            [0.0, 1.5, 3.1, 7.0, 8.0],
            "Every entry of {it} that should not be zero is too large in size.",
        ),
        (
            [0.0, -1.0, 2.0, 5.0, 7.0],
            [0.0, -0.9, 1.1, 3.0, 6.0],
            "Every entry of {it} that should not be zero is too small in size.",
        ),
    ],
)
def test_zero_is_not_called_too_small_or_too_large(right, answer, said):
    assert describe_relation(np.array(answer), np.array(right), exactly) == said


def test_three_parts_in_another_order_are_told_in_one_sentence():
    def three(x):
        return float(x[1]) * 3, float(x[2]) * 5, float(x[2]) * 7 + 2

    said = message_by_hand(three, [79.0, 21.0, 55.0], n_parts=3)
    assert said == "The right numbers are there, but in another order: see what each part asks for."


def gaps(x):
    """The distances between neighbours in a list, as a table with zeros elsewhere."""
    return np.diag(np.diff(np.sort(x)), k=1)


def sorted_nothing(x):
    return np.diag(np.diff(x), k=1)


def infinite_elsewhere(way):
    return lambda x: np.where(np.eye(len(x), k=1) > 0, way(x), np.inf)


@pytest.mark.parametrize(
    ("way", "said"),
    [
        (gaps, "Your answer is right but for its infinite entries: zeros belong there."),
        (sorted_nothing, "Sort first."),
        (lambda x: np.diag(np.diff(x) ** 2 + 1, k=1), "holds infinite entries."),
    ],
)
def test_infinite_entries_do_not_hide_what_the_others_show(way, said):
    cases = {"three": {"x": np.array([3.1, 7.9, 5.2])}, "four": {"x": np.array([2.2, 9.7, 1.3, 4.8])}}
    mistakes = (Misconception(sorted_nothing, hint="Sort first.", see="eq-x"),)
    task = Task("code", 1, 1, lambda rng: cases, gaps, "eq-x", misconceptions=mistakes)
    key = task_key(task, cases, "salt", applicable_mistakes(task))
    assert verdict_on("t", key, infinite_elsewhere(way)).message.endswith(said)


def second_smallest(x):
    return np.sort(x)[1]


def test_neighbouring_index_is_not_called_a_fixed_number():
    changes = {mutant.word for mutant in mutants(second_smallest)}
    assert {"next entry taken", "entry before taken"} <= changes
    assert not {"number one more", "number one less"} & changes
