"""Task `ridge_limits`: the weight of one of two neighbours as the ridge grows, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array, in_both_orders
from solutions.toolkit.numbers import sample_points


def _three(weight: Array, faithful: Array, even: float) -> Array:
    return np.column_stack([weight, faithful, np.full(len(weight), even)])


@task.sym(
    points=2,
    minutes=10,
    see="thm-lle-regularisation",
    parts=("the weight", "the limit at zero", "the limit at infinity"),
)
def ridge_limits(p: Array, q: Array, eps: Array) -> Array:
    """(q² + ε)/(p² + q² + 2ε), q²/(p² + q²), 1/2 (thm-lle-regularisation)."""
    return _three((q**2 + eps) / (p**2 + q**2 + 2 * eps), q**2 / (p**2 + q**2), 0.5)


@ridge_limits.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Two distances and a ridge."""
    points = sample_points(rng, p=(0.5, 1.4), q=(1.6, 2.9), eps=(0.3, 1.5))
    return {"at sample points": in_both_orders(points, "p", "q", "eps")}


@ridge_limits.wrong(
    "These formulas belong to the second neighbour. The nearer a neighbour, the larger its weight.",
    see="eq-lle-ridge",
)
def gave_the_other_weight(p: Array, q: Array, eps: Array) -> Array:
    """The weights of the second neighbour."""
    return ridge_limits(q, p, eps)


@ridge_limits.wrong(
    "The ridge stands twice on the diagonal, so it occurs twice in the sum. Your two weights would sum to more than "
    "one.",
    see="eq-lle-ridge",
)
def counted_the_ridge_once(p: Array, q: Array, eps: Array) -> Array:
    """A sum with one ε."""
    return _three((q**2 + eps) / (p**2 + q**2 + eps), q**2 / (p**2 + q**2), 1.0)


@ridge_limits.wrong("This solves the equations with the right side 1. Weights must also sum to one.")
def forgot_to_divide_by_the_sum(p: Array, q: Array, eps: Array) -> Array:
    """1/(p² + ε) and its limits."""
    return _three(1 / (p**2 + eps), 1 / p**2, 0.0)


@ridge_limits.wrong(
    "The diagonal of C holds squared distances; yours holds distances.", see="eq-lle-local-gram"
)
def forgot_the_squares(p: Array, q: Array, eps: Array) -> Array:
    """Distances on the diagonal of C."""
    return _three((q + eps) / (p + q + 2 * eps), q / (p + q), 0.5)


@ridge_limits.wrong(
    "Both limits are right. In the first formula your ridge acts as if squared; C + εI holds ε itself.",
    see="eq-lle-ridge",
)
def squared_the_ridge(p: Array, q: Array, eps: Array) -> Array:
    """ε² in the place of ε."""
    return ridge_limits(p, q, eps**2)


@ridge_limits.wrong(
    "Both limits are right. Your ridge is multiplied by the trace of C; in this task it is absolute.",
    see="eq-lle-ridge",
)
def took_a_relative_ridge(p: Array, q: Array, eps: Array) -> Array:
    """ε times the trace of C."""
    return ridge_limits(p, q, eps * (p**2 + q**2))


@ridge_limits.wrong(
    "The first two formulas are right. The weights sum to one for every ridge, so they cannot all vanish."
)
def let_the_weight_vanish(p: Array, q: Array, eps: Array) -> Array:
    """A last limit of zero."""
    return ridge_limits(p, q, eps) * np.array([1.0, 1.0, 0.0])


@ridge_limits.also
def by_division(p: Array, q: Array, eps: Array) -> Array:
    """One over one plus the ratio of the weights."""
    ratio = (p**2 + eps) / (q**2 + eps)
    return _three(1 / (1 + ratio), 1 / (1 + (p / q) ** 2), 1 / 2)


@ridge_limits.also
def by_solving(p: Array, q: Array, eps: Array) -> Array:
    """C⁻¹1, divided by its sum."""
    first, second = 1 / (p**2 + eps), 1 / (q**2 + eps)
    return _three(first / (first + second), p**-2 / (p**-2 + q**-2), 0.5)
