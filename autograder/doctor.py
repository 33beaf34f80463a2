"""`dimred doctor`: look at machine, course and classroom, and say in words what is wrong and how to mend it.

Each look is a function that yields findings; a new one is added to the list of its kind. A look that fails itself is a
finding, too.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from autograder.book import pdf as book_pdf
from autograder.course import contents
from autograder.course.course import Course
from autograder.course.settings import is_local
from autograder.errors import CourseError

PACKAGES = ("numpy", "scipy", "sympy", "nbgrader", "jupytext", "jupyter-book")
FREE = 2e9  # bytes
State = Literal["good", "look", "bad"]


@dataclass(frozen=True)
class Finding:
    """What a look found, and what mends it."""

    state: State
    what: str
    mend: str = ""

    def __str__(self) -> str:
        """One line, or two if something is to be done."""
        sign = {"good": "ok ", "look": "?? ", "bad": "!! "}[self.state]
        return f"{sign} {self.what}" + (f"\n     → {self.mend}" if self.mend else "")


Findings = Iterator[Finding]


def examine(course: Course) -> Findings:
    """Everything that can be looked at, one finding after the other."""
    for look in (*MACHINE, *COURSE, *CLASSROOM):
        yield from _fenced(look, course)


def _fenced(look: Callable[[Course], Findings], course: Course) -> Findings:
    try:
        yield from look(course)
    except CourseError as error:
        yield Finding("bad", str(error))
    except Exception as error:
        yield Finding("bad", f"{look.__name__.strip('_').replace('_', ' ')}: {type(error).__name__}: {error}")


def _python(course: Course) -> Findings:
    yield Finding("good", f"Python {sys.version.split()[0]} on {sys.platform}, {os.cpu_count()} cores")
    for name in PACKAGES:
        try:
            yield Finding("good", f"{name} {version(name)}")
        except PackageNotFoundError:
            yield Finding(
                "bad", f"{name} is not installed", "run `make setup`, or activate the course's environment"
            )


def _walls(course: Course) -> Findings:
    from autograder.grading.workers import describe
    from autograder.sandbox.nursery import Nursery

    with Nursery(trusted=True) as nursery:
        if nursery.protections.missing:
            missing = "; ".join(nursery.protections.missing)
            yield Finding(
                "bad",
                f"students' code cannot be confined here: {missing}",
                "grade on Linux with user namespaces (in a container: allow them), or in a throw-away machine "
                "with --allow-unsafe",
            )
        else:
            yield Finding("good", f"students' code runs with {describe(nursery)}")


def _disk(course: Course) -> Findings:
    free = shutil.disk_usage(course.root).free
    if free < FREE:
        yield Finding(
            "bad", f"{free / 1e9:.1f} GB of disk are free", "make room: a class of 300 takes about 1 GB"
        )
    else:
        yield Finding("good", f"{free / 1e9:.0f} GB of disk are free")


def _chromium(course: Course) -> Findings:
    if book_pdf.chromium():
        yield Finding("good", "Chromium is there: the book can be printed as a PDF")
    else:
        yield Finding(
            "look", "no Chromium was found", "only `dimred book --pdf` needs it: apt-get install chromium"
        )


def _pages(course: Course) -> Findings:
    missing = [
        entry for entry in contents.entries(course.root) if not (course.root / f"{entry}.md").is_file()
    ]
    generated = [entry for entry in missing if "exercises" in entry or "assignment" in entry]
    for entry in sorted(set(missing) - set(generated)):
        yield Finding("bad", f"_toc.yml names {entry}, which is no page", "write it, or take its line away")
    yield Finding("good", f"{len(course.topics())} topics with exercises")


def _tasks(course: Course) -> Findings:
    from autograder.authoring.topic import load_tasks

    number = 0
    for topic in course.topics():
        try:
            number += len(load_tasks(course, topic))
        except CourseError as error:
            yield Finding("bad", str(error), "mend that file")
    yield Finding("good", f"{number} tasks can be read")


def _address(course: Course) -> Findings:
    address = str(course.settings["book_url"])
    if is_local(address):
        yield Finding(
            "look",
            f"links in exercises lead to {address or 'nowhere'}",
            "set book_url in course.toml to where students read the book, before you release",
        )
    else:
        yield Finding("good", f"links in exercises lead to {address}")


def _due(course: Course) -> Findings:
    """A misspelt topic has no due date, and nobody would be late."""
    for topic in sorted(course.settings["due"].keys() - set(course.topics())):
        yield Finding(
            "bad", f"[due] in course.toml names {topic}, which is no topic", "spell it as in solutions/"
        )


def _secret(course: Course) -> Findings:
    path = course.places.secret_word
    if not path.is_file():
        yield Finding(
            "look", "nothing was released yet", "`dimred regenerate --seed …` makes a term's exercises"
        )
        return
    if path.stat().st_mode & 0o077:
        yield Finding(
            "bad", f"others can read {path.name}, from which secret cases follow", f"chmod 600 {path}"
        )
    else:
        yield Finding("good", "the course's secret word is yours alone")


def _releases(course: Course) -> Findings:
    from autograder.grading.choose import load_assignments

    for topic in course.topics():
        if course.places.release(topic).is_dir():
            try:
                load_assignments(course, topic)
            except CourseError as error:
                yield Finding("bad", str(error))


def _submissions(course: Course) -> Findings:
    from autograder.grading.grade import unknown_submissions
    from autograder.grading.outcome import outcome_path

    for unknown in unknown_submissions(course):
        yield Finding("look", f"submitted/{unknown} belongs to no assignment", "rename it, or take it away")
    for loose in course.places.loose_notebooks():
        yield Finding(
            "look",
            f"submitted/{loose} is not graded",
            "it belongs into submitted/<student>/<topic>/<topic>.ipynb",
        )
    for topic in course.topics():
        students = course.places.students_with(topic)
        new = [one for one in students if not outcome_path(course, topic, one).is_file()]
        if new:
            yield Finding(
                "look", f"{topic}: {len(new)} submissions are not graded", f"`dimred grade {topic}`"
            )
        elif students:
            yield Finding("good", f"{topic}: {len(students)} submissions, all graded")


def _gradebook(course: Course) -> Findings:
    from autograder.grading import audit

    for topic in course.topics():
        if audit.has_log(course, topic):
            try:
                entries = audit.entries_of(course, topic)
            except CourseError as error:
                yield Finding("bad", str(error))
                continue
            if unsigned := audit.describe_unsigned(course, topic):
                yield Finding(
                    "look", f"{topic}: {unsigned}", "nothing proves that they are as they were written"
                )
            logged, now = audit.replayed(entries), audit.scores_now(course, topic)
            if logged and not now:
                yield Finding("bad", str(audit.lost(topic, logged)))
                continue
            same = logged == now
            mend = "" if same else f"`dimred audit {topic}` writes down what changed in formgrader since"
            said = f"{topic}: the log of {len(entries)} changes {'gives' if same else 'does not give'} the scores"
            yield Finding("good" if same else "look", said, mend)


def _exchange(course: Course) -> Findings:
    """Only where the course names one: without accounts on this machine nobody needs it."""
    if not course.settings["exchange"]:
        return
    folder = course.exchange.resolve()
    closed = [one for one in folder.parents if not one.stat().st_mode & 0o001]
    if not folder.is_dir():
        yield Finding("bad", f"the exchange {folder} is not there", f"mkdir -m 1777 {folder}")
    elif folder.stat().st_mode & 0o007 != 0o007:
        yield Finding("bad", f"students may not write in the exchange {folder}", f"chmod 1777 {folder}")
    elif closed:
        yield Finding(
            "bad",
            f"students cannot reach the exchange: {closed[0]} is closed",
            "set `exchange` in course.toml to a folder elsewhere",
        )
    else:
        yield Finding("good", f"the exchange {folder} is open to all accounts")


MACHINE = (_python, _walls, _disk, _chromium)
COURSE = (_pages, _tasks, _address, _due, _exchange)
CLASSROOM = (_secret, _releases, _submissions, _gradebook)
