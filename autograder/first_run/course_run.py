"""Run `dimred course`: make everything in parallel and serve it meanwhile."""

import asyncio
from collections.abc import Coroutine

from autograder.course.course import Course
from autograder.first_run.lanes import TITLES, lane_order, lanes
from autograder.first_run.run import FirstRun
from autograder.first_run.serving import serve_and_run
from autograder.program import program_name
from autograder.terminal import print

NEXT = f"Next, for a class of your own: {program_name()} regenerate --seed spring --roster class.csv"


def run_course(course: Course, port: int | None, verbose: bool, allow_unsafe: bool) -> None:
    """Make everything; with a port, serve it until Ctrl-C."""

    async def make() -> None:
        first_run = FirstRun(course, lanes(allow_unsafe=allow_unsafe), TITLES, lane_order(course), verbose)
        if port is None:
            await first_run.run()
            print_map(course)
        else:
            await serve_and_run(first_run, port, lambda: print_map(course))

    raise_first_failure(make())


def raise_first_failure(work: Coroutine[object, object, None]) -> None:
    """Run to the end and raise the first exception of a group."""
    try:
        asyncio.run(work)
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None


def print_map(course: Course) -> None:
    """Print where a newcomer finds everything."""
    places = course.demo.paths
    print("Where things are:")
    for what, path in (
        ("the book", course.root / "_build" / "html" / "index.html"),
        ("exercises for students", course.exercises),
        ("the made-up class", course.demo.classroom),
        ("its feedback pages", places.feedback),
        ("its reports", places.report),
        ("your own class", course.classroom),
    ):
        print(f"  {what:<24}{course.short(path)}")
    print(NEXT)
