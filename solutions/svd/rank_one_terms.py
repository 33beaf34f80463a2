"""Task `rank_one_terms`: build the decomposition for every shape and rank, as a stack of terms σᵢuᵢvᵢᵀ."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_absolute_value
from dimred_ref.svd import numerical_rank, svd_by_construction, thin_svd
from solutions.announced import has_huge_numbers, has_tiny_numbers
from solutions.numbers import Array, one_of
from solutions.svd.numbers import (
    by_two_eigenproblems,
    close_to,
    has_clear_signs,
    matrix_with,
    trapped,
    trapping_matrix,
    whole_matrix,
)

ZERO = 1e-5  # of the largest singular value: eigenvalues of the product below 1e-10 count as zero


def _terms(U: Array, sigma: Array, V: Array) -> Array:
    """The stack whose i-th sheet is σᵢ uᵢ vᵢᵀ."""
    return np.einsum("ai,i,bi->iab", U, sigma, V)


def _triples(A: Array) -> tuple[Array, Array, Array]:
    parts, rank = svd_by_construction(A), numerical_rank(A, rtol=ZERO)
    return parts.U[:, :rank], parts.singular_values[:rank], parts.V[:, :rank]


@task.code(points=3, minutes=20, see="thm-svd-existence")
def rank_one_terms(A: Array) -> Array:
    """σᵢ uᵢ vᵢᵀ for i ≤ r (eq-svd-sum): no sign is free, because uᵢ and vᵢ change theirs together."""
    return _terms(*_triples(A))


@rank_one_terms.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Tall, wide, and of lower rank; signs chosen on each side alone fit in none of them."""
    tall, wide = one_of(rng, ((5, 3), (6, 3), (4, 3))), one_of(rng, ((3, 6), (3, 5), (3, 4)))
    return {
        "a tall matrix": {"A": trapping_matrix(rng, tall, 3) / 4},
        "a wide matrix, in small units": {"A": 1e-7 * trapping_matrix(rng, wide, 3)},
        "a matrix of lower rank, in large units": {"A": 1e7 * trapping_matrix(rng, (4, 4), 2)},
        "eigenvalues near zero": {"A": _nearly_dependent(rng)},
    }


def _nearly_dependent(rng: np.random.Generator) -> Array:
    """A stretch that is small but counts, and one that counts as zero."""
    shape = one_of(rng, ((4, 5), (5, 4), (4, 6)))
    while True:
        first = one_of(rng, (8.0, 9.0, 10.0))
        A = matrix_with(rng, shape, (first, 2.0, first * 1e-4, first * 4e-6))
        if has_clear_signs(A):
            return trapped(A, ZERO)


@rank_one_terms.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One row, one column, rank one, integers."""
    return {
        "one row": {"A": np.array([[2.0, -1.0, 0.5]])},
        "one column": {"A": np.array([[-2.0], [0.25], [1.0]])},
        "rank one": {"A": np.outer([1.0, -2.0, 2.0], [0.5, 0.0, -1.5, 2.0])},
        "integers": {"A": whole_matrix(rng, (4, 3), 2).astype(int)},
    }


rank_one_terms.ill_posed(close_to(ZERO))


@rank_one_terms.wrong(
    "Your terms do not add up to A: some have the opposite sign. Left and right vectors were found without a look at "
    "each other.",
    see="eq-svd-right-vectors",
    credit=1 / 3,
    same=up_to_absolute_value,
)
def solved_two_eigenproblems(A: Array) -> Array:
    """U from AAᵀ, V from AᵀA."""
    return _terms(*by_two_eigenproblems(A, ZERO))


@rank_one_terms.wrong(
    "There are as many terms as the rank. Where a singular value is zero, but for rounding, there is no term (and "
    "nothing to divide by).",
    see="eq-svd-compact",
)
def kept_vanishing_terms(A: Array) -> Array:
    """One sheet for each of min(m, n), zeros included."""
    empty = np.zeros((min(A.shape) - numerical_rank(A, rtol=ZERO), *A.shape))
    return np.concatenate([rank_one_terms(A), empty])


@rank_one_terms.wrong(
    "All terms are right. The largest should come first: mind the order of your eigensolver.",
    see="eq-svd-order",
    credit=0.5,
)
def left_the_order_ascending(A: Array) -> Array:
    """The order in which an eigensolver gives the pairs."""
    return rank_one_terms(A)[::-1]


@rank_one_terms.wrong(
    "The matrices point the right way, but the factors before them are eigenvalues of a product, not singular values.",
    see="eq-svd-split",
)
def stretched_twice(A: Array) -> Array:
    """σᵢ² uᵢ vᵢᵀ: eigenvalues of the product, without the root."""
    U, sigma, V = _triples(A)
    return _terms(U, sigma**2, V)


@rank_one_terms.wrong(
    "Every term of yours has Frobenius norm one, so their sum cannot be A.", see="eq-svd-sum"
)
def forgot_to_stretch(A: Array) -> Array:
    """uᵢ vᵢᵀ."""
    U, sigma, V = _triples(A)
    return _terms(U, np.ones_like(sigma), V)


@rank_one_terms.wrong(
    "Your last sheet is A itself. These are partial sums; the single terms were asked for.",
    see="eq-svd-sum",
    credit=0.5,
)
def summed_cumulatively(A: Array) -> Array:
    """A₁, A₂, …: the truncations instead of the terms."""
    return np.cumsum(rank_one_terms(A), axis=0)


@rank_one_terms.wrong(
    "Right where the rank is clear. One stretch is small: its square, an eigenvalue of the product, is what the task "
    "compares with the largest.",
)
def compared_singular_values(A: Array) -> Array:
    """σ itself compared with 1e-10 of the largest, or with rounding: a term too many near the tolerance."""
    parts, rank = thin_svd(A), numerical_rank(A, rtol=1e-10)
    return _terms(parts.U[:, :rank], parts.singular_values[:rank], parts.V[:, :rank])


@rank_one_terms.also
def by_numpy(A: Array) -> Array:
    """The library, cut at the rank."""
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    rank = np.sum(sigma > 1e-5 * sigma[0])
    return np.array([sigma[i] * np.outer(U[:, i], Vt[i]) for i in range(rank)])


@rank_one_terms.also
def projected_on_the_left(A: Array) -> Array:
    """uᵢ uᵢᵀ A: the projection of the columns of A on uᵢ."""
    U, _, _ = _triples(A)
    return np.array([np.outer(u, u @ A) for u in U.T])


@rank_one_terms.must_fail
def took_an_absolute_tolerance(A: Array) -> Array:
    """λ > 0.01, whatever the unit."""
    parts = thin_svd(A)
    rank = np.count_nonzero(parts.singular_values**2 > 1e-2)
    return _terms(parts.U[:, :rank], parts.singular_values[:rank], parts.V[:, :rank])


@rank_one_terms.must_fail
def trusted_the_signs_of_the_library(A: Array) -> Array:
    """Two eigenproblems, with the signs that the library of this machine gives."""
    eigenvalues, U = np.linalg.eigh(A @ A.T)
    rank = np.count_nonzero(eigenvalues > 1e-10 * eigenvalues[-1])
    V = np.linalg.eigh(A.T @ A)[1]
    return _terms(U[:, ::-1][:, :rank], np.sqrt(eigenvalues[::-1][:rank]), V[:, ::-1][:, :rank])


rank_one_terms.announces("in whatever unit", "a wide matrix, in small units", has_tiny_numbers)
rank_one_terms.announces("in whatever unit", "a matrix of lower rank, in large units", has_huge_numbers)
