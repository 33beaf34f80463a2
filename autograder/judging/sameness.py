"""Samenesses: invariants under which two answers count as equal.

A method determines its answer only up to some freedom: a sign, a rotation, a shift, an order. Each sameness names its
freedom and maps an answer to a quantity that does not change under it (an invariant). Two answers are the same if these
quantities agree. To allow a new freedom, write one more `Sameness` and one more line in the table of
tests/judging/test_sameness.py.

A key is data, so it refers to a sameness by name.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.values import UnsupportedAnswerError
from autograder.judging.structures.kinds import Kind


def _unchanged(Y: Array) -> Array:
    return Y


@dataclass(frozen=True)
class Sameness:
    """A freedom, in words, and an invariant that it does not change."""

    name: str
    forgives: str
    invariant: Callable[[Array], Array]
    axes: int | None = None  # number of axes of an answer; None: any
    free_columns: bool = False  # the student may choose the number of columns
    representative: Callable[[Array], Array] = _unchanged  # the one of the equal answers that a key stores
    kind: Kind | None = None  # of answers with structure, which are judged by a digest; None: numbers

    def quantity(self, answer: Array) -> Array:
        """Return the invariant of an answer.

        Raise UnsupportedAnswerError if the answer has the wrong number of axes.
        """
        if self.axes is not None and answer.ndim != self.axes:
            words = {0: "a number", 1: "a vector", 2: "a matrix"}
            raise UnsupportedAnswerError(
                f"the answer should be {words[self.axes]}, but its shape is {answer.shape}"
            )
        return self.invariant(answer)


def _gram(Y: Array) -> Array:
    """Return Y Yᵀ, which is invariant under rotations and reflections."""
    return Y @ Y.T


def _centred_gram(Y: Array) -> Array:
    """Return the Gram matrix of the centred points.

    It is invariant under rotations, reflections and shifts.
    """
    return _gram(Y - Y.mean(axis=0))


def _column_grams(Y: Array) -> Array:
    """Return one outer product per column.

    They are invariant under the sign of each column, not under their order.
    """
    grams: Array = np.einsum("ij,kj->jik", Y, Y)
    return grams


def _outer_of_direction(v: Array) -> Array:
    """Return the projector on a line, without sign and length of v."""
    length = float(np.linalg.norm(v))
    if length == 0:
        raise UnsupportedAnswerError("the zero vector has no direction")
    return _outer(v / length)


def _projector(V: Array) -> Array:
    """Return the orthogonal projector on the column space."""
    return _gram(_orthonormal_columns(V))


def _orthonormal_columns(V: Array) -> Array:
    U, s, _ = np.linalg.svd(V, full_matrices=False)
    basis: Array = U[:, s > 1e-10 * max(s.max(initial=0.0), 1e-300)]
    return basis


def _projector_of_basis(V: Array) -> Array:
    """Return the projector on the column space, marked if columns are dependent.

    Dependent columns are no basis: each superfluous column adds the identity.
    """
    basis = _orthonormal_columns(V)
    square: Array = _gram(basis) + (V.shape[1] - basis.shape[1]) * np.eye(len(V))
    return square


def _factor(square: Array, like: Array) -> Array:
    """Return a pivoted Cholesky factor of Y Yᵀ, shaped like Y.

    It is computed from the product alone; missing columns are zero.
    """
    factor, rest, largest = np.zeros_like(like), square, float(np.diag(square).max(initial=0.0))
    for position in range(like.shape[1]):
        sizes = np.diag(rest)
        if sizes.max(initial=0.0) <= 1e-10 * largest:
            break
        # the first large entry, not the largest: rounding errors might decide between two equal ones
        pivot = int(np.argmax(sizes > 0.7 * sizes.max()))
        factor[:, position] = rest[:, pivot] / np.sqrt(sizes[pivot])
        rest = rest - _outer(factor[:, position])
    return factor


def _basis_of_projector(V: Array) -> Array:
    """Return a basis that depends on the subspace alone."""
    return _factor(_projector(V), V)


def _points_of_gram(Y: Array) -> Array:
    """Return points that depend on their inner products alone."""
    return _factor(_gram(Y), Y)


def _points_of_centred_gram(Y: Array) -> Array:
    """Return points that depend on their distances alone."""
    return _factor(_centred_gram(Y), Y)


def _positive_columns(Y: Array) -> Array:
    """Flip each column so that its first large entry is positive.

    Then a key has the same bytes whatever program computed the columns.
    """
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
    _projector_of_basis,
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


def discrepancy(answer: Array, right: Array, same: Sameness, zero_scale: float = 1.0) -> float:
    """Return the relative distance between two answers, up to the sameness.

    It is infinite if their forms differ. If the expected quantity is zero, the distance is relative to `zero_scale`.
    """
    if not fits(answer, right.shape, same) or not np.isfinite(answer).all():
        return float("inf")
    target, quantity = same.quantity(right), same.quantity(answer)
    if quantity.shape != target.shape:
        return float("inf")
    scale = float(np.linalg.norm(target)) or zero_scale
    return float(np.linalg.norm(quantity - target)) / scale


def fits(answer: Array, shape: tuple[int, ...], same: Sameness) -> bool:
    """Return whether an answer has a form that could be right.

    With free columns, a basis may have more or fewer columns than the right one.
    """
    if same.free_columns and answer.ndim == 2 == len(shape):
        return bool(answer.shape[0] == shape[0] and answer.shape[1] <= answer.shape[0])
    return answer.shape == shape
