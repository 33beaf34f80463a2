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
    options = {"driver": "evd"} if is_solved_whole else {"subset_by_index": [len(A) - n_pairs, len(A) - 1]}
    values, vectors = scipy.linalg.eigh(A, overwrite_a=overwrite, check_finite=False, **options)
    return values[: -n_pairs - 1 : -1].copy(), with_fixed_signs(vectors[:, : -n_pairs - 1 : -1])


def bottom_eigenpairs(A: Array, n_pairs: int) -> tuple[Array, Array]:
    """Return the smallest eigenvalues of a symmetric matrix, ascending, and unit eigenvectors as columns."""
    values, vectors = scipy.linalg.eigh(A, subset_by_index=[0, n_pairs - 1], check_finite=False)
    return values, with_fixed_signs(vectors)
