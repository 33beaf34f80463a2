"""Who examines submissions: workers on this machine, or a cluster. Both take jobs and give futures."""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol

from autograder.errors import CourseError, UnsafeError
from autograder.grading.submission import Job, Result, run
from autograder.sandbox.nursery import Nursery


class Examiners(Protocol):
    """Anything that takes a job and promises its result."""

    protections: str

    def submit(self, job: Job) -> "Future[Result]":
        """Start the job, or queue it."""


class LocalExaminers:
    """Workers on this machine, each driving children of one warm nursery."""

    def __init__(self, nursery: Nursery, pool: ThreadPoolExecutor) -> None:
        """Use `local_examiners` to make one."""
        self._nursery, self._pool = nursery, pool
        self.protections = describe(nursery)

    def submit(self, job: Job) -> Future[Result]:
        """Start the job as soon as a worker is free; the work itself is done by the children."""
        return self._pool.submit(run, job, self._nursery)


def describe(nursery: Nursery) -> str:
    """What protects this machine from students' code, in words."""
    missing = f"; MISSING: {'; '.join(nursery.protections.missing)}" if nursery.protections.missing else ""
    return ", ".join(nursery.protections.enforced) + missing


@contextmanager
def local_examiners(workers: int | None = None, *, allow_unsafe: bool = False) -> Iterator[LocalExaminers]:
    """Examiners on this machine, one per core unless told otherwise; on leaving, what has not started is dropped."""
    try:
        nursery = Nursery(allow_unsafe=allow_unsafe)
    except UnsafeError as error:
        raise CourseError(str(error)) from error
    pool = ThreadPoolExecutor(max_workers=workers or os.cpu_count() or 1)
    try:
        with nursery:
            yield LocalExaminers(nursery, pool)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
