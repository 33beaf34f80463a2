"""A class of sixty, twenty of them hostile, graded while everything goes wrong.

The grader's nursery is killed, the gradebook is locked by another program, the grader is stopped by Ctrl-C and later
by a power cut, and the disk is full. Afterwards every honest student has what a quiet run gives, in one row.
"""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import nbformat
import pytest

from autograder.course.course import Course
from autograder.grading.choose import load_assignment
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.workers import local_grading_pool
from autograder.sandbox.limits import Limits
from tests.grading.small_class import TOPIC, WRONG, gradebook, hand_in

SECONDS = 2  # of computing for one cell: more than any honest one takes
PATIENCE = 300
HONEST = {f"honest{number:02d}": number for number in range(40)}
ANSWERS = (  # what honest students hand in, in turn
    {},
    {"total": WRONG},
    {"cubes": None},
    {"total": None, "binomial": None},
    {"cubes": "def NAME(X):\n    return [[float(x) ** 3 for x in row] for row in X]"},
)

# What hostile students write in a cell of their own, below right answers.
CODE = {
    "loops": "while True: pass",
    "ends": "import os; os._exit(0)",
    "kills": "import os, signal; os.kill(-1, signal.SIGKILL)",
    "forks": "import os\nwhile True: os.fork()",
    "hoards": "hoard = [bytearray(2**24) for _ in range(10_000)]",
    "floods": "while True: print('x' * 10_000)",
    "fills": "open('/tmp/full', 'wb').write(bytes(2**28))",
    "recurses": "def f(): f()\nimport sys; sys.setrecursionlimit(10**8); f()",
    "escapes": "import os; os.system('rm -rf / --no-preserve-root 2>/dev/null')",
}
# What they give as answers.
VALUES = {
    "huge": "def NAME(x):\n    return 10 ** 5000",
    "ragged": "def NAME(x):\n    return [[1.0], [1.0, 2.0]]",
    "deep": "def NAME(x):\n    y = []\n    for _ in range(90_000):\n        y = [y]\n    return y",
    "rude": "class R(float):\n    def __repr__(self):\n        1 / 0\n\ndef NAME(x):\n    return R(1.0)",
}


def hostile(course: Course) -> None:
    """Twenty students whose code, files or names are made to do harm."""
    for name, code in CODE.items():
        hand_in(course, name)
        path = course.paths.submission(name, TOPIC)
        notebook = json.loads(path.read_text("utf-8"))
        notebook["cells"].append(nbformat.v4.new_code_cell(code, id="own"))
        path.write_text(json.dumps(notebook), "utf-8")
    for name, answer in VALUES.items():
        hand_in(course, name, total=answer)
    for name in ("half", "pipe", "folder", "link"):
        hand_in(course, name)
    paths = {name: course.paths.submission(name, TOPIC) for name in ("half", "pipe", "folder", "link")}
    paths["half"].write_bytes(paths["half"].read_bytes()[:500])
    for name in ("pipe", "folder", "link"):
        paths[name].unlink()
    os.mkfifo(paths["pipe"])
    paths["folder"].mkdir()
    paths["link"].symlink_to(course.paths.secret_key(TOPIC))
    for name in ("\x1b]0;obey\x07", "=1+1", os.fsdecode(b"caf\xe9")):  # the last one is no text
        hand_in(course, name)


@contextlib.contextmanager
def small_disk(folder: Path):
    """A disk of its own for a folder, small enough to be filled."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m,mode=0755", "tmpfs", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture
def the_class(released_course, tmp_path):
    """The class of sixty, on a small disk."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a disk that is small enough to be filled")
    root = tmp_path / "course"
    root.mkdir()
    with small_disk(root):
        shutil.copytree(released_course.root, root, dirs_exist_ok=True)
        course = Course(root)
        for student, number in HONEST.items():
            hand_in(course, student, **ANSWERS[number % len(ANSWERS)])
        hostile(course)
        yield course


def quiet_scores(course: Course, folder: Path) -> dict:
    """What the honest students have when nothing happens."""
    quiet = Course(folder / "quiet")
    ours = shutil.ignore_patterns("submitted")
    shutil.copytree(course.root, quiet.root, ignore=ours)
    for student in HONEST:
        shutil.copytree(course.paths.submitted / student, quiet.paths.submitted / student)
    with local_grading_pool(2) as examiners:
        grade(quiet, TOPIC, examiners, GradingOptions(Limits(cell_seconds=SECONDS)))
    return gradebook(quiet)


