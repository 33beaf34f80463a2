"""The people of the roster in nbgrader's gradebook, so that formgrader and exports show their names."""

from collections.abc import Iterable

from autograder.course.course import Course
from autograder.course.people import keep_people
from autograder.course.roster import Student
from autograder.errors import CourseError
from autograder.grading.gradebook import open_gradebook

MAX_CHARACTERS = (
    128  # of ids, names and addresses in nbgrader's tables; a file takes more, a database server does not
)


def enrol(course: Course, students: Iterable[Student]) -> None:
    """Keep who they are, here and in the gradebook; scores stay as they are."""
    students = list(students)
    for student in students:
        if len(student.folder) > MAX_CHARACTERS:
            raise CourseError(
                f"the id {student.id[:40]!r}… has {len(student.folder)} characters as the name of a folder: "
                f"nbgrader's gradebook takes at most {MAX_CHARACTERS}"
            )
    keep_people(course, students)
    with open_gradebook(course) as gradebook:
        commit = gradebook.db.commit
        gradebook.db.commit = (
            gradebook.db.flush
        )  # nbgrader commits each: a large class would wait for the disk
        for one in students:
            known = {"first_name": one.first_name, "last_name": one.last_name or one.name, "email": one.email}
            gradebook.update_or_create_student(
                one.folder,
                lms_user_id=one.id,
                **{name: text[:MAX_CHARACTERS] for name, text in known.items() if text},
            )
        commit()
