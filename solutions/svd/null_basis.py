"""Task `null_basis`: a basis of the null space, for every shape, rank and unit."""

import numpy as np
import scipy.linalg

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import up_to_basis
from dimred_ref.svd import four_subspaces, numerical_rank, thin_svd
from solutions.numbers import Array, one_of
from solutions.svd.numbers import ZERO, close_to, nearly_dependent, null_space_in_parts, whole_matrix


def draw(rng: np.random.Generator) -> Cases:
    """Vanishing singular values, vectors beyond them, both kinds, both sides of the tolerance, and nothing at all."""
    tall, wide = one_of(rng, ((5, 4), (6, 4), (6, 5))), one_of(rng, ((3, 6), (3, 7), (4, 6)))
    return {
        "a tall matrix of lower rank": {"A": whole_matrix(rng, tall, 2) / 4},
        "a wide matrix of full rank, in small units": {"A": 1e-13 * whole_matrix(rng, (3, 5), 3)},
        "a wide matrix of lower rank, in large units": {"A": 1e7 * whole_matrix(rng, wide, 2)},
        "singular values near zero": {"A": nearly_dependent(rng, one_of(rng, ((4, 6), (5, 6), (4, 5))))},
        "independent columns: nothing is sent to zero": {"A": whole_matrix(rng, (5, 3), 3)},
    }


def hard(rng: np.random.Generator) -> Cases:
    """One row, rank one, a square one, and whole numbers as integers."""
    return {
        "one row": {"A": np.array([[2.0, -1.0, 0.5]])},
        "rank one": {"A": np.outer([1.0, -2.0, 2.0], [0.5, 0.0, -1.5, 2.0])},
        "a square matrix": {"A": whole_matrix(rng, (4, 4), 3)},
        "integers": {"A": whole_matrix(rng, (3, 4), 2).astype(int)},
    }


def answer(A: Array) -> Array:
    """vᵢ for i > r, as columns (eq-svd-subspaces)."""
    return four_subspaces(A, rtol=ZERO).null_space


def took_only_vanishing_values(A: Array) -> Array:
    """vᵢ with σᵢ = 0, from the thin decomposition."""
    return thin_svd(A).V[:, numerical_rank(A, rtol=ZERO) :]


def took_only_vectors_beyond(A: Array) -> Array:
    """vᵢ with i > min(m, n)."""
    return np.linalg.svd(A)[2][min(A.shape) :].T


def gave_the_left_null_space(A: Array) -> Array:
    """uᵢ for i > r."""
    return four_subspaces(A, rtol=ZERO).left_null_space


def gave_the_row_space(A: Array) -> Array:
    """vᵢ for i ≤ r."""
    return four_subspaces(A, rtol=ZERO).row_space


def left_the_vectors_in_rows(A: Array) -> Array:
    """Rows of Vᵀ, which is what the library returns."""
    return four_subspaces(A, rtol=ZERO).null_space.T


def compared_with_rounding(A: Array) -> Array:
    """Only what vanishes but for rounding counts as zero: the libraries' default."""
    return four_subspaces(A).null_space


def compared_squares(A: Array) -> Array:
    """λ = σ² below 1e-10 of the largest: σ below 1e-5 counts as zero."""
    return four_subspaces(A, rtol=np.sqrt(ZERO)).null_space


def by_scipy(A: Array) -> Array:
    """The library."""
    return scipy.linalg.null_space(A, rcond=1e-10)


def by_left_vectors(A: Array) -> Array:
    """Left singular vectors of the transpose, one of them with the other sign."""
    U, sigma, _ = np.linalg.svd(A.T)
    basis = U[:, np.sum(sigma > 1e-10 * sigma.max()) :]
    return basis[:, ::-1] * np.where(np.arange(basis.shape[1]) == 0, -1.0, 1.0)


def took_an_absolute_tolerance(A: Array) -> Array:
    """σ > 1e-10, whatever the unit."""
    _, sigma, Vt = np.linalg.svd(A)
    return Vt[np.count_nonzero(sigma > ZERO) :].T


def took_a_coarse_tolerance(A: Array) -> Array:
    """σ > 1e-3."""
    _, sigma, Vt = np.linalg.svd(A)
    return Vt[np.count_nonzero(sigma > 1e-3) :].T


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
        Misconception(
            compared_squares,
            hint="The eigenvalues of AᵀA are squares, so a tolerance for them is another one for singular values. "
            "Directions that A shrinks strongly, but does not forget, went into your null space.",
            see="thm-svd-squaring-loses-digits",
        ),
    ),
    alternatives=(by_scipy, by_left_vectors),
    ill_posed=close_to(ZERO),
    must_fail=(compared_with_rounding, took_an_absolute_tolerance, took_a_coarse_tolerance),
    hard=hard,
)
