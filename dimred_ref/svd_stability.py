"""Bound the rotation of singular subspaces (Davis–Kahan), and compute a randomised SVD."""

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_count, as_matrix, as_points
from dimred_ref.svd import SVD, thin_svd


def sine_distance(V: ArrayLike, W: ArrayLike) -> float:
    """Return the distance ‖sin Θ‖_F of two subspaces, from orthonormal bases as columns.

        ‖sin Θ‖_F = ‖(I − VVᵀ)W‖_F = ‖VVᵀ − WWᵀ‖_F / √2          (eq-svd-sines)

    Both bases must have the same shape. The distance is 0 for equal subspaces, √d for orthogonal ones.
    """
    V, W = as_matrix(V, "V"), as_matrix(W, "W")
    if V.shape != W.shape:
        raise ValueError(f"W must have the shape of V, {V.shape}, not {W.shape}")
    return float(np.linalg.norm(W - V @ (V.T @ W)))


def davis_kahan_bound(C: ArrayLike, E: ArrayLike, n_components: int) -> float:
    """Bound the distance of leading eigenspaces of C and C + E, both symmetric.

        ‖sin Θ‖_F ≤ √2 ‖E‖_F / (λ_d − λ_{d+1})                    (eq-svd-davis-kahan)

    Without a gap the bound is infinite.
    """
    C, E = as_matrix(C, "C"), as_matrix(E, "E")
    if C.shape[0] != C.shape[1] or E.shape != C.shape:
        raise ValueError(f"C and E must be square and of one shape, not {C.shape} and {E.shape}")
    d = as_count(n_components, "n_components", high=len(C) - 1)
    eigenvalues = scipy.linalg.eigvalsh(C)[::-1]
    gap = eigenvalues[d - 1] - eigenvalues[d]
    return float(np.sqrt(2) * np.linalg.norm(E) / gap) if gap > 0 else np.inf


def randomised_svd(
    A: ArrayLike, rank: int, *, n_oversamples: int = 10, n_iterations: int = 0, seed: int = 0
) -> SVD:
    """Compute the leading singular triples from a random sample of the range.

        Y = (AAᵀ)^q A Ω,   Q = orth(Y),   QᵀA = Ũ diag(σ) Vᵀ,   U = QŨ     (eq-svd-randomised)

    Ω has rank + n_oversamples independent standard normal columns; q = n_iterations. Every product with
    A or Aᵀ is followed by a QR decomposition, so that small singular values are not lost.
    """
    A = as_matrix(A, "A")
    rank = as_count(rank, "rank", high=min(A.shape))
    if n_oversamples < 0 or n_iterations < 0:
        raise ValueError(
            f"n_oversamples and n_iterations must be at least 0, not {n_oversamples} and {n_iterations}"
        )
    n_samples = min(rank + n_oversamples, *A.shape)
    Q = sampled_range(A, n_samples, n_iterations=n_iterations, seed=seed)
    small = thin_svd(Q.T @ A)
    return SVD(U=Q @ small.U[:, :rank], singular_values=small.singular_values[:rank], V=small.V[:, :rank])


def sampled_range(A: ArrayLike, n_samples: int, *, n_iterations: int = 0, seed: int = 0) -> Array:
    """Return an orthonormal basis of a random sample of the range of A."""
    A = as_points(A, "A")
    Omega = np.random.default_rng(seed).normal(size=(A.shape[1], n_samples))
    Q: Array = np.linalg.qr(A @ Omega)[0]
    for _ in range(n_iterations):
        Q = np.linalg.qr(A @ np.linalg.qr(A.T @ Q)[0])[0]
    return Q


def randomised_error_bound(singular_values: ArrayLike, rank: int, n_oversamples: int) -> float:
    """Bound the root mean square error of a random sample of the range.

        (E‖A − QQᵀA‖²_F)^½ ≤ (1 + k/(p − 1))^½ (Σ_{j>k} σⱼ²)^½       (eq-svd-randomised-bound)

    k = rank and p = n_oversamples ≥ 2.
    """
    sigma = np.sort(np.asarray(singular_values, dtype=float))[::-1]
    rank = as_count(rank, "rank", high=len(sigma))
    if n_oversamples < 2:
        raise ValueError(f"n_oversamples must be at least 2, not {n_oversamples}: the bound needs p > 1")
    tail = np.sum(sigma[rank:] ** 2)
    return float(np.sqrt((1 + rank / (n_oversamples - 1)) * tail))
