"""Properties of right answers, and sentences for answers without them.

When a key is made, the reference is tested for them on the key's cases and on secret draws. A sentence states two facts
about one case: what the answer is there, and what the right one is there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from autograder.answers.arrays import Array

PROPERTY_TOLERANCE = 1e-4


@dataclass(frozen=True)
class Property:
    """A property: its test, and sentences for an answer that lacks it.

    `sentence` speaks of a list or table, `of_a_number` of one number. `{value}` stands for `measure` of the answer.
    """

    holds: Callable[[Array], bool]
    sentence: str
    of_a_number: str = ""
    measure: Callable[[Array], float] | None = None

    def describe_lack(self, part: Array) -> str:
        """Return the sentence for an answer that lacks the property.

        It has `{it}` for the answer.
        """
        text = self.of_a_number if part.ndim == 0 and self.of_a_number else self.sentence
        return text.replace("{value}", format_number(self.measure(part)) if self.measure else "")


def format_number(number: float) -> str:
    """Format a number with at most four digits, as the pages do."""
    return f"{number + 0.0:.4g}"


def _holds(test: Callable[[Array], object]) -> Callable[[Array], bool]:
    def safe(r: Array) -> bool:
        try:
            with np.errstate(all="ignore"):
                return bool(np.isfinite(r).all()) and bool(test(r))
        except (ValueError, IndexError, np.linalg.LinAlgError):
            return False

    return safe


def _is_square(r: Array) -> bool:
    return r.ndim == 2 and r.shape[0] == r.shape[1] > 1


def _scale(r: Array) -> float:
    return PROPERTY_TOLERANCE * float(np.abs(r).max(initial=0.0))


def _is_diagonal(product: Array) -> bool:
    return bool(np.abs(product - np.diag(np.diag(product))).max() <= _scale(product))


PROPERTIES: dict[str, Property] = {
    "symmetric": Property(
        _holds(lambda r: _is_square(r) and np.abs(r - r.T).max() <= _scale(r)),
        "{it} is not symmetric; the right matrix is.",
    ),
    "not negative": Property(
        _holds(lambda r: r.size > 0 and r.min() >= -_scale(r)),
        "{it} has negative entries; the right one has none.",
        "{it} is negative; the right number is not.",
    ),
    "at most one": Property(
        _holds(lambda r: r.size > 0 and r.max() <= 1 + PROPERTY_TOLERANCE),  # told of what is never negative
        "{it} has entries above 1; the right one has none.",
        "{it} is larger than 1; the right number is not.",
    ),
    "whole": Property(
        _holds(lambda r: r.size > 0 and np.allclose(r, np.rint(r), atol=PROPERTY_TOLERANCE)),
        "{it} has entries that are not whole numbers; the right ones are whole.",
        "{it} is not a whole number; the right one is.",
    ),
    "adds up to one": Property(
        _holds(lambda r: r.ndim == 1 and r.size > 1 and abs(r.sum() - 1) <= PROPERTY_TOLERANCE),
        "The entries of {it} add up to {value}; the right ones add up to 1.",
        measure=lambda r: float(r.sum()),
    ),
    "columns of length one": Property(
        _holds(lambda r: r.ndim == 2 and np.allclose(np.linalg.norm(r, axis=0), 1, atol=PROPERTY_TOLERANCE)),
        "The columns of {it} do not have length 1; the right ones do.",
    ),
    "orthogonal columns": Property(
        _holds(lambda r: r.ndim == 2 and r.shape[1] > 1 and _is_diagonal(r.T @ r)),
        "The columns of {it} are not orthogonal; the right ones are.",
    ),
    "columns of mean zero": Property(
        _holds(lambda r: r.ndim == 2 and len(r) > 1 and np.abs(r.mean(axis=0)).max() <= _scale(r)),
        "The columns of {it} do not have mean zero; the right ones do.",
    ),
    "length one": Property(
        _holds(lambda r: r.ndim == 1 and r.size > 1 and abs(np.linalg.norm(r) - 1) <= PROPERTY_TOLERANCE),
        "{it} has length {value}; the right vector has length 1.",
        measure=lambda r: float(np.linalg.norm(r)),
    ),
    "descending": Property(
        _holds(lambda r: r.ndim == 1 and r.size > 1 and bool(np.all(np.diff(r) <= _scale(r)))),
        "The entries of {it} do not fall from the first to the last; the right ones do.",
    ),
    "its own square": Property(
        _holds(lambda r: _is_square(r) and np.abs(r @ r - r).max() <= _scale(r)),
        "{it}, multiplied by itself, does not give itself; the right matrix does.",
    ),
    "never a negative square": Property(
        _holds(lambda r: _is_square(r) and np.linalg.eigvalsh((r + r.T) / 2).min() >= -_scale(r)),
        "{it} is not positive semidefinite; the right matrix is.",
    ),
}
