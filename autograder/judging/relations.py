"""Relations between a wrong array and the right one, as sentences.

Each function returns a sentence with `{it}` for the answer, or an empty text. They are tried in order, the most
specific first.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from autograder.answers.arrays import Array, Flags
from autograder.judging.sameness import Sameness, discrepancy, up_to_basis, up_to_rotation

RELATION_RTOL = 1e-6
FAR_TOO_LARGE_RATIO = 20.0  # relative distance
MAX_COUNT = 1e6  # larger whole numbers are no counts
MIN_RIGHT_SHARE = 0.2  # of the entries; fewer are right by chance
MIN_COMPARED_ENTRIES = 4  # fewer are all too small by chance
MAX_LISTED_LINES = 8  # columns or rows: more are counted, not listed
BY_COLUMNS = ("exactly", "up_to_column_signs")


def describe_relation(answer: Array, right: Array, same: Sameness) -> str:
    """Return the first relation that holds, for arrays of the right form."""
    for relation in RELATIONS:
        if text := relation(answer, right, same):
            return text
    return ""


def distance(answer: Array, right: Array, same: Sameness) -> float:
    """Return the distance of two arrays up to the sameness.

    It is infinite where the sameness is not defined.
    """
    try:
        return discrepancy(answer, right, same)
    except ValueError:
        return float("inf")


def _is_scaled(answer: Array, right: Array, same: Sameness) -> str:
    size = float(np.linalg.norm(right))
    factor = float(np.linalg.norm(answer)) / size if size else 0.0
    if factor == 0 or answer.size == 1 or distance(answer / factor, right, same) > RELATION_RTOL:
        return ""
    simple = Fraction(factor).limit_denominator(12)
    words = str(simple) if abs(factor - simple) < RELATION_RTOL else f"{factor:.5g}"
    if words == "1":
        return ""
    return f"{{it}} is {words} times what it should be."


def _is_shifted(answer: Array, right: Array, same: Sameness) -> str:
    if answer.shape != right.shape or answer.ndim == 0 or len(answer) < 3:
        return ""
    shift = answer.mean(axis=0) - right.mean(axis=0)
    if distance(answer - shift, right, same) > RELATION_RTOL:
        return ""
    if answer.ndim == 1 or np.ptp(shift) <= RELATION_RTOL * np.abs(shift).max(initial=0.0):
        return f"{{it}} is right but for a shift: {np.ravel(shift)[0]:.5g} is added to every entry."
    return "{it} is right but for a shift: each column is moved by an amount of its own."


def _is_right_on_the_diagonal(answer: Array, right: Array, same: Sameness) -> str:
    if same.name != "exactly" or right.ndim != 2 or answer.shape != right.shape or len(set(right.shape)) > 1:
        return ""
    close = np.abs(answer - right) <= RELATION_RTOL * float(np.abs(right).max(initial=0.0))
    beside = ~np.eye(len(right), dtype=bool)
    if len(right) < 3 or not np.any(right[beside]):
        return ""
    if np.diag(close).all() and np.diag(right).any():
        return "{it} is right on its diagonal, not beside it."
    return "{it} is right beside its diagonal, not on it." if close[beside].all() else ""


def _has_right_columns(answer: Array, right: Array, same: Sameness) -> str:
    if same.name not in BY_COLUMNS or right.ndim != 2 or answer.shape != right.shape or len(right) < 2:
        return ""
    return _lines("Column", _close_lines(answer.T, right.T, same.name != "exactly"))


def _has_right_rows(answer: Array, right: Array, same: Sameness) -> str:
    if same.name != "exactly" or right.ndim != 2 or answer.shape != right.shape or right.shape[1] < 2:
        return ""
    return _lines("Row", _close_lines(answer, right, False))


def _close_lines(answer: Array, right: Array, free_signs: bool) -> Flags:
    """Return which rows of two tables agree, relative to the largest row."""
    gaps = np.linalg.norm(answer - right, axis=1)
    if free_signs:
        gaps = np.minimum(gaps, np.linalg.norm(answer + right, axis=1))
    close: Flags = gaps <= RELATION_RTOL * float(np.linalg.norm(right, axis=1).max(initial=0.0))
    return close


def _lines(word: str, close: Flags) -> str:
    right = [str(place) for place, yes in enumerate(close, start=1) if yes]
    if not right or len(right) == len(close):
        return ""
    if len(close) > MAX_LISTED_LINES:
        few = len(right) < MIN_RIGHT_SHARE * len(close)
        return "" if few else f"{{it}} has {len(right)} of its {len(close)} {word.lower()}s right."
    named = f"{word} {right[0]}" if len(right) == 1 else f"{word}s {join_words(right)}"
    verb, others = ("is" if len(right) == 1 else "are"), len(close) - len(right)
    return f"{named} of {{it}} {verb} right, the other{'s' if others > 1 else ''} not yet."


def join_words(words: Sequence[str]) -> str:
    """Join words with commas, and with "and" before the last."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def _has_parallel_columns(answer: Array, right: Array, same: Sameness) -> str:
    if same.name not in BY_COLUMNS or right.ndim != 2 or answer.shape != right.shape or len(right) < 2:
        return ""
    if not _are_parallel(answer.T, right.T, same.name != "exactly"):
        return ""
    return "Every column of {it} points the right way and has another length than it should."


