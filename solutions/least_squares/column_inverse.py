"""Task `column_inverse`: the pseudo-inverse of a single column, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.least_squares import pinv
from solutions.numbers import Array, sample_points


def draw(rng: np.random.Generator) -> Cases:
    """Three entries."""
    return {"at sample points": sample_points(rng, a=(0.5, 2.0), b=(2.2, 3.5), c=(0.6, 3.0))}


def _square(a: Array, b: Array, c: Array) -> Array:
    return a**2 + b**2 + c**2


def answer(a: Array, b: Array, c: Array) -> Array:
    """xᵀ/‖x‖² (eq-least-squares-rank-one with q = 1)."""
    return np.column_stack([a, b, c]) / _square(a, b, c)[:, None]


def inverted_the_entries(a: Array, b: Array, c: Array) -> Array:
    """1/a, 1/b, 1/c."""
    return 1 / np.column_stack([a, b, c])


def divided_by_the_length(a: Array, b: Array, c: Array) -> Array:
    """xᵀ/‖x‖."""
    return np.column_stack([a, b, c]) / np.sqrt(_square(a, b, c))[:, None]


def gave_the_transpose(a: Array, b: Array, c: Array) -> Array:
    """xᵀ."""
    return np.column_stack([a, b, c])


def divided_twice(a: Array, b: Array, c: Array) -> Array:
    """xᵀ/‖x‖⁴."""
    return np.column_stack([a, b, c]) / _square(a, b, c)[:, None] ** 2


def shared_out_the_inverses(a: Array, b: Array, c: Array) -> Array:
    """A third of each inverse: also a left inverse of the column, but no pseudo-inverse."""
    return inverted_the_entries(a, b, c) / 3


def by_library(a: Array, b: Array, c: Array) -> Array:
    """The pseudo-inverse at each point."""
    return np.array([pinv(column[:, None])[0] for column in np.column_stack([a, b, c])])


column_inverse = Task(
    kind="sym",
    points=1,
    minutes=5,
    draw=draw,
    answer=answer,
    same=(exactly,) * 3,
    parts=("the first entry", "the second entry", "the third entry"),
    see="thm-least-squares-pinv-rules",
    misconceptions=(
        Misconception(
            inverted_the_entries,
            hint="Your row times the column is 3. What should it be when the columns are independent?",
            see="thm-least-squares-pinv-rules",
        ),
        Misconception(
            divided_by_the_length,
            hint="The direction is right. Double the column: its pseudo-inverse should become half as "
            "large, and yours does not change.",
            see="eq-least-squares-pinv",
        ),
        Misconception(
            gave_the_transpose,
            hint="The shape is right. The transpose undoes the column only if its length is one.",
            see="eq-least-squares-sigma-plus",
        ),
        Misconception(
            divided_twice,
            hint="The direction is right, but you divided by the square of the length once too often: test "
            "the first equation of Penrose.",
            see="eq-least-squares-penrose",
        ),
        Misconception(
            shared_out_the_inverses,
            hint="Your row times the column is 1, as it should be. But the column times your row must be "
            "symmetric as well.",
            see="eq-least-squares-penrose",
        ),
    ),
    alternatives=(by_library,),
)
