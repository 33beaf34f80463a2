"""Readings of answers by a file alone, and their agreement with the judge."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.quiz.choice import AnyQuestion
from autograder.quiz.question import Foreseen
from autograder.quiz.texts import replace_formulas

MAX_SCORE_DIFFERENCE = 1e-4  # shares of the points are written with seven decimals
_TAG = re.compile(r"<[^>]*>")


@dataclass(frozen=True)
class Reading:
    """The share of the points and the feedback for an answer, without tags and formulas."""

    fraction: float
    feedback: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Return whether the answer earns all points."""
        return self.fraction > 1 - MAX_SCORE_DIFFERENCE


Reader = Callable[
    [Sequence[Any]], Reading
]  # of one question: typed numbers or chosen letters → what the platform says
Readers = Mapping[str, Reader]  # by the ident of the question


def plain_text(text: str) -> str:
    """Return an HTML text without tags and formulas."""
    without = _TAG.sub(" ", replace_formulas(text, lambda tex, displayed: " "))
    return " ".join(html.unescape(without).split())


@dataclass(frozen=True)
class ReadingAgreement:
    """Agreement of a file with the judge on one foreseen answer."""

    task: str
    answer: str
    is_verdict_equal: bool
    is_score_equal: bool
    is_hint_shown: bool
    is_only_hint: bool


def compare_reading(question: AnyQuestion, reader: Reader) -> list[ReadingAgreement]:
    """Compare all foreseen answers of a question."""
    hints = {plain_text(answer.feedback) for answer in question.foreseen if answer.feedback}
    return [_agreement(question, answer, reader(answer.numbers), hints) for answer in question.foreseen]


def _agreement(
    question: AnyQuestion, answer: Foreseen, reading: Reading, hints: set[str]
) -> ReadingAgreement:
    shown = [text for text in reading.feedback if any(hint in text for hint in hints)]
    expected = plain_text(answer.feedback)
    return ReadingAgreement(
        f"{question.topic}.{question.task}",
        answer.name,
        reading.passed == answer.passed,
        abs(reading.fraction - answer.fraction) < MAX_SCORE_DIFFERENCE,
        expected in " ".join(shown) if expected else not shown,
        " ".join(shown) == expected,
    )
