"""`dimred course`: everything a newcomer wants to see, made side by side and served meanwhile."""

import asyncio
import contextlib
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.first_run.lanes import TITLES, lane_order, lanes
from autograder.first_run.run import FirstRun
from autograder.first_run.serving import serve_and_run
from autograder.terminal import print

NEXT = "Next, for a class of your own: dimred regenerate --seed spring --roster class.csv"


def run_course(course: Course, port: int | None, verbose: bool, allow_unsafe: bool) -> None:
    """Make everything; with a port, serve it from the start until Ctrl-C."""

    async def make() -> None:
        first_run = FirstRun(course, lanes(allow_unsafe=allow_unsafe), TITLES, lane_order(course), verbose)
        if port is None:
            await first_run.run()
            print_map(course)
        else:
            await serve_and_run(first_run, port, lambda: print_map(course))

    raise_first(make())


def raise_first(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end; of a group of exceptions raise the first: a person can mend one thing at a time."""
    try:
        asyncio.run(work)
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None


def print_map(course: Course) -> None:
    """Print where a newcomer finds everything."""
    places = course.demo.places
    print("Where things are:")
    for what, path in (
        ("the book", course.root / "_build" / "html" / "index.html"),
        ("exercises for students", course.exercises),
        ("the made-up class", course.demo.classroom),
        ("its feedback pages", places.feedback),
        ("its reports", places.report),
        ("your own class", course.classroom),
    ):
        print(f"  {what:<24}{_relative(course, path)}")
    print(NEXT)


def _relative(course: Course, path: Path) -> Path:
    with contextlib.suppress(ValueError):
        return path.relative_to(course.root)
    return path
