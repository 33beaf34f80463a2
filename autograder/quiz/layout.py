"""The lines of blanks below the text of a question."""

import html
from collections.abc import Callable

from autograder.quiz.question import AnswerPart, QuizQuestion


def answer_lines(question: QuizQuestion, put: Callable[[int], str]) -> str:
    """Return a paragraph for each part or row of a table; `put(number)` is the markup of a blank."""
    lines = []
    for part in question.parts:
        heading = html.escape(part.name)
        for row, blanks in enumerate(_rows(part)):
            start = f"<b>{heading}</b>: " if heading and row == 0 else ""
            lines.append(f"<p>{start}{_row(part, row, blanks, put)}</p>")
    return "".join(lines)


def _rows(part: AnswerPart) -> list[list[int]]:
    blanks = list(part.blanks)
    if len(part.shape) < 2:
        return [blanks]
    width = part.shape[-1]
    return [blanks[start : start + width] for start in range(0, len(blanks), width)]


def _row(part: AnswerPart, row: int, blanks: list[int], put: Callable[[int], str]) -> str:
    if len(part.shape) > 1:
        return f"row {row + 1}: " + " ".join(put(blank) for blank in blanks)
    labels = [html.escape(part.labels[blank - part.first]) for blank in blanks]
    return " ".join(
        f"{label} {put(blank)}" if label else put(blank) for label, blank in zip(labels, blanks, strict=True)
    )
