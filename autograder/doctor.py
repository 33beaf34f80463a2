"""Checks of `dimred doctor`: find problems of machine, course and classroom.

Each check is a function that yields findings. Add a new one to MACHINE, COURSE or CLASSROOM. A check that raises an
exception yields a finding, too.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distributions, version
from typing import Literal

from autograder.book import pdf as book_pdf
from autograder.course import contents
from autograder.course.course import Course
from autograder.course.faults import find_faults, find_remarks
from autograder.course.overlay import read_merge_record
from autograder.course.package import require_engine
from autograder.course.roster import read_roster
from autograder.course.settings import is_local
from autograder.errors import CourseError
from autograder.program import ENGINE, program_name

PACKAGES = ("numpy", "scipy", "sympy", "nbgrader", "jupytext", "jupyter-book")
FOREIGN_PROJECT = "autograder"
MIN_FREE_BYTES = 2e9  # twice the size of a class of 300
FindingState = Literal["good", "look", "bad"]


@dataclass(frozen=True)
class Finding:
    """Result of a check, and how to fix it."""

    state: FindingState
    what: str
    fix: str = ""

    def __str__(self) -> str:
        """Return one line, or two if there is something to do."""
        sign = {"good": "ok ", "look": "?? ", "bad": "!! "}[self.state]
        return f"{sign} {self.what}" + (f"\n     → {self.fix}" if self.fix else "")


Findings = Iterator[Finding]


def run_checks(course: Course) -> Findings:
    """Run all checks; skip those of course and classroom if the settings are invalid."""
    for look in MACHINE:
        yield from _run_safely(look, course)
    try:
        require_engine(course)
    except CourseError as error:
        yield Finding(
            "bad",
            str(error),
            f"fix that line and run `{program_name()} doctor` again: the course is not checked yet",
        )
        return
    for look in (*COURSE, *CLASSROOM):
        yield from _run_safely(look, course)


def _run_safely(look: Callable[[Course], Findings], course: Course) -> Findings:
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


def _foreign_package(course: Course) -> Findings:
    """Report PyPI's project autograder, which overwrites files of this engine."""
    if any(distributions(name=FOREIGN_PROJECT)):
        yield Finding(
            "bad",
            f"the project {FOREIGN_PROJECT} of PyPI is installed in the place of this engine",
            f"python -m pip uninstall --yes {FOREIGN_PROJECT}, then install {ENGINE} again",
        )


def _walls(course: Course) -> Findings:
    from autograder.grading.workers import describe_protections
    from autograder.sandbox.fork_server_client import ForkServerClient

    with ForkServerClient(trusted=True) as nursery:
        if nursery.protections.missing:
            missing = "; ".join(nursery.protections.missing)
            yield Finding(
                "bad",
                f"students' code cannot be confined here: {missing}",
                "grade on Linux with user namespaces (in a container: allow them), or in a throw-away machine "
                "with --allow-unsafe",
            )
        else:
            yield Finding("good", f"students' code runs with {describe_protections(nursery)}")


def _disk(course: Course) -> Findings:
    free = shutil.disk_usage(course.root).free
    if free < MIN_FREE_BYTES:
        yield Finding(
            "bad", f"{free / 1e9:.1f} GB of disk are free", "free some space: a class of 300 takes about 1 GB"
        )
    else:
        yield Finding("good", f"{free / 1e9:.0f} GB of disk are free")


def _chromium(course: Course) -> Findings:
    if book_pdf.chromium():
        yield Finding("good", "Chromium is there: the book can be printed as a PDF")
    else:
        yield Finding(
            "look",
            "no Chromium was found",
            f"only `{program_name()} book --pdf` needs it: apt-get install chromium",
        )


def _pages(course: Course) -> Findings:
    missing = [
        entry
        for entry in contents.contents_entries(course.root)
        if not (course.root / f"{entry}.md").is_file()
    ]
    generated = [entry for entry in missing if "exercises" in entry or "assignment" in entry]
    for entry in sorted(set(missing) - set(generated)):
        yield Finding(
            "bad", f"_toc.yml names {entry}, which is no page", "write that page, or remove its line"
        )
    yield Finding("good", f"{len(course.topics())} topics with exercises")


def _base(course: Course) -> Findings:
    """Name the base of an overlay, and how much differs from it."""
    if course.is_overlay:
        record = read_merge_record(course.root)
        files = len(record["differences"])
        yield Finding("good", f"the course is {record['base']}, with {files} files of your own")


def _tasks(course: Course) -> Findings:
    from autograder.authoring.topic import load_tasks

    number = 0
    for topic in course.topics():
        try:
            number += len(load_tasks(course, topic))
        except CourseError as error:
            yield Finding("bad", str(error), "fix that file")
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
    """Find due dates of unknown topics, which would have no effect."""
    for topic in sorted(course.settings["due"].keys() - set(course.assignments())):
        yield Finding(
            "bad", f"[due] in course.toml names {topic}, which is no topic", "spell it as in solutions/"
        )


def _time_zone(course: Course) -> Findings:
    """Find due dates whose offset is not that of the course's zone.

    Times of learning platforms have no offset: in another zone, they would be hours too early or too late.
    """
    from autograder.grading.late import with_course_zone

    for topic, due in course.settings["due"].items():
        local = with_course_zone(course, due.replace(tzinfo=None))
        if due.utcoffset() and due.utcoffset() != local.utcoffset():
            zone = course.settings["time_zone"] or "this machine"
            yield Finding(
                "look",
                f"{topic} is due at {due.isoformat()}, but {zone} has the offset {local.isoformat()[-6:]} on that "
                "day, and times of Moodle, Blackboard and Brightspace are read with it",
                'set time_zone in course.toml to the zone of your platform, such as "Europe/Berlin"',
            )
            return


