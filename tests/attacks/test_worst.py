"""One submission never holds up a class: the worst that we can build stays below the stated bound."""

import resource
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import nbformat
import pytest

from autograder.answers.values import MAX_VALUES, UnsupportedAnswerError, decode, encode, to_plain_data
from autograder.demo import filled_in
from autograder.grading.choose import load_assignment
from autograder.grading.grade import FinishedSubmission, write_result
from autograder.grading.recorder import Recorder
from autograder.grading.submission import Job, grade_submission
from autograder.reports.feedback import write_feedback
from autograder.sandbox import wire
from autograder.sandbox.budget import Budget, SpentError
from autograder.sandbox.fork_server_client import ForkServerClient
from autograder.sandbox.limits import (
    CLOSING_SECONDS,
    MAX_LATE_PROCESSES,
    MIN_PROCESS_SECONDS,
    RECORDING_SECONDS,
    STEP_SECONDS,
    Limits,
)
from autograder.sandbox.session import SubmissionSession
from tests.attacks.cheating import FIND_CHANNEL
from tests.attacks.worst import as_bytes, hostile_notebooks
from tests.grading.small_class import TOPIC

LIMITS = Limits(cell_seconds=1.0, notebook_seconds=4.0, grader_seconds=1.5, received_bytes=64 * 2**20)
KEPT = {  # points of what was decided before a limit was met
    "questions": 2.0,
    "messages": 2.0,
    "answers": 0.0,
    "outputs": 2.0,
    "loops": 2.0,
    "text": 4.0,
    "sleeps": 2.0,
    "processes": 0.0,
    "nesting": 1.0,
    "errors": 2.0,
    "pictures": 4.0,
    "metadata": 5.0,
    "typesetting": 5.0,
    "deep formula": 3.0,
    "tower": 3.0,
    "expanding": 3.0,
    "everything": 0.0,
}
# By a limit; whether large answers and processes left behind reach one depends on the speed of the machine.
ENDED = ("questions", "messages", "sleeps", "loops", "everything")


class Watched:
    """A nursery that remembers the seats it gave."""

    def __init__(self, nursery):
        self._nursery, self.seats = nursery, []

    def open_session(self, *arguments):
        self.seats.append(self._nursery.open_session(*arguments))
        return self.seats[-1]


@pytest.fixture(scope="module")
def nursery():
    with ForkServerClient(allow_unsafe=True) as warm:
        yield warm


@pytest.fixture(scope="module")
def assignment(released_course):
    return load_assignment(released_course, "squares")


@pytest.fixture(scope="module")
def notebooks(released_course, assignment):
    release = nbformat.reads(assignment.release, as_version=4)
    source = nbformat.read(released_course.classroom / "source/squares/squares.ipynb", as_version=4)
    return {
        **hostile_notebooks(release, source, LIMITS.cell_seconds),
        "honest": filled_in(release, source, {}),
    }


@dataclass
class Cost:
    """What one submission took, in seconds, with its points and notes."""

    grader: float
    recording: float
    seat: SubmissionSession
    points: float
    notes: list[str]

    @property
    def students_cpu(self):
        return sum(process.cpu_seconds for process in self.seat.processes)


def graded(nursery, assignment, notebook, limits=LIMITS):
    """Grade a notebook; return what it earned, its notes and the seat."""
    result, seat, _ = examined(nursery, assignment, notebook, limits)
    points = sum(verdict["fraction"] * verdict["points"] for verdict in result.verdicts.values())
    return points, [*result.notes, *result.remarks], seat


def examined(nursery, assignment, notebook, limits=LIMITS):
    """Grade a notebook; return the result, the seat and the CPU seconds of this thread."""
    watched, began = Watched(nursery), time.thread_time()
    result = grade_submission(Job(assignment, "squares.ipynb", as_bytes(notebook), limits), watched)
    return result, watched.seats[0], time.thread_time() - began


