"""The verb `kit`: what a teacher needs for a lecture."""

import argparse

from autograder.commands.common import AddVerb, for_each_topic
from autograder.course.course import Course
from autograder.errors import CourseError
from autograder.terminal import print


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    parser = verb("kit", kit)
    parser.add_argument("topics", nargs="*", help="topics")
    parser.add_argument("--all", action="store_true", help="all topics")


def kit(course: Course, options: argparse.Namespace) -> None:
    """Make slides, a plan for 50 minutes, questions for the lecture, and the solutions manual.

    The book must have been built. Solutions stay in the classroom.
    """
    from autograder.kit.build import build_kit

    if options.all == bool(options.topics):
        raise CourseError("name topics, or say --all")

    def make(topic: str) -> None:
        made = build_kit(course, topic)
        print(f"{topic}: slides in {course.short(made.slides)}")
        print(f"{topic}: objectives, plan and questions in {course.short(made.page)}")
        print(f"{topic}: solutions with {made.numbers} in {course.short(made.solutions)} (for you only)")

    for_each_topic(course.require_topics(options.topics), make)
