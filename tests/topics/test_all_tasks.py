"""What holds for every task of every topic, on numbers nobody chose."""

import re

import numpy as np
import pytest

from autograder.book import labels
from autograder.certificate import broken_rules, verdict_on_way
from autograder.course import Course
from autograder.judge import parts_of
from autograder.sameness import up_to_basis, up_to_direction
from autograder.variant import stream
from tests.conftest import ROOT
from tests.topics.drawing import SEEDS, key_of

COURSE = Course(ROOT)
TASKS = {(topic, name): task for topic in COURSE.topics() for name, task in COURSE.tasks(topic).items()}
every_task = pytest.mark.parametrize(
    ("topic", "name"), [pytest.param(*pair, id=".".join(pair)) for pair in TASKS]
)
every_topic = pytest.mark.parametrize("topic", COURSE.topics())


@every_task
@pytest.mark.parametrize("seed", SEEDS)
def test_right_ways_pass_and_each_mistake_is_recognised_as_itself(topic, name, seed):
    task = TASKS[topic, name]
    key = key_of(name, task, seed)
    if any(task.ill_posed(*case.inputs.values()) for case in key.cases):
        pytest.skip("an ill-posed draw is drawn again")
    assert broken_rules(task, key) == []


@every_task
def test_few_draws_are_ill_posed(topic, name):
    task = TASKS[topic, name]
    draws = [task.draw(stream("well posed", str(number))) for number in range(30)]
    refused = sum(any(task.ill_posed(*inputs.values()) for inputs in draw.values()) for draw in draws)
    assert refused <= 10


@every_task
def test_every_task_has_another_right_way(topic, name):
    assert TASKS[topic, name].alternatives


@every_task
def test_labels_are_in_the_book(topic, name):
    task = TASKS[topic, name]
    assert {task.see, *(wrong.see for wrong in task.misconceptions)} <= set(labels(COURSE.book))


@every_task
def test_two_draws_have_different_numbers(topic, name):
    first, second = (TASKS[topic, name].draw(stream(word, name)) for word in ("public", "secret"))
    assert any(
        not np.array_equal(value, second[case][argument])
        for case, inputs in first.items()
        for argument, value in inputs.items()
    )


def slightly_off(part, same):
    """The part changed by a thousandth of its size: longer, or turned where only a direction or a plane counts."""
    part = np.asarray(part, dtype=float)
    if same is up_to_direction:
        return part + 1e-3 * np.linalg.norm(part) * np.roll(
            np.eye(len(part))[0], int(np.argmin(np.abs(part)))
        )
    if same is up_to_basis:
        return part + 2e-3 * np.linalg.norm(part) * np.eye(*part.shape, k=-1)
    return part * 1.001 + (part == 0).all() * 1e-2


@every_task
@pytest.mark.parametrize("seed", SEEDS[:2])
def test_an_answer_off_by_a_thousandth_fails_in_every_part(topic, name, seed):
    task = TASKS[topic, name]
    key = key_of(name, task, seed)
    for position, same in enumerate(task.samenesses):

        def nearly(*inputs, position=position, same=same):
            parts = list(parts_of(key, task.answer(*inputs)))
            parts[position] = slightly_off(parts[position], same)
            return tuple(parts) if len(parts) > 1 else parts[0]

        assert not verdict_on_way(task, key, nearly).passed


@every_task
def test_the_notebook_states_points_and_minutes(topic, name):
    text = COURSE.notebook_text(topic)
    above = text[: text.index(f'check("{topic}.{name}", ')]
    points, minutes = re.findall(r"\((\d+) points?, about (\d+) minutes\)", above)[-1]
    assert (int(points), int(minutes)) == (TASKS[topic, name].points, TASKS[topic, name].minutes)


@every_topic
def test_the_notebook_states_its_total(topic):
    text = COURSE.notebook_text(topic)
    stated = int(re.search(r"There are (\d+) points", text)[1])
    asked = sum(int(points) for points in re.findall(r'"points": (\d+)', text))
    assert stated == asked + sum(task.points for task in COURSE.tasks(topic).values())


@every_topic
def test_every_topic_has_an_open_question_with_a_rubric(topic):
    text = COURSE.notebook_text(topic)
    assert '+++ {"question":' in text
    assert re.search(r"rubric|points? (?:for|if)|graded by", text, re.IGNORECASE)
