"""Task `directions_that_count`: mean squared distance and effective dimension from a spectrum, by hand."""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, are_apart, is_short, one_of
from solutions.steps import Worked, eq, squares, steps, tex, total

Answer = tuple[float, float]


@cache
def _choices() -> list[Array]:
    choices = []
    for numbers in combinations_with_replacement((12, 10, 9, 8, 6, 5, 4, 3, 2, 1), 4):
        eigenvalues = np.array([*numbers, 0], dtype=float)
        if len(set(numbers)) > 1 and is_short(directions_that_count(eigenvalues)[1], 2):
            if are_apart(*(way(eigenvalues)[1] for way in (*WAYS, doubled_instead_of_squaring))):
                choices.append(eigenvalues)
    return choices


@task.hand(
    points=2,
    minutes=8,
    see="thm-geometry-effective-dimension",
    parts=("the mean squared distance", "the effective dimension"),
)
def directions_that_count(eigenvalues: Array) -> Answer:
    """2Σλ and (Σλ)²/Σλ² (eq-geometry-participation)."""
    total = float(eigenvalues.sum())
    return 2 * total, total**2 / float(np.sum(eigenvalues**2))


@directions_that_count.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Four whole-number eigenvalues and a zero, with a short effective dimension."""
    return {"the numbers of the text": {"eigenvalues": one_of(rng, _choices())}}


@cache
def _spectra() -> list[Array]:
    spectra = [
        np.array([*numbers, 0], dtype=float)
        for numbers in combinations_with_replacement(range(16, 0, -1), 4)
        if len(set(numbers)) > 1
    ]
    return [spectrum for spectrum in spectra if is_short(directions_that_count(spectrum)[1])]


@directions_that_count.practice_draw
def practice_draw(rng: np.random.Generator) -> task.Cases:
    """Larger eigenvalues, and one decimal more."""
    return {"the numbers of the text": {"eigenvalues": one_of(rng, _spectra())}}


@directions_that_count.wrong(
    "The dimension is right. The first number is the mean squared distance from the mean; between two random points "
    "both contribute.",
    see="thm-geometry-difference",
    credit=0.5,
)
def forgot_that_both_points_vary(eigenvalues: Array) -> Answer:
    """Σλ, the mean squared distance from the mean."""
    mean, dimension = directions_that_count(eigenvalues)
    return mean / 2, dimension


@directions_that_count.wrong(
    "The first number is right. The second is the flat dimension: a direction with little variance should count for "
    "less than one.",
    credit=0.5,
)
def counted_the_directions(eigenvalues: Array) -> Answer:
    """The number of non-zero eigenvalues."""
    return directions_that_count(eigenvalues)[0], float(np.count_nonzero(eigenvalues))


@directions_that_count.wrong(
    "The first number is right. A dimension less than one? Look again at what is divided by what.",
    see="eq-geometry-participation",
    credit=0.5,
)
def turned_it_upside_down(eigenvalues: Array) -> Answer:
    """Σλ²/(Σλ)²."""
    mean, dimension = directions_that_count(eigenvalues)
    return mean, 1 / dimension


@directions_that_count.wrong(
    "The first number is right. The second would change if lengths were measured in another unit; a dimension must "
    "not.",
    see="eq-geometry-participation",
    credit=0.5,
)
def forgot_to_square_the_sum(eigenvalues: Array) -> Answer:
    """Σλ/Σλ²."""
    mean, dimension = directions_that_count(eigenvalues)
    return mean, 2 * dimension / mean


@directions_that_count.wrong(
    "The first number is right. Your second compares the total with the largest eigenvalue only; the variance of the "
    "distances feels all of them.",
    see="eq-geometry-participation",
    credit=0.5,
)
def compared_with_the_largest(eigenvalues: Array) -> Answer:
    """Σλ/λ₁."""
    return directions_that_count(eigenvalues)[0], float(eigenvalues.sum() / eigenvalues.max())


@directions_that_count.wrong(
    "The first number is right. Eigenvalues of a covariance are variances already: no root is needed.",
    see="eq-geometry-participation",
    credit=0.5,
)
def took_roots_first(eigenvalues: Array) -> Answer:
    """(Σ√λ)²/Σλ."""
    return directions_that_count(eigenvalues)[0], directions_that_count(np.sqrt(eigenvalues))[1]


@directions_that_count.also
def by_moments_of_the_squared_distance(eigenvalues: Array) -> Answer:
    """2 mean²/variance, with mean 2Σλ and variance 8Σλ²."""
    mean, variance = 2 * eigenvalues.sum(), 8 * np.sum(eigenvalues**2)
    return float(mean), float(2 * mean**2 / variance)


@directions_that_count.must_fail
def doubled_instead_of_squaring(eigenvalues: Array) -> Answer:
    """(Σλ)²/Σ2λ: no idea behind it, but whole numbers may hide it."""
    mean, _ = directions_that_count(eigenvalues)
    return mean, mean / 4


WAYS = (
    directions_that_count,
    counted_the_directions,
    turned_it_upside_down,
    forgot_to_square_the_sum,
    compared_with_the_largest,
    took_roots_first,
)


@directions_that_count.worked
def worked(eigenvalues: Array) -> Worked:
    """Twice the trace; the square of the sum over the sum of squares."""
    whole, square = float(eigenvalues.sum()), float((eigenvalues**2).sum())
    return steps(
        rf"Along each axis $x-y$ has twice the variance: $\mathbb E\lVert x-y\rVert^2=2\sum\lambda_i="
        rf"2\,({total(eigenvalues)})={tex(2 * whole)}$.",
        rf"The sum of the squares is $\sum\lambda_i^2={squares(eigenvalues)}={tex(square)}$.",
        rf"The effective dimension is $\dfrac{{(\sum\lambda_i)^2}}{{\sum\lambda_i^2}}="
        rf"\dfrac{{{tex(whole)}^2}}{{{tex(square)}}}{eq(whole**2 / square)}$.",
    ), (2 * whole, whole**2 / square)
