"""Late work, extensions and several attempts: what counts is said in the output and on the student's page."""

import os
import shutil
import subprocess
import sys

import pytest

from autograder.course.course import Course
from autograder.course.people import save_students
from autograder.course.roster import Student
from autograder.grading import audit
from autograder.grading.attempts import archive_and_select_attempts
from autograder.grading.audit import update_late_penalties
from autograder.grading.choose import load_assignments
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.gradebook import scores
from autograder.grading.late import lateness
from autograder.grading.workers import local_grading_pool
from autograder.reports.feedback import write_feedback
from tests.command import dimred
from tests.conftest import ROOT
from tests.grading.small_class import TOPIC, WRONG, hand_in
from tests.grading.test_audit import set_by_hand


@pytest.fixture(scope="module")
def examiners():
    with local_grading_pool(1) as made:
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
    save_students(course, [Student("ada", "ada"), Student("bob", "bob", extension="2 days")])
    for student in ("ada", "bob"):
        hand_in(course, student)
        course.paths.timestamp(student, TOPIC).write_text("2027-03-02 18:00:00.000000 UTC")
    hand_in(course, "cyd")
    ada, bob, cyd = grade(course, TOPIC, examiners)
    assert (ada.late, ada.penalty, ada.final_score) == ("1 day and 6 hours", 1.0, 4.0)
    assert ada.instructor_notes == ["1 day and 6 hours late: 1 of 5 points taken off"]
    assert (bob.late, bob.final_score) == ("", 5.0)
    assert (cyd.late, cyd.final_score) == ("", 5.0)
    assert scores(course, TOPIC)["ada"]["score"] == 4.0
    pages = {page.parent.parent.name: page.read_text("utf-8") for page in write_feedback(course, TOPIC)}
    assert "Handed in 1 day and 6 hours late: 1 points are taken off." in pages["ada"]
    assert "late" not in pages["bob"].partition("<body")[2].partition("<section")[0]


def test_lateness_costs_a_share_of_the_points_that_a_person_gives_later(classroom, examiners):
    """The guide's order is grade, read the open questions, feedback: the program cannot know their points yet."""
    course = with_settings(
        classroom, "late_penalty_per_day = 0.1\n[due]\nsquares = 2027-03-01T12:00:00+00:00\n"
    )
    for student, day in (("ada", 2), ("bob", 1)):
        hand_in(course, student)
        course.paths.timestamp(student, TOPIC).write_text(f"2027-03-0{day} 11:00:00 UTC")
    (ada, _) = grade(course, TOPIC, examiners)
    assert ada.penalty == 0.5
    for student in ("ada", "bob"):
        set_by_hand(course, student, "why", 3.0)
    update_late_penalties(course, TOPIC)
    found = scores(course, TOPIC)
    assert (found["ada"]["penalty"], found["ada"]["score"]) == (0.8, 7.2)
    assert (found["bob"]["penalty"], found["bob"]["score"]) == (0.0, 8.0)
    entries = audit.log_entries(course, TOPIC)
    assert entries[-1]["cause"].startswith("lateness costs")
    assert audit.replay(entries) == audit.scores_now(course, TOPIC)
    (ada, bob) = grade(course, TOPIC, examiners)
    assert (ada.state, ada.final_score, bob.final_score) == ("unchanged", 7.2, 8.0), (
        "what is said is what they have now"
    )


ROADS = ("feedback", "report", "export", "return", "grade", "regrade --yes", "nbgrader generate_feedback")


@pytest.mark.parametrize("road", ROADS)
def test_points_given_later_lose_their_share_on_every_road(classroom, examiners, road):
    course = with_settings(
        classroom, "late_penalty_per_day = 0.1\n[due]\nsquares = 2027-03-01T12:00:00+00:00\n"
    )
    hand_in(course, "ada")
    course.paths.timestamp("ada", TOPIC).write_text("2027-03-02 11:00:00 UTC")
    grade(course, TOPIC, examiners)
    set_by_hand(course, "ada", "why", 3.0)
    if road.startswith("nbgrader"):
        (course.root / "nbgrader_config.py").write_bytes((ROOT / "nbgrader_config.py").read_bytes())
        command = [sys.executable, "-m", *road.split(), TOPIC, "--force"]
        subprocess.run(command, cwd=course.root, check=True, capture_output=True)
    else:
        verb, *options = road.split()
        code, _, error = dimred(course.root, verb, TOPIC, *options)
        assert code == 0, error
    score = scores(course, TOPIC)["ada"]
    assert (score["penalty"], score["score"]) == (0.8, 7.2)
    if road in ("feedback", "return") or road.startswith("nbgrader"):
        page = course.paths.feedback_page("ada", TOPIC).read_text("utf-8")
        assert "7.2 of 8 points" in page
        assert "0.8 points are taken off" in page
    if road == "export":
        assert ",7.2," in (course.paths.exports / "assignments.csv").read_text("utf-8")


