"""A notebook that its owner changes while it is read, and a clock that jumps while a class is graded."""

import json
import os
import socket
import threading
import time

import pytest

from autograder.errors import UnreadableError
from autograder.grading import repair
from autograder.grading.grade import GradingOptions, grade
from autograder.grading.repair import read_file
from autograder.grading.workers import local_grading_pool
from autograder.sandbox.limits import Limits
from tests.grading.small_class import TOPIC, hand_in


@pytest.fixture
def path(tmp_path):
    return tmp_path / "squares.ipynb"


def test_a_file_is_read_once_whatever_takes_its_place(path, monkeypatch):
    """Between opening and reading the file becomes a link to a secret."""
    secret = path.with_name("secret")
    secret.write_text("secret")
    path.write_text("mine")
    real = os.fstat

    def replace_first(descriptor):
        path.unlink(missing_ok=True)
        path.symlink_to(secret)
        return real(descriptor)

    monkeypatch.setattr(repair.os, "fstat", replace_first)
    assert read_file(path) == b"mine"
    with pytest.raises(UnreadableError, match="is not a file"):
        read_file(path)


def test_a_file_that_grows_is_read_up_to_the_limit(path, monkeypatch):
    path.write_bytes(b"x" * 10)
    real = os.fstat

    def grow_first(descriptor):
        path.write_bytes(b"x" * 2_000)
        return real(descriptor)

    monkeypatch.setattr(repair, "MAX_NOTEBOOK", 1_000)
    monkeypatch.setattr(repair.os, "fstat", grow_first)
    with pytest.raises(UnreadableError, match="larger than"):
        read_file(path)


@pytest.mark.parametrize("kind", ["missing", "folder", "link", "pipe", "dangling link", "socket"])
def test_only_files_are_read(path, kind, monkeypatch):
    target = path.with_name("target")
    target.write_text("{}")
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(target)
    elif kind == "dangling link":
        path.symlink_to(target / "nowhere")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        monkeypatch.chdir(path.parent)  # the address of a socket must be short
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path.name)
    with pytest.raises(UnreadableError, match="is not a file"):
        read_file(path)


def test_a_notebook_that_changes_all_the_time_costs_its_owner_alone(classroom):
    """Written, cut, replaced by a link, in a loop: the class is graded, and nothing of the link's target is read."""
    for student in ("ada", "zoe"):
        hand_in(classroom, student)
    place = classroom.paths.submission("ada", TOPIC)
    whole, secret = place.read_bytes(), classroom.paths.secret_key(TOPIC)
    is_over = threading.Event()

    def change():
        while not is_over.is_set():
            for content in (whole, whole[:500], b"", None):
                new = place.with_name("new")
                new.symlink_to(secret) if content is None else new.write_bytes(content)
                new.replace(place)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        with local_grading_pool(1) as examiners:
            outcomes = {one.student: one for one in grade(classroom, TOPIC, examiners)}
    finally:
        is_over.set()
        thread.join()
    assert outcomes["zoe"].score == 5.0
    assert outcomes["ada"].score in (0.0, 5.0)
    assert outcomes["ada"].state in ("graded", "unreadable")
    assert "cases" not in json.dumps(outcomes["ada"].notes)


@pytest.mark.parametrize("jump", [-10 * 365 * 86_400.0, 10 * 365 * 86_400.0], ids=["back", "forward"])
def test_a_clock_that_jumps_changes_no_grade(classroom, monkeypatch, jump):
    """Limits are measured by clocks that nobody sets; lateness by the time of handing in."""
    for student in ("ada", "zoe"):
        hand_in(
            classroom, student, total="import time\ntime.sleep(0.5)\ndef NAME(x):\n    return float(x @ x)"
        )
    real, begun = time.time, time.monotonic()
    monkeypatch.setattr(time, "time", lambda: real() + (jump if time.monotonic() > begun + 0.3 else 0))
    with local_grading_pool(2) as examiners:
        outcomes = grade(classroom, TOPIC, examiners, GradingOptions(Limits(cell_seconds=5)))
    assert [(one.score, one.notes, one.late) for one in outcomes] == [(5.0, [], "")] * 2
