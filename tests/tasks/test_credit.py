"""The same slip earns the same share of the points in every task, and what a task is about costs something."""

import numpy as np
import pytest

from autograder.release.draw import rng_from_words
from autograder.release.mistakes import call_quietly
from autograder.release.quiet import quiet
from autograder.release.rules import judge_solution
from solutions.credits import FACTOR_OF_TWO, TRANSPOSED, UNIT_LENGTH
from tests.tasks.drawing import SEEDS, key_of
from tests.tasks.test_all_tasks import TASKS


def is_unit_length(wrong, right):
    """Are these the right columns, each divided by its length?"""
    if wrong.shape != right.shape or wrong.ndim != 2 or not (lengths := np.linalg.norm(right, axis=0)).all():
        return False
    is_longer = not np.allclose(lengths, 1.0, rtol=1e-3)
    return is_longer and np.allclose(np.abs(wrong), np.abs(right / lengths), rtol=1e-6, atol=1e-9)


def is_factor_of_two(wrong, right):
    """Is everything twice or half as large as it should be?"""
    size = np.abs(right).max()
    return size > 0 and any(
        np.shape(wrong) == right.shape and np.allclose(wrong, factor * right, rtol=1e-9, atol=1e-12 * size)
        for factor in (0.5, 2.0)
    )


def is_transposed(wrong, right):
    """Are rows and columns exchanged, of a matrix that is not symmetric?"""
    is_wide = right.ndim == 2 and wrong.ndim == 2 and min(right.shape) > 1
    is_telling = is_wide and (right.shape != right.T.shape or not np.allclose(right, right.T))
    return is_telling and wrong.shape == right.T.shape and np.allclose(wrong, right.T)


SLIPS = {
    "unit length": (is_unit_length, UNIT_LENGTH),
    "factor of two": (is_factor_of_two, FACTOR_OF_TWO),
    "transposed": (is_transposed, TRANSPOSED),
}


def mistakes_that(holds):
    """Find the misconceptions of tasks with one part that do so on every case of two draws."""
    for (topic, name), task in TASKS.items():
        if len(task.samenesses) > 1:
            continue
        draws = [task.draw(rng_from_words("credit", name, str(number))) for number in range(2)]
        cases = [inputs for draw in draws for inputs in draw.values()]
        for mistake in task.misconceptions:
            if all(does(holds, task, mistake, inputs) for inputs in cases):
                yield f"{topic}.{name}.{mistake.name}", mistake.credit


def does(holds, task, mistake, inputs):
    try:
        with quiet():
            wrong, right = (
                np.asarray(call_quietly(way, inputs), dtype=float) for way in (mistake.wrong, task.answer)
            )
    except Exception:  # a wrong way may stop as it likes
        return False
    return holds(wrong, right)


@pytest.mark.parametrize("slip", SLIPS)
def test_same_slip_earns_the_same_share_in_every_task(slip):
    holds, share = SLIPS[slip]
    credits = dict(mistakes_that(holds))
    assert len(credits) >= 2
    assert {name: credit for name, credit in credits.items() if credit != share} == {}


LEAST_COST = 1 / 12  # of the points: what a task is about costs more


@pytest.mark.parametrize(("topic", "name"), [pytest.param(*pair, id=".".join(pair)) for pair in TASKS])
def test_mistake_costs_more_than_a_twelfth_and_never_less_than_it_says(topic, name):
    task = TASKS[topic, name]
    key = key_of(name, task, SEEDS[0])
    for mistake in task.misconceptions:
        verdict = judge_solution(task, key, mistake.wrong)
        assert mistake.credit <= verdict.fraction < 1 - LEAST_COST, mistake.name
        assert verdict.earned > 0 or not verdict.survived, f"{mistake.name}: no points, and right already"
