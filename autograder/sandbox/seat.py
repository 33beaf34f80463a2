"""A submission's seat in the nursery: all its processes share one allowance of time, and it may ask to be alone."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from autograder.sandbox.budget import Budget
from autograder.sandbox.closing import Closing
from autograder.sandbox.limits import MIN_PROCESS_SECONDS, Limits
from autograder.sandbox.process import StudentProcess
from autograder.sandbox.turns import Turns

Begin = Callable[[Limits], StudentProcess]


class Seat(Closing):
    """Call it to begin a process of this submission. Use as a context manager: leaving it makes room for others."""

    def __init__(self, begin: Begin, budget: Budget, turns: Turns) -> None:
        """Wait until nobody is alone."""
        self._begin, self.budget, self._turns = begin, budget, turns
        self.processes: list[StudentProcess] = []
        self._place: AbstractContextManager[Any] = turns.together()
        self._place.__enter__()
        self._arrivals, self._beside = turns.arrivals, turns.others()

    def __call__(self) -> StudentProcess:
        """A new process, which has until its notebook's limit or what is left of the submission's."""
        left = max(self.budget.process_seconds_left, MIN_PROCESS_SECONDS)
        process = self._begin(self.budget.limits.within(left))
        self.processes.append(process)
        return process

    @property
    def seconds(self) -> float:
        """How long the processes of this submission have run, together, but for what others took."""
        return self.budget.process_seconds

    @property
    def was_alone(self) -> bool:
        """Has no other submission run since this one came?"""
        return self._beside == 0 and self._turns.arrivals == self._arrivals

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While no other submission runs."""
        with self._turns.alone():
            yield

    def close(self) -> None:
        """Leave."""
        self._place.__exit__(None, None, None)
