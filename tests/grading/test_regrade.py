"""`dimred regrade`: who changes and why, and not a byte written before --yes."""

import json

import pytest

from autograder.cli import main
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.regrade import preview_regrade, write_regrading
from autograder.grading.workers import local_grading_pool
from tests.grading.small_class import TOPIC, WRONG, gradebook, hand_in, written_files


@pytest.fixture(scope="module")
def examiners():
    with local_grading_pool(2) as made:
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
    for key in (course.paths.secret_key(TOPIC), course.paths.release(TOPIC) / f"{TOPIC}.key.json"):
        tree = json.loads(key.read_text("utf-8"))
        tree["tasks"]["total"]["hints"]["forgot_to_square"]["credit"] = 0.5
        key.write_text(json.dumps(tree), "utf-8")


def everything(course):
    """All of the classroom, gradebook included."""
    return {path: path.read_bytes() for path in course.classroom.rglob("*") if path.is_file()}


def test_nothing_changes_when_nothing_changed(graded, examiners):
    assert preview_regrade(graded, TOPIC, examiners, GradingOptions()).changes == ()


def test_who_changes_and_why_is_shown_before_a_byte_is_written(graded, examiners):
    mend(graded)
    before = everything(graded)
    found = preview_regrade(graded, TOPIC, examiners, GradingOptions())
    assert everything(graded) == before
    assert len(found.changes) == 3
    (bob,) = found.changed_scores()
    assert found.changed_points() == {}
    assert (bob.student, bob.before, bob.after) == ("bob", 3.5, 4.0)
    assert bob.reasons == ("total: 0.5 → 1, still forgot_to_square",)


def test_writing_gives_what_was_announced_and_what_grading_anew_gives(graded, examiners):
    mend(graded)
    found = preview_regrade(graded, TOPIC, examiners, GradingOptions())
    outcomes = write_regrading(graded, found)
    assert {one.student: one.score for one in outcomes}["bob"] == found.changed_scores()[0].after
    regraded_files, scores = written_files(graded), gradebook(graded)
    assert scores["bob"]["score"] == 4.0
    grade(graded, TOPIC, examiners, GradingOptions(force=True))
    assert (written_files(graded), gradebook(graded)) == (regraded_files, scores)
    assert preview_regrade(graded, TOPIC, examiners, GradingOptions()).changes == ()


def change_points(course, **points):
    """Give tasks other points, as a teacher might who weighs them anew."""
    for key in (course.paths.secret_key(TOPIC), course.paths.release(TOPIC) / f"{TOPIC}.key.json"):
        tree = json.loads(key.read_text("utf-8"))
        for task, value in points.items():
            tree["tasks"][task]["points"] = value
        key.write_text(json.dumps(tree), "utf-8")


def test_changed_points_are_told_from_changed_scores(graded, examiners, monkeypatch, capsys):
    change_points(graded, total=3)
    found = preview_regrade(graded, TOPIC, examiners, GradingOptions())
    assert found.changed_points() == {"total": (2, 3)}
    # cyd wrote nothing for `total`: zero of more points is the same score
    assert [change.student for change in found.changed_scores()] == ["ada", "bob"]
    assert found.changed_reasons() == []
    monkeypatch.chdir(graded.root)
    assert main(["regrade"]) == 0
    out = capsys.readouterr().out
    assert "cyd" not in out
    assert "squares: total is worth 3 points, not 2 as before" in out
    assert "3 examined again, 2 scores change;" in out


def test_a_persons_score_stays(graded, examiners):
    with open_gradebook(graded) as book:
        book.find_grade("check-total", TOPIC, TOPIC, "bob").manual_score = 1.75
        book.db.commit()
    grade(graded, TOPIC, examiners, GradingOptions(force=True))  # so that the outcome on file counts it
    mend(graded)
    found = preview_regrade(graded, TOPIC, examiners, GradingOptions())
    assert found.changed_scores() == []
    (bob,) = found.changed_reasons()
    assert bob.before == bob.after == 4.75
    assert bob.reasons[0].endswith("(a person's score stays)")
    write_regrading(graded, found)
    assert gradebook(graded)["bob"]["scores"]["why"] is None  # still to be read by a person
    with open_gradebook(graded) as book:
        assert book.find_grade("check-total", TOPIC, TOPIC, "bob").score == 1.75


def test_work_that_was_never_graded_is_left_to_grade(graded, examiners):
    hand_in(graded, "new")
    mend(graded)
    found = preview_regrade(graded, TOPIC, examiners, GradingOptions())
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
        said.splitlines()[-1]
        == "squares: 3 examined again, 1 score changes; nothing was written: --yes writes it"
    )
    assert everything(graded) == before
    assert main(["regrade", "--yes"]) == 0
    assert gradebook(graded)["bob"]["score"] == 4.0
