"""Ctrl-C ends in one line, whatever is being imported, opened or run at that moment; the next run goes on."""

import subprocess
import sys

import pytest

from tests.grading.small_class import gradebook, hand_in

# The program sends itself what Ctrl-C sends, when the n-th module or file is opened.
RUN = """
import os, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
left = int(sys.argv.pop(1))
def watch(event, arguments):
    global left
    if event in ("import", "open") and threading.current_thread() is threading.main_thread():
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGINT)
from autograder.__main__ import main
sys.addaudithook(watch)
code = main()
print("opened", -left, file=sys.stderr) if left <= 0 and code == 0 else None
sys.exit(code)
"""


def grade(course, moment):
    command = [sys.executable, "-c", RUN, str(moment), "grade", "--force", "--workers", "1"]
    run = subprocess.run(command, cwd=course.root, capture_output=True, text=True, check=False)
    ours = ("grading ", "students' code")
    return run.returncode, [line for line in run.stderr.splitlines() if not line.startswith(ours)]


@pytest.mark.parametrize("moment", [1, 40, 250, 700, 1300])
def test_ctrl_c_at_this_moment_ends_in_one_line(classroom, moment):
    hand_in(classroom, "ada")
    code, said = grade(classroom, moment)
    assert code == 130
    assert len(said) == 1, said
    assert said[0].startswith("dimred: stopped")


def test_after_many_interruptions_the_next_run_grades_everybody(classroom):
    hand_in(classroom, "ada")
    hand_in(classroom, "bob")
    code, said = grade(classroom, 1_000_000)
    assert (code, said) == (0, [])
    before = gradebook(classroom)
    for moment in (500, 1500):
        grade(classroom, moment)
    assert grade(classroom, 1_000_000)[0] == 0
    assert gradebook(classroom) == before
