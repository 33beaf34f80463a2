"""Enter the students of the roster into nbgrader's gradebook.

Formgrader and exports then show their names.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.course.identity import ListComparison, compare_lists
from autograder.course.people import known_students, restore_earlier, save_students
from autograder.course.roster import ColumnChoice, Student, read_roster
from autograder.errors import CourseError
from autograder.grading.download_words import shorten_list
from autograder.grading.gradebook_tables import open_gradebook

# Width of the columns for ids, names and addresses in nbgrader's tables. SQLite accepts more, other servers do not.
MAX_ID_CHARACTERS = 128


def enrol(course: Course, students: Iterable[Student], left: Iterable[Student] = ()) -> None:
    """Save the students in the classroom and the gradebook; keep their scores.

    `left` are known students who have left the class.
    """
    students = list(students)
    for student in students:
        if len(student.folder) > MAX_ID_CHARACTERS:
            raise CourseError(
                f"the id {student.id[:40]!r}… has {len(student.folder)} characters as the name of a folder: "
                f"nbgrader's gradebook takes at most {MAX_ID_CHARACTERS}"
            )
    save_students(course, students, left)
    enrol_in_gradebook(course, students)


def enrol_in_gradebook(course: Course, students: Iterable[Student]) -> None:
    """Write names and addresses into nbgrader's gradebook."""
    with open_gradebook(course) as gradebook:
        commit = gradebook.db.commit
        # nbgrader commits after each student, which is slow for a large class
        gradebook.db.commit = gradebook.db.flush
        for student in students:
            known = {
                "first_name": student.first_name,
                "last_name": student.last_name or student.name,
                "email": student.email,
            }
            gradebook.update_or_create_student(
                student.folder,
                lms_user_id=student.id,
                **{name: text[:MAX_ID_CHARACTERS] for name, text in known.items() if text},
            )
        commit()


def compare_with_class(course: Course, path: Path, choice: ColumnChoice) -> ListComparison:
    """Read a class list and compare it with the known class.

    Write nothing.
    """
    return compare_lists(read_roster(path, choice=choice), known_students(course))


def describe_changes(comparison: ListComparison) -> Iterator[str]:
    """Yield the lines of a table of a list's changes.

    The rows are new students, changed names and ids, and students recognised by name only.
    """
    rows = [("id", "what", "was", "will be")]
    if comparison.n_known:
        rows += [(student.id, "new", "", student.shown) for student in comparison.added]
    rows += [
        (change.student.id, change.heading, change.before, change.after) for change in comparison.changes
    ]
    rows += [(student.id, "same name", student.shown, student.shown) for student in comparison.by_name]
    if len(rows) > 1:
        widths = [min(40, max(len(row[place]) for row in rows)) for place in range(3)]
        for row in rows:
            cells = [text.ljust(width) for text, width in zip(row, widths, strict=False)]
            yield "  ".join([*cells, row[3]]).rstrip()


def describe_class(course: Course, comparison: ListComparison) -> Iterator[str]:
    """Yield lines on size and sections of the class, and missing students."""
    known = known_students(course)
    students = [known[student.folder] for student in comparison.students]
    yield _count_students(students)
    if all(student.shown == student.id for student in students):
        yield "this list names nobody: --name-column NAME says which column holds the names (it may be repeated)"
        if not any(student.email for student in students):
            yield "this list has no addresses: --email-column NAME says which column holds them"
    missing = [known[student.folder] for student in comparison.missing]
    yield from _describe_missing(missing, len(students))


def _describe_missing(missing: list[Student], n_listed: int) -> Iterator[str]:
    remaining = [student.folder for student in missing if not student.has_left]
    if len(remaining) > n_listed:
        yield f"the other {len(remaining)} students stay as they were"
    elif remaining:
        yield (
            f"not on this list, but kept from an earlier one ({len(remaining)}): {shorten_list(remaining)}; "
            "if they have left, read the list with --complete"
        )
    if left := [student.folder for student in missing if student.has_left]:
        yield f"have left the class ({len(left)}): {shorten_list(left)}; their work stays"


def _count_students(students: list[Student]) -> str:
    sections = Counter(student.section for student in students if student.section)
    counts = ", ".join(f"{number} in {name}" for name, number in sorted(sections.items()))
    extended = sum(bool(student.extension) for student in students)
    return f"{len(students)} students{f' ({counts})' if counts else ''}, {extended} with an extension"


def undo_last_list(course: Course) -> tuple[list[str], list[str]]:
    """Restore the class list before the last import.

    Return removed and remaining students. The gradebook gets the earlier names again. A student who came with the
    undone list is removed from it, and remains if there is a submission.
    """
    before, after = restore_earlier(course)
    dropped = sorted(before.keys() - after.keys())
    with_work = set(course.paths.students())
    enrol_in_gradebook(course, after.values())
    removed, remaining = [], []
    with open_gradebook(course) as gradebook:
        for folder in dropped:
            submissions = gradebook.student_submissions(folder) if _is_enrolled(gradebook, folder) else []
            if folder in with_work or submissions:
                remaining.append(folder)
                continue
            if _is_enrolled(gradebook, folder):
                gradebook.remove_student(folder)
            removed.append(folder)
    return removed, remaining


def _is_enrolled(gradebook: Any, folder: str) -> bool:
    from nbgrader.api import MissingEntry

    try:
        return bool(gradebook.find_student(folder))
    except MissingEntry:
        return False
