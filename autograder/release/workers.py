"""Make many variants side by side: each worker is a process with a nursery of its own.

Drawing and certifying is arithmetic in Python, so threads would wait for each other; and formulas are
evaluated with a precision that a process has only once. What travels is text.
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
from autograder.release.mistake_names import Names, derive_names
from autograder.release.origin import Origin, default_derivation, derive
from autograder.release.variant import (
    Files,
    make_known_variant,
    make_variant,
    read_public,
    solved_notebook,
)
from autograder.sandbox.nursery import Nursery

Work = TypeVar("Work")
Product = TypeVar("Product")

FEW = 3  # so many are made quicker here than by workers who must first come to life


@dataclass(frozen=True)
class Order:
    """A variant to be made: for the class, or (`folder`) for one student.

    `derivation` is that of the release in place; None for a new one. The public part of one that `is_known` lies in
    `exercises/`, and was certified before.
    """

    topic: str
    seed: str
    folder: str | None = None
    answers: bool = False
    derivation: int | None = None
    is_known: bool = False

    def origin(self, course: Course, secret: str) -> Origin:
        """Derive where the numbers come from."""
        derivation = self.derivation or default_derivation(course, self.seed)
        return derive(secret, self.topic, self.seed, derivation)


TaskName = tuple[str, str]  # topic and task


class VariantWorkers(Protocol):
    """Anything that makes variants."""

    def make(self, orders: list[Order]) -> Iterator[tuple[Order, Files]]:
        """Each variant as it is certified, in any order; CourseError at the first that cannot be."""


class TaskWorkers(VariantWorkers, Protocol):
    """Workers that also try the mistakes of tasks."""

    def derive(self, tasks: Sequence[TaskName]) -> Iterator[tuple[TaskName, Names]]:
        """Return the names of the mistakes of each task, in any order; CourseError at the first that fails."""


def _made(root: Path, secret: str, nursery: Nursery, order: Order) -> Files:
    with silent_libraries():
        course = Course(root)
        known = read_public(course, order.topic) if order.is_known else None
        if known:
            variant = make_known_variant(course, known, secret, nursery)
        else:
            variant = make_variant(course, order.topic, order.origin(course, secret), secret, nursery)
        files = variant.files()
        return replace(files, solved=solved_notebook(variant, nursery)) if order.answers else files


@contextmanager
def silent_libraries() -> Iterator[None]:
    """Drop what is written to standard output meanwhile: LAPACK complains there, past Python, of what is not finite.

    Wrong programs are tried here on purpose, and nothing of ours is said before a variant is made.
    """
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        ctypes.CDLL(None).fflush(None)  # what C still holds back
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


class InThisProcess:
    """Variants made in this process, one after the other."""

    def __init__(self, root: Path, secret: str, nursery: Nursery) -> None:
        """Make those of the course in this folder."""
        self._root = root
        self._make = partial(_made, root, secret, nursery)

    def make(self, orders: list[Order]) -> Iterator[tuple[Order, Files]]:
        """Each variant in its turn."""
        for order in orders:
            yield order, self._make(order)

    def derive(self, tasks: Sequence[TaskName]) -> Iterator[tuple[TaskName, Names]]:
        """Return the names of the mistakes of each task in its turn."""
        for task in tasks:
            yield task, _derived(self._root, task)


class InManyProcesses:
    """Variants made by a pool of processes."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        """Use `variant_workers` to make one."""
        self._pool = pool

    def make(self, orders: list[Order]) -> Iterator[tuple[Order, Files]]:
        """Each variant as it is certified; the first error drops the others."""
        yield from self._side_by_side(_work, orders)

    def derive(self, tasks: Sequence[TaskName]) -> Iterator[tuple[TaskName, Names]]:
        """Return the names of the mistakes of each task as they come; the first error drops the others."""
        yield from self._side_by_side(_derive, tasks)

    def _side_by_side(
        self, work: Callable[[Work], Product], things: Sequence[Work]
    ) -> Iterator[tuple[Work, Product]]:
        running: dict[Future[Product], Work] = {self._pool.submit(work, thing): thing for thing in things}
        try:
            for done in as_completed(running):
                yield running[done], done.result()
        except BrokenProcessPool:
            raise CourseError("a worker was ended from outside: was there too little memory?") from None
        finally:
            for future in running:
                future.cancel()


@contextmanager
def variant_workers(course: Course, number: int, workers: int | None = None) -> Iterator[TaskWorkers]:
    """Whoever makes `number` variants quickest, with at most so many workers (one per core if not told)."""
    secret, number_of_workers = course.secret(), min(workers or os.cpu_count() or 1, number)
    if number_of_workers <= 1 or number <= FEW:
        # the code that runs is the course's own, so a machine without walls will do
        with Nursery(trusted=True) as nursery:
            yield InThisProcess(course.root, secret, nursery)
        return
    start = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(number_of_workers, start, _start_worker, (course.root, secret))
    try:
        yield InManyProcesses(pool)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_here: dict[str, Any] = {}


def _start_worker(root: Path, secret: str) -> None:
    """Run once by each worker; its nursery ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that gives the orders
    nursery = Nursery(trusted=True)
    Finalize(None, nursery.close, exitpriority=0)
    _here.update(make=partial(_made, root, secret, nursery), root=root)


def _derived(root: Path, task: TaskName) -> Names:
    try:
        with silent_libraries(), one_line(f"{'.'.join(task)}: its draw or its reference"):
            return derive_names(Course(root), *task)
    except UncertifiedError as error:
        raise CourseError(str(error)) from error


def _derive(task: TaskName) -> Names:
    return _derived(_here["root"], task)


def _work(order: Order) -> Files:
    made: Files = _here["make"](order)
    return made
