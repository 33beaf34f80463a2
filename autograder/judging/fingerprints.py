"""Salted fingerprints: hashes by which a sealed key recognises an answer.

A fingerprint is a slow salted hash (PBKDF2-HMAC-SHA256) of the answer rounded to a grid, so equal answers have equal
fingerprints. Python's `hashlib` computes it. Python in the browser has no PBKDF2, so this module holds an equivalent.

A fingerprint does not protect a number from brute force. The key tells the size of a number, and each entry of a list
has a fingerprint of its own. So a number has at most twenty thousand possible values, a small whole number twenty, and
a guess takes less than a millisecond. `guesses_needed` counts the guesses, and certificates report the count of each
task. For this reason the published key never decides a grade: a class has its own numbers, and with a roster each
student has.

A fingerprint does keep the answer from being read by accident: finding it takes a program. A submission gets no key
file while it is graded (`Assignment.data_files`).
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from autograder.answers.arrays import Array

PBKDF2_ITERATIONS = 100
FINGERPRINT_BYTES = 9  # twelve characters in base64
GRID_DIGITS = 3
# in grid steps: without it, rounding errors would decide how a decimal that ends in 5 is rounded
GRID_TIE_OFFSET = 1e-6


def leading_power(largest: float) -> int:
    """Return the exponent of the leading power of ten.

    A number that rounding errors put just below a power of ten counts as that power.
    """
    return int(np.floor(np.log10(largest * (1 + 1e-9))))


def grid_of(quantity: Any) -> float:
    """Return the rounding step for answers of this size.

    The step is a thousandth of the leading power of ten.
    """
    largest = float(np.abs(quantity).max(initial=0.0))
    return float(10.0 ** ((leading_power(largest) if largest > 0 else 0) - GRID_DIGITS))


def guesses_needed(quantity: object, *, one_by_one: bool) -> int:
    """Return how many guesses certainly find an answer by brute force.

    `one_by_one` says that each entry has a fingerprint of its own.
    """
    numbers = np.atleast_1d(np.asarray(quantity, dtype=np.float64))
    largest = float(np.abs(numbers).max(initial=0.0))
    power = leading_power(largest) if largest > 0 else 0
    is_whole = bool(np.all(numbers == np.rint(numbers))) and power <= GRID_DIGITS
    each = 2 * 10 ** ((max(power, 0) if is_whole else GRID_DIGITS) + 1)  # of either sign
    return int(each * numbers.size if one_by_one else each**numbers.size)


def steps(quantity: object, grid: float) -> Array:
    """Return the answer in units of the grid, unrounded."""
    return np.asarray(quantity, dtype=np.float64) / grid


def fingerprint(quantity: object, grid: float, salt: str) -> str | None:
    """Return the fingerprint of a part; None if it is not finite."""
    counted = np.rint(steps(quantity, grid) + GRID_TIE_OFFSET) + 0.0
    if not np.isfinite(counted).all():
        return None
    numbers = ",".join(format(number, ".0f") for number in counted.ravel())
    return _slow_hash(f"{counted.shape}:{numbers}", salt, PBKDF2_ITERATIONS)


@lru_cache(maxsize=4096)  # certification asks for the same few many times
def _slow_hash(text: str, salt: str, rounds: int) -> str:
    return base64.b64encode(_pbkdf2(text.encode(), salt.encode(), rounds)[:FINGERPRINT_BYTES]).decode()


def _pbkdf2(password: bytes, salt: bytes, rounds: int) -> bytes:
    if hasattr(hashlib, "pbkdf2_hmac"):
        return hashlib.pbkdf2_hmac("sha256", password, salt, rounds)
    return pbkdf2_by_hand(password, salt, rounds)


def pbkdf2_by_hand(password: bytes, salt: bytes, rounds: int) -> bytes:
    """Return the first block of PBKDF2-HMAC-SHA256 (RFC 8018).

    The block is U₁ ⊕ U₂ ⊕ …, where each U is the HMAC of the one before.
    """
    keyed = hmac.new(password, digestmod=hashlib.sha256)

    def chained(message: bytes) -> bytes:
        step = keyed.copy()
        step.update(message)
        return step.digest()

    last = chained(salt + b"\0\0\0\1")
    total = int.from_bytes(last, "big")
    for _ in range(rounds - 1):
        last = chained(last)
        total ^= int.from_bytes(last, "big")
    return total.to_bytes(32, "big")


def join_fingerprints(fingerprints: Iterable[str | None]) -> str:
    """Join fingerprints into one text, with dots where there is none."""
    return "".join(mark or "." * 12 for mark in fingerprints)


def split_fingerprints(text: str) -> list[str | None]:
    """Split a text that `join_fingerprints` wrote."""
    pieces = [text[start : start + 12] for start in range(0, len(text), 12)]
    return [None if piece.startswith(".") else piece for piece in pieces]
