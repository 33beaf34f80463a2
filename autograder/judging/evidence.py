"""Measure in bits how much an agreement of numbers proves.

Small whole numbers agree with many wrong answers by chance.
"""

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from autograder.answers.arrays import Array
from autograder.judging.compare import Comparison, answer_entries, right_part, right_value
from autograder.judging.fingerprints import fingerprint
from autograder.judging.key import OpenCase, SealedCase, TaskKey

# On top of log2 of the number of slips: one answer in a thousand agrees with one of them by chance.
MARGIN_BITS = 10.0
# Fewer than for the engine's slips: a course has few, and students really make each of them.
COURSE_SLIP_BITS = 10.0
REAL_BITS = 20.0  # six digits, to which traces agree
SEALED_REAL_BITS = 13.0  # four digits, to which fingerprints agree
MAX_RATIO_DENOMINATOR = 64
FRACTION_RTOL = 1e-9
SAME_DIGITS = 6  # entries that agree to so many digits count once
SAME_RTOL = 1e-6


def number_bits(number: float, most: float = REAL_BITS) -> float:
    """Return the information in a number, in bits.

    Zero has none, a small whole number or fraction has few.
    """
    if number == 0 or not math.isfinite(number):
        return 0.0
    simple = Fraction(number).limit_denominator(MAX_RATIO_DENOMINATOR)
    if simple and abs(float(simple) - number) <= FRACTION_RTOL * abs(number):
        return min(most, math.log2((2 * abs(simple.numerator) + 1) * simple.denominator))
    return most


def slip_bits(key: TaskKey) -> float:
    """Return the bits of agreement that prove one of a key's slips."""
    return math.log2(max(len(key.wrongs), 1)) + MARGIN_BITS


def part_bits(part: Array, right: Array | None = None, most: float = REAL_BITS) -> float:
    """Return the information in an array, in bits.

    Equal entries count once. Entries that are right do not count.
    """
    entries = part.ravel()
    if right is not None and right.shape == part.shape:
        near = SAME_RTOL * float(np.abs(right).max(initial=0.0))
        entries = entries[np.abs(part - right).ravel() > near]
    distinct = {float(f"{abs(entry):.{SAME_DIGITS}g}"): float(entry) for entry in entries}
    return math.fsum(number_bits(entry, most) for entry in distinct.values())


def agreement_bits(
    key: TaskKey, comparisons: Sequence[Comparison], cases: Sequence[int], parts: Sequence[int]
) -> float:
    """Return the bits of all wrong parts on these cases."""
    total = 0.0
    for case, comparison in ((key.cases[position], comparisons[position]) for position in cases):
        if comparison.parts is None:
            continue
        for part in parts:
            if comparison.right[part]:
                continue
            kind = key.kinds[part] if key.kinds else None
            if kind:
                total += kind.bits(comparison.values[part], right_value(key, case, part))
                continue
            if isinstance(case, OpenCase):
                total += part_bits(comparison.parts[part], right_part(key, case, part))
            else:
                total += _sealed_bits(key, case, part, comparison.parts[part])
    return total


def _sealed_bits(key: TaskKey, case: SealedCase, part: int, array: Array) -> float:
    """Return the bits of a sealed part.

    Entries that the right part also has, in any place, do not count.
    """
    known, marks = set(case.entries[part]), (case.grids[part], case.salt)
    if key.kind != "hand":
        return part_bits(array)
    if not known or not np.isfinite(array).all():
        return part_bits(array, most=SEALED_REAL_BITS)
    entries = [entry for entry in answer_entries(key.kind, array) if fingerprint(entry, *marks) not in known]
    return part_bits(np.array([float(entry) for entry in entries]), most=SEALED_REAL_BITS)
