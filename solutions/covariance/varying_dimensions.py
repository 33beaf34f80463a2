"""Task `varying_dimensions`: in how many dimensions do the samples vary?"""

import numpy as np

from autograder.authoring import task
from dimred_ref.covariance import covariance_rank
from solutions.announced import has_equal_rows
from solutions.numbers import Array

SMALLEST_RATIO = 1e-3


@task.code(points=3, minutes=10, see="thm-covariance-rank")
def varying_dimensions(X: Array) -> int:
    """rank C = rank X_c (thm-covariance-rank)."""
    return covariance_rank(X)


@varying_dimensions.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """General position with few and with many samples, percentages, a plane off the origin, and a copy.

    Of many samples two features vary a hundredth as much as the others: their spread counts, and their variance is less
    than a thousandth of that of the others.
    """
    many = np.round(rng.normal(size=(20, 4)) + 2, 2) * rng.permutation([1.0, 1.0, 0.01, 0.01])
    percentages = rng.multinomial(100, (0.3, 0.3, 0.2, 0.2), size=15).astype(float)
    directions = np.array([[1.0, 2, 0, 1, -1], [0, 1, 1, -1, 2]])
    plane = rng.integers(-6, 7, size=(12, 2)) @ directions + rng.integers(3, 9, size=5)
    return {
        "fewer samples than features, in a tiny unit": {
            "X": np.round(1e-7 * (rng.normal(size=(4, 7)) + 3), 9)
        },
        "many samples, two features that vary little": {"X": np.round(many, 4)},
        "percentages that add up to 100": {"X": percentages},
        "a plane that misses the origin, in a large unit": {"X": 1e6 * plane},
        # twice: the mean of two equal numbers is exact, so that no tolerance has to save a right program
        "one sample, twice": {"X": np.tile(np.round(rng.uniform(1, 9, size=3), 1), (2, 1))},
    }


@varying_dimensions.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One feature, two samples, a square table, whole numbers, a line through the origin, tiny and large units."""
    X = rng.integers(-9, 20, size=(6, 3)) / 4  # quarters are exact
    return {
        "one feature": {"X": X[:, :1]},
        "two samples": {"X": np.array([[1.0, 4.0, 2.0], [3.0, 0.0, -6.0]])},
        "a square table": {"X": X[:3]},
        "whole numbers": {"X": np.array([[1, 2, 3], [2, 4, 6], [5, 10, 15], [-3, -6, -9]])},
        "equal samples among others": {"X": X[[0, 0, 1, 1]]},
        "a tiny unit": {"X": 1e-8 * X},
        "a large unit": {"X": 1e8 * X},
        "a small spread": {"X": X * [1.0, 0.02, 1.0]},
    }


@varying_dimensions.ill_posed
def near_a_smaller_rank(X: Array) -> str | None:
    """Say when the smallest spread that counts is so small that a tolerance could miss it."""
    sigma = np.linalg.svd(X - X.mean(axis=0), compute_uv=False)
    rank = covariance_rank(X)
    if rank and sigma[rank - 1] < SMALLEST_RATIO * sigma[0]:
        return "the smallest spread is a tiny part of the largest"
    return None


@varying_dimensions.wrong(
    "A sample that is repeated does not vary at all, yet your count for it is not zero. What has to be removed first?",
    see="eq-covariance-rank",
)
def forgot_to_centre(X: Array) -> int:
    """The rank of X itself."""
    return int(np.linalg.matrix_rank(X))


@varying_dimensions.wrong(
    "That is how many dimensions there can be at most. The entries of X decide whether there are.",
    see="thm-covariance-zero",
)
def always_gave_the_bound(X: Array) -> int:
    """min(D, N − 1), which only samples in general position reach."""
    return min(X.shape[1], len(X) - 1)


@varying_dimensions.wrong(
    "Two points span a line, three a plane: count again. And look at the entries, not only at the shape.",
    see="eq-covariance-rank",
)
def forgot_that_the_mean_costs_one(X: Array) -> int:
    """min(D, N)."""
    return min(X.shape[1], len(X))


@varying_dimensions.wrong("That is the dimension of the space, not of the cloud in it.")
def counted_the_features(X: Array) -> int:
    """D."""
    return X.shape[1]


@varying_dimensions.wrong(
    "That is right for a flat that misses the origin. Some clouds fill a flat through it, or all of space."
)
def took_one_off_the_raw_rank(X: Array) -> int:
    """rank X − 1, which is right only if the flat misses the origin."""
    return int(np.linalg.matrix_rank(X)) - 1


@varying_dimensions.wrong(
    "Features can vary and still be tied to one another: then some mixture of them does not vary, but for rounding.",
    see="thm-covariance-zero",
)
def counted_features_that_vary(X: Array) -> int:
    """The number of columns that are not constant."""
    return int(np.count_nonzero(np.ptp(X, axis=0) > 0))


@varying_dimensions.wrong(
    "Right where all spreads are alike. A feature that varies little still varies: an eigenvalue of the covariance is "
    "the square of a spread, and a tolerance for it has to be squared as well.",
)
def took_the_tolerance_of_spreads_for_variances(X: Array) -> int:
    """Eigenvalues of the covariance beside 1e-3 of the largest."""
    eigenvalues = np.linalg.eigvalsh(np.atleast_2d(np.cov(X, rowvar=False)))
    return int(np.sum(eigenvalues > SMALLEST_RATIO * eigenvalues.max()))


@varying_dimensions.also
def by_differences(X: Array) -> int:
    """The rank of the differences to the first sample."""
    return int(np.linalg.matrix_rank(X - X[0]))


@varying_dimensions.also
def by_centring(X: Array) -> int:
    """The rank of the deviations from the mean."""
    return int(np.linalg.matrix_rank(X - X.mean(axis=0)))


@varying_dimensions.also
def by_rank_of_the_covariance(X: Array) -> int:
    """What the theorem says, word by word."""
    return int(np.linalg.matrix_rank(np.cov(X, rowvar=False)))


@varying_dimensions.also
def by_eigenvalues(X: Array) -> int:
    """Eigenvalues of the covariance that are not rounding errors."""
    eigenvalues = np.linalg.eigvalsh(np.atleast_2d(np.cov(X, rowvar=False)))
    return int(np.sum(eigenvalues > 1e-10 * eigenvalues.max()))


varying_dimensions.announces("may occur more than once", "one sample, twice", has_equal_rows)
