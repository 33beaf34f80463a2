"""What would make a sealed list or table right: another sign in some places, or two entries exchanged.

The right answer is known by its fingerprint alone, so each possible repair of the answer is tried on it. Only few
entries are few enough.
"""

import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from autograder.judging.compare import sealed_marks
from autograder.judging.key import SealedCase, TaskKey
from autograder.judging.relations import listed

Array = NDArray[np.float64]
FEW = 6  # entries: 2⁶ signs can be tried


def undone(key: TaskKey, case: SealedCase, part: int, given: Array) -> str:
    """The repair that makes a part right, with `{it}` for the part; empty if there is none, or no list."""
    if key.kind != "hand" or given.shape != case.shapes[part] or not 2 <= given.size <= FEW:
        return ""
    single = SealedCase(
        **{**vars(case), "shapes": (case.shapes[part],), "grids": (case.grids[part],)},
    )
    for text, repaired in _repairs(given):
        if sealed_marks(single, (repaired,), (key.samenesses[part],)) == (case.expected[part],):
            return text
    return ""


def _repairs(given: Array) -> Iterator[tuple[str, Array]]:
    """Changes that a slip of the pen calls for, the smallest first."""
    flat, places = given.ravel(), [place for place in range(given.size) if given.ravel()[place]]
    for number in range(1, len(places) + 1):
        for chosen in itertools.combinations(places, number):
            signs = np.ones(given.size)
            signs[list(chosen)] = -1
            yield _said("with the other sign at", chosen, given), (flat * signs).reshape(given.shape)
    for pair in itertools.combinations(range(given.size), 2):
        order = np.arange(given.size)
        order[list(pair)] = order[list(pair)[::-1]]
        yield _said("with an exchange of", pair, given), flat[order].reshape(given.shape)


def _said(how: str, places: tuple[int, ...], given: Array) -> str:
    names = listed([_name(place, given) for place in places])
    return f"{how} {'entry' if len(places) == 1 else 'entries'} {names}, {{it}} would be right."


def _name(place: int, given: Array) -> str:
    if given.ndim == 1:
        return str(place + 1)
    return f"({', '.join(str(int(one) + 1) for one in np.unravel_index(place, given.shape))})"
