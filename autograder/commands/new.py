"""The verb `new`: skeletons of tasks and topics."""

import argparse

from autograder.commands.common import AddVerb
from autograder.course.course import Course
from autograder.terminal import print


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    parser = verb("new", new)
    what = parser.add_subparsers(required=True, metavar="task|topic", dest="what")
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


def new(course: Course, options: argparse.Namespace) -> None:
    """Write the skeleton of a task or topic, which certifies at once."""
    from autograder.release.skeleton import write_task, write_topic

    if options.what == "task":
        topic, files = options.topic, write_task(course, options.topic, options.name, options.kind)
    else:
        topic, files = options.name, write_topic(course, options.name)
    for path in files:
        print(f"written: {course.short(path)}")
    print(f"Change the example, then run `dimred regenerate {topic}`.")
