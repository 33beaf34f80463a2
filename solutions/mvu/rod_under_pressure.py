"""Task `rod_under_pressure`: three arms and a chord that is a rod: trace and multiplier, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.mvu.numbers import fine_points
from solutions.numbers import Array

STEP = 1e-30  # of a derivative by complex numbers, which is exact to all digits


def _lean(q: Array) -> Array:
    """‖a + b‖ of the two arms that the chord joins."""
    return np.asarray(np.sqrt(4 - q))


@task.sym(points=3, minutes=15, see="sec-mvu-two-forms", parts=("the trace", "the multiplier"))
def rod_under_pressure(q: Array) -> Array:
    """3 − (1 − h)²/4 and its derivative by q, with h = √(4 − q) (sec-mvu-two-forms)."""
    h = _lean(q)
    return np.column_stack([3 - (1 - h) ** 2 / 4, -(1 - h) / (4 * h)])


@rod_under_pressure.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """The squared length of the chord, longer than the star wants and short enough to exist."""
    return {"at sample points": fine_points(rng, q=(3.2, 3.9))}


@rod_under_pressure.wrong(
    "This is the star, in which A and B are closer to each other than the rod allows. A string could go slack; a rod "
    "keeps its length.",
    see="eq-mvu-equality",
)
def let_it_go_slack(q: Array) -> Array:
    """The star: the chord as a string."""
    return np.column_stack([0 * q + 3, 0 * q])


@rod_under_pressure.wrong(
    "The trace is right. Does it grow or fall when the rod becomes longer?", see="eq-mvu-price", credit=0.5
)
def lost_the_sign(q: Array) -> Array:
    """A rod that pulls."""
    return rod_under_pressure(q) * [1, -1]


@rod_under_pressure.wrong(
    "The trace is right. The constraints are written with squared lengths, and so are their prices.",
    see="eq-mvu-price",
    credit=0.5,
)
def differentiated_by_the_length(q: Array) -> Array:
    """The derivative by AB, not by AB²."""
    return rod_under_pressure(q) * np.column_stack([0 * q + 1, 2 * np.sqrt(q)])


@rod_under_pressure.wrong(
    "The trace is right. This is its derivative by the length of the sum of two arms; that length depends on q, and "
    "its own derivative is a factor.",
    see="eq-mvu-price",
    credit=0.5,
)
def forgot_the_inner_derivative(q: Array) -> Array:
    """The derivative by h in the place of that by q."""
    h = _lean(q)
    return np.column_stack([rod_under_pressure(q)[:, 0], (1 - h) / 2])


@rod_under_pressure.wrong(
    "Your third arm leans to the side of the other two. On which side are the points spread wider?"
)
def pointed_the_free_arm_the_other_way(q: Array) -> Array:
    """C on the side of A and B."""
    h = _lean(q)
    return np.column_stack([3 - (1 + h) ** 2 / 4, (1 + h) / (4 * h)])


@rod_under_pressure.wrong("There are four points: O is one of them, and the mean is taken over all.")
def averaged_over_three(q: Array) -> Array:
    """Forget that O is a point, too."""
    h = _lean(q)
    return np.column_stack([3 - (1 - h) ** 2 / 3, -(1 - h) / (3 * h)])


@rod_under_pressure.wrong(
    "The rod has the length of a − b. The mean of the points depends on the sum of the arms."
)
def took_the_chord_for_the_sum(q: Array) -> Array:
    """‖a − b‖ in the place of ‖a + b‖."""
    h = np.sqrt(q)
    return np.column_stack([3 - (1 - h) ** 2 / 4, (1 - h) / (4 * h)])


@rod_under_pressure.also
def by_coordinates(q: Array) -> Array:
    """Place the points, and differentiate along the imaginary axis."""
    return np.column_stack([_placed(q + 0j).real, _placed(q + 1j * STEP).imag / STEP])


def _placed(q: Array) -> Array:
    height = np.sqrt(1 - q / 4)
    across, up = [0 * q, np.sqrt(q) / 2, -np.sqrt(q) / 2, 0 * q], [0 * q, height, height, 0 * q - 1]
    return np.asarray(sum(x * x for x in across) + sum(y * y for y in up) - sum(up) ** 2 / 4)
