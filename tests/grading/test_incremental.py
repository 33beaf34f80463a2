"""Unchanged work is not run again; what was interrupted goes on as if nothing had happened."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from autograder.cli import main
from autograder.course.course import Course
from autograder.grading import assignment as work
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.gradebook_tables import open_gradebook
from autograder.grading.outcome import format_summary, outcomes_on_file
from autograder.grading.workers import local_grading_pool
from tests.grading.small_class import SLOW, TOPIC, WRONG, gradebook, hand_in, written_files


class Counting:
    """Examiners that remember what they were asked to run."""

    def __init__(self, examiners):
        self.examiners, self.protections, self.ran = examiners, examiners.protections, []

    def submit(self, job):
        self.ran.append(job)
        return self.examiners.submit(job)


@pytest.fixture(scope="module")
def examiners():
    with local_grading_pool(2) as made:
        yield made


def run(course, examiners, **plan):
    """Grade; how many submissions were run, and the outcomes."""
    counting = Counting(examiners)
    outcomes = grade(course, TOPIC, counting, GradingOptions(**plan))
    return len(counting.ran), outcomes


@pytest.fixture
def handed_in(classroom):
    hand_in(classroom, "ada")
    hand_in(classroom, "bob", total=WRONG)
    hand_in(classroom, "cyd", cubes=None)
    return classroom


def test_unchanged_submissions_are_not_run_again_but_with_force_they_are(handed_in, examiners):
    ran, first = run(handed_in, examiners)
    before, files = gradebook(handed_in), written_files(handed_in)
    assert ran == 3
    assert [one.score for one in first] == [5.0, 3.5, 4.0]
    ran, second = run(handed_in, examiners)
    assert ran == 0
    assert {one.state for one in second} == {"unchanged"}
    assert [one.score for one in second] == [one.score for one in first]
    ran, _ = run(handed_in, examiners, force=True)
    assert ran == 3
    assert gradebook(handed_in) == before
    assert written_files(handed_in) == files, "two runs give the same bytes"


def test_a_changed_notebook_is_run_again_and_only_that_one(handed_in, examiners):
    run(handed_in, examiners)
    hand_in(handed_in, "bob")
    ran, outcomes = run(handed_in, examiners)
    assert ran == 1
    assert {one.student: one.score for one in outcomes}["bob"] == 5.0


def test_a_mended_key_runs_everybody_again(handed_in, examiners):
    run(handed_in, examiners)
    key = handed_in.classroom / "keys" / f"{TOPIC}.secret.json"
    key.write_text(key.read_text("utf-8").replace('"tolerance": 1e-06', '"tolerance": 1e-05'), "utf-8")
    assert run(handed_in, examiners)[0] == 3


def test_a_mended_engine_runs_everybody_again(handed_in, examiners, monkeypatch):
    run(handed_in, examiners)
    monkeypatch.setattr(work, "scoring_digest", lambda: "another engine")
    assert run(handed_in, examiners)[0] == 3


def test_a_gradebook_that_lost_a_student_gets_them_back(handed_in, examiners):
    run(handed_in, examiners)

    with open_gradebook(handed_in) as book:
        book.remove_submission(TOPIC, "bob")
    assert run(handed_in, examiners)[0] == 1
    assert gradebook(handed_in)["bob"]["score"] == 3.5


def test_a_half_written_verdict_is_no_verdict(handed_in, examiners):
    run(handed_in, examiners)
    note = handed_in.classroom / "verdicts" / TOPIC / "ada.json"
    note.write_text(note.read_text("utf-8")[:40], "utf-8")
    assert run(handed_in, examiners)[0] == 1


def test_a_forced_run_that_breaks_off_while_writing_is_not_taken_for_done(handed_in, examiners, monkeypatch):
    run(handed_in, examiners)
    with monkeypatch.context() as broken:
        broken.setattr("autograder.grading.grade._write_autograded", lambda *_: 1 / 0)
        run(handed_in, examiners, force=True)
    assert run(handed_in, examiners)[0] >= 1


def test_the_summary_counts_what_became_of_everybody(handed_in, examiners):
    run(handed_in, examiners)
    hand_in(handed_in, "dan")
    path = handed_in.paths.submission("dan", TOPIC)
    path.write_text(
        path.read_text("utf-8").replace('check(\\"squares.total', 'print(\\"squares.total'), "utf-8"
    )
    broken = handed_in.paths.submission("eve", TOPIC)
    broken.parent.mkdir(parents=True)
    broken.write_text("{", "utf-8")
    _, outcomes = run(handed_in, examiners)
    assert (
        format_summary(outcomes)
        == "5 submissions: 0 graded, 1 repaired, 1 unreadable, 3 unchanged, 0 not graded"
    )


def test_the_command_line_ends_with_the_summary(handed_in, capsys, monkeypatch):
    monkeypatch.chdir(handed_in.root)
    assert main(["grade"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith("squares: 3 submissions: 3 graded, 0 repaired, ")
    assert last.endswith(" s")


@pytest.mark.parametrize("blow", [signal.SIGINT, signal.SIGKILL])
def test_a_run_stopped_in_the_middle_goes_on_and_ends_like_one_that_was_not(
    handed_in, examiners, tmp_path, blow
):
    for number in range(4):
        hand_in(handed_in, f"slow{number}", total=SLOW.format(seconds=1))
    whole = Course(tmp_path / "whole")
    shutil.copytree(handed_in.root, whole.root)
    grade(whole, TOPIC, examiners)

    command = [sys.executable, "-m", "autograder.cli", "grade", "--workers", "1"]
    grading = subprocess.Popen(command, cwd=handed_in.root, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    verdicts = handed_in.classroom / "verdicts" / TOPIC
    deadline = time.monotonic() + 60
    while len(list(verdicts.glob("*.json"))) < 4 and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(grading.pid, blow)
    grading.communicate()
    assert grading.returncode == (130 if blow == signal.SIGINT else -signal.SIGKILL)
    done = len(list(verdicts.glob("*.json")))
    assert 4 <= done < 7, "the blow came too late to try anything"

    ran, outcomes = run(handed_in, examiners)
    assert ran == 7 - done
    assert len(outcomes) == 7
    assert len(list(outcomes_on_file(handed_in, TOPIC))) == 7
    assert gradebook(handed_in) == gradebook(whole)
    assert written_files(handed_in) == written_files(whole)


def test_a_class_larger_than_what_is_held_at_one_time_is_graded_whole(classroom, examiners, monkeypatch):
    monkeypatch.setattr("autograder.grading.grade.MAX_PENDING", 2)
    for number in range(5):
        hand_in(classroom, f"student{number}")
    number, outcomes = run(classroom, examiners)
    assert number == 5
    assert {one.student: one.state for one in outcomes} == {f"student{n}": "graded" for n in range(5)}
