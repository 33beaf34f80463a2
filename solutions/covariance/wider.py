"""More numbers to practise on, for the task whose own draw has few."""

from functools import cache
from itertools import product
from math import isqrt

import numpy as np

from autograder.authoring.task import Cases
from solutions.covariance.ellipse import DIRECTIONS
from solutions.numbers import Array, one_of


def ellipse(rng: np.random.Generator) -> Cases:
    """More directions and longer axes; eigenvalues are squares as before."""
    return {"the numbers of the text": {"C": one_of(rng, _ellipses())}}


@cache
def _ellipses() -> list[Array]:
    more = ((2, 3), (3, 2), (2, -3), (3, -2), (1, 4), (4, 1), (1, -4), (4, -1))
    found = []
    for q, short, step in product((*DIRECTIONS, *more), range(2, 10), range(1, 25)):
        long_squared = short**2 + step * (q[0] ** 2 + q[1] ** 2)
        if isqrt(long_squared) ** 2 == long_squared and 1.5 * short**2 <= long_squared <= 400:
            found.append(short**2 * np.eye(2) + step * np.outer(q, q).astype(float))
    return found
