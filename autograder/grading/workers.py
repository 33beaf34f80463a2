"""Who examines submissions: workers on this machine, or a cluster. Both take jobs and give futures."""

import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol

from autograder.errors import CourseError, UnsafeError
from autograder.grading.submission import Job, Result, run
from autograder.sandbox.nursery import Nursery
from autograder.sandbox.process import StartError

LIVES = 3  # of a job whose nursery is ended from outside, as for want of memory


class Examiners(Protocol):
    """Anything that takes a job and promises its result."""

    protections: str

    def submit(self, job: Job) -> "Future[Result]":
        """Start the job, or queue it."""


class Nurseries:
    """One living nursery: when it has been ended from outside, the next job makes another."""

    def __init__(self, make: Callable[[], Nursery]) -> None:
        """Begin with one."""
        self._make, self._lock, self._closed = make, threading.Lock(), False
        self.now = make()

    def living(self) -> Nursery:
        """The nursery, or its successor; RuntimeError when there shall be none."""
        with self._lock:
            if self._closed:
                raise RuntimeError("grading was stopped")
            if not is_alive(self.now):
                self.now.close()
                self.now = self._make()
            return self.now

    def close(self) -> None:
        """End it; there will be no other."""
        with self._lock:
            self._closed = True
            self.now.close()


def is_alive(nursery: Nursery) -> bool:
    """Has it not hung up? It does so before the first of its children is ended with it."""
    try:
        said = select.poll()
        said.register(nursery.control, select.POLLIN)
        return not said.poll(0) or nursery.control.recv(1, socket.MSG_PEEK) != b""
    except (OSError, ValueError):  # closed on our side
        return False


def examined(job: Job, nurseries: Nurseries) -> Result:
    """Examine; whatever a nursery's children said while it was being ended does not count, and is asked again."""
    for life in range(LIVES):
        nursery = nurseries.living()
        try:
            result = run(job, nursery)
        except (StartError, OSError):  # nothing of the student's has run
            if life == LIVES - 1:
                raise
            continue
        if is_alive(nursery):
            return result
    raise RuntimeError(f"students' processes were ended from outside {LIVES} times")


class LocalExaminers:
    """Workers on this machine, each driving children of one warm nursery."""

    def __init__(self, nurseries: Nurseries, pool: ThreadPoolExecutor) -> None:
        """Use `local_examiners` to make one."""
        self._nurseries, self._pool = nurseries, pool
        self.protections = describe(nurseries.now)

    def submit(self, job: Job) -> Future[Result]:
        """Start the job as soon as a worker is free; the work itself is done by the children."""
        return self._pool.submit(examined, job, self._nurseries)


def describe(nursery: Nursery) -> str:
    """What protects this machine from students' code, in words."""
    missing = f"; MISSING: {'; '.join(nursery.protections.missing)}" if nursery.protections.missing else ""
    return ", ".join(nursery.protections.enforced) + missing


@contextmanager
def local_examiners(workers: int | None = None, *, allow_unsafe: bool = False) -> Iterator[LocalExaminers]:
    """Examiners on this machine, one per core unless told otherwise; on leaving, what has not started is dropped."""
    try:
        nurseries = Nurseries(lambda: Nursery(allow_unsafe=allow_unsafe))
    except UnsafeError as error:
        raise CourseError(str(error)) from error
    pool = ThreadPoolExecutor(max_workers=workers or os.cpu_count() or 1)
    try:
        yield LocalExaminers(nurseries, pool)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        nurseries.close()
