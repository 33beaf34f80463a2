"""When are two answers the same answer?

A method fixes its answer only up to some freedom: a sign, a rotation, a shift, an order. Each
sameness below names its freedom and maps an answer to a quantity that this freedom cannot
change; two answers are the same when these quantities agree. To allow a new freedom write one
more `Sameness` and one more line in the table of tests/judging/test_sameness.py.

Samenesses are looked up by name because a key, which is data, must say how it wants to be read.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autograder.answers.values import NotPlainError

Array = NDArray[np.float64]


def _unchanged(Y: Array) -> Array:
    return Y


@dataclass(frozen=True)
class Sameness:
    """A freedom: what it forgives, in words, and the quantity it cannot change."""

    name: str
    forgives: str
    invariant: Callable[[Array], Array]
    axes: int | None = None  # how many axes an answer must have; None: any number
    free_columns: bool = False  # is the number of columns the student's choice?
    representative: Callable[[Array], Array] = _unchanged  # which of the same answers a key writes down

    def quantity(self, answer: Array) -> Array:
        """Return the invariant of an answer that has been checked to have the right number of axes."""
        if self.axes is not None and answer.ndim != self.axes:
            words = {0: "a number", 1: "a vector", 2: "a matrix"}
            raise NotPlainError(f"the answer should be {words[self.axes]}, but its shape is {answer.shape}")
        return self.invariant(answer)


def _gram(Y: Array) -> Array:
    """Y Yᵀ: the same for Y and Y Q, with Q orthogonal."""
    return Y @ Y.T


def _centred_gram(Y: Array) -> Array:
    """The Gram matrix of the centred points: blind to rotations, reflections and shifts."""
    return _gram(Y - Y.mean(axis=0))


def _column_grams(Y: Array) -> Array:
    """One outer product per column: blind to the sign of each column, not to their order."""
    grams: Array = np.einsum("ij,kj->jik", Y, Y)
    return grams


def _outer_of_direction(v: Array) -> Array:
    """The projector on a line: blind to the sign and the length of v."""
    length = float(np.linalg.norm(v))
    if length == 0:
        raise NotPlainError("the zero vector has no direction")
    return _outer(v / length)


def _projector(V: Array) -> Array:
    """The orthogonal projector on the column space: blind to the choice of basis."""
    U, s, _ = np.linalg.svd(V, full_matrices=False)
    kept: Array = U[:, s > 1e-10 * max(s.max(initial=0.0), 1e-300)]
    return _gram(kept)


def _factor(square: Array, like: Array) -> Array:
    """A pivoted Cholesky factor of Y Yᵀ, made from that product alone, with zero columns to keep the shape of Y."""
    factor, rest, largest = np.zeros_like(like), square, float(np.diag(square).max(initial=0.0))
    for position in range(like.shape[1]):
        sizes = np.diag(rest)
        if sizes.max(initial=0.0) <= 1e-10 * largest:
            break
        # the first large one, not the largest: rounding may decide between two of those
        pivot = int(np.argmax(sizes > 0.7 * sizes.max()))
        factor[:, position] = rest[:, pivot] / np.sqrt(sizes[pivot])
        rest = rest - _outer(factor[:, position])
    return factor


def _basis_of_projector(V: Array) -> Array:
    """A basis that depends on the subspace alone."""
    return _factor(_projector(V), V)


def _points_of_gram(Y: Array) -> Array:
    """Points that depend on their inner products alone."""
    return _factor(_gram(Y), Y)


def _points_of_centred_gram(Y: Array) -> Array:
    """Points that depend on their distances alone."""
    return _factor(_centred_gram(Y), Y)


def _positive_columns(Y: Array) -> Array:
    """Flip each column so that its first large entry is positive: the same bytes whatever program made it."""
    large = np.abs(Y) > 0.7 * np.abs(Y).max(axis=0)
    signs = np.sign(Y[large.argmax(axis=0), np.arange(Y.shape[1])])
    return Y * np.where(signs == 0, 1.0, signs)


def _positive_vector(v: Array) -> Array:
    return _positive_columns(v[:, None])[:, 0] if v.size else v


def _sorted(values: Array) -> Array:
    return np.sort(values)


def _sorted_rows(Y: Array) -> Array:
    return Y[np.lexsort(Y.T[::-1])]


def _outer(v: Array) -> Array:
    return np.outer(v, v)


def _absolute(value: Array) -> Array:
    return np.abs(value)


exactly = Sameness("exactly", "nothing but rounding", _unchanged)
up_to_sign = Sameness("up_to_sign", "the sign of the vector", _outer, axes=1, representative=_positive_vector)
up_to_column_signs = Sameness(
    "up_to_column_signs", "the sign of each column", _column_grams, axes=2, representative=_positive_columns
)
up_to_direction = Sameness(
    "up_to_direction", "the length and the sign of the vector", _outer_of_direction, axes=1
)
up_to_basis = Sameness(
    "up_to_basis",
    "the choice of basis of the same subspace",
    _projector,
    axes=2,
    free_columns=True,
    representative=_basis_of_projector,
)
up_to_rotation = Sameness(
    "up_to_rotation",
    "a rotation or reflection about the origin",
    _gram,
    axes=2,
    representative=_points_of_gram,
)
up_to_rigid_motion = Sameness(
    "up_to_rigid_motion",
    "a rotation, reflection or shift",
    _centred_gram,
    axes=2,
    representative=_points_of_centred_gram,
)
up_to_order = Sameness("up_to_order", "the order of the numbers", _sorted, axes=1)
up_to_row_order = Sameness("up_to_row_order", "the order of the rows", _sorted_rows, axes=2)
up_to_absolute_value = Sameness("up_to_absolute_value", "the sign of each number", _absolute)

SAMENESSES: dict[str, Sameness] = {
    same.name: same
    for same in (
        exactly,
        up_to_sign,
        up_to_column_signs,
        up_to_direction,
        up_to_basis,
        up_to_rotation,
        up_to_rigid_motion,
        up_to_order,
        up_to_row_order,
        up_to_absolute_value,
    )
}


def discrepancy(given: Array, wanted: Array, same: Sameness, zero_scale: float = 1.0) -> float:
    """Relative distance between two answers, blind to what the sameness forgives; infinite if their forms differ.

    An expected zero has no scale of its own: the distance is then relative to `zero_scale`.
    """
    if not fits(given, wanted.shape, same) or not np.isfinite(given).all():
        return float("inf")
    target, quantity = same.quantity(wanted), same.quantity(given)
    if quantity.shape != target.shape:
        return float("inf")
    scale = float(np.linalg.norm(target)) or zero_scale
    return float(np.linalg.norm(quantity - target)) / scale


def fits(given: Array, shape: tuple[int, ...], same: Sameness) -> bool:
    """Has an answer a form that could be right? A basis may have more columns than it needs, or fewer."""
    if same.free_columns and given.ndim == 2 == len(shape):
        return bool(given.shape[0] == shape[0] and given.shape[1] <= given.shape[0])
    return given.shape == shape
