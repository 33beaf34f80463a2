"""Write a decision about equal answers to the gradebook, with optimistic locking.

Several graders may work at the same time, on one or several servers or in formgrader. A decision names the version of
each answer that the grader saw. If an answer, a score or a comment has changed since, nothing is written. The SQL
statement repeats this condition, so of two simultaneous decisions only one is written.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from autograder.authoring.rubric import DECISION
from autograder.course.course import Course
from autograder.course.files import exclusive_lock
from autograder.errors import CourseError
from autograder.grading.audit import log_changes_around
from autograder.grading.gradebook_tables import open_gradebook
from autograder.open_questions.answers import Answer, Question, read_answers

LOCK_TIMEOUT_SECONDS = 10.0  # a decision takes less than a second, grading a class takes longer
LOCK_POLL_SECONDS = 0.05
MAX_COMMENT_CHARACTERS = 5000


@dataclass(frozen=True)
class Decision:
    """A grader's decision about a group of answers.

    `items` holds the points of the rubric's items, in order.
    """

    question: Question
    items: tuple[float, ...]
    points: float
    comment: str
    grader: str

    @property
    def full_comment(self) -> str:
        """The comment in the format of formgrader's rubric buttons.

        It has a line per rubric item, then the free comment.
        """
        lines = [
            f"[{points:g} of {item.points:g}] {item.name}"
            for item, points in zip(self.question.items, self.items, strict=True)
        ]
        return "\n".join([*lines, *([self.comment] if self.comment else [])])


class ConflictError(Exception):
    """Answers of `students` have changed since the grader saw them."""

    def __init__(self, students: Sequence[str]) -> None:
        """Store the students whose answers have changed."""
        super().__init__(f"{len(students)} answers changed meanwhile")
        self.students = tuple(students)


def parse_decision(question: Question, tree: Mapping[str, Any], grader: str) -> Decision:
    """Parse a decision sent by the page; raise ValueError if invalid."""
    comment = str(tree.get("comment", "")).strip()
    items = tuple(float(points) for points in tree.get("items", ()))
    if len(comment) > MAX_COMMENT_CHARACTERS:
        raise ValueError(f"a comment has at most {MAX_COMMENT_CHARACTERS} characters")
    if len(items) != len(question.items):
        raise ValueError(f"every one of the {len(question.items)} items of the rubric must be decided")
    if not all(0 <= points <= item.points for points, item in zip(items, question.items, strict=True)):
        raise ValueError("an item has more points than its rubric gives")
    points = sum(items) if question.items else float(tree.get("points", -1))
    if not 0 <= points <= question.points:
        raise ValueError(f"the points must be between 0 and {question.points:g}, not {points:g}")
    return Decision(question, items, points, comment, grader)


def free_comment(comment: str) -> str:
    """Return a comment without the lines of rubric items."""
    return DECISION.sub("", comment).strip()


def write_decision(course: Course, topic: str, decision: Decision, versions: Mapping[str, str]) -> None:
    """Write a decision about answers; raise ConflictError if one has changed.

    `versions` maps students to the versions that the grader saw.
    """
    with _wait_for_lock(course):
        current = {answer.student: answer for answer in read_answers(course, topic, decision.question.name)}
        changed = [
            student
            for student, version in versions.items()
            if student not in current or current[student].version != version
        ]
        if changed:
            raise ConflictError(changed)
        with log_changes_around(course, topic, f"open question read by {decision.grader}"):
            _update(course, topic, decision, [current[student] for student in versions])


@contextmanager
def _wait_for_lock(course: Course) -> Iterator[None]:
    """Hold the classroom's lock; wait up to LOCK_TIMEOUT_SECONDS for it."""
    deadline = time.monotonic() + LOCK_TIMEOUT_SECONDS
    while True:
        try:
            with exclusive_lock(course.paths.lock):
                yield
                return
        except CourseError as error:
            if "another run is writing" not in str(error) or time.monotonic() > deadline:
                raise
        time.sleep(LOCK_POLL_SECONDS)


def _update(course: Course, topic: str, decision: Decision, answers: Sequence[Answer]) -> None:
    """Update scores and comments in one transaction; raise ConflictError on a change."""
    with open_gradebook(course) as book:
        rows = _rows(book, topic, decision.question.name)
        try:
            changed = [
                answer.student
                for answer in answers
                if not _update_answer(book, rows[answer.student], decision, answer)
            ]
            if changed:
                raise ConflictError(changed)
            book.db.commit()
        except BaseException:
            book.db.rollback()
            raise


def _rows(book: object, topic: str, question: str) -> dict[str, tuple[str, str | None]]:
    """Map each student to the row ids of score and comment."""
    from nbgrader import api

    comments = dict(_ids(book, api.Comment, topic, question))
    grades = _ids(book, api.Grade, topic, question)
    return {student: (grade, comments.get(student)) for student, grade in grades}


def _ids(book: Any, table: Any, topic: str, question: str) -> list[tuple[str, str]]:
    """Return student and row id of a table's rows for a cell."""
    from nbgrader import api

    rows = (
        book.db.query(api.SubmittedAssignment.student_id, table.id)
        .select_from(table)
        .join(api.SubmittedNotebook, table.notebook_id == api.SubmittedNotebook.id)
        .join(api.SubmittedAssignment, api.SubmittedNotebook.assignment_id == api.SubmittedAssignment.id)
        .join(api.Assignment, api.SubmittedAssignment.assignment_id == api.Assignment.id)
        .join(api.BaseCell, table.cell_id == api.BaseCell.id)
        .filter(api.Assignment.name == topic, api.BaseCell.name == question)
    )
    return [(student, row) for student, row in rows]


def _update_answer(book: Any, ids: tuple[str, str | None], decision: Decision, seen: Answer) -> bool:
    """Update an answer; return False if its score or comment has changed."""
    from nbgrader import api
    from sqlalchemy import func, update

    grade_id, comment_id = ids
    score = update(api.Grade).where(
        api.Grade.id == grade_id, api.Grade.needs_manual_grade == (not seen.is_read)
    )
    extra = func.coalesce(api.Grade.extra_credit, 0.0)
    before = func.coalesce(api.Grade.manual_score, api.Grade.auto_score, 0.0) + extra
    score = score.where(before == (seen.score or 0.0))
    values = {"manual_score": decision.points, "needs_manual_grade": False}
    if book.db.execute(score.values(**values)).rowcount != 1:
        return False
    if comment_id is None:
        return True
    words = update(api.Comment).where(api.Comment.id == comment_id)
    words = words.where(func.coalesce(api.Comment.manual_comment, "") == seen.comment)
    return bool(book.db.execute(words.values(manual_comment=decision.full_comment)).rowcount == 1)
