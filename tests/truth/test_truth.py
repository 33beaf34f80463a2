"""Grading tells the truth on answers that students might write.

Right in any form, wrong never, and mostly with a reason.
"""

import pytest

from autograder.course.course import Course
from tests.conftest import ROOT
from tests.truth.answers import answers, names, public_key, topics, verdict

COURSE = Course(ROOT)
every_topic = pytest.mark.parametrize("topic", topics())


def judged(topic, *, right):
    key, called = public_key(COURSE, topic), names(COURSE, topic)
    for answer in answers(topic):
        if answer.is_right is right:
            yield answer, verdict(answer, key, called[answer.task])


@every_topic
def test_right_answers_in_any_form_earn_full_marks(topic):
    rejected = [
        f"{one.task}, {one.why}: {said.message}" for one, said in judged(topic, right=True) if not said.passed
    ]
    assert not rejected


@every_topic
def test_wrong_answers_never_do(topic):
    accepted = [f"{one.task}, {one.why}" for one, said in judged(topic, right=False) if said.passed]
    assert not accepted


@every_topic
def test_no_answer_makes_the_judge_fail(topic):
    faults = [said.fault for right in (True, False) for _, said in judged(topic, right=right) if said.fault]
    assert not faults
