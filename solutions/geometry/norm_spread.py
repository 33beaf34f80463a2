"""Task `norm_spread`: why small p contrast better: moments of a power, and the spread of the p-norm."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, sample_points


def _variance(p: Array) -> Array:
    return 1 / (2 * p + 1) - 1 / (p + 1) ** 2


@task.sym(
    points=3, minutes=12, see="thm-geometry-norm-contrast", parts=("the mean", "the variance", "the limit")
)
def norm_spread(p: Array) -> Array:
    """1/(p + 1), p²/((2p + 1)(p + 1)²), 1/√(2p + 1) (eq-geometry-norm-contrast)."""
    return np.column_stack([1 / (p + 1), _variance(p), (2 * p + 1) ** -0.5])


@norm_spread.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Exponents other than 1, where several mistakes would be invisible."""
    return {"at sample points": sample_points(rng, p=(1.3, 5.0))}


@norm_spread.wrong(
    "The mean is right. The second entry is the mean of the square; the squared mean is still in it."
)
def took_the_second_moment_for_the_variance(p: Array) -> Array:
    """1/(2p + 1) for the variance, and its root over p times the mean."""
    second = 1 / (2 * p + 1)
    return np.column_stack([1 / (p + 1), second, np.sqrt(second) * (p + 1) / p])


@norm_spread.wrong(
    "Two entries are right. The third is the relative spread of the sum of powers: what does the p-th root do to a "
    "small relative change?",
    credit=0.5,
)
def forgot_the_root_of_the_norm(p: Array) -> Array:
    """The relative spread of the sum of powers, p/√(2p + 1)."""
    mean, variance, spread = norm_spread(p).T
    return np.column_stack([mean, variance, p * spread])


@norm_spread.wrong(
    "Two entries are right, and the third is a variance. A relative spread is a standard deviation over a mean.",
    see="eq-geometry-norm-contrast",
    credit=0.75,
)
def gave_the_limit_of_the_variance(p: Array) -> Array:
    """1/(2p + 1)."""
    mean, variance, spread = norm_spread(p).T
    return np.column_stack([mean, variance, spread**2])


@norm_spread.wrong("Two entries are right. The third is not relative yet: relative to what?", credit=0.5)
def forgot_to_divide_by_the_mean(p: Array) -> Array:
    """The standard deviation of xᵖ, divided by p only."""
    mean, variance, _ = norm_spread(p).T
    return np.column_stack([mean, variance, np.sqrt(variance) / p])


@norm_spread.wrong("Check the first integral: for p = 1 it must give the mean of a uniform number, one half.")
def integrated_without_raising_the_power(p: Array) -> Array:
    """∫ xᵖ dx taken as 1/p."""
    mean, variance = 1 / p, 1 / (2 * p) - 1 / p**2
    return np.column_stack([mean, variance, np.sqrt(np.abs(variance)) / (p * mean)])


@norm_spread.also
def by_quadrature(p: Array) -> Array:
    """Gauss points on [0, 1], after x = t⁴ has made the powers smooth; then the formula s/(pm)."""
    t, weights = np.polynomial.legendre.leggauss(60)
    t, weights = (t + 1) / 2, weights / 2
    first, second = (np.sum(weights * 4 * t**3 * t ** (4 * n * p[:, None]), axis=1) for n in (1, 2))
    s = np.sqrt(second - first**2)
    return np.column_stack([first, s**2, s / (p * first)])
