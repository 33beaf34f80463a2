"""Traces: compact signatures of wrong answers.

A key must recognise some hundred wrong answers to each task. It stores for each of them, case by case and part by part,
two weighted sums of the invariant instead of the answer. The weights depend on the shape and have no pattern, so
different answers have equal traces only by coincidence.

Some outcomes have no numbers: a mistake may raise an exception (RAISED), have no definite result (UNDEFINED), or suffer
cancellation (CANCELLED). After cancellation an exact zero, a tiny number, an enormous one and NaN are the same outcome.
An answer that is NaN wherever it is wrong has too many possible causes and proves none.
"""

import base64
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from autograder.answers.arrays import Array
from autograder.judging.sameness import Sameness

CANCELLED, RAISED, UNDEFINED = np.inf, -np.inf, np.nan
TRACE_RTOL = 4e-6  # of the size of the quantity: traces are stored in single precision
TINY, HUGE = (
    1e-7,
    1e10,
)  # of the size of the right answer: what cancellation leaves behind, and dividing by that
# of the size of the right answer: even dividing twice by a rounding error gives less
ABSURD = 1e30
BELOW_PRECISION_RATIO = 1e-7  # of the inputs: a few times the square root of the machine precision
TRACE_DIGITS = 6


@lru_cache(maxsize=256)
def weights(shape: tuple[int, ...]) -> Array:
    """Return two rows of weights of unit length for an array shape."""
    size = int(np.prod(shape, dtype=int))
    start = sum((position + 1) * 0.7548776662466927 * length for position, length in enumerate(shape))
    steps = np.arange(1, size + 1)
    turns = np.vstack([steps * 0.6180339887498949 + start, steps**2 * 0.3819660112501051 + 2 * start])
    waves: Array = np.cos(2 * np.pi * turns)
    unit: Array = waves / np.maximum(np.linalg.norm(waves, axis=1, keepdims=True), 1e-12)
    return unit


def quantity_of(part: Array, same: Sameness) -> Array:
    """Return the invariant of a part, or the part itself if undefined."""
    return part if same.axes not in (None, part.ndim) else same.quantity(part)


def trace(quantity: Array) -> Array:
    """Return the two weighted sums."""
    sums: Array = weights(quantity.shape) @ quantity.ravel()
    return sums


def is_absurd(part: Array, expected: Array, scale: float) -> bool:
    """Return whether an answer is not finite or absurdly large.

    Such an answer proves nothing.
    """
    if not np.isfinite(part).all():
        return True
    size = float(np.abs(expected).max(initial=0.0)) or scale
    return float(np.abs(part).max(initial=0.0)) > ABSURD * size


def is_lost(part: Array, expected: Array) -> bool:
    """Return whether cancellation seems to have spoilt the answer."""
    return not np.isfinite(part).all() or cancellation_kind(part, expected) in ("tiny", "huge")


def cancellation_kind(part: Array, expected: Array) -> str:
    """Return "tiny", "huge" or "absurd" beside the right answer, else nothing."""
    size = float(np.abs(expected).max(initial=0.0))
    if size == 0 or not np.isfinite(part).all():
        return ""
    largest = float(np.abs(part).max(initial=0.0))
    if largest > ABSURD * size:
        return "absurd"
    return "huge" if largest >= HUGE * size else "tiny" if largest <= TINY * size else ""


def is_below_precision(part: Array, expected: Array, scale: float) -> bool:
    """Return whether answer and right answer are tiny beside the inputs.

    Squaring would lose numbers of this size. A square root of rounding errors may be larger than such an answer.
    """
    return bool(
        np.isfinite(part).all()
        and 0 < float(np.abs(expected).max(initial=0.0)) <= BELOW_PRECISION_RATIO * scale
        and float(np.abs(part).max(initial=0.0)) <= BELOW_PRECISION_RATIO * scale
    )


def round_traces(numbers: Array, size: float) -> Array:
    """Round traces as keys store them, independent of rounding errors."""
    if size == 0 or not np.isfinite(size):
        return numbers
    step = 10.0 ** (np.floor(np.log10(size)) - TRACE_DIGITS)
    rounded: Array = np.round(numbers / step + 0.0137) * step
    return rounded


def matching(table: Array, target: Array, size: float) -> NDArray[np.bool_]:
    """Return which rows of a table equal a trace.

    `size` is the magnitude of the answer, to which the tolerance is relative."""
    if not np.isfinite(size):
        return np.zeros(len(table), dtype=bool)
    with np.errstate(invalid="ignore"):
        close: NDArray[np.bool_] = np.all(np.abs(table - target) <= TRACE_RTOL * size, axis=-1)
    return close


def encode_traces(table: Array) -> str:
    """Encode a table of traces as text."""
    return base64.b64encode(np.ascontiguousarray(table, dtype="<f4").tobytes()).decode()


def decode_traces(text: str, parts: int) -> Array:
    """Decode a table that `encode_traces` wrote."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4").astype(np.float64).reshape(-1, parts, 2)
