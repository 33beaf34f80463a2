"""Compare the submissions of a topic with the class list."""

import unicodedata
from dataclasses import dataclass

from autograder.course.course import Course
from autograder.course.people import known_students
from autograder.course.roster import Student

MAX_ABSENT_NAMES = 10


@dataclass(frozen=True)
class Attendance:
    """Listed students without a submission, and submissions of unlisted students."""

    absent: tuple[Student, ...] = ()
    strangers: tuple[str, ...] = ()
    n_listed: int = 0

    def describe(self) -> list[str]:
        """Return a line for absent and a line for unlisted students."""
        lines = []
        if self.absent:
            names = _join_names([student.folder for student in self.absent])
            lines.append(f"no hand-in from {len(self.absent)} of {self.n_listed} on the class list: {names}")
        if self.strangers:
            lines.append(f"not on the class list, but graded: {_join_names(list(self.strangers))}")
        return lines


def _join_names(names: list[str]) -> str:
    return ", ".join(names[:MAX_ABSENT_NAMES]) + (
        f" and {len(names) - MAX_ABSENT_NAMES} more" if len(names) > MAX_ABSENT_NAMES else ""
    )


def expected_students(course: Course, topic: str) -> dict[str, Student]:
    """Return the students of the class list who should hand in a topic, by folder.

    Those who have left should not, and a retake is for those who lost points.
    """
    composition = course.composition(topic)
    takers = composition.own_forms if composition and composition.retake_of else None
    return {
        folder: student
        for folder, student in known_students(course).items()
        if not student.has_left and (takers is None or folder in takers)
    }


def attendance(course: Course, topic: str, section: str = "") -> Attendance:
    """Compare the submissions with the class list or a section of it.

    `strangers` is empty for a section, because an unlisted student has no section.
    """
    listed = known_students(course)
    if not listed:
        return Attendance()
    present = {unicodedata.normalize("NFC", folder) for folder in course.paths.students_with(topic)}
    expected = expected_students(course, topic)
    members = {
        folder: student
        for folder, student in listed.items()
        if section in ("", student.section) and (folder in present or folder in expected)
    }
    absent = tuple(student for folder, student in sorted(members.items()) if folder not in present)
    strangers = () if section else tuple(sorted(present - listed.keys()))
    return Attendance(absent, strangers, len(members))
