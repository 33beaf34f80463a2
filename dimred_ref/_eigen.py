"""Eigenpairs in a stated order: the one place that sorts, so values and vectors stay paired."""

import numpy as np
import scipy.linalg

from dimred_ref._arrays import Array

# Here all eigenvectors by divide and conquer take less time than an eighth of them one by one.
SIZES_SOLVED_WHOLE = range(32, 401)


def with_fixed_signs(vectors: Array) -> Array:
    """Flip columns so that the entry of largest modulus is positive: the same bytes on every machine.

    A convention for reproducible files and figures only. It is not a canonical form: near a tie
    the largest entry may change, so compare answers by invariants, never by this.
    """
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)


def top_eigenpairs(A: Array, n_pairs: int, *, overwrite: bool = False) -> tuple[Array, Array]:
    """Return the largest eigenvalues of a symmetric matrix, descending, and unit eigenvectors as columns.

    A matrix that may be overwritten, and is stored by columns, is not copied.
    """
    is_solved_whole = len(A) in SIZES_SOLVED_WHOLE and 8 * n_pairs > len(A)
    first = 0 if is_solved_whole else len(A) - n_pairs
    values, vectors = _eigenpairs(A, first, len(A) - 1, overwrite=overwrite)
    return values[: -n_pairs - 1 : -1].copy(), with_fixed_signs(vectors[:, : -n_pairs - 1 : -1])


def bottom_eigenpairs(A: Array, n_pairs: int) -> tuple[Array, Array]:
    """Return the smallest eigenvalues of a symmetric matrix, ascending, and unit eigenvectors as columns."""
    values, vectors = _eigenpairs(A, 0, n_pairs - 1)
    return values[:n_pairs], with_fixed_signs(vectors[:, :n_pairs])


def _eigenpairs(A: Array, first: int, last: int, *, overwrite: bool = False) -> tuple[Array, Array]:
    """Return eigenpairs number first to last, ascending, or all of them.

    LAPACK's solver for a few pairs may return fewer than it was asked for where many eigenvalues coincide; the one
    for all pairs does not.
    """
    if (first, last) != (0, len(A) - 1):
        diagonal = A.diagonal().copy()
        few = scipy.linalg.eigh(A, subset_by_index=[first, last], overwrite_a=overwrite, check_finite=False)
        if len(few[0]) == last - first + 1:
            return few[0], few[1]
        if overwrite:  # which LAPACK does to the lower triangle with the diagonal, not to the upper one
            np.fill_diagonal(A, diagonal)
        values, vectors = scipy.linalg.eigh(A, lower=not overwrite, driver="evd", check_finite=False)
        return values[first : last + 1], vectors[:, first : last + 1]
    values, vectors = scipy.linalg.eigh(A, overwrite_a=overwrite, driver="evd", check_finite=False)
    return values, vectors
