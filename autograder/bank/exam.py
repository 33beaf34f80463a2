"""Make a printed exam: certified variants, sheets, marking key, and a table for entering what was written."""

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from autograder.bank.codes import make_codes, write_codes
from autograder.bank.marking import mark_sheet
from autograder.bank.printing import print_keys, print_sheets
from autograder.bank.sheets import Sheet, read_sheet
from autograder.course.composition import Composition
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.handout import Handout, last_handout, write_handout
from autograder.course.roster import Student
from autograder.course.tables import csv_text
from autograder.errors import CourseError

MAX_PRINTED_FORMS = 26
FORM_PREFIX = "form-"
FORM_FOLDER = re.compile(f"{FORM_PREFIX}[A-Z]")
SHEETS_FILE, LARGE_FILE, KEY_FILE, ENTRY_FILE = (
    "exam.pdf",
    "exam-large-print.pdf",
    "marking-key.pdf",
    "entry.csv",
)


def printed_forms(number: int) -> tuple[Student, ...]:
    """Return the forms of an exam as those whose variants are made: form-A, form-B, …"""
    if not 1 <= number <= MAX_PRINTED_FORMS:
        raise CourseError(f"--forms must be between 1 and {MAX_PRINTED_FORMS}, not {number}")
    names = [f"{FORM_PREFIX}{chr(ord('A') + place)}" for place in range(number)]
    return tuple(Student(name, name) for name in names)


def is_form(folder: str) -> bool:
    """Return whether a variant is that of a form, not of a student."""
    return FORM_FOLDER.fullmatch(folder) is not None


def require_no_form(students: Sequence[Student]) -> None:
    """Raise CourseError if a student's folder has the name of a form."""
    for student in students:
        if is_form(student.folder):
            raise CourseError(f"the id {student.id!r} is the name of a form: give this student another id")


def deal_forms(course: Course, exam: str, students: Sequence[Student], form_names: Sequence[Student]) -> None:
    """Give the students the forms in turn, so that neighbours on the list have different ones."""
    for place, student in enumerate(students):
        give_form(course, exam, student, form_names[place % len(form_names)].folder)


def give_form(course: Course, exam: str, student: Student, form: str) -> None:
    """Make the variant of a form that of a student, too."""
    handout = last_handout(course, exam)
    if handout is None or form not in handout.students:
        raise CourseError(f"{exam} has no form {form.removeprefix(FORM_PREFIX)}")
    paths = course.paths
    shutil.copytree(paths.release(exam, form), paths.release(exam, student.folder), dirs_exist_ok=True)
    for place in (paths.secret_key, paths.certificate, paths.source_notebook):
        if place(exam, form).is_file():
            shutil.copy2(place(exam, form), place(exam, student.folder))
    record = {**handout.students[form], "id": student.id, "given": form}
    write_handout(course, exam, Handout(handout.seed, {**handout.students, student.folder: record}))


def sheets_of(course: Course, exam: str, students: Sequence[Student]) -> list[Sheet]:
    """Return the sheets of students or forms, and keep their codes."""
    codes = make_codes(course, exam, [student.folder for student in students])
    write_codes(course, exam, codes)
    return [
        read_sheet(
            course,
            exam,
            student.folder,
            "" if is_form(student.folder) else student.shown,
            codes[student.folder],
        )
        for student in students
    ]


def write_exam(
    course: Course, composition: Composition, sheets: Sequence[Sheet], *, large: bool
) -> Iterator[tuple[Path, int]]:
    """Write the sheets, the marking key and the table for entry; yield each file with its pages or rows."""
    folder = course.paths.exam(composition.name)
    yield folder / SHEETS_FILE, print_sheets(composition, sheets, folder / SHEETS_FILE)
    if large:
        yield folder / LARGE_FILE, print_sheets(composition, sheets, folder / LARGE_FILE, large=True)
    handout = last_handout(course, composition.name)
    records: Mapping[str, Mapping[str, str]] = handout.students if handout else {}
    keys = [
        (sheet, mark_sheet(course, composition.name, sheet, str(records[sheet.folder].get("form", ""))))
        for sheet in _first_of_each_variant(sheets, records)
    ]
    yield folder / KEY_FILE, print_keys(composition, keys, folder / KEY_FILE)
    yield folder / ENTRY_FILE, write_entry_table(folder / ENTRY_FILE, composition, sheets)


def _first_of_each_variant(
    sheets: Sequence[Sheet], records: Mapping[str, Mapping[str, str]]
) -> Iterator[Sheet]:
    """Yield one sheet of each variant: students with the same form share a key."""
    seen: set[str] = set()
    for sheet in sheets:
        variant = json.dumps(records[sheet.folder].get("given", sheet.folder))
        if variant not in seen:
            seen.add(variant)
            yield sheet


def write_entry_table(path: Path, composition: Composition, sheets: Sequence[Sheet]) -> int:
    """Write the table into which answers are typed; return the number of its rows."""
    slots = [slot.name for slot in composition.slots]
    rows = [
        [sheet.code, "" if is_form(sheet.folder) else sheet.folder, sheet.name, *("" for _ in slots)]
        for sheet in sheets
    ]
    write_text(path, csv_text(["code", "id", "name", *slots], rows))
    return len(sheets)
