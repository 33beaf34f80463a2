"""Task `covariance_matrix`: the covariance of any sample, with the divisor that is asked for."""

import numpy as np

from autograder.authoring import task
from dimred_ref.covariance import covariance
from solutions.numbers import Array, cloud


@task.code(points=2, minutes=8, see="eq-covariance-definition")
def covariance_matrix(X: Array, ddof: int) -> Array:
    """X_cᵀX_c/(N − ddof) (eq-covariance-definition)."""
    return covariance(X, ddof=ddof)


@covariance_matrix.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Each divisor, a repeated sample, more features than samples, a mean far away, one feature in a tiny unit."""
    tall = cloud(rng, 12, (5.0, 2.0, 1.0), (1.0, 2.0, 1.5))
    tall[3] = tall[8]
    estimate = cloud(rng, 7, (4.0, 1.5), (1.5, -2.0))
    wide = cloud(rng, 4, (3.0, 2.0, 1.0, 0, 0, 0), (1.0, 0.5, 1.0, 1.0, 2.0, 1.0))
    far = cloud(rng, 9, (2.0, 1.0, 0.5, 0.25), (30.0, -40.0, 25.0, 50.0))
    return {
        "a tall cloud, one sample twice, divisor N": {"X": tall, "ddof": 0},
        "a small sample, divisor N - 1": {"X": estimate, "ddof": 1},
        "more features than samples, divisor N - 2": {"X": wide, "ddof": 2},
        "a mean far from the origin": {"X": far, "ddof": 0},
        "one feature, in a tiny unit": {"X": np.round(1e-8 * cloud(rng, 6, (4.0,), (3.0,)), 10), "ddof": 0},
    }


@covariance_matrix.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Two samples, a square table, whole numbers, equal samples, another divisor, large units."""
    X = cloud(rng, 8, (3.0, 1.0, 0.5), (1.0, -2.0, 3.0))
    return {
        "two samples": {"X": X[:2], "ddof": 1},
        "as many samples as features": {"X": X[:3], "ddof": 0},
        "whole numbers": {"X": rng.integers(-9, 10, size=(6, 3)), "ddof": 1},
        "equal samples among others": {"X": X[[0, 0, 0, 1, 2]], "ddof": 0},
        "divisor N - 3": {"X": X, "ddof": 3},
        "a large unit": {"X": 1e6 * X, "ddof": 1},
    }


@covariance_matrix.wrong(
    "Add 100 to every entry of X and your matrix grows. A covariance does not know where the cloud is.",
    see="eq-covariance-centred",
)
def forgot_to_centre(X: Array, ddof: int) -> Array:
    """Second moments about the origin."""
    return X.T @ X / (len(X) - ddof)


@covariance_matrix.wrong("Your function gives the same for every ddof. What should this argument change?")
def always_divided_by_n(X: Array, ddof: int) -> Array:
    """Ignore ddof."""
    return covariance(X)


@covariance_matrix.wrong(
    "Right for ddof = 1 only. Some library functions have a divisor of their own: look for the argument that sets it.",
    see="sec-covariance-columns",
)
def always_divided_by_n_minus_one(X: Array, ddof: int) -> Array:
    """Take what np.cov gives."""
    return covariance(X, ddof=1)


@covariance_matrix.wrong(
    "Your matrix has one row per sample. It compares samples with one another; a covariance compares features.",
    see="sec-covariance-columns",
)
def took_rows_for_features(X: Array, ddof: int) -> Array:
    """np.cov without rowvar=False: one row per feature."""
    return np.cov(X, ddof=ddof)


@covariance_matrix.wrong(
    "Every row of your deviations sums to zero. Which sums should be zero: those along rows, or those along columns?",
    see="eq-covariance-centred",
)
def centred_each_sample(X: Array, ddof: int) -> Array:
    """Subtract from each row the mean of its own entries."""
    away = X - X.mean(axis=1, keepdims=True)
    return away.T @ away / (len(X) - ddof)


@covariance_matrix.wrong(
    "You subtracted one number from all entries. Features differ, and so do their means.",
    see="eq-covariance-mean",
)
def subtracted_one_number(X: Array, ddof: int) -> Array:
    """Subtract the mean of all entries."""
    away = X - X.mean()
    return away.T @ away / (len(X) - ddof)


@covariance_matrix.wrong(
    "You averaged over the number of columns. Over what does the sum in the definition run?",
    see="eq-covariance-entry",
)
def divided_by_the_features(X: Array, ddof: int) -> Array:
    """Divide by D − ddof."""
    return covariance(X) * len(X) / (X.shape[1] - ddof)


@covariance_matrix.wrong(
    "That is the scatter matrix. A covariance does not grow when every sample is listed twice.",
    see="eq-covariance-scatter",
    credit=0.25,
)
def forgot_to_divide(X: Array, ddof: int) -> Array:
    """The scatter matrix."""
    return covariance(X) * len(X)


@covariance_matrix.wrong(
    "All your diagonal entries are 1: the units of the features were divided away.",
    see="eq-covariance-correlation",
)
def gave_correlations(X: Array, ddof: int) -> Array:
    """Divide by the standard deviations too."""
    return np.corrcoef(X, rowvar=False)


@covariance_matrix.also
def by_np_cov(X: Array, ddof: int) -> Array:
    """np.cov, told where the samples are."""
    return np.atleast_2d(np.cov(X, rowvar=False, ddof=ddof))


@covariance_matrix.also
def entry_by_entry(X: Array, ddof: int) -> Array:
    """Two loops over features (eq-covariance-entry)."""
    N, D = X.shape
    C = np.empty((D, D))
    for a in range(D):
        for b in range(D):
            C[a, b] = sum((X[:, a] - X[:, a].mean()) * (X[:, b] - X[:, b].mean())) / (N - ddof)
    return C


@covariance_matrix.also
def about_the_first_sample(X: Array, ddof: int) -> Array:
    """Moments about another point, corrected (eq-covariance-parallel-axes)."""
    away = X - X[0]
    drift = away.sum(axis=0)
    return (away.T @ away - np.outer(drift, drift) / len(X)) / (len(X) - ddof)
