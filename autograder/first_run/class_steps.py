"""The steps of the made-up class: exercises, submissions, grades, feedback and reports. Each returns a note."""

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
from autograder.grading.outcome import outcomes_on_file, summary
from autograder.grading.topics import grade_topics
from autograder.grading.workers import local_examiners
from autograder.release.regenerate import Request, regenerate_all
from autograder.reports.course_report import write_course_report
from autograder.reports.feedback import write_feedback
from autograder.reports.report import Wanted, write_report
from autograder.sandbox.nursery import keep_private

DIGEST = "pages.sha256"  # of the gradebook that feedback pages and reports were made from


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
    """Write a page for each student and topic, where verdicts are newer than the pages."""
    topics, is_same = room.topics(), _has_same_gradebook(room)
    step.expect(len(topics))
    for topic in topics:
        pages = [
            room.places.feedback_page(outcome.student, topic) for outcome in outcomes_on_file(room, topic)
        ]
        if not (is_same and _are_newer(pages, _sources(room, topic))):
            write_feedback(room, topic)
        step.advance()
    return f"{sum(1 for _ in room.places.feedback.rglob('*.html'))} pages"


def write_reports(room: Course, step: Step) -> str:
    """Write the report of each topic and of the course, where verdicts are newer than the reports."""
    topics = room.topics()
    step.expect(len(topics))
    pages = [room.places.report / Wanted().file(name) for name in (*topics, "index")]
    sources = [path for topic in topics for path in _sources(room, topic)]
    if _has_same_gradebook(room) and _are_newer(pages, sources):
        return f"{len(topics)} topics and the course, up to date"
    for topic in topics:
        write_report(room, topic)
        step.advance()
    write_course_report(room, topics)
    write_text(room.classroom / DIGEST, _gradebook_digest(room))
    return f"{len(topics)} topics and the course"


def _sources(room: Course, topic: str) -> list[Path]:
    """List the files that pages on a topic are made from, beside the gradebook: verdicts and the engine."""
    engine = Path(autograder.__file__).parent
    return [*room.places.verdicts(topic).glob("*.json"), *engine.rglob("*.py")]


def _has_same_gradebook(room: Course) -> bool:
    """Return whether the gradebook holds what the last reports were made from; a person may give points."""
    path = room.classroom / DIGEST
    return path.is_file() and path.read_text("utf-8") == _gradebook_digest(room)


def _gradebook_digest(room: Course) -> str:
    # by its bytes: SQLite touches the file even where nothing is written
    return hashlib.sha256(room.places.gradebook.read_bytes()).hexdigest()


def _are_newer(pages: Sequence[Path], sources: Sequence[Path]) -> bool:
    """Return whether all pages exist and are newer than all sources that exist."""
    if not pages or not all(page.is_file() for page in pages):
        return False
    oldest = min(page.stat().st_mtime_ns for page in pages)
    return all(source.stat().st_mtime_ns < oldest for source in sources if source.is_file())
