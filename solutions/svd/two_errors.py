"""Task `two_errors`: what the best approximation of rank one of diag(a, b, c) misses, in both norms."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, sample_points


def draw(rng: np.random.Generator) -> Cases:
    """Three singular values a > b > c > 0."""
    return {"at sample points": sample_points(rng, a=(5.0, 9.0), b=(2.5, 4.0), c=(0.5, 1.5))}


def answer(a: Array, b: Array, c: Array) -> Array:
    """σ₂ and √(σ₂² + σ₃²) (eq-svd-truncation-error)."""
    return np.column_stack([b, np.hypot(b, c)])


def swapped_the_norms(a: Array, b: Array, c: Array) -> Array:
    """The Frobenius error first."""
    return np.column_stack([np.hypot(b, c), b])


def gave_the_kept_value(a: Array, b: Array, c: Array) -> Array:
    """σ_k for the spectral error."""
    return np.column_stack([a, np.hypot(b, c)])


def forgot_the_root(a: Array, b: Array, c: Array) -> Array:
    """The sum of squares as Frobenius error."""
    return np.column_stack([b, b**2 + c**2])


def added_singular_values(a: Array, b: Array, c: Array) -> Array:
    """σ₂ + σ₃."""
    return np.column_stack([b, b + c])


def cut_after_two(a: Array, b: Array, c: Array) -> Array:
    """The errors of rank two."""
    return np.column_stack([c, c])


def by_norms(a: Array, b: Array, c: Array) -> Array:
    """Both norms of diag(0, b, c) at each point."""
    left = [np.diag([0.0, y, z]) for y, z in zip(b, c, strict=True)]
    return np.array([[np.linalg.norm(M, 2), np.linalg.norm(M)] for M in left])


two_errors = Task(
    kind="sym",
    points=1,
    minutes=5,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("the spectral error", "the Frobenius error"),
    see="eq-svd-truncation-error",
    misconceptions=(
        Misconception(
            swapped_the_norms,
            hint="Two right formulas in the wrong order: which norm asks only for the largest stretch?",
            see="eq-svd-norms",
            credit=0.5,
        ),
        Misconception(
            gave_the_kept_value,
            hint="The Frobenius error is right. The spectral error is the largest stretch of what is left "
            "over, and the largest term is not left over.",
            see="eq-svd-truncation-error",
            credit=0.5,
        ),
        Misconception(
            forgot_the_root,
            hint="The spectral error is right. Double the matrix: your second error grows fourfold, but a "
            "length should double.",
            see="eq-svd-norms",
            credit=0.5,
        ),
        Misconception(
            added_singular_values,
            hint="The spectral error is right. The discarded terms are at right angles to each other: how "
            "do lengths add then?",
            see="thm-svd-norms",
            credit=0.5,
        ),
        Misconception(
            cut_after_two,
            hint="These are the errors of an approximation that keeps one term too many.",
            see="eq-svd-truncation",
        ),
    ),
    alternatives=(by_norms,),
)