@pytest.mark.parametrize(("setting", "wanted"), [("last", 3.5), ("best", 5.0)])
def test_of_several_attempts_the_one_that_the_course_says_counts(classroom, examiners, setting, wanted):
    course = with_settings(classroom, f'attempts = "{setting}"\n')
    for answers in ({"total": WRONG, "by_hand": None}, {}, {"total": WRONG}):
        hand_in(course, "ada", **answers)
        said = list(archive_and_select_attempts(load_assignments(course, TOPIC), examiners, GradingOptions()))
        (ada,) = grade(course, TOPIC, examiners)
    assert ada.score == wanted
    assert len(list(course.paths.attempts("ada", TOPIC).glob("*/*.ipynb"))) == 3
    told = "ada: attempt 2 of 3 counts, with 5 points (the last one: 3.5)"
    assert said == ([told] if setting == "best" else [])
    again = list(archive_and_select_attempts(load_assignments(course, TOPIC), examiners, GradingOptions()))
    assert again == [], "what is in place stays in place"


def test_whatever_lies_in_the_place_of_a_hand_in_costs_nobody_else_an_attempt(classroom, examiners):
    """Folders, pipes and files that may not be read, under every name that is looked at."""
    course = with_settings(classroom, 'attempts = "best"\n')
    hand_in(course, "zoe")
    for answers in ({}, {"total": WRONG}, {"cubes": None}):
        hand_in(course, "eve", **answers)
        list(archive_and_select_attempts(load_assignments(course, TOPIC), examiners, GradingOptions()))
    place = course.paths.submission("eve", TOPIC)
    hand_in(course, "eve", by_hand=None)
    for name in ("timestamp.txt", "submission_secret.txt", f"{TOPIC}.ipynb.tmp"):
        (place.parent / name).mkdir()
    told = list(archive_and_select_attempts(load_assignments(course, TOPIC), examiners, GradingOptions()))
    assert told == ["eve: attempt 1 of 4 counts, with 5 points (the last one: 4)"]
    for put in (place.mkdir, lambda: os.mkfifo(place), lambda: place.symlink_to(place)):
        shutil.rmtree(place.parent)
        place.parent.mkdir()
        put()
        (told,) = archive_and_select_attempts(load_assignments(course, TOPIC), examiners, GradingOptions())
        assert told.startswith("eve: the last hand-in counts: UnreadableError: squares.ipynb is not a file")
    assert len(list(course.paths.attempts("zoe", TOPIC).glob("*/*.ipynb"))) == 1


def test_more_time_than_no_date_is_no_reason_not_to_grade(classroom, examiners):
    save_students(classroom, [Student("ada", "ada", extension="2 days")])
    hand_in(classroom, "ada")
    classroom.paths.timestamp("ada", TOPIC).write_text("2027-03-02 18:00:00.000000 UTC")
    (ada,) = grade(classroom, TOPIC, examiners)
    assert (ada.state, ada.late, ada.final_score) == ("graded", "", 5.0)


def test_an_extension_or_a_due_date_given_after_grading_reaches_the_score(classroom, examiners):
    for student in ("ada", "bob"):
        hand_in(classroom, student)
        classroom.paths.timestamp(student, TOPIC).write_text("2027-03-02 18:00:00.000000 UTC")
    assert [one.final_score for one in grade(classroom, TOPIC, examiners)] == [5.0, 5.0]
    course = with_settings(
        classroom, "late_penalty_per_day = 0.1\n[due]\nsquares = 2027-03-01T12:00:00+00:00\n"
    )
    assert [one.final_score for one in grade(course, TOPIC, examiners)] == [4.0, 4.0]
    save_students(course, [Student("bob", "bob", extension="36 hours")])
    ada, bob = grade(course, TOPIC, examiners)
    assert (ada.state, ada.final_score) == ("unchanged", 4.0)
    assert (bob.state, bob.final_score, bob.late) == ("graded", 5.0, "")
    assert scores(course, TOPIC)["bob"]["score"] == 5.0
    assert {one.state for one in grade(course, TOPIC, examiners)} == {"unchanged"}


def test_a_time_of_handing_in_that_is_written_down_after_grading_reaches_the_score(classroom, examiners):
    course = with_settings(
        classroom, "late_penalty_per_day = 0.1\n[due]\nsquares = 2027-03-01T12:00:00+00:00\n"
    )
    for student in ("ada", "bob"):
        hand_in(course, student)
    assert [one.final_score for one in grade(course, TOPIC, examiners)] == [5.0, 5.0]
    stamp = course.paths.timestamp("ada", TOPIC)
    stamp.write_text("2027-03-02 18:00:00 UTC\n")
    ada, bob = grade(course, TOPIC, examiners)
    assert (ada.state, ada.late, ada.final_score) == ("graded", "1 day and 6 hours", 4.0)
    assert bob.state == "unchanged"
    assert {one.state for one in grade(course, TOPIC, examiners)} == {"unchanged"}
    stamp.unlink()  # it was a mistake
    ada, bob = grade(course, TOPIC, examiners)
    assert (ada.state, ada.late, ada.final_score, bob.state) == ("graded", "", 5.0, "unchanged")
    assert scores(course, TOPIC)["ada"]["score"] == 5.0
