"""Bound the second eigenvalue of a graph Laplacian from below, rounding included."""

import numpy as np
import scipy.linalg
import scipy.sparse
from scipy.sparse.linalg import ArpackNoConvergence, SuperLU, eigsh, splu


def symmetric_factor(A: scipy.sparse.csc_array, most_negative: int) -> SuperLU | None:
    """Factor a sparse symmetric matrix as M D Mᵀ (SuperLU keeps D Mᵀ), pivots on the diagonal.

    None if the matrix is singular or more than most_negative entries of D are negative: by
    Sylvester's law that is the number of its negative eigenvalues.
    """
    try:
        factor = splu(A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    except RuntimeError:  # a pivot is exactly zero
        return None
    return factor if (factor.U.diagonal() < 0).sum() <= most_negative else None


def second_eigenvalue(L: scipy.sparse.csc_array) -> float:
    """Estimate the second smallest eigenvalue of a Laplacian, its algebraic connectivity; 0 if that is hard.

    It is hard when many eigenvalues crowd near 0, and then it would bound nothing.
    """
    size = L.shape[0]
    if size <= 200:
        return float(scipy.linalg.eigvalsh(L.toarray(), subset_by_index=[1, 1])[0])
    below_zero = -1e-9 * float(L.diagonal().mean())
    start = np.random.default_rng(0).standard_normal(size)
    try:
        values = eigsh(L, 2, sigma=below_zero, v0=start, maxiter=50, return_eigenvectors=False)
    except ArpackNoConvergence:
        return 0.0
    return float(values.max())


def second_eigenvalue_at_least(L: scipy.sparse.csc_array) -> float:
    """Return a proved lower bound on the second smallest eigenvalue of a Laplacian, or 0.

        L − t I = M D Mᵀ + E,  D has one negative entry  ⇒  λ₂(L) ≥ t − ‖E‖      (thm-mvu-inertia)

    Sylvester: M D Mᵀ has as many negative eigenvalues as D, one, so its second eigenvalue is
    not negative; Weyl: the remainder E moves it by at most ‖E‖. The estimate of λ₂ only
    says which t to try, so nothing depends on how good it is.
    """
    estimate = second_eigenvalue(L)
    if not estimate > 0:
        return 0.0
    bound = _bound_by_inertia(L, estimate)
    if bound < (1 - 3e-9) * estimate and L.shape[0] <= 1000:  # a tiny pivot spoils M D Mᵀ, rarely
        bound = max(bound, _bound_by_all_eigenvalues(L))
    return bound


def _bound_by_inertia(L: scipy.sparse.csc_array, estimate: float) -> float:
    identity = scipy.sparse.eye_array(L.shape[0], format="csc")
    bound = 0.0
    for margin in 10.0 ** np.arange(-11, 0):
        shifted = (L - estimate * (1 - margin) * identity).tocsc()
        factor = symmetric_factor(shifted, most_negative=1)
        if factor is None:
            continue
        remainder = _remainder_norm(shifted, factor)
        bound = max(bound, estimate * (1 - margin) - remainder)
        if remainder <= max(margin, 1e-9) * estimate:
            break
    return bound


def _bound_by_all_eigenvalues(L: scipy.sparse.csc_array) -> float:
    """Return the computed second eigenvalue less the backward error of a dense symmetric solver."""
    dense = L.toarray()
    rounding = len(dense) * np.finfo(float).eps * np.abs(dense).sum(axis=1).max()
    return float(scipy.linalg.eigvalsh(dense)[1] - rounding)


def _remainder_norm(A: scipy.sparse.csc_array, factor: SuperLU) -> float:
    """Bound ‖A − M D Mᵀ‖₂ by the largest row sum of moduli, rounding of this product included.

    The product is made in the longest floating-point type: in double precision its own rounding
    would be the largest part of the bound.
    """
    if (factor.perm_r != factor.perm_c).any():
        return np.inf  # an unsymmetric pivot was needed: the signs of the pivots prove nothing
    order = np.argsort(factor.perm_c)
    M, D = factor.L.tocsr().astype(np.longdouble), factor.U.diagonal().astype(np.longdouble)
    remainder = abs(A[order][:, order] - (M * D) @ M.T)
    ones = np.ones(len(D), dtype=np.longdouble)
    terms = np.diff(M.indptr) + 3  # an entry of row i is a sum of at most that many rounded products
    rounding = np.finfo(np.longdouble).eps / 2 * terms * (abs(M) @ (np.abs(D) * (abs(M).T @ ones)))
    return float((remainder @ ones + rounding).max())
