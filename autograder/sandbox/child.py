"""What the nursery knows of a student's process: how to end it with all that it started, and what it holds.

The process is the first of its own process space, so the kernel ends the others of that space with it.
"""

import contextlib
import json
import os
import signal
import time

from autograder.sandbox.meter import Meter

LOOK_EVERY = 0.25


class Child:
    """A running student's process; its lifeline says when to end it, and hears what it has used."""

    def __init__(self, process: int, lifeline: int, memory_bytes: int, confined: bool) -> None:
        """Watch over a process that was started a moment ago."""
        self._process, self._lifeline = process, lifeline
        self._memory_bytes, self._confined = memory_bytes, confined
        self._looked, self._meter = time.monotonic(), Meter()

    def hear(self) -> bool:
        """What came over the lifeline: a question, which is answered; False if it was let go of."""
        try:
            if not os.read(self._lifeline, 100):
                return False
            self._meter.look(_family(self._process))
            os.write(self._lifeline, json.dumps({"taken": self._meter.taken}).encode())
        except OSError:
            return False
        return True

    def end(self) -> None:
        """Kill it with all its descendants, and say how much CPU time they had and how much others took."""
        self._meter.look(_family(self._process))
        self._kill()
        _, _, usage = os.wait4(self._process, 0)
        if not self._confined:  # without a process space of its own there is only the process group
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process, signal.SIGKILL)
        with contextlib.suppress(OSError):
            used = {"cpu": usage.ru_utime + usage.ru_stime, "taken": self._meter.taken}
            os.write(self._lifeline, json.dumps(used).encode())
        os.close(self._lifeline)

    def look(self) -> None:
        """From time to time: count its time; end it if it holds too much. The grader then sees that it is gone."""
        if time.monotonic() - self._looked < LOOK_EVERY:
            return
        self._looked, family = time.monotonic(), _family(self._process)
        self._meter.look(family)
        if self._confined and _hold_more_than(self._memory_bytes, family):
            self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)


def _hold_more_than(limit: int, family: list[int]) -> bool:
    """Do these processes hold more, shared pages counted once? Each alone is limited by the kernel."""
    if sum(map(_resident, family)) <= limit:
        return False  # even with shared pages counted for each; the exact count walks through all pages
    return sum(map(_proportional, family)) > limit


def _family(first: int) -> list[int]:
    found = [first]
    for one in found:
        with contextlib.suppress(OSError, ValueError):
            found += _children(one)
    return found


def _resident(process: int) -> int:
    """What it holds in memory or swapped out, and the tables by which it finds that: they can outgrow it."""
    with contextlib.suppress(OSError):
        return _kilobytes(f"/proc/{process}/status", "VmRSS:", "VmSwap:", "VmPTE:")
    return 0


def _proportional(process: int) -> int:
    """Each shared page divided by those who share it; of what does not let us look that close, all pages count."""
    with contextlib.suppress(OSError):
        return _kilobytes(f"/proc/{process}/smaps_rollup", "Pss:", "SwapPss:") + _kilobytes(
            f"/proc/{process}/status", "VmPTE:"
        )
    return _resident(process)


def _kilobytes(path: str, *names: str) -> int:
    """The sum of the lines with these names, in bytes."""
    lines = [line.split() for line in _read(path).splitlines()]
    return 1024 * sum(int(words[1]) for words in lines if words[0] in names)


def _children(process: int) -> list[int]:
    """The children of every thread of a process."""
    threads = f"/proc/{process}/task"
    return [int(child) for one in os.listdir(threads) for child in _read(f"{threads}/{one}/children").split()]


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
