"""Task `effective_dimension`: what the spread of squared distances says about the dimension of a cloud."""

import numpy as np

from autograder.authoring import task
from dimred_ref import geometry
from solutions.numbers import Array


@task.code(points=3, minutes=12, see="eq-geometry-effective-dimension")
def effective_dimension(X: Array) -> float:
    """2 mean²/variance over the pairs i < j (eq-geometry-effective-dimension)."""
    return geometry.effective_dimension(X)


@effective_dimension.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A round cloud in which a point occurs twice, one hidden in a larger space, and a handful of points."""
    round_cloud = np.round(rng.normal(size=(int(rng.integers(24, 31)), 5)), 2)
    first, second = rng.choice(len(round_cloud), size=2, replace=False)
    round_cloud[first] = round_cloud[second]
    hidden = rng.normal(size=(20, 3)) @ rng.normal(size=(3, 8))
    return {
        "a round cloud, one point twice": {"X": round_cloud},
        "a cloud hidden in a larger space": {"X": np.round(hidden + rng.uniform(-20, 20, size=8), 2)},
        "a handful of points, in a tiny unit": {"X": np.round(3e-6 * rng.normal(size=(5, 2)), 9)},
    }


@effective_dimension.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One feature, three points, whole numbers, more features than points, other units."""
    X = np.round(rng.normal(size=(8, 3)), 2)
    return {
        "one feature": {"X": X[:, :1]},
        "three points": {"X": X[:3]},
        "whole numbers": {"X": rng.integers(-9, 10, size=(6, 3))},
        "more features than points": {"X": np.round(rng.normal(size=(4, 9)), 2)},
        "a tiny unit": {"X": 1e-6 * X},
        "a large unit": {"X": 1e6 * X},
        "many copies": {"X": X[[0, 0, 1, 2, 2, 2]]},
    }


@effective_dimension.ill_posed
def is_ill_posed(X: Array) -> str | None:
    """Nearly equal distances would make the answer huge and shaky."""
    return "all pairs are nearly equally far apart" if effective_dimension(X) > 100 else None


def _squares(X: Array) -> Array:
    """All N × N squared distances, zeros on the diagonal."""
    return np.sum((X[:, None] - X[None]) ** 2, axis=2)


def _pairs(X: Array) -> Array:
    return _squares(X)[np.triu_indices(len(X), 1)]


@effective_dimension.wrong(
    "Each point has the distance zero from itself, which is not a distance between two points of the cloud. How many "
    "zeros are in your average?",
    see="def-geometry-effective-dimension",
)
def counted_points_with_themselves(X: Array) -> float:
    """Keep the zeros of the diagonal."""
    squares = _squares(X)
    return float(2 * squares.mean() ** 2 / squares.var())


@effective_dimension.wrong(
    "The formula is right, but it was applied to the distances themselves. Their relative spread is only about half "
    "as large.",
)
def left_the_distances_unsquared(X: Array) -> float:
    """The same formula for ‖xᵢ − xⱼ‖."""
    distances = np.sqrt(_pairs(X))
    return float(2 * distances.mean() ** 2 / distances.var())


@effective_dimension.wrong(
    "Your number changes with the unit of length. What has the same unit as a squared mean?"
)
def divided_by_the_deviation(X: Array) -> float:
    """2 mean²/standard deviation."""
    squares = _pairs(X)
    return float(2 * squares.mean() ** 2 / squares.std())


@effective_dimension.wrong(
    "Right up to a constant factor. For standard normal points the mean is 2 and the variance 8/D: solve for D.",
    see="sec-geometry-effective",
    credit=0.5,
)
def lost_the_factor_two(X: Array) -> float:
    """mean²/variance."""
    return effective_dimension(X) / 2


@effective_dimension.wrong(
    "A mean in square metres over a variance in metres to the fourth power is not a pure number."
)
def forgot_to_square_the_mean(X: Array) -> float:
    """2 mean/variance."""
    squares = _pairs(X)
    return float(2 * squares.mean() / squares.var())


@effective_dimension.wrong(
    "Almost: the variance here is the plain average of squared deviations over all pairs.",
    see="def-geometry-effective-dimension",
    credit=0.5,
)
def divided_by_one_pair_less(X: Array) -> float:
    """The variance with divisor n − 1."""
    squares = _pairs(X)
    return float(2 * squares.mean() ** 2 / squares.var(ddof=1))


@effective_dimension.wrong(
    "That is the limit for a normal cloud of infinitely many points. Measure the distances of the given ones.",
    see="thm-geometry-effective-dimension",
)
def used_the_eigenvalues(X: Array) -> float:
    """(Σλ)²/Σλ² of the sample covariance: the limit instead of the estimate."""
    C = np.cov(X.T)
    return float(np.trace(C) ** 2 / np.sum(C**2))


@effective_dimension.wrong(
    "That is the number of coordinates, which one can read off without any distances.",
    see="def-geometry-intrinsic-dimension",
)
def gave_the_ambient_dimension(X: Array) -> float:
    """D."""
    return float(X.shape[1])


@effective_dimension.also
def by_loops(X: Array) -> float:
    """Pair by pair."""
    squares = [sum((X[i] - X[j]) ** 2) for i in range(len(X)) for j in range(i)]
    mean = sum(squares) / len(squares)
    return float(2 * mean**2 * len(squares) / sum((value - mean) ** 2 for value in squares))


@effective_dimension.also
def by_counting_both_orders(X: Array) -> float:
    """Pairs (i, j) and (j, i): every value twice, so neither mean nor variance changes."""
    squares = _squares(X)[~np.eye(len(X), dtype=bool)]
    return float(2 * squares.mean() ** 2 / squares.var())
