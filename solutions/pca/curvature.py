"""Task `curvature`: second derivatives of the variance at an eigenvector, along the sphere, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, sample_points


def draw(rng: np.random.Generator) -> Cases:
    """Three eigenvalues a > b > c > 0."""
    return {"at sample points": sample_points(rng, a=(5.0, 9.0), b=(2.5, 4.0), c=(0.5, 1.5))}


def answer(a: Array, b: Array, c: Array) -> Array:
    """2(a − b) towards e₁ and 2(c − b) towards e₃ (eq-pca-great-circle)."""
    return np.column_stack([2 * (a - b), 2 * (c - b)])


def forgot_the_constraint(a: Array, b: Array, c: Array) -> Array:
    """The Hessian of vᵀCv in all of space."""
    return np.column_stack([2 * a, 2 * c])


def flipped_the_signs(a: Array, b: Array, c: Array) -> Array:
    """2(b − a) and 2(b − c)."""
    return -answer(a, b, c)


def lost_the_factor_two(a: Array, b: Array, c: Array) -> Array:
    """a − b and c − b."""
    return answer(a, b, c) / 2


def subtracted_the_largest(a: Array, b: Array, c: Array) -> Array:
    """The curvatures at e₁ instead of e₂."""
    return np.column_stack([2 * (b - a), 2 * (c - a)])


def swapped_the_two(a: Array, b: Array, c: Array) -> Array:
    """Towards e₃ first."""
    return answer(a, b, c)[:, ::-1]


def by_differences(a: Array, b: Array, c: Array) -> Array:
    """f(h) − 2f(0) + f(−h) over h², extrapolated, for f(γ) = b cos²γ + a sin²γ and with c for a."""
    coarse, fine = _second_difference(a, b, c, 0.02), _second_difference(a, b, c, 0.01)
    return (4 * fine - coarse) / 3


def _second_difference(a: Array, b: Array, c: Array, h: float) -> Array:
    towards = np.column_stack([a, c])
    moved = b[:, None] * np.cos(h) ** 2 + towards * np.sin(h) ** 2
    return 2 * (moved - b[:, None]) / h**2


curvature = Task(
    kind="sym",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("towards e₁", "towards e₃"),
    see="thm-pca-stationary",
    misconceptions=(
        Misconception(
            forgot_the_constraint,
            hint="These second derivatives leave the sphere. On it v bends towards the origin as it moves, "
            "which costs something.",
            see="eq-pca-great-circle",
        ),
        Misconception(
            flipped_the_signs,
            hint="Right up to the sign. Towards the stronger axis, does the variance rise or fall?",
            see="eq-pca-great-circle",
            credit=0.5,
        ),
        Misconception(
            lost_the_factor_two,
            hint="Right up to a positive factor, so your classification will be right. Differentiate sin² "
            "twice once more.",
            see="eq-pca-great-circle",
            credit=0.75,
        ),
        Misconception(
            subtracted_the_largest,
            hint="These are curvatures at another eigenvector. The walk starts at e₂: what is the variance "
            "there?",
            see="eq-pca-great-circle",
        ),
        Misconception(
            swapped_the_two,
            hint="Both formulas are right, in the other order. The walk towards e₁ comes first.",
            see="eq-pca-great-circle",
            credit=0.75,
        ),
    ),
    alternatives=(by_differences,),
)
