"""Task `lauchli_values`: both singular values of the matrix that ruins the product AᵀA, as formulas."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.numbers import Array, sample_points


def draw(rng: np.random.Generator) -> Cases:
    """A large p and a small q."""
    return {"at sample points": sample_points(rng, p=(2.0, 5.0), q=(0.3, 1.2))}


def answer(p: Array, q: Array) -> Array:
    """√(2p² + q²) and q (eq-svd-lauchli)."""
    return np.column_stack([np.sqrt(2 * p**2 + q**2), q])


def gave_the_squares(p: Array, q: Array) -> Array:
    """The eigenvalues of AᵀA."""
    return np.column_stack([2 * p**2 + q**2, q**2])


def rooted_only_the_first(p: Array, q: Array) -> Array:
    """√λ₁ beside λ₂."""
    return np.column_stack([np.sqrt(2 * p**2 + q**2), q**2])


def listed_the_smaller_first(p: Array, q: Array) -> Array:
    """Ascending."""
    return answer(p, q)[:, ::-1]


def dropped_the_small_terms(p: Array, q: Array) -> Array:
    """What a computer stores when q² is lost: p√2 and 0."""
    return np.column_stack([np.sqrt(2) * p, 0 * q])


def took_the_lengths_of_the_columns(p: Array, q: Array) -> Array:
    """√(p² + q²) twice."""
    return np.column_stack([np.hypot(p, q), np.hypot(p, q)])


def by_decomposition(p: Array, q: Array) -> Array:
    """Singular values at each point."""
    matrices = [np.array([[x, x], [y, 0], [0, y]]) for x, y in zip(p, q, strict=True)]
    return np.array([np.linalg.svd(A, compute_uv=False) for A in matrices])


lauchli_values = Task(
    kind="sym",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    same=(exactly,) * 2,
    parts=("σ₁", "σ₂"),
    see="eq-svd-lauchli",
    misconceptions=(
        Misconception(
            gave_the_squares,
            hint="These are the eigenvalues of AᵀA. What has to be done to both of them?",
            see="eq-svd-thin-products",
            credit=0.5,
        ),
        Misconception(
            rooted_only_the_first,
            hint="The first is right. The second still is an eigenvalue of the product.",
            see="eq-svd-thin-products",
            credit=0.5,
        ),
        Misconception(
            listed_the_smaller_first,
            hint="Both formulas are right; by definition they come in the other order.",
            see="eq-svd-order",
            credit=0.5,
        ),
        Misconception(
            dropped_the_small_terms,
            hint="You let q² vanish beside p², as rounding does. On paper nothing is lost: keep it.",
            see="thm-svd-squaring-loses-digits",
        ),
        Misconception(
            took_the_lengths_of_the_columns,
            hint="The columns have these lengths, but they are not at a right angle: AᵀA is not diagonal.",
            see="thm-svd-two-products",
        ),
    ),
    alternatives=(by_decomposition,),
)
