"""Resource budget of one submission: process seconds, grader CPU seconds, received bytes.

One thread grades a submission from its first byte to its last verdict. The CPU time of that thread is therefore the
grader's cost: parsing, decoding, comparing, diagnosing and rendering are all included.
A different thread that reads the budget gets the value of the grading thread's last reading.
"""

import threading
import time
from collections.abc import Callable

from autograder.sandbox import wire
from autograder.sandbox.limits import Limits


class SpentError(wire.WireError):
    """The submission has used up its grader time or its bytes."""


class Budget:
    """Count the resources that one submission uses.

    Create it in the thread that grades the submission, before the first byte is parsed.
    """

    def __init__(self, limits: Limits) -> None:
        """Start counting now."""
        self.limits = limits
        self._thread, self._started = threading.get_ident(), time.thread_time()
        self._thread_seconds = 0.0  # CPU seconds of that thread at its last reading
        self.elsewhere_seconds = 0.0  # CPU seconds of other processes of the grader
        self._received_bytes = 0
        self._processes: list[Callable[[], float]] = []

    @property
    def process_seconds(self) -> float:
        """Seconds charged to all processes of this submission."""
        return sum(seconds() for seconds in self._processes)

    @property
    def process_seconds_left(self) -> float:
        """Seconds left for all processes of this submission together."""
        return self.limits.submission_seconds - self.process_seconds

    @property
    def grader_seconds(self) -> float:
        """CPU seconds that the grader has spent on this submission."""
        if threading.get_ident() == self._thread:
            self._thread_seconds = time.thread_time() - self._started
        return self._thread_seconds + self.elsewhere_seconds

    @property
    def seconds_left(self) -> float:
        """CPU seconds that the grader may still spend on this submission."""
        return self.limits.grader_seconds - self.grader_seconds

    @property
    def is_spent(self) -> bool:
        """Whether the grader must stop working on this submission."""
        return self.seconds_left <= 0 or self._received_bytes > self.limits.received_bytes

    @property
    def is_over(self) -> bool:
        """Whether no further process may start: process or grader budget is used up."""
        return self.is_spent or self.process_seconds_left <= 0

    @property
    def note(self) -> str:
        """Describe the resource that was used up."""
        if self._received_bytes > self.limits.received_bytes:
            return f"this submission sent more than {self.limits.received_bytes // 2**20} MiB to the grader"
        return f"this submission used up {self.limits.grader_seconds:g} s of the grader's time"

    def add_process(self, seconds: Callable[[], float]) -> None:
        """Register a process. `seconds` returns the seconds charged to it so far."""
        self._processes.append(seconds)

    def charge(self, seconds: float) -> None:
        """Add CPU seconds that another process of the grader has spent."""
        self.elsewhere_seconds += seconds

    def require(self) -> None:
        """Raise SpentError if the budget is used up."""
        if self.is_spent:
            raise SpentError(self.note)

    def receive(self, size: int) -> None:
        """Count the bytes of a message before it is read.

        Raise SpentError if they exceed the budget.
        """
        self._received_bytes += size
        self.require()
