"""One student never costs another: what cannot be read, judged, shown or written is that student's alone."""

import contextlib
import os
import shutil
import unicodedata
from collections import Counter

import pytest

from autograder.cli import main
from autograder.errors import CourseError, MachineError
from autograder.grading import grade as grading
from autograder.grading import hand_in as hand_in_files
from autograder.grading.attempts import archive_and_select_attempts
from autograder.grading.choose import load_assignments
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.outcome import Outcome, outcome_on_file
from autograder.grading.repair import parse_notebook
from autograder.grading.workers import local_grading_pool
from autograder.judging import render
from autograder.reports.effort import Effort, effort
from tests.grading.small_class import TOPIC, gradebook, hand_in
from tests.grading.two_topics import SECOND, add_second_topic

NOBODY = 65534
HUGE = "def NAME(x):\n    return 10 ** 5000"
HALF = "def NAME(x):\n    return '\\ud800 half a character'"
RAGGED = "def NAME(X):\n    return [[1.0, 2.0], [3.0]]"


@pytest.fixture(scope="module")
def examiners():
    with local_grading_pool(1) as made:
        yield made


def by_student(outcomes):
    return {one.student: one for one in outcomes}


def test_answers_that_cannot_be_shown_cost_only_themselves(classroom, examiners):
    hand_in(classroom, "ada")
    hand_in(classroom, "huge", total=HUGE)
    hand_in(classroom, "half", total=HALF)
    hand_in(classroom, "ragged", cubes=RAGGED)
    found = by_student(grade(classroom, TOPIC, examiners))
    scores = {student: one.score for student, one in found.items()}
    assert scores == {"ada": 5.0, "huge": 3.0, "half": 3.0, "ragged": 4.0}
    assert all(one.graded for one in found.values())


@pytest.mark.parametrize("name", [f"{TOPIC} (1).ipynb", f"{TOPIC}_{TOPIC}.ipynb"])
def test_the_only_notebook_is_graded_under_any_name(classroom, examiners, name):
    """So a browser calls the second download, and JupyterLite each one."""
    hand_in(classroom, "ada")
    place = classroom.paths.submission("ada", TOPIC)
    place.rename(place.with_name(name))
    (ada,) = grade(classroom, TOPIC, examiners)
    assert (ada.state, ada.score) == ("graded", 5)


def test_of_two_notebooks_under_other_names_none_is_chosen(classroom, examiners):
    hand_in(classroom, "ada")
    place = classroom.paths.submission("ada", TOPIC)
    shutil.copy(place, place.with_name("draft.ipynb"))
    place.rename(place.with_name("final.ipynb"))
    (ada,) = grade(classroom, TOPIC, examiners)
    assert ada.state == "unreadable"
    assert ada.notes[0].endswith("what was handed in is called 'draft.ipynb', 'final.ipynb'")


def test_a_link_under_another_name_is_not_followed(classroom, examiners):
    hand_in(classroom, "ada")
    place = classroom.paths.submission("ada", TOPIC)
    theirs = classroom.paths.submission("eve", TOPIC)
    theirs.parent.mkdir(parents=True)
    theirs.with_name("mine.ipynb").symlink_to(place)
    outcomes = {outcome.student: outcome for outcome in grade(classroom, TOPIC, examiners)}
    assert outcomes["eve"].state == "unreadable"


def test_a_verdict_that_cannot_be_put_into_words_keeps_its_points_and_the_instructor_is_told(
    classroom, examiners, monkeypatch
):
    whole = render.html

    def broken(verdict, pages):
        if verdict.task == "squares.cubes" and verdict.failing:
            raise RecursionError("too deep")
        return whole(verdict, pages)

    monkeypatch.setattr(render, "html", broken)
    hand_in(classroom, "ada")
    hand_in(classroom, "bob", cubes="def NAME(X):\n    return X")
    found = by_student(grade(classroom, TOPIC, examiners))
    assert (found["ada"].score, found["bob"].score) == (5.0, 4.0)
    assert found["bob"].notes == ["cubes: its verdict could not be shown: RecursionError: too deep"]


def test_a_folder_whose_name_is_not_text_is_named_and_the_next_topic_is_graded(
    classroom, monkeypatch, capsys
):
    hand_in(classroom, "ada")
    folder = os.fsencode(classroom.paths.submitted) + b"/caf\xe9"
    shutil.copytree(os.fsencode(classroom.paths.submitted / "ada"), folder)
    add_second_topic(classroom)
    hand_in(classroom, "ada", topic=SECOND)
    monkeypatch.chdir(classroom.root)
    assert main(["grade"]) == 1
    said = capsys.readouterr()
    assert f"{SECOND}: 1 submissions: 1 graded" in said.out
    assert "caf\\udce9" in said.out
    assert "rename it" in said.out
    assert said.err.splitlines()[-1] == "dimred: 1 of 2 submissions of squares could not be graded: see above"
    assert gradebook(classroom)["ada"]["score"] == 5.0


