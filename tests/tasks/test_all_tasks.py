"""What holds for every task of every topic, on numbers nobody chose.

What is special about a topic stands in test_<topic>.py, if anything is; it also has two tables for the tests here:
`formulas()`, the right answer and a classic mistake of each task in symbols, and HALF_RIGHT.
"""

import functools
import importlib
import re
from itertools import combinations

import numpy as np
import pytest
import sympy as sp

from autograder.authoring.topic import load_tasks, read_notebook_text
from autograder.book.labels import labels
from autograder.course.course import Course
from autograder.judging.check import verdict_on
from autograder.judging.forms import split_parts
from autograder.judging.sameness import discrepancy, up_to_basis, up_to_direction
from autograder.release.draw import rng_from_words
from autograder.release.mistakes import listed_parts, parts_from
from autograder.release.rules import broken_rules, judge_solution
from tests.conftest import ROOT
from tests.tasks.drawing import SEEDS, every_seed, key_of, wrong_way

COURSE = Course(ROOT)
TASKS = {(topic, name): task for topic in COURSE.topics() for name, task in load_tasks(COURSE, topic).items()}
SPECIAL = {
    topic: importlib.import_module(f"tests.tasks.test_{topic}")
    for topic in COURSE.topics()
    if (ROOT / "tests" / "tasks" / f"test_{topic}.py").is_file()
}


def over_tasks(kind=None):
    pairs = [pair for pair, task in TASKS.items() if kind in (None, task.kind)]
    return pytest.mark.parametrize(
        ("topic", "name"), [pytest.param(*pair, id=".".join(pair)) for pair in pairs]
    )


every_task = over_tasks()
with_a_pencil = pytest.mark.parametrize(
    ("topic", "name"),
    [
        pytest.param(*pair, id=".".join(pair))
        for pair, task in TASKS.items()
        if task.kind == "hand" and not task.by_looking  # real measurements are neither whole nor small
    ],
)
every_topic = pytest.mark.parametrize("topic", COURSE.topics())


@every_task
@every_seed
def test_right_ways_pass_and_each_mistake_is_recognised_as_itself(topic, name, seed):
    task = TASKS[topic, name]
    key = key_of(name, task, seed)
    if any(task.ill_posed(*case.inputs.values()) for case in key.cases):
        pytest.skip("an ill-posed draw is drawn again")
    # so is one that lets a wrong program pass by luck, whose numbers agree by luck, or whose answer is nearly rounded
    by_chance = ("by luck", "at the edge of its rounding")
    assert [rule for rule in broken_rules(task, key) if not rule.endswith(by_chance)] == []


@every_task
def test_few_draws_are_ill_posed(topic, name):
    task = TASKS[topic, name]
    draws = [task.draw(rng_from_words("well posed", str(number))) for number in range(30)]
    refused = sum(any(task.ill_posed(*inputs.values()) for inputs in draw.values()) for draw in draws)
    assert refused <= 10


@every_task
def test_every_task_has_another_right_way(topic, name):
    assert TASKS[topic, name].alternatives


@every_task
def test_labels_are_in_the_book(topic, name):
    task = TASKS[topic, name]
    assert {task.see, *(wrong.see for wrong in task.misconceptions)} <= labels_of_the_book()


@functools.cache
def labels_of_the_book():
    return set(labels(COURSE.book))


@every_task
def test_two_draws_have_different_numbers(topic, name):
    first, second = (TASKS[topic, name].draw(rng_from_words(word, name)) for word in ("public", "secret"))
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
            given = listed_parts(task, task.answer(*inputs))
            parts = list(split_parts(given, len(task.samenesses)))
            parts[position] = slightly_off(parts[position], same)
            return tuple(parts) if len(parts) > 1 else parts[0]

        assert not judge_solution(task, key, nearly).passed


FORMS = (lambda part: part, sp.simplify, sp.expand, sp.factor, lambda part: sp.expand(part, trig=True), str)