def _has_parallel_rows(answer: Array, right: Array, same: Sameness) -> str:
    if same.name != "exactly" or right.ndim != 2 or answer.shape != right.shape or right.shape[1] < 2:
        return ""
    return "Every row of {it} is right up to a factor." if _are_parallel(answer, right, False) else ""


def _are_parallel(answer: Array, right: Array, free_signs: bool) -> bool:
    lengths = np.linalg.norm(answer, axis=1), np.linalg.norm(right, axis=1)
    if min(norms.min(initial=1.0) for norms in lengths) <= RELATION_RTOL * max(
        norms.max() for norms in lengths
    ):
        return False
    cosines = np.einsum("ij,ij->i", answer, right) / (lengths[0] * lengths[1])
    return bool(np.all((np.abs(cosines) if free_signs else cosines) >= 1 - RELATION_RTOL))


def _spans_the_right_space(answer: Array, right: Array, same: Sameness) -> str:
    if (
        same.free_columns
        or right.ndim != 2
        or answer.shape != right.shape
        or right.shape[1] >= right.shape[0]
    ):
        return ""
    if distance(answer, right, up_to_basis) > RELATION_RTOL:
        return ""
    if distance(answer, right, up_to_rotation) <= RELATION_RTOL:
        return "{it} has the right rows, but all of them were turned together."
    return "The columns of {it} span the right space, but they are other vectors of it."


def describe_dimension(answer: Array, right: Array, same: Sameness) -> str:
    """Describe a basis whose span has the wrong dimension."""
    if not same.free_columns or answer.ndim != 2 or answer.shape[0] != right.shape[0]:
        return ""
    counts = [np.linalg.matrix_rank(array) if array.size else 0 for array in (answer, right)]
    if counts[0] == counts[1]:
        return ""
    many = "vector" if counts[0] == 1 else "vectors"
    return f"{{it}} has {counts[0]} independent {many}; {counts[1]} are needed."


def _has_right_lengths(answer: Array, right: Array, same: Sameness) -> str:
    if same.name not in BY_COLUMNS or right.ndim != 2 or answer.shape != right.shape or right.shape[1] < 2:
        return ""
    lengths, right_lengths = np.linalg.norm(answer, axis=0), np.linalg.norm(right, axis=0)
    if (
        np.abs(lengths - right_lengths).max() > RELATION_RTOL * right_lengths.max(initial=0.0)
        or np.ptp(right_lengths) <= RELATION_RTOL * right_lengths.max()
    ):
        return ""
    return "Every column of {it} has the right length and points elsewhere."


