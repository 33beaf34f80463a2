"""CPU time limit for wrong programs, whose loops may never end."""

import contextlib
import signal
import threading
from collections.abc import Iterator

from autograder.errors import TimeLimitError


@contextlib.contextmanager
def cpu_time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeLimitError after so many seconds of CPU time.

    Wall-clock time would make a key depend on how busy the machine is. Signals reach the main thread only, so other
    threads have no limit.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TimeLimitError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
