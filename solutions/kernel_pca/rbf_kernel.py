"""Task `rbf_kernel`: the RBF kernel between two sets of points."""

import numpy as np
from scipy.spatial.distance import cdist

from autograder.authoring import task
from solutions.credits import TRANSPOSED
from solutions.numbers import Array


def _squared(A: Array, B: Array) -> Array:
    return np.asarray(np.sum((A[:, None] - B[None]) ** 2, axis=2))


@task.code(points=2, minutes=6, see="eq-kernel-pca-rbf")
def rbf_kernel(A: Array, B: Array, gamma: float) -> Array:
    """exp(−γ‖a − b‖²) (eq-kernel-pca-rbf)."""
    return np.exp(-gamma * _squared(A, B))


@rbf_kernel.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Two sets of different sizes, one feature, and more features than points."""
    wide, plane = rng.normal(size=(5, 8)), 2 * rng.normal(size=(9, 2)) + [1.0, -1.0]
    line = rng.uniform(-3.0, 3.0, size=(8, 1))
    return {
        "points of the plane": {"A": np.round(plane[:4], 2), "B": np.round(plane[4:], 2), "gamma": 0.3},
        "one feature": {"A": np.round(line[:5], 2), "B": np.round(line[5:], 2), "gamma": 1.7},
        "many features": {"A": np.round(wide[:3], 1), "B": np.round(wide[3:], 1), "gamma": 0.08},
    }


@rbf_kernel.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Whole numbers, one point each, and one set with itself."""
    cloud = np.round(rng.normal(size=(6, 3)), 2)
    return {
        "whole numbers": {
            "A": rng.integers(-3, 4, size=(4, 2)),
            "B": rng.integers(-3, 4, size=(3, 2)),
            "gamma": 0.1,
        },
        "one point each": {"A": cloud[:1], "B": cloud[1:2], "gamma": 0.4},
        "a set with itself": {"A": cloud, "B": cloud, "gamma": 1.0},
    }


@rbf_kernel.wrong(
    "The exponent of this kernel grows with the square of the distance; yours grows with the distance."
)
def left_the_distance_unsquared(A: Array, B: Array, gamma: float) -> Array:
    """exp(−γ‖a − b‖)."""
    return np.exp(-gamma * np.sqrt(_squared(A, B)))


@rbf_kernel.wrong("Here γ multiplies the squared distance. You used it as the width of a bell curve.")
def took_gamma_for_a_width(A: Array, B: Array, gamma: float) -> Array:
    """exp(−‖a − b‖²/2γ²)."""
    return np.exp(-_squared(A, B) / (2 * gamma**2))


@rbf_kernel.wrong("A larger γ makes this kernel narrower; yours becomes wider.")
def divided_by_gamma(A: Array, B: Array, gamma: float) -> Array:
    """exp(−‖a − b‖²/γ)."""
    return np.exp(-_squared(A, B) / gamma)


@rbf_kernel.wrong(
    "The entries are right, but rows and columns changed places: rows belong to A.", credit=TRANSPOSED
)
def exchanged_the_sets(A: Array, B: Array, gamma: float) -> Array:
    """A row for each point of B."""
    return rbf_kernel(A, B, gamma).T


@rbf_kernel.wrong(
    "These are squared distances of features. The kernel is their inner product, and it is one for two equal points.",
    see="eq-kernel-pca-rbf-distance",
)
def gave_feature_distances(A: Array, B: Array, gamma: float) -> Array:
    """2 − 2κ."""
    return 2 - 2 * rbf_kernel(A, B, gamma)


@rbf_kernel.wrong("Your exponent adds absolute differences. A squared length adds their squares.")
def added_absolute_differences(A: Array, B: Array, gamma: float) -> Array:
    """exp(−γ Σ|a − b|)."""
    return np.exp(-gamma * cdist(A, B, "cityblock"))


@rbf_kernel.wrong(
    "Your exponent holds the mean of the squared differences over the features. A squared length is their sum."
)
def averaged_over_the_features(A: Array, B: Array, gamma: float) -> Array:
    """exp(−γ‖a − b‖²/D)."""
    return np.exp(-gamma * _squared(A, B) / A.shape[1])


@rbf_kernel.wrong(
    "The differences of the features were added up before the square was taken. A squared length adds squares."
)
def squared_the_sum(A: Array, B: Array, gamma: float) -> Array:
    """exp(−γ(Σ(a − b))²)."""
    return np.exp(-gamma * np.subtract.outer(A.sum(axis=1), B.sum(axis=1)) ** 2)


@rbf_kernel.also
def by_library(A: Array, B: Array, gamma: float) -> Array:
    """Distances from scipy."""
    return np.exp(-gamma * cdist(A, B) ** 2)


@rbf_kernel.also
def by_products(A: Array, B: Array, gamma: float) -> Array:
    """‖a‖² + ‖b‖² − 2a·b."""
    squared = np.sum(A**2, axis=1)[:, None] + np.sum(B**2, axis=1) - 2 * A @ B.T
    return np.exp(-gamma * squared)


@rbf_kernel.also
def by_loops(A: Array, B: Array, gamma: float) -> Array:
    """One pair at a time."""
    return np.array([[np.exp(-gamma * np.linalg.norm(a - b) ** 2) for b in B] for a in A])