def _is_off_in_some(answer: Array, right: Array, same: Sameness) -> str:
    """Count the entries that are right, under the sameness `exactly`."""
    if same.name != "exactly" or answer.shape != right.shape or answer.ndim == 0:
        return ""
    close = np.abs(answer - right) <= RELATION_RTOL * float(np.abs(right).max(initial=0.0))
    counts = right != 0  # a zero is right by chance
    if close.all() or not counts.any() or close[counts].mean() < MIN_RIGHT_SHARE:
        return ""
    return f"{{it}} has {int(close.sum())} of its {close.size} entries right."


def _adds_up(answer: Array, right: Array, same: Sameness) -> str:
    """Recognise wrong entries with the right sum."""
    if same.name != "exactly" or answer.shape != right.shape or answer.size < 2:
        return ""
    total = float(right.sum())
    if abs(total) <= 1e-3 * float(np.abs(right).max()) or abs(answer.sum() - total) > RELATION_RTOL * abs(
        total
    ):
        return ""
    return "The entries of {it} add up to what they should, but they are shared out in another way."


def _is_the_identity(answer: Array, right: Array, same: Sameness) -> str:
    """Recognise the identity matrix.

    It is the usual result of projecting or inverting when nothing was done.
    """
    if answer.ndim != 2 or len(set(answer.shape)) > 1 or len(answer) < 2 or answer.shape != right.shape:
        return ""
    return (
        "{it} is the identity matrix." if np.abs(answer - np.eye(len(answer))).max() <= RELATION_RTOL else ""
    )


def _has_entries_of_another_size(answer: Array, right: Array, same: Sameness) -> str:
    """Recognise entries that are all too small or all too large."""
    if same.name != "exactly" or answer.shape != right.shape or answer.size < 2:
        return ""
    near, counts = RELATION_RTOL * float(np.abs(right).max(initial=0.0)), right != 0
    if counts.sum() < MIN_COMPARED_ENTRIES or np.any(answer * right < 0):
        return ""
    further = (np.abs(answer) - np.abs(right))[counts]
    which = "Every entry of {it}" if counts.all() else "Every entry of {it} that should not be zero"
    if (further < -near).all():
        return f"{which} is too small in size."
    return f"{which} is too large in size." if (further > near).all() else ""


def _is_another_number(answer: Array, right: Array, same: Sameness) -> str:
    """Compare a single number with the right one, by ratio or difference."""
    if answer.size != 1 or right.size != 1 or same.name != "exactly":
        return ""
    if is_count(right):
        return _is_another_count(float(answer.ravel()[0]), float(right.ravel()[0]))
    if not float(right.ravel()[0]):
        return "{it} should be zero there."
    factor = float(answer.ravel()[0] / right.ravel()[0])
    if factor < 0:
        return "{it} has the wrong sign, and another size."
    if f"{factor:.3g}" == "1":
        return f"{{it}} differs from the right number by {abs(factor - 1):.2g} of its size."
    return f"{{it}} is too {'large' if factor > 1 else 'small'}: {factor:.3g} times what it should be."


def _is_another_count(answer: float, right: float) -> str:
    if answer != round(answer) or not np.isfinite(answer):
        return ""
    return f"{{it}} is too {'large' if answer > right else 'small'} by {abs(answer - round(right)):.0f}."


def is_count(right: Array) -> bool:
    """Return whether an array holds whole numbers below MAX_COUNT.

    Ratios of counts prove nothing.
    """
    return bool(np.allclose(right, np.rint(right)) and np.abs(right).max(initial=0.0) < MAX_COUNT)


def describe_distance(answer: Array, right: Array, same: Sameness) -> str:
    """Describe how far a wrong answer is from the right one."""
    size = distance(answer, right, same)
    if not np.isfinite(size) or is_count(right):
        return ""
    return (
        ": it is far too large" if size > FAR_TOO_LARGE_RATIO else f": it differs by {size:.2g} of its size"
    )


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
    describe_dimension,
    _has_right_lengths,
    _is_off_in_some,
    _adds_up,
    _has_entries_of_another_size,
    _is_another_number,
)
