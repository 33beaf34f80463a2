"""Time: what others take of a core is not counted, a submission has one allowance, and may be alone."""

import contextlib
import os
import subprocess
import sys
import threading
import time

import pytest

from autograder.answers.attempt import Call
from autograder.sandbox.cpu_contention import Sample, contention_between
from autograder.sandbox.fork_server_client import ForkServerClient
from autograder.sandbox.limits import Limits, limits_for
from autograder.sandbox.readers_writer_lock import ReadersWriterLock
from tests.sandbox.test_sandbox import error, printed

BUSY = """
import os
for _ in range(3):
    if os.fork() == 0:
        while True:
            pass
"""
WORK = """
import time
while time.process_time() < begun + 1:
    pass
print("done")
"""


@pytest.fixture(scope="module")
def nursery():
    with ForkServerClient() as warm:
        yield warm


def test_time_in_which_others_have_the_core_is_not_counted(nursery):
    """Four processes on one core: a second of work lasts four, more than the limit, and less than is waited."""
    with nursery.start({}, Limits(cell_seconds=3)) as process:
        process.run(BUSY)
        process.run("import time; begun = time.process_time()")
        assert printed(process, WORK) == "done"


@contextlib.contextmanager
def one_core():
    """Stay on one core; students get no other."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextlib.contextmanager
def kept_busy(number):
    """So many processes of somebody else want the same core."""
    code = [sys.executable, "-S", "-c", "while True: pass"]
    others = [subprocess.Popen(code, start_new_session=True) for _ in range(number)]
    try:
        yield
    finally:
        for one in others:
            one.kill()
            one.wait()


def test_nothing_is_lost_to_a_machine_that_others_keep_busy():
    """Answers take a second of a core where the whole notebook may take four; by the clock they last longer."""
    function = (
        "def f(x):\n    begun = time.process_time()\n"
        "    while time.process_time() < begun + 0.5:\n        pass\n    return x"
    )
    limits = Limits(cell_seconds=2, notebook_seconds=4)
    with one_core(), ForkServerClient() as nursery:
        nursery.start({}, limits).close()  # it is warm before others come
        with kept_busy(6), nursery.start({}, limits) as process:
            begun = time.monotonic()
            process.run(f"import time\n{function}")
            assert [one.value for one in process.ask("f", [Call({"x": 1.0})])] == [1.0]
            assert [one.value for one in process.ask_in_fork("f", [Call({"x": 2.0})])] == [2.0]
            lasted = time.monotonic() - begun
        assert lasted > 4.5, "the core was busy"
        assert process.running_seconds < 4


@pytest.mark.parametrize(
    ("after", "taken"),
    [
        (Sample(3.0, 3.0, {1: (3.0, 0.0)}), 0.0),  # it had the core
        (Sample(3.0, 1.0, {1: (1.0, 2.0)}), 2.0),  # others had it
        (Sample(3.0, 0.0, {1: (0.0, 0.0)}), 0.0),  # it slept
        (Sample(3.0, 3.0, {1: (1.5, 1.5), 2: (1.5, 1.5)}), 0.0),  # two of its own, in turn
        (Sample(3.0, 1.5, {1: (0.5, 2.5), 2: (1.0, 0.0)}), 1.5),  # the second ended what it did, both waited
        (Sample(3.0, 3.0, {1: (0.0, 3.0)}), 0.0),  # children that came and went used it
    ],
)
def test_what_its_own_processes_take_is_not_taken_by_others(after, taken):
    assert contention_between(Sample(0.0), after) == taken


def test_how_children_end_cannot_be_ignored(nursery):
    """What they used would then be counted for nobody."""
    code = (
        "import os, signal, time\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\nchild = os.fork()\n"
        "if child == 0:\n    os._exit(0)\nprint(os.waitpid(child, 0)[0] == child)"
    )
    with nursery.start({}, Limits()) as process:
        assert printed(process, code) == "True"


def test_a_cell_that_sleeps_uses_its_time(nursery):
    with nursery.start({}, Limits(cell_seconds=1)) as process:
        assert error(process, "import time; time.sleep(30)") == "TimeLimitError"


def test_the_processes_of_a_submission_share_its_time(nursery):
    with nursery.open_session({}, Limits(cell_seconds=30, notebook_seconds=2)) as seat:
        for _ in range(2):
            with seat() as process:
                process.run("import time; time.sleep(20)")
                assert process.is_late
        assert 3.5 <= seat.seconds < 10
        with seat() as process:
            assert process.limits.notebook_seconds < 3
            assert printed(process, "print('there is a last word')") == "there is a last word"


def test_a_seat_knows_whether_it_was_alone(nursery):
    with nursery.open_session({}, Limits()) as first:
        assert first.was_exclusive
        with nursery.open_session({}, Limits()) as second:
            assert not second.was_exclusive
        assert not first.was_exclusive


def test_whoever_is_alone_waits_for_all_others_and_keeps_them_out():
    turns, order, inside = ReadersWriterLock(), [], threading.Event()

    def beside():
        with turns.shared():
            inside.set()
            order.append("first")

    def later():
        with turns.shared():
            order.append("later")

    threads = [threading.Thread(target=one) for one in (beside, later)]
    with turns.shared():
        threads[0].start()
        inside.wait(10)
        with turns.exclusive():
            order.append("alone")
            threads[1].start()
            threads[1].join(0.2)
            assert order == ["first", "alone"]
    for thread in threads:
        thread.join(10)
    assert order == ["first", "alone", "later"]


def test_two_who_want_to_be_alone_take_turns():
    turns, together, most = ReadersWriterLock(), threading.Barrier(2), []

    def alone():
        with turns.shared():
            together.wait(10)
            with turns.exclusive():
                most.append(turns.n_other_holders())

    threads = [threading.Thread(target=alone) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert most == [-1, -1]


def test_a_longer_limit_of_a_cell_gives_the_notebook_more_time():
    assert limits_for(30).notebook_seconds == Limits.notebook_seconds
    assert limits_for(100).notebook_seconds == 400
