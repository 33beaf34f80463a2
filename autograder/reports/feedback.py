"""Write a feedback page per student: lost points, reasons, and all answers.

Feedback never shows a secret case.
"""

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.people import person
from autograder.errors import CourseError, raise_if_machine_error
from autograder.grading import gradebook
from autograder.grading.audit import update_late_penalties
from autograder.grading.hand_in import copy_submission_metadata
from autograder.grading.outcome import Outcome, outcomes_on_file
from autograder.grading.retakes import retake_notes
from autograder.program import program_name
from autograder.reports.exercise import Exercise, exercises_of, model_answers_of
from autograder.reports.mathml import TexFormula, formulas_in, markdown_with_formulas, to_mathml
from autograder.reports.pages import render_page

# nbgrader's exchange copies a page with its mode, so the mode must allow students to read it. In the classroom the mode
# of the folder protects the page.
PAGE_MODE = 0o644


@dataclass(frozen=True)
class Feedback:
    """The contents of a student's feedback page."""

    student: str
    outcome: Outcome
    score: dict[str, Any]
    exercises: tuple[Exercise, ...]

    @property
    def texts(self) -> Iterator[str]:
        """The Markdown texts of the page, which may hold formulas."""
        for exercise in self.exercises:
            yield exercise.question
            if not exercise.is_code:
                yield from (exercise.answer, exercise.model_answer)


def write_feedback(course: Course, topic: str, *, with_answers: bool = False) -> list[Path]:
    """Write a page per graded student to nbgrader's feedback folder.

    Return the paths. `with_answers` adds the author's answers. If a page cannot be written, write the others and then
    raise CourseError.
    """
    update_late_penalties(course, topic)
    collected, problems = collect_feedback(course, topic, with_answers=with_answers)
    mathml = to_mathml([formulas_in(feedback.texts) for feedback in collected])
    written = []
    for feedback in collected:
        try:
            written.append(write_page(course, topic, feedback, mathml))
        except Exception as error:
            problems.append(_describe_problem(feedback.student, error))
    if problems:
        raise CourseError(
            f"{topic}: {len(written)} feedback pages were written, but not for {', '.join(problems[:5])}: "
            f"`{program_name()} grade --force {topic}` grades anew"
        )
    return written


def collect_feedback(
    course: Course, topic: str, *, with_answers: bool = False
) -> tuple[list[Feedback], list[str]]:
    """Read the contents of all pages.

    Return them and the problems of single pages.
    """
    scores, comments = gradebook.scores(course, topic), gradebook.comments(course, topic)
    collected, problems = [], []
    for outcome in outcomes_on_file(course, topic):
        try:
            if outcome.student not in scores:
                raise LookupError("the gradebook has no submission")
            score = {**scores[outcome.student], "comments": comments.get(outcome.student, {})}
            collected.append(feedback_of(course, topic, outcome, score, with_answers=with_answers))
        except Exception as error:  # for example an edited notebook, or a student removed from the gradebook
            problems.append(_describe_problem(outcome.student, error))
    return collected, problems


def _describe_problem(student: str, error: Exception) -> str:
    raise_if_machine_error(error)
    return f"{student} ({type(error).__name__}: {error})"[:200]


def feedback_of(
    course: Course, topic: str, outcome: Outcome, score: dict[str, object], *, with_answers: bool = False
) -> Feedback:
    """Combine a student's graded notebook with the scores and comments."""
    cells = _cells(course.paths.autograded(outcome.student, topic) / f"{topic}.ipynb")
    answers = _model_answers(course, topic, outcome.student) if with_answers else {}
    return Feedback(outcome.student, outcome, score, tuple(exercises_of(cells, score, answers)))


def _cells(path: Path) -> list[object]:
    return list(json.loads(path.read_text("utf-8"))["cells"]) if path.is_file() else []


def _model_answers(course: Course, topic: str, student: str) -> dict[str, str]:
    """Return the author's answers for a student, without numbers of another variant."""
    paths = course.paths
    has_variant = paths.release(topic, student).is_dir()
    solved = paths.answers(topic, student) / f"{topic}.ipynb"
    if has_variant and solved.is_file():
        return model_answers_of(_cells(solved), with_numbers=True)
    own_source = paths.source_notebook(topic, student)
    if own_source.is_file():
        return model_answers_of(_cells(own_source), with_numbers=True)
    return model_answers_of(_cells(paths.source_notebook(topic)), with_numbers=not has_variant)


def write_page(course: Course, topic: str, feedback: Feedback, mathml: dict[TexFormula, str]) -> Path:
    """Write a student's page and the exchange's files; return the path."""
    page = course.paths.feedback_page(feedback.student, topic)
    write_text(page, render_feedback(course, topic, feedback, mathml))
    page.chmod(PAGE_MODE)
    let_the_exchange_return(course, topic, feedback.student)
    return page


def let_the_exchange_return(course: Course, topic: str, student: str) -> None:
    """Write the time stamp and the secret that `nbgrader release_feedback` requires.

    nbgrader would stop at the first page without them. A submission from outside the exchange has no secret, so it gets
    a random one.
    """
    folder = course.paths.feedback_page(student, topic).parent
    for name in ("timestamp.txt", "submission_secret.txt"):
        (folder / name).unlink(missing_ok=True)
    copy_submission_metadata(course.paths.submission(student, topic).parent, folder)
    for name, default in (("timestamp.txt", ""), ("submission_secret.txt", secrets.token_hex(64))):
        if not (folder / name).is_file():
            write_text(folder / name, default)


def render_feedback(course: Course, topic: str, feedback: Feedback, mathml: dict[TexFormula, str]) -> str:
    """Render a student's page as a self-contained HTML file."""
    outcome, score, exercises = feedback.outcome, feedback.score, feedback.exercises
    return render_page(
        "feedback.html",
        title=course.title(topic),
        topic=topic,
        student=person(course, feedback.student).shown,
        score=score.get("score", 0.0),
        max=score.get("max", 0.0),
        pending=score.get("needs_manual_grade", False),
        late=outcome.late,
        penalty=score.get("penalty", 0.0),
        notes=[*outcome.notes, *retake_notes(course, topic, feedback.student)],
        lost=sorted(
            (exercise for exercise in exercises if exercise.lost), key=lambda exercise: -exercise.lost
        ),
        to_read=[exercise for exercise in exercises if exercise.mark != "good"],
        right=[exercise for exercise in exercises if exercise.mark == "good"],
        shown=lambda text: markdown_with_formulas(text, mathml),
    )
