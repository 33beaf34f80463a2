"""Many at a time, or one alone: submissions run side by side, and what took too long beside others runs again alone."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Turns:
    """Whoever waits to be alone goes before those who come later, so that nobody waits for ever."""

    def __init__(self) -> None:
        """Nobody is here yet."""
        self._changed = threading.Condition()
        self._here, self._waiting, self._is_taken = 0, 0, False
        self.arrivals = 0

    @contextmanager
    def together(self) -> Iterator[None]:
        """Be here beside others, when nobody is alone or waits to be."""
        self._come()
        try:
            yield
        finally:
            self._go()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """For someone who is here: wait until all others have gone, and let nobody in meanwhile."""
        self._take()
        try:
            yield
        finally:
            self._give_back()

    def others(self) -> int:
        """How many are here beside whoever asks."""
        return self._here - 1

    def _come(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._is_taken and not self._waiting)
            self._here += 1
            self.arrivals += 1

    def _go(self) -> None:
        with self._changed:
            self._here -= 1
            self._changed.notify_all()

    def _take(self) -> None:
        with self._changed:
            self._here, self._waiting = self._here - 1, self._waiting + 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._is_taken and not self._here)
            self._waiting, self._is_taken = self._waiting - 1, True

    def _give_back(self) -> None:
        with self._changed:
            self._is_taken = False
            self._here += 1
            self._changed.notify_all()
