"""Which wrong ways give what was given? Keys hold traces of what each of them gives, case by case and part by part."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from autograder.answers.attempt import Attempt
from autograder.judging import trace
from autograder.judging.compare import Compared, largest_number, right_part, sealed_marks, zero_scale
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.sameness import SAMENESSES, Sameness

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Matches:
    """Which wrong ways give what was given, as flags over `key.wrongs`, by case and part."""

    def __init__(self, key: TaskKey, attempts: Sequence[Attempt], found: Sequence[Compared]) -> None:
        """Look at every case and part once."""
        self.key = key
        self.flags = [
            [_matching(key, case, attempt, one, part) for part in range(len(key.same))]
            for case, attempt, one in zip(key.cases, attempts, found, strict=True)
        ]
        # An exception and nan agree with ways that raise or are spoilt by cancellation; only a number is evidence,
        # and only in some proportion to the right one.
        self.is_evidence = [
            [_is_evidence(key, case, one, part) for part in range(len(key.same))]
            for case, one in zip(key.cases, found, strict=True)
        ]
        # That a matrix is singular to the computer is what some methods give, and authors foresee it: such an error
        # may speak for a misconception that raises there, never for a slip.
        self.is_singular = [one.error is not None and one.error.type == "LinAlgError" for one in attempts]
        self.is_own = np.array([":" not in name for name in key.wrongs], dtype=bool)

    def names(self, cases: Sequence[int], parts: Sequence[int]) -> list[str]:
        """List the wrong ways that agree on all of these cases and parts, on one of them with a number."""
        if not cases or not self.key.wrongs:
            return []
        agree = np.ones(len(self.key.wrongs), dtype=bool)
        definite = np.zeros(len(self.key.wrongs), dtype=bool)
        for case in cases:
            for part in parts:
                agree &= self.flags[case][part]
                if self.is_evidence[case][part] or self.is_singular[case]:
                    counts = self.is_own if self.is_singular[case] else True
                    definite |= self.flags[case][part] & _is_wrong(self.key, case, part) & counts
        return [name for name, yes in zip(self.key.wrongs, agree & definite, strict=True) if yes]

    def refuted(self, parts: Sequence[int]) -> set[str]:
        """The wrong ways by which one of these parts, which are right, would have come out wrong."""
        wrong = np.zeros(len(self.key.wrongs), dtype=bool)
        for case in range(len(self.key.cases)):
            for part in parts:
                wrong |= _is_wrong(self.key, case, part)
        return {name for name, yes in zip(self.key.wrongs, wrong, strict=True) if yes}


def _is_evidence(key: TaskKey, case: OpenCase | SealedCase, found: Compared, part: int) -> bool:
    """Is a part made of numbers that could have come from somewhere?"""
    if found.parts is None:
        return False
    if isinstance(case, SealedCase):  # a fingerprint is met by no other number
        return bool(np.isfinite(found.parts[part]).all())
    return not trace.is_absurd(found.parts[part], right_part(key, case, part), zero_scale(case))


def _is_wrong(key: TaskKey, case: int, part: int) -> Flags:
    """Which wrong ways give something definite for this part, and not what is right?"""
    one = key.cases[case]
    if isinstance(one, SealedCase):
        return np.array([mark not in (None, one.expected[part]) for mark in one.wrong[part]], dtype=bool)
    room = _room(key, one, part)
    right = _traced(one.wrong[:, part], right_part(key, one, part), key.samenesses[part], room)
    wrong: Flags = ~np.isnan(one.wrong[:, part, 0]) & ~right
    return wrong


def _room(key: TaskKey, case: OpenCase, part: int) -> float:
    """How far apart two answers may be where zero is right: of rounding errors no two machines make the same."""
    return 0.0 if right_part(key, case, part).any() else key.tolerance * zero_scale(case)


def _matching(
    key: TaskKey, case: OpenCase | SealedCase, attempt: Attempt, found: Compared, part: int
) -> Flags:
    none = np.zeros(len(key.wrongs), dtype=bool)
    if isinstance(case, SealedCase):
        return _same_mark(key, case, found, part) if found.parts is not None else none
    silent: Flags = np.isnan(case.wrong[:, part, 0])
    if attempt.problem == "raised":
        raised: Flags = case.wrong[:, part, 0] == trace.RAISED
        return raised | silent
    if attempt.problem or found.parts is None:
        return none
    return silent | _same_trace(key, case, found.parts[part], part)


def _same_mark(key: TaskKey, case: SealedCase, found: Compared, part: int) -> Flags:
    """Which fingerprints of wrong answers are this one's; some have a sameness of their own."""
    own = found.marks[part]
    flags = np.array([mark is not None and mark == own for mark in case.wrong[part]], dtype=bool)
    for position, samenesses in _freed(key):
        mark = sealed_marks(case, found.parts or (), samenesses)[part]
        flags[position] = mark is not None and mark == case.wrong[part][position]
    return flags


def _freed(key: TaskKey) -> Iterator[tuple[int, tuple[Sameness, ...]]]:
    for name, same in key.freed.items():
        yield key.wrongs.index(name), tuple(SAMENESSES[one] for one in same)


def _same_trace(key: TaskKey, case: OpenCase, given: Array, part: int) -> Flags:
    expected, table = right_part(key, case, part), case.wrong[:, part]
    lost: Flags = table[:, 0] == trace.LOST
    if trace.is_absurd(given, expected, zero_scale(case)):
        return lost
    room = _room(key, case, part)
    flags = _traced(table, given, key.samenesses[part], room)
    for position, samenesses in _freed(key):
        flags[position] = _traced(table[position : position + 1], given, samenesses[part], room)[0]
    scale = largest_number(case.inputs)
    is_lost = trace.is_lost(given, expected) or trace.is_drowned(given, expected, scale)
    return flags | lost if is_lost else flags


def _traced(table: Array, given: Array, same: Sameness, room: float) -> Flags:
    try:
        quantity = trace.quantity_of(given, same)
    except ValueError:
        return np.zeros(len(table), dtype=bool)
    size = max(float(np.linalg.norm(quantity)), room / trace.CLOSE, 1e-12)
    return trace.matching(table, trace.trace(quantity), size)
