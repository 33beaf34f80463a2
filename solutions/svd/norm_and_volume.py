"""Task `norm_and_volume`: sum of squares and product of the singular values of a 2 × 2 matrix, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import N_POINTS, Array
from solutions.signs import with_both_signs


def draw(rng: np.random.Generator) -> Cases:
    """Four entries of both signs, as those of the determinant, which the sign of ad decides."""
    a, d = np.round(rng.uniform(2.5, 4.0, (2, N_POINTS)), 3)
    b, c = np.round(rng.uniform(0.5, 1.5, (2, N_POINTS)), 3)
    return {"at sample points": with_both_signs(rng, {"a": a, "b": b, "c": c, "d": d}, *"abcd")}


def answer(a: Array, b: Array, c: Array, d: Array) -> Array:
    """‖A‖_F² and |det A| (thm-svd-norms)."""
    return np.column_stack([a**2 + b**2 + c**2 + d**2, np.abs(a * d - b * c)])


def forgot_the_modulus(a: Array, b: Array, c: Array, d: Array) -> Array:
    """det A as it is."""
    return np.column_stack([a**2 + b**2 + c**2 + d**2, a * d - b * c])


def took_eigenvalues_of_a(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Squares of the eigenvalues of A: (tr A)² − 2 det A."""
    det = a * d - b * c
    return np.column_stack([(a + d) ** 2 - 2 * det, np.abs(det)])


def gave_the_squared_product(a: Array, b: Array, c: Array, d: Array) -> Array:
    """σ₁²σ₂²."""
    return np.column_stack([a**2 + b**2 + c**2 + d**2, (a * d - b * c) ** 2])


def took_the_root_of_the_sum(a: Array, b: Array, c: Array, d: Array) -> Array:
    """‖A‖_F instead of its square."""
    return np.column_stack([np.sqrt(a**2 + b**2 + c**2 + d**2), np.abs(a * d - b * c)])


def gave_trace_and_determinant(a: Array, b: Array, c: Array, d: Array) -> Array:
    """tr A and det A."""
    return np.column_stack([a + d, a * d - b * c])


def by_decomposition(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Singular values at each point."""
    matrices = np.stack([np.stack([a, b], axis=-1), np.stack([c, d], axis=-1)], axis=-2)
    sigma = np.linalg.svd(matrices, compute_uv=False)
    return np.column_stack([np.sum(sigma**2, axis=1), np.prod(sigma, axis=1)])


norm_and_volume = Task(
    kind="sym",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("σ₁² + σ₂²", "σ₁σ₂"),
    see="thm-svd-norms",
    misconceptions=(
        Misconception(
            forgot_the_modulus,
            hint="The sum is right. Try your product on the matrix that exchanges the two axes: can a "
            "product of singular values come out like that?",
            see="eq-svd-order",
            credit=0.5,
        ),
        Misconception(
            took_eigenvalues_of_a,
            hint="The product is right. The sum belongs to the eigenvalues of A, which are not its singular "
            "values unless A is special. Which matrix has the squares as eigenvalues?",
            see="thm-svd-two-products",
            credit=0.5,
        ),
        Misconception(
            gave_the_squared_product,
            hint="The sum is right. The determinant of AᵀA is the product of the squares; one step is left.",
            see="thm-svd-norms",
            credit=0.5,
        ),
        Misconception(
            took_the_root_of_the_sum,
            hint="The product is right. You give the Frobenius norm itself, but were asked for the sum of "
            "squares.",
            see="eq-svd-norms-values",
            credit=0.5,
        ),
        Misconception(
            gave_trace_and_determinant,
            hint="These are trace and determinant of A. Singular values come from another matrix: take its "
            "trace and its determinant.",
            see="thm-svd-two-products",
        ),
    ),
    alternatives=(by_decomposition,),
)
