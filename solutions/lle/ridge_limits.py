"""Task `ridge_limits`: the weight of one of two neighbours as the ridge grows, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array
from solutions.toolkit.numbers import sample_points


def draw(rng: np.random.Generator) -> Cases:
    """Two distances and a ridge."""
    return {"at sample points": sample_points(rng, p=(0.5, 1.4), q=(1.6, 2.9), eps=(0.3, 1.5))}


def _three(weight: Array, faithful: Array, even: float) -> Array:
    return np.column_stack([weight, faithful, np.full(len(weight), even)])


def answer(p: Array, q: Array, eps: Array) -> Array:
    """(q² + ε)/(p² + q² + 2ε), q²/(p² + q²), 1/2 (thm-lle-regularisation)."""
    return _three((q**2 + eps) / (p**2 + q**2 + 2 * eps), q**2 / (p**2 + q**2), 0.5)


def gave_the_other_weight(p: Array, q: Array, eps: Array) -> Array:
    """The weights of the second neighbour."""
    return answer(q, p, eps)


def counted_the_ridge_once(p: Array, q: Array, eps: Array) -> Array:
    """A sum with one ε."""
    return _three((q**2 + eps) / (p**2 + q**2 + eps), q**2 / (p**2 + q**2), 1.0)


def forgot_to_divide_by_the_sum(p: Array, q: Array, eps: Array) -> Array:
    """1/(p² + ε) and its limits."""
    return _three(1 / (p**2 + eps), 1 / p**2, 0.0)


def forgot_the_squares(p: Array, q: Array, eps: Array) -> Array:
    """Distances on the diagonal of C."""
    return _three((q + eps) / (p + q + 2 * eps), q / (p + q), 0.5)


def squared_the_ridge(p: Array, q: Array, eps: Array) -> Array:
    """ε² in the place of ε."""
    return answer(p, q, eps**2)


def let_the_weight_vanish(p: Array, q: Array, eps: Array) -> Array:
    """A last limit of zero."""
    return answer(p, q, eps) * np.array([1.0, 1.0, 0.0])


def by_division(p: Array, q: Array, eps: Array) -> Array:
    """One over one plus the ratio of the weights."""
    ratio = (p**2 + eps) / (q**2 + eps)
    return _three(1 / (1 + ratio), 1 / (1 + (p / q) ** 2), 1 / 2)


def by_solving(p: Array, q: Array, eps: Array) -> Array:
    """C⁻¹1, divided by its sum."""
    first, second = 1 / (p**2 + eps), 1 / (q**2 + eps)
    return _three(first / (first + second), p**-2 / (p**-2 + q**-2), 0.5)


ridge_limits = Task(
    kind="sym",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    same=(exactly,) * 3,
    parts=("the weight", "the limit at zero", "the limit at infinity"),
    see="thm-lle-regularisation",
    misconceptions=(
        Misconception(
            gave_the_other_weight,
            hint="These formulas belong to the second neighbour. The nearer a neighbour, the larger its weight.",
            see="eq-lle-ridge",
        ),
        Misconception(
            counted_the_ridge_once,
            hint="The ridge stands twice on the diagonal, so it occurs twice in the sum. Your two weights would sum "
            "to more than one.",
            see="eq-lle-ridge",
        ),
        Misconception(
            forgot_to_divide_by_the_sum,
            hint="This solves the equations with the right side 1. Weights must also sum to one.",
            see="thm-lle-regularisation",
        ),
        Misconception(
            forgot_the_squares,
            hint="The diagonal of C holds squared distances; yours holds distances.",
            see="eq-lle-local-gram",
        ),
        Misconception(
            squared_the_ridge,
            hint="Both limits are right. In the first formula your ridge acts as if squared; C + εI holds ε itself.",
            see="eq-lle-ridge",
        ),
        Misconception(
            let_the_weight_vanish,
            hint="The first two formulas are right. The weights sum to one for every ridge, so they cannot all vanish.",
            see="thm-lle-regularisation",
        ),
    ),
    alternatives=(by_division, by_solving),
)
