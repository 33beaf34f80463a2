"""Task `moved_error`: what scaling, turning and shifting the data does to the error of a recipe, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.lle.numbers import signed_points
from solutions.numbers import Array


def _two(p: Array, s: Array, theta: Array, shift: Array) -> Array:
    """‖sQr + shift‖², and s²‖r‖²."""
    length = s * p
    general = (length * np.cos(theta) + shift) ** 2 + (length * np.sin(theta)) ** 2
    return np.column_stack([general, length**2])


@task.sym(points=2, minutes=12, see="thm-lle-invariance", parts=("the squared error", "the same for m = 1"))
def moved_error(p: Array, s: Array, theta: Array, g: Array, m: Array) -> Array:
    """‖sQr + (1 − m)t‖², and s²‖r‖² for m = 1 (thm-lle-invariance)."""
    return _two(p, s, theta, (1 - m) * g)


@moved_error.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A residual, a sum of weights, a similarity; every symbol takes both signs."""
    ranges = {name: (0.4, 2.5) for name in ("p", "s", "theta", "g")}
    return {"at sample points": signed_points(rng, **ranges, m=(0.3, 0.8))}


@moved_error.wrong(
    "Your second formula is right, and the first is the same. The shift drops out only if the weights sum to one; "
    "here the sum is m.",
)
def let_the_shift_drop_out(p: Array, s: Array, theta: Array, g: Array, m: Array) -> Array:
    """s²‖r‖² for every sum of the weights."""
    return _two(p, s, theta, 0 * g)


@moved_error.wrong(
    "In your first formula only the point has moved. Its neighbours move as well, and their mixture moves by m times "
    "t.",
)
def shifted_by_all_of_t(p: Array, s: Array, theta: Array, g: Array, m: Array) -> Array:
    """‖sQr + t‖²: the shift of the neighbours forgotten."""
    return _two(p, s, theta, g)


@moved_error.wrong(
    "In your first formula only the neighbours have been shifted. The point itself moves by t."
)
def shifted_by_m_times_t(p: Array, s: Array, theta: Array, g: Array, m: Array) -> Array:
    """‖sQr − mt‖²: the shift of the point forgotten."""
    return _two(p, s, theta, -m * g)


@moved_error.wrong(
    "The first formula is right. Lengths are multiplied by |s|; the second formula is a squared length.",
    see="eq-lle-invariance",
)
def scaled_the_square_once(p: Array, s: Array, theta: Array, g: Array, m: Array) -> Array:
    """s where s² belongs, in the second formula."""
    return np.column_stack([moved_error(p, s, theta, g, m)[:, 0], s * p**2])


@moved_error.wrong(
    "The squared length of a sum has a middle term, twice the inner product, unless the two vectors are orthogonal."
)
def added_the_squares(p: Array, s: Array, theta: Array, g: Array, m: Array) -> Array:
    """The square of a sum without its middle term."""
    square = s**2 * p**2
    return np.column_stack([square + (1 - m) ** 2 * g**2, square])


@moved_error.wrong(
    "Your first formula does not depend on the angle. The residual is turned, the shift is not, so the angle between "
    "them matters.",
)
def forgot_to_turn(p: Array, s: Array, theta: Array, g: Array, m: Array) -> Array:
    """‖sr + (1 − m)t‖²."""
    return moved_error(p, s, 0 * theta, g, m)


@moved_error.also
def by_the_middle_term(p: Array, s: Array, theta: Array, g: Array, m: Array) -> Array:
    """The law of cosines."""
    middle = 2 * s * (1 - m) * p * g * np.cos(theta)
    square = s**2 * p**2
    return np.column_stack([square + middle + (1 - m) ** 2 * g**2, square])


@moved_error.also
def by_turning_the_shift_back(p: Array, s: Array, theta: Array, g: Array, m: Array) -> Array:
    """Lengths do not change when everything is turned back."""
    shift = (1 - m) * g
    return np.column_stack(
        [(s * p + shift * np.cos(theta)) ** 2 + (shift * np.sin(theta)) ** 2, (s * p) ** 2]
    )
