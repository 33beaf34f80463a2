"""Options and output that several verbs share."""

import argparse
import sys
from collections.abc import Callable, Iterable
from typing import Any

from autograder.course.course import Course
from autograder.errors import CourseError, MachineError
from autograder.terminal import print

DEFAULT_PORT = 8000
AddVerb = Callable[[str, Callable[..., None]], argparse.ArgumentParser]  # name and function of a verb


def print_folders(students: Iterable[Any]) -> None:
    """Print the students whose folder differs from their id."""
    for student in students:
        if student.folder != student.id:
            print(
                f"student id {student.id!r} cannot be a folder name: folders and gradebook use {student.folder}"
            )


def confirm(statement: str | None, question: str = "Make exercises for a class all the same?") -> None:
    """Ask at a terminal whether to continue; without one, continue."""
    if statement and sys.stdin.isatty():
        answer = input(f"{statement}. {question} [y/N] ")
        if answer.strip().lower() not in ("y", "yes"):
            raise CourseError("nothing was made")


def require_released(course: Course, names: list[str]) -> list[str]:
    """Return the named topics, or all that were released.

    Topics that were not released are printed.
    """
    from autograder.grading.choose import released_topics

    released, later = released_topics(course, names)
    if later:
        print(f"not released yet: {', '.join(later)}", file=sys.stderr)
    return released


def for_each_topic(topics: list[str], work: Callable[[str], None]) -> None:
    """Do work for each topic and raise errors at the end.

    A MachineError, which would repeat for each topic, is raised at once.
    """
    problems = []
    for topic in topics:
        try:
            work(topic)
        except MachineError:
            raise
        except CourseError as error:
            problems.append(str(error))
    raise_problems(problems)


def raise_problems(problems: list[str]) -> None:
    """Raise the first problem, with the number of the others."""
    if problems:
        more = f"; and {len(problems) - 1} more topics: try them one by one" if len(problems) > 1 else ""
        raise CourseError(f"{problems[0]}{more}")


def add_topics(parser: argparse.ArgumentParser) -> None:
    """Add the argument for topics."""
    parser.add_argument("topics", nargs="*", help="topics; all of them if none is named")


def add_verbose(parser: argparse.ArgumentParser, what: str) -> None:
    """Add `--verbose`."""
    parser.add_argument("--verbose", action="store_true", help=f"print more: {what}")


def add_id_columns(parser: argparse.ArgumentParser) -> None:
    """Add the columns of a class list."""
    parser.add_argument("--id-column", metavar="NAME", help="the column of the class list that holds the ids")
    parser.add_argument(
        "--name-column", metavar="NAME", action="append", help="that holds names; several are joined"
    )
    parser.add_argument("--email-column", metavar="NAME", help="that holds addresses")


def add_allow_unsafe(parser: argparse.ArgumentParser) -> None:
    """Add `--allow-unsafe`."""
    parser.add_argument(
        "--allow-unsafe",
        action="store_true",
        help="run students' code without a complete sandbox (never as root)",
    )


def add_port(parser: argparse.ArgumentParser) -> None:
    """Add `--port`."""
    parser.add_argument(
        "--port",
        type=int,
        default=DEFAULT_PORT,
        help="default %(default)d; the next free one is taken if it is busy",
    )
