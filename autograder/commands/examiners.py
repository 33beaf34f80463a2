"""Options and workers of verbs that run students' programs."""

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.commands.common import add_allow_unsafe, add_topics, add_verbose
from autograder.course.course import Course
from autograder.sandbox.limits import Limits
from autograder.terminal import print


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the topics and the options of grading."""
    add_topics(parser)
    add_grading_options(parser)


def add_grading_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of grading."""
    parser.add_argument("--workers", type=int, help="submissions run side by side (default: one per core)")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="use the workers of this cluster (tls://…)")
    parser.add_argument(
        "--certificates", type=Path, metavar="FOLDER", help="of the cluster (default: classroom/cluster)"
    )
    parser.add_argument(
        "--seconds", type=float, default=Limits.cell_seconds, help="limit per cell (default %(default)g)"
    )
    parser.add_argument("--force", action="store_true", help="run unchanged submissions again")
    add_verbose(parser, "a line for each student")
    add_allow_unsafe(parser)


def begin_early(course: Course, options: argparse.Namespace) -> None:
    """Hide the course, and start the fork server while the other modules are imported.

    It takes longest to start.
    """
    from autograder.grading.student_packages import hide_course
    from autograder.sandbox.fork_server_client import prestart_fork_server

    hide_course(course)
    if not options.scheduler:
        prestart_fork_server()


@contextlib.contextmanager
def open_examiners(course: Course, options: argparse.Namespace) -> Iterator[Any]:
    """Open local or cluster workers and print their sandbox's protections."""
    from autograder.grading.cluster import cluster_grading_pool
    from autograder.grading.nbgrader_settings import preload_nbgrader
    from autograder.grading.workers import local_grading_pool

    preload_nbgrader()
    if options.scheduler:
        certificates = options.certificates or course.paths.cluster
        pool: Any = cluster_grading_pool(options.scheduler, certificates, allow_unsafe=options.allow_unsafe)
    else:
        pool = local_grading_pool(options.workers, allow_unsafe=options.allow_unsafe)
    with pool as examiners:
        print(f"students' code runs with: {examiners.protections}", file=sys.stderr)
        yield examiners
