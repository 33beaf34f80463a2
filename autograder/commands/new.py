"""The verb `new`: skeletons of tasks, topics and courses."""

import argparse
import shlex
from pathlib import Path

from autograder.commands.common import AddVerb
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.program import program_name
from autograder.terminal import print


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    parser = verb("new", new)
    what = parser.add_subparsers(required=True, metavar="task|topic|course|overlay", dest="what")
    task = what.add_parser("task", description="Write an example task, and its cells in the notebook.")
    task.add_argument("name", help="the name that the notebook checks, such as first_axis")
    task.add_argument("--topic", required=True, help="the topic that the task belongs to")
    task.add_argument(
        "--kind",
        choices=("code", "hand", "sym"),
        required=True,
        help="what students write: a function, a value worked out from printed numbers, or a formula",
    )
    topic = what.add_parser("topic", description="Write page, reference, claims, notebook and a first task.")
    topic.add_argument("name", help="one word for page, reference and exercises, such as contour_lines")
    whole = what.add_parser("course", description=new_course.__doc__)
    whole.add_argument(
        "folder", type=Path, help="a new folder; its name is that of the course, such as stats"
    )
    whole.add_argument("--topic", default="lists", help="one word for the first topic (default %(default)s)")
    whole.set_defaults(run=new_course, verb="new course")
    overlay = what.add_parser("overlay", description=new_overlay.__doc__)
    overlay.add_argument("folder", type=Path, help="a new folder for your differences, such as spring-2027")
    overlay.add_argument("--base", metavar="COURSE", help="an installed course (default: the only one)")
    overlay.set_defaults(run=new_overlay, verb="new overlay")


def new(course: Course, options: argparse.Namespace) -> None:
    """Write the skeleton of a task or topic, which certifies at once."""
    from autograder.release.skeleton import write_task, write_topic

    if options.what == "task":
        topic, files = options.topic, write_task(course, options.topic, options.name, options.kind)
    else:
        topic, files = options.name, write_topic(course, options.name)
    for path in files:
        print(f"written: {course.short(path)}")
    print(f"Change the example, then run `{program_name()} regenerate {topic}`.")


def new_overlay(options: argparse.Namespace) -> None:
    """Write the folder of an overlay: it names an installed course by version and keeps your differences only."""
    from autograder.course.overlay import find_base, installed_courses
    from autograder.release.course_skeleton import write_overlay

    courses = installed_courses()
    chosen = [course for course in courses if options.base in (None, course, course.partition("==")[0])]
    if len(chosen) != 1:
        known = ", ".join(courses) or "none"
        raise CourseError(f"--base must name one installed course; installed: {known}")
    for path in write_overlay(options.folder, find_base(chosen[0])):
        print(f"written: {options.folder / path}")
    print(f"Next: cd {shlex.quote(str(options.folder))}, then `{program_name()} regenerate`.")


def new_course(options: argparse.Namespace) -> None:
    """Write a small course that works as it is: a topic with three tasks, a page, settings, tests, a workflow."""
    from autograder.release.course_skeleton import write_course

    for path in write_course(options.folder, options.topic):
        print(f"written: {options.folder / path}")
    name = program_name()
    print(
        f"Next: cd {shlex.quote(str(options.folder))}, then `{name} regenerate`, `{name} demo`, `{name} book --serve`."
    )
