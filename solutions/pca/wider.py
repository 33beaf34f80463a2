"""More numbers to practise on, for the tasks whose own draw has few."""

from functools import cache
from itertools import combinations, product

import numpy as np

from autograder.authoring.task import Cases
from solutions.numbers import SMALLEST_RATIO, Array, is_short, one_of
from solutions.pca import error_from_spectrum as spectrum
from solutions.pca.first_component import DIRECTIONS

MORE = ((2, 3), (3, 2), (2, -3), (3, -2), (1, 4), (4, 1), (1, -4), (4, -1))


def first_component(rng: np.random.Generator) -> Cases:
    """More directions and larger variances."""
    return {"the numbers of the text": {"C": one_of(rng, _covariances())}}


@cache
def _covariances() -> list[Array]:
    found = []
    for q, small, t in product((*DIRECTIONS, *MORE), range(1, 25), range(1, 10)):
        C = small * np.eye(2) + t * np.outer(q, q)
        large = small + t * (q[0] ** 2 + q[1] ** 2)
        if large >= SMALLEST_RATIO * small and C.max() <= 99 and is_short(large / (large + small)):
            found.append(C)
    return found


def error_from_spectrum(rng: np.random.Generator) -> Cases:
    """More spectra, samples and components."""
    singular_values, n_samples, n_components = one_of(rng, _spectra())
    inputs = {
        "singular_values": np.array(singular_values),
        "n_samples": n_samples,
        "n_components": n_components,
    }
    return {"the numbers of the text": inputs}


@cache
def _spectra() -> list[tuple[tuple[float, ...], int, int]]:
    found = []
    for sigma, n_samples, n_components in product(
        combinations(range(14, 0, -1), 4), (5, 8, 10, 20, 25), (1, 2, 3)
    ):
        error, share = spectrum.answer(np.array(sigma, dtype=float), n_samples, n_components)
        if sigma[n_components - 1] ** 2 >= SMALLEST_RATIO * sigma[n_components] ** 2:
            if is_short(error, 2) and is_short(share):
                found.append((tuple(map(float, sigma)), n_samples, n_components))
    return found
