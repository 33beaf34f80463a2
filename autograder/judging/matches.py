"""Find the mistakes that give the same answer as the student.

Keys hold, case by case and part by part, a trace or a fingerprint of what each mistake gives.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from autograder.answers.arrays import Array, Flags
from autograder.answers.attempt import CallResult
from autograder.judging import trace
from autograder.judging.compare import Comparison, largest_number, part_fingerprints, right_part, zero_scale
from autograder.judging.key import OpenCase, SealedCase, TaskKey
from autograder.judging.sameness import Sameness
from autograder.judging.structures.samenesses import sameness_named


class Matches:
    """The mistakes that agree with an answer, as flags over `key.wrongs`.

    There is one array of flags for each case and part.
    """

    def __init__(
        self, key: TaskKey, attempts: Sequence[CallResult], comparisons: Sequence[Comparison]
    ) -> None:
        """Compare every case and part with all mistakes."""
        self.key = key
        self.flags = [
            [_matching_ways(key, case, attempt, comparison, part) for part in range(len(key.same))]
            for case, attempt, comparison in zip(key.cases, attempts, comparisons, strict=True)
        ]
        # An exception or NaN agrees with every mistake that raises or suffers cancellation. So only a number is
        # evidence, and only if its magnitude is not absurd.
        self.is_evidence = [
            [_is_evidence(key, case, comparison, part) for part in range(len(key.same))]
            for case, comparison in zip(key.cases, comparisons, strict=True)
        ]
        # Some misconceptions make a matrix singular, as their authors foresee. So this error may prove a misconception
        # that raises there, never a slip.
        self.is_singular = [
            attempt.error is not None and attempt.error.type == "LinAlgError" for attempt in attempts
        ]
        # An answer that is almost zero or enormous has too many possible causes to name a mistake on some cases only.
        self.is_lost = [
            _is_lost(key, case, comparison) for case, comparison in zip(key.cases, comparisons, strict=True)
        ]
        self.is_own = np.array([":" not in name for name in key.wrongs], dtype=bool)

    def names(self, cases: Sequence[int], parts: Sequence[int]) -> list[str]:
        """List the mistakes that agree on all of these cases and parts.

        At least one agreement must be by a number, or by a singular matrix that a misconception foresees.
        """
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
        """Return the mistakes that would have spoilt one of these right parts."""
        wrong = np.zeros(len(self.key.wrongs), dtype=bool)
        for case in range(len(self.key.cases)):
            for part in parts:
                wrong |= _is_wrong(self.key, case, part)
        return {name for name, yes in zip(self.key.wrongs, wrong, strict=True) if yes}


def _is_lost(key: TaskKey, case: OpenCase | SealedCase, comparison: Comparison) -> bool:
    """Return whether cancellation seems to have spoilt a wrong part."""
    if comparison.parts is None or isinstance(case, SealedCase):
        return False
    return any(
        not comparison.right[part] and trace.is_lost(comparison.parts[part], right_part(key, case, part))
        for part in range(len(key.same))
    )


def _is_evidence(key: TaskKey, case: OpenCase | SealedCase, comparison: Comparison, part: int) -> bool:
    """Return whether the numbers of a part can prove a mistake."""
    if comparison.parts is None:
        return False
    if isinstance(case, SealedCase):  # a fingerprint identifies its number
        return bool(np.isfinite(comparison.parts[part]).all())
    return not trace.is_absurd(comparison.parts[part], right_part(key, case, part), zero_scale(case))


def _is_wrong(key: TaskKey, position: int, part: int) -> Flags:
    """Return which mistakes give a definite wrong value for this part."""
    case = key.cases[position]
    if isinstance(case, SealedCase):
        return np.array([mark not in (None, case.expected[part]) for mark in case.wrong[part]], dtype=bool)
    tolerance = _zero_tolerance(key, case, part)
    right = _rows_with_trace(
        case.wrong[:, part], right_part(key, case, part), key.samenesses[part], tolerance
    )
    wrong: Flags = ~np.isnan(case.wrong[:, part, 0]) & ~right
    return wrong


def _zero_tolerance(key: TaskKey, case: OpenCase, part: int) -> float:
    """Return the distance within which answers agree where zero is right.

    Rounding errors differ between machines.
    """
    return 0.0 if right_part(key, case, part).any() else key.tolerance * zero_scale(case)


def _matching_ways(
    key: TaskKey, case: OpenCase | SealedCase, attempt: CallResult, comparison: Comparison, part: int
) -> Flags:
    none = np.zeros(len(key.wrongs), dtype=bool)
    if isinstance(case, SealedCase):
        return _ways_with_fingerprint(key, case, comparison, part) if comparison.parts is not None else none
    silent: Flags = np.isnan(case.wrong[:, part, 0])
    if attempt.problem == "raised":
        raised: Flags = case.wrong[:, part, 0] == trace.RAISED
        return raised | silent
    if attempt.problem or comparison.parts is None:
        return none
    return silent | _ways_with_trace(key, case, comparison.parts[part], part)


def _ways_with_fingerprint(key: TaskKey, case: SealedCase, comparison: Comparison, part: int) -> Flags:
    """Return which mistakes have the fingerprint of this part.

    Mistakes with samenesses of their own are compared by these.
    """
    actual = comparison.marks[part]
    flags = np.array([mark is not None and mark == actual for mark in case.wrong[part]], dtype=bool)
    for position, samenesses in _ways_with_own_samenesses(key):
        mark = part_fingerprints(case, comparison.parts or (), samenesses)[part]
        flags[position] = mark is not None and mark == case.wrong[part][position]
    return flags


def _ways_with_own_samenesses(key: TaskKey) -> Iterator[tuple[int, tuple[Sameness, ...]]]:
    for name, same in key.freed.items():
        yield key.wrongs.index(name), tuple(map(sameness_named, same))


def _ways_with_trace(key: TaskKey, case: OpenCase, answer: Array, part: int) -> Flags:
    expected, table = right_part(key, case, part), case.wrong[:, part]
    cancelled: Flags = table[:, 0] == trace.CANCELLED
    if trace.is_absurd(answer, expected, zero_scale(case)):
        return cancelled
    tolerance = _zero_tolerance(key, case, part)
    flags = _rows_with_trace(table, answer, key.samenesses[part], tolerance)
    for position, samenesses in _ways_with_own_samenesses(key):
        flags[position] = _rows_with_trace(
            table[position : position + 1], answer, samenesses[part], tolerance
        )[0]
    scale = largest_number(case.inputs)
    is_lost = trace.is_lost(answer, expected) or trace.is_below_precision(answer, expected, scale)
    return flags | cancelled if is_lost else flags


def _rows_with_trace(table: Array, answer: Array, same: Sameness, tolerance: float) -> Flags:
    try:
        quantity = trace.quantity_of(answer, same)
    except ValueError:
        return np.zeros(len(table), dtype=bool)
    size = max(float(np.linalg.norm(quantity)), tolerance / trace.TRACE_RTOL, 1e-12)
    return trace.matching(table, trace.trace(quantity), size)
