"""Limits on the time, memory and output of one submission."""

from dataclasses import dataclass, replace

ANSWER_TIMEOUT_FACTOR = 2.0  # × cell limit: the grader then kills a process that did not stop itself
WALL_CLOCK_FACTOR = 20.0  # × limit by the wall clock: bounds the wait for a busy core, which is not charged
MIN_PROCESS_SECONDS = 3.0  # for a process that starts when the time is used up, so that it can report that
CLOSING_SECONDS = 3.0  # wait for a killed process to report its usage
MAX_LATE_PROCESSES = 2  # processes started with hardly any time left: follow-through needs two
# CPU time of the longest step of the grader between two checks of the budget: one message, one judgement.
STEP_SECONDS = 4.0
RECORDING_SECONDS = 5.0  # CPU time to write the gradebook and the feedback page, whose sizes are bounded


@dataclass(frozen=True)
class Limits:
    """Limits of one submission.

    Contended seconds do not count: only time in which the student's processes had their core or slept.
    All processes of one submission together have twice a notebook's time.
    """

    cell_seconds: float = 30.0
    notebook_seconds: float = 120.0
    memory_bytes: int = 2 * 2**30
    file_bytes: int = 32 * 2**20
    processes: int = 16  # a low number, because no limit counts the kernel memory of a process
    open_files: int = 64
    grader_seconds: float = 15.0  # CPU time of the grader; an honest submission takes less than 1 s
    # All messages of its processes. A notebook with many pictures sends 20 MiB, and more if every cell shows them
    # again. Reading them also counts as grader time.
    received_bytes: int = 2**30

    @property
    def submission_seconds(self) -> float:
        """Seconds for all processes of a submission: a slow notebook is run twice."""
        return 2 * self.notebook_seconds

    @property
    def worst_seconds(self) -> float:
        """Upper bound on the cost of one submission, in seconds of an idle machine.

        It bounds both wall-clock and CPU time: a submission has one core, and its processes can compute without being
        charged only while the grader works for it.
        """
        late = MAX_LATE_PROCESSES * (MIN_PROCESS_SECONDS + CLOSING_SECONDS)
        graders = 2 * (self.grader_seconds + STEP_SECONDS) + RECORDING_SECONDS
        return self.submission_seconds + late + graders

    @property
    def cpu_seconds(self) -> int:
        """CPU limit of one process, as a second line behind the other limits."""
        return int(self.notebook_seconds) + 10

    def answer_timeout(self, number: int) -> float:
        """Return the seconds after which the grader stops waiting for these answers.

        At most a third of the notebook's time, so that some is left for other tasks.
        """
        return min(ANSWER_TIMEOUT_FACTOR * number * self.cell_seconds, self.notebook_seconds / 3)

    def capped(self, seconds: float) -> "Limits":
        """Return a copy with at most these seconds for the notebook."""
        return replace(self, notebook_seconds=min(self.notebook_seconds, seconds))


def limits_for(cell_seconds: float) -> Limits:
    """Return the limits for a chosen cell limit.

    The notebook has at least four times the cell limit, so it may have some slow cells.
    """
    return Limits(cell_seconds=cell_seconds, notebook_seconds=max(Limits.notebook_seconds, 4 * cell_seconds))
