"""A readers-writer lock for submissions.

Submissions run together (shared). A submission that timed out may run again without the others (exclusive).
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class ReadersWriterLock:
    """A readers-writer lock with writer preference.

    A waiting writer blocks new readers, so it cannot starve.
    """

    def __init__(self) -> None:
        """Create an unlocked lock."""
        self._changed = threading.Condition()
        self._n_readers, self._n_waiting_writers, self._has_writer = 0, 0, False
        self.n_acquisitions = 0

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Hold the lock together with other readers.

        Wait while a writer holds the lock or waits for it.
        """
        self._acquire_shared()
        try:
            yield
        finally:
            self._release_shared()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Upgrade a held shared lock to an exclusive one.

        Wait until every other reader has released the lock. New readers wait meanwhile.
        """
        self._upgrade()
        try:
            yield
        finally:
            self._downgrade()

    def n_other_holders(self) -> int:
        """Return the number of other readers. The caller must hold the shared lock."""
        return self._n_readers - 1

    def _acquire_shared(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._has_writer and not self._n_waiting_writers)
            self._n_readers += 1
            self.n_acquisitions += 1

    def _release_shared(self) -> None:
        with self._changed:
            self._n_readers -= 1
            self._changed.notify_all()

    def _upgrade(self) -> None:
        with self._changed:
            self._n_readers, self._n_waiting_writers = self._n_readers - 1, self._n_waiting_writers + 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: not self._has_writer and not self._n_readers)
            self._n_waiting_writers, self._has_writer = self._n_waiting_writers - 1, True

    def _downgrade(self) -> None:
        with self._changed:
            self._has_writer = False
            self._n_readers += 1
            self._changed.notify_all()
