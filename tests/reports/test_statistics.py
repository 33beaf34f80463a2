"""The numbers of a report by their definitions, on tables small enough to check by hand."""

import numpy as np
import pytest

from autograder.judging.key import Key, SealedCase, TaskKey
from autograder.reports import fairness, statistics


def test_discrimination_is_the_correlation_with_the_rest_and_not_with_the_total():
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(400, 3))
    points = np.column_stack([noise[:, 0], noise[:, 1], noise[:, 2]])
    # of three independent columns each has correlation 1/√3 with the total, and none with the rest
    assert all(abs(one) < 0.15 for one in statistics.discriminations(points))
    same = np.column_stack([noise[:, 0], noise[:, 0], noise[:, 0]])
    assert statistics.discriminations(same) == pytest.approx([1.0, 1.0, 1.0])


def test_reliability_of_parallel_tasks_follows_spearman_and_brown():
    rng = np.random.default_rng(1)
    skill = rng.normal(size=(20_000, 1))
    points = skill + rng.normal(size=(20_000, 4))  # each task: half of its variance is skill
    assert statistics.reliability(points) == pytest.approx(4 * 0.5 / (1 + 3 * 0.5), abs=0.01)


@pytest.mark.parametrize("number", [0, 1, 2, 9])
def test_few_students_have_no_correlations(number):
    points = np.random.default_rng(2).normal(size=(number, 3))
    assert statistics.discriminations(points) == [None] * 3
    assert statistics.reliability(points) is None


def test_a_task_that_everybody_solved_discriminates_nothing():
    points = np.random.default_rng(3).normal(size=(30, 3))
    points[:, 1] = 2.0
    found = statistics.discriminations(points)
    assert found[1] is None
    assert None not in (found[0], found[2])


def test_full_marks_are_in_the_last_bin_and_nothing_is_lost():
    found = statistics.bins([0.0, 0.1, 0.3, 0.999, 1.0])
    assert [one["count"] for one in found] == [1, 1, 0, 1, 0, 0, 0, 0, 0, 2]
    assert statistics.bins([])[0]["count"] == 0


def test_a_harder_variant_stands_apart():
    rng = np.random.default_rng(4)
    shares = {f"a{i}": 0.8 + 0.05 * rng.normal() for i in range(20)}
    shares |= {f"b{i}": 0.4 + 0.05 * rng.normal() for i in range(20)} | {"c": 0.1}
    variants = {student: student[0] for student in shares}
    rows = fairness.by_variant(variants, shares)
    assert [row["variant"] for row in rows] == ["a", "b"]  # one student is no group
    assert rows[0]["apart"] > 3
    assert rows[1]["apart"] < -3


def key_with(numbers):
    case = SealedCase("c", {"u": np.array(numbers)}, ((),), (1.0,), "", ("",), ((),), ((),))
    return Key("t", "s", {"by_hand": TaskKey("hand", 1.0, ("exactly",), 1e-6, "", {}, (case,))})


def test_longer_numbers_that_earn_less_are_marked_and_others_are_not():
    keys = {f"s{i}": key_with([10.0**place for place in range(i % 6 + 1)]) for i in range(60)}
    assert fairness.length(keys["s0"], "by_hand") == 1
    assert fairness.length(keys["s2"], "by_hand") == 6
    unfair = {
        one: {"by_hand": 1.0 if fairness.length(key, "by_hand") < 10 else 0.0} for one, key in keys.items()
    }
    assert fairness.by_length(keys, unfair)[0]["suspicious"]
    fair = {one: {"by_hand": float(place % 2)} for place, one in enumerate(sorted(keys))}
    assert not fairness.by_length(keys, fair)[0]["suspicious"]
