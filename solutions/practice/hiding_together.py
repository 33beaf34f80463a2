"""Task `hiding_together`: squared outlier scores when several samples lie far out at the same place, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import N_POINTS, Array


@task.sym(points=2, minutes=10, see="thm-practice-outlier", parts=("outside", "in the heap"))
def hiding_together(N: Array, k: Array) -> Array:
    """Mean sk/N and variance s²k(N − k)/N²: (N − k)/k outside, k/(N − k) in the heap."""
    return np.column_stack([(N - k) / k, k / (N - k)])


@hiding_together.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """More samples in the heap than outside it. Not whole: formulas hold between, and no answer is a round number."""
    k = np.round(rng.uniform(1.1, 6.0, size=N_POINTS), 2)
    few, most = 2 * k + rng.uniform(3.0, 25.0, size=N_POINTS), k * rng.uniform(1.2, 1.8, size=N_POINTS)
    N = np.where(np.arange(N_POINTS) % 3 == 1, most, few)
    return {"at sample points": {"N": np.round(N, 2), "k": k}}


@hiding_together.wrong(
    "Right up to the divisor of the variance. In this course the mean of t² is the number of components.",
    credit=0.5,
)
def divided_by_n_minus_one(N: Array, k: Array) -> Array:
    """The sample variance, with N − 1."""
    return hiding_together(N, k) * ((N - 1) / N)[:, None]


@hiding_together.wrong(
    "Everything is measured from the heap here. The samples outside it move the mean.",
    see="eq-practice-outlier",
)
def stayed_at_the_heap(N: Array, k: Array) -> Array:
    """Measure from the heap instead of the mean: s²/(s²k/N), and 0."""
    return np.column_stack([N / k, 0 * N])


@hiding_together.wrong(
    "This is right for a single sample outside. Each further one pulls the mean and widens the variance."
)
def kept_one_outlier(N: Array, k: Array) -> Array:
    """The bound, which belongs to a single outlier."""
    return np.column_stack([N - 1, 1 / (N - 1)])


@hiding_together.wrong(
    "These are the scores themselves; their squares were asked for.", see="eq-practice-outlier", credit=0.75
)
def gave_the_roots(N: Array, k: Array) -> Array:
    """t for t²."""
    return np.sqrt(hiding_together(N, k))


@hiding_together.wrong(
    "The deviations are from the mean, but the variance is not: the mean of your squared scores is not one."
)
def mixed_mean_and_heap(N: Array, k: Array) -> Array:
    """Deviations from the mean, but a variance about the heap."""
    return np.column_stack([(N - k) ** 2 / (N * k), k / N])


@hiding_together.wrong(
    "Both formulas are right, in the other order. The samples outside come first.",
    see="eq-practice-outlier",
    credit=0.75,
)
def swapped_the_two(N: Array, k: Array) -> Array:
    """The heap first."""
    return hiding_together(N, k)[:, ::-1]


@hiding_together.also
def from_moments(N: Array, k: Array) -> Array:
    """A share p = k/N at 1, the others at 0: mean p, mean square p."""
    p = k / N
    variance = p - p**2
    return np.column_stack([(1 - p) ** 2 / variance, p**2 / variance])


@hiding_together.also
def from_the_mean_of_squares(N: Array, k: Array) -> Array:
    """The two deviations are as N − k to k, and the mean of t² is 1."""
    scale = N / (k * (N - k) ** 2 + (N - k) * k**2)
    return np.column_stack([(N - k) ** 2 * scale, k**2 * scale])
