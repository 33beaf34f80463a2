"""`topics = [...]` in course.toml: everything speaks of the chosen topics alone."""

import json

import pytest

from autograder.book.assignments import assignments
from autograder.course.course import Course
from autograder.errors import CourseError
from tests.command import dimred
from tests.grading.small_class import TOPIC, hand_in
from tests.grading.two_topics import FIRST, SECOND, add_second_topic


@pytest.fixture
def two_topics(classroom):
    add_second_topic(classroom)
    for topic in (FIRST, SECOND):
        hand_in(classroom, "ada", topic)
    return classroom


def choose(course, line):
    """Put a line at the beginning of course.toml; the course is read anew, as every command does."""
    path = course.root / "course.toml"
    path.write_text(f"{line}\n{path.read_text('utf-8')}", "utf-8")
    return Course(course.root)


def test_chosen_topics_are_the_only_ones_in_their_order(two_topics):
    assert two_topics.topics() == [FIRST, SECOND]
    assert choose(two_topics, f'topics = ["{SECOND}"]').topics() == [SECOND]


@pytest.mark.parametrize("line", ['topics = ["sqares"]', 'topics = "squares"', "topics = [3]"])
def test_wrong_choice_is_one_clear_line(two_topics, line):
    with pytest.raises(CourseError, match=r"course\.toml: topics"):
        choose(two_topics, line).topics()


def test_grading_reports_and_exports_speak_of_chosen_topics_alone(two_topics):
    course = choose(two_topics, f'topics = ["{FIRST}"]')
    for verb in ("grade", "feedback", "report", "export"):
        code, out, error = dimred(course.root, verb)
        assert code == 0, error
        assert SECOND not in out
        assert "not released yet" not in error
    written = [*course.paths.report.glob("*.html"), *course.paths.exports.rglob("*.csv")]
    assert written
    assert not [path.name for path in written if SECOND in path.read_text("utf-8")]
    code, _, error = dimred(course.root, "grade", SECOND)
    assert (code, f"unknown topic '{SECOND}'" in error) == (1, True)


def test_sidebar_of_the_book_offers_chosen_assignments_alone(two_topics):
    for topic in (FIRST, SECOND):
        folder = two_topics.exercises / topic
        folder.mkdir(parents=True, exist_ok=True)
        release = two_topics.paths.release(topic)
        for name in (f"{topic}.ipynb", f"{topic}.key.json"):
            (folder / name).write_bytes((release / name).read_bytes())
    assert [one.topic for one in assignments(two_topics)] == [FIRST, SECOND]
    assert [one.topic for one in assignments(choose(two_topics, f'topics = ["{TOPIC}"]'))] == [FIRST]


def test_record_of_exercises_keeps_topics_that_are_not_chosen(two_topics):
    from autograder.release.freshness import RELEASE_RECORD_FILE, note_exercises

    note_exercises(two_topics, [FIRST, SECOND])
    note_exercises(choose(two_topics, f'topics = ["{FIRST}"]'), [FIRST])
    record = json.loads((two_topics.exercises / RELEASE_RECORD_FILE).read_text("utf-8"))
    assert list(record["topics"]) == [FIRST, SECOND]
