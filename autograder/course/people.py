"""The people of a class as the roster named them, kept in `class.json` for reports, exports and extensions."""

import json
from collections.abc import Iterable
from dataclasses import asdict, replace

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.roster import Student, require_distinct_ids
from autograder.errors import CourseError

NAMES = ("first_name", "last_name", "name")


def keep_people(course: Course, students: Iterable[Student]) -> None:
    """Write down who they are; who has left the roster stays, because their work does."""
    known = people(course)
    students = list(students)
    require_distinct_ids(students, known.values())
    known |= {one.folder: _completed(one, known.get(one.folder)) for one in students}
    tree = [asdict(one) for one in known.values()]
    write_text(course.places.class_list, json.dumps(tree, indent=1, ensure_ascii=False) + "\n")


def _completed(new: Student, before: Student | None) -> Student:
    """What the new list does not say is as it was: a platform's table knows of no extension, and not always a section.

    A name is one thing, however many columns it has.
    """
    if before is None:
        return new
    said = {name for name, text in asdict(new).items() if text}
    said |= set(NAMES) if said & set(NAMES) else set()
    return replace(before, **{name: getattr(new, name) for name in said})


def people(course: Course) -> dict[str, Student]:
    """Everybody who was ever on the roster, by folder; nobody if there was none."""
    path = course.places.class_list
    if not path.is_file():
        return {}
    try:
        return {one["folder"]: Student(**one) for one in json.loads(path.read_text("utf-8"))}
    except (ValueError, LookupError, TypeError):
        raise CourseError(
            f"{path.name} is damaged: delete it, then run `dimred roster …` with your class list"
        ) from None


def person(course: Course, folder: str) -> Student:
    """Who hands in under a folder: as the roster says, or only by name."""
    return people(course).get(folder) or Student(folder, folder)
