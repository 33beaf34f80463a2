"""How a wrong array relates to the right one: facts that can be seen by laying the two side by side.

Each relation is a sentence with `{it}` for the answer, or nothing. They are tried in order, the most telling first.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from autograder.judging.sameness import Sameness, discrepancy, up_to_basis, up_to_rotation

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
CLOSE = 1e-6
FAR = 20.0  # times the right size
COUNTS = 1e6  # whole numbers above it are no counts
SOME = 0.2  # of the entries: fewer are right by luck
FEW_ENTRIES = 4  # fewer are all too small by luck
MOST_LISTED = 8  # columns or rows: more are counted, not listed
BY_COLUMNS = ("exactly", "up_to_column_signs")


def relation(given: Array, right: Array, same: Sameness) -> str:
    """What can be said of a wrong array of the right form beside the right one; empty if nothing can."""
    for one in RELATIONS:
        if text := one(given, right, same):
            return text
    return ""


def distance(given: Array, right: Array, same: Sameness) -> float:
    """How far apart two arrays are, up to the sameness; infinite where that means nothing."""
    try:
        return discrepancy(given, right, same)
    except ValueError:
        return float("inf")


def _is_scaled(given: Array, right: Array, same: Sameness) -> str:
    size = float(np.linalg.norm(right))
    factor = float(np.linalg.norm(given)) / size if size else 0.0
    if factor == 0 or given.size == 1 or distance(given / factor, right, same) > CLOSE:
        return ""
    simple = Fraction(factor).limit_denominator(12)
    said = str(simple) if abs(factor - simple) < CLOSE else f"{factor:.5g}"
    return f"{{it}} is {said} times what it should be."


def _is_shifted(given: Array, right: Array, same: Sameness) -> str:
    if given.shape != right.shape or given.ndim == 0 or len(given) < 3:
        return ""
    moved = given - given.mean(axis=0) + right.mean(axis=0)
    shifted = distance(moved, right, same) <= CLOSE
    return "{it} is right but for a shift by the same amount everywhere." if shifted else ""


def _is_right_on_the_diagonal(given: Array, right: Array, same: Sameness) -> str:
    if same.name != "exactly" or right.ndim != 2 or given.shape != right.shape or len(set(right.shape)) > 1:
        return ""
    close = np.abs(given - right) <= CLOSE * float(np.abs(right).max(initial=0.0))
    beside = ~np.eye(len(right), dtype=bool)
    if len(right) < 3 or not np.any(right[beside]):
        return ""
    if np.diag(close).all():
        return "{it} is right on its diagonal, not beside it."
    return "{it} is right beside its diagonal, not on it." if close[beside].all() else ""


def _has_right_columns(given: Array, right: Array, same: Sameness) -> str:
    if same.name not in BY_COLUMNS or right.ndim != 2 or given.shape != right.shape or len(right) < 2:
        return ""
    return _lines("Column", _close_lines(given.T, right.T, same.name != "exactly"))


def _has_right_rows(given: Array, right: Array, same: Sameness) -> str:
    if same.name != "exactly" or right.ndim != 2 or given.shape != right.shape or right.shape[1] < 2:
        return ""
    return _lines("Row", _close_lines(given, right, False))


def _close_lines(given: Array, right: Array, free_signs: bool) -> Flags:
    """Which lines of two tables agree, beside the largest of them."""
    gaps = np.linalg.norm(given - right, axis=1)
    if free_signs:
        gaps = np.minimum(gaps, np.linalg.norm(given + right, axis=1))
    close: Flags = gaps <= CLOSE * float(np.linalg.norm(right, axis=1).max(initial=0.0))
    return close


def _lines(word: str, close: Flags) -> str:
    right = [str(place) for place, yes in enumerate(close, start=1) if yes]
    if not right or len(right) == len(close):
        return ""
    if len(close) > MOST_LISTED:
        few = len(right) < SOME * len(close)
        return "" if few else f"{{it}} has {len(right)} of its {len(close)} {word.lower()}s right."
    named = f"{word} {right[0]}" if len(right) == 1 else f"{word}s {listed(right)}"
    verb, others = ("is" if len(right) == 1 else "are"), len(close) - len(right)
    return f"{named} of {{it}} {verb} right, the other{'s' if others > 1 else ''} not yet."


def listed(words: Sequence[str]) -> str:
    """Words in a row, with "and" before the last."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def _has_parallel_columns(given: Array, right: Array, same: Sameness) -> str:
    if same.name not in BY_COLUMNS or right.ndim != 2 or given.shape != right.shape or len(right) < 2:
        return ""
    if not _are_parallel(given.T, right.T, same.name != "exactly"):
        return ""
    return "Every column of {it} points the right way and has another length than it should."


def _has_parallel_rows(given: Array, right: Array, same: Sameness) -> str:
    if same.name != "exactly" or right.ndim != 2 or given.shape != right.shape or right.shape[1] < 2:
        return ""
    return "Every row of {it} is right up to a factor." if _are_parallel(given, right, False) else ""


