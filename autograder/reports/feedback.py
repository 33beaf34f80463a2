"""Feedback for each student: every answer with its verdict, hint and page to reread; never a hidden case."""

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from autograder.authoring.cells import check_of, is_answer, name_of, role
from autograder.course.course import Course
from autograder.course.files import write_text
from autograder.course.people import person
from autograder.errors import CourseError, stop_if_refused
from autograder.grading import gradebook
from autograder.grading.grade import carry_along
from autograder.grading.outcome import Outcome, outcomes_on_file
from autograder.reports.pages import render_page

# nbgrader's exchange copies a page with its rights; in the classroom, which nobody else may enter, they open nothing.
FOR_STUDENTS = 0o644


def write_feedback(course: Course, topic: str) -> list[Path]:
    """Write one page per graded student where nbgrader keeps feedback; return the pages.

    A page that cannot be made costs nobody else theirs: CourseError names it when the others are written.
    """
    scores, comments = gradebook.scores(course, topic), gradebook.comments(course, topic)
    written, problems = [], []
    for outcome in outcomes_on_file(course, topic):
        page = course.places.feedback_page(outcome.student, topic)
        try:
            if outcome.student not in scores:
                raise LookupError("the gradebook has no submission")
            score = {**scores[outcome.student], "comments": comments.get(outcome.student, {})}
            write_text(page, _page(course, topic, outcome, score))
            page.chmod(FOR_STUDENTS)
            _let_the_exchange_return(course, topic, outcome.student)
            written.append(page)
        except Exception as error:  # a graded notebook that somebody changed by hand, a student removed since
            stop_if_refused(error)
            problems.append(f"{outcome.student} ({type(error).__name__}: {error})"[:200])
    if problems:
        raise CourseError(
            f"{topic}: {len(written)} feedback pages were written, but not for {', '.join(problems[:5])}: "
            f"`dimred grade --force {topic}` grades anew"
        )
    return written


def _let_the_exchange_return(course: Course, topic: str, student: str) -> None:
    """Put beside the page what `nbgrader release_feedback` looks for; it would stop at the first page without.

    Work that did not come by the exchange has no secret, so its page gets one that nobody knows.
    """
    folder = course.places.feedback_page(student, topic).parent
    for name in ("timestamp.txt", "submission_secret.txt"):
        (folder / name).unlink(missing_ok=True)
    carry_along(course.places.submission(student, topic).parent, folder)
    for name, other in (("timestamp.txt", ""), ("submission_secret.txt", secrets.token_hex(64))):
        if not (folder / name).is_file():
            write_text(folder / name, other)


def _page(course: Course, topic: str, outcome: Outcome, score: dict[str, Any]) -> str:
    path = course.places.autograded(outcome.student, topic) / f"{topic}.ipynb"
    cells = nbformat.read(path, as_version=4).cells if path.is_file() else []
    return render_page(
        "feedback.html",
        topic=topic,
        student=person(course, outcome.student).shown,
        score=score.get("score", 0.0),
        max=score.get("max", 0.0),
        pending=score.get("needs_manual_grade", False),
        late=outcome.late,
        penalty=score.get("penalty", 0.0),
        notes=outcome.notes,
        items=list(_items(cells, score.get("scores", {}), score["comments"])),
    )


def _items(cells: list[Any], scores: dict[str, Any], comments: dict[str, str]) -> Iterator[dict[str, Any]]:
    """One card per graded cell; a test cell is shown with the answer it tests."""
    answers = {name_of(cell): cell.source for cell in cells if is_answer(cell)}
    for cell in cells:
        points = role(cell).get("points")
        if points is None:
            continue
        name, match = str(name_of(cell)), check_of(cell.source)
        tested = match["answer"] if match else name
        score = scores.get(name)
        yield {
            "id": name,
            "title": match["task"].replace("_", " ") if match else name.replace("-", " "),
            "score": score,
            "max": points,
            "mark": _mark(score, points),
            "answer": answers.get(tested, ""),
            "verdict": _verdict(cell),
            "comment": comments.get(tested) or comments.get(name),
        }


def _mark(score: float | None, points: float) -> str:
    if score is None or 0 < score < points:
        return "part"
    return "good" if score >= points else "bad"


def _verdict(cell: Any) -> str:
    """The verdict that grading wrote into the test cell; only test cells, which are ours, hold HTML."""
    for output in cell.get("outputs", []):
        if output.output_type == "display_data" and "text/html" in output.data:
            return str(output.data["text/html"])
    return ""
