"""Quick questions on conformal eigenmaps."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from solutions.conformal_eigenmaps.best_scale import (
    averaged_the_ratios,
    best_scale,
    divided_the_sums,
    exchanged_before_and_after,
    scaled_the_lengths,
)
from solutions.numbers import Array


@question.choice(
    "Maps that keep angles",
    "Which of these matrices $J$ keep the angle between any two vectors?",
    see="thm-conformal-angles",
    several=True,
    explanation=r"$J^\top J=c^2I$: the columns are orthogonal and equally long.",
)
def keeps_angles(J: Array) -> bool:
    """JᵀJ = c²I."""
    square = J.T @ J
    return bool(np.allclose(square, square[0, 0] * np.eye(len(square))) and square[0, 0] > 0)


@keeps_angles.right()
def rotation_with_a_scale(rng: np.random.Generator) -> Array:
    """Columns orthogonal and equally long."""
    a, b = rng.choice([1, 2, 3, 4, 5], size=2, replace=False)
    return np.array([[a, -b], [b, a]])


@keeps_angles.right()
def reflection_with_a_scale(rng: np.random.Generator) -> Array:
    """A mirror image."""
    a, b = rng.choice([1, 2, 3, 4, 5], size=2, replace=False)
    return np.array([[a, b], [b, -a]])


@keeps_angles.wrong("This keeps areas: its determinant is 1. What becomes of the angle between the two axes?")
def shear(rng: np.random.Generator) -> Array:
    """Area without angles."""
    return np.array([[1, int(rng.integers(1, 5))], [0, 1]])


@keeps_angles.wrong(
    "The axes stay orthogonal, but one is stretched more. Look at the angle between (1, 1) and (1, −1)."
)
def unequal_stretch(rng: np.random.Generator) -> Array:
    """A diagonal matrix with two values."""
    return np.diag(rng.choice([1, 2, 3, 4, 5], size=2, replace=False))


@keeps_angles.wrong("Symmetric is not enough: its eigenvectors are stretched by different factors.")
def symmetric(rng: np.random.Generator) -> Array:
    """Two different eigenvalues."""
    a = int(rng.integers(3, 6))
    return np.array([[a, 1], [1, a]])


best_of_the_scales = question.predict(
    "The scale that fits best",
    r"A map turns a triangle with the squared sides $b={{ b }}$ into one with the squared sides $a={{ a }}$, in the "
    r"same order. Which number $s$ makes $\|a-sb\|^2$ least?",
    of=best_scale,
    among={
        divided_the_sums: "A ratio of sums is another average. The derivative of the sum of squares must vanish at the "
        "best $s$.",
        averaged_the_ratios: "Here every side counts the same. In the sum of squares long sides weigh more.",
        exchanged_before_and_after: "This number takes $a$ to $b$. Which of the two is multiplied by $s$?",
        scaled_the_lengths: "This number scales lengths; $s$ scales their squares.",
    },
    part=0,
    see="eq-conformal-scale",
)

scale_proof = question.proof(
    "What the best scale leaves",
    r"Let $a\ne0$, $b\ne0$ and $s=a^\top b/b^\top b$. Put the steps that prove $\|a-sb\|^2=\|a\|^2\sin^2\theta$ in "
    r"order, where $\theta$ is the angle between $a$ and $b$.",
    see="thm-conformal-scale",
)


def _two(rng: np.random.Generator) -> tuple[Array, Array, float, float]:
    a, b = rng.uniform(1, 3, size=(2, 4))
    return a, b, a @ b / (b @ b), a @ b / np.linalg.norm(a) / np.linalg.norm(b)


scale_proof.step(
    "expand",
    r"Expand the square: $\|a-sb\|^2=\|a\|^2-2s\,a^\top b+s^2\|b\|^2$.",
    true=lambda rng: (
        lambda a, b, s, c: np.isclose(np.sum((a - s * b) ** 2), a @ a - 2 * s * a @ b + s**2 * b @ b)
    )(*_two(rng)),
)
scale_proof.step(
    "insert",
    r"Put $s$ in: two of the terms join, and $\|a\|^2-(a^\top b)^2/\|b\|^2$ is left.",
    after=("expand",),
    true=lambda rng: (
        lambda a, b, s, c: np.isclose(np.sum((a - s * b) ** 2), a @ a - (a @ b) ** 2 / (b @ b))
    )(*_two(rng)),
)
scale_proof.step("cosine", r"By the definition of the angle, $a^\top b=\|a\|\|b\|\cos\theta$.")
scale_proof.step(
    "sine", r"So what is left is $\|a\|^2(1-\cos^2\theta)=\|a\|^2\sin^2\theta$.", after=("insert", "cosine")
)
scale_proof.wrong_step(
    r"Put $s$ in: $\|a\|^2-(a^\top b)^2$ is left.",
    "What became of the length of $b$? Try it with $2b$ for $b$.",
    false=lambda rng: (lambda a, b, s, c: np.isclose(np.sum((a - s * b) ** 2), a @ a - (a @ b) ** 2))(
        *_two(rng)
    ),
    name="lost_the_length_of_b",
)
scale_proof.wrong_step(
    r"Expand the square: $\|a-sb\|^2=\|a\|^2-s^2\|b\|^2$.",
    "A square of a difference has a mixed term.",
    false=lambda rng: (lambda a, b, s, c: np.isclose(np.sum((a - 0.5 * b) ** 2), a @ a - 0.25 * b @ b))(
        *_two(rng)
    ),
    name="forgot_the_mixed_term",
)


@question.order(
    "The misfit of one neighbourhood",
    "`before` and `after` hold the same points, one per row, before and after a map. A function shall return what "
    "the best scale of squared distances leaves, each ordered pair counted. Choose five lines and order them.",
    see="eq-conformal-residual",
)
def misfit(before: Array, after: Array) -> float:
    """Sum of squared residuals."""
    b = np.sum((before[:, None] - before[None]) ** 2, axis=2).ravel()
    a = np.sum((after[:, None] - after[None]) ** 2, axis=2).ravel()
    scale = a @ b / (b @ b)
    rest = a - scale * b
    return rest @ rest


@misfit.draw
def draw_misfit(rng: np.random.Generator) -> Cases:
    """Points of a plane and of space."""
    return {"four points": {"before": rng.normal(size=(4, 3)), "after": rng.normal(size=(4, 2))}}


misfit.wrong_line(
    "scale = a.sum() / b.sum()",
    "The ratio of sums does not make the sum of squares least.",
    name="divided_the_sums",
)
misfit.wrong_line(
    "scale = a @ b / (a @ a)",
    "Whose multiple is subtracted below: that of `a`, or that of `b`?",
    name="exchanged_before_and_after",
)


@question.fault(
    "Does a matrix keep angles?",
    "`J` has two rows and two columns. The function shall return 1 if `J` keeps all angles, and 0 otherwise.",
    see="thm-conformal-angles",
)
def is_conformal(J):
    """Both conditions."""
    square = J.T @ J
    return int(abs(square[0, 1]) < 1e-9 and abs(square[0, 0] - square[1, 1]) < 1e-9)


@is_conformal.shown("The function looks at one condition. Which matrices meet this one and not the other?")
def looked_at_lengths_only(J):
    """Lengths only."""
    square = J.T @ J
    return int(abs(square[0, 0] - square[1, 1]) < 1e-9)


@is_conformal.valid
def is_invertible(J):
    """Two independent columns."""
    if J.shape != (2, 2):
        return "J must have two rows and two columns"
    return None if abs(np.linalg.det(J)) > 1e-6 else "the columns must be independent"


is_conformal.passes(
    {"J": np.array([[1.0, -2], [2, 1]])},
    {"J": np.array([[1.0, 0], [0, 3]])},
    {"J": np.array([[1.0, 1], [0, 1]])},
)
is_conformal.hides(
    {"J": np.array([[0.0, 1], [1, 0]])},
    {"J": np.array([[2.0, 0], [0, 1]])},
    {"J": np.array([[3.0, 1], [0, 2]])},
)
is_conformal.reveals({"J": np.array([[2.0, 1], [1, 2]])}, {"J": np.array([[1.0, 0.6], [0, 0.8]])})


@question.fault(
    "The best scale of squared lengths",
    "The function shall return the number $s$ for which the sum of squares of `a - s * b` is least. `a` and `b` hold "
    "squared lengths.",
    see="eq-conformal-scale",
)
def slope(a, b):
    """Regression through the origin."""
    return np.sum(a * b) / np.sum(b * b)


@slope.shown(
    "In every test all the ratios a[i] / b[i] agree, or `b` is constant. Look for lists of another kind."
)
def ratio_of_sums(a, b):
    """Right where all ratios agree."""
    return np.sum(a) / np.sum(b)


@slope.valid
def are_squares(a, b):
    """Equally long, not negative, b not zero."""
    if len(a) != len(b):
        return "both lists must be equally long"
    return None if np.all(a >= 0) and np.all(b >= 0) and np.any(b > 0) else "squared lengths are not negative"


slope.passes(
    {"a": np.array([8.0, 18, 2]), "b": np.array([4.0, 9, 1])},
    {"a": np.array([1.0, 5]), "b": np.array([2.0, 2])},
    {"a": np.array([6.0]), "b": np.array([3.0])},
)
slope.hides(
    {"a": np.array([3.0, 6]), "b": np.array([1.0, 2])},
    {"a": np.array([0.0, 0]), "b": np.array([1.0, 5])},
    {"a": np.array([1.0, 2, 9]), "b": np.array([4.0, 4, 4])},
)
slope.reveals(
    {"a": np.array([4.0, 10, 2]), "b": np.array([1.0, 2, 2])},
    {"a": np.array([1.0, 1]), "b": np.array([1.0, 2])},
)
