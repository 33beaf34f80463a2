"""CPU contention: time in which other processes held the core of a student's process.

This time is not charged to the student. The fork server reads it from the scheduler statistics of each thread in
/proc; the student's code cannot change them.
"""

import contextlib
import os
import time
from dataclasses import dataclass, field

WINDOW_SECONDS = 2.0  # the kernel reports a wait only when it is over
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Sample:
    """Scheduler statistics at one time, in seconds.

    `used`: CPU time of all processes. `threads`: (CPU time, waiting time) of each living thread.
    """

    at: float
    used: float = 0.0
    threads: dict[int, tuple[float, float]] = field(default_factory=dict)


def contention_between(before: Sample, after: Sample) -> float:
    """Return a lower bound on the seconds other processes held the core.

    CPU time of the student's other threads is subtracted from the waiting time of each thread, so starting many
    processes earns no extra time.
    """
    used, longest = max(0.0, after.used - before.used), 0.0
    for thread, (ran, waited) in after.threads.items():
        ran_before, waited_before = before.threads.get(thread, (0.0, 0.0))
        longest = max(longest, (waited - waited_before) - max(0.0, used - (ran - ran_before)))
    return min(longest, max(0.0, after.at - before.at - used))


class ContentionMeter:
    """Add up CPU contention over windows of WINDOW_SECONDS.

    Threads that ended within the window keep their last reading, because /proc no longer lists them.
    A window is needed because the kernel reports a wait only when it is over.
    """

    def __init__(self) -> None:
        """Start the first window."""
        self._window_start = Sample(time.monotonic())
        self._window_threads: dict[int, tuple[float, float]] = {}
        self._settled_seconds = self._window_seconds = 0.0
        self.used = 0.0  # CPU seconds of all processes, ended ones included

    @property
    def contended_seconds(self) -> float:
        """Contended seconds at the last update."""
        return self._settled_seconds + self._window_seconds

    def update(self, processes: list[int]) -> None:
        """Measure these processes now."""
        now = _take_sample(processes)
        self.used = max(self.used, now.used)
        self._window_threads |= now.threads
        self._window_seconds = contention_between(
            self._window_start, Sample(now.at, now.used, self._window_threads)
        )
        if now.at - self._window_start.at >= WINDOW_SECONDS:
            self._settled_seconds, self._window_seconds = self.contended_seconds, 0.0
            self._window_start, self._window_threads = now, {}


def _take_sample(processes: list[int]) -> Sample:
    now, used = time.monotonic(), 0.0
    threads: dict[int, tuple[float, float]] = {}
    for process in processes:
        with contextlib.suppress(OSError, ValueError, IndexError):
            threads_of_process = _read_thread_times(process)
            living, dead = _read_cpu_seconds(process)
            # schedstat is finer than clock ticks, but does not count threads that have ended
            used += dead + (
                sum(ran for ran, _ in threads_of_process.values()) if len(threads_of_process) == 1 else living
            )
            threads |= threads_of_process
    return Sample(now, used, threads)


def _read_thread_times(process: int) -> dict[int, tuple[float, float]]:
    folder, times = f"/proc/{process}/task", {}
    for thread in os.listdir(folder):
        with contextlib.suppress(OSError, ValueError, IndexError):
            ran, waited = _read(f"{folder}/{thread}/schedstat").split()[:2]
            times[int(thread)] = (int(ran) / 1e9, int(waited) / 1e9)
    return times


def _read_cpu_seconds(process: int) -> tuple[float, float]:
    """Return the CPU seconds of a process, and of its children that were waited for."""
    fields = _read(f"/proc/{process}/stat").rpartition(")")[2].split()
    user, system, of_children, for_children = (int(ticks) / _TICKS_PER_SECOND for ticks in fields[11:15])
    return user + system, of_children + for_children


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
