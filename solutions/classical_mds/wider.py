"""More numbers to practise on, for the task whose own draw has few."""

import numpy as np

from autograder.authoring.task import Cases


def triangle_map(rng: np.random.Generator) -> Cases:
    """Larger triangles with base 2m and height 3k; eigenvalues 2m² and 6k², apart by a half at least."""
    while True:
        m, k = (int(size) for size in rng.integers(1, 10, size=2))
        if max(2 * m * m, 6 * k * k) >= 1.5 * min(2 * m * m, 6 * k * k):
            corners = rng.permutation(np.array([[m, 0], [-m, 0], [0, 3 * k]], dtype=float))
            differences = corners[:, None] - corners[None]
            return {"the numbers of the text": {"squared": (differences**2).sum(axis=2)}}
