"""What the nursery knows of a student's process: how to end it with all that it started, and what it holds.

The process is the first of its own process space, so the kernel ends the others of that space with it.
"""

import contextlib
import json
import os
import signal
import time

LOOK_EVERY = 0.25


class Child:
    """A running student's process; its lifeline says when to end it, and hears what it has used."""

    def __init__(self, process: int, lifeline: int, memory_bytes: int, confined: bool) -> None:
        """Watch over a process that was started a moment ago."""
        self._process, self._lifeline = process, lifeline
        self._memory_bytes, self._confined = memory_bytes, confined
        self._looked = time.monotonic()

    def end(self) -> None:
        """Kill it with all its descendants, and say how much CPU time they took."""
        self._kill()
        _, _, usage = os.wait4(self._process, 0)
        if not self._confined:  # without a process space of its own there is only the process group
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.write(self._lifeline, json.dumps({"cpu": usage.ru_utime + usage.ru_stime}).encode())
        os.close(self._lifeline)

    def look(self) -> None:
        """From time to time: end it if it holds too much memory. The grader then sees that it is gone."""
        if not self._confined or time.monotonic() - self._looked < LOOK_EVERY:
            return
        self._looked = time.monotonic()
        if _hold_more_than(self._memory_bytes, self._process):
            self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)


def _hold_more_than(limit: int, first: int) -> bool:
    """Do a process and its descendants hold more, shared pages counted once? Each alone is limited by the kernel."""
    family = _family(first)
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
    with contextlib.suppress(OSError, ValueError, IndexError):
        return os.sysconf("SC_PAGE_SIZE") * int(_read(f"/proc/{process}/statm").split()[1])
    return 0


def _proportional(process: int) -> int:
    """Each shared page divided by those who share it; of what does not let us look that close, all pages count."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return 1024 * int(_read(f"/proc/{process}/smaps_rollup").split("Pss:")[1].split()[0])
    return _resident(process)


def _children(process: int) -> list[int]:
    """The children of every thread of a process."""
    threads = f"/proc/{process}/task"
    return [int(child) for one in os.listdir(threads) for child in _read(f"{threads}/{one}/children").split()]


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
