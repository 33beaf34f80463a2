"""Task `best_approximation`: the closest matrix of given rank, and how far it is in both norms."""

import numpy as np

from autograder.authoring import task
from dimred_ref.svd import best_rank_k
from solutions.numbers import Array, one_of
from solutions.svd.numbers import matrix_with, small_gap, whole_matrix
from solutions.svd.rank_one_terms import rank_one_terms

Answer = tuple[Array, float, float]


@task.code(
    points=3,
    minutes=12,
    see="thm-svd-eckart-young",
    parts=("the matrix", "the spectral error", "the Frobenius error"),
)
def best_approximation(A: Array, k: int) -> Answer:
    """A_k, σ_{k+1} and √Σ_{i>k}σᵢ² (eq-svd-truncation, eq-svd-truncation-error)."""
    best = best_rank_k(A, k)
    return best.matrix, best.spectral_error, best.frobenius_error


@best_approximation.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Tall, wide, and of lower rank already."""
    tall, wide = one_of(rng, ((6, 4), (5, 4), (7, 4))), one_of(rng, ((4, 6), (4, 5), (4, 7)))
    return {
        "a tall matrix, rank one": {"A": whole_matrix(rng, tall, 4) / 4, "k": 1},
        "a wide matrix, rank two": {"A": whole_matrix(rng, wide, 4), "k": 2},
        "a matrix of lower rank": {"A": whole_matrix(rng, (5, 5), 3) / 8, "k": 1},
    }


@best_approximation.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Three terms, an approximation that is exact, other units, integers."""
    return {
        "three terms": {"A": matrix_with(rng, (6, 6), (9.0, 5.0, 3.0, 1.5, 0.5)), "k": 3},
        "small units": {"A": 1e-6 * whole_matrix(rng, (3, 4), 3), "k": 1},
        "large units": {"A": 1e6 * whole_matrix(rng, (5, 3), 3), "k": 1},
        "integers": {"A": whole_matrix(rng, (4, 4), 3).astype(int), "k": 2},
    }


best_approximation.ill_posed(small_gap)


@best_approximation.follows(rank_one_terms)
def inputs_of_rank_one_terms(A: Array, k: int) -> task.Inputs:
    """Return the inputs of `rank_one_terms`."""
    return {"A": A}


@best_approximation.wrong(
    "Both errors are right. Your matrix is the k-th term alone, which has rank one; the first k of them have to be "
    "added.",
    see="eq-svd-truncation",
)
def gave_the_kth_term(A: Array, k: int) -> Answer:
    """σ_k u_k v_kᵀ alone."""
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    _, spectral, frobenius = best_approximation(A, k)
    return sigma[k - 1] * np.outer(U[:, k - 1], Vt[k - 1]), spectral, frobenius


def _values(A: Array) -> Array:
    return np.linalg.svd(A, compute_uv=False)


@best_approximation.wrong(
    "The matrix and the Frobenius error are right. The spectral error is off by one place in the list: which is the "
    "first value that is cut off?",
    see="eq-svd-truncation-error",
    credit=2 / 3,
)
def gave_the_last_kept_value(A: Array, k: int) -> Answer:
    """σ_k as spectral error: counting from zero and from one mixed up."""
    matrix, _, frobenius = best_approximation(A, k)
    return matrix, float(_values(A)[k - 1]), frobenius


@best_approximation.wrong(
    "The matrix and the spectral error are right. Your Frobenius error is the square of a length.",
    see="eq-svd-norms",
    credit=2 / 3,
)
def forgot_the_root(A: Array, k: int) -> Answer:
    """Σ_{i>k}σᵢ² as Frobenius error."""
    matrix, spectral, frobenius = best_approximation(A, k)
    return matrix, spectral, frobenius**2


@best_approximation.wrong(
    "The matrix and the spectral error are right. The Frobenius norm adds squares, because the terms are at right "
    "angles.",
    see="thm-svd-norms",
    credit=2 / 3,
)
def added_singular_values(A: Array, k: int) -> Answer:
    """Σ_{i>k}σᵢ as Frobenius error."""
    matrix, spectral, _ = best_approximation(A, k)
    return matrix, spectral, float(_values(A)[k:].sum())


@best_approximation.wrong(
    "All three are right, but the two errors stand in each other's place.",
    see="eq-svd-truncation-error",
    credit=2 / 3,
)
def swapped_the_errors(A: Array, k: int) -> Answer:
    """Frobenius first."""
    matrix, spectral, frobenius = best_approximation(A, k)
    return matrix, frobenius, spectral


@best_approximation.wrong(
    "The rank of your matrix is not too large, but it is far from A. Which terms of the sum are the large ones?",
    see="eq-svd-truncation",
)
def kept_the_last_terms(A: Array, k: int) -> Answer:
    """The k smallest of min(m, n) terms."""
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    matrix = U[:, -k:] * sigma[-k:] @ Vt[-k:]
    return matrix, float(np.linalg.norm(A - matrix, 2)), float(np.linalg.norm(A - matrix))


@best_approximation.wrong(
    "You subtracted the mean and added it back, as for principal components. The result usually has rank k + 1.",
    see="sec-svd-pca",
)
def centred_first(A: Array, k: int) -> Answer:
    """Subtract the mean row, approximate, add it back: principal components instead of a matrix of rank k."""
    mean = A.mean(axis=0)
    matrix = mean + best_rank_k(A - mean, k).matrix
    return matrix, float(np.linalg.norm(A - matrix, 2)), float(np.linalg.norm(A - matrix))


@best_approximation.also
def by_eigenvectors(A: Array, k: int) -> Answer:
    """Project the columns on the first k eigenvectors of AAᵀ, and measure."""
    U = np.linalg.eigh(A @ A.T)[1][:, ::-1][:, :k]
    matrix = U @ U.T @ A
    return matrix, float(np.linalg.norm(A - matrix, 2)), float(np.linalg.norm(A - matrix))


@best_approximation.also
def by_peeling(A: Array, k: int) -> Answer:
    """Take away the largest term k times."""
    rest = np.array(A, dtype=float)
    for _ in range(k):
        U, sigma, Vt = np.linalg.svd(rest, full_matrices=False)
        rest = rest - sigma[0] * np.outer(U[:, 0], Vt[0])
    return A - rest, float(np.linalg.norm(rest, 2)), float(np.linalg.norm(rest, "fro"))
