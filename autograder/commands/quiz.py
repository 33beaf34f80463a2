"""The verb `quiz`: questions for learning platforms."""

import argparse
from pathlib import Path

from autograder.commands.common import AddVerb
from autograder.course.course import Course
from autograder.terminal import print

FORMAT_NAMES = ("moodle", "stack", "qti21", "qti12")


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    parser = verb("quiz", quiz)
    parser.add_argument(
        "names", nargs="+", metavar="TOPIC|TASK", help="a topic, or one of its tasks as in areas.total"
    )
    parser.add_argument(
        "--format",
        choices=FORMAT_NAMES,
        required=True,
        help="Moodle XML, Moodle XML for the question type STACK, QTI 2.1, or QTI 1.2 as Canvas reads it",
    )
    parser.add_argument(
        "--variants",
        type=int,
        default=20,
        metavar="N",
        help="sets of numbers of each task (default %(default)s)",
    )
    parser.add_argument("--seed", default="quiz", help="any word; the same word gives the same numbers")
    parser.add_argument("--to", type=Path, metavar="FILE", help="default: quiz.<format>.… in the exports")
    parser.add_argument(
        "--table", action="store_true", help="print how the file's verdicts compare with the notebook's"
    )


def quiz(course: Course, options: argparse.Namespace) -> None:
    """Write hand tasks and choices as questions of a learning platform.

    Each variant is certified, and the file is read back: it judges every foreseen answer as the notebook does.
    """
    from autograder.course.files import write_bytes
    from autograder.quiz.agreement import agreement_table, count_line
    from autograder.quiz.export import export_quiz
    from autograder.quiz.formats import FORMATS

    written = export_quiz(course, options.names, options.format, options.variants, options.seed)
    target = options.to or course.paths.exports / f"quiz.{options.format}.{FORMATS[options.format].ending}"
    write_bytes(target, written.content)
    for name, reason in written.left_out.items():
        print(f"left out: {name} {reason}")
    if options.table:
        print(agreement_table(written.agreements))
    print(count_line(written.agreements))
    print(f"{len(written.questions)} questions in {course.short(target)} (holds the answers: for you only)")
