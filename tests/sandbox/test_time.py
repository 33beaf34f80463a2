"""Time: what others take of a core is not counted, a submission has one allowance, and may be alone."""

import threading

import pytest

from autograder.sandbox.limits import Limits, limits_for
from autograder.sandbox.nursery import Nursery
from autograder.sandbox.turns import Turns
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
    with Nursery() as warm:
        yield warm


def test_time_in_which_others_have_the_core_is_not_counted(nursery):
    """Four processes on one core: a second of work lasts four, more than the limit, and less than is waited."""
    with nursery.start({}, Limits(cell_seconds=3)) as process:
        process.run(BUSY)
        process.run("import time; begun = time.process_time()")
        assert printed(process, WORK) == "done"


def test_a_cell_that_sleeps_uses_its_time(nursery):
    with nursery.start({}, Limits(cell_seconds=1)) as process:
        assert error(process, "import time; time.sleep(30)") == "OutOfTimeError"


def test_the_processes_of_a_submission_share_its_time(nursery):
    with nursery.seat({}, Limits(cell_seconds=30, notebook_seconds=2)) as seat:
        for _ in range(2):
            with seat() as process:
                process.run("import time; time.sleep(20)")
                assert process.is_late
        assert 4 <= seat.seconds < 10
        with seat() as process:
            assert process.limits.notebook_seconds < 3
            assert printed(process, "print('there is a last word')") == "there is a last word"


def test_a_seat_knows_whether_it_was_alone(nursery):
    with nursery.seat({}, Limits()) as first:
        assert first.was_alone
        with nursery.seat({}, Limits()) as second:
            assert not second.was_alone
        assert not first.was_alone


def test_whoever_is_alone_waits_for_all_others_and_keeps_them_out():
    turns, order, inside = Turns(), [], threading.Event()

    def beside():
        with turns.together():
            inside.set()
            order.append("first")

    def later():
        with turns.together():
            order.append("later")

    threads = [threading.Thread(target=one) for one in (beside, later)]
    with turns.together():
        threads[0].start()
        inside.wait(10)
        with turns.alone():
            order.append("alone")
            threads[1].start()
            threads[1].join(0.2)
            assert order == ["first", "alone"]
    for thread in threads:
        thread.join(10)
    assert order == ["first", "alone", "later"]


def test_two_who_want_to_be_alone_take_turns():
    turns, together, most = Turns(), threading.Barrier(2), []

    def alone():
        with turns.together():
            together.wait(10)
            with turns.alone():
                most.append(turns.others())

    threads = [threading.Thread(target=alone) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert most == [-1, -1]


def test_a_longer_limit_of_a_cell_gives_the_notebook_more_time():
    assert limits_for(30).notebook_seconds == Limits.notebook_seconds
    assert limits_for(100).notebook_seconds == 400
