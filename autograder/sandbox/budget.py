"""The budget of one submission: seconds of its processes, seconds of the grader, bytes received.

A submission is graded by one thread from its first byte to its last verdict, so the CPU time of that thread is what
the grader spends on it: parsing, decoding, comparing, diagnosing, rendering. No step can forget to count itself.
"""

import time
from collections.abc import Callable

from autograder.sandbox import wire
from autograder.sandbox.limits import Limits


class SpentError(wire.WireError):
    """The submission has used up what the grader spends on it."""


class Budget:
    """Count what one submission uses.

    Make it in the thread that grades the submission, before the first byte is parsed.
    """

    def __init__(self, limits: Limits) -> None:
        """Start counting now."""
        self.limits = limits
        self._started = time.thread_time()
        self._elsewhere = 0.0
        self._received_bytes = 0
        self._processes: list[Callable[[], float]] = []

    @property
    def process_seconds(self) -> float:
        """The seconds charged to all processes of this submission."""
        return sum(seconds() for seconds in self._processes)

    @property
    def process_seconds_left(self) -> float:
        """The seconds that its processes may still use together."""
        return self.limits.submission_seconds - self.process_seconds

    @property
    def grader_seconds(self) -> float:
        """The CPU seconds that the grader has spent on this submission."""
        return time.thread_time() - self._started + self._elsewhere

    @property
    def seconds_left(self) -> float:
        """The CPU seconds that the grader may still spend on it."""
        return self.limits.grader_seconds - self.grader_seconds

    @property
    def is_spent(self) -> bool:
        """Whether the grader does nothing more for this submission."""
        return self.seconds_left <= 0 or self._received_bytes > self.limits.received_bytes

    @property
    def note(self) -> str:
        """Say what was used up."""
        if self._received_bytes > self.limits.received_bytes:
            return f"this submission sent more than {self.limits.received_bytes // 2**20} MiB to the grader"
        return f"this submission used up {self.limits.grader_seconds:g} s of the grader's time"

    def add_process(self, seconds: Callable[[], float]) -> None:
        """Count the seconds of a process, which the function returns."""
        self._processes.append(seconds)

    def charge(self, seconds: float) -> None:
        """Count CPU seconds that another process spent for the grader."""
        self._elsewhere += seconds

    def require(self) -> None:
        """Raise SpentError if the budget is used up."""
        if self.is_spent:
            raise SpentError(self.note)

    def receive(self, size: int) -> None:
        """Count the bytes of a message before they are read; SpentError if they are too many."""
        self._received_bytes += size
        self.require()
