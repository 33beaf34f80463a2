"""Task `rank_one_terms`: build the decomposition for every shape and rank, as a stack of terms σᵢuᵢvᵢᵀ."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from dimred_ref.svd import numerical_rank, svd_by_construction
from solutions.numbers import Array
from solutions.svd.numbers import by_two_eigenproblems, small_gap, trapping_matrix


def draw(rng: np.random.Generator) -> Cases:
    """Tall, wide, and of lower rank; signs chosen on each side alone fit in none of them."""
    return {
        "a tall matrix": {"A": trapping_matrix(rng, (5, 3), 3)},
        "a wide matrix": {"A": trapping_matrix(rng, (3, 6), 3)},
        "a matrix of lower rank": {"A": trapping_matrix(rng, (4, 4), 2)},
    }


def _terms(U: Array, sigma: Array, V: Array) -> Array:
    """The stack whose i-th sheet is σᵢ uᵢ vᵢᵀ."""
    return np.einsum("ai,i,bi->iab", U, sigma, V)


def _triples(A: Array) -> tuple[Array, Array, Array]:
    parts, rank = svd_by_construction(A), numerical_rank(A)
    return parts.U[:, :rank], parts.singular_values[:rank], parts.V[:, :rank]


def answer(A: Array) -> Array:
    """σᵢ uᵢ vᵢᵀ for i ≤ r (eq-svd-sum): no sign is free, because uᵢ and vᵢ change theirs together."""
    return _terms(*_triples(A))


def solved_two_eigenproblems(A: Array) -> Array:
    """U from AAᵀ, V from AᵀA."""
    return _terms(*by_two_eigenproblems(A))


def kept_vanishing_terms(A: Array) -> Array:
    """One sheet for each of min(m, n), zeros included."""
    empty = np.zeros((min(A.shape) - numerical_rank(A), *A.shape))
    return np.concatenate([answer(A), empty])


def left_the_order_ascending(A: Array) -> Array:
    """The order in which an eigensolver gives the pairs."""
    return answer(A)[::-1]


def stretched_twice(A: Array) -> Array:
    """σᵢ² uᵢ vᵢᵀ: eigenvalues of the product, without the root."""
    U, sigma, V = _triples(A)
    return _terms(U, sigma**2, V)


def forgot_to_stretch(A: Array) -> Array:
    """uᵢ vᵢᵀ."""
    U, sigma, V = _triples(A)
    return _terms(U, np.ones_like(sigma), V)


def projected_on_the_left(A: Array) -> Array:
    """uᵢ uᵢᵀ A: the projection of the columns of A on uᵢ."""
    U, _, _ = _triples(A)
    return np.array([np.outer(u, u @ A) for u in U.T])


def by_numpy(A: Array) -> Array:
    """The library, cut at the rank."""
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    rank = np.linalg.matrix_rank(A)
    return np.array([sigma[i] * np.outer(U[:, i], Vt[i]) for i in range(rank)])


def summed_cumulatively(A: Array) -> Array:
    """A₁, A₂, …: the truncations instead of the terms."""
    return np.cumsum(answer(A), axis=0)


rank_one_terms = Task(
    kind="code",
    points=3,
    minutes=20,
    draw=draw,
    answer=answer,
    see="thm-svd-existence",
    misconceptions=(
        Misconception(
            solved_two_eigenproblems,
            hint="Your terms do not add up to A: some have the opposite sign. Left and right vectors were "
            "found without a look at each other.",
            see="eq-svd-right-vectors",
            credit=1 / 3,
        ),
        Misconception(
            kept_vanishing_terms,
            hint="There are as many terms as the rank. Where a singular value is zero, but for rounding, "
            "there is no term (and nothing to divide by).",
            see="eq-svd-compact",
        ),
        Misconception(
            left_the_order_ascending,
            hint="All terms are right. The largest should come first: mind the order of your eigensolver.",
            see="eq-svd-order",
            credit=0.5,
        ),
        Misconception(
            stretched_twice,
            hint="The matrices point the right way, but the factors before them are eigenvalues of a "
            "product, not singular values.",
            see="eq-svd-split",
        ),
        Misconception(
            forgot_to_stretch,
            hint="Every term of yours has Frobenius norm one, so their sum cannot be A.",
            see="eq-svd-sum",
        ),
        Misconception(
            summed_cumulatively,
            hint="Your last sheet is A itself. These are partial sums; asked was for the single terms.",
            see="eq-svd-sum",
            credit=0.5,
        ),
    ),
    alternatives=(by_numpy, projected_on_the_left),
    ill_posed=small_gap,
)