def _secret(course: Course) -> Findings:
    path = course.paths.secret_word
    if not path.is_file():
        yield Finding(
            "look",
            "nothing was released yet",
            f"`{program_name()} regenerate --seed …` makes a term's exercises",
        )
        return
    if path.stat().st_mode & (0o007 if course.settings["group"] else 0o077):
        yield Finding(
            "bad", f"others can read {path.name}, from which secret cases follow", f"chmod 600 {path}"
        )
    else:
        yield Finding("good", "the course's secret word is yours alone")


def _releases(course: Course) -> Findings:
    from autograder.grading.choose import load_assignments

    for topic in course.assignments():
        if course.paths.release(topic).is_dir():
            try:
                load_assignments(course, topic)
            except CourseError as error:
                yield Finding("bad", str(error))


def _numbers(course: Course) -> Findings:
    """Find releases that use the public seed, because --seed was forgotten."""
    from autograder.release.regenerate import is_public_release

    public = [topic for topic in course.topics() if is_public_release(course, topic)]
    if public and not course.is_demo:
        yield Finding(
            "look",
            f"the class's release has the public numbers, whose answers anybody can compute: {', '.join(public)}",
            f"before you hand out: `{program_name()} regenerate --seed WORD TOPIC`",
        )


def _submissions(course: Course) -> Findings:
    from autograder.grading.hand_in import unknown_submissions
    from autograder.grading.outcome import outcome_path

    for unknown in unknown_submissions(course):
        yield Finding("look", f"submitted/{unknown} belongs to no assignment", "rename it, or remove it")
    for loose in course.paths.loose_notebooks():
        yield Finding(
            "look",
            f"submitted/{loose} is not graded",
            "move it to submitted/<student>/<topic>/<topic>.ipynb",
        )
    for topic in course.assignments():
        students = course.paths.students_with(topic)
        new = [student for student in students if not outcome_path(course, topic, student).is_file()]
        if new:
            yield Finding(
                "look", f"{topic}: {len(new)} submissions are not graded", f"`{program_name()} grade {topic}`"
            )
        elif students:
            yield Finding("good", f"{topic}: {len(students)} submissions, all graded")


def _gradebook(course: Course) -> Findings:
    from autograder.grading import audit

    for topic in course.assignments():
        if audit.has_log(course, topic):
            try:
                entries = audit.log_entries(course, topic)
            except CourseError as error:
                yield Finding("bad", str(error))
                continue
            if unsigned := audit.describe_unsigned(course, topic):
                yield Finding(
                    "look", f"{topic}: {unsigned}", "they have no signature: edits of them may go unnoticed"
                )
            logged, now = audit.replay(entries), audit.scores_now(course, topic)
            if logged and not now:
                yield Finding("bad", str(audit.missing_scores_error(topic, logged)))
                continue
            is_same = logged == now
            fix = (
                ""
                if is_same
                else f"`{program_name()} audit {topic}` logs the changes made in formgrader since"
            )
            verb = "gives" if is_same else "does not give"
            description = f"{topic}: the log of {len(entries)} changes {verb} the scores"
            yield Finding("good" if is_same else "look", description, fix)


def _class_lists(course: Course) -> Findings:
    """Find class lists in the course's folder that git would publish."""
    if not (course.home / ".git").exists() or not shutil.which("git"):
        return
    for path in sorted(course.home.glob("*.csv")):
        try:
            number = len(read_roster(path))
        except CourseError:
            continue
        command = ["git", "check-ignore", "--quiet", "--no-index", path.name]
        is_tracked = subprocess.run(
            ["git", "ls-files", "--error-unmatch", path.name],
            cwd=course.home,
            capture_output=True,
            check=False,
        )
        is_ignored = subprocess.run(command, cwd=course.home, capture_output=True, check=False)
        if is_tracked.returncode == 0:
            yield Finding(
                "bad", f"{path.name} names {number} students and is in git", f"git rm --cached {path.name}"
            )
        elif is_ignored.returncode != 0:
            yield Finding(
                "bad",
                f"git would publish {path.name}, which names {number} students",
                f"write the line /{path.name} into .gitignore",
            )


def _roles(course: Course) -> Findings:
    """Report owner, graders and group, if the settings name any."""
    owner, group = str(course.settings["owner"]), str(course.settings["group"])
    graders = ", ".join(course.settings["graders"])
    if graders and not group:
        yield Finding(
            "look",
            f"{graders} cannot read the classroom",
            "set group in course.toml to a group of all of you",
        )
    elif owner:
        yield Finding("good", f"owner {owner}, graders {graders or 'none'}, group {group or 'none'}")


def _exchange(course: Course) -> Findings:
    """Check the exchange folder, if the setting `exchange` names one."""
    if not course.settings["exchange"]:
        return
    folder = course.exchange.resolve()
    closed = [parent for parent in folder.parents if not parent.stat().st_mode & 0o001]
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


def _parts(course: Course) -> Findings:
    """Report parts of the course that do not fit together."""
    for fault in find_faults(course):
        yield Finding("bad", fault)
    for remark in find_remarks(course):
        yield Finding("look", remark)


MACHINE = (_python, _foreign_package, _walls, _disk, _chromium)
COURSE = (_parts, _base, _pages, _tasks, _address, _due, _time_zone, _class_lists, _roles, _exchange)
CLASSROOM = (_secret, _releases, _numbers, _submissions, _gradebook)
