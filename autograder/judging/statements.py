"""Statements that a course declares of its right answers, told where a wrong answer breaks them.

    @task.code(…, always=(statement("x <= 100", "{it} has entries above 100; a percentage has none."),))

The condition compares two formulas for every number x of a part; `sum`, `mean`, `least`, `most` and `n` stand for those
of all its numbers. Condition and sentence are the name of the statement in a key, so it needs no code of the course. It
must hold for the reference, on the cases of a draw and on others, or no draw is certified.
"""

import functools
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from autograder.answers.arrays import Array
from autograder.errors import BadKeyError
from autograder.judging import expressions
from autograder.judging.properties import PROPERTIES, PROPERTY_TOLERANCE, Property

COMPARISON = re.compile(r"(?P<left>[^<>=]+)(?P<sign><=|>=|=)(?P<right>[^<>=]+)")
SAMPLE_NUMBERS = np.array([1.0, 2.0])
MAX_NUMBERS_TRIED = 10_000


@dataclass(frozen=True)
class Statement:
    """A condition on the numbers of one part of the answer, and a sentence for answers that break it."""

    condition: str
    sentence: str
    part: int = 0

    @property
    def name(self) -> str:
        """Return the name in keys."""
        return f"{self.condition}: {self.sentence}"


def statement(condition: str, sentence: str, part: int = 0) -> Statement:
    """Declare a statement; raise ValueError if its condition cannot be read.

    `{it}` in the sentence stands for the answer, or for the part that `part` counts from 0.
    """
    if "|" in sentence or "\n" in sentence or ":" in condition or "{it}" not in sentence:
        raise ValueError(
            f"the sentence of a statement is one line with {{it}} and without |, not {sentence!r}"
        )
    _condition(condition)(SAMPLE_NUMBERS)
    return Statement(condition, sentence, part)


def _condition(text: str) -> Callable[[Array], bool]:
    match = COMPARISON.fullmatch(text)
    if match is None:
        raise ValueError(
            f"a condition compares two formulas by <=, >= or =, such as 'x <= 100', not {text!r}"
        )

    def holds(part: Array) -> bool:
        numbers = part.ravel()
        if not numbers.size or numbers.size > MAX_NUMBERS_TRIED or not np.isfinite(numbers).all():
            return False
        left, right = np.array(expressions.near_values([match["left"], match["right"]], _points(numbers)))
        room = PROPERTY_TOLERANCE * max(float(np.abs(right).max()), 1e-12)
        above, below = bool(np.all(left >= right - room)), bool(np.all(left <= right + room))
        return above and below if match["sign"] == "=" else above if match["sign"] == ">=" else below

    return holds


def _points(numbers: Array) -> list[Mapping[str, float]]:
    whole = {
        "sum": float(numbers.sum()),
        "mean": float(numbers.mean()),
        "least": float(numbers.min()),
        "most": float(numbers.max()),
        "n": float(numbers.size),
    }
    return [{"x": float(number), **whole} for number in numbers]


@functools.lru_cache(maxsize=256)
def property_named(name: str) -> Property:
    """Return the property of a name in a key; raise BadKeyError if it cannot be read."""
    if name in PROPERTIES:
        return PROPERTIES[name]
    condition, colon, sentence = name.partition(": ")
    try:
        if not colon:
            raise ValueError("this version of the engine does not have it")
        read = statement(condition, sentence)
    except ValueError as error:
        raise BadKeyError(f"the key names the statement {name!r}: {error}") from None
    return Property(_condition(read.condition), read.sentence)
