"""Task `gram_schmidt`: straighten columns one after the other."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_column_signs
from dimred_ref import toolkit
from solutions.toolkit.numbers import Array, independent_columns, nearly_dependent, orthogonal_columns


@task.code(points=3, minutes=15, see="thm-toolkit-gram-schmidt", same=up_to_column_signs)
def gram_schmidt(A: Array) -> Array:
    """Orthonormal columns with the spans of the first columns of A (eq-toolkit-gram-schmidt)."""
    return toolkit.gram_schmidt(A)


@gram_schmidt.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Columns at right angles already, two slanted ones, and four, in several units."""
    return {
        "columns at right angles": {"A": orthogonal_columns(rng, (2.0, 3.0, 5.0))},
        "two slanted columns": {"A": independent_columns(rng, 4, 2)},
        "four slanted columns, in a tiny unit": {"A": np.round(1e-8 * independent_columns(rng, 6, 4), 9)},
    }


@gram_schmidt.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One column, one entry, a square matrix, whole numbers, five columns, a large unit."""
    return {
        "one column": {"A": independent_columns(rng, 4, 1)},
        "one entry": {"A": np.array([[-2.5]])},
        "a square matrix": {"A": independent_columns(rng, 3, 3)},
        "whole numbers": {"A": independent_columns(rng, 4, 3).astype(int)},
        "five columns": {"A": np.eye(7)[:, :5] + 0.2 * np.ones((7, 5))},
        "a large unit": {"A": 1e6 * independent_columns(rng, 4, 3)},
    }


gram_schmidt.ill_posed(nearly_dependent)


@gram_schmidt.wrong(
    "Your columns have length 1, but they lean on one another as before: look at QᵀQ off its diagonal.",
    see="eq-toolkit-orthonormal",
)
def only_normalised(A: Array) -> Array:
    """Divide each column by its length."""
    return A / np.linalg.norm(A, axis=0)


@gram_schmidt.wrong(
    "Your columns are at right angles. Look at the diagonal of QᵀQ.", see="eq-toolkit-orthonormal", credit=0.5
)
def forgot_to_normalise(A: Array) -> Array:
    """Orthogonal columns of any length."""
    columns: list[Array] = []
    for a in A.T:
        columns.append(a - sum((w @ a) / (w @ w) * w for w in columns))
    return np.column_stack(columns)


@gram_schmidt.wrong(
    "The formula subtracts shadows on unit vectors. In what you subtract, the vectors are not of length 1 yet.",
    see="eq-toolkit-gram-schmidt",
)
def normalised_only_at_the_end(A: Array) -> Array:
    """Subtract (wᵀa) w with w of any length, and normalise when all is done."""
    columns: list[Array] = []
    for a in A.T:
        columns.append(a - sum((w @ a) * w for w in columns))
    return only_normalised(np.column_stack(columns))


@gram_schmidt.wrong(
    "Right up to the second column. From the third on, the vectors on which your shadows fall are not orthogonal, and "
    "what these share is subtracted twice: on which should the shadows fall?",
    see="eq-toolkit-gram-schmidt",
)
def subtracted_shadows_on_the_old_columns(A: Array) -> Array:
    """Use the given columns, normalised, where the new ones belong."""
    old = only_normalised(A)
    columns = [a - sum((old[:, i] @ a) * old[:, i] for i in range(j)) for j, a in enumerate(A.T)]
    return only_normalised(np.column_stack(columns))


@gram_schmidt.wrong(
    "Right up to the second column. The third is orthogonal to the second, but to the first?",
    see="eq-toolkit-gram-schmidt",
)
def removed_the_last_shadow_only(A: Array) -> Array:
    """Make each column orthogonal to its neighbour."""
    columns: list[Array] = []
    for a in A.T:
        w = a - (columns[-1] @ a) * columns[-1] if columns else a
        columns.append(w / np.linalg.norm(w))
    return np.column_stack(columns)


@gram_schmidt.wrong(
    "Your columns are orthonormal and span the right space. But the first of them should have the direction of the "
    "first column of A, and so on.",
)
def took_the_singular_vectors(A: Array) -> Array:
    """Orthonormal columns of the same space, but other ones."""
    return np.linalg.svd(A, full_matrices=False)[0]


@gram_schmidt.also
def by_qr(A: Array) -> Array:
    """The first factor of the QR decomposition."""
    return np.linalg.qr(A)[0]


@gram_schmidt.also
def by_cholesky(A: Array) -> Array:
    """A divided by the triangular root of AᵀA."""
    return np.linalg.solve(np.linalg.cholesky(A.T @ A), A.T).T


@gram_schmidt.also
def one_shadow_at_a_time(A: Array) -> Array:
    """Subtract from all later columns as soon as a new one is made."""
    Q = A.astype(float)
    for j in range(Q.shape[1]):
        Q[:, j] /= np.linalg.norm(Q[:, j])
        for later in range(j + 1, Q.shape[1]):
            Q[:, later] -= (Q[:, j] @ Q[:, later]) * Q[:, j]
    return Q