class Grader:
    """`dimred grade` in a process of its own."""

    def __init__(self, course: Course) -> None:
        self.verdicts = course.paths.verdicts(TOPIC)
        command = [
            sys.executable,
            "-m",
            "autograder.cli",
            "grade",
            "--workers",
            "2",
            "--seconds",
            str(SECONDS),
        ]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=course.root, stdout=pipe, stderr=pipe, text=True)

    def until(self, number: int) -> None:
        """Wait until so many more submissions are graded."""
        goal, deadline = len(list(self.verdicts.glob("*.json"))) + number, time.monotonic() + PATIENCE
        while len(list(self.verdicts.glob("*.json"))) < goal and self.process.poll() is None:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        assert self.process.poll() is None, self.process.communicate()

    def kill_nursery(self) -> None:
        """End the parent of all students' processes, as the kernel does when there is no memory."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        nursery = next(one for one in children if b"fork_server" in Path(f"/proc/{one}/cmdline").read_bytes())
        os.kill(int(nursery), signal.SIGKILL)

    def end(self, blow: int | None = None) -> tuple[int, list[str]]:
        """Let it end, or end it; its code, and the lines of standard error but for progress."""
        if blow:
            self.process.send_signal(blow)
        _, errors = self.process.communicate(timeout=PATIENCE)
        said = [line for line in errors.splitlines() if not line.startswith(("grading ", "students' code"))]
        return self.process.returncode, said


@contextlib.contextmanager
def locked(gradebook_file: Path):
    """Another program writes the gradebook and takes its time."""
    with contextlib.closing(sqlite3.connect(gradebook_file, timeout=PATIENCE)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.rollback()


@contextlib.contextmanager
def full(folder: Path):
    """Not a byte is free."""
    ballast = folder / "ballast"
    with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    yield
    ballast.unlink()


def half_written(course: Course) -> list[str]:
    """Left-overs, and files that are not whole."""
    found = [str(path) for path in course.classroom.rglob("*.tmp")]
    for path in (
        *course.paths.verdicts(TOPIC).glob("*.json"),
        *course.classroom.glob("autograded/*/*/*.ipynb"),
    ):
        try:
            json.loads(path.read_text("utf-8"))
        except ValueError:
            found.append(str(path))
    return found


def rows(course: Course) -> Counter:
    """How many rows each student has in the gradebook."""
    with contextlib.closing(sqlite3.connect(course.paths.gradebook)) as book:
        return Counter(student for (student,) in book.execute("SELECT student_id FROM submitted_assignment"))


def test_after_all_this_every_honest_student_has_the_score_of_a_quiet_run_in_one_row(the_class, tmp_path):
    course = the_class
    assert len(course.paths.students_with(TOPIC)) == 60
    quiet = quiet_scores(course, tmp_path)
    assert len(quiet) == 40
    assert len({one["score"] for one in quiet.values()}) >= 4, "the class is not all alike"

    first = Grader(course)
    first.until(6)
    first.kill_nursery()
    first.until(6)
    with locked(course.paths.gradebook):
        time.sleep(8)  # longer than SQLite waits by itself
    first.until(3)
    assert first.end(signal.SIGINT) == (130, ["dimred: stopped; what was finished is kept"])

    second = Grader(course)
    second.until(8)
    second.end(signal.SIGKILL)

    with full(course.root):
        code, said = Grader(course).end()
    assert (code, len(said)) == (1, 1), said
    assert said[0].startswith("dimred: ")
    assert "No space left" in said[0] or "disk is full" in said[0]
    assert half_written(course) == []

    code, said = Grader(course).end()
    assert (code, said) == (1, ["dimred: 1 of 60 submissions of squares could not be graded: see above"])

    found = gradebook(course)
    assert {student: found[student] for student in HONEST} == quiet
    assert set(rows(course).values()) == {1}
    assert len(rows(course)) == 59, "all but the one whose name no gradebook can hold"
    assert half_written(course) == []
    secret = course.paths.secret_key(TOPIC).read_text("utf-8")
    assert load_assignment(course, TOPIC).secret == secret
