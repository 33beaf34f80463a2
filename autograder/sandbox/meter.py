"""For how long others kept a student's processes from their core: that time is not theirs.

Read from what the scheduler counts for each thread, by the nursery, which the student's code cannot reach.
"""

import contextlib
import os
import time
from dataclasses import dataclass, field

TOGETHER = 2.0  # seconds
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Sample:
    """What the scheduler has counted so far, in seconds: for all processes, and for each thread that lives."""

    at: float
    used: float = 0.0
    threads: dict[int, tuple[float, float]] = field(default_factory=dict)  # had a core, waited for one


def taken_by_others(before: Sample, after: Sample) -> float:
    """For how long at least a thread was ready to run while somebody else's had the core.

    While one waits, the core has either others or the rest of the student's own processes, and what these used is
    known. So whoever starts many processes waits for none but their own, and is given nothing for that.
    """
    used, found = max(0.0, after.used - before.used), 0.0
    for thread, (ran, waited) in after.threads.items():
        ran_before, waited_before = before.threads.get(thread, (0.0, 0.0))
        found = max(found, (waited - waited_before) - max(0.0, used - (ran - ran_before)))
    return min(found, max(0.0, after.at - before.at - used))


class Meter:
    """Adds up what others took, and remembers those that have ended: they can be asked no longer.

    The kernel tells of a wait when it is over, so what was taken is counted for some seconds together.
    """

    def __init__(self) -> None:
        """Nothing was taken yet."""
        self._before = Sample(time.monotonic())
        self._seen: dict[int, tuple[float, float]] = {}
        self._counted = self._lately = 0.0

    @property
    def taken(self) -> float:
        """Seconds that others took, as of the last look."""
        return self._counted + self._lately

    def look(self, family: list[int]) -> None:
        """Count what was taken until now from these processes."""
        now = _sample(family)
        self._seen |= now.threads
        self._lately = taken_by_others(self._before, Sample(now.at, now.used, self._seen))
        if now.at - self._before.at >= TOGETHER:
            self._counted, self._lately = self.taken, 0.0
            self._before, self._seen = now, {}


def _sample(family: list[int]) -> Sample:
    now, used = time.monotonic(), 0.0
    threads: dict[int, tuple[float, float]] = {}
    for process in family:
        with contextlib.suppress(OSError, ValueError, IndexError):
            own = _threads(process)
            living, dead = _ticks(process)
            # the scheduler's own count is finer; only ticks know of threads that have ended
            used += dead + (sum(ran for ran, _ in own.values()) if len(own) == 1 else living)
            threads |= own
    return Sample(now, used, threads)


def _threads(process: int) -> dict[int, tuple[float, float]]:
    folder, found = f"/proc/{process}/task", {}
    for thread in os.listdir(folder):
        with contextlib.suppress(OSError, ValueError, IndexError):
            ran, waited = _read(f"{folder}/{thread}/schedstat").split()[:2]
            found[int(thread)] = (int(ran) / 1e9, int(waited) / 1e9)
    return found


def _ticks(process: int) -> tuple[float, float]:
    """Seconds that a process had, and those of its children that ended and were waited for."""
    fields = _read(f"/proc/{process}/stat").rpartition(")")[2].split()
    user, system, of_children, for_children = (int(one) / _TICKS for one in fields[11:15])
    return user + system, of_children + for_children


def _read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()
