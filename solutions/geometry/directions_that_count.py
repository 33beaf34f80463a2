"""Task `directions_that_count`: mean squared distance and effective dimension from a spectrum, by hand."""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, are_apart, is_short, one_of

Answer = tuple[float, float]


def draw(rng: np.random.Generator) -> Cases:
    """Four whole-number eigenvalues and a zero, with a short effective dimension."""
    return {"the numbers of the text": {"eigenvalues": one_of(rng, _choices())}}


@cache
def _choices() -> list[Array]:
    choices = []
    for numbers in combinations_with_replacement((12, 10, 9, 8, 6, 5, 4, 3, 2, 1), 4):
        eigenvalues = np.array([*numbers, 0], dtype=float)
        if len(set(numbers)) > 1 and is_short(answer(eigenvalues)[1], 2):
            if are_apart(*(way(eigenvalues)[1] for way in (*WAYS, doubled_instead_of_squaring))):
                choices.append(eigenvalues)
    return choices


def answer(eigenvalues: Array) -> Answer:
    """2Σλ and (Σλ)²/Σλ² (eq-geometry-participation)."""
    total = float(eigenvalues.sum())
    return 2 * total, total**2 / float(np.sum(eigenvalues**2))


def forgot_that_both_points_vary(eigenvalues: Array) -> Answer:
    """Σλ, the mean squared distance from the mean."""
    mean, dimension = answer(eigenvalues)
    return mean / 2, dimension


def counted_the_directions(eigenvalues: Array) -> Answer:
    """The number of non-zero eigenvalues."""
    return answer(eigenvalues)[0], float(np.count_nonzero(eigenvalues))


def turned_it_upside_down(eigenvalues: Array) -> Answer:
    """Σλ²/(Σλ)²."""
    mean, dimension = answer(eigenvalues)
    return mean, 1 / dimension


def forgot_to_square_the_sum(eigenvalues: Array) -> Answer:
    """Σλ/Σλ²."""
    mean, dimension = answer(eigenvalues)
    return mean, 2 * dimension / mean


def compared_with_the_largest(eigenvalues: Array) -> Answer:
    """Σλ/λ₁."""
    return answer(eigenvalues)[0], float(eigenvalues.sum() / eigenvalues.max())


def took_roots_first(eigenvalues: Array) -> Answer:
    """(Σ√λ)²/Σλ."""
    return answer(eigenvalues)[0], answer(np.sqrt(eigenvalues))[1]


def by_moments_of_the_squared_distance(eigenvalues: Array) -> Answer:
    """2 mean²/variance, with mean 2Σλ and variance 8Σλ²."""
    mean, variance = 2 * eigenvalues.sum(), 8 * np.sum(eigenvalues**2)
    return float(mean), float(2 * mean**2 / variance)


def doubled_instead_of_squaring(eigenvalues: Array) -> Answer:
    """(Σλ)²/Σ2λ: no idea behind it, but whole numbers may hide it."""
    mean, _ = answer(eigenvalues)
    return mean, mean / 4


WAYS = (
    answer,
    counted_the_directions,
    turned_it_upside_down,
    forgot_to_square_the_sum,
    compared_with_the_largest,
    took_roots_first,
)

directions_that_count = Task(
    kind="hand",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    see="thm-geometry-effective-dimension",
    same=(exactly, exactly),
    parts=("the mean squared distance", "the effective dimension"),
    misconceptions=(
        Misconception(
            forgot_that_both_points_vary,
            hint="The dimension is right. The first number is the mean squared distance from the mean; between "
            "two random points both contribute.",
            see="thm-geometry-difference",
            credit=0.5,
        ),
        Misconception(
            counted_the_directions,
            hint="The first number is right. The second is the flat dimension: a direction with little variance "
            "should count for less than one.",
            see="thm-geometry-effective-dimension",
            credit=0.5,
        ),
        Misconception(
            turned_it_upside_down,
            hint="The first number is right. A dimension less than one? Look again at what is divided by what.",
            see="eq-geometry-participation",
            credit=0.5,
        ),
        Misconception(
            forgot_to_square_the_sum,
            hint="The first number is right. The second would change if lengths were measured in another unit; a "
            "dimension must not.",
            see="eq-geometry-participation",
            credit=0.5,
        ),
        Misconception(
            compared_with_the_largest,
            hint="The first number is right. Your second compares the total with the largest eigenvalue only; "
            "the variance of the distances feels all of them.",
            see="eq-geometry-participation",
            credit=0.5,
        ),
        Misconception(
            took_roots_first,
            hint="The first number is right. Eigenvalues of a covariance are variances already: no root is "
            "needed.",
            see="eq-geometry-participation",
            credit=0.5,
        ),
    ),
    alternatives=(by_moments_of_the_squared_distance,),
    must_fail=(doubled_instead_of_squaring,),
)
