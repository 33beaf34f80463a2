"""Find sign flips or an exchange that repair a sealed answer.

The key knows the right answer by its fingerprint only, so each possible repair is tried. This is feasible for few
entries.
"""

import itertools
from collections.abc import Iterator

import numpy as np

from autograder.answers.arrays import Array
from autograder.judging.compare import part_fingerprints
from autograder.judging.key import SealedCase, TaskKey
from autograder.judging.relations import join_words

MAX_REPAIR_ENTRIES = 6  # 2⁶ sign patterns are quickly tried


def find_repair(key: TaskKey, case: SealedCase, part: int, answer: Array) -> str:
    """Return the sentence for the repair that makes a part right.

    It has `{it}` for the part. Empty if no repair helps.
    """
    if key.kind != "hand" or answer.shape != case.shapes[part] or not 2 <= answer.size <= MAX_REPAIR_ENTRIES:
        return ""
    single = SealedCase(
        **{**vars(case), "shapes": (case.shapes[part],), "grids": (case.grids[part],)},
    )
    for text, repaired in _repairs(answer):
        if part_fingerprints(single, (repaired,), (key.samenesses[part],)) == (case.expected[part],):
            return text
    return ""


def _repairs(answer: Array) -> Iterator[tuple[str, Array]]:
    """Yield sign flips, fewest first, then exchanges of two entries."""
    flat, places = answer.ravel(), [place for place in range(answer.size) if answer.ravel()[place]]
    for number in range(1, len(places) + 1):
        for chosen in itertools.combinations(places, number):
            signs = np.ones(answer.size)
            signs[list(chosen)] = -1
            yield (
                _repair_sentence("with the other sign at", chosen, answer),
                (flat * signs).reshape(answer.shape),
            )
    for pair in itertools.combinations(range(answer.size), 2):
        order = np.arange(answer.size)
        order[list(pair)] = order[list(pair)[::-1]]
        yield _repair_sentence("with an exchange of", pair, answer), flat[order].reshape(answer.shape)


def _repair_sentence(how: str, places: tuple[int, ...], answer: Array) -> str:
    names = join_words([_entry_name(place, answer) for place in places])
    return f"{how} {'entry' if len(places) == 1 else 'entries'} {names}, {{it}} would be right."


def _entry_name(place: int, answer: Array) -> str:
    if answer.ndim == 1:
        return str(place + 1)
    return f"({', '.join(str(int(index) + 1) for index in np.unravel_index(place, answer.shape))})"
