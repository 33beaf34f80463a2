"""Task `null_basis`: an orthonormal basis of the null space, for wide and for rank-deficient matrices."""

import numpy as np
import scipy.linalg

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import up_to_basis
from dimred_ref.svd import four_subspaces, numerical_rank, thin_svd
from solutions.numbers import Array
from solutions.svd.numbers import null_space_in_parts, small_gap, whole_matrix


def draw(rng: np.random.Generator) -> Cases:
    """No vanishing singular value, only vanishing ones, and both kinds of null vectors at once."""
    return {
        "a tall matrix of lower rank": {"A": whole_matrix(rng, (5, 4), 2)},
        "a wide matrix of full rank": {"A": whole_matrix(rng, (3, 5), 3)},
        "a wide matrix of lower rank": {"A": whole_matrix(rng, (3, 6), 2)},
    }


def answer(A: Array) -> Array:
    """vᵢ for i > r, as columns (eq-svd-subspaces)."""
    return four_subspaces(A).null_space


def took_only_vanishing_values(A: Array) -> Array:
    """vᵢ with σᵢ = 0, from the thin decomposition."""
    return thin_svd(A).V[:, numerical_rank(A) :]


def took_only_vectors_beyond(A: Array) -> Array:
    """vᵢ with i > min(m, n)."""
    return np.linalg.svd(A)[2][min(A.shape) :].T


def gave_the_left_null_space(A: Array) -> Array:
    """uᵢ for i > r."""
    return four_subspaces(A).left_null_space


def gave_the_row_space(A: Array) -> Array:
    """vᵢ for i ≤ r."""
    return four_subspaces(A).row_space


def left_the_vectors_in_rows(A: Array) -> Array:
    """Rows of Vᵀ, which is what the library returns."""
    return four_subspaces(A).null_space.T


def by_scipy(A: Array) -> Array:
    """The library."""
    return scipy.linalg.null_space(A)


def by_eigenvectors(A: Array) -> Array:
    """Eigenvectors of AᵀA to the eigenvalue zero, one of them with the other sign."""
    basis = np.linalg.eigh(A.T @ A)[1][:, : A.shape[1] - np.linalg.matrix_rank(A)]
    return basis[:, ::-1] * np.where(np.arange(basis.shape[1]) == 0, -1.0, 1.0)


null_basis = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="thm-svd-subspaces",
    same=up_to_basis,
    misconceptions=(
        Misconception(
            took_only_vanishing_values,
            hint="For wide matrices something is missing. Compare the number of singular values with the "
            "number of right singular vectors.",
            see="eq-svd-subspaces",
            indefinite=null_space_in_parts,
        ),
        Misconception(
            took_only_vectors_beyond,
            hint="For matrices of lower rank something is missing: A also forgets directions that it "
            "stretches by the factor zero.",
            see="eq-svd-subspaces",
            indefinite=null_space_in_parts,
        ),
        Misconception(
            gave_the_left_null_space,
            hint="These are combinations of rows that vanish, solutions of Aᵀy = 0. Check A times your "
            "basis.",
            see="eq-svd-subspaces",
        ),
        Misconception(
            gave_the_row_space,
            hint="Your vectors are all that A does not forget. Which ones are left?",
            see="thm-svd-subspaces",
        ),
        Misconception(
            left_the_vectors_in_rows,
            hint="The number of vectors may be right, but they should be columns, so that A times your basis is zero. "
            "Does your library return V or its transpose?",
            see="def-svd-decomposition",
        ),
    ),
    alternatives=(by_scipy, by_eigenvectors),
    ill_posed=small_gap,
)
