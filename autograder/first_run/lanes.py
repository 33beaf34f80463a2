"""The lanes of a first run: the book, the made-up class, and Python for live pages.

`python -m autograder.first_run.lanes NAME` runs one lane in the course of the working folder and writes progress
events to standard output. What libraries print goes to standard error.
"""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TextIO

from autograder.course.course import Course, find_course
from autograder.cpu_features import pin_blas_kernels
from autograder.errors import CourseError, LiveError, describe_machine_error
from autograder.first_run.events import Reporter
from autograder.first_run.lane_process import Lane, end_with_parent, lane_command

TITLES = {
    "first": "first chapters",
    "exercises": "exercises",
    "book": "whole book",
    "class": "made-up class",
    "grading": "grading",
    "feedback": "feedback pages",
    "report": "reports",
    "live": "Python for live pages",
    "publish": "live pages",
}
# Nice values: the book, which a newcomer reads first, has priority over class and live pages.
NICE = {"exercises": 0, "book": 0, "class": 5, "live": 10, "publish": 0}


def lanes(*, allow_unsafe: bool = False) -> tuple[Lane, ...]:
    """Return the lanes."""
    class_options = ["--allow-unsafe"] if allow_unsafe else []
    return (
        Lane("exercises", ("exercises",), lane_command("exercises")),
        Lane("book", ("first", "book"), lane_command("book")),
        Lane("class", ("class", "grading", "feedback", "report"), lane_command("class", class_options)),
        Lane("live", ("live",), lane_command("live")),
        Lane("publish", ("publish",), lane_command("publish")),
    )


def lane_order(course: Course) -> dict[str, tuple[str, ...]]:
    """Return for each lane the lanes that it waits for.

    The book shows the exercises and must not read incomplete files.
    """
    from autograder.release.freshness import are_exercises_fresh

    is_fresh = all(are_exercises_fresh(course, topic) for topic in course.topics())
    return {
        "class": ("exercises",),
        "book": () if is_fresh else ("exercises",),
        "publish": ("book", "live"),
    }


def run_exercises_lane(course: Course, reporter: Reporter) -> None:
    """Make the exercises of the public seed for the made-up class."""
    from autograder.first_run.class_steps import make_exercises

    with reporter.step("exercises") as step:
        step.note = make_exercises(course.demo, step)


def run_book_lane(course: Course, reporter: Reporter) -> None:
    """Build a site of the first chapters, then the whole book.

    An earlier book is served meanwhile.
    """
    from autograder.book.build import build_book
    from autograder.book.steps import BuildStep as BuildStep

    first = reporter.start("first")
    has_book = (course.root / "_build" / "html" / "index.html").is_file()
    if has_book:
        first.note = "an earlier build is there"
        first.end("done")
    with reporter.step("book") as step:

        def show(progress: BuildStep) -> None:
            step.set_progress(progress.done, progress.total)

        ready = None if has_book else lambda site: first.end("done")
        with ThreadPoolExecutor(1) as beside:  # cells run while packages are downloaded
            can_be_live = beside.submit(_can_be_live)
            build_book(course.root, live=can_be_live.result, progress=show, first_ready=ready)


def _can_be_live() -> bool:
    """Return whether live pages can be made here.

    The live lane reports the reason if not.
    """
    from autograder.book.live.publish import require_live

    try:
        require_live()
    except (LiveError, OSError):
        return False
    return True


def run_class_lane(course: Course, reporter: Reporter, *, allow_unsafe: bool = False) -> None:
    """Make the made-up class, its grades, feedback and reports."""
    from autograder.first_run import class_steps

    demo = course.demo
    with reporter.step("class") as step:
        step.note = class_steps.make_submissions(demo, step)
    with reporter.step("grading") as step:
        step.note = class_steps.grade_submissions(demo, step, allow_unsafe=allow_unsafe)
    with reporter.step("feedback") as step:
        step.note = class_steps.write_feedback_pages(demo, step)
    with reporter.step("report") as step:
        step.note = class_steps.write_class_reports(demo, step)


def run_live_lane(course: Course, reporter: Reporter) -> None:
    """Prepare Python for live pages."""
    from autograder.book.live.assets import live_assets

    with reporter.step("live") as step:
        step.note = _note_live(lambda: live_assets(course.root))


def run_publish_lane(course: Course, reporter: Reporter) -> None:
    """Copy Python for live pages into the built book."""
    from autograder.book.live.publish import is_site_live, publish_live_assets

    with reporter.step("publish") as step:
        if is_site_live(course.root):
            step.note = _note_live(lambda: publish_live_assets(course.root))
        else:
            step.note = "left out: the book was built without them"


def _note_live(work: Callable[[], object]) -> str:
    """Do work on live pages; return the reason if it is impossible.

    The book is complete without live pages.
    """
    try:
        work()
    except LiveError as error:
        return f"left out: {error}"
    return ""


def main(name: str, options: Sequence[str] = ()) -> int:
    """Run a lane. A failed step has already reported its reason."""
    end_with_parent()
    os.nice(NICE[name])
    pin_blas_kernels()
    try:
        _run(name, find_course(), Reporter(_own_standard_output()), allow_unsafe="--allow-unsafe" in options)
    except CourseError:
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not describe_machine_error(error):
            raise
        return 1
    return 0


def _run(name: str, course: Course, reporter: Reporter, *, allow_unsafe: bool) -> None:
    if name == "class":
        run_class_lane(course, reporter, allow_unsafe=allow_unsafe)
        return
    run = {
        "exercises": run_exercises_lane,
        "book": run_book_lane,
        "live": run_live_lane,
        "publish": run_publish_lane,
    }[name]
    run(course, reporter)


def _own_standard_output() -> TextIO:
    """Reserve standard output for events.

    All other output of this process goes to standard error.
    """
    events = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return events


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
