"""More numbers to practise on, for the tasks whose own draw has few."""

from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np

from autograder.authoring.task import Cases
from solutions.geometry.directions_that_count import answer
from solutions.numbers import Array, is_short, one_of


def image_counts(rng: np.random.Generator) -> Cases:
    """Larger images."""
    width, height, channels = one_of(rng, _images())
    return {"the numbers of the text": {"width": width, "height": height, "channels": channels}}


@cache
def _images() -> list[tuple[int, int, int]]:
    sides = product(range(3, 13), range(3, 13), (2, 3, 4))
    return [
        (w, h, c)
        for w, h, c in sides
        if len({w, h, c}) == 3 and 24 <= w * h * c <= 150 and w * h * c % 2 == 0
    ]


def directions_that_count(rng: np.random.Generator) -> Cases:
    """Larger eigenvalues, and one decimal more."""
    return {"the numbers of the text": {"eigenvalues": one_of(rng, _spectra())}}


@cache
def _spectra() -> list[Array]:
    spectra = [
        np.array([*numbers, 0], dtype=float)
        for numbers in combinations_with_replacement(range(16, 0, -1), 4)
        if len(set(numbers)) > 1
    ]
    return [spectrum for spectrum in spectra if is_short(answer(spectrum)[1])]
