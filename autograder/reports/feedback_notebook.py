"""Format feedback as a notebook, for Canvas.

Canvas returns a file under the name of the submitted one. An HTML page named `topic.ipynb` could not be opened, so the
file is a notebook. It has Markdown cells only, so it cannot run code.
"""

import json
from collections.abc import Iterator

import nbformat

from autograder.reports.exercise import Exercise
from autograder.reports.feedback import Feedback


def feedback_notebook(title: str, shown_name: str, feedback: Feedback) -> str:
    """Return a student's feedback as the text of a notebook."""
    score = feedback.score
    lines = [
        f"# {title}: feedback",
        f"{shown_name}: **{score['score']:g} of {score['max']:g} points**",
    ]
    if score.get("needs_manual_grade"):
        lines.append("Open questions are still to be read by a person.")
    if feedback.outcome.late:
        lines.append(
            f"Handed in {feedback.outcome.late} late: {score.get('penalty', 0.0):g} points are taken off."
        )
    lines += [f"Note: {note}." for note in feedback.outcome.notes]
    losses = sorted(
        (exercise for exercise in feedback.exercises if exercise.lost), key=lambda exercise: -exercise.lost
    )
    lines.append(
        "\n".join(
            f"- {exercise.title}: {exercise.lost:g} of {exercise.points:g} points lost" for exercise in losses
        )
    )
    cells = ["\n\n".join(filter(None, lines))]
    cells += ["\n\n".join(_paragraphs(exercise)) for exercise in feedback.exercises]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text) for text in cells])
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"feedback-{number}"  # deterministic, so that the same feedback has the same bytes
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _paragraphs(exercise: Exercise) -> Iterator[str]:
    """Yield the paragraphs about one exercise."""
    points = "not read yet" if exercise.score is None else f"{exercise.score:g} of {exercise.points:g}"
    yield f"## {exercise.title}: {points}"
    if exercise.verdict_text:
        yield _fenced(exercise.verdict_text)
    yield from (f"- {name}: {earned:g} of {most:g}" for name, earned, most in exercise.decided_items)
    if exercise.free_comment:
        yield f"Comment: {exercise.free_comment}"
    if exercise.answer:
        yield "Your answer:"
        yield _fenced(exercise.answer, "python") if exercise.is_code else exercise.answer
    if exercise.model_answer:
        yield "The author's answer:"
        yield _fenced(exercise.model_answer, "python") if exercise.is_code else exercise.model_answer


def _fenced(text: str, language: str = "") -> str:
    """Return a text as a code block, with a sufficiently long fence."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"
