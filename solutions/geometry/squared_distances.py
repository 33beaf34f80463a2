"""Task `squared_distances`: squared distance per dimension between corresponding rows."""

import numpy as np

from autograder.authoring import task
from dimred_ref.geometry import normalised_squared_distances
from solutions.numbers import Array


@task.code(points=2, minutes=6, see="eq-geometry-normalised-distance", picture="bars")
def squared_distances(X: Array, Y: Array) -> Array:
    """‖x − y‖²/D for each row (eq-geometry-normalised-distance)."""
    return normalised_squared_distances(X, Y)


@squared_distances.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Many pairs in few dimensions, few pairs in many dimensions, and one coordinate only, of both signs."""
    shapes = {
        "many pairs, few dimensions": (9, 3),
        "few pairs, many dimensions": (4, 8),
        "a line, in a tiny unit": (5, 1),
    }
    units = (1.0, 100.0, 1e-7)
    return {
        name: {
            "X": np.round(unit * _signed(rng, shape), 10),
            "Y": np.round(unit * (0.3 + 2 * _signed(rng, shape)), 10),
        }
        for (name, shape), unit in zip(shapes.items(), units, strict=True)
    }


def _signed(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Decimals of which the first row is negative and the last positive."""
    table = np.round(rng.normal(size=shape), 2)
    table[0], table[-1] = -0.3 - np.abs(table[0]), 0.2 + np.abs(table[-1])
    return np.round(table, 2)


@squared_distances.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One pair, a square table, whole numbers, equal rows, other units."""
    X, Y = np.round(rng.normal(size=(4, 4)), 2), np.round(rng.normal(size=(4, 4)), 2)
    whole = rng.integers(-9, 10, size=(2, 5, 3))
    return {
        "one pair": {"X": X[:1], "Y": Y[:1]},
        "as many pairs as dimensions": {"X": X, "Y": Y},
        "whole numbers": {"X": whole[0], "Y": whole[1]},
        "repeated rows": {"X": X[[0, 0, 1]], "Y": Y[[2, 2, 2]]},
        "a tiny unit": {"X": 1e-6 * X, "Y": 1e-6 * Y},
        "a large unit": {"X": 1e6 * X, "Y": 1e6 * Y},
    }


@squared_distances.wrong(
    "These grow with the number of coordinates. The chapter normalises them so that the mean stays at 2 in every "
    "dimension.",
)
def forgot_to_divide(X: Array, Y: Array) -> Array:
    """‖x − y‖²."""
    return np.sum((X - Y) ** 2, axis=1)


@squared_distances.wrong("You divided by the number of rows. Which side of X counts dimensions?")
def divided_by_the_number_of_pairs(X: Array, Y: Array) -> Array:
    """‖x − y‖²/N."""
    return np.sum((X - Y) ** 2, axis=1) / len(X)


@squared_distances.wrong("The root of the sum was taken. The law of the chapter is about the square.")
def took_the_root(X: Array, Y: Array) -> Array:
    """‖x − y‖/D."""
    return np.linalg.norm(X - Y, axis=1) / X.shape[1]


@squared_distances.wrong(
    "This averages absolute differences. Which power of the differences enters a Euclidean distance?"
)
def took_absolute_differences(X: Array, Y: Array) -> Array:
    """The mean of |x − y|."""
    return np.abs(X - Y).mean(axis=1)


@squared_distances.wrong(
    "Every row of X meets every row of Y here. Only rows of the same number should meet, so that the values are "
    "independent.",
)
def compared_all_pairs(X: Array, Y: Array) -> Array:
    """Every row of X with every row of Y."""
    return np.mean((X[:, None] - Y[None]) ** 2, axis=2)


@squared_distances.wrong(
    "You have one number for each coordinate. One for each pair of points is wanted: along which axis must be summed?"
)
def averaged_over_the_pairs(X: Array, Y: Array) -> Array:
    """One number per coordinate instead of one per pair."""
    return np.mean((X - Y) ** 2, axis=0)


@squared_distances.wrong(
    "The square of a difference is not the difference of the squares: a mixed term is missing."
)
def subtracted_the_squared_lengths(X: Array, Y: Array) -> Array:
    """(‖x‖² − ‖y‖²)/D."""
    return np.mean(X**2 - Y**2, axis=1)


@squared_distances.also
def by_inner_products(X: Array, Y: Array) -> Array:
    """(‖x‖² − 2xᵀy + ‖y‖²)/D."""
    return np.einsum("ij,ij->i", X, X - 2 * Y) / X.shape[1] + np.mean(Y**2, axis=1)


@squared_distances.also
def by_loops(X: Array, Y: Array) -> list[float]:
    """Coordinate by coordinate."""
    pairs = zip(X.tolist(), Y.tolist(), strict=True)
    return [sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) / len(x) for x, y in pairs]
