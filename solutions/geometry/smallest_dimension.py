"""Task `smallest_dimension`: the variance of a squared distance, and how many dimensions make it steady."""

from functools import cache
from itertools import count, product
from math import ceil

import numpy as np

from autograder.authoring import task
from dimred_ref.geometry import distance_law
from solutions.numbers import are_apart, one_of
from solutions.steps import Worked, eq, steps

Answer = tuple[float, int]
DIMENSIONS = (10, 16, 20, 25, 32, 40, 50, 64, 80, 100, 125, 160, 200)  # 8/D is a short decimal
PARTS = (5, 6, 7, 9, 10, 12, 15, 20)  # at 4 and 8 two mistakes agree


@cache
def _choices() -> list[tuple[int, int]]:
    """Every pair on which no two ways give nearly the same numbers."""
    return [
        (D, parts)
        for D, parts in product(DIMENSIONS, PARTS)
        if are_apart(*{way(D, parts)[0] for way in WAYS})
        and are_apart(*{float(way(D, parts)[1]) for way in WAYS})
    ]


@task.hand(
    points=2, minutes=8, see="thm-geometry-concentration", parts=("the variance", "the smallest dimension")
)
def smallest_dimension(n_dimensions: int, parts: int) -> Answer:
    """8/D, and the smallest D with √(2/D) ≤ 1/parts (eq-geometry-concentration)."""
    return distance_law(n_dimensions).variance, 2 * parts**2


@smallest_dimension.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A dimension with a short variance, and a spread of one part in so many."""
    n_dimensions, parts = one_of(rng, _choices())
    return {"the numbers of the text": {"n_dimensions": n_dimensions, "parts": parts}}


@smallest_dimension.wrong(
    "The second number is right. For the first, what is the variance of one difference of coordinates when both "
    "points are random?",
    see="thm-geometry-difference",
    credit=0.5,
)
def forgot_that_both_points_vary(n_dimensions: int, parts: int) -> Answer:
    """Differences taken as standard normal: R = χ²(D)/D."""
    return 2 / n_dimensions, 2 * parts**2


@smallest_dimension.wrong(
    "An average of D independent numbers has the variance of one of them divided by what? Your variance falls too "
    "fast.",
    see="eq-geometry-concentration",
)
def divided_by_the_dimension_twice(n_dimensions: int, parts: int) -> Answer:
    """Variance 8/D², relative spread √2/D."""
    return 8 / n_dimensions**2, ceil(np.sqrt(2) * parts)


@smallest_dimension.wrong(
    "A variance that grows with the dimension cannot belong to an average. The second parameter of this Gamma law is "
    "a scale: does the variance multiply or divide by its square?",
    see="def-geometry-gamma",
    credit=0.5,
)
def mistook_the_scale_for_a_rate(n_dimensions: int, parts: int) -> Answer:
    """Variance (D/2)/(4/D)²."""
    return n_dimensions**3 / 32, 2 * parts**2


@smallest_dimension.wrong(
    "The variance is right. A relative spread compares two numbers of the same unit, and a variance has the square of "
    "the unit of the mean.",
    credit=0.5,
)
def compared_the_variance_with_the_mean(n_dimensions: int, parts: int) -> Answer:
    """(8/D)/2 ≤ 1/parts."""
    return 8 / n_dimensions, 4 * parts


@smallest_dimension.wrong(
    "The variance is right, but the spread that you bounded is absolute. Relative to what should it be small?",
    credit=0.5,
)
def forgot_to_divide_by_the_mean(n_dimensions: int, parts: int) -> Answer:
    """√(8/D) ≤ 1/parts."""
    return 8 / n_dimensions, 8 * parts**2


@smallest_dimension.wrong(
    "The variance is right; the dimension belongs to the distance. The question is about its square, whose relative "
    "spread is about twice as large.",
    see="thm-geometry-raw-distance",
    credit=0.5,
)
def took_the_distance_itself(n_dimensions: int, parts: int) -> Answer:
    """The relative spread of the unsquared distance, about 1/√(2D)."""
    return 8 / n_dimensions, ceil(parts**2 / 2)


@smallest_dimension.wrong(
    "The variance is right. To solve for D, both sides of the inequality have to be squared, the right one, too.",
    credit=0.5,
)
def forgot_to_square(n_dimensions: int, parts: int) -> Answer:
    """√(2/D) ≤ 1/parts solved as 2·parts ≤ D."""
    return 8 / n_dimensions, 2 * parts


@smallest_dimension.also
def by_search(n_dimensions: int, parts: int) -> Answer:
    """Try dimension after dimension until 2·parts² ≤ D."""
    return 8 / n_dimensions, next(D for D in count(1) if 2 * parts**2 <= D)


WAYS = (
    smallest_dimension,
    forgot_that_both_points_vary,
    divided_by_the_dimension_twice,
    mistook_the_scale_for_a_rate,
    compared_the_variance_with_the_mean,
    forgot_to_divide_by_the_mean,
    took_the_distance_itself,
    forgot_to_square,
)


@smallest_dimension.worked
def worked(n_dimensions: int, parts: int) -> Worked:
    """Mean 2, variance 8/D."""
    return steps(
        r"$(x_i-y_i)$ is normal with variance $2$, so its square has mean $2$ and variance $2\cdot2^2=8$.",
        rf"The average of $D$ such squares has the mean $2$ and the variance $8/D$: here "
        rf"$8/{n_dimensions}{eq(8 / n_dimensions)}$.",
        rf"The relative spread is $\sqrt{{8/D}}/2=\sqrt{{2/D}}$. It is at most $1/{parts}$ when "
        rf"$D\ge2\cdot{parts}^2={2 * parts**2}$.",
    ), (8 / n_dimensions, 2 * parts**2)
