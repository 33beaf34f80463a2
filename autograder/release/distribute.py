"""Hand out exercises as archives, as folders or through nbgrader's exchange.

Each student can read only the own variant.
"""

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
from autograder.course.files import scratch_folder, write_bytes, write_changed_texts, write_text
from autograder.course.handout import read_handout
from autograder.course.people import known_students
from autograder.course.roster import Student
from autograder.course.tables import csv_text
from autograder.errors import CourseError
from autograder.grading.choose import load_assignment
from autograder.grading.gradescope import WHOLE_CLASS
from autograder.grading.nbgrader_release import release_to_exchange
from autograder.release.variant import addressed_texts


@dataclass(frozen=True)
class HandedOver:
    """The number of students with a variant, and the files' place."""

    topic: str
    students: int
    place: Path


def distribute(course: Course, topic: str, way: str) -> HandedOver:
    """Write the files for the class, replacing earlier ones of the topic."""
    load_assignment(course, topic)  # says what to run when there is nothing to hand out
    students = _students(course, topic)
    refresh_addresses(course, topic)
    place = _to_exchange(course, topic, students) if way == "exchange" else _to_files(course, topic, way)
    return HandedOver(topic, len(students), place)


def refresh_addresses(course: Course, topic: str) -> None:
    """Update links to the address where the book is published now.

    Nothing is regenerated.
    """
    for student in [None, *_students(course, topic)]:
        folder = course.paths.release(topic, student)
        names = (f"{topic}.ipynb", f"{topic}.key.json")
        texts = {name: (folder / name).read_text("utf-8") for name in names if (folder / name).is_file()}
        write_changed_texts(folder, addressed_texts(course, texts))


def _students(course: Course, topic: str) -> list[str]:
    handout = read_handout(course, topic)
    return sorted(handout.students) if handout else []


def _files(course: Course, topic: str, student: str | None) -> Iterator[Path]:
    """Return the files that one student gets."""
    folder = course.paths.release(topic, student)
    return (path for path in sorted(folder.iterdir()) if path.is_file())


def _to_files(course: Course, topic: str, way: str) -> Path:
    """Write an archive or folder for each student and the class."""
    target = course.paths.handed_out / topic / way
    with scratch_folder(target.with_name(f"{way}.tmp")) as folder:
        for student in [*_students(course, topic), None]:
            name = student or WHOLE_CLASS
            if way == "zips":
                write_bytes(folder / f"{name}.zip", _archive(course, topic, student))
            else:
                for path in _files(course, topic, student):
                    write_bytes(folder / name / topic / path.name, path.read_bytes())
        write_text(folder / "list.csv", _mail_merge_text(course, topic, way))
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(folder, target)
    return target


def _archive(course: Course, topic: str, student: str | None) -> bytes:
    """Zip a student's files reproducibly."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in _files(course, topic, student):
            entry = zipfile.ZipInfo(f"{topic}/{path.name}")
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _mail_merge_text(course: Course, topic: str, way: str) -> str:
    """Return a CSV table of students and their files."""
    known = known_students(course)
    rows = []
    for folder in _students(course, topic):
        student = known.get(folder) or Student(folder, folder)
        file = f"{folder}.zip" if way == "zips" else folder
        rows.append([student.id, student.shown, student.email, student.section, file])
    return csv_text(["id", "name", "email", "section", "file"], rows)


def _to_exchange(course: Course, topic: str, students: list[str]) -> Path:
    """Release the class's variant by nbgrader, and personal variants beside it.

    Each personal variant is readable by one account only.
    """
    accounts = {student: _account_number(student) for student in students}
    release_to_exchange(course, topic)
    folder = course.exchange / str(course.settings["course_id"])
    if not students:
        return folder / "outbound" / topic
    variants = _transit_folder(folder / "own")
    for student, account in accounts.items():
        _give_to_account(
            list(_files(course, topic, student)), _transit_folder(variants / student) / topic, account
        )
    return variants


def _transit_folder(folder: Path) -> Path:
    """Create a folder that everyone may enter and only we may list.

    Students own the folders inside and could replace them by links, so root writes nothing into those.
    """
    if folder.is_symlink():
        raise CourseError(f"{folder} is a link, which this did not make: remove it")
    folder.mkdir(parents=True, exist_ok=True)
    os.chown(folder, os.geteuid(), -1, follow_symlinks=False)
    folder.chmod(0o711)
    return folder


def _account_number(student: str) -> int:
    """Return the numeric id of the student's account.

    Only root may give a folder to another account.
    """
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


def _give_to_account(files: list[Path], target: Path, account: int) -> None:
    """Fill a new folder, give it away and replace the old one.

    Nobody else can write into the new folder while it is filled.
    """
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
