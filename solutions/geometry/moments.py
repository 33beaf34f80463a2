"""Tasks on moments of distances and norms, as formulas."""

import numpy as np
from scipy.special import gamma

from autograder.authoring import task
from solutions.numbers import N_POINTS, Array, in_both_orders


@task.sym(points=2, minutes=8, see="thm-geometry-concentration", parts=("the mean", "the variance"))
def distance_moments(D: Array, s: Array) -> Array:
    """2s² and 8s⁴/D (eq-geometry-concentration, in another unit)."""
    return np.column_stack([2 * s**2, 8 * s**4 / D])


@distance_moments.draw
def draw_distance_moments(rng: np.random.Generator) -> task.Cases:
    """Dimensions (any positive number will do in a formula) and standard deviations.

    Four decimals: squares of shorter ones lie too often exactly between two steps of a sealed answer.
    """
    D, s = rng.uniform(3, 30, size=N_POINTS), rng.uniform(1.3, 4, size=N_POINTS)
    return {"at sample points": in_both_orders({"D": np.round(D, 4), "s": np.round(s, 4)}, "D", "s")}


@distance_moments.wrong(
    "These are the moments for s = 1. If all coordinates are measured in a smaller unit, the squared distances grow.",
    see="thm-geometry-gamma-rules",
)
def left_the_unit_out(D: Array, s: Array) -> Array:
    """2 and 8/D."""
    return distance_moments(D, np.ones_like(s))


@distance_moments.wrong(
    "The distance is squared before it is averaged: how does a square react when its root is multiplied by s?",
    see="eq-geometry-normalised-distance",
)
def scaled_once(D: Array, s: Array) -> Array:
    """2s and 8s²/D, as if distances were not squared."""
    return np.column_stack([2 * s, 8 * s**2 / D])


@distance_moments.wrong(
    "The mean is right. A variance is multiplied by the square of whatever multiplies the variable.",
    see="thm-geometry-gamma-moments",
    credit=0.5,
)
def scaled_mean_and_variance_alike(D: Array, s: Array) -> Array:
    """2s² and 8s²/D."""
    return np.column_stack([2 * s**2, 8 * s**2 / D])


@distance_moments.wrong(
    "Your formulas fit the distance from a fixed point. Here x and y both vary: variances add.",
    see="thm-geometry-difference",
)
def forgot_that_both_points_vary(D: Array, s: Array) -> Array:
    """s² and 2s⁴/D."""
    return distance_moments(D, s / np.sqrt(2))


@distance_moments.wrong(
    "These are the moments of the whole sum. The text divides it by D.", see="eq-geometry-normalised-distance"
)
def forgot_to_divide_by_the_dimension(D: Array, s: Array) -> Array:
    """Moments of ‖x − y‖²."""
    return np.column_stack([2 * D * s**2, 8 * D * s**4])


@distance_moments.wrong(
    "The mean is right. The variance is that of a single coordinate; what does averaging over D of them do?",
    see="eq-geometry-concentration",
    credit=0.5,
)
def took_the_variance_of_one_coordinate(D: Array, s: Array) -> Array:
    """2s² and 8s⁴."""
    return distance_moments(np.ones_like(D), s)


@distance_moments.also
def through_the_gamma_law(D: Array, s: Array) -> Array:
    """Shape D/2, scale 4s²/D."""
    shape, scale = D / 2, 4 * s**2 / D
    return np.column_stack([shape * scale, shape * scale**2])


@task.sym(
    points=2,
    minutes=10,
    see="thm-geometry-gamma-moments",
    parts=("the mean", "the second moment", "the variance"),
)
def gamma_moments(alpha: Array, theta: Array) -> Array:
    """αθ, α(α + 1)θ², αθ² (eq-geometry-gamma-moments)."""
    return np.column_stack([alpha * theta, alpha * (alpha + 1) * theta**2, alpha * theta**2])


@gamma_moments.draw
def draw_gamma_moments(rng: np.random.Generator) -> task.Cases:
    """Shapes and scales.

    Three decimals: products of shorter ones lie too often exactly between two steps of a sealed answer.
    """
    alpha, theta = rng.uniform(0.5, 6, size=N_POINTS), rng.uniform(1.2, 4, size=N_POINTS)
    points = {"alpha": np.round(alpha, 3), "theta": np.round(theta, 3)}
    return {"at sample points": in_both_orders(points, "alpha", "theta")}


@gamma_moments.wrong(
    "With these formulas a larger θ would mean smaller values. In the density of the text z is divided by θ: what "
    "does stretching the axis do to the mean?",
    see="def-geometry-gamma",
)
def mistook_the_scale_for_a_rate(alpha: Array, theta: Array) -> Array:
    """α/θ, α(α + 1)/θ², α/θ²."""
    return gamma_moments(alpha, 1 / theta)


@gamma_moments.wrong(
    "The first two are right. What must be subtracted from the second moment to get the variance?", credit=0.5
)
def took_the_second_moment_for_the_variance(alpha: Array, theta: Array) -> Array:
    """Forget to subtract the squared mean."""
    mean, second, _ = gamma_moments(alpha, theta).T
    return np.column_stack([mean, second, second])


@gamma_moments.wrong(
    "If the second moment were the square of the mean, the variance would be zero.",
    see="eq-geometry-gamma-moments",
    credit=0.5,
)
def squared_the_mean(alpha: Array, theta: Array) -> Array:
    """E Z² = (E Z)²."""
    mean, _, variance = gamma_moments(alpha, theta).T
    return np.column_stack([mean, mean**2, variance])


@gamma_moments.wrong("The last entry has the unit of Z itself. The variance was asked for.", credit=0.5)
def gave_the_standard_deviation(alpha: Array, theta: Array) -> Array:
    """√α θ."""
    mean, second, variance = gamma_moments(alpha, theta).T
    return np.column_stack([mean, second, np.sqrt(variance)])


@gamma_moments.wrong(
    "Your variance and your mean have the same unit. When Z is doubled, what happens to its variance?",
    see="thm-geometry-gamma-rules",
)
def scaled_the_variance_once(alpha: Array, theta: Array) -> Array:
    """αθ for mean and variance alike."""
    mean, _, _ = gamma_moments(alpha, theta).T
    return np.column_stack([mean, mean**2 + mean, mean])


@gamma_moments.also
def by_gamma_functions(alpha: Array, theta: Array) -> Array:
    """θⁿ Γ(α + n)/Γ(α)."""
    first, second = (theta**n * gamma(alpha + n) / gamma(alpha) for n in (1, 2))
    return np.column_stack([first, second, second - first**2])
