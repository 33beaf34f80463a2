"""The verbs `feedback`, `return`, `open-questions`, `report` and `export`."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.commands.common import AddVerb, add_port, add_topics, for_each_topic, require_released
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.program import program_name
from autograder.terminal import name_in_line, print

if TYPE_CHECKING:
    from autograder.reports.report import ReportOptions


def add_verbs(verb: AddVerb) -> None:
    """Add the verbs of this module."""
    parser = verb("feedback", feedback)
    add_topics(parser)
    parser.add_argument("--model-answers", action="store_true", help="show the author's answers on the pages")
    parser = verb("return", return_feedback)
    parser.add_argument("topic")
    parser.add_argument(
        "--platform",
        choices=("moodle", "canvas", "files"),
        help="default: the one that the submissions were collected from",
    )
    parser.add_argument("--to", type=Path, metavar="ZIP", help="default: in classroom/handed_back")
    parser.add_argument("--model-answers", action="store_true", help="show the author's answers, too")
    parser = verb("open-questions", run_open_questions)
    parser.add_argument("topic")
    parser.add_argument("--anonymous", action="store_true", help="numbers in place of names")
    parser.add_argument(
        "--grader", action="append", metavar="NAME", help="an address for each; default: your account"
    )
    add_port(parser)
    parser = verb("report", report)
    parser.add_argument(
        "--hide-names", action="store_true", help="numbers in place of names, to show it in class"
    )
    parser.add_argument("--section", default="", metavar="NAME", help="only this section of the roster")
    parser.add_argument(
        "--best-first", action="store_true", help="the best on top of distributions and lists"
    )
    add_topics(parser)
    parser = verb("export", export)
    parser.add_argument(
        "--fill", type=Path, metavar="CSV", help="a gradebook as Canvas, Moodle or Blackboard export it"
    )
    parser.add_argument(
        "--output", type=Path, help="where to write the filled one (default: in classroom/exports)"
    )
    add_topics(parser)


def feedback(course: Course, options: argparse.Namespace) -> None:
    """Write each student's feedback page, after grading."""
    write_topic_reports(course, require_released(course, options.topics), with_answers=options.model_answers)


def write_topic_reports(course: Course, topics: list[str], *, with_answers: bool = False) -> None:
    """Write the feedback pages of topics, and print where they are."""
    from autograder.reports.feedback import write_feedback

    def write(topic: str) -> None:
        pages = write_feedback(course, topic, with_answers=with_answers)
        print(f"{topic}: {len(pages)} feedback pages in {course.short(course.paths.feedback)}")

    for_each_topic(topics, write)


def return_feedback(course: Course, options: argparse.Namespace) -> None:
    """Pack feedback as an archive for Moodle or Canvas.

    A list for a mail merge is written beside it.
    """
    from autograder.reports.give_back import give_back, platform_of_topic

    (topic,) = require_released(course, [options.topic])
    write_topic_reports(course, [topic], with_answers=options.model_answers)
    if not course.paths.verdicts(topic).is_dir():
        raise CourseError(f"nothing of {topic} was graded yet: `{program_name()} grade {topic}`")
    platform = options.platform or platform_of_topic(course, topic)
    target = options.to or course.classroom / "handed_back" / f"{topic}_{platform}.zip"
    done = give_back(course, topic, platform, target, with_answers=options.model_answers)
    print(f"{topic}: {len(done.files)} files for {platform} in {course.short(done.archive.resolve())}")
    print(f"{topic}: names, addresses and scores in {course.short(done.table.resolve())}")
    for student, why in done.missing.items():
        print(f"{topic}  {name_in_line(student)} is not in the archive: {name_in_line(why)}", file=sys.stderr)


def run_open_questions(course: Course, options: argparse.Namespace) -> None:
    """Show all students' answers to an open question on a local page.

    Equal answers are decided once, by keyboard.
    """
    from getpass import getuser

    from autograder.open_questions.server import make_desk, serve_open_questions

    (topic,) = course.require_assignments([options.topic])
    graders = options.grader or [getuser()]
    desk = make_desk(course, topic, graders, is_anonymous=options.anonymous)
    serve_open_questions(desk, options.port, print)


def report(course: Course, options: argparse.Namespace) -> None:
    """Write the report of each topic and of the whole course, after grading."""
    from autograder.reports.report import ReportOptions

    report_options = ReportOptions(options.hide_names, options.section, options.best_first)
    write_course_reports(course, require_released(course, options.topics), report_options)


def write_course_reports(
    course: Course, topics: list[str], report_options: "ReportOptions | None" = None
) -> None:
    """Write the reports of topics and of the course, and print where they are."""
    from autograder.reports.course_report import write_course_report
    from autograder.reports.report import write_report

    def write(topic: str) -> None:
        print(f"{topic}: {course.short(write_report(course, topic, report_options))}")

    for_each_topic(topics, write)
    print(f"the course: {course.short(write_course_report(course, topics, report_options))}")


def export(course: Course, options: argparse.Namespace) -> None:
    """Write grades as CSV tables, or fill an exported gradebook.

    Gradebooks of Canvas, Moodle and Blackboard are supported.
    """
    from autograder.reports.fill import fill
    from autograder.reports.grades import grades, write_tables

    topics = require_released(course, options.topics)
    for path in write_tables(course, topics):
        print(course.short(path))
    if options.fill:
        target = options.output or course.paths.exports / options.fill.name
        counted = [topic for topic in topics if not course.retake_of(topic)]
        for topic in topics:
            if topic not in counted:
                print(f"{topic} is not filled in: it counts in {course.retake_of(topic)}")
        done = fill(options.fill, target, grades(course, counted), course.titles())
        _print_fill_result(done, course.short(target.resolve()))


def _print_fill_result(done: Any, place: str) -> None:
    """Print what was written into a gradebook and what needs attention."""
    print(f"{done.platform}: {done.written} scores in {place}")
    for heading in done.made:
        print(f"{done.platform}: a new column {heading!r}")
    for topic, here, there in done.other_points:
        print(
            f"{done.platform}: {topic} has {here:g} points here and {there:g} there: change them there first",
            file=sys.stderr,
        )
    for who in done.without_line:
        print(f"{done.platform}: {who}", file=sys.stderr)
    for topic, number in done.unread.items():
        print(
            f"{done.platform}: of {topic}, {number} of these scores lack open questions that nobody has read yet: "
            f"`{program_name()} open-questions {topic}`, or formgrader, then fill the gradebook again",
            file=sys.stderr,
        )
