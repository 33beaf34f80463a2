"""Formulas are compared where each of two symbols is the larger one somewhere, unless the text orders them.

Otherwise a formula that holds only where a < b, such as one with a maximum, would earn full marks.
"""

import itertools

import numpy as np
import pytest

from autograder.release.draw import rng_from_words
from tests.tasks.test_all_tasks import TASKS

FORMULAS = [(topic, name) for (topic, name), task in TASKS.items() if task.kind == "sym"]
SEEDS = ("2027", "tulip", "third", "fourth")
ORDERED = {  # (smaller, larger) by the text of a task
    ("pca", "curvature"): {("b", "a"), ("c", "a"), ("c", "b")},
    ("svd", "two_errors"): {("b", "a"), ("c", "a"), ("c", "b")},
    ("practice", "hiding_together"): {("k", "N")},
    ("laplacian_eigenmaps", "cut_cost"): {("c", "g"), ("c", "v"), ("g", "v"), ("r", "n")},
    ("covariance", "entry_from_spreads"): {("t", "p"), ("t", "q"), ("t", "r")},  # t is an angle
}
PARTS = {  # (part, whole) by the text: the part is less and more than a half of the whole somewhere
    ("practice", "hiding_together"): {("k", "N")},
    ("laplacian_eigenmaps", "cut_cost"): {("r", "n"), ("g", "v")},
}


def points(topic, name, seed):
    """Return the sample points of the only case of a draw."""
    (case,) = TASKS[topic, name].draw(rng_from_words("order", name, seed)).values()
    return {symbol: np.asarray(values) for symbol, values in case.items()}


@pytest.mark.parametrize(("topic", "name"), FORMULAS)
def test_each_of_two_symbols_is_larger_somewhere(topic, name):
    draws = [points(topic, name, seed) for seed in SEEDS]
    orders = set(itertools.permutations(draws[0], 2)) - ORDERED.get((topic, name), set())
    orders -= {(larger, smaller) for smaller, larger in ORDERED.get((topic, name), set())}
    assert {
        pair for pair in orders if not any((draw[pair[0]] < draw[pair[1]]).any() for draw in draws)
    } == set()


@pytest.mark.parametrize(("topic", "name"), PARTS)
@pytest.mark.parametrize("seed", SEEDS)
def test_part_is_less_and_more_than_half_of_its_whole(topic, name, seed):
    draw = points(topic, name, seed)
    for part, whole in PARTS[topic, name]:
        shares = draw[part] / draw[whole]
        assert shares.min() < 0.5 < shares.max() < 1
