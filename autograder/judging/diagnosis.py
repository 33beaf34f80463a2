"""What can be said about a wrong answer that no misconception explains: facts, never guesses.

Each test below names one relation between the answer and the expected one that a sameness does not
forgive. The first that holds is reported.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from autograder.answers.values import NotPlainError
from autograder.judging.sameness import Sameness, discrepancy

Array = NDArray[np.float64]
CLOSE = 1e-6


def diagnose(answer: Array, expected: Array, same: Sameness) -> str:
    """Return one true sentence about how the answer differs, without its full stop."""
    for relation in (_is_zero, _is_scaled, _is_sign_flipped, _is_reversed, _is_shifted):
        sentence = relation(answer, expected, same)
        if sentence:
            return sentence
    return f"The values differ: by {_gap(answer, expected, same):.2g} relative to their size"


def _gap(answer: Array, expected: Array, same: Sameness) -> float:
    try:
        return discrepancy(answer, expected, same)
    except NotPlainError:
        return float("inf")


def _is_zero(answer: Array, expected: Array, same: Sameness) -> str | None:
    return "All entries are zero" if not answer.any() else None


def _is_scaled(answer: Array, expected: Array, same: Sameness) -> str | None:
    size = float(np.linalg.norm(expected))
    factor = float(np.linalg.norm(answer)) / size if size else 0.0
    if factor == 0 or _gap(answer / factor, expected, same) > CLOSE:
        return None
    # any two numbers are multiples of each other: alone, only a simple ratio says something
    if answer.size == 1 and abs(factor - Fraction(factor).limit_denominator(12)) > CLOSE:
        return None
    return f"The values are {factor:.5g} times the expected ones"


def _is_sign_flipped(answer: Array, expected: Array, same: Sameness) -> str | None:
    return "The sign is wrong" if _gap(-answer, expected, same) <= CLOSE else None


def _is_reversed(answer: Array, expected: Array, same: Sameness) -> str | None:
    if answer.ndim == 0 or answer.shape[-1] < 2:
        return None
    flipped: Callable[[Array], Array] = lambda array: array[..., ::-1]  # noqa: E731
    return "The order is reversed" if _gap(flipped(answer), expected, same) <= CLOSE else None


def _is_shifted(answer: Array, expected: Array, same: Sameness) -> str | None:
    if answer.ndim == 0 or len(answer) < 3:
        return None
    moved = answer - answer.mean(axis=0) + expected.mean(axis=0)
    return "The values are shifted by a constant" if _gap(moved, expected, same) <= CLOSE else None
