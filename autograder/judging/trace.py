"""Traces: two numbers by which an answer of any shape is told from every other.

A key must recognise some hundred wrong answers to each task. It keeps of each, case by case and part by part, not the
answer but its trace: two weighted sums of the quantity that the task's sameness leaves alone. The weights depend on the
shape and follow no pattern that answers follow, so two answers with the same trace are the same answer.

Some outcomes are no numbers: a wrong way may raise, it may say nothing definite, or lose everything to cancellation,
and then an exact zero, a tiny number, an enormous one and nan are one outcome of one unstable way. An answer that is
nan wherever it is wrong could have come from anywhere, and is evidence for none.
"""

import base64
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from autograder.judging.sameness import Sameness

Array = NDArray[np.float64]

LOST, RAISED, SILENT = np.inf, -np.inf, np.nan
CLOSE = 4e-6  # of the size of the quantity: traces are kept in single precision
TINY, HUGE = (
    1e-7,
    1e10,
)  # of the size of the right answer: what cancellation leaves behind, and dividing by that
# of the size of the right answer: what was divided twice by a rounding error is smaller
ABSURD = 1e30
DROWNED = 1e-7  # of the inputs: a few square roots of the machine's precision
DIGITS = 6


@lru_cache(maxsize=256)
def weights(shape: tuple[int, ...]) -> Array:
    """Two rows of unit length, one weight for each entry of an array of this shape."""
    size = int(np.prod(shape, dtype=int))
    start = sum((position + 1) * 0.7548776662466927 * length for position, length in enumerate(shape))
    steps = np.arange(1, size + 1)
    turns = np.vstack([steps * 0.6180339887498949 + start, steps**2 * 0.3819660112501051 + 2 * start])
    made: Array = np.cos(2 * np.pi * turns)
    unit: Array = made / np.maximum(np.linalg.norm(made, axis=1, keepdims=True), 1e-12)
    return unit


def quantity_of(part: Array, same: Sameness) -> Array:
    """What two equal answers have in common; where the sameness means nothing, an answer stands for itself."""
    return part if same.axes not in (None, part.ndim) else same.quantity(part)


def trace(quantity: Array) -> Array:
    """The two numbers."""
    made: Array = weights(quantity.shape) @ quantity.ravel()
    return made


def is_absurd(part: Array, expected: Array, scale: float) -> bool:
    """Is an answer not finite, or out of all proportion to what is right? Then it is evidence for nothing."""
    if not np.isfinite(part).all():
        return True
    size = float(np.abs(expected).max(initial=0.0)) or scale
    return float(np.abs(part).max(initial=0.0)) > ABSURD * size


def is_lost(part: Array, expected: Array) -> bool:
    """Has cancellation eaten the answer?"""
    return not np.isfinite(part).all() or lost_as(part, expected) in ("tiny", "huge")


def lost_as(part: Array, expected: Array) -> str:
    """Name an answer that is "tiny", "huge" or "absurd" beside the right one; empty where it is none of them."""
    size = float(np.abs(expected).max(initial=0.0))
    if size == 0 or not np.isfinite(part).all():
        return ""
    own = float(np.abs(part).max(initial=0.0))
    if own > ABSURD * size:
        return "absurd"
    return "huge" if own >= HUGE * size else "tiny" if own <= TINY * size else ""


def is_drowned(part: Array, expected: Array, scale: float) -> bool:
    """Are both what was given and what is right so small, beside the inputs, that squaring would lose them?

    A square root of rounding errors is neither zero nor tiny beside such an answer: it may even be larger.
    """
    return bool(
        np.isfinite(part).all()
        and 0 < float(np.abs(expected).max(initial=0.0)) <= DROWNED * scale
        and float(np.abs(part).max(initial=0.0)) <= DROWNED * scale
    )


def rounded(numbers: Array, size: float) -> Array:
    """Traces as keys keep them: the same bytes whatever rounding errors a library makes."""
    if size == 0 or not np.isfinite(size):
        return numbers
    step = 10.0 ** (np.floor(np.log10(size)) - DIGITS)
    kept: Array = np.round(numbers / step + 0.0137) * step
    return kept


def matching(table: Array, own: Array, size: float) -> NDArray[np.bool_]:
    """Which rows of a table of traces are this one, for an answer of this size?"""
    if not np.isfinite(size):
        return np.zeros(len(table), dtype=bool)
    with np.errstate(invalid="ignore"):
        close: NDArray[np.bool_] = np.all(np.abs(table - own) <= CLOSE * size, axis=-1)
    return close


def packed(table: Array) -> str:
    """A table of traces as text."""
    return base64.b64encode(np.ascontiguousarray(table, dtype="<f4").tobytes()).decode()


def unpacked(text: str, parts: int) -> Array:
    """The table that `packed` wrote."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4").astype(np.float64).reshape(-1, parts, 2)
