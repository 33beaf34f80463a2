"""The verb `demo`: a made-up class, graded and reported."""

import argparse

from autograder.commands.common import AddVerb
from autograder.commands.examiners import add_options
from autograder.commands.grading import run_grade
from autograder.commands.release_lines import print_release
from autograder.commands.results import write_course_reports, write_topic_reports
from autograder.course.course import Course
from autograder.terminal import print


def add_verbs(verb: AddVerb) -> None:
    """Add the verb of this module."""
    add_options(verb("demo", demo))


def demo(course: Course, options: argparse.Namespace) -> None:
    """Grade and report a made-up class with typical mistakes, in a folder of its own."""
    from autograder.demo import make_class
    from autograder.release.regenerate import ReleaseRequest, regenerate_all

    demo_course, topics = course.demo, course.require_topics(options.topics)
    unreleased = [topic for topic in topics if not demo_course.paths.secret_key(topic).is_file()]
    request = ReleaseRequest(course.public_seed)
    print_release(demo_course, regenerate_all(demo_course, unreleased, request), request)
    for topic in topics:
        print(f"{topic}: a made-up class of {len(make_class(demo_course, topic))}")
    run_grade(demo_course, options)
    write_topic_reports(demo_course, topics)
    write_course_reports(demo_course, topics)
