"""Progress and remaining time of a long job.

A progress bar on a terminal, plain lines in a log.
"""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

MAX_LOG_LINES = 10  # one after each tenth of the work


@contextlib.contextmanager
def progress(total: int, what: str, unit: str) -> Iterator[Callable[[], None]]:
    """Yield a function to call after each of `total` steps.

    The progress is written to standard error.
    """
    if not sys.stderr.isatty():
        yield _Lines(total, what, unit).step
        return
    from tqdm import tqdm

    with tqdm(total=total, desc=what, unit=unit, file=sys.stderr) as bar:
        yield lambda: bar.update() and None


class _Lines:
    """Write a line after each tenth of the work, with the estimated time left."""

    def __init__(self, total: int, what: str, unit: str) -> None:
        self.total, self.what, self.unit = total, what, unit
        self.done, self.start = 0, time.monotonic()

    def step(self) -> None:
        self.done += 1
        if self.done * MAX_LOG_LINES // self.total == (self.done - 1) * MAX_LOG_LINES // self.total:
            return
        elapsed = time.monotonic() - self.start
        remaining = elapsed / self.done * (self.total - self.done)
        time_note = f"{_clock(remaining)} left" if self.done < self.total else f"{_clock(elapsed)} in all"
        print(
            f"{self.what}: {self.done} of {self.total} {self.unit}s, {time_note}", file=sys.stderr, flush=True
        )


def _clock(seconds: float) -> str:
    minutes, time_note = divmod(round(seconds), 60)
    return (
        f"{minutes // 60}:{minutes % 60:02d}:{time_note:02d}"
        if minutes >= 60
        else f"{minutes}:{time_note:02d}"
    )
