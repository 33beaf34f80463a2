"""Lanes of a first run as real processes: their events, failures, order, and end."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.first_run.course_run import raise_first_failure
from autograder.first_run.lane_process import Lane
from autograder.first_run.run import FirstRun

REPORT = """
import sys, time
from autograder.first_run.events import Reporter
reporter = Reporter(sys.stdout)
"""
TITLES = {"dig": "digging", "fill": "filling"}


def lane(name, steps, body):
    return Lane(name, steps, (sys.executable, "-c", REPORT + body))


def first_run(tmp_path, *lanes, after=None):
    (tmp_path / "_build").mkdir(exist_ok=True)
    return FirstRun(Course(tmp_path), lanes, TITLES, after or {})


def run(tmp_path, *lanes, after=None):
    """Run lanes to their end; return the run."""
    runs = []

    async def make():
        runs.append(first_run(tmp_path, *lanes, after=after))
        await runs[0].run()

    in_a_thread(raise_first_failure, make())
    return runs[0]


def in_a_thread(call, *arguments):
    """Call in another thread: in this one, tests of pages may have left an event loop running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call, *arguments).result()


DIG = "with reporter.step('dig') as step:\n    step.expect(2); step.advance(); step.advance(); step.note = 'deep'"
FILL = "with reporter.step('fill') as step:\n    step.note = 'full'"


def test_each_step_gets_one_line_with_its_note(tmp_path, capsys):
    run(tmp_path, lane("one", ("dig",), DIG), lane("two", ("fill",), FILL))
    lines = capsys.readouterr().out.splitlines()
    assert sorted(line.split()[0] for line in lines) == ["digging", "everything", "filling"]
    assert any("deep" in line for line in lines)


def test_a_failed_step_is_named_and_other_lanes_finish(tmp_path, capsys):
    broken = lane("one", ("dig",), "with reporter.step('dig'):\n    raise ValueError('hit a rock')")
    with pytest.raises(CourseError, match="not everything could be made"):
        run(tmp_path, broken, lane("two", ("fill",), FILL))
    out = capsys.readouterr().out
    assert "failed: hit a rock" in out
    assert "full" in out
    assert "Traceback" not in out


def test_a_killed_process_fails_its_unfinished_steps(tmp_path, capsys):
    killed = lane("one", ("dig", "fill"), DIG + "\nimport os; os.kill(os.getpid(), 9)")
    with pytest.raises(CourseError):
        run(tmp_path, killed)
    out = capsys.readouterr().out
    assert "deep" in out
    assert "failed: its process ended with code -9" in out


def test_a_step_that_never_began_names_the_one_that_failed(tmp_path, capsys):
    broken = "with reporter.step('dig'):\n    raise ValueError('hit a rock')"
    with pytest.raises(CourseError):
        run(tmp_path, lane("one", ("dig", "fill"), broken))
    assert "failed: see digging" in capsys.readouterr().out


def test_what_a_lane_prints_goes_to_the_log(tmp_path, capfd):
    noisy = "print('<mutant>:10: RuntimeWarning', file=sys.stderr); print('not an event')\n" + DIG
    run(tmp_path, lane("one", ("dig",), noisy), lane("two", ("fill",), FILL))
    shown = "".join(capfd.readouterr())
    assert "RuntimeWarning" not in shown
    assert "not an event" not in shown
    assert "RuntimeWarning" in (tmp_path / "_build" / "course.log").read_text("utf-8")


def test_a_lane_waits_for_the_lanes_before_it(tmp_path):
    slow = lane("one", ("dig",), "time.sleep(0.5); open('dug', 'w').close()\n" + DIG)
    checks = lane("two", ("fill",), "assert __import__('os').path.exists('dug')\n" + FILL)
    assert run(tmp_path, slow, checks, after={"two": ("one",)}).board.is_finished


@pytest.mark.parametrize("obeys", [True, False])
def test_stopping_ends_lanes_with_all_they_started(tmp_path, monkeypatch, obeys):
    monkeypatch.setattr("autograder.first_run.lane_process.STOP_SECONDS", 1.0)
    ignore = "" if obeys else "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    body = (
        f"{ignore}import subprocess\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open('pid', 'w').write(str(child.pid))\n"
        "with reporter.step('dig'):\n    time.sleep(60)"
    )

    in_a_thread(asyncio.run, stopped_after_its_pid(tmp_path, body))
    assert has_ended(int((tmp_path / "pid").read_text()))


async def stopped_after_its_pid(tmp_path, body):
    """Run a lane, and stop it as soon as it has written a process id."""
    task = asyncio.create_task(first_run(tmp_path, lane("one", ("dig",), body)).run())
    while not (tmp_path / "pid").is_file() or not (tmp_path / "pid").read_text():
        await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_stopping_does_not_wait_for_what_a_lane_has_left_behind(tmp_path, monkeypatch):
    """A worker that ignores Ctrl-C holds the pipes of its lane open; it is killed when the lane has ended."""
    monkeypatch.setattr("autograder.first_run.lane_process.STOP_SECONDS", 60.0)
    ignore = "import signal, time; signal.signal(signal.SIGINT, signal.SIG_IGN); print(1, flush=True); "
    body = (
        "import subprocess\n"
        f"child = subprocess.Popen([sys.executable, '-c', {ignore + 'time.sleep(90)'!r}], stderr=sys.stdout)\n"
        "time.sleep(1)\nopen('pid', 'w').write(str(child.pid))\n"
        "with reporter.step('dig'):\n    time.sleep(90)"
    )
    began = time.monotonic()
    in_a_thread(asyncio.run, stopped_after_its_pid(tmp_path, body))
    assert time.monotonic() - began < 40
    assert has_ended(int((tmp_path / "pid").read_text()))


def test_a_lane_ends_when_its_parent_is_killed(tmp_path):
    body = (
        "from autograder.first_run.lane_process import end_with_parent; end_with_parent()\n"
        "open('pid', 'w').write(str(__import__('os').getpid()))\ntime.sleep(60)"
    )
    code = (
        "import asyncio, sys, pathlib\n"
        "from autograder.first_run.lane_process import Lane, LaneProcess\n"
        f"lane = Lane('one', (), (sys.executable, '-c', {REPORT + body!r}))\n"
        "async def main():\n    await LaneProcess.start(lane, '.', None)\n    await asyncio.sleep(60)\n"
        "asyncio.run(main())"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=tmp_path)
    try:
        until(lambda: (tmp_path / "pid").is_file() and (tmp_path / "pid").read_text())
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    assert has_ended(int((tmp_path / "pid").read_text()))


def has_ended(pid):
    """Wait a little for a process to be gone, or a zombie that nobody reaps."""

    def gone():
        try:
            with open(f"/proc/{pid}/stat") as file:
                return file.read().rpartition(")")[2].split()[0] == "Z"
        except OSError:
            return not _exists(pid)

    return until(gone)


def _exists(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def until(question, seconds=20):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if answer := question():
            return answer
        time.sleep(0.05)
    return False
