"""Numbers for the tasks: designs of known rank whose first columns already carry the whole range."""

import numpy as np

from dimred_ref.svd import numerical_rank
from solutions.numbers import Array
from solutions.svd.numbers import whole_matrix

LEAST_STRETCH = (
    0.5  # of the leading columns: a solution built from them alone should be no accident of rounding
)


def design(rng: np.random.Generator, shape: tuple[int, int], rank: int) -> Array:
    """Draw whole numbers of this rank, with as many leading columns that are clearly independent."""
    while True:
        X = whole_matrix(rng, shape, rank)
        if dependent_leaders(X) is None:
            return X


def dependent_leaders(X: Array, *others: object) -> str | None:
    """Say that the leading columns are nearly dependent, or None."""
    leaders = X[:, : numerical_rank(X)]
    if np.linalg.svd(leaders, compute_uv=False)[-1] < LEAST_STRETCH:
        return "the leading columns are nearly dependent"
    return None


def response(rng: np.random.Generator, X: Array) -> Array:
    """Draw an answer to each sample, of the size of the design's entries."""
    return np.round(rng.uniform(-9, 9, size=len(X)), 1)


def basic_solution(X: Array, y: Array) -> Array:
    """Fit with as many leading columns as the rank; the other coefficients are zero."""
    rank = numerical_rank(X)
    coefficients = np.zeros(X.shape[1])
    coefficients[:rank] = np.linalg.lstsq(X[:, :rank], y, rcond=None)[0]
    return coefficients
