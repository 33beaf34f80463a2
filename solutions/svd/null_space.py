"""Tasks on the null space of a matrix."""

import numpy as np
import scipy.linalg

from autograder.authoring import task
from autograder.judging.sameness import up_to_basis
from dimred_ref.svd import four_subspaces, numerical_rank, thin_svd
from solutions.announced import has_huge_numbers, has_tiny_numbers
from solutions.numbers import Array, one_of
from solutions.steps import Worked, matrix, row, steps, tex
from solutions.svd.numbers import (
    HALVES,
    THIRDS,
    ZERO,
    close_to,
    nearly_dependent,
    null_space_in_parts,
    signed_columns,
    whole_matrix,
)


@task.code(points=2, minutes=10, see="thm-svd-subspaces", same=up_to_basis)
def null_basis(A: Array) -> Array:
    """vᵢ for i > r, as columns (eq-svd-subspaces)."""
    return four_subspaces(A, rtol=ZERO).null_space


@null_basis.draw
def draw_null_basis(rng: np.random.Generator) -> task.Cases:
    """Vanishing singular values, vectors beyond them, both kinds, both sides of the tolerance, and nothing at all."""
    tall, wide = one_of(rng, ((5, 4), (6, 4), (6, 5))), one_of(rng, ((3, 6), (3, 7), (4, 6)))
    return {
        "a tall matrix of lower rank": {"A": whole_matrix(rng, tall, 2) / 4},
        "a wide matrix of full rank, in small units": {"A": 1e-13 * whole_matrix(rng, (3, 5), 3)},
        "a wide matrix of lower rank, in large units": {"A": 1e7 * whole_matrix(rng, wide, 2)},
        "singular values near zero": {"A": nearly_dependent(rng, one_of(rng, ((4, 6), (5, 6), (4, 5))))},
        "independent columns: nothing is sent to zero": {"A": whole_matrix(rng, (5, 3), 3)},
    }


@null_basis.hard
def hard_null_basis(rng: np.random.Generator) -> task.Cases:
    """One row, rank one, a square one, and whole numbers as integers."""
    return {
        "one row": {"A": np.array([[2.0, -1.0, 0.5]])},
        "rank one": {"A": np.outer([1.0, -2.0, 2.0], [0.5, 0.0, -1.5, 2.0])},
        "a square matrix": {"A": whole_matrix(rng, (4, 4), 3)},
        "integers": {"A": whole_matrix(rng, (3, 4), 2).astype(int)},
    }


null_basis.ill_posed(close_to(ZERO))


@null_basis.wrong(
    "For wide matrices something is missing. Compare the number of singular values with the number of right singular "
    "vectors.",
    see="eq-svd-subspaces",
    indefinite=null_space_in_parts,
)
def took_only_vanishing_values(A: Array) -> Array:
    """vᵢ with σᵢ = 0, from the thin decomposition."""
    return thin_svd(A).V[:, numerical_rank(A, rtol=ZERO) :]


@null_basis.wrong(
    "For matrices of lower rank something is missing: A also forgets directions that it stretches by the factor zero.",
    see="eq-svd-subspaces",
    indefinite=null_space_in_parts,
)
def took_only_vectors_beyond(A: Array) -> Array:
    """vᵢ with i > min(m, n)."""
    return np.linalg.svd(A)[2][min(A.shape) :].T


@null_basis.wrong(
    "These are combinations of rows that vanish, solutions of Aᵀy = 0. Check A times your basis.",
    see="eq-svd-subspaces",
)
def gave_the_left_null_space(A: Array) -> Array:
    """uᵢ for i > r."""
    return four_subspaces(A, rtol=ZERO).left_null_space


@null_basis.wrong("Your vectors are all that A does not forget. Which ones are left?")
def gave_the_row_space(A: Array) -> Array:
    """vᵢ for i ≤ r."""
    return four_subspaces(A, rtol=ZERO).row_space


@null_basis.wrong(
    "The number of vectors may be right, but they should be columns, so that A times your basis is zero. Does your "
    "library return V or its transpose?",
    see="def-svd-decomposition",
)
def left_the_vectors_in_rows(A: Array) -> Array:
    """Rows of Vᵀ, which is what the library returns."""
    return four_subspaces(A, rtol=ZERO).null_space.T


@null_basis.wrong(
    "The columns of your n × n matrix span the right space, but they depend on one another: a basis has as many "
    "vectors as the space has dimensions.",
)
def gave_the_projector(A: Array) -> Array:
    """I − A⁺A: its columns span the right space, but there are n of them."""
    null_space = four_subspaces(A, rtol=ZERO).null_space
    return null_space @ null_space.T


@null_basis.wrong(
    "Directions that A shrinks strongly, but does not forget, went into your null space: the tolerance is too coarse. "
    "Was it compared with eigenvalues of AᵀA? They are squares of singular values.",
    see="thm-svd-squaring-loses-digits",
)
def compared_squares(A: Array) -> Array:
    """λ = σ² below 1e-10 of the largest: σ below 1e-5 counts as zero."""
    return four_subspaces(A, rtol=np.sqrt(ZERO)).null_space


@null_basis.also
def by_scipy(A: Array) -> Array:
    """The library."""
    return scipy.linalg.null_space(A, rcond=1e-10)


