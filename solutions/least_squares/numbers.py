"""Numbers for the tasks: designs of known rank whose first columns already carry the whole range."""

import numpy as np

from dimred_ref.svd import numerical_rank
from solutions.numbers import Array
from solutions.svd.numbers import ZERO, nearly_dependent, whole_matrix

LEAST_SHARE = (
    0.03  # of the largest stretch: a solution built from leading columns should be no accident of rounding
)


def design(rng: np.random.Generator, shape: tuple[int, int], rank: int) -> Array:
    """Draw whole numbers of this rank, with as many leading columns that are clearly independent."""
    while True:
        X = whole_matrix(rng, shape, rank)
        if dependent_leaders(X) is None:
            return X


def dependent_leaders(X: Array, *others: object) -> str | None:
    """Say that the leading columns are nearly dependent, or None."""
    leaders = X[:, : numerical_rank(X, rtol=ZERO)]
    if np.linalg.svd(leaders, compute_uv=False)[-1] < LEAST_SHARE * np.linalg.norm(X, 2):
        return "the leading columns are nearly dependent"
    return None


def response(rng: np.random.Generator, X: Array) -> Array:
    """Draw an answer to each sample, of the size of the design's entries."""
    return np.round(rng.uniform(-9, 9, size=len(X)), 1)


def near_the_tolerance(rng: np.random.Generator, shape: tuple[int, int]) -> dict[str, Array]:
    """Draw a design with a stretch that is small but counts and one that counts as zero, and a y that it fits."""
    while True:
        X, a = nearly_dependent(rng, shape), rng.permutation([-3.0, -1.0, 2.0, 4.0, 5.0, 7.0])[: shape[1]]
        if np.abs(np.linalg.svd(X)[2][2:4] @ a).min() > 1:  # both small directions have a say in y
            return {"X": X, "y": X @ a}


def basic_solution(X: Array, y: Array) -> Array:
    """Fit with as many leading columns as the rank; the other coefficients are zero."""
    rank = numerical_rank(X, rtol=ZERO)
    coefficients = np.zeros(X.shape[1])
    coefficients[:rank] = np.linalg.lstsq(X[:, :rank], y, rcond=None)[0]
    return coefficients
