"""How far apart the farthest two samples are."""

import numpy as np
from numpy.typing import NDArray


def diameter(X: NDArray[np.float64]) -> float:
    """The largest distance between two rows of X (eq-diameter-largest)."""
    X = np.asarray(X, dtype=float)
    if X.ndim != 2 or len(X) == 0:
        raise ValueError(f"X must be a table with at least one row, got shape {X.shape}")
    return float(np.linalg.norm(X[:, None] - X, axis=2).max())