def _are_parallel(given: Array, right: Array, free_signs: bool) -> bool:
    lengths = np.linalg.norm(given, axis=1), np.linalg.norm(right, axis=1)
    if min(one.min(initial=1.0) for one in lengths) <= CLOSE * max(one.max() for one in lengths):
        return False
    cosines = np.einsum("ij,ij->i", given, right) / (lengths[0] * lengths[1])
    return bool(np.all((np.abs(cosines) if free_signs else cosines) >= 1 - CLOSE))


def _spans_the_right_space(given: Array, right: Array, same: Sameness) -> str:
    if same.free_columns or right.ndim != 2 or given.shape != right.shape or right.shape[1] >= right.shape[0]:
        return ""
    if distance(given, right, up_to_basis) > CLOSE:
        return ""
    if distance(given, right, up_to_rotation) <= CLOSE:
        return "{it} has the right rows, but all of them were turned together."
    return "The columns of {it} span the right space, but they are other vectors of it."


def _has_other_dimension(given: Array, right: Array, same: Sameness) -> str:
    """A basis of too small or too large a space."""
    if not same.free_columns or given.ndim != 2 or given.shape[0] != right.shape[0]:
        return ""
    counts = [np.linalg.matrix_rank(one) if one.size else 0 for one in (given, right)]
    if counts[0] == counts[1]:
        return ""
    many = "vector" if counts[0] == 1 else "vectors"
    return f"{{it}} has {counts[0]} independent {many}; {counts[1]} are needed."


def _has_right_lengths(given: Array, right: Array, same: Sameness) -> str:
    if same.name not in BY_COLUMNS or right.ndim != 2 or given.shape != right.shape or right.shape[1] < 2:
        return ""
    one, other = np.linalg.norm(given, axis=0), np.linalg.norm(right, axis=0)
    if np.abs(one - other).max() > CLOSE * other.max(initial=0.0) or np.ptp(other) <= CLOSE * other.max():
        return ""
    return "Every column of {it} has the right length and points elsewhere."


def _is_off_in_some(given: Array, right: Array, same: Sameness) -> str:
    """Entries that are right already, where entries mean something by themselves."""
    if same.name != "exactly" or given.shape != right.shape or given.ndim == 0:
        return ""
    close = np.abs(given - right) <= CLOSE * float(np.abs(right).max(initial=0.0))
    if close.mean() < SOME or close.all():
        return ""
    return f"{{it}} has {int(close.sum())} of its {close.size} entries right."


def _adds_up(given: Array, right: Array, same: Sameness) -> str:
    """The right total of other entries."""
    if same.name != "exactly" or given.shape != right.shape or given.size < 2:
        return ""
    total = float(right.sum())
    if abs(total) <= 1e-3 * float(np.abs(right).max()) or abs(given.sum() - total) > CLOSE * abs(total):
        return ""
    return "The entries of {it} add up to what they should, but they are shared out in another way."


def _is_the_identity(given: Array, right: Array, same: Sameness) -> str:
    """What projecting or turning back gives if nothing was done."""
    if given.ndim != 2 or len(set(given.shape)) > 1 or len(given) < 2 or given.shape != right.shape:
        return ""
    return "{it} is the identity matrix." if np.abs(given - np.eye(len(given))).max() <= CLOSE else ""


def _has_entries_of_another_size(given: Array, right: Array, same: Sameness) -> str:
    """All entries on the same side of the right ones, where entries mean something by themselves."""
    if same.name != "exactly" or given.shape != right.shape or given.size < 2:
        return ""
    near, counts = CLOSE * float(np.abs(right).max(initial=0.0)), right != 0
    if counts.sum() < FEW_ENTRIES or np.any(given * right < 0):
        return ""
    further = (np.abs(given) - np.abs(right))[counts]
    if (further < -near).all():
        return "Every entry of {it} is too small in size."
    return "Every entry of {it} is too large in size." if (further > near).all() else ""


def _is_another_number(given: Array, right: Array, same: Sameness) -> str:
    """How large a single number is beside the right one; counts are right or wrong."""
    if given.size != 1 or right.size != 1 or same.name != "exactly" or is_count(right):
        return ""
    if not float(right.ravel()[0]):
        return "{it} should be zero there."
    factor = float(given.ravel()[0] / right.ravel()[0])
    if factor < 0:
        return "{it} has the wrong sign, and another size."
    return f"{{it}} is too {'large' if factor > 1 else 'small'}: {factor:.3g} times what it should be."


def is_count(right: Array) -> bool:
    """Is it made of whole numbers, of which ratios say nothing?"""
    return bool(np.allclose(right, np.rint(right)) and np.abs(right).max(initial=0.0) < COUNTS)


def gap(given: Array, right: Array, same: Sameness) -> str:
    """How far a wrong answer is from the right one, if nothing else can be said."""
    size = distance(given, right, same)
    if not np.isfinite(size) or is_count(right):
        return ""
    return ": it is far too large" if size > FAR else f": it differs by {size:.2g} of its size"


RELATIONS: tuple[Callable[[Array, Array, Sameness], str], ...] = (
    _is_the_identity,
    _is_scaled,
    _is_shifted,
    _has_right_columns,
    _has_right_rows,
    _has_parallel_columns,
    _has_parallel_rows,
    _is_right_on_the_diagonal,
    _spans_the_right_space,
    _has_other_dimension,
    _has_right_lengths,
    _is_off_in_some,
    _adds_up,
    _has_entries_of_another_size,
    _is_another_number,
)