@null_basis.also
def by_left_vectors(A: Array) -> Array:
    """Left singular vectors of the transpose, one of them with the other sign."""
    U, sigma, _ = np.linalg.svd(A.T)
    basis = U[:, np.sum(sigma > 1e-10 * sigma.max()) :]
    return basis[:, ::-1] * np.where(np.arange(basis.shape[1]) == 0, -1.0, 1.0)


@null_basis.must_fail
def compared_with_rounding(A: Array) -> Array:
    """Only what vanishes but for rounding counts as zero: the libraries' default."""
    return four_subspaces(A).null_space


@null_basis.must_fail
def took_an_absolute_tolerance(A: Array) -> Array:
    """σ > 1e-10, whatever the unit."""
    _, sigma, Vt = np.linalg.svd(A)
    return Vt[np.count_nonzero(sigma > ZERO) :].T


@null_basis.must_fail
def took_a_coarse_tolerance(A: Array) -> Array:
    """σ > 1e-3."""
    _, sigma, Vt = np.linalg.svd(A)
    return Vt[np.count_nonzero(sigma > 1e-3) :].T


null_basis.announces("in whatever unit", "a wide matrix of full rank, in small units", has_tiny_numbers)
null_basis.announces("in whatever unit", "a wide matrix of lower rank, in large units", has_huge_numbers)


Answer = tuple[float, Array]
# of rank one, so that rank and nullity differ
SPECTRA = ((6, 0, 0), (3, 0, 0), (9, 0, 0), (12, 0, 0), (15, 0, 0), (18, 0, 0))


@task.hand(points=2, minutes=10, see="thm-svd-subspaces", parts=("the dimension", "the projector"))
def null_projector(U: Array, singular_values: Array, V: Array) -> Answer:
    """n − r, and V₀V₀ᵀ (eq-svd-subspaces)."""
    A = (U / 3) * singular_values @ (V / 2)[:, :3].T
    null = four_subspaces(A).null_space
    return null.shape[1], null @ null.T


@null_projector.draw
def draw_null_projector(rng: np.random.Generator) -> task.Cases:
    """U in thirds and V in halves; drawn again while rows of V would give the projector of some columns."""
    U, V = signed_columns(rng, THIRDS), signed_columns(rng, HALVES)
    while np.abs(V.T @ V[0]).max() == 4:  # the first row is one of the columns, but for its sign
        V = signed_columns(rng, HALVES)
    sigma = np.array(one_of(rng, SPECTRA), dtype=float)
    return {"the numbers of the text": {"U": U, "singular_values": sigma, "V": V}}


def _onto(columns: Array) -> Array:
    return columns @ columns.T


@null_projector.wrong(
    "You collected the vectors whose singular value is zero. Rank and nullity should add up to the number of columns "
    "of A: do yours?",
    see="eq-svd-subspaces",
    credit=0.5,
)
def used_only_vanishing_values(U: Array, singular_values: Array, V: Array) -> Answer:
    """v₂ and v₃, because their singular values are zero."""
    return 2, _onto(V[:, [1, 2]] / 2)


@null_projector.wrong(
    "The vector without a singular value belongs to the null space, but it is not alone there.",
    see="eq-svd-subspaces",
    credit=0.5,
)
def used_only_the_vector_beyond(U: Array, singular_values: Array, V: Array) -> Answer:
    """v₄ alone, because it has no singular value."""
    return 1, _onto(V[:, [3]] / 2)


@null_projector.wrong(
    "Your projector keeps what A keeps, and the dimension is its rank; the question is what A forgets."
)
def projected_on_the_row_space(U: Array, singular_values: Array, V: Array) -> Answer:
    """The projector on v₁, with its dimension."""
    return 1, _onto(V[:, :1] / 2)


@null_projector.wrong(
    "The dimension is right. In which direction are the vectors v written in V, and in which in its transpose?",
    see="def-svd-decomposition",
    credit=0.5,
)
def took_rows_of_v(U: Array, singular_values: Array, V: Array) -> Answer:
    """The last rows of V instead of its last columns."""
    return 3, _onto(V[1:].T / 2)


@null_projector.wrong(
    "Apply your matrix twice: a projector should not change anything the second time. What was printed before the "
    "matrix of whole numbers?",
    credit=0.5,
)
def forgot_to_normalise(U: Array, singular_values: Array, V: Array) -> Answer:
    """The printed whole numbers as if they had length one."""
    return 3, _onto(V[:, 1:])


@null_projector.also
def from_the_identity(U: Array, singular_values: Array, V: Array) -> Answer:
    """Identity minus the projector on the row space."""
    rank = np.sum(singular_values > 0)
    return int(4 - rank), np.eye(4) - _onto(V[:, :rank] / 2)


@null_projector.worked
def worked_null_projector(U: Array, singular_values: Array, V: Array) -> Worked:
    """The columns of V that A forgets."""
    rank = int(np.count_nonzero(singular_values))
    P = V[:, rank:] @ V[:, rank:].T / 4
    forgotten = ", ".join(f"v_{column + 1}" for column in range(rank, 4))
    return steps(
        rf"$Av_i=\sigma_iu_i$, and a $3\times4$ matrix has no fourth singular value: $A$ forgets ${forgotten}$. The "
        rf"dimension of the null space is $4-{rank}={4 - rank}$.",
        "As rows, these vectors are "
        + " and ".join(rf"$\tfrac12{row(column)}$" for column in V.T[rank:])
        + ".",
        rf"The sum of their products $v_iv_i^\top$ is ${matrix(P)}$. Its trace is ${tex(np.trace(P))}$, the dimension.",
    ), (4 - rank, P)
