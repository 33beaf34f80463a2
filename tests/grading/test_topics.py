"""Several topics graded together: the same files and scores as one by one, and workers that never wait."""

import shutil

import pytest

from autograder.course.course import Course
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.gradebook import scores
from autograder.grading.topics import grade_topics
from autograder.grading.workers import local_grading_pool
from tests.grading.small_class import WRONG, hand_in, written_files
from tests.grading.two_topics import FIRST, SECOND, add_second_topic


@pytest.fixture(scope="module")
def examiners():
    with local_grading_pool(2) as workers:
        yield workers


@pytest.fixture
def two_topics(classroom):
    add_second_topic(classroom)
    for topic in (FIRST, SECOND):
        hand_in(classroom, "ada", topic=topic)
        hand_in(classroom, "bob", topic=topic, total=WRONG)
        hand_in(classroom, "cyd", topic=topic, total=WRONG)  # as bob's, byte for byte
    classroom.paths.submission("dan", SECOND).parent.mkdir(parents=True)
    classroom.paths.submission("dan", SECOND).write_text("not a notebook", "utf-8")
    return classroom


class Recording:
    """Examiners that note the topic of every job."""

    def __init__(self, examiners):
        self.examiners, self.protections, self.topics = examiners, examiners.protections, []

    def submit(self, job):
        self.topics.append(job.assignment.topic)
        return self.examiners.submit(job)


def test_topics_graded_together_get_the_files_of_a_plain_run(two_topics, examiners, tmp_path):
    plain = Course(tmp_path / "plain")
    shutil.copytree(two_topics.root, plain.root)
    for topic in (FIRST, SECOND):
        grade(plain, topic, examiners)
    recording = Recording(examiners)
    grades = list(grade_topics(two_topics, [FIRST, SECOND], recording))
    assert [result.topic for result in grades] == [FIRST, SECOND]
    assert written_files(two_topics) == written_files(plain)
    assert all(scores(two_topics, topic) == scores(plain, topic) for topic in (FIRST, SECOND))
    assert sorted(recording.topics) == [SECOND] * 4 + [FIRST] * 3, "nothing is run twice"


def test_a_later_topic_is_submitted_before_the_first_is_written(two_topics, examiners):
    recording, submitted = Recording(examiners), []
    list(
        grade_topics(
            two_topics,
            [FIRST, SECOND],
            recording,
            None,
            lambda outcome: submitted.append(len(recording.topics)),
        )
    )
    assert submitted[0] > 3, "the first topic has three submissions"


def test_a_submission_replaced_before_its_turn_is_graded_as_it_is_then(two_topics, examiners):
    turns = grade_topics(two_topics, [FIRST, SECOND], examiners)
    next(turns)
    hand_in(two_topics, "bob", topic=SECOND)
    outcomes = {outcome.student: outcome.score for outcome in next(turns).outcomes}
    assert outcomes == {"ada": 5.0, "bob": 5.0, "cyd": 3.5, "dan": 0.0}


def test_a_topic_that_cannot_be_graded_stops_no_other(two_topics, examiners):
    two_topics.paths.secret_key(FIRST).unlink()
    first, second = grade_topics(two_topics, [FIRST, SECOND], examiners)
    assert "was not released here" in first.problem
    assert len(second.outcomes) == 4


def test_unchanged_submissions_of_later_topics_are_not_run_again(two_topics, examiners):
    list(grade_topics(two_topics, [FIRST, SECOND], examiners))
    recording = Recording(examiners)
    list(grade_topics(two_topics, [FIRST, SECOND], recording))
    assert recording.topics == []
    list(grade_topics(two_topics, [FIRST, SECOND], recording, GradingOptions(force=True)))
    assert len(recording.topics) == 7