@contextlib.contextmanager
def as_nobody():
    """Act as a user to whom modes matter; root reads everything."""
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(
    os.geteuid() != 0, reason="needs root, to hand the files to somebody to whom modes matter"
)
@pytest.mark.parametrize("closed", ["squares.ipynb", "", ".."])
def test_what_an_archive_made_unreadable_is_told_and_gets_no_zero(folder_for_all, released_course, closed):
    root = folder_for_all / "course"
    shutil.copytree(released_course.root, root)
    course = type(released_course)(root)
    hand_in(course, "ada")
    hand_in(course, "zip")
    for path in (root, *root.rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    (course.paths.submission("zip", TOPIC).parent / closed).resolve().chmod(0)
    with as_nobody():
        assert course.paths.students_with(TOPIC) == ["ada", "zip"]
        assert hand_in_files.unknown_submissions(course) == []
        assignments = load_assignments(course, TOPIC)
        assert isinstance(grading._prepare(assignments, "ada", GradingOptions(), ()), grading.Prepared)
        lost = grading._prepare(assignments, "zip", GradingOptions(), ())
        assert list(archive_and_select_attempts(assignments, None, GradingOptions())) == []
        hand_in_files.copy_submission_metadata(
            course.paths.submission("zip", TOPIC).parent, root / "feedback"
        )
        assert effort(course, TOPIC, "zip", Counter()) == Effort()
    assert [path.name for path in course.paths.attempts("ada", TOPIC).glob("1/*")] == ["squares.ipynb"]
    assert isinstance(lost, Outcome)
    assert not lost.graded
    assert "squares.ipynb cannot be read (Permission denied): chmod -R u+rwX" in lost.notes[0]


def test_whatever_happens_while_one_submission_is_prepared_the_others_are_graded(
    classroom, examiners, monkeypatch
):
    read = grading.read_file

    def broken(path):
        if "eve" in path.parts:
            raise ValueError("embedded null byte")
        return read(path)

    monkeypatch.setattr(grading, "read_file", broken)
    hand_in(classroom, "ada")
    hand_in(classroom, "eve")
    found = by_student(grade(classroom, TOPIC, examiners))
    assert found["ada"].score == 5.0
    assert found["eve"].notes == ["not graded: ValueError: embedded null byte"]


def test_a_nursery_that_is_killed_costs_nobody_anything(classroom):
    for number in range(4):
        hand_in(
            classroom,
            f"ada{number}",
            total="import time\ntime.sleep(.5)\ndef NAME(x):\n    return float(np.sum(x ** 2))",
        )
    with local_grading_pool(2) as examiners:
        killed = []

        def kill_once(outcome):
            if not killed:
                killed.append(examiners._server.now)
                killed[0].process.kill()

        outcomes = grade(classroom, TOPIC, examiners, progress=kill_once)
        assert examiners._server.now is not killed[0]
    assert [(one.score, one.notes) for one in outcomes] == [(5.0, [])] * 4


def test_two_runs_at_once_do_not_write_the_same_gradebook(classroom, examiners):
    hand_in(classroom, "ada")

    def again(outcome):
        with pytest.raises(Exception, match=r"another run is writing in .*: wait until it has ended"):
            grade(classroom, TOPIC, examiners)

    assert grade(classroom, TOPIC, examiners, progress=again)[0].score == 5.0
    assert outcome_on_file(classroom, TOPIC, "ada").score == 5.0


def test_a_feedback_page_that_cannot_be_made_costs_only_itself(classroom, examiners, monkeypatch, capsys):
    hand_in(classroom, "ada")
    hand_in(classroom, "bob")
    grade(classroom, TOPIC, examiners)
    (classroom.paths.autograded("ada", TOPIC) / "squares.ipynb").write_text("{")
    monkeypatch.chdir(classroom.root)
    assert main(["feedback"]) == 1
    assert classroom.paths.feedback_page("bob", TOPIC).is_file()
    said = capsys.readouterr().err
    assert said.startswith("dimred: squares: 1 feedback pages were written, but not for ada (")
    assert said.endswith("`dimred grade --force squares` grades anew\n")


def test_a_name_spelt_with_other_characters_is_remarked(classroom, examiners):
    for form in ("NFC", "NFD"):
        hand_in(classroom, unicodedata.normalize(form, "José"))
    hand_in(classroom, "ada")
    found = grade(classroom, TOPIC, examiners)
    assert [one.student for one in found if one.remarks] == [
        one.student for one in found if one.student != "ada"
    ]
    assert all("are they the same person?" in one.remarks[0] for one in found if one.remarks)


def test_a_mark_in_front_of_the_file_is_no_reason_for_a_zero():
    tree = b'{"cells": [], "metadata": {}}'
    assert parse_notebook(b"\xef\xbb\xbf" + tree, "a.ipynb") == parse_notebook(tree, "a.ipynb")


def test_a_gradebook_removed_in_the_middle_ends_the_run_and_nothing_is_taken_for_done(classroom, examiners):
    hand_in(classroom, "ada")
    hand_in(classroom, "bob")
    kept = classroom.paths.gradebook.read_bytes()
    with pytest.raises(MachineError, match=r"gradebook.*then run again"):
        grade(classroom, TOPIC, examiners, progress=lambda one: classroom.paths.gradebook.unlink())
    with pytest.raises(CourseError, match="does not know squares: put the lost one back"):
        grade(classroom, TOPIC, examiners)
    classroom.paths.gradebook.write_bytes(kept)
    assert [one.score for one in grade(classroom, TOPIC, examiners)] == [5.0, 5.0]
    assert set(gradebook(classroom)) == {"ada", "bob"}