@over_tasks("sym")
@every_seed
def test_a_derivation_in_sympy_passes_in_any_form_and_a_classic_mistake_is_recognised(topic, name, seed):
    key = key_of(name, TASKS[topic, name], seed)
    _, wrong, mistake = SPECIAL[topic].formulas()[name]
    for answer in forms_of_the_formula(topic, name):
        assert verdict_on("", key, answer).passed
    assert verdict_on("", key, wrong).misconception == mistake


@functools.cache
def forms_of_the_formula(topic, name):
    right = SPECIAL[topic].formulas()[name][0]
    return [[form(part) for part in right] if isinstance(right, list) else form(right) for form in FORMS]


@every_seed
@pytest.mark.parametrize(
    ("topic", "name", "mistake", "share"),
    [(topic, *row) for topic, module in SPECIAL.items() for row in module.HALF_RIGHT],
)
def test_situations_separate_half_understanding(topic, name, mistake, share, seed):
    task = TASKS[topic, name]
    verdict = judge_solution(task, key_of(name, task, seed), wrong_way(task, mistake))
    assert verdict.fraction == pytest.approx(share)


# By hand: the largest number that is printed, and the decimals of an answer; topics that differ from the others.
LARGEST, DECIMALS = {"toolkit": 40, "covariance": 80}, {"toolkit": 0, "covariance": 0}
USED_ONCE = {"penalty", "n_dimensions"}  # such a number may be larger: nobody has to square it


def by_hand(task):
    return [next(iter(task.draw(rng_from_words("by hand", str(number))).values())) for number in range(60)]


@with_a_pencil
def test_numbers_by_hand_are_whole_and_small_and_answers_short(topic, name):
    task = TASKS[topic, name]
    for inputs in by_hand(task):
        for argument, value in inputs.items():
            assert np.array_equal(np.asarray(value), np.round(value))
            assert argument in USED_ONCE or np.abs(value).max() <= LARGEST.get(topic, 60)
        for part, same in zip(parts_from(task, task.answer, inputs), task.samenesses, strict=True):
            short = np.round(part, DECIMALS.get(topic, 3))
            assert same is up_to_direction or np.allclose(part, short, rtol=0, atol=1e-9)


@with_a_pencil
def test_no_two_ways_by_hand_nearly_agree(topic, name):
    task = TASKS[topic, name]
    ways = [task.answer, *(wrong.wrong for wrong in task.misconceptions)]
    for inputs in by_hand(task):
        answers = [parts_from(task, way, inputs) for way in ways]
        for one, other in combinations(answers, 2):
            gaps = [
                discrepancy(np.asarray(a, dtype=float), np.asarray(b, dtype=float), same)
                for a, b, same in zip(one, other, task.samenesses, strict=True)
            ]
            assert max(gaps) > 0.015


@every_task
def test_the_notebook_states_points_and_minutes(topic, name):
    """The number of points is the task's: it is put in when the notebook is made."""
    text = read_notebook_text(COURSE, topic)
    above = text[: text.index(f'check("{topic}.{name}", ')]
    minutes = re.findall(r"\(\d+ points?, about (\d+) minutes\)", above)[-1]
    assert int(minutes) == TASKS[topic, name].minutes


@every_topic
def test_the_notebook_states_its_total(topic):
    assert re.search(r"There (?:is|are) \d+ points?", read_notebook_text(COURSE, topic))


@every_topic
def test_an_open_question_has_a_rubric(topic):
    """A small topic may have none."""
    text = read_notebook_text(COURSE, topic)
    if '+++ {"question":' in text:
        assert re.search(r"rubric|points? (?:for|if)|graded by", text, re.IGNORECASE)


@every_topic
def test_symbols_have_a_cell_of_their_own(topic):
    """Whoever replaces the text of an answer cell keeps the symbols."""
    for cell in re.findall(
        r"```\{code-cell\} ipython3\n(.*?)```", read_notebook_text(COURSE, topic), re.DOTALL
    ):
        handed_out = re.sub(r"### BEGIN SOLUTION.*?### END SOLUTION", "", cell, flags=re.DOTALL)
        assert handed_out == cell or "symbols(" not in handed_out
