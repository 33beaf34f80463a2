"""Task `lagrangian_gradient`: the gradient of a form with a multiplier, without symmetry, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.toolkit.numbers import Array, sample_points

SIGNS = {"x": [1, -1, 1, -1, 1, -1], "y": [1, 1, -1, -1, 1, -1], "k": [1, 1, 1, -1, -1, -1]}


def draw(rng: np.random.Generator) -> Cases:
    """Entries of the matrix, the vector (x, y), and the multiplier k."""
    points = sample_points(
        rng,
        a=(1.0, 5.0),
        b=(1.0, 3.0),
        c=(4.0, 7.0),
        d=(6.0, 9.0),
        x=(0.5, 3.0),
        y=(0.5, 3.0),
        k=(0.5, 4.0),
    )
    # x, y and k are only said to be real: every pattern of two signs occurs
    for name, signs in SIGNS.items():
        points[name] = points[name] * signs
    return {"at sample points": points}


def _stacked(first: Array, second: Array) -> Array:
    return np.column_stack([first, second])


def answer(*symbols: Array) -> Array:
    """(A + Aᵀ)v − 2kv (eq-toolkit-quadratic-gradient)."""
    a, b, c, d, x, y, k = symbols
    return _stacked(2 * a * x + (b + c) * y - 2 * k * x, (b + c) * x + 2 * d * y - 2 * k * y)


def assumed_symmetry(*symbols: Array) -> Array:
    """2(A − kI)v."""
    a, b, c, d, x, y, k = symbols
    return _stacked(2 * (a * x + b * y - k * x), 2 * (c * x + d * y - k * y))


def differentiated_one_factor(*symbols: Array) -> Array:
    """Av − 2kv."""
    a, b, c, d, x, y, k = symbols
    return _stacked(a * x + b * y - 2 * k * x, c * x + d * y - 2 * k * y)


def lost_the_two_of_the_constraint(*symbols: Array) -> Array:
    """(A + Aᵀ)v − kv."""
    *_, x, y, k = symbols
    return answer(*symbols) + _stacked(k * x, k * y)


def flipped_the_multiplier(*symbols: Array) -> Array:
    """(A + Aᵀ)v + 2kv."""
    *others, k = symbols
    return answer(*others, -k)


def forgot_the_constraint(*symbols: Array) -> Array:
    """(A + Aᵀ)v."""
    *others, k = symbols
    return answer(*others, 0 * k)


def by_differences(*symbols: Array) -> Array:
    """Central differences, exact for a polynomial of degree two."""
    a, b, c, d, x, y, k = symbols

    def value(x: Array, y: Array) -> Array:
        return a * x * x + b * x * y + c * y * x + d * y * y - k * (x * x + y * y - 1)

    return _stacked(value(x + 1, y) - value(x - 1, y), value(x, y + 1) - value(x, y - 1)) / 2


lagrangian_gradient = Task(
    kind="sym",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("∂L/∂x", "∂L/∂y"),
    see="thm-toolkit-quadratic-gradient",
    misconceptions=(
        Misconception(
            assumed_symmetry,
            hint="Right if b = c. Multiply the form out before you differentiate: which entries stand in front "
            "of xy?",
            see="eq-toolkit-quadratic-gradient",
            credit=0.5,
        ),
        Misconception(
            differentiated_one_factor,
            hint="The vector occurs twice in the form, and both occurrences move. Your first term counts one of "
            "them.",
            see="thm-toolkit-quadratic-gradient",
        ),
        Misconception(
            lost_the_two_of_the_constraint,
            hint="The part of the matrix is right. The derivative of x² is not x.",
            see="thm-toolkit-quadratic-gradient",
            credit=0.5,
        ),
        Misconception(
            flipped_the_multiplier,
            hint="Right up to the sign of the multiplier's term: compare with the function as it is given.",
            see="eq-toolkit-quadratic-gradient",
            credit=0.75,
        ),
        Misconception(
            forgot_the_constraint,
            hint="This is the gradient of the form alone. The function has a second part, which contains k.",
            see="eq-toolkit-quadratic-gradient",
        ),
    ),
    alternatives=(by_differences,),
)
