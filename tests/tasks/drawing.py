"""Draw a task's cases for a test, with fingerprints that are quick to compute."""

import pytest

from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.release.draw import rng_from_words, task_key
from tests.conftest import ROOT

SEEDS = [f"seed {number}" for number in range(5)]
every_seed = pytest.mark.parametrize("seed", SEEDS)


def key_of(name, task, seed):
    """The key of one draw."""
    return task_key(task, task.draw(rng_from_words(seed, name)), salt="s")


def draws_of(topic):
    """A function for one topic: `drawn("scores", seed)` is that task and the key of its draw."""
    tasks = load_tasks(Course(ROOT), topic)
    return lambda name, seed: (tasks[name], key_of(name, tasks[name], seed))


def numbers_of(key):
    """The numbers of the only case: those that stand in the text of a task by hand."""
    (case,) = key.cases
    return list(case.inputs.values())


def wrong_way(task, mistake):
    """The wrong program behind a named mistake of a task."""
    (wrong,) = (one.wrong for one in task.misconceptions if one.name == mistake)
    return wrong
