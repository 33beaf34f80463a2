"""More numbers to practise on, for the task whose own draw has few."""

import numpy as np

from autograder.authoring.task import Cases
from solutions.laplacian_eigenmaps.strip_tones import MODES
from solutions.numbers import one_of

WIDTHS = (4, 5, 8, 10, 16, 20, 25)


def strip_tones(rng: np.random.Generator) -> Cases:
    """More widths; the first tones are clearly apart."""
    while True:
        width = one_of(rng, WIDTHS)
        length = int(rng.integers(width + 1, 4 * width))
        tones = np.sort([m**2 + (n * length / width) ** 2 for m, n in MODES])[:7]
        if np.diff(tones).min() > 0.1:
            return {"the numbers of the text": {"length": length, "width": width}}
