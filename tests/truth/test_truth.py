"""Grading tells the truth on answers that students might write.

Right in any form, wrong never, and mostly with a reason.
"""

from functools import cache

import pytest

from autograder.course.course import Course
from tests.conftest import ROOT
from tests.truth.answers import SETS, answers, names, public_key, topics, verdict

COURSE = Course(ROOT)
every_topic = pytest.mark.parametrize(
    ("which", "topic"), [(which, topic) for which in SETS for topic in topics(which)]
)


@cache
def judged(which, topic):
    """Every answer of a topic in a set with the verdict on it; judged once for all tests."""
    key, called = public_key(COURSE, topic), names(COURSE, topic)
    return [(one, verdict(one, key, called[one.task])) for one in answers(topic, which)]


@every_topic
def test_right_answers_in_any_form_earn_full_marks(which, topic):
    rejected = [
        f"{one.task}, {one.why}: {said.message}"
        for one, said in judged(which, topic)
        if one.is_right and not said.passed
    ]
    assert not rejected


@every_topic
def test_wrong_answers_never_do(which, topic):
    accepted = [
        f"{one.task}, {one.why}" for one, said in judged(which, topic) if not one.is_right and said.passed
    ]
    assert not accepted


@every_topic
def test_no_answer_makes_the_judge_fail(which, topic):
    assert not [said.fault for _, said in judged(which, topic) if said.fault]
