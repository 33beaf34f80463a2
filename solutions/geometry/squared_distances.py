"""Task `squared_distances`: squared distance per dimension between corresponding rows."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from dimred_ref.geometry import normalised_squared_distances
from solutions.numbers import Array


def draw(rng: np.random.Generator) -> Cases:
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


def hard(rng: np.random.Generator) -> Cases:
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


def answer(X: Array, Y: Array) -> Array:
    """‖x − y‖²/D for each row (eq-geometry-normalised-distance)."""
    return normalised_squared_distances(X, Y)


def forgot_to_divide(X: Array, Y: Array) -> Array:
    """‖x − y‖²."""
    return np.sum((X - Y) ** 2, axis=1)


def divided_by_the_number_of_pairs(X: Array, Y: Array) -> Array:
    """‖x − y‖²/N."""
    return np.sum((X - Y) ** 2, axis=1) / len(X)


def took_the_root(X: Array, Y: Array) -> Array:
    """‖x − y‖/D."""
    return np.linalg.norm(X - Y, axis=1) / X.shape[1]


def took_absolute_differences(X: Array, Y: Array) -> Array:
    """The mean of |x − y|."""
    return np.abs(X - Y).mean(axis=1)


def compared_all_pairs(X: Array, Y: Array) -> Array:
    """Every row of X with every row of Y."""
    return np.mean((X[:, None] - Y[None]) ** 2, axis=2)


def averaged_over_the_pairs(X: Array, Y: Array) -> Array:
    """One number per coordinate instead of one per pair."""
    return np.mean((X - Y) ** 2, axis=0)


def subtracted_the_squared_lengths(X: Array, Y: Array) -> Array:
    """(‖x‖² − ‖y‖²)/D."""
    return np.mean(X**2 - Y**2, axis=1)


def by_inner_products(X: Array, Y: Array) -> Array:
    """(‖x‖² − 2xᵀy + ‖y‖²)/D."""
    return np.einsum("ij,ij->i", X, X - 2 * Y) / X.shape[1] + np.mean(Y**2, axis=1)


def by_loops(X: Array, Y: Array) -> list[float]:
    """Coordinate by coordinate."""
    pairs = zip(X.tolist(), Y.tolist(), strict=True)
    return [sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) / len(x) for x, y in pairs]


squared_distances = Task(
    kind="code",
    points=2,
    minutes=6,
    draw=draw,
    answer=answer,
    see="eq-geometry-normalised-distance",
    misconceptions=(
        Misconception(
            forgot_to_divide,
            hint="These grow with the number of coordinates. The chapter normalises them so that the mean stays "
            "at 2 in every dimension.",
            see="eq-geometry-normalised-distance",
        ),
        Misconception(
            divided_by_the_number_of_pairs,
            hint="You divided by the number of rows. Which side of X counts dimensions?",
            see="eq-geometry-normalised-distance",
        ),
        Misconception(
            took_the_root,
            hint="The root of the sum was taken. The law of the chapter is about the square.",
            see="eq-geometry-normalised-distance",
        ),
        Misconception(
            took_absolute_differences,
            hint="This averages absolute differences. Which power of the differences enters a Euclidean distance?",
            see="eq-geometry-normalised-distance",
        ),
        Misconception(
            compared_all_pairs,
            hint="Every row of X meets every row of Y here. Only rows of the same number should meet, so that "
            "the values are independent.",
            see="eq-geometry-normalised-distance",
        ),
        Misconception(
            averaged_over_the_pairs,
            hint="You have one number for each coordinate. One for each pair of points is wanted: along which "
            "axis must be summed?",
            see="eq-geometry-normalised-distance",
        ),
        Misconception(
            subtracted_the_squared_lengths,
            hint="The square of a difference is not the difference of the squares: a mixed term is missing.",
            see="eq-geometry-normalised-distance",
        ),
    ),
    alternatives=(by_inner_products, by_loops),
    picture="bars",
    hard=hard,
)