def seconds_of_ended_processes():
    """CPU seconds: formulas are typeset by a process of their own."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cost_of(nursery, course, notebook):
    """Grade a notebook, write it into the gradebook and make its feedback page."""
    assignment = load_assignment(course, TOPIC)
    result, seat, grader = examined(nursery, assignment, notebook)
    began, began_elsewhere = time.thread_time(), seconds_of_ended_processes()
    course.paths.submission("worst", TOPIC).parent.mkdir(parents=True)
    with Recorder(course, TOPIC) as recorder:
        recorder.require_assignment()
        outcome = write_result(course, recorder, FinishedSubmission("worst", "", result))
    write_feedback(course, TOPIC)
    recording = time.thread_time() - began + seconds_of_ended_processes() - began_elsewhere
    return Cost(
        grader + seat.budget.elsewhere_seconds,
        recording,
        seat,
        outcome.score,
        [*outcome.notes, *outcome.remarks, *(verdict["problem"] for verdict in result.verdicts.values())],
    )


@pytest.mark.parametrize("name", KEPT)
def test_the_worst_submission_stays_below_the_bound(nursery, classroom, notebooks, name):
    cost = cost_of(nursery, classroom, notebooks[name])
    assert cost.grader <= LIMITS.grader_seconds + STEP_SECONDS
    assert cost.recording <= RECORDING_SECONDS
    late = MAX_LATE_PROCESSES * (MIN_PROCESS_SECONDS + CLOSING_SECONDS)
    assert cost.seat.seconds <= LIMITS.submission_seconds + late
    assert cost.grader + cost.recording + cost.students_cpu <= LIMITS.worst_seconds
    assert cost.grader + cost.recording + cost.seat.seconds <= LIMITS.worst_seconds
    assert cost.points >= KEPT[name]
    # which limit comes first depends on the machine
    phrases = ("used up", "sent more than", "ended early", "longer than its limit", "too slow")
    assert name not in ENDED or any(phrase in note for note in cost.notes for phrase in phrases), cost.notes


@pytest.mark.parametrize("name", ["questions", "everything"])
def test_a_submission_beside_the_worst_keeps_its_points(nursery, assignment, notebooks, name):
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(graded, nursery, assignment, notebooks["honest"])
        graded(nursery, assignment, notebooks[name])
        assert beside.result()[:2] == (5.0, [])


def test_a_class_waits_for_a_late_submission_no_longer_than_the_bound(nursery, assignment, notebooks):
    """It runs a second time while nobody else does, within the same seconds."""
    with ThreadPoolExecutor(2) as pool:
        late = pool.submit(graded, nursery, assignment, notebooks["sleeps"])
        others = [pool.submit(graded, nursery, assignment, notebooks["honest"]) for _ in range(12)]
        _, _, seat = late.result()
        assert [other.result()[:2] for other in others] == [(5.0, [])] * 12
    assert len(seat.processes) > 1
    assert seat.budget.grader_seconds + seat.seconds <= LIMITS.worst_seconds


def test_processes_that_compute_while_the_grader_judges_are_charged(nursery):
    """The kernel adds the time of killed descendants to no parent."""
    with nursery.open_session({}, Limits()) as seat:
        with seat() as process:
            process.run(
                "import os\nfor _ in range(3):\n    if os.fork() == 0:\n        while True:\n            pass"
            )
            time.sleep(3)  # as if it judged
        assert process.cpu_seconds > 0.25  # alone, without the three, it takes a tenth of a second
        process.cpu_seconds = process.running_seconds + 5
        assert seat.seconds == process.cpu_seconds


def test_no_process_starts_for_what_is_optional_when_the_time_is_over():
    budget = Budget(LIMITS)
    assert not budget.is_over
    budget.add_process(lambda: LIMITS.submission_seconds)
    assert budget.is_over
    assert not budget.is_spent


def test_questions_end_with_the_budget_and_keep_decided_parts(nursery, assignment, notebooks):
    """Its processes have time for all questions: without a budget the grader would answer for minutes."""
    limits = replace(LIMITS, cell_seconds=20.0, notebook_seconds=60.0, received_bytes=2**30)
    result, seat, grader = examined(nursery, assignment, notebooks["questions"], limits)
    assert sum(verdict["fraction"] * verdict["points"] for verdict in result.verdicts.values()) == 2.0
    assert (
        "this submission used up 1.5 s of the grader's time; what was decided before counts" in result.remarks
    )
    assert grader + seat.budget.elsewhere_seconds <= limits.grader_seconds + STEP_SECONDS


def test_the_bound_of_a_class_is_five_minutes():
    assert Limits().worst_seconds == 240 + 2 * (3 + 3) + 2 * (15 + 4) + 5 < 300


def test_processes_of_a_submission_share_their_seconds(nursery):
    """Three that begin side by side have together what two notebooks have, not what three have."""
    limits = Limits(cell_seconds=30, notebook_seconds=4)
    with nursery.open_session({}, limits) as seat, seat() as first, seat() as second, seat() as third:
        for process in (first, second, third):
            process.run("while True:\n    pass")
        assert all(process.is_late for process in (first, second, third))
        assert limits.submission_seconds / 2 < seat.seconds < 3 * limits.notebook_seconds - 0.5


def test_a_process_that_does_not_listen_uses_up_its_time(nursery):
    limits = Limits(cell_seconds=1, notebook_seconds=2)
    with nursery.open_session({}, limits) as seat, seat() as process:
        process.run(
            f"{FIND_CHANNEL}import signal\nsignal.setitimer(signal.ITIMER_REAL, 0)\n"
            "channel().sendall(pack({'outputs': []}))\nimport time\ntime.sleep(100)"
        )
        began = seat.seconds
        process.run("x" * 8_000_000)
        assert process.end_reason
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


def compute(seconds):
    began = time.thread_time()
    while time.thread_time() < began + seconds:
        pass


def test_a_budget_counts_its_own_thread_whoever_asks():
    """The thread that asks may have computed for minutes, and a pool gives the next submission the same thread."""
    with ThreadPoolExecutor(1) as grader:
        budget = grader.submit(Budget, LIMITS).result()
        compute(2 * LIMITS.grader_seconds)
        assert budget.grader_seconds < 0.5
        grader.submit(compute, 0.2).result()
        counted = grader.submit(lambda: budget.grader_seconds).result()
        assert 0.2 <= counted < 1
        assert budget.grader_seconds == counted
        assert not budget.is_spent


@pytest.mark.parametrize("item", [0, 0.5, "", [], {"tuple": []}, {"dict": {"array": "<f8"}}], ids=str)
def test_many_values_are_refused_before_they_are_read(item):
    tree = [[item] * 9_999 for _ in range(100)]
    for wrapped in (tree, {"tuple": tree}, {"dict": {"array": tree}}):
        began = time.thread_time()
        with pytest.raises(UnsupportedAnswerError, match=f"more than {MAX_VALUES} values"):
            decode(wrapped)
        assert time.thread_time() - began < 0.5


def test_an_answer_is_read_by_both_sides_or_by_none():
    largest = [[0.5] * 9_999] * 19 + [[0.5] * (MAX_VALUES - 19 * 9_999 - 20)]
    assert decode(encode(to_plain_data(largest))) == largest
    with pytest.raises(UnsupportedAnswerError):
        to_plain_data([*largest, 0.5])
    with pytest.raises(UnsupportedAnswerError):
        decode([*largest, 0.5])


def test_reading_the_largest_message_takes_no_class_long():
    """The parser holds the interpreter's lock for as long as it reads one message."""
    ours, theirs = socket.socketpair()
    data = b'{"outputs": [' + b"0," * (wire.MAX_MESSAGE_ITEMS - 100) + b"0]}"
    frame = wire.LENGTH_HEADER.pack(len(data)) + data
    threading.Thread(target=theirs.sendall, args=(frame,), daemon=True).start()
    began = time.thread_time()
    wire.receive(ours, wire.deadline_after(30))
    assert time.thread_time() - began < 1
