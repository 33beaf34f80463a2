"""The steps of the made-up class: exercises, submissions, grades, feedback and reports. Each returns a note."""

import contextlib
from collections.abc import Callable, Iterator
from itertools import chain

from autograder.course.course import Course
from autograder.demo import make_class
from autograder.errors import CourseError
from autograder.first_run.events import Step
from autograder.grading.outcome import summary
from autograder.grading.topics import grade_topics
from autograder.grading.workers import local_examiners
from autograder.release.regenerate import Request, regenerate_all
from autograder.reports.course_report import write_course_report
from autograder.reports.feedback import write_feedback
from autograder.reports.report import write_report
from autograder.sandbox.nursery import keep_private


def make_exercises(room: Course, step: Step) -> str:
    """Make the exercises of the public seed where they are not up to date."""

    @contextlib.contextmanager
    def show(total: int, what: str, unit: str) -> Iterator[Callable[[], None]]:
        step.expect(total)
        yield step.advance

    done = regenerate_all(room, room.topics(), Request(room.public_seed), show=show)
    n_fresh = sum(result.is_up_to_date for result in done.values())
    return f"{len(done)} topics, {n_fresh} of them up to date"


def make_submissions(room: Course, step: Step) -> str:
    """Write the notebooks of the made-up class."""
    topics = room.topics()
    step.expect(len(topics))
    n_notebooks = 0
    for topic in topics:
        n_notebooks += len(make_class(room, topic))
        step.advance()
    return f"{n_notebooks} notebooks"


def grade_submissions(room: Course, step: Step, *, allow_unsafe: bool = False) -> str:
    """Grade all topics with the same workers, in the sandbox."""
    topics = room.topics()
    keep_private(room.root, room.classroom, room.exchange)
    step.expect(sum(len(room.places.students_with(topic)) for topic in topics))
    with local_examiners(allow_unsafe=allow_unsafe) as examiners:
        results = list(grade_topics(room, topics, examiners, progress=lambda outcome: step.advance()))
    if problems := [result.problem for result in results if result.problem]:
        raise CourseError(problems[0])
    return summary(list(chain.from_iterable(result.outcomes for result in results)))


def write_feedback_pages(room: Course, step: Step) -> str:
    """Write a page for each student and topic."""
    topics = room.topics()
    step.expect(len(topics))
    n_pages = 0
    for topic in topics:
        n_pages += len(write_feedback(room, topic))
        step.advance()
    return f"{n_pages} pages"


def write_reports(room: Course, step: Step) -> str:
    """Write the report of each topic and of the course."""
    topics = room.topics()
    step.expect(len(topics))
    for topic in topics:
        write_report(room, topic)
        step.advance()
    write_course_report(room, topics)
    return f"{len(topics)} topics and the course"
