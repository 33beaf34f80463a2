"""One submission never holds up a class: the worst that we can build stays below the stated bound."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import nbformat
import pytest

from autograder.answers.values import MAX_VALUES, NotPlainError, decode, encode, plain
from autograder.demo import filled_in
from autograder.grading.choose import load_assignment
from autograder.grading.submission import Job, run
from autograder.sandbox import wire
from autograder.sandbox.budget import Budget, SpentError
from autograder.sandbox.limits import Limits
from autograder.sandbox.nursery import Nursery
from tests.attacks.cheating import FIND_CHANNEL
from tests.attacks.worst import as_bytes, hostile_notebooks

LIMITS = Limits(cell_seconds=1.0, notebook_seconds=4.0, grader_seconds=1.5, received_bytes=64 * 2**20)
ONE_STEP = 2.5  # CPU seconds of the longest step between two looks at the budget: one message, one judgement
KEPT = {  # points of what was decided before the budget ended
    "questions": 2.0,
    "answers": 0.0,
    "messages": 0.0,
    "everything": 0.0,
}


class Watched:
    """A nursery that remembers the seats it gave."""

    def __init__(self, nursery):
        self._nursery, self.seats = nursery, []

    def seat(self, *arguments):
        self.seats.append(self._nursery.seat(*arguments))
        return self.seats[-1]


@pytest.fixture(scope="module")
def nursery():
    with Nursery(allow_unsafe=True) as warm:
        yield warm


@pytest.fixture(scope="module")
def assignment(released_course):
    return load_assignment(released_course, "squares")


@pytest.fixture(scope="module")
def notebooks(released_course, assignment):
    release = nbformat.reads(assignment.release, as_version=4)
    source = nbformat.read(released_course.classroom / "source/squares/squares.ipynb", as_version=4)
    return {**hostile_notebooks(release, source), "honest": filled_in(release, source, {})}


def graded(nursery, assignment, notebook, limits=LIMITS):
    """Grade a notebook; return what it earned, its notes and the seat."""
    watched = Watched(nursery)
    result = run(Job(assignment, "squares.ipynb", as_bytes(notebook), limits), watched)
    points = sum(verdict["fraction"] * verdict["points"] for verdict in result.verdicts.values())
    return points, [*result.notes, *result.remarks], watched.seats[0]


@pytest.mark.parametrize("name", KEPT)
def test_the_worst_submission_stays_below_the_bound(nursery, assignment, notebooks, name):
    began = time.thread_time()
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(graded, nursery, assignment, notebooks["honest"])
        points, notes, seat = graded(nursery, assignment, notebooks[name])
        assert beside.result()[:2] == (5.0, [])
    grader_seconds = time.thread_time() - began
    students_seconds = sum(process.cpu_seconds for process in seat.processes)
    assert grader_seconds <= LIMITS.grader_seconds + ONE_STEP
    assert grader_seconds + students_seconds <= LIMITS.worst_seconds
    assert seat.seconds <= LIMITS.submission_seconds + 3 * len(seat.processes)
    assert points >= KEPT[name]
    assert any("used up" in note or "sent more than" in note or "ended early" in note for note in notes)


def test_questions_end_with_the_budget_and_keep_decided_parts(nursery, assignment, notebooks):
    points, notes, _ = graded(nursery, assignment, notebooks["questions"])
    assert points == 2.0
    assert "this submission used up 1.5 s of the grader's time; what was decided before counts" in notes


def test_the_bound_of_a_class_is_five_minutes():
    assert Limits().worst_seconds == 298


def test_processes_of_a_submission_share_their_seconds(nursery):
    """Two at a time have together what is left, not twice as much."""
    limits = Limits(cell_seconds=30, notebook_seconds=2)
    with nursery.seat({}, limits) as seat, seat() as first, seat() as second:
        for process in (first, second):
            process.run("import time\nwhile True:\n    pass")
        third = seat()
        third.run("while True:\n    pass")
        third.close()
        assert all(process.is_late for process in (first, second, third))
        assert seat.seconds < limits.submission_seconds + 3 + 1.5


def test_a_process_that_does_not_listen_uses_up_its_time(nursery):
    limits = Limits(cell_seconds=1, notebook_seconds=2)
    with nursery.seat({}, limits) as seat, seat() as process:
        process.run(
            f"{FIND_CHANNEL}import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\n"
            "channel().sendall(pack({'outputs': []}))\nimport time\ntime.sleep(100)"
        )
        began = seat.seconds
        process.run("x" * 8_000_000)
        assert process.ended
        assert 0.5 < seat.seconds - began < 3.5


def test_all_messages_of_a_submission_count_together():
    budget = Budget(replace(LIMITS, received_bytes=10))
    budget.receive(6)
    with pytest.raises(SpentError, match="sent more than 0 MiB"):
        budget.receive(6)
    assert budget.is_spent


def test_time_of_other_processes_of_the_grader_counts():
    budget = Budget(LIMITS)
    budget.require()
    budget.charge(LIMITS.grader_seconds)
    with pytest.raises(SpentError, match=r"used up 1\.5 s"):
        budget.require()


@pytest.mark.parametrize("item", [0, 0.5, "", [], {"tuple": []}, {"dict": {"array": "<f8"}}], ids=str)
def test_many_values_are_refused_before_they_are_read(item):
    tree = [[item] * 9_999 for _ in range(100)]
    for wrapped in (tree, {"tuple": tree}, {"dict": {"array": tree}}):
        began = time.thread_time()
        with pytest.raises(NotPlainError, match=f"more than {MAX_VALUES} values"):
            decode(wrapped)
        assert time.thread_time() - began < 0.5


def test_an_answer_is_read_by_both_sides_or_by_none():
    largest = [[0.5] * 9_999] * 19 + [[0.5] * (MAX_VALUES - 19 * 9_999 - 20)]
    assert decode(encode(plain(largest))) == largest
    with pytest.raises(NotPlainError):
        plain([*largest, 0.5])
    with pytest.raises(NotPlainError):
        decode([*largest, 0.5])


def test_reading_the_largest_message_takes_no_class_long():
    """The parser holds the interpreter's lock for as long as it reads one message."""
    ours, theirs = socket.socketpair()
    data = b'{"outputs": [' + b"0," * (wire.MAX_PARTS - 100) + b"0]}"
    frame = wire.HEADER.pack(len(data)) + data
    threading.Thread(target=theirs.sendall, args=(frame,), daemon=True).start()
    began = time.thread_time()
    wire.receive(ours, wire.within(30))
    assert time.thread_time() - began < 1
