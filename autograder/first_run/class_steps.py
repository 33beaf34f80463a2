"""Steps of the made-up class, each of which returns a note.

They make exercises, submissions, grades, feedback and reports.
"""

import contextlib
import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import autograder
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.demo import make_class
from autograder.errors import CourseError
from autograder.first_run.events import Step
from autograder.grading.outcome import format_summary, outcomes_on_file
from autograder.grading.student_packages import hide_course
from autograder.grading.topics import grade_topics
from autograder.grading.workers import local_grading_pool
from autograder.release.regenerate import ReleaseRequest, regenerate_all
from autograder.reports.course_report import write_course_report
from autograder.reports.feedback import write_feedback
from autograder.reports.report import ReportOptions, write_report

DIGEST = "pages.sha256"  # digest of the gradebook at the last feedback and reports


def make_exercises(demo: Course, step: Step) -> str:
    """Make the outdated exercises of the public seed."""

    @contextlib.contextmanager
    def show(total: int, what: str, unit: str) -> Iterator[Callable[[], None]]:
        step.expect(total)
        yield step.advance

    done = regenerate_all(demo, demo.topics(), ReleaseRequest(demo.public_seed), show=show)
    n_fresh = sum(result.is_up_to_date for result in done.values())
    return f"{len(done)} topics, {n_fresh} of them up to date"


def make_submissions(demo: Course, step: Step) -> str:
    """Write the notebooks of the made-up class."""
    topics = demo.topics()
    step.expect(len(topics))
    n_notebooks = 0
    for topic in topics:
        n_notebooks += len(make_class(demo, topic))
        step.advance()
    return f"{n_notebooks} notebooks"


def grade_submissions(demo: Course, step: Step, *, allow_unsafe: bool = False) -> str:
    """Grade all topics in the sandbox with the same workers."""
    topics = demo.topics()
    hide_course(demo)
    step.expect(sum(len(demo.paths.students_with(topic)) for topic in topics))
    with local_grading_pool(allow_unsafe=allow_unsafe) as examiners:
        results = list(grade_topics(demo, topics, examiners, progress=lambda outcome: step.advance()))
    if problems := [result.problem for result in results if result.problem]:
        raise CourseError(problems[0])
    return format_summary(list(chain.from_iterable(result.outcomes for result in results)))


def write_feedback_pages(demo: Course, step: Step) -> str:
    """Write the feedback pages of topics with newer verdicts."""
    topics, is_same = demo.topics(), _has_same_gradebook(demo)
    step.expect(len(topics))
    for topic in topics:
        pages = [
            demo.paths.feedback_page(outcome.student, topic) for outcome in outcomes_on_file(demo, topic)
        ]
        if not (is_same and _are_newer(pages, _sources(demo, topic))):
            write_feedback(demo, topic)
        step.advance()
    return f"{sum(1 for _ in demo.paths.feedback.rglob('*.html'))} pages"


def write_class_reports(demo: Course, step: Step) -> str:
    """Write the reports of the topics and of the course, if outdated."""
    topics = demo.topics()
    step.expect(len(topics))
    pages = [demo.paths.report / ReportOptions().file(name) for name in (*topics, "index")]
    sources = [path for topic in topics for path in _sources(demo, topic)]
    if _has_same_gradebook(demo) and _are_newer(pages, sources):
        return f"{len(topics)} topics and the course, up to date"
    for topic in topics:
        write_report(demo, topic)
        step.advance()
    write_course_report(demo, topics)
    write_text(demo.classroom / DIGEST, _gradebook_digest(demo))
    return f"{len(topics)} topics and the course"


def _sources(demo: Course, topic: str) -> list[Path]:
    """Return the files that pages on a topic depend on.

    These are verdicts and the engine. The gradebook is checked separately.
    """
    engine = Path(autograder.__file__).parent
    return [*demo.paths.verdicts(topic).glob("*.json"), *engine.rglob("*.py")]


def _has_same_gradebook(demo: Course) -> bool:
    """Return whether the gradebook is unchanged since the last reports.

    An instructor may have given points by hand.
    """
    path = demo.classroom / DIGEST
    return path.is_file() and path.read_text("utf-8") == _gradebook_digest(demo)


def _gradebook_digest(demo: Course) -> str:
    # by content, because SQLite changes the time stamp without writing
    return hashlib.sha256(demo.paths.gradebook.read_bytes()).hexdigest()


def _are_newer(pages: Sequence[Path], sources: Sequence[Path]) -> bool:
    """Return whether all pages exist and are newer than all existing sources."""
    if not pages or not all(page.is_file() for page in pages):
        return False
    oldest = min(page.stat().st_mtime_ns for page in pages)
    return all(source.stat().st_mtime_ns < oldest for source in sources if source.is_file())
