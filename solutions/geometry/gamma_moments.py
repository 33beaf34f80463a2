"""Task `gamma_moments`: mean, second moment and variance of a Gamma law, as formulas."""

import numpy as np
from scipy.special import gamma

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import N_POINTS, Array


def draw(rng: np.random.Generator) -> Cases:
    """Shapes and scales.

    Three decimals: products of shorter ones lie too often exactly between two steps of a sealed answer.
    """
    alpha, theta = rng.uniform(0.5, 6, size=N_POINTS), rng.uniform(1.2, 4, size=N_POINTS)
    return {"at sample points": {"alpha": np.round(alpha, 3), "theta": np.round(theta, 3)}}


def answer(alpha: Array, theta: Array) -> Array:
    """αθ, α(α + 1)θ², αθ² (eq-geometry-gamma-moments)."""
    return np.column_stack([alpha * theta, alpha * (alpha + 1) * theta**2, alpha * theta**2])


def mistook_the_scale_for_a_rate(alpha: Array, theta: Array) -> Array:
    """α/θ, α(α + 1)/θ², α/θ²."""
    return answer(alpha, 1 / theta)


def took_the_second_moment_for_the_variance(alpha: Array, theta: Array) -> Array:
    """Forget to subtract the squared mean."""
    mean, second, _ = answer(alpha, theta).T
    return np.column_stack([mean, second, second])


def squared_the_mean(alpha: Array, theta: Array) -> Array:
    """E Z² = (E Z)²."""
    mean, _, variance = answer(alpha, theta).T
    return np.column_stack([mean, mean**2, variance])


def gave_the_standard_deviation(alpha: Array, theta: Array) -> Array:
    """√α θ."""
    mean, second, variance = answer(alpha, theta).T
    return np.column_stack([mean, second, np.sqrt(variance)])


def scaled_the_variance_once(alpha: Array, theta: Array) -> Array:
    """αθ for mean and variance alike."""
    mean, _, _ = answer(alpha, theta).T
    return np.column_stack([mean, mean**2 + mean, mean])


def by_gamma_functions(alpha: Array, theta: Array) -> Array:
    """θⁿ Γ(α + n)/Γ(α)."""
    first, second = (theta**n * gamma(alpha + n) / gamma(alpha) for n in (1, 2))
    return np.column_stack([first, second, second - first**2])


gamma_moments = Task(
    kind="sym",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    same=(exactly,) * 3,
    parts=("the mean", "the second moment", "the variance"),
    see="thm-geometry-gamma-moments",
    misconceptions=(
        Misconception(
            mistook_the_scale_for_a_rate,
            hint="With these formulas a larger θ would mean smaller values. In the density of the text z is "
            "divided by θ: what does stretching the axis do to the mean?",
            see="def-geometry-gamma",
        ),
        Misconception(
            took_the_second_moment_for_the_variance,
            hint="The first two are right. What must be subtracted from the second moment to get the variance?",
            see="thm-geometry-gamma-moments",
            credit=0.5,
        ),
        Misconception(
            squared_the_mean,
            hint="If the second moment were the square of the mean, the variance would be zero.",
            see="eq-geometry-gamma-moments",
            credit=0.5,
        ),
        Misconception(
            gave_the_standard_deviation,
            hint="The last entry has the unit of Z itself. The variance was asked for.",
            see="thm-geometry-gamma-moments",
            credit=0.5,
        ),
        Misconception(
            scaled_the_variance_once,
            hint="Your variance and your mean have the same unit. When Z is doubled, what happens to its "
            "variance?",
            see="thm-geometry-gamma-rules",
        ),
    ),
    alternatives=(by_gamma_functions,),
)
