"""Read scores, penalties and comments from nbgrader's gradebook."""

import contextlib
from collections.abc import Iterator
from typing import Any

from autograder.authoring.cells import check_name
from autograder.course.course import Course
from autograder.grading.gradebook_tables import open_gradebook, unknown_assignment_error


def _cells_of(book: Any, topic: str, table: Any, *columns: Any) -> Any:
    """Query student, cell name and columns of a table of a topic.

    The table must have a row per cell and submitted notebook, as Grade and Comment do.
    """
    from nbgrader import api

    return (
        book.db.query(api.SubmittedAssignment.student_id, api.BaseCell.name, *columns)
        .select_from(table)
        .join(api.SubmittedNotebook, table.notebook_id == api.SubmittedNotebook.id)
        .join(api.SubmittedAssignment, api.SubmittedNotebook.assignment_id == api.SubmittedAssignment.id)
        .join(api.Assignment, api.SubmittedAssignment.assignment_id == api.Assignment.id)
        .join(api.BaseCell, table.cell_id == api.BaseCell.id)
        .filter(api.Assignment.name == topic)
    )


def late_penalty(submission: Any) -> float:
    """Return the late penalty of a submission, in points."""
    return float(sum(notebook.late_submission_penalty or 0.0 for notebook in submission.notebooks))


def raw_scores(book: object, topic: str, *, unread: bool = False) -> Iterator[tuple[str, str, list[Any]]]:
    """Yield student, cell and scores of each graded cell.

    The scores are [automatic score, manual score, extra credit, needs manual grading]. A cell without any score is
    left out, but with `unread` it is yielded if it needs manual grading.
    """
    from nbgrader import api

    grade = api.Grade
    columns = (grade.auto_score, grade.manual_score, grade.extra_credit, grade.needs_manual_grade)
    rows = _cells_of(book, topic, grade, *columns)
    for student, cell, *score in rows:
        if score[:3] != [None, None, None] or (unread and score[3]):  # the other rows are not filled yet
            yield student, cell, score


def penalties(book: Any, topic: str) -> Iterator[tuple[str, float]]:
    """Yield each student with a late penalty, and its points."""
    from nbgrader import api

    rows = (
        book.db.query(api.SubmittedAssignment.student_id, api.SubmittedNotebook.late_submission_penalty)
        .select_from(api.SubmittedNotebook)
        .join(api.SubmittedAssignment, api.SubmittedNotebook.assignment_id == api.SubmittedAssignment.id)
        .join(api.Assignment, api.SubmittedAssignment.assignment_id == api.Assignment.id)
        .filter(api.Assignment.name == topic)
    )
    yield from ((student, float(points)) for student, points in rows if points)


def names_by_student(book: Any) -> dict[str, str]:
    """Map each student to the full name in the gradebook."""
    from nbgrader.api import Student

    rows = book.db.query(Student.id, Student.first_name, Student.last_name)
    return {student: f"{first or ''} {last or ''}".strip() for student, first, last in rows}


def max_points(book: Any, topic: str) -> dict[str, float]:
    """Map each graded cell to its points.

    The result is empty if the topic was not released.
    """
    from nbgrader.api import MissingEntry

    with contextlib.suppress(MissingEntry):
        notebooks = book.find_assignment(topic).notebooks
        return {cell.name: float(cell.max_score) for notebook in notebooks for cell in notebook.grade_cells}
    return {}


def asked_cells(course: Course, topic: str) -> dict[str, frozenset[str]]:
    """Map each student of a retake to the cells of the tasks that this student has.

    The result is empty for other assignments, in which all have the same cells.
    """
    composition = course.composition(topic)
    if composition is None:
        return {}
    return {
        student: frozenset(check_name(slot) for slot in composition.tasks(form))
        for student, form in composition.own_forms.items()
    }


def late_seconds(book: Any, topic: str) -> dict[str, float]:
    """Map each late student to the seconds of lateness."""
    from nbgrader.api import MissingEntry

    with contextlib.suppress(MissingEntry):
        submissions = book.find_assignment(topic).submissions
        late = {submission.student_id: float(submission.total_seconds_late) for submission in submissions}
        return {student: seconds for student, seconds in late.items() if seconds > 0}
    return {}


def all_comments(book: object, topic: str) -> Iterator[tuple[str, str, str]]:
    """Yield student, cell and text of each comment by an instructor."""
    from nbgrader import api

    rows = _cells_of(book, topic, api.Comment, api.Comment.manual_comment)
    yield from ((student, cell, words) for student, cell, words in rows if words)


def scores(course: Course, topic: str) -> dict[str, dict[str, Any]]:
    """Map each student to a record of scores.

    `score` is the total after the penalty, `penalty` its points, `late` the lateness in seconds, `max` the maximum,
    `scores` the points per graded cell, `needs_manual_grade` whether an instructor must still grade a cell.
    """
    from nbgrader.api import MissingEntry

    asked = asked_cells(course, topic)
    with open_gradebook(course) as gradebook:
        results = {}
        try:
            submissions = gradebook.find_assignment(topic).submissions
        except MissingEntry:
            raise unknown_assignment_error(topic) from None
        for submission in submissions:
            grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
            cells = asked.get(submission.student.id)
            most = float(submission.max_score)
            results[submission.student.id] = {
                "score": max(0.0, float(submission.score) - late_penalty(submission)),
                "penalty": late_penalty(submission),
                "late": float(submission.total_seconds_late),
                "max": most if cells is None else sum(float(g.max_score) for g in grades if g.name in cells),
                "scores": {grade.name: _score(grade) for grade in grades},
                "needs_manual_grade": bool(submission.needs_manual_grade),
            }
        return results


def _score(grade: Any) -> float | None:
    """Return a cell's score, or None while it needs manual grading."""
    return None if grade.needs_manual_grade else float(grade.score)


def comments(course: Course, topic: str) -> dict[str, dict[str, str]]:
    """Map student and cell to the comment: the instructor's, else nbgrader's."""
    from nbgrader import api

    words: dict[str, dict[str, str]] = {}
    with open_gradebook(course) as gradebook:
        rows = _cells_of(gradebook, topic, api.Comment, api.Comment.comment)
        for student, cell, comment in rows:
            if comment:
                words.setdefault(student, {})[cell] = comment
    return words
