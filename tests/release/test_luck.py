"""The luck of the draw decides nothing: a mistake costs the same on every draw, a lucky program passes none."""

import numpy as np
import pytest

from autograder.authoring.mutation_record import load_records, require_lucky, with_lucky, write_beside
from autograder.authoring.task import Misconception, Task
from autograder.authoring.topic import load_tasks, solutions
from autograder.authoring.trials import Survivor, Trial
from autograder.course.course import Course
from autograder.judging.sameness import exactly
from autograder.release.draw import draw_secret, task_key, usual_shares
from autograder.release.rules import broken_rules, points_by_misconception, typical_points
from tests.conftest import ROOT

COURSE = Course(ROOT)
TRIED = [topic for topic in COURSE.topics() if load_records(COURSE.source(topic))]


def draw(rng):
    """Two short lists, each of them sorted by luck, and a long one that never is."""
    lists = {f"list {number}": {"x": rng.permutation([1.0, 2.0])} for number in (1, 2)}
    return {**lists, "a long list": {"x": np.array([5.0, 1.0, 7.0, 3.0])}}


def answer(x):
    return np.sort(x), float(x[0] - x[-1])


def sorted_another_way(x):
    return sorted(x), x[0] - x[-1]


def left_the_order(x):
    return x, answer(x)[1]


TASK = Task(
    kind="code", points=2, minutes=1, draw=draw, answer=answer, see="eq-x", alternatives=(sorted_another_way,),
    same=(exactly, exactly),
    misconceptions=(Misconception(left_the_order, hint="sort", see="eq-x"),),
)  # fmt: skip


def test_a_mistake_earns_the_same_share_on_every_draw():
    free = {
        tuple(points_by_misconception(TASK, task_key(TASK, draw(np.random.default_rng(n)))).values())
        for n in range(20)
    }
    assert len(free) == 3, "the draws themselves differ"
    drawn = [draw_secret("luck", TASK, "seed", f"secret {number}") for number in range(12)]
    assert {tuple(points_by_misconception(TASK, key).items()) for key, _ in drawn} == {
        tuple(usual_shares(TASK).items())
    }
    refused = [why for _, whys in drawn for why in whys]
    assert refused
    assert all("'left_the_order' earns" in why and "on other draws" in why for why in refused)


def test_the_usual_shares_are_those_of_a_draw_that_was_seen():
    seen = [{"a": 0.0, "b": 0.5}, {"a": 0.0, "b": 0.25}, {"a": 0.5, "b": 0.25}, {}]
    assert typical_points(seen) == {"a": 0.0, "b": 0.25}


def test_a_program_that_mutation_found_to_be_lucky_must_fail():
    lucky = with_lucky(
        TASK, (("answer", "parts exchanged", 1), ("answer", "took x for sorted downwards", 1)), None
    )
    rising = task_key(TASK, {"a": {"x": np.array([3.0, 2.0, 1.0])}})
    assert broken_rules(lucky, rising) == [
        "the wrong program 'answer, took x for sorted downwards' passes by luck"
    ]
    assert broken_rules(lucky, task_key(TASK, {"a": {"x": np.array([3.0, 1.0, 2.0])}})) == []


@pytest.mark.parametrize("topic", TRIED)
def test_lucky_programs_on_file_can_still_be_made(topic):
    tasks, own = load_tasks(COURSE, topic), solutions(COURSE, topic)
    for name, found in load_records(COURSE.source(topic)).items():
        assert found.counts["tried"] >= sum(
            number for fate, number in found.counts.items() if fate != "tried"
        )
        if found.lucky:
            require_lucky(f"{topic}.{name}", tasks[name], found, own.get(name))


def test_a_program_that_most_draws_let_pass_need_not_fail(tmp_path):
    trial = Trial("topic.task", 5, lucky=[Survivor("answer", "seldom", 2), Survivor("answer", "mostly", 3)])
    write_beside(tmp_path, [trial], {"task": {"answer"}})
    assert load_records(tmp_path)["task"].lucky == (("answer", "seldom", 1),)
