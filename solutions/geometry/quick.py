"""Quick questions on the geometry of many dimensions."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.geometry.directions_that_count import (
    compared_with_the_largest,
    counted_the_directions,
    directions_that_count,
    took_roots_first,
    turned_it_upside_down,
)
from solutions.numbers import Array


def _apart(rng: np.random.Generator, D: int, n: int = 4000) -> Array:
    """Distances of pairs of independent normal points."""
    return np.linalg.norm(rng.normal(size=(n, D)) - rng.normal(size=(n, D)), axis=1)


many_dimensions = question.claims(
    "Distances in many dimensions",
    "Points are drawn from the standard normal law in $D$ dimensions, independently. Which statements about the "
    "distance of two of them are true?",
    see="thm-geometry-concentration",
    explanation="Squared distances add up coordinate by coordinate: their mean grows as fast as D, their spread as √D.",
)
many_dimensions.holds(
    "mean_square",
    "The mean of the squared distance is $2D$.",
    lambda rng: abs(np.mean(_apart(rng, 50) ** 2) / 100 - 1) < 0.05,
)
many_dimensions.holds(
    "relative_spread_falls",
    "Divided by its mean, the spread of the distance is smaller for $D=1000$ than for $D=10$.",
    lambda rng: (lambda a, b: b.std() / b.mean() < a.std() / a.mean())(
        _apart(rng, 10), _apart(rng, 1000, 200)
    ),
)
many_dimensions.fails(
    "forgot_that_both_points_vary",
    "The mean of the squared distance is $D$.",
    "That is the mean squared distance of one point from the origin. Here both points vary.",
    lambda rng: abs(np.mean(_apart(rng, 50) ** 2) / 50 - 1) < 0.05,
)
many_dimensions.fails(
    "thought_points_come_closer",
    "The mean distance falls as $D$ grows.",
    "Every further coordinate adds a square. Can a sum of squares fall?",
    lambda rng: _apart(rng, 100).mean() < _apart(rng, 10).mean(),
)
many_dimensions.fails(
    "took_the_spread_for_the_ratio",
    "The spread of the distance itself falls to nothing as $D$ grows.",
    "What falls is the spread divided by the mean. Compare both for two values of $D$.",
    lambda rng: _apart(rng, 1000, 400).std() < 0.5 * _apart(rng, 10).std(),
)

effective = question.predict(
    "How many directions count?",
    "Data have the variances ${{ eigenvalues }}$ along their principal axes. What is their effective dimension, the "
    "squared sum over the sum of squares?",
    of=directions_that_count,
    among={
        counted_the_directions: "This is the number of positive variances. A direction with little variance should "
        "count for less than one.",
        turned_it_upside_down: "A dimension less than one? Look again at what is divided by what.",
        compared_with_the_largest: "This compares the total with the largest variance only. The effective dimension "
        "feels all of them.",
        took_roots_first: "The numbers are variances already: no root is needed.",
    },
    part=1,
    see="eq-geometry-effective-dimension",
)

concentration = question.proof(
    "Why distances become equal",
    r"Let $R^2=\sum_{k=1}^D(X_k-Y_k)^2$ with independent standard normal coordinates. Put the steps in order that "
    r"bound how far $R^2/(2D)$ is from 1.",
    see="thm-geometry-concentration",
)


def _squares(rng: np.random.Generator) -> Array:
    return (rng.normal(size=200_000) - rng.normal(size=200_000)) ** 2


concentration.step(
    "one",
    "A difference of two coordinates is normal with mean 0 and variance 2. Its square has mean 2 and variance 8.",
    true=lambda rng: (lambda s: abs(s.mean() - 2) < 0.1 and abs(s.var() - 8) < 1)(_squares(rng)),
)
concentration.step(
    "add", r"The $D$ squares are independent, so $R^2$ has mean $2D$ and variance $8D$.", after=("one",)
)
concentration.step(
    "divide", r"Divided by $2D$: the mean is 1 and the variance is $8D/(2D)^2=2/D$.", after=("add",)
)
concentration.step(
    "chebyshev",
    r"By Chebyshev's inequality, $R^2/(2D)$ is farther than $\varepsilon$ from 1 with probability at most "
    r"$2/(D\varepsilon^2)$.",
    after=("divide",),
)
concentration.wrong_step(
    "A difference of two coordinates is normal with mean 0 and variance 0, because both variances cancel.",
    "Variances of independent numbers add up, also in a difference.",
    false=lambda rng: np.var(rng.normal(size=1000) - rng.normal(size=1000)) < 0.1,
    name="subtracted_variances",
)
concentration.wrong_step(
    r"Divided by $2D$: the mean is 1 and the variance is $8D/(2D)=4$.",
    "A variance is divided by the square of the number.",
    false=lambda rng: abs(np.var(_squares(rng)[:1000] / 2) - np.var(_squares(rng)[:1000]) / 2) < 0.1,
    name="divided_the_variance_once",
)


@question.order(
    "The contrast of distances",
    "A function `relative_contrast(X)` shall return, for the first row of `X`, the difference of its largest and its "
    "smallest distance to the other rows, divided by the smallest. Choose five lines of its body and order them.",
    see="eq-geometry-normalised-distance",
)
def relative_contrast(X: Array) -> float:
    """(largest − smallest) / smallest."""
    others = X[1:]
    differences = others - X[0]
    lengths = np.linalg.norm(differences, axis=1)
    smallest = lengths.min()
    return (lengths.max() - smallest) / smallest


@relative_contrast.draw
def draw_contrast(rng: np.random.Generator) -> Cases:
    """Two clouds."""
    return {"space": {"X": rng.normal(size=(5, 3))}, "plane": {"X": rng.normal(size=(6, 2))}}


relative_contrast.wrong_line(
    "others = X", "The distance of a point to itself is zero.", name="counted_itself"
)
relative_contrast.wrong_line(
    "lengths = np.linalg.norm(differences, axis=0)",
    "This gives a number for each coordinate. One for each point is needed.",
    name="measured_columns",
)


@question.fault(
    "All distances equal?",
    "The function shall return 1 if all distances between different rows of `X` agree, and 0 otherwise.",
    see="thm-geometry-equidistant",
)
def is_equidistant(X):
    """Compares all pairs."""
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    pairs = D[np.triu_indices(len(X), 1)]
    return int(np.ptp(pairs) < 1e-9)


@is_equidistant.shown("Which distances does the function look at? With how many points is that all of them?")
def looked_at_the_first_point(X):
    """Only distances from the first row."""
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    pairs = D[0, 1:]
    return int(np.ptp(pairs) < 1e-9)


@is_equidistant.valid
def has_pairs(X):
    """Two points or more."""
    return None if len(X) > 1 else "there must be two points or more"


is_equidistant.passes(
    {"X": np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])},
    {"X": np.array([[0.0, 0], [1, 0], [0, 2]])},
    {"X": np.array([[0.0], [1], [2]])},
)
is_equidistant.hides({"X": np.array([[5.0], [8]])}, {"X": np.array([[1.0, 0], [0, 1], [3, 3]])})
is_equidistant.reveals({"X": np.array([[0.0], [1], [-1]])}, {"X": np.array([[0.0, 0], [1, 0], [0, 1]])})


@question.fault(
    "The effective dimension",
    "`values` holds variances along the principal axes. The function shall return the squared sum over the sum of "
    "squares.",
    see="eq-geometry-effective-dimension",
)
def spread_over(values):
    """(Σλ)² / Σλ²."""
    total = np.sum(values)
    return total**2 / np.sum(values**2)


@spread_over.shown(
    "In each test all positive variances are equal. How large is the effective dimension where they differ?"
)
def counted_positive_values(values):
    """The number of positive variances."""
    total = np.sum(values)
    return np.sum(values > 0) * total / total


@spread_over.valid
def are_variances(values):
    """Not negative, not all zero."""
    return (
        None if np.all(values >= 0) and np.any(values > 0) else "variances are not negative, and not all zero"
    )


spread_over.passes(
    {"values": np.array([2.0, 2, 2])}, {"values": np.array([5.0, 0, 0])}, {"values": np.array([1.0, 1, 0, 0])}
)
spread_over.hides({"values": np.array([7.0])}, {"values": np.array([0.5, 0.5])})
spread_over.reveals({"values": np.array([3.0, 1])}, {"values": np.array([9.0, 9, 3, 3])})
