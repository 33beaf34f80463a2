"""A class of the tiny course in which every student has a variant of their own, under ids as they occur."""

import atexit
import functools
import json

import nbformat

from autograder.course.roster import Student, folder_name
from autograder.demo import filled_in
from autograder.release.regenerate import ReleaseRequest, check_release_allowed, regenerate
from autograder.release.workers import SerialWorkers
from autograder.sandbox.fork_server_client import ForkServerClient
from tests.grading.small_class import TOPIC

IDS = ("ada", "bob", "a/b", "../../keys", 'Zoë "the" %2F', "x" * 300)
ADA, BOB = "ada", "bob"


def students(*ids):
    return tuple(Student(name, folder_name(name)) for name in ids)


def give(course, *ids, seed="one", answers=True):
    """Make and write the variants of these students; no ids: one variant for the class."""
    with_known_secret(course)
    request = ReleaseRequest(seed, students(*ids), answers)
    check_release_allowed(course, TOPIC, request)
    return regenerate(course, TOPIC, request, hands(course), lambda: None)


def with_known_secret(course):
    """Under a secret of its own, a course would now and then give two students the same small numbers."""
    path = course.classroom / "course.secret"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("of the tests\n", "ascii")


def hands(course):
    """VariantWorkers with the one nursery of this test run."""
    return SerialWorkers((course.root, course.room), course.secret(), warm())


@functools.cache
def warm():
    nursery = ForkServerClient(allow_unsafe=True)
    atexit.register(nursery.close)
    return nursery


def solved(course, folder, **answers):
    """A student's own notebook, solved for its own numbers, but for the answers given."""
    release = nbformat.read(course.paths.release(TOPIC, folder) / f"{TOPIC}.ipynb", as_version=4)
    answer = nbformat.read(course.paths.answers(TOPIC, folder) / f"{TOPIC}.ipynb", as_version=4)
    return filled_in(release, answer, answers)


def hand_in_own(course, folder, notebook=None):
    """Hand in under this folder: the student's own notebook, solved, if no other is given."""
    path = course.paths.submission(folder, TOPIC)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook if notebook is not None else solved(course, folder)), "utf-8")


def everything(course):
    """Every file of the classroom but nbgrader's database and log, by path."""
    return {
        str(path.relative_to(course.classroom)): path.read_bytes()
        for path in sorted(course.classroom.rglob("*"))
        if path.is_file() and path.suffix not in (".db", ".log")
    }
