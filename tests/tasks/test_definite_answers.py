"""What a key holds is mathematics: another library's signs and bases would write the same bytes.

A decomposition leaves choices: signs, bases of eigenspaces, all null vectors. Here the libraries choose at random.
A wrong answer that changes with them is declared: `Misconception(…, indefinite=…)`.
"""

import pytest

from autograder.judging.key import Key, dump_key
from autograder.release.draw import task_key
from autograder.release.randomised_linalg import patched_linalg
from autograder.release.rules import broken_rules
from tests.tasks.drawing import key_of
from tests.tasks.test_all_tasks import TASKS, every_task

SEEDS = ["one", "other"]


def text_of(name, key):
    return dump_key(Key("x", "s", {name: key}))


@every_task
@pytest.mark.parametrize("seed", SEEDS)
def test_another_library_writes_the_same_key_and_its_users_get_the_same_hints(topic, name, seed):
    task = TASKS[topic, name]
    key = key_of(name, task, seed)
    if broken_rules(task, key):
        pytest.skip("this draw is drawn again")
    with patched_linalg(seed=5):
        again = task_key(task, {case.name: case.inputs for case in key.cases}, salt="s")
        assert text_of(name, again) == text_of(name, key)
        assert broken_rules(task, key) == []
