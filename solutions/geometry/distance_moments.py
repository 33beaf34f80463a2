"""Task `distance_moments`: mean and variance of the squared distance per dimension in any unit, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import N_POINTS, Array


def draw(rng: np.random.Generator) -> Cases:
    """Dimensions (any positive number will do in a formula) and standard deviations.

    Four decimals: squares of shorter ones lie too often exactly between two steps of a sealed answer.
    """
    D, s = rng.uniform(3, 30, size=N_POINTS), rng.uniform(1.3, 4, size=N_POINTS)
    return {"at sample points": {"D": np.round(D, 4), "s": np.round(s, 4)}}


def answer(D: Array, s: Array) -> Array:
    """2s² and 8s⁴/D (eq-geometry-concentration, in another unit)."""
    return np.column_stack([2 * s**2, 8 * s**4 / D])


def left_the_unit_out(D: Array, s: Array) -> Array:
    """2 and 8/D."""
    return answer(D, np.ones_like(s))


def scaled_once(D: Array, s: Array) -> Array:
    """2s and 8s²/D, as if distances were not squared."""
    return np.column_stack([2 * s, 8 * s**2 / D])


def scaled_mean_and_variance_alike(D: Array, s: Array) -> Array:
    """2s² and 8s²/D."""
    return np.column_stack([2 * s**2, 8 * s**2 / D])


def forgot_that_both_points_vary(D: Array, s: Array) -> Array:
    """s² and 2s⁴/D."""
    return answer(D, s / np.sqrt(2))


def forgot_to_divide_by_the_dimension(D: Array, s: Array) -> Array:
    """Moments of ‖x − y‖²."""
    return np.column_stack([2 * D * s**2, 8 * D * s**4])


def took_the_variance_of_one_coordinate(D: Array, s: Array) -> Array:
    """2s² and 8s⁴."""
    return answer(np.ones_like(D), s)


def through_the_gamma_law(D: Array, s: Array) -> Array:
    """Shape D/2, scale 4s²/D."""
    shape, scale = D / 2, 4 * s**2 / D
    return np.column_stack([shape * scale, shape * scale**2])


distance_moments = Task(
    kind="sym",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("the mean", "the variance"),
    see="thm-geometry-concentration",
    misconceptions=(
        Misconception(
            left_the_unit_out,
            hint="These are the moments for s = 1. If all coordinates are measured in a smaller unit, the "
            "squared distances grow.",
            see="thm-geometry-gamma-rules",
        ),
        Misconception(
            scaled_once,
            hint="The distance is squared before it is averaged: how does a square react when its root is "
            "multiplied by s?",
            see="eq-geometry-normalised-distance",
        ),
        Misconception(
            scaled_mean_and_variance_alike,
            hint="The mean is right. A variance is multiplied by the square of whatever multiplies the "
            "variable.",
            see="thm-geometry-gamma-moments",
            credit=0.5,
        ),
        Misconception(
            forgot_that_both_points_vary,
            hint="Your formulas fit the distance from a fixed point. Here x and y both vary: variances add.",
            see="thm-geometry-difference",
        ),
        Misconception(
            forgot_to_divide_by_the_dimension,
            hint="These are the moments of the whole sum. The text divides it by D.",
            see="eq-geometry-normalised-distance",
        ),
        Misconception(
            took_the_variance_of_one_coordinate,
            hint="The mean is right. The variance is that of a single coordinate; what does averaging over D "
            "of them do?",
            see="eq-geometry-concentration",
            credit=0.5,
        ),
    ),
    alternatives=(through_the_gamma_law,),
)
