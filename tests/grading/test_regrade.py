"""`dimred regrade`: who changes and why, and not a byte written before --yes."""

import json

import pytest

from autograder.cli import main
from autograder.grading.grade import Plan, grade
from autograder.grading.gradebook import open_gradebook
from autograder.grading.regrade import regraded, write
from autograder.grading.workers import local_examiners
from tests.grading.small_class import TOPIC, WRONG, gradebook, hand_in, written_files


@pytest.fixture(scope="module")
def examiners():
    with local_examiners(2) as made:
        yield made


@pytest.fixture
def graded(classroom, examiners):
    hand_in(classroom, "ada")
    hand_in(classroom, "bob", total=WRONG)
    hand_in(classroom, "cyd", total=None)
    grade(classroom, TOPIC, examiners)
    return classroom


def mend(course):
    """Give half the points to whoever forgot to square, as a teacher might after the exam."""
    for key in (course.places.secret_key(TOPIC), course.places.release(TOPIC) / f"{TOPIC}.key.json"):
        tree = json.loads(key.read_text("utf-8"))
        tree["tasks"]["total"]["hints"]["forgot_to_square"]["credit"] = 0.5
        key.write_text(json.dumps(tree), "utf-8")


def everything(course):
    """All of the classroom, gradebook included."""
    return {path: path.read_bytes() for path in course.classroom.rglob("*") if path.is_file()}


def test_nothing_changes_when_nothing_changed(graded, examiners):
    assert regraded(graded, TOPIC, examiners, Plan()).changes == ()


def test_who_changes_and_why_is_shown_before_a_byte_is_written(graded, examiners):
    mend(graded)
    before = everything(graded)
    found = regraded(graded, TOPIC, examiners, Plan())
    assert everything(graded) == before
    assert len(found.changes) == 3
    (bob,) = found.changed()
    assert (bob.student, bob.before, bob.after) == ("bob", 3.5, 4.0)
    assert bob.reasons == ("total: 0.5 → 1, still forgot_to_square",)


def test_writing_gives_what_was_announced_and_what_grading_anew_gives(graded, examiners):
    mend(graded)
    found = regraded(graded, TOPIC, examiners, Plan())
    outcomes = write(graded, found)
    assert {one.student: one.score for one in outcomes}["bob"] == found.changed()[0].after
    regraded_files, scores = written_files(graded), gradebook(graded)
    assert scores["bob"]["score"] == 4.0
    grade(graded, TOPIC, examiners, Plan(force=True))
    assert (written_files(graded), gradebook(graded)) == (regraded_files, scores)
    assert regraded(graded, TOPIC, examiners, Plan()).changes == ()


def test_a_persons_score_stays(graded, examiners):
    with open_gradebook(graded) as book:
        book.find_grade("check-total", TOPIC, TOPIC, "bob").manual_score = 1.75
        book.db.commit()
    grade(graded, TOPIC, examiners, Plan(force=True))  # so that the outcome on file counts it
    mend(graded)
    found = regraded(graded, TOPIC, examiners, Plan())
    (bob,) = found.changed()
    assert bob.before == bob.after == 4.75
    assert bob.reasons[0].endswith("(a person's score stays)")
    write(graded, found)
    assert gradebook(graded)["bob"]["scores"]["why"] is None  # still to be read by a person
    with open_gradebook(graded) as book:
        assert book.find_grade("check-total", TOPIC, TOPIC, "bob").score == 1.75


def test_work_that_was_never_graded_is_left_to_grade(graded, examiners):
    hand_in(graded, "new")
    mend(graded)
    found = regraded(graded, TOPIC, examiners, Plan())
    assert sorted(one.student for one in found.changes) == ["ada", "bob", "cyd"]


def test_the_command_line_writes_only_after_yes(graded, monkeypatch, capsys):
    mend(graded)
    monkeypatch.chdir(graded.root)
    before = everything(graded)
    assert main(["regrade"]) == 0
    said = capsys.readouterr().out
    assert "bob" in said
    assert "3.50 →   4.00" in said
    assert (
        said.splitlines()[-1] == "squares: 3 examined again, 1 change; nothing was written: --yes writes it"
    )
    assert everything(graded) == before
    assert main(["regrade", "--yes"]) == 0
    assert gradebook(graded)["bob"]["score"] == 4.0
