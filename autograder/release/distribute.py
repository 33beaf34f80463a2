"""Hand exercises out: an archive or a folder for each student, or nbgrader's exchange; each sees only their own."""

import io
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course.course import Course
from autograder.course.files import emptied_afterwards, write_bytes, write_text
from autograder.course.handout import read_handout
from autograder.course.people import people
from autograder.course.roster import Student
from autograder.course.tables import csv_text
from autograder.errors import CourseError
from autograder.grading.choose import load_assignment
from autograder.grading.gradebook import release_to_exchange

CLASS = "everyone"


@dataclass(frozen=True)
class HandedOver:
    """What was made of one topic: how many students have a variant of their own, and where it lies."""

    topic: str
    students: int
    place: Path


def distribute(course: Course, topic: str, way: str) -> HandedOver:
    """Make what the class is given; earlier archives and folders of the topic are replaced as a whole."""
    load_assignment(course, topic)  # says what to run when there is nothing to hand out
    students = _students(course, topic)
    place = _to_exchange(course, topic, students) if way == "exchange" else _to_files(course, topic, way)
    return HandedOver(topic, len(students), place)


def _students(course: Course, topic: str) -> list[str]:
    handout = read_handout(course, topic)
    return sorted(handout.students) if handout else []


def _files(course: Course, topic: str, student: str | None) -> Iterator[Path]:
    """What one student gets."""
    folder = course.places.release(topic, student)
    return (path for path in sorted(folder.iterdir()) if path.is_file())


def _to_files(course: Course, topic: str, way: str) -> Path:
    """Archives or folders, one for each student, and one for whoever has no variant of their own."""
    target = course.places.handed_out / topic / way
    with emptied_afterwards(target.with_name(f"{way}.tmp")) as made:
        for student in [*_students(course, topic), None]:
            name = student or CLASS
            if way == "zips":
                write_bytes(made / f"{name}.zip", _archive(course, topic, student))
            else:
                for path in _files(course, topic, student):
                    write_bytes(made / name / topic / path.name, path.read_bytes())
        write_text(made / "list.csv", _list(course, topic, way))
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(made, target)
    return target


def _archive(course: Course, topic: str, student: str | None) -> bytes:
    """The same bytes for the same files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in _files(course, topic, student):
            entry = zipfile.ZipInfo(f"{topic}/{path.name}")
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _list(course: Course, topic: str, way: str) -> str:
    """Who gets which file, for a mail merge."""
    known = people(course)
    rows = []
    for folder in _students(course, topic):
        one = known.get(folder) or Student(folder, folder)
        file = f"{folder}.zip" if way == "zips" else folder
        rows.append([one.id, one.shown, one.email, one.section, file])
    return csv_text(["id", "name", "email", "section", "file"], rows)


def _to_exchange(course: Course, topic: str, students: list[str]) -> Path:
    """The class's variant by nbgrader's own release; own variants beside it, each readable by one account only."""
    accounts = {student: _account(student) for student in students}
    release_to_exchange(course, topic)
    folder = course.exchange / str(course.settings["course_id"])
    if not students:
        return folder / "outbound" / topic
    own = _passage(folder / "own")
    for student, account in accounts.items():
        _give(list(_files(course, topic, student)), _passage(own / student) / topic, account)
    return own


def _passage(folder: Path) -> Path:
    """A folder of ours that everyone may pass through and nobody list: what is in it was put there by us.

    Students own what is given to them, and could put a link there; so root never writes into what they own.
    """
    if folder.is_symlink():
        raise CourseError(f"{folder} is a link, which this did not make: remove it")
    folder.mkdir(parents=True, exist_ok=True)
    os.chown(folder, os.geteuid(), -1, follow_symlinks=False)
    folder.chmod(0o711)
    return folder


def _account(student: str) -> int:
    """The number of the student's account: who owns a folder is decided by the administrator alone."""
    if sys.platform == "win32" or os.geteuid() != 0:
        raise CourseError(
            "own variants go through the exchange only when root gives each student's folder to its owner: "
            "run this with sudo, or hand out archives with --to zips"
        )
    import pwd

    try:
        return pwd.getpwnam(student).pw_uid
    except KeyError:
        raise CourseError(
            f"{student!r} has no account on this machine: hand out archives with --to zips"
        ) from None


def _give(files: list[Path], target: Path, account: int) -> None:
    """Fill a new folder while it is ours alone, give it to its owner, and put it in the place of the old one."""
    new = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    for path in files:
        shutil.copyfile(path, new / path.name)
        (new / path.name).chmod(0o400)
        os.chown(new / path.name, account, -1)
    new.chmod(0o500)
    os.chown(new, account, -1)
    if target.is_symlink() or target.is_file():
        target.unlink()
    shutil.rmtree(target, ignore_errors=True)
    new.rename(target)
