"""Wrong programs that only an announced situation tells from a right one lose points, on every key.

The texts say that points may coincide, that tensions may be weak, that a table may have large negative eigenvalues.
Each program of `ignored_situations` is right but for one such sentence. Readers of the exercises wrote most of them.
"""

import functools

import pytest

from autograder.authoring.topic import load_tasks
from autograder.course.course import Course
from autograder.release.draw import draw_task
from autograder.release.rules import judge_solution
from tests.conftest import ROOT
from tests.tasks.ignored_situations import PROGRAMS

SEEDS = ("2027", "tulip", "third")


@functools.cache
def tasks_of(topic):
    return load_tasks(Course(ROOT), topic)


@functools.cache
def keys_of(topic, name, seed):
    """Return the certified public and secret keys of a seed."""
    drawn = draw_task(f"{topic}.{name}", tasks_of(topic)[name], seed, "a secret")
    return drawn.public, drawn.secret


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("topic", "name", "program"),
    [pytest.param(*row, id=f"{row[0]}.{row[1]}-{row[2].__name__}") for row in PROGRAMS],
)
def test_program_that_ignores_a_situation_loses_points(topic, name, program, seed):
    for key in keys_of(topic, name, seed):
        assert not judge_solution(tasks_of(topic)[name], key, program).passed
