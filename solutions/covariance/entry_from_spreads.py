"""Task `entry_from_spreads`: a covariance from the spreads along three directions, as a formula."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, in_both_orders, sample_points


@task.sym(points=2, minutes=8, see="thm-covariance-determined")
def entry_from_spreads(p: Array, q: Array, r: Array, t: Array) -> Array:
    """Solve r = p cos²t + 2c cos t sin t + q sin²t for c (thm-covariance-projection)."""
    return (r - p * np.cos(t) ** 2 - q * np.sin(t) ** 2) / (2 * np.cos(t) * np.sin(t))


@entry_from_spreads.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Two variances, a third along the direction of angle t."""
    points = sample_points(rng, p=(4.0, 9.0), q=(1.0, 3.0), r=(3.0, 8.0), t=(0.2, 1.35))
    return {"at sample points": in_both_orders(points, "p", "q", "r")}


@entry_from_spreads.wrong(
    "Right up to a factor. Count the mixed terms when you write out the quadratic form.",
    see="eq-covariance-projection",
    credit=0.5,
)
def counted_the_covariance_once(p: Array, q: Array, r: Array, t: Array) -> Array:
    """Only one of the two mixed terms."""
    return 2 * entry_from_spreads(p, q, r, t)


@entry_from_spreads.wrong(
    "The direction enters the variance twice. With which weights do p and q stand in it?",
    see="eq-covariance-projection",
)
def took_roots_of_the_weights(p: Array, q: Array, r: Array, t: Array) -> Array:
    """Weights cos t and sin t instead of their squares."""
    return (r - p * np.cos(t) - q * np.sin(t)) / (2 * np.cos(t) * np.sin(t))


@entry_from_spreads.wrong(
    "At a small angle the direction is nearly the first axis. Which of p and q should r then be close to?",
    see="eq-covariance-projection",
)
def swapped_the_axes(p: Array, q: Array, r: Array, t: Array) -> Array:
    """cos²t with the second variance."""
    return entry_from_spreads(q, p, r, t)


@entry_from_spreads.wrong(
    "That is right for one particular angle. Here the angle is t.",
    see="eq-covariance-polarisation",
    credit=0.25,
)
def assumed_the_diagonal(p: Array, q: Array, r: Array, t: Array) -> Array:
    """The formula for 45 degrees at every angle."""
    return r - (p + q) / 2


@entry_from_spreads.wrong(
    "The last step is missing: the covariance still has a factor in front.",
    see="eq-covariance-projection",
    credit=0.5,
)
def forgot_to_divide(p: Array, q: Array, r: Array, t: Array) -> Array:
    """Leave the factor 2 cos t sin t on the left."""
    return r - p * np.cos(t) ** 2 - q * np.sin(t) ** 2


@entry_from_spreads.wrong(
    "A spread along the diagonal that is larger than expected means that the features rise together. Which sign has "
    "your formula then?",
    credit=0.5,
)
def flipped_the_sign(p: Array, q: Array, r: Array, t: Array) -> Array:
    """Bring the wrong side over."""
    return -entry_from_spreads(p, q, r, t)


@entry_from_spreads.wrong(
    "p, q and r are variances already. You squared them as if they were standard deviations."
)
def took_standard_deviations(p: Array, q: Array, r: Array, t: Array) -> Array:
    """p², q² and r² in the formula."""
    return entry_from_spreads(p**2, q**2, r**2, t)


entry_from_spreads.also("(r - (p + q)/2 - (p - q)/2*cos(2*t))/sin(2*t)")
