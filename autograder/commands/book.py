"""The verbs `course`, `book` and `practice`."""

import argparse
import contextlib
import os
from collections.abc import Callable
from typing import Any

from autograder.commands.common import AddVerb, add_port, add_topics, add_verbose
from autograder.course.course import Course
from autograder.course.settings import FROM_ENVIRONMENT, require_public
from autograder.terminal import print


def add_verbs(verb: AddVerb) -> None:
    """Add the verbs of this module."""
    parser = verb("book", book)
    parser.add_argument("--serve", action="store_true", help="show it on a local port")
    parser.add_argument("--pdf", action="store_true", help="print the whole book as a PDF")
    parser.add_argument("--publish", action="store_true", help="fail if book_url is a local address")
    parser.add_argument(
        "--url", metavar="ADDRESS", help="publish at this address (default: book_url of course.toml)"
    )
    parser.add_argument("--live", action="store_true", help="make cells run in the browser")
    add_port(parser)
    parser = verb("course", everything)
    parser.add_argument("--no-serve", dest="serve", action="store_false", help="stop when everything is made")
    parser.add_argument(
        "--allow-unsafe", action="store_true", help="grade although programs cannot be confined here"
    )
    add_verbose(parser, "print the output of the steps instead of writing it to _build/course.log")
    add_port(parser)
    add_topics(verb("practice", run_practice))


def book(course: Course, options: argparse.Namespace) -> None:
    """Build the book of the course.

    --live lets its cells run in the page, --serve shows it, --pdf prints it.
    """
    from autograder.book.build import build_book

    if options.url:
        os.environ[FROM_ENVIRONMENT["book_url"]] = options.url
        course = Course(course.root)
    if options.publish or options.url:
        require_public(str(course.settings["book_url"]))
    with contextlib.ExitStack() as bars:
        built = build_book(course.root, pdf=options.pdf, live=options.live, progress=_show_build(bars))
    print(f"built {course.short(built)}")
    if options.serve:
        from autograder.book.serve import serve_folders

        serve_folders(course, options.port, print)


def _show_build(bars: contextlib.ExitStack) -> Callable[[object], None]:
    """Return a function that shows build steps as a bar and lines."""
    from autograder.progress import progress

    advance: list[Callable[[], None]] = []
    n_shown = 0

    def show(step: Any) -> None:
        nonlocal n_shown
        if not step.total:
            print(step)
            return
        if not advance:
            advance.append(bars.enter_context(progress(step.total, "running pages", "page")))
        for _ in range(step.done - n_shown):
            advance[0]()
        n_shown = max(n_shown, step.done)

    return show


def everything(course: Course, options: argparse.Namespace) -> None:
    """Build the book, make exercises, grade a made-up class and serve everything."""
    from autograder.first_run.course_run import run_course

    run_course(course, options.port if options.serve else None, options.verbose, options.allow_unsafe)


def run_practice(course: Course, options: argparse.Namespace) -> None:
    """Make the practice problems of the book.

    They are certified variants of every hand task, and the quick questions.
    """
    from autograder.release.practice import is_practice_fresh, write_practice

    for topic in course.require_topics(options.topics):
        if is_practice_fresh(course, topic):
            print(f"{topic}: practice problems are up to date")
            continue
        for task, number in write_practice(course, topic):
            print(f"{task}: {number} variants to practise on")
