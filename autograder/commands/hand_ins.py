"""The verbs `check` and `collect`."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.commands.common import AddVerb, add_allow_unsafe, add_verbose
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.terminal import name_in_line, print


def add_verbs(verb: AddVerb) -> None:
    """Add the verbs of this module."""
    parser = verb("check", run_check)
    parser.add_argument("notebook", type=Path)
    add_allow_unsafe(parser)
    parser = verb("collect", collect)
    parser.add_argument("download", type=Path, metavar="DOWNLOAD", help="the zip archive, or a folder")
    parser.add_argument(
        "topic", nargs="?", help="take this topic alone (default: each notebook tells its own)"
    )
    parser.add_argument(
        "--worksheet", type=Path, metavar="CSV", help="Moodle's grading worksheet: who is who, and the times"
    )
    parser.add_argument(
        "--is",
        dest="said",
        action="append",
        default=[],
        metavar="LABEL=ID",
        help="who an unknown sender is; may be repeated",
    )
    parser.add_argument("--yes", action="store_true", help="write what was shown")
    add_verbose(parser, "a line for each hand-in")


def run_check(options: argparse.Namespace) -> None:
    """Run NOTEBOOK against its public key and show what its student sees."""
    lines: Iterator[str]
    if sys.platform == "linux":
        from autograder.grading.preview import preview

        lines = preview(options.notebook, allow_unsafe=options.allow_unsafe)
    else:
        from autograder.judging.plain_preview import preview_plainly

        lines = preview_plainly(options.notebook)
    for line in lines:
        print(line)


def collect(course: Course, options: argparse.Namespace) -> None:
    """Collect a bulk download of a learning platform.

    Canvas, Moodle, Blackboard, Brightspace and Google Classroom are supported. --yes writes what was shown.
    """
    from autograder.grading.audit import log_action
    from autograder.grading.download import CollectOptions, plan_collect, write_collected
    from autograder.grading.download_words import describe_plan, read_pairs

    if options.topic:
        course.require_assignments([options.topic])
    collect_options = CollectOptions(options.topic or "", options.worksheet, read_pairs(options.said))
    plan = plan_collect(course, options.download, collect_options)
    for line in describe_plan(course, plan, verbose=options.verbose):
        print(name_in_line(line))
    if not plan.hand_ins:
        raise CourseError(f"{options.download.name} holds no notebook of a student of this class")
    if not options.yes:
        print("nothing was written: --yes writes it")
        return
    counts = write_collected(course, plan)
    what = ", ".join(f"{number} {state}" for state, number in counts.items() if number)
    log_action(course, f"collect {', '.join(plan.topics)} from {options.download.name}: {what}")
    print(f"collected into {course.short(course.paths.submitted)}: {what}")
