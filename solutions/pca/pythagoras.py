"""Task `pythagoras`: the two pieces into which a line splits a squared length, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, sample_points
from solutions.signs import with_both_signs


def draw(rng: np.random.Generator) -> Cases:
    """A point (p, q) and the slope k of the line."""
    points = sample_points(rng, p=(1.0, 4.0), q=(4.5, 9.0), k=(0.3, 0.8))
    points["k"][:2] += 1.5  # steeper than the diagonal as well
    return {"at sample points": with_both_signs(rng, points, *"pqk")}


def answer(p: Array, q: Array, k: Array) -> Array:
    """‖Px‖² = (p + kq)²/(1 + k²) and ‖x − Px‖² = (q − kp)²/(1 + k²) (thm-pca-pythagoras)."""
    return np.column_stack([(p + k * q) ** 2, (q - k * p) ** 2]) / (1 + k**2)[:, None]


def forgot_to_normalise(p: Array, q: Array, k: Array) -> Array:
    """Both pieces with P = wwᵀ."""
    x, w = np.column_stack([p, q]), np.column_stack([np.ones_like(k), k])
    image = (p + k * q)[:, None] * w
    return np.column_stack([np.sum(image**2, axis=1), np.sum((x - image) ** 2, axis=1)])


def forgot_the_cross_term(p: Array, q: Array, k: Array) -> Array:
    """Square each summand by itself."""
    return np.column_stack([p**2 + k**2 * q**2, q**2 + k**2 * p**2]) / (1 + k**2)[:, None]


def gave_the_lengths(p: Array, q: Array, k: Array) -> Array:
    """Lengths instead of squared lengths."""
    return np.sqrt(answer(p, q, k))


def normalised_only_once(p: Array, q: Array, k: Array) -> Array:
    """(wᵀx)² for the first piece; the second as the rest."""
    kept = (p + k * q) ** 2
    return np.column_stack([kept, p**2 + q**2 - kept])


def swapped_the_two(p: Array, q: Array, k: Array) -> Array:
    """The residual first."""
    return answer(p, q, k)[:, ::-1]


def by_subtraction(p: Array, q: Array, k: Array) -> Array:
    """The second piece as ‖x‖² − ‖Px‖²."""
    kept = (p + k * q) ** 2 / (1 + k**2)
    return np.column_stack([kept, p**2 + q**2 - kept])


pythagoras = Task(
    kind="sym",
    points=1,
    minutes=8,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("along the line", "the rest"),
    see="thm-pca-pythagoras",
    misconceptions=(
        Misconception(
            forgot_to_normalise,
            hint="Apply your P twice: it should change nothing the second time. Which length must the vector "
            "in v vᵀ have?",
            see="thm-pca-pythagoras",
        ),
        Misconception(
            forgot_the_cross_term,
            hint="The square of a sum has one more term than the sum of the squares.",
            see="thm-pca-pythagoras",
        ),
        Misconception(
            gave_the_lengths,
            hint="These are lengths. Which of the two adds up in a right-angled triangle: lengths or "
            "squares?",
            see="eq-pca-pythagoras",
            credit=0.5,
        ),
        Misconception(
            normalised_only_once,
            hint="The first piece changes with the length of w, and it should not. Your second piece may "
            "even be negative.",
            see="eq-pca-pythagoras",
        ),
        Misconception(
            swapped_the_two,
            hint="Both pieces are right, in the other order. The part along the line comes first.",
            see="thm-pca-pythagoras",
            credit=0.5,
        ),
    ),
    alternatives=(by_subtraction,),
)
