"""Late work, extensions and several attempts: what counts is said in the output and on the student's page."""

import pytest

from autograder.course.course import Course
from autograder.course.people import keep_people
from autograder.course.roster import Student
from autograder.grading.attempts import settle_attempts
from autograder.grading.grade import Plan, grade
from autograder.grading.gradebook import scores
from autograder.grading.late import lateness
from autograder.grading.workers import local_examiners
from autograder.reports.feedback import write_feedback
from tests.grading.small_class import TOPIC, WRONG, hand_in


@pytest.fixture(scope="module")
def examiners():
    with local_examiners(1) as made:
        yield made


def with_settings(course, text):
    path = course.root / "course.toml"
    path.write_text(path.read_text("utf-8") + text, "utf-8")
    return Course(course.root)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(20, "less than a minute"), (60, "1 minute"), (3 * 3600, "3 hours"), (108000, "1 day and 6 hours")],
)
def test_lateness_is_said_as_people_say_it(seconds, said):
    assert lateness(seconds) == said


def test_late_work_costs_what_the_course_says_and_an_extension_is_kept(classroom, examiners):
    course = with_settings(
        classroom, "late_penalty_per_day = 0.1\n[due]\nsquares = 2027-03-01T12:00:00+00:00\n"
    )
    keep_people(course, [Student("ada", "ada"), Student("bob", "bob", extension="2 days")])
    for student in ("ada", "bob"):
        hand_in(course, student)
        course.places.timestamp(student, TOPIC).write_text("2027-03-02 18:00:00.000000 UTC")
    hand_in(course, "cyd")
    ada, bob, cyd = grade(course, TOPIC, examiners)
    assert (ada.late, ada.penalty, ada.counted) == ("1 day and 6 hours", 1.0, 4.0)
    assert ada.told == ["1 day and 6 hours late: 1 of 5 points taken off"]
    assert (bob.late, bob.counted) == ("", 5.0)
    assert (cyd.late, cyd.counted) == ("", 5.0)
    assert scores(course, TOPIC)["ada"]["score"] == 4.0
    pages = {page.parent.parent.name: page.read_text("utf-8") for page in write_feedback(course, TOPIC)}
    assert "Handed in 1 day and 6 hours late: 1 points are taken off." in pages["ada"]
    assert "late" not in pages["bob"].partition("<body")[2].partition("<section")[0]


@pytest.mark.parametrize(("setting", "wanted"), [("last", 3.5), ("best", 5.0)])
def test_of_several_attempts_the_one_that_the_course_says_counts(classroom, examiners, setting, wanted):
    course = with_settings(classroom, f'attempts = "{setting}"\n')
    for answers in ({"total": WRONG, "by_hand": None}, {}, {"total": WRONG}):
        hand_in(course, "ada", **answers)
        said = list(settle_attempts(course, TOPIC, examiners, Plan()))
        (ada,) = grade(course, TOPIC, examiners)
    assert ada.score == wanted
    assert len(list(course.places.attempts("ada", TOPIC).glob("*/*.ipynb"))) == 3
    told = "ada: attempt 2 of 3 counts, with 5 points (the last one: 3.5)"
    assert said == ([told] if setting == "best" else [])
    again = list(settle_attempts(course, TOPIC, examiners, Plan()))
    assert again == [], "what is in place stays in place"


def test_more_time_than_no_date_is_no_reason_not_to_grade(classroom, examiners):
    keep_people(classroom, [Student("ada", "ada", extension="2 days")])
    hand_in(classroom, "ada")
    classroom.places.timestamp("ada", TOPIC).write_text("2027-03-02 18:00:00.000000 UTC")
    (ada,) = grade(classroom, TOPIC, examiners)
    assert (ada.state, ada.late, ada.counted) == ("graded", "", 5.0)


def test_an_extension_or_a_due_date_given_after_grading_reaches_the_score(classroom, examiners):
    for student in ("ada", "bob"):
        hand_in(classroom, student)
        classroom.places.timestamp(student, TOPIC).write_text("2027-03-02 18:00:00.000000 UTC")
    assert [one.counted for one in grade(classroom, TOPIC, examiners)] == [5.0, 5.0]
    course = with_settings(
        classroom, "late_penalty_per_day = 0.1\n[due]\nsquares = 2027-03-01T12:00:00+00:00\n"
    )
    assert [one.counted for one in grade(course, TOPIC, examiners)] == [4.0, 4.0]
    keep_people(course, [Student("bob", "bob", extension="36 hours")])
    ada, bob = grade(course, TOPIC, examiners)
    assert (ada.state, ada.counted) == ("unchanged", 4.0)
    assert (bob.state, bob.counted, bob.late) == ("graded", 5.0, "")
    assert scores(course, TOPIC)["bob"]["score"] == 5.0
    assert {one.state for one in grade(course, TOPIC, examiners)} == {"unchanged"}
