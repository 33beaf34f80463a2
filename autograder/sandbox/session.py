"""Session of one submission: its processes share one time budget."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from autograder.sandbox.budget import Budget
from autograder.sandbox.closing import Closing
from autograder.sandbox.limits import MIN_PROCESS_SECONDS, Limits
from autograder.sandbox.process import StudentProcess
from autograder.sandbox.readers_writer_lock import ReadersWriterLock

StartProcess = Callable[[Limits], StudentProcess]


class SubmissionSession(Closing):
    """Start the processes of one submission on a shared time budget.

    Holds the shared lock until `close`. When the budget is used up, a new process still gets MIN_PROCESS_SECONDS to
    report the timeout. Use as a context manager.
    """

    def __init__(
        self, start_process: StartProcess, budget: Budget, submission_lock: ReadersWriterLock
    ) -> None:
        """Acquire the shared lock, after any exclusive run."""
        self._start_process, self.budget, self._submission_lock = start_process, budget, submission_lock
        self.processes: list[StudentProcess] = []
        self._shared_hold: AbstractContextManager[object] = submission_lock.shared()
        self._shared_hold.__enter__()
        self._n_acquisitions_before, self._n_others_before = (
            submission_lock.n_acquisitions,
            submission_lock.n_other_holders(),
        )

    def __call__(self) -> StudentProcess:
        """Start a process, limited to the seconds left in the budget."""
        seconds = max(self.budget.process_seconds_left, MIN_PROCESS_SECONDS)
        process = self._start_process(self.budget.limits.capped(seconds))
        self.processes.append(process)
        return process

    @property
    def seconds(self) -> float:
        """Seconds charged to all processes of this submission."""
        return self.budget.process_seconds

    @property
    def was_exclusive(self) -> bool:
        """Whether no other submission has run since this session was opened."""
        return (
            self._n_others_before == 0 and self._submission_lock.n_acquisitions == self._n_acquisitions_before
        )

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Wait for the other submissions and keep new ones out meanwhile."""
        with self._submission_lock.exclusive():
            yield

    def close(self) -> None:
        """Release the shared lock."""
        self._shared_hold.__exit__(None, None, None)
