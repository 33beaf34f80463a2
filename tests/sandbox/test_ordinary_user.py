"""An ordinary user grades a class: the same scores, and the same walls around students' code."""

import os
import shutil

import pytest

from autograder.course.course import Course
from tests.grading.small_class import TOPIC, WRONG, gradebook, hand_in
from tests.sandbox.machines import PYTHON, run_as_user

pytestmark = pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
USER = 1234
# A function that looks for what it must not see: the key, the gradebook, classmates, the network, the grader.
CURIOUS = """
import os, socket
seen = []
for place in ({root!r}, {root!r} + "/classroom/keys", {root!r} + "/classroom/gradebook.db", "/proc/1/environ"):
    if os.path.exists(place) and not place.startswith("/proc"):
        seen.append(place)
try:
    socket.create_connection(("127.0.0.1", 80), timeout=1)
    seen.append("network")
except OSError as error:
    if error.errno == 111:
        seen.append("network")

def NAME(x):
    return 0.0 if seen else float(np.sum(x ** 2))
"""


@pytest.fixture
def own_class(released_course, folder_for_all):
    """A class in a folder of the user's own."""
    course = Course(folder_for_all / "course")
    shutil.copytree(released_course.root, course.root)
    hand_in(course, "ada")
    hand_in(course, "bob", total=WRONG)
    hand_in(course, "eve", total=CURIOUS.format(root=str(course.root)))
    for path in (course.root, *course.root.rglob("*")):
        os.chown(path, USER, USER)
    return course


def test_an_ordinary_user_grades_behind_walls(own_class):
    run = run_as_user([PYTHON, "-m", "autograder", "grade"], USER, own_class.root)
    assert run.returncode == 0, run.stderr
    assert "MISSING" not in run.stderr
    points = {student: score["score"] for student, score in gradebook(own_class).items()}
    assert points["ada"] == points["eve"] == 5.0, "a program that sees nothing answers rightly"
    assert points["bob"] < 5.0
    assert {path.stat().st_uid for path in own_class.paths.verdicts(TOPIC).iterdir()} == {USER}
    for verb in ("feedback", "report", "audit", "doctor"):
        run = run_as_user([PYTHON, "-m", "autograder", verb], USER, own_class.root)
        assert run.returncode == 0, (verb, run.stdout, run.stderr)
