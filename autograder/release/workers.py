"""Make many variants in parallel: each worker is a process.

Threads would not help: drawing and certifying hold Python's lock, and the precision of formulas is set per process.
Each worker has its own fork server. Only text passes between processes.
"""

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, Protocol, TypeVar

from autograder.course.course import Course
from autograder.errors import CourseError, UncertifiedError
from autograder.release.draw import one_line
from autograder.release.mistake_names import MistakeNames, derive_names
from autograder.release.origin import Origin, default_derivation, derive
from autograder.release.variant import (
    Files,
    make_known_variant,
    make_variant,
    read_public,
    solved_notebook,
)
from autograder.sandbox.fork_server_client import ForkServerClient

Work = TypeVar("Work")
Product = TypeVar("Product")

MAX_SERIAL_VARIANTS = 3  # starting workers takes longer than making so many here


@dataclass(frozen=True)
class VariantJob:
    """A variant to make: the class's, or that of student `folder`.

    `derivation` is that of the release in place, or None for a new one. If `is_known`, the public part lies in
    `exercises/` and was certified before.
    """

    topic: str
    seed: str
    folder: str | None = None
    answers: bool = False
    derivation: int | None = None
    is_known: bool = False
    form: str = ""  # the tasks of a composed assignment

    def origin(self, course: Course, secret: str) -> Origin:
        """Derive the origin of the numbers."""
        derivation = self.derivation or default_derivation(course, self.seed)
        return derive(secret, self.topic, self.seed, derivation)


TaskName = tuple[str, str]  # topic and task
CourseFolder = tuple[Path, str | None]  # a course's folder and the name of its classroom


class VariantWorkers(Protocol):
    """Protocol of workers that make variants."""

    def make(self, orders: list[VariantJob]) -> Iterator[tuple[VariantJob, Files]]:
        """Yield each variant when it is certified, in any order.

        Raise CourseError at the first that cannot be certified.
        """


class TaskWorkers(VariantWorkers, Protocol):
    """Workers that also try the mistakes of tasks."""

    def derive(self, tasks: Sequence[TaskName]) -> Iterator[tuple[TaskName, MistakeNames]]:
        """Yield the mistake names of each task, in any order.

        Raise CourseError at the first failure.
        """


def _make_files(place: CourseFolder, secret: str, server: ForkServerClient, order: VariantJob) -> Files:
    with silent_libraries():
        course = Course(*place, form=order.form)
        known = read_public(course, order.topic) if order.is_known else None
        if known:
            variant = make_known_variant(course, known, secret, server)
        else:
            variant = make_variant(course, order.topic, order.origin(course, secret), secret, server)
        files = variant.files()
        return replace(files, solved=solved_notebook(variant, server)) if order.answers else files


@contextmanager
def silent_libraries() -> Iterator[None]:
    """Discard standard output inside this context.

    LAPACK complains about non-finite numbers on file descriptor 1, past Python. Wrong programs produce such numbers on
    purpose.
    """
    sys.stdout.flush()
    stdout_copy, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        ctypes.CDLL(None).fflush(None)  # the buffer of C's stdio
        os.dup2(stdout_copy, 1)
        os.close(stdout_copy)
        os.close(nowhere)


class SerialWorkers:
    """Make variants in this process, one after the other."""

    def __init__(self, place: CourseFolder, secret: str, server: ForkServerClient) -> None:
        """Use this course folder and classroom, secret and fork server."""
        self._place = place
        self._make = partial(_make_files, place, secret, server)

    def make(self, orders: list[VariantJob]) -> Iterator[tuple[VariantJob, Files]]:
        """Yield each variant in the order of the jobs."""
        for order in orders:
            yield order, self._make(order)

    def derive(self, tasks: Sequence[TaskName]) -> Iterator[tuple[TaskName, MistakeNames]]:
        """Yield the mistake names of each task in order."""
        for task in tasks:
            yield task, _derive_names(self._place, task)


class PoolWorkers:
    """Make variants in a pool of processes."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        """Use this pool; `variant_workers` creates one."""
        self._pool = pool

    def make(self, orders: list[VariantJob]) -> Iterator[tuple[VariantJob, Files]]:
        """Yield each variant when it is certified.

        The first error cancels the others.
        """
        yield from self._map_unordered(_make_in_worker, orders)

    def derive(self, tasks: Sequence[TaskName]) -> Iterator[tuple[TaskName, MistakeNames]]:
        """Yield the mistake names of each task when they are ready.

        The first error cancels the others.
        """
        yield from self._map_unordered(_derive_in_worker, tasks)

    def _map_unordered(
        self, work: Callable[[Work], Product], things: Sequence[Work]
    ) -> Iterator[tuple[Work, Product]]:
        running: dict[Future[Product], Work] = {self._pool.submit(work, thing): thing for thing in things}
        try:
            for done in as_completed(running):
                yield running[done], done.result()
        except BrokenProcessPool:
            raise CourseError(
                "a worker process was killed from outside, perhaps for lack of memory: use fewer workers"
            ) from None
        finally:
            for future in running:
                future.cancel()


@contextmanager
def variant_workers(course: Course, number: int, workers: int | None = None) -> Iterator[TaskWorkers]:
    """Yield the fastest workers for `number` variants.

    There are at most `workers` processes, by default one per core. A few variants are made in this process.
    """
    secret, number_of_workers = course.secret(), min(workers or os.cpu_count() or 1, number)
    if number_of_workers <= 1 or number <= MAX_SERIAL_VARIANTS:
        # the course's own code runs here, so a machine without a sandbox is good enough
        with ForkServerClient(trusted=True) as server:
            yield SerialWorkers((course.root, course.room), secret, server)
        return
    start = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(number_of_workers, start, _start_worker, ((course.root, course.room), secret))
    try:
        yield PoolWorkers(pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_WORKER_STATE: dict[str, Any] = {}


def _start_worker(place: CourseFolder, secret: str) -> None:
    """Initialise a worker process and its fork server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    server = ForkServerClient(trusted=True)
    Finalize(None, server.close, exitpriority=0)
    _WORKER_STATE.update(make=partial(_make_files, place, secret, server), place=place)


def _derive_names(place: CourseFolder, task: TaskName) -> MistakeNames:
    try:
        with silent_libraries(), one_line(f"{'.'.join(task)}: its draw or its reference"):
            return derive_names(Course(*place), *task)
    except UncertifiedError as error:
        raise CourseError(str(error)) from error


def _derive_in_worker(task: TaskName) -> MistakeNames:
    return _derive_names(_WORKER_STATE["place"], task)


def _make_in_worker(order: VariantJob) -> Files:
    files: Files = _WORKER_STATE["make"](order)
    return files
