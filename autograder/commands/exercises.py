"""The verbs `regenerate`, `distribute` and `gradescope`."""

import argparse
import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.commands.class_list import students_of
from autograder.commands.common import (
    AddVerb,
    add_allow_unsafe,
    add_id_columns,
    add_topics,
    add_verbose,
    confirm,
    print_folders,
    require_released,
)
from autograder.commands.release_lines import print_release
from autograder.course.course import Course
from autograder.course.settings import describe_local_address
from autograder.terminal import print

if TYPE_CHECKING:
    from autograder.release.regenerate import ReleaseRequest


def add_verbs(verb: AddVerb) -> None:
    """Add the verbs of this module."""
    parser = verb("regenerate", run_regenerate)
    parser.add_argument("--seed", help="any word; the same seed gives the same bytes")
    parser.add_argument(
        "--roster",
        type=Path,
        metavar="CSV",
        help="a variant for each student of this class list (see `roster`)",
    )
    add_id_columns(parser)
    parser.add_argument(
        "--answers", action="store_true", help="also write solved notebooks, for the instructor only"
    )
    parser.add_argument(
        "--replace", action="store_true", help="draw new numbers although the old ones were handed out"
    )
    parser.add_argument("--workers", type=int, help="variants made side by side (default: one per core)")
    parser.add_argument("--force", action="store_true", help="make topics that are up to date, too")
    add_verbose(parser, "why draws were refused")
    add_topics(parser)
    parser = verb("distribute", run_distribute)
    parser.add_argument(
        "--to",
        choices=("zips", "folders", "exchange"),
        default="zips",
        help="archives, folders to upload, or nbgrader's exchange (default %(default)s)",
    )
    add_topics(parser)
    parser = verb("gradescope", gradescope)
    add_topics(parser)
    add_allow_unsafe(parser)


def run_regenerate(course: Course, options: argparse.Namespace) -> None:
    """Make new certified exercises for a class, or for each student.

    They follow from a seed. Without one, the public exercises are made.
    """
    from autograder.release import regenerate as work
    from autograder.release.public import describe_public_numbers

    topics = course.require_assignments(options.topics) if options.topics else course.topics()
    students = students_of(course, options)
    request = work.ReleaseRequest(
        options.seed or course.public_seed, students, options.answers, options.replace, options.force
    )
    if not options.seed and not options.replace:
        topics = _make_public_aside(course, topics, request, options.workers)
    for topic in topics:
        work.check_release_allowed(course, topic, request)
    if students and not options.seed:
        confirm(describe_public_numbers(topics))
    with _local_address_confirmed(course, needed=bool(options.seed or students)):
        print_folders(students)
        done = work.regenerate_all(course, topics, request, options.workers)
        print_release(course, done, request, verbose=options.verbose)
        _record_release(course, topics, request, "a seed" if options.seed else "the public seed")


def _make_public_aside(
    course: Course, topics: Sequence[str], request: "ReleaseRequest", workers: int | None
) -> list[str]:
    """Make public exercises beside releases of the class; return the topics that have none."""
    from autograder.release.public import make_public_aside
    from autograder.release.regenerate import regenerate_command

    beside = make_public_aside(course, topics, request, workers)
    for topic in beside:
        print(
            f"{topic}: the public exercises are in {course.short(course.exercises)}/{topic}; the class's release "
            f"stays as it is: `{regenerate_command(course, topic)}` makes that anew"
        )
    return [topic for topic in topics if topic not in beside]


def _record_release(course: Course, topics: Sequence[str], request: "ReleaseRequest", seed: str) -> None:
    """Write the release into the log, and its students into the gradebook."""
    from autograder.grading.audit import log_action
    from autograder.grading.enrol import enrol

    if topics:
        log_action(course, f"regenerate {', '.join(topics)} with {seed}")
    if request.students:
        enrol(course, request.students)


@contextlib.contextmanager
def _local_address_confirmed(course: Course, *, needed: bool) -> Iterator[None]:
    """Ask before the work whether students may be given a local address, and repeat it afterwards."""
    statement = describe_local_address(course.settings) if needed else None
    confirm(statement)
    yield
    if statement:
        print(statement, file=sys.stderr)


def run_distribute(course: Course, options: argparse.Namespace) -> None:
    """Hand out exercises as archives, as folders or through nbgrader's exchange.

    Each student can read only the own variant.
    """
    from autograder.release.distribute import distribute as hand_out
    from autograder.release.public import describe_public_numbers
    from autograder.release.regenerate import is_public_release

    if address := describe_local_address(course.settings):
        print(address, file=sys.stderr)
    topics = require_released(course, options.topics)
    if public := [topic for topic in topics if is_public_release(course, topic)]:
        statement = describe_public_numbers(public)
        print(statement, file=sys.stderr)
        confirm(statement, "Hand them out all the same?")
    for topic in topics:
        done = hand_out(course, topic, options.to)
        whose = f"{done.students} own variants" if done.students else "the class's variant"
        print(f"{topic}: {whose} in {course.short(done.place)}")
        if options.to == "exchange":
            command = (
                f"cp -r {done.place}/$USER/{topic} ."
                if done.students
                else f"nbgrader fetch_assignment {topic}"
            )
            print(
                f"{topic}: a student takes it with `{command}` and hands it in with `nbgrader submit {topic}`"
            )


def gradescope(course: Course, options: argparse.Namespace) -> None:
    """Write the archive with which Gradescope grades a topic.

    It holds the secret keys.
    """
    from autograder.release.gradescope import write_archive

    for topic in require_released(course, options.topics):
        archive = write_archive(course, topic, allow_unsafe=options.allow_unsafe)
        print(f"{topic}: {course.short(archive)} (holds the secret key: for you only)")
