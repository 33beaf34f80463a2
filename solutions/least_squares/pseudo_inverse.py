"""Task `pseudo_inverse`: the pseudo-inverse with a relative tolerance, for every shape and unit."""

from collections.abc import Callable

import numpy as np
import scipy.linalg

from autograder.authoring import task
from dimred_ref.least_squares import pinv
from dimred_ref.svd import thin_svd
from solutions.credits import TRANSPOSED
from solutions.numbers import Array, one_of
from solutions.svd.numbers import matrix_with, whole_matrix

CLEAR = 1.5  # how many times above or below the tolerance a singular value must lie


@task.code(points=3, minutes=12, see="def-least-squares-pinv")
def pseudo_inverse(A: Array, rtol: float) -> Array:
    """V diag(σ⁺) Uᵀ (eq-least-squares-pinv)."""
    return pinv(A, rtol=rtol)


@pseudo_inverse.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A small value that counts; one that counts as zero; a coarse tolerance; everything small, nothing zero."""
    first, second = one_of(rng, (8.0, 10.0, 12.0)), one_of(rng, (3.0, 4.0, 5.0))
    small = one_of(rng, (2e-4, 4e-4, 5e-4))
    fine = one_of(rng, (2e-7, 1e-7, 1e-8))
    tall, wide = one_of(rng, ((5, 4), (6, 4))), one_of(rng, ((3, 5), (3, 4)))
    return {
        "a tall matrix, a fine tolerance": {
            "A": matrix_with(rng, tall, (first, second, small, first * fine / 20)),
            "rtol": fine,
        },
        "a wide matrix, one value to drop": {
            # too small beside the largest value, large enough beside the next one
            "A": matrix_with(rng, wide, (first, 2.0, 4e-3)),
            "rtol": 1e-3,
        },
        # 4 counts beside the largest value, but not beside the sum of all or the length of the list
        "a coarse tolerance": {"A": matrix_with(rng, (5, 5), (10.0, 9.5, 9.0, 4.0, 1.0)), "rtol": 0.25},
        "a matrix in small units": {"A": 1e-8 * matrix_with(rng, (4, 3), (first, second, 1.0)), "rtol": 1e-3},
    }


@pseudo_inverse.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One row, rank one, exact zeros, integers, large units."""
    return {
        "one row": {"A": np.array([[2.0, -1.0, 0.5]]), "rtol": 1e-3},
        "one column": {"A": np.array([[-2.0], [0.25], [1.0]]), "rtol": 0.5},
        "rank one": {"A": np.outer([1.0, -2.0, 2.0], [0.5, 0.0, -1.5, 2.0]), "rtol": 1e-6},
        "integers": {"A": whole_matrix(rng, (4, 4), 2).astype(int), "rtol": 1e-10},
        "large units": {"A": 1e6 * whole_matrix(rng, (5, 3), 3), "rtol": 1e-4},
    }


@pseudo_inverse.ill_posed
def _on_the_edge(A: Array, rtol: float) -> str | None:
    relative = thin_svd(A).singular_values / thin_svd(A).singular_values[0]
    if np.any((relative > rtol / CLEAR) & (relative < CLEAR * rtol)):
        return "a singular value lies near the tolerance"
    return None


@pseudo_inverse.wrong(
    "Where a singular value counts as zero, your answer is huge. What does the definition put there in the place of "
    "1/σ?",
    see="eq-least-squares-sigma-plus",
)
def inverted_every_value(A: Array, rtol: float) -> Array:
    """1/σ for all of them."""
    return pinv(A, rtol=0)


@pseudo_inverse.wrong(
    "Your answer for a matrix in small units is not a pseudo-inverse any more. Should the verdict 'zero' change when "
    "metres are replaced by kilometres?",
    see="sec-least-squares-pinv",
)
def took_an_absolute_tolerance(A: Array, rtol: float) -> Array:
    """σ > rtol, whatever the largest is."""
    parts = thin_svd(A)
    kept = parts.singular_values > rtol
    return parts.V[:, kept] / parts.singular_values[kept] @ parts.U[:, kept].T


@pseudo_inverse.wrong(
    "Right where the tolerance is fine. It is relative to the largest singular value; your limit is higher, as if "
    "it were relative to the sum of all of them, and a value that counts is dropped.",
)
def compared_with_the_sum(A: Array, rtol: float) -> Array:
    """σ > rtol Σσ."""
    sigma = thin_svd(A).singular_values
    return pinv(A, rtol=rtol * sigma.sum() / sigma[0])


@pseudo_inverse.wrong(
    "Look at the shape: the pseudo-inverse takes a vector with as many entries as A has rows, and yours does not.",
    see="sec-least-squares-wrong-pinv",
    credit=TRANSPOSED,
)
def inverted_the_transpose(A: Array, rtol: float) -> Array:
    """U diag(σ⁺) Vᵀ."""
    return pinv(A.T, rtol=rtol)


@pseudo_inverse.wrong(
    "The vectors are in place, but A times your matrix times A is not A: how often do you divide by each singular "
    "value?",
    see="eq-least-squares-penrose",
)
def divided_by_squares(A: Array, rtol: float) -> Array:
    """V diag(1/σ²) Uᵀ."""
    return _filtered(A, rtol, lambda sigma: 1 / sigma**2)


@pseudo_inverse.wrong(
    "Your matrix turns back, but it does not undo the stretching.", see="eq-least-squares-pinv"
)
def left_the_values_out(A: Array, rtol: float) -> Array:
    """V Uᵀ: only turned, not stretched back."""
    return _filtered(A, rtol, np.ones_like)


@pseudo_inverse.wrong(
    "This is the transpose of A, but for what you dropped. Which factor has to be inverted?",
    see="eq-least-squares-sigma-plus",
)
def did_not_invert(A: Array, rtol: float) -> Array:
    """V diag(σ) Uᵀ, which is nearly the transpose."""
    return _filtered(A, rtol, lambda sigma: sigma)


def _filtered(A: Array, rtol: float, factor: Callable[[Array], Array]) -> Array:
    parts = thin_svd(A)
    kept = parts.singular_values > rtol * parts.singular_values[0]
    return parts.V[:, kept] * factor(parts.singular_values[kept]) @ parts.U[:, kept].T


@pseudo_inverse.also
def by_library(A: Array, rtol: float) -> Array:
    """numpy's own."""
    return np.linalg.pinv(A, rcond=rtol)


@pseudo_inverse.also
def by_full_factors(A: Array, rtol: float) -> Array:
    """Orthogonal factors, and the padded n × m matrix between them."""
    U, sigma, Vt = scipy.linalg.svd(A)
    middle = np.zeros(A.shape[::-1])
    for i, value in enumerate(sigma):
        middle[i, i] = 1 / value if value > rtol * sigma[0] else 0.0
    return Vt.T @ middle @ U.T


@pseudo_inverse.must_fail
def ignored_the_tolerance(A: Array, rtol: float) -> Array:
    """1e-3, whatever is asked."""
    return pinv(A, rtol=1e-3)


@pseudo_inverse.must_fail
def compared_with_the_norm(A: Array, rtol: float) -> Array:
    """σ > rtol ‖A‖_F."""
    return pinv(A, rtol=rtol * np.linalg.norm(A) / np.linalg.norm(A, 2))
