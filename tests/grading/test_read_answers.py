"""Answers that a person has read stay read when a class is graded again, unless their text changed."""

import csv

import pytest

from autograder.cli import main
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.gradebook import scores
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.regrade import preview_regrade, write_regrading
from autograder.grading.workers import local_grading_pool
from tests.grading.small_class import TOPIC, WRONG, hand_in
from tests.grading.test_regrade import mend

COMMENT = "[2 of 2] says that each is at least zero\n[0.5 of 1] what follows for a sum of such numbers"


@pytest.fixture(scope="module")
def examiners():
    with local_grading_pool(2) as pool:
        yield pool


@pytest.fixture
def read_class(classroom, examiners):
    """Three students; a person has read the open questions of ada and bob, and raised bob's score of a program."""
    for student, answers in (("ada", {}), ("bob", {"total": WRONG}), ("cyd", {"why": "Nobody knows."})):
        hand_in(classroom, student, **answers)
    grade(classroom, TOPIC, examiners)
    for student in ("ada", "bob"):
        decide(classroom, student, "why", 2.5, COMMENT)
    decide(classroom, "bob", "check-total", 1.75)
    return classroom


def decide(course, student, cell, points, comment=None):
    """Give a score as formgrader does."""
    with open_gradebook(course) as book:
        score = book.find_grade(cell, TOPIC, TOPIC, student)
        score.manual_score, score.needs_manual_grade = points, False
        if comment:
            book.find_comment(cell, TOPIC, TOPIC, student).manual_comment = comment
        book.db.commit()


def regrade_with_mended_key(course, examiners):
    mend(course)
    return write_regrading(course, preview_regrade(course, TOPIC, examiners, GradingOptions()))


def unread(course):
    return sorted(name for name, score in scores(course, TOPIC).items() if score["needs_manual_grade"])


def test_regrade_keeps_read_answers_read(read_class, examiners):
    assert len(regrade_with_mended_key(read_class, examiners)) == 3
    assert unread(read_class) == ["cyd"]
    with open_gradebook(read_class) as book:
        score = book.find_grade("why", TOPIC, TOPIC, "ada")
        assert (score.manual_score, score.needs_manual_grade) == (2.5, False)
        assert book.find_comment("why", TOPIC, TOPIC, "ada").comment == COMMENT
        program = book.find_grade("check-total", TOPIC, TOPIC, "bob")
        assert (program.score, program.needs_manual_grade) == (1.75, False)


def test_feedback_and_export_count_read_answers_after_regrade(read_class, examiners, monkeypatch, capsys):
    regrade_with_mended_key(read_class, examiners)
    monkeypatch.chdir(read_class.root)
    assert main(["feedback"]) == 0
    page = read_class.paths.feedback_page("ada", TOPIC).read_text("utf-8")
    assert "to be graded" not in page
    assert "still to be read" not in page
    assert "still to be read" in read_class.paths.feedback_page("cyd", TOPIC).read_text("utf-8")
    table = read_class.root / "canvas.csv"
    table.write_text(
        "Student,ID,SIS Login ID,Section,squares (1)\nA,1,ada,,\nB,2,bob,,\nC,3,cyd,,\n", "utf-8"
    )
    capsys.readouterr()
    assert main(["export", "--fill", str(table)]) == 0
    assert "1 of these scores lack open questions" in capsys.readouterr().err
    with (read_class.paths.exports / "canvas.csv").open(encoding="utf-8-sig", newline="") as file:
        filled = {row["SIS Login ID"]: row["squares (1)"] for row in csv.DictReader(file)}
    assert float(filled["ada"]) == 7.5


@pytest.mark.parametrize("force", [False, True])
def test_changed_answer_is_asked_again_and_the_others_are_not(read_class, examiners, force):
    hand_in(read_class, "ada", why="I changed my mind.")
    grade(read_class, TOPIC, examiners, GradingOptions(force=force))
    assert unread(read_class) == ["ada", "cyd"]
    grade(read_class, TOPIC, examiners, GradingOptions(force=True))  # nobody has read the new text meanwhile
    assert unread(read_class) == ["ada", "cyd"]


def test_changed_program_asks_for_its_own_score_only(read_class, examiners):
    hand_in(read_class, "bob", total="def NAME(x):\n    return 0.0")
    grade(read_class, TOPIC, examiners)
    points = scores(read_class, TOPIC)["bob"]["scores"]
    assert points["check-total"] is None
    assert points["why"] == 2.5


def test_lost_notebook_on_file_asks_again(read_class, examiners):
    (read_class.paths.autograded("ada", TOPIC) / f"{TOPIC}.ipynb").unlink()
    grade(read_class, TOPIC, examiners, GradingOptions(force=True))
    assert unread(read_class) == ["ada", "cyd"]
