"""Right answers earn full marks in every guise; a sample of tasks, all of them in `python -m benchmarks.same_score`."""

import pytest

from autograder.authoring.topic import load_tasks, solutions
from autograder.course.course import Course
from autograder.release.mutate import try_task
from benchmarks.same_score import right_work
from tests.conftest import ROOT
from tests.tasks.drawing import key_of

COURSE = Course(ROOT)
SAMPLE = [(topic, list(load_tasks(COURSE, topic))[place % 5]) for place, topic in enumerate(COURSE.topics())]


@pytest.mark.parametrize(("topic", "name"), SAMPLE)
def test_right_answers_in_every_guise_earn_full_marks(topic, name):
    task = load_tasks(COURSE, topic)[name]
    judged = list(right_work(task, key_of(name, task, "guises"), solutions(COURSE, topic).get(name)))
    assert len(judged) >= len(task.alternatives)
    assert not [way for way, verdict in judged if not verdict.passed]


@pytest.mark.parametrize(("topic", "name"), [("covariance", "after_a_map"), ("pca", "variance_along")])
def test_no_wrong_program_passes_every_draw(topic, name):
    trial = try_task(
        f"{topic}.{name}", load_tasks(COURSE, topic)[name], solutions(COURSE, topic).get(name), 2
    )
    assert trial.made > 50
    assert not trial.weak
