"""What a submission may use."""

from dataclasses import dataclass, replace

PATIENCE = 2.0  # an answer that goes on when its time is over is ended after so many times its limit
BACKSTOP = 20.0  # by the clock, what waits for a core is given up after so many times its limit
MIN_PROCESS_SECONDS = 3.0  # for a process that starts when the time is used up: it must live to report that
MAX_PROCESSES_PER_SUBMISSION = (
    6  # one run, one more with care, its replay, two for follow-through, one for `discover`
)


@dataclass(frozen=True)
class Limits:
    """What a submission may use.

    Seconds are those in which the student's processes had their core or slept: what others take of it is not counted.
    The processes that examine one submission one after the other have together twice a notebook's time.
    """

    cell_seconds: float = 30.0
    notebook_seconds: float = 120.0
    memory_bytes: int = 2 * 2**30
    file_bytes: int = 32 * 2**20
    processes: int = 16  # each has lists in the kernel that no limit counts
    open_files: int = 64
    grader_seconds: float = 20.0  # CPU time of the trusted side; an honest submission takes less than one
    # Of all messages of its processes. A notebook of many pictures sends 20 MiB; an honest one may show the same
    # pictures in every cell, and reading them counts as the grader's time.
    received_bytes: int = 2**30

    @property
    def submission_seconds(self) -> float:
        """For all processes of a submission: what takes its time is run twice before that costs points."""
        return 2 * self.notebook_seconds

    @property
    def worst_seconds(self) -> float:
        """The most that one submission can cost a class, by the clock of an idle machine: 298 s by default.

        Its processes may go on computing while the grader works, so this bounds their CPU time and the grader's, too.
        """
        late_starts = MIN_PROCESS_SECONDS * MAX_PROCESSES_PER_SUBMISSION
        return self.submission_seconds + 2 * self.grader_seconds + late_starts

    @property
    def cpu_seconds(self) -> int:
        """For one process: it has one core, so this limit is met only by who has passed the others."""
        return int(self.notebook_seconds) + 10

    def patience(self, number: int) -> float:
        """Seconds until so many answers are given up: a third of the notebook's leaves some for the others."""
        return min(PATIENCE * number * self.cell_seconds, self.notebook_seconds / 3)

    def within(self, seconds: float) -> "Limits":
        """The same, with no more than so many seconds for the notebook."""
        return replace(self, notebook_seconds=min(self.notebook_seconds, seconds))


def limits_for(cell_seconds: float) -> Limits:
    """The limits of a class whose instructor chose the limit of a cell: a notebook may have some slow ones."""
    return Limits(cell_seconds=cell_seconds, notebook_seconds=max(Limits.notebook_seconds, 4 * cell_seconds))
