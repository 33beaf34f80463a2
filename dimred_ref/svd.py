"""The singular value decomposition: built as its existence proof builds it, and what it reveals."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_count, as_matrix, as_points, as_positive
from dimred_ref._eigen import top_eigenpairs, with_fixed_signs
from dimred_ref._result import Result


@dataclass(frozen=True, eq=False, repr=False)
class SVD(Result):
    """A = U diag(σ) Vᵀ with orthonormal columns; the signs of a pair (uᵢ, vᵢ) may change together."""

    U: Array  # (m, m), or (m, r) when thin
    singular_values: Array  # (min(m, n),), descending
    V: Array  # (n, n), or (n, r) when thin

    def matrix(self) -> Array:
        """Return the matrix that was decomposed."""
        count = len(self.singular_values)
        product: Array = self.U[:, :count] * self.singular_values @ self.V[:, :count].T
        return product


@dataclass(frozen=True, eq=False, repr=False)
class FourSubspaces(Result):
    """Orthonormal bases, as columns, of the subspaces that a matrix of rank r defines."""

    column_space: Array  # (m, r)
    left_null_space: Array  # (m, m − r)
    row_space: Array  # (n, r)
    null_space: Array  # (n, n − r)


@dataclass(frozen=True, eq=False, repr=False)
class LowRank(Result):
    """A best approximation of given rank, and how far it is from the matrix in both norms."""

    matrix: Array
    spectral_error: float
    frobenius_error: float


def svd_by_construction(A: ArrayLike) -> SVD:
    """Build the full decomposition as the existence proof does, for every shape and rank.

        A Aᵀ = U diag(λ) Uᵀ,   λ₁ ≥ … ≥ λ_r > 0        (eq-svd-spectral)
        σᵢ = √λᵢ,   V_r = Aᵀ U_r diag(σ)⁻¹             (eq-svd-right-vectors)
        V = [V_r, an orthonormal basis of the rest]    (eq-svd-completion)

    A wide matrix is the transpose of a tall one. Squaring A hides singular values below about
    1e-7 of the largest (they come out as 0): for numerical work use thin_svd.
    """
    A = as_points(A, "A")
    if A.shape[0] < A.shape[1]:
        flipped = svd_by_construction(A.T)
        return SVD(U=flipped.V, singular_values=flipped.singular_values, V=flipped.U)
    m, n = A.shape
    eigenvalues, U = top_eigenpairs(A @ A.T, m)
    rounding = 10 * m * np.finfo(float).eps * eigenvalues[0]  # of the product and of its eigenvalues
    rank = int(np.count_nonzero(eigenvalues[:n] > rounding))
    sigma = np.sqrt(eigenvalues[:rank])
    V = _completed(A.T @ U[:, :rank] / sigma)
    return SVD(U=U, singular_values=np.concatenate([sigma, np.zeros(n - rank)]), V=V)


def thin_svd(A: ArrayLike) -> SVD:
    """Decompose A with min(m, n) singular triples.

    A = U diag(σ) Vᵀ,   UᵀU = VᵀV = I          (eq-svd-thin)
    """
    U, sigma, Vt = scipy.linalg.svd(as_matrix(A, "A"), full_matrices=False)
    V = with_fixed_signs(Vt.T)
    return SVD(U=U * np.sign(np.sum(V * Vt.T, axis=0)), singular_values=sigma, V=V)


def numerical_rank(A: ArrayLike, *, rtol: float | None = None) -> int:
    """Count the singular values that are not zero but for rounding.

    r = #{i : σᵢ > rtol · σ₁},   rtol = max(m, n) · 2⁻⁵² unless given          (eq-svd-rank)
    """
    A = as_matrix(A, "A")
    sigma = scipy.linalg.svdvals(A)
    return int(np.count_nonzero(sigma > relative_tolerance(A, rtol) * sigma[0]))


def relative_tolerance(A: Array, rtol: float | None) -> float:
    """Return the fraction of σ₁ under which a singular value of A counts as zero."""
    if rtol is None:
        return float(max(A.shape) * np.finfo(float).eps)
    return as_positive(rtol, "rtol", zero_allowed=True)


def four_subspaces(A: ArrayLike, *, rtol: float | None = None) -> FourSubspaces:
    """Read orthonormal bases of the four fundamental subspaces off the full decomposition.

        range A = span{uᵢ : i ≤ r},   null Aᵀ = span{uᵢ : i > r}
        range Aᵀ = span{vᵢ : i ≤ r},  null A = span{vᵢ : i > r}          (eq-svd-subspaces)

    Indices above min(m, n) count too: a wide matrix of full rank has a null space.
    """
    A = as_matrix(A, "A")
    U, sigma, Vt = scipy.linalg.svd(A)
    rank = int(np.count_nonzero(sigma > relative_tolerance(A, rtol) * sigma[0]))
    U, V = with_fixed_signs(U), with_fixed_signs(Vt.T)
    return FourSubspaces(
        column_space=U[:, :rank], left_null_space=U[:, rank:], row_space=V[:, :rank], null_space=V[:, rank:]
    )


def best_rank_k(A: ArrayLike, rank: int) -> LowRank:
    """Keep the leading singular triples: no matrix of this rank is closer, in either norm.

        A_k = Σ_{i≤k} σᵢ uᵢ vᵢᵀ                                     (eq-svd-truncation)
        ‖A − A_k‖₂ = σ_{k+1},   ‖A − A_k‖_F = √Σ_{i>k} σᵢ²          (eq-svd-truncation-error)

    For σ_k > 0 the closest matrix in the Frobenius norm is unique if and only if σ_k > σ_{k+1};
    in the spectral norm others tie even then, unless nothing is cut off.
    """
    A = as_matrix(A, "A")
    rank = as_count(rank, "rank", low=0, high=min(A.shape))
    full = thin_svd(A)
    sigma = full.singular_values
    kept = SVD(full.U[:, :rank], sigma[:rank], full.V[:, :rank])
    return LowRank(
        matrix=kept.matrix(),
        spectral_error=float(sigma[rank:].max(initial=0.0)),
        frobenius_error=float(scipy.linalg.norm(sigma[rank:])),
    )


def _completed(columns: Array) -> Array:
    """Extend orthonormal columns to a square orthogonal matrix."""
    size, count = columns.shape
    Q, _ = scipy.linalg.qr(columns) if count else (np.eye(size), None)
    return np.hstack([columns, Q[:, count:]])
