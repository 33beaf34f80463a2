"""Supervision of one student's process by the fork server.

Measures its memory and CPU contention, and kills it with all its descendants.
The process is the first of its own PID namespace, so the kernel kills the other processes of the namespace with it.
"""

import contextlib
import json
import os
import signal
import time

from autograder.sandbox.cpu_contention import ContentionMeter

POLL_SECONDS = 0.25


class Child:
    """A running student's process and its lifeline to the grader.

    The grader asks for contended seconds over the lifeline, and shuts it down to end the process.
    """

    def __init__(self, process: int, lifeline: int, memory_bytes: int, confined: bool) -> None:
        """Supervise a process that has just been forked."""
        self._process, self._lifeline = process, lifeline
        self._memory_bytes, self._confined = memory_bytes, confined
        self._last_poll, self._meter = time.monotonic(), ContentionMeter()

    def answer_lifeline(self) -> bool:
        """Answer a request on the lifeline with the contended seconds.

        Return False if the grader has closed its end.
        """
        try:
            if not os.read(self._lifeline, 100):
                return False
            self._meter.update(_list_process_tree(self._process))
            os.write(self._lifeline, json.dumps({"taken": self._meter.contended_seconds}).encode())
        except OSError:
            return False
        return True

    def end(self) -> None:
        """Kill the process and its descendants, then report their usage.

        The report on the lifeline holds their CPU seconds and contended seconds.
        """
        self._meter.update(_list_process_tree(self._process))
        self._kill()
        _, _, usage = os.wait4(self._process, 0)
        if not self._confined:  # without a PID namespace only the process group can be killed
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process, signal.SIGKILL)
        with contextlib.suppress(OSError):
            # When a PID namespace ends, the kernel does not add its descendants' CPU time to any parent.
            cpu_seconds = max(usage.ru_utime + usage.ru_stime, self._meter.used)
            used = {"cpu": cpu_seconds, "taken": self._meter.contended_seconds}
            os.write(self._lifeline, json.dumps(used).encode())
        os.close(self._lifeline)

    def poll(self) -> None:
        """Update the measurements every POLL_SECONDS.

        Kill a confined process whose process tree uses too much memory.
        """
        if time.monotonic() - self._last_poll < POLL_SECONDS:
            return
        self._last_poll, processes = time.monotonic(), _list_process_tree(self._process)
        self._meter.update(processes)
        if self._confined and _use_more_than(self._memory_bytes, processes):
            self._kill()

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)


def _use_more_than(limit: int, processes: list[int]) -> bool:
    """Return whether these processes together use more memory than the limit.

    Shared pages count once. The kernel limits each single process already.
    """
    if sum(map(_resident_bytes, processes)) <= limit:
        return False  # an upper bound: the exact count below is slow because it walks all pages
    return sum(map(_proportional_bytes, processes)) > limit


def _list_process_tree(first: int) -> list[int]:
    """Return the process and all its descendants."""
    tree = [first]
    for member in tree:
        with contextlib.suppress(OSError, ValueError):
            tree += _list_children(member)
    return tree


def _resident_bytes(process: int) -> int:
    """Return its bytes in memory and swap plus page tables; 0 if it has ended.

    Page tables are included because they can grow larger than the memory they map.
    """
    with contextlib.suppress(OSError):
        return _sum_kilobyte_fields(f"/proc/{process}/status", "VmRSS:", "VmSwap:", "VmPTE:")
    return 0


def _proportional_bytes(process: int) -> int:
    """Return its proportional set size: each shared page divided by its number of users.

    Fall back to the resident size if the kernel does not let us read the proportional one.
    """
    with contextlib.suppress(OSError):
        return _sum_kilobyte_fields(
            f"/proc/{process}/smaps_rollup", "Pss:", "SwapPss:"
        ) + _sum_kilobyte_fields(f"/proc/{process}/status", "VmPTE:")
    return _resident_bytes(process)


def _sum_kilobyte_fields(path: str, *names: str) -> int:
    """Add the named fields of a /proc file, converted from kB to bytes."""
    lines = [line.split() for line in _read(path).splitlines()]
    return 1024 * sum(int(words[1]) for words in lines if words[0] in names)


def _list_children(process: int) -> list[int]:
    """Return the children of every thread of a process."""
    threads = f"/proc/{process}/task"
    return [
        int(child)
        for thread in os.listdir(threads)
        for child in _read(f"{threads}/{thread}/children").split()
    ]


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
