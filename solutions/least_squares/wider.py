"""More numbers to practise on, for the task whose own draw has few."""

from functools import cache
from itertools import product

import numpy as np

from autograder.authoring.task import Cases
from solutions.numbers import is_short, one_of


def factors_by_hand(rng: np.random.Generator) -> Cases:
    """Two stretches and a zero, with short shares."""
    penalty, larger, smaller = one_of(rng, _choices())
    values = np.array([larger, smaller, 0.0])
    return {"the numbers of the text": {"singular_values": values, "penalty": penalty}}


@cache
def _choices() -> list[tuple[int, int, int]]:
    found = []
    for penalty in range(2, 101):
        stretches = [
            s
            for s in range(1, 31)
            if is_short(s * s / (s * s + penalty)) and is_short(s / (s * s + penalty), 4)
        ]
        found += [(penalty, large, small) for large, small in product(stretches, stretches) if large > small]
    return found
