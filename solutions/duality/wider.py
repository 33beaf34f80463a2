"""More numbers to practise on, for the task whose own draw has few."""

import numpy as np

from autograder.authoring.task import Cases


def sizes(rng: np.random.Generator) -> Cases:
    """More samples, and a larger multiple of that number of features."""
    n_samples, ratio = int(rng.integers(5, 31)), int(rng.integers(3, 13))
    return {"the numbers of the text": {"n_samples": n_samples, "n_dimensions": n_samples * ratio}}
