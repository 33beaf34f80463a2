"""Sealing: an answer whose numbers stand in the text is known to the key by its fingerprint alone.

A fingerprint is a slow salted hash (PBKDF2-HMAC-SHA256) of the answer rounded to a grid: equal answers have equal
fingerprints. Python's and the browser's libraries compute it natively; where Python runs in the browser, which has no
PBKDF2, the few lines below do the same.

What a seal does not do: keep a number from whoever tries them all. The key tells the size of a number and each entry
of a list is sealed by itself, so a number has at most twenty thousand possibilities, a small whole one twenty; a guess
takes less than a millisecond. `guesses` counts them, and a certificate says it of each task. So the published key
never decides a grade: a class has numbers of its own, and each student too where a roster is given.

What a seal buys: the answer cannot be read by accident or at a glance, and finding it takes a program in place of a
pencil. A submission gets no key file while it is graded (`Assignment.files_at_hand`), so it must bring what it guesses
from; at home, the student has the key anyway, and what she finds there she can as well type.
"""

import base64
import hashlib
import hmac
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROUNDS = 100
LENGTH = 9  # bytes of a fingerprint: twelve characters
DIGITS = 3
# of the last digit: where short decimals end in 5, rounding errors would choose between two neighbours
BESIDE_TIES = 1e-6

Array = NDArray[np.float64]


def leading_power(largest: float) -> int:
    """The exponent of the leading power of ten, also of a number that rounding errors put just below that power."""
    return int(np.floor(np.log10(largest * (1 + 1e-9))))


def grid_of(quantity: Any) -> float:
    """The step to which an answer of this size is sealed: a thousandth of its leading power of ten."""
    largest = float(np.abs(quantity).max(initial=0.0))
    return float(10.0 ** ((leading_power(largest) if largest > 0 else 0) - DIGITS))


def guesses(quantity: Any, *, one_by_one: bool) -> int:
    """How many guesses certainly find a sealed answer of this size, whose entries are sealed together or one by one."""
    numbers = np.atleast_1d(np.asarray(quantity, dtype=np.float64))
    largest = float(np.abs(numbers).max(initial=0.0))
    power = leading_power(largest) if largest > 0 else 0
    is_whole = bool(np.all(numbers == np.rint(numbers))) and power <= DIGITS
    each = 2 * 10 ** ((max(power, 0) if is_whole else DIGITS) + 1)  # of either sign
    return int(each * numbers.size if one_by_one else each**numbers.size)


def steps(quantity: Any, grid: float) -> Array:
    """The answer counted in steps of the grid, unrounded."""
    return np.asarray(quantity, dtype=np.float64) / grid


def fingerprint(quantity: Any, grid: float, salt: str) -> str | None:
    """The fingerprint of one part of an answer; None where it is not a number."""
    counted = np.rint(steps(quantity, grid) + BESIDE_TIES) + 0.0
    if not np.isfinite(counted).all():
        return None
    numbers = ",".join(format(number, ".0f") for number in counted.ravel())
    return _slowly_hashed(f"{counted.shape}:{numbers}", salt, ROUNDS)


@lru_cache(maxsize=4096)  # certifying asks for the same few again and again
def _slowly_hashed(text: str, salt: str, rounds: int) -> str:
    return base64.b64encode(_pbkdf2(text.encode(), salt.encode(), rounds)[:LENGTH]).decode()


def _pbkdf2(password: bytes, salt: bytes, rounds: int) -> bytes:
    if hasattr(hashlib, "pbkdf2_hmac"):
        return hashlib.pbkdf2_hmac("sha256", password, salt, rounds)
    return pbkdf2_by_hand(password, salt, rounds)


def pbkdf2_by_hand(password: bytes, salt: bytes, rounds: int) -> bytes:
    """The first block of PBKDF2-HMAC-SHA256 (RFC 8018): U₁ ⊕ U₂ ⊕ …, each U the HMAC of the one before."""
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


def packed(fingerprints: Iterable[str | None]) -> str:
    """Many fingerprints in one text; dots where there is none."""
    return "".join(one or "." * 12 for one in fingerprints)


def unpacked(text: str) -> list[str | None]:
    """The fingerprints that `packed` wrote."""
    pieces = [text[start : start + 12] for start in range(0, len(text), 12)]
    return [None if piece.startswith(".") else piece for piece in pieces]
