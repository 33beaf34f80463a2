"""How far a long job is, and how long it will still take: a bar on a terminal, plain lines in a log."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

STEPS = 10  # lines in a log, at most


@contextlib.contextmanager
def progress(total: int, what: str, unit: str) -> Iterator[Callable[[], None]]:
    """Give a function to call after each of `total` steps; what it says goes to standard error."""
    if not sys.stderr.isatty():
        yield _Lines(total, what, unit).step
        return
    from tqdm import tqdm

    with tqdm(total=total, desc=what, unit=unit, file=sys.stderr) as bar:
        yield lambda: bar.update() and None


class _Lines:
    """A line after each tenth of the work, with the time left at the pace so far."""

    def __init__(self, total: int, what: str, unit: str) -> None:
        self.total, self.what, self.unit = total, what, unit
        self.done, self.start = 0, time.monotonic()

    def step(self) -> None:
        self.done += 1
        if self.done * STEPS // self.total == (self.done - 1) * STEPS // self.total:
            return
        took = time.monotonic() - self.start
        left = took / self.done * (self.total - self.done)
        rest = f"{_clock(left)} left" if self.done < self.total else f"{_clock(took)} in all"
        print(f"{self.what}: {self.done} of {self.total} {self.unit}s, {rest}", file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}" if minutes >= 60 else f"{minutes}:{rest:02d}"
