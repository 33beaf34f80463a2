"""A limit on the time that a wrong program may take: one edit can turn a loop into one that never ends."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


class OutOfTimeError(BaseException):
    """Not an Exception, so that a program's own `except Exception` does not swallow it."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError when so much computing time is used; only a process's main thread can be interrupted so.

    Computing time, not the clock: a busy machine must not change what a key holds.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: Any) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
