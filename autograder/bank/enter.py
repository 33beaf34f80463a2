"""Take in the answers of a printed exam: as a table, or typed at the keyboard.

What was written is put into the cells of the student's notebook, which is then graded like one that was handed in: by
the same judge, with the same verdicts. Nothing is written before every line of the table was understood.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.answers.attempt import CallResult
from autograder.authoring.cells import answer_cell_name, check_of, is_answer_cell, name_of, role, source_of
from autograder.bank.codes import folder_of, read_codes
from autograder.bank.exam import give_form, is_form
from autograder.course.composition import Composition
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.people import known_students
from autograder.course.roster import Student, folded_id, folder_name
from autograder.course.tables import DECIMAL_COMMA, csv_text, read_table, without_quotes
from autograder.errors import CourseError
from autograder.judging.compare import compare
from autograder.judging.judge import judge
from autograder.judging.judge_question import judge_question
from autograder.judging.key import Key, SealedCase, TaskKey, read_key
from autograder.judging.verdict import Verdict
from autograder.program import program_name

TYPED_FILE = "typed.csv"
NO_ANSWER = ("", "-", "–", "—")
PEOPLE_COLUMNS = ("code", "id", "name")


@dataclass(frozen=True)
class SheetEntry:
    """Answers of one sheet: its student, its variant, and the answers by slot."""

    student: Student
    variant: str
    answers: Mapping[str, str]


def exam_composition(course: Course, exam: str) -> Composition:
    """Return a printed exam; raise CourseError if there is none."""
    composition = course.composition(exam)
    if composition is None:
        there = ", ".join(course.composed()) or "none"
        raise CourseError(f"there is no exam {exam!r}; printed or composed were: {there}")
    return composition


def read_entries(course: Course, exam: str, path: Path) -> list[SheetEntry]:
    """Read a table of answers; raise CourseError for the first line that cannot be right."""
    slots = [slot.name for slot in exam_composition(course, exam).slots]
    table = read_table(path)
    _require_columns(table.header, slots, path.name)
    codes, known = read_codes(course, exam), known_students(course)
    entries: dict[str, SheetEntry] = {}
    for row, line in zip(table.rows[1:], table.lines[1:], strict=True):
        cells = dict(zip(table.header, [without_quotes(cell.strip()) for cell in row], strict=False))
        answers = {slot: cells.get(slot, "") for slot in slots}
        if not any(answers.values()) or not any(cells.values()):
            continue  # this sheet was not handed in
        entry = _entry(codes, known, cells, answers, f"{path.name}, line {line}")
        if entry.student.folder in entries:
            raise CourseError(f"{path.name}, line {line}: {entry.student.id} has two lines with answers")
        entries[entry.student.folder] = entry
    if not entries:
        raise CourseError(f"{path.name} holds no answers")
    return list(entries.values())


def _require_columns(header: Sequence[str], slots: Sequence[str], name: str) -> None:
    for needed in ("code", *slots):
        if needed not in header:
            raise CourseError(
                f"{name} has no column {needed!r}: fill in the table that `{program_name()} exam` wrote"
            )
    for column in header:
        if column and column not in (*PEOPLE_COLUMNS, *slots):
            raise CourseError(f"{name} has a column {column!r}, which is no task of this exam")


def _entry(
    codes: Mapping[str, str],
    known: Mapping[str, Student],
    cells: Mapping[str, str],
    answers: Mapping[str, str],
    where: str,
) -> SheetEntry:
    """Return the entry of one line, for the student of its code or, on a form, of its id."""
    variant, student_id = folder_of(codes, cells.get("code", ""), where), cells.get("id", "")
    if is_form(variant):
        if not student_id:
            raise CourseError(f"{where}: this is the code of a form, so the line needs the student's id")
        return SheetEntry(_find_student(known, student_id, where), variant, answers)
    student = known.get(variant, Student(variant, variant))
    if student_id and folded_id(student_id) not in (folded_id(student.id), folded_id(variant)):
        raise CourseError(f"{where}: the code is that of {student.id}, but the line says {student_id}")
    return SheetEntry(student, variant, answers)


def _find_student(known: Mapping[str, Student], student_id: str, where: str) -> Student:
    """Return the student with an id. Without a class list, any id is one."""
    folded = folded_id(student_id)
    for student in known.values():
        if folded_id(student.id) == folded:
            return student
    if known:
        raise CourseError(
            f"{where}: {student_id!r} is no student of the class: `{program_name()} roster` adds one"
        )
    return Student(student_id, folder_name(student_id))


def write_entries(course: Course, exam: str, entries: Sequence[SheetEntry]) -> int:
    """Hand in a notebook for each sheet; return how many are new or have changed."""
    notebooks = {entry.student.folder: _filled(course, exam, entry) for entry in entries}
    changed = 0
    for entry in entries:
        if is_form(entry.variant):
            give_form(course, exam, entry.student, entry.variant)
        path, text = course.paths.submission(entry.student.folder, exam), notebooks[entry.student.folder]
        if not path.is_file() or path.read_text("utf-8") != text:
            write_text(path, text)
            changed += 1
    return changed


def _filled(course: Course, exam: str, entry: SheetEntry) -> str:
    """Return the notebook of a sheet, with its answers."""
    path = course.paths.release(exam, entry.variant) / f"{exam}.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    key = read_key(path.with_suffix(".key.json"))
    cells = {str(name_of(cell)): cell for cell in notebook["cells"] if is_answer_cell(cell)}
    for cell in notebook["cells"]:
        check = check_of(source_of(cell)) if role(cell).get("grade") else None
        answer = entry.answers.get(check["task"], "") if check else ""
        if check and answer not in NO_ANSWER:
            # a text is read as in a notebook: 3/4, sqrt(2), [1, 2]
            text = with_decimal_point(key.tasks[check["task"]], answer)
            cells[answer_cell_name(check, cells)]["source"] = f"{check['answer']} = {text!r}"
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def unreadable_answers(course: Course, exam: str, entries: Sequence[SheetEntry]) -> Iterator[str]:
    """Yield a line for each answer that has no form in which it can be judged, such as a typing error."""
    for entry in entries:
        key = read_key(course.paths.release(exam, entry.variant) / f"{exam}.key.json")
        for slot, answer in entry.answers.items():
            if answer not in NO_ANSWER and (why := _why_unreadable(key.tasks[slot], answer)):
                yield f"{entry.student.id}, {slot}: {answer!r} earns nothing. {why}"


def _why_unreadable(key: TaskKey, answer: str) -> str:
    if key.question is not None:
        verdict = judge_question(key.question, answer)
        return verdict.message if verdict.problem else ""
    comparison = compare(key, key.cases[0], CallResult(with_decimal_point(key, answer)))
    return comparison.trouble if comparison.parts is None else ""


def with_decimal_point(key: TaskKey, answer: str) -> str:
    """Return an answer with a point for a decimal comma, where one number is asked for and a list cannot be meant."""
    case = key.cases[0]
    is_number = key.kind == "hand" and isinstance(case, SealedCase) and case.shapes == ((),)
    return answer.replace(",", ".") if is_number and DECIMAL_COMMA.fullmatch(answer) else answer


def type_in(course: Course, exam: str, ask: Callable[[str], str], show: Callable[[str], None]) -> Path | None:
    """Ask for one sheet after the other, and show how each answer is judged.

    An empty code ends it. Each sheet is kept at once, in a table that can be corrected and entered again.
    """
    slots = [slot.name for slot in exam_composition(course, exam).slots]
    codes, known = read_codes(course, exam), known_students(course)
    path = course.paths.exam(exam) / TYPED_FILE
    rows = [list(map(without_quotes, row)) for row in read_table(path).rows[1:]] if path.is_file() else []
    while code := ask("code: ").strip():
        try:
            variant = folder_of(codes, code, "this sheet")
            student_id = ask("id: ").strip() if is_form(variant) else ""
            cells = {"code": code, "id": student_id}
            entry = _entry(codes, known, cells, {}, "this sheet")
        except CourseError as error:
            show(str(error))
            continue
        show(entry.student.shown)
        key = read_key(course.paths.release(exam, variant) / f"{exam}.key.json")
        answers = [_typed_answer(key, slot, ask, show) for slot in slots]
        rows = [row for row in rows if row[1] != entry.student.id]
        rows.append([code.upper(), entry.student.id, entry.student.shown, *answers])
        write_text(path, csv_text(("code", "id", "name", *slots), rows))
    return path if rows else None


def _typed_answer(key: Key, slot: str, ask: Callable[[str], str], show: Callable[[str], None]) -> str:
    answer = ask(f"  {slot}: ").strip()
    if answer not in NO_ANSWER:
        verdict = judge_typed(key, slot, answer)
        show(f"    {verdict.earned:g} of {key.tasks[slot].points:g}  {_plain(verdict)}")
    return answer


def judge_typed(key: Key, slot: str, answer: str) -> Verdict:
    """Judge an answer as a notebook does that holds it as text."""
    task = key.tasks[slot]
    return judge(f"{key.topic}.{slot}", task, [CallResult(with_decimal_point(task, answer))])


def _plain(verdict: Verdict) -> str:
    return "right" if verdict.passed else " ".join(verdict.message.split())


def describe_entries(entries: Sequence[SheetEntry], changed: int) -> Iterator[str]:
    """Yield the lines that say what was taken in."""
    answers = sum(answer not in NO_ANSWER for entry in entries for answer in entry.answers.values())
    yield f"{len(entries)} sheets with {answers} answers, {changed} of them new or changed"
