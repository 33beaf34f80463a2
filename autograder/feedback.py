"""Feedback for each student: every answer with its verdict, hint and page to reread; never a hidden case."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from autograder import gradebook
from autograder.course import Course
from autograder.grading import Outcome, outcomes_on_file
from autograder.pages import render_page
from autograder.source_notebook import CHECK


def write_feedback(course: Course, topic: str) -> list[Path]:
    """Write one page per graded student where nbgrader keeps feedback; return the pages."""
    found = gradebook.scores(course, topic)
    written = []
    for outcome in outcomes_on_file(course, topic):
        folder = course.classroom / "feedback" / outcome.student / topic
        folder.mkdir(parents=True, exist_ok=True)
        page = folder / f"{topic}.html"
        page.write_text(_page(course, topic, outcome, found.get(outcome.student, {})), encoding="utf-8")
        written.append(page)
    return written


def _page(course: Course, topic: str, outcome: Outcome, score: dict[str, Any]) -> str:
    path = course.classroom / "autograded" / outcome.student / topic / f"{topic}.ipynb"
    cells = nbformat.read(path, as_version=4).cells if path.is_file() else []
    comments = gradebook.comments(course, topic, outcome.student)
    return render_page(
        "feedback.html",
        topic=topic,
        student=outcome.student,
        score=score.get("score", 0.0),
        max=score.get("max", 0.0),
        pending=score.get("needs_manual_grade", False),
        notes=outcome.notes,
        items=list(_items(cells, score.get("scores", {}), comments)),
    )


def _items(cells: list[Any], scores: dict[str, Any], comments: dict[str, str]) -> Iterator[dict[str, Any]]:
    """One card per graded cell; a test cell is shown with the answer it tests."""
    answers = {_role(cell).get("grade_id"): cell.source for cell in cells if _role(cell).get("solution")}
    for cell in cells:
        role = _role(cell)
        if not role.get("grade"):
            continue
        name, match = role["grade_id"], CHECK.match(cell.source.strip())
        tested = match["answer"] if match else name
        score = scores.get(name)
        yield {
            "id": name,
            "title": match["task"].replace("_", " ") if match else name.replace("-", " "),
            "score": score,
            "max": role["points"],
            "mark": _mark(score, role["points"]),
            "answer": answers.get(tested, ""),
            "verdict": _verdict(cell),
            "comment": comments.get(tested) or comments.get(name),
        }


def _role(cell: Any) -> Any:
    return cell.metadata.get("nbgrader", {})


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
