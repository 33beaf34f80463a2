"""Store the students of a class in `class.json`, for reports, exports and extensions.

Replaced lists are archived in `class_lists/`, so that a wrong import can be undone.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.roster import Student, require_distinct_ids
from autograder.errors import CourseError
from autograder.program import program_name

NAME_COLUMNS = ("first_name", "last_name", "name")


def save_students(course: Course, students: Iterable[Student], left: Iterable[Student] = ()) -> None:
    """Save students of a roster, and mark known students who have left.

    Known students missing from the roster are kept, because their submissions are kept.
    """
    known = known_students(course)
    students = list(students)
    require_distinct_ids(students, known.values())
    known |= {student.folder: _merge(student, known.get(student.folder)) for student in students}
    known |= {student.folder: replace(student, has_left=True) for student in left}
    text = _dump(known.values())
    path = course.paths.class_list
    if path.is_file() and path.read_text("utf-8") != text:
        write_text(_next_earlier_path(course), path.read_text("utf-8"))
    write_text(path, text)


def _dump(students: Iterable[Student]) -> str:
    tree = [{name: part for name, part in asdict(student).items() if part} for student in students]
    return json.dumps(tree, indent=1, ensure_ascii=False) + "\n"


def _merge(new: Student, before: Student | None) -> Student:
    """Fill empty fields of a new record from the earlier one.

    A platform's table has no extension, and not always a section. The name columns are taken from one record together.
    """
    if before is None:
        return new
    filled = {name for name, text in asdict(new).items() if text}
    filled |= set(NAME_COLUMNS) if filled & set(NAME_COLUMNS) else set()
    columns = {**before.columns, **new.columns}
    changes = {name: getattr(new, name) for name in filled}
    return replace(before, **changes | {"columns": columns, "has_left": False})


def known_students(course: Course) -> dict[str, Student]:
    """Return all students who were ever on the roster, by folder."""
    path = course.paths.class_list
    return _read(path) if path.is_file() else {}


def _read(path: Path) -> dict[str, Student]:
    try:
        return {tree["folder"]: Student(**tree) for tree in json.loads(path.read_text("utf-8"))}
    except (ValueError, LookupError, TypeError):
        raise CourseError(
            f"{path.name} is damaged: delete it, then run `{program_name()} roster …` with your class list"
        ) from None


def person(course: Course, folder: str) -> Student:
    """Return the student of a folder; an unknown one has the folder name as id."""
    return known_students(course).get(folder) or Student(folder, folder)


def earlier_lists(course: Course) -> list[Path]:
    """Return the replaced lists, the oldest first."""
    return sorted(course.paths.class_lists.glob("*.json"), key=lambda path: int(path.stem))


def _next_earlier_path(course: Course) -> Path:
    numbers = [int(path.stem) for path in earlier_lists(course)]
    return course.paths.class_lists / f"{max(numbers, default=0) + 1}.json"


def restore_earlier(course: Course) -> tuple[dict[str, Student], dict[str, Student]]:
    """Undo the last import; return the class before and after the undo."""
    lists = earlier_lists(course)
    if not lists:
        raise CourseError("there is no earlier class list: nothing was read before the present one")
    before, after = known_students(course), _read(lists[-1])
    write_text(course.paths.class_list, _dump(after.values()))
    lists[-1].unlink()
    return before, after
