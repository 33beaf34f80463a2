"""Task `projector`: the orthogonal projector on the columns of a matrix, whatever basis they are."""

import numpy as np

from autograder.authoring.task import Cases, Follows, Misconception, Task
from dimred_ref import toolkit
from solutions.toolkit.numbers import Array, independent_columns, nearly_dependent, orthogonal_columns


def draw(rng: np.random.Generator) -> Cases:
    """Orthonormal columns, orthogonal ones of other lengths, a single one, slanted ones."""
    return {
        "orthonormal columns": {"A": orthogonal_columns(rng, (1.0, 1.0))},
        "orthogonal columns of other lengths": {"A": orthogonal_columns(rng, (2.0, 3.0))},
        "one column, in a tiny unit": {"A": np.round(1e-8 * independent_columns(rng, 4, 1), 9)},
        "three slanted columns": {"A": independent_columns(rng, 5, 3)},
    }


def hard(rng: np.random.Generator) -> Cases:
    """A square matrix, one entry, whole numbers, four columns, a large unit."""
    return {
        "a square matrix": {"A": independent_columns(rng, 3, 3)},
        "one entry": {"A": np.array([[-2.5]])},
        "whole numbers": {"A": independent_columns(rng, 4, 2).astype(int)},
        "four columns": {"A": independent_columns(rng, 6, 4)},
        "a large unit": {"A": 1e6 * independent_columns(rng, 5, 2)},
    }


def answer(A: Array) -> Array:
    """P = QQᵀ (eq-toolkit-projector)."""
    return toolkit.projector(A)


def multiplied_by_the_transpose(A: Array) -> Array:
    """AAᵀ."""
    return A @ A.T


def normalised_the_columns_only(A: Array) -> Array:
    """QQᵀ with unit columns that need not be orthogonal."""
    unit = A / np.linalg.norm(A, axis=0)
    return unit @ unit.T


def divided_by_one_number(A: Array) -> Array:
    """AAᵀ / ‖A‖²_F, after the formula for a single vector."""
    return A @ A.T / np.sum(A**2)


def projected_on_the_complement(A: Array) -> Array:
    """I − P."""
    return np.eye(len(A)) - answer(A)


def projected_on_the_rows(A: Array) -> Array:
    """(AᵀA)⁻¹AᵀA, as small as the number of columns."""
    return np.linalg.solve(A.T @ A, A.T @ A)


def by_normal_equations(A: Array) -> Array:
    """A (AᵀA)⁻¹ Aᵀ."""
    return A @ np.linalg.inv(A.T @ A) @ A.T


def by_qr(A: Array) -> Array:
    """QQᵀ with Q from the QR decomposition."""
    Q = np.linalg.qr(A)[0]
    return Q @ Q.T


def by_pseudo_inverse(A: Array) -> Array:
    """A A⁺."""
    return A @ np.linalg.pinv(A)


projector = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="eq-toolkit-projector",
    follows=(Follows("gram_schmidt", toolkit.gram_schmidt, lambda A: {"A": A}),),
    misconceptions=(
        Misconception(
            multiplied_by_the_transpose,
            hint="Right for orthonormal columns. Apply your matrix twice to a vector: a shadow of a shadow "
            "should not move.",
            see="eq-toolkit-projector",
        ),
        Misconception(
            normalised_the_columns_only,
            hint="Right for orthogonal columns. When they lean on one another, what they share is counted "
            "twice.",
            see="eq-toolkit-projector-any-basis",
        ),
        Misconception(
            divided_by_one_number,
            hint="Right for one column, where a single number repairs the length. Several columns have lengths and "
            "angles of their own: look at the trace of your matrix.",
            see="eq-toolkit-projector-any-basis",
        ),
        Misconception(
            projected_on_the_complement,
            hint="Your matrix sends the columns of A to zero. It should leave them where they are.",
            see="thm-toolkit-projector",
        ),
        Misconception(
            projected_on_the_rows,
            hint="Your matrix is as small as the number of columns. It should act on vectors as long as the "
            "columns are.",
            see="thm-toolkit-projector",
        ),
    ),
    alternatives=(by_normal_equations, by_qr, by_pseudo_inverse),
    ill_posed=nearly_dependent,
    hard=hard,
)
