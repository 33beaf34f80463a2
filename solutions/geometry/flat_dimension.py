"""Task `flat_dimension`: the dimension of the smallest flat that contains all samples."""

import numpy as np

from autograder.authoring import task
from solutions.announced import has_equal_rows
from solutions.numbers import Array

DIMENSION_OF_A_PLANE = 2


@task.code(points=2, minutes=8, see="thm-geometry-flat-dimension")
def flat_dimension(X: Array) -> int:
    """The rank of the centred samples (eq-geometry-flat-dimension)."""
    return int(np.linalg.matrix_rank(X - X.mean(axis=0)))


@flat_dimension.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Whole numbers, so that ranks are exact: two planes, wide and general tables, and copies of one sample."""
    return {
        "a plane through the origin": {"X": _table(rng, 12, 4, 2)},
        "a plane off the origin, one feature constant": {"X": _off_the_origin(rng)},
        "more features than samples": {"X": rng.integers(-9, 10, size=(5, 8)).astype(float)},
        "many samples in general position": {"X": rng.integers(-20, 21, size=(9, 3)).astype(float)},
        # twice: the mean of two equal numbers is exact
        "one sample, twice": {"X": np.tile(rng.integers(1, 10, size=3).astype(float), (2, 1))},
    }


def _table(rng: np.random.Generator, n_samples: int, n_features: int, rank: int) -> Array:
    """Whole numbers whose rank, about the mean and about the origin, is this one and no smaller."""
    while True:
        weights = rng.integers(-4, 7, size=(n_samples, rank))
        table = (weights @ rng.integers(-3, 5, size=(rank, n_features))).astype(float)
        if flat_dimension(table) == rank:
            return table


def _off_the_origin(rng: np.random.Generator) -> Array:
    """Large numbers, on which a tolerance that forgets the unit shows."""
    while True:
        off = 1000 * (_table(rng, 10, 5, 2) + rng.integers(50, 150, size=5))
        off[:, int(rng.integers(5))] = float(rng.integers(2, 9))
        if took_an_absolute_tolerance(off) != flat_dimension(off) == DIMENSION_OF_A_PLANE:
            return off


@flat_dimension.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Two samples, one feature, whole numbers as such, a line, a full square."""
    return {
        "one feature": {"X": np.array([[3.0], [-1.0], [4.0]])},
        "two samples": {"X": np.array([[3.0, 1.0, 2.0], [5.0, 1.0, -2.0]])},
        "a line, as whole numbers": {"X": np.array([[1, 2, 3], [2, 4, 6], [5, 10, 15], [3, 6, 9]])},
        "a square table": {"X": rng.integers(-9, 10, size=(4, 4)).astype(float)},
        "large numbers": {"X": 1e6 * _table(rng, 8, 4, 3)},
    }


@flat_dimension.ill_posed
def is_ill_posed(X: Array) -> str | None:
    """A direction with nearly no spread would make the rank a matter of tolerance."""
    s = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    return "a direction hardly varies" if np.any((s > 1e-9 * s[0]) & (s < 0.01 * s[0])) else None


@flat_dimension.wrong(
    "This is the smallest subspace through the origin. A flat may lie anywhere: through which point does the smallest "
    "one pass?",
)
def forgot_to_centre(X: Array) -> int:
    """The rank of the raw table."""
    return int(np.linalg.matrix_rank(X))


@flat_dimension.wrong(
    "The mean does not always cost a dimension: think of a plane that passes through the origin."
)
def took_one_off_the_rank(X: Array) -> int:
    """The rank of the raw table, less one for the mean."""
    return int(np.linalg.matrix_rank(X)) - 1


@flat_dimension.wrong(
    "That is how many coordinates were written down. The question is how many directions the samples use.",
    see="def-geometry-intrinsic-dimension",
)
def gave_the_number_of_features(X: Array) -> int:
    """The ambient dimension."""
    return X.shape[1]


@flat_dimension.wrong(
    "That bounds the rank of any table of this shape. Look at the numbers in it, too.",
    see="eq-geometry-flat-dimension",
)
def gave_the_shorter_side(X: Array) -> int:
    """min(N, D)."""
    return min(X.shape)


@flat_dimension.wrong(
    "Features can vary together. A tilted line in space moves along all three axes, yet it has dimension one.",
    see="sec-geometry-looking",
)
def counted_the_varying_features(X: Array) -> int:
    """Columns that are not constant."""
    return int(np.count_nonzero(X.std(axis=0) > 1e-9))


@flat_dimension.also
def by_eigenvalues(X: Array) -> int:
    """Non-zero eigenvalues of the covariance."""
    eigenvalues = np.linalg.eigvalsh(np.atleast_2d(np.cov(X.T)))
    return int(np.sum(eigenvalues > 1e-10 * eigenvalues.max()))


@flat_dimension.also
def by_rank_of_the_covariance(X: Array) -> int:
    """The rank of the covariance."""
    return int(np.linalg.matrix_rank(np.cov(X.T)))


@flat_dimension.also
def by_differences(X: Array) -> int:
    """The rank of the differences from the first sample."""
    return int(np.linalg.matrix_rank(X - X[0]))


@flat_dimension.must_fail
def took_an_absolute_tolerance(X: Array) -> int:
    """Eigenvalues above 1e-10, in whatever unit: rounding errors of large numbers are larger."""
    return int(np.sum(np.linalg.eigvalsh(np.atleast_2d(np.cov(X.T))) > 1e-10))


flat_dimension.announces("may be equal", "one sample, twice", has_equal_rows)
