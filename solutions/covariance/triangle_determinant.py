"""Task `triangle_determinant`: the determinant of the covariance of three points, as a formula."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from solutions.numbers import Array, sample_points


def draw(rng: np.random.Generator) -> Cases:
    """Edges (a, b) and (c, d) from the first point."""
    ranges = {"a": (3.0, 6.0), "b": (0.5, 1.5), "c": (1.0, 2.0), "d": (2.5, 5.0)}
    points = sample_points(rng, **ranges)
    # every other triangle is run round the other way: then ad − bc is negative
    turned = {"a": "b", "b": "a", "c": "d", "d": "c"}
    way = np.arange(len(points["a"])) % 2
    return {"at sample points": {name: np.where(way, points[name], points[turned[name]]) for name in "abcd"}}


def answer(a: Array, b: Array, c: Array, d: Array) -> Array:
    """det C = det S/9 = (ad − bc)²/27 (eq-covariance-simplex)."""
    return (a * d - b * c) ** 2 / 27


def forgot_to_centre(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The raw moments of the three points, one of which is the origin."""
    return (a * d - b * c) ** 2 / 9


def gave_the_scatter(a: Array, b: Array, c: Array, d: Array) -> Array:
    """det S."""
    return (a * d - b * c) ** 2 / 3


def divided_by_n_minus_one(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Divisor 2."""
    return (a * d - b * c) ** 2 / 12


def forgot_the_square(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The determinant of the edges once only."""
    return (a * d - b * c) / 27


def forgot_the_covariance(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The product of the two variances."""
    first = (a**2 + c**2) / 3 - ((a + c) / 3) ** 2
    second = (b**2 + d**2) / 3 - ((b + d) / 3) ** 2
    return first * second


def by_coordinates(a: Array, b: Array, c: Array, d: Array) -> Array:
    """The covariance of each triple, and its determinant."""
    triples = np.stack([np.zeros((len(a), 2)), np.column_stack([a, b]), np.column_stack([c, d])], axis=1)
    return np.array([np.linalg.det(np.cov(triple, rowvar=False, ddof=0)) for triple in triples])


triangle_determinant = Task(
    kind="sym",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="eq-covariance-simplex",
    misconceptions=(
        Misconception(
            forgot_to_centre,
            hint="One of the points is the origin, but the mean is not: deviations from which of the two? If yours are "
            "right, count how often a divisor comes out of a 2 × 2 determinant.",
            see="eq-covariance-centred",
        ),
        Misconception(
            gave_the_scatter,
            hint="That is the determinant of the scatter matrix. What happens to the determinant of a 2 × 2 "
            "matrix when all its entries are divided by a number?",
            see="eq-covariance-definition",
            credit=0.5,
        ),
        Misconception(
            divided_by_n_minus_one,
            hint="Right for the other divisor. Here the covariance describes the three points.",
            see="eq-covariance-definition",
            credit=0.5,
        ),
        Misconception(
            forgot_the_square,
            hint="Order the last two points the other way round: your formula changes its sign. Can a "
            "positive semidefinite matrix have a negative determinant?",
            see="thm-covariance-semidefinite",
        ),
        Misconception(
            forgot_the_covariance,
            hint="That is the product of the two variances. A determinant has a second term.",
            see="eq-covariance-correlation",
        ),
    ),
    alternatives=(by_coordinates, "(a*d - b*c)**2/27"),
)
