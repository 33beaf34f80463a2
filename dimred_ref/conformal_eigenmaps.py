"""Conformal eigenmaps: bend smooth graph coordinates until local triangles keep their angles."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_count, as_matrix, as_points, as_real, as_vector
from dimred_ref._fast.spectraplex import frank_wolfe_gap, minimise_on_spectraplex
from dimred_ref._result import Result
from dimred_ref.graph import Indices, nearest_neighbors
from dimred_ref.lle import lle, weights_of_new

__all__ = [
    "ConformalEigenmaps",
    "conformal_cost",
    "conformal_eigenmaps",
    "conformal_map",
    "conformal_quadratic",
    "frank_wolfe_gap",
    "optimal_scale",
    "optimal_scales",
]

BLOCK = 64  # points whose triangles are in memory at a time


@dataclass(frozen=True, eq=False, repr=False)
class ConformalEigenmaps(Result):
    """A conformal map of the eigenvectors and the proof that no linear map of them is more conformal."""

    embedding: Array  # (N, d) the leading coordinates of the map
    coordinates: Array  # (N, m) all of them, widest first; cost and scales belong to these
    scales: Array  # (N,) optimal sᵢ of squared lengths
    cost: float  # 𝒟 at the optimum
    gap: float  # cost − least cost ≤ gap, verified by Frank and Wolfe's bound
    metric: Array  # (m, m) P = LᵀL, trace 1
    eigenvectors: Array  # (N, m) the smooth coordinates y that were mapped
    X: Array  # (N, D), the training points
    neighbors: Indices  # (N, k)

    def transform(self, new: ArrayLike) -> Array:
        """Place new points as they are mixed from their nearest training points: an approximation.

        z = Σⱼ wⱼ zⱼ = L Σⱼ wⱼ yⱼ,   w the weights of LLE        (eq-lle-local-gram)
        """
        return np.asarray(weights_of_new(self.X, new, self.neighbors.shape[1]) @ self.embedding)

    @property
    def relative_gap(self) -> float:
        """The gap as a share of the cost; 0 when both vanish."""
        return self.gap / self.cost if self.cost > 0 else 0.0


def conformal_eigenmaps(
    X: ArrayLike, n_components: int, *, n_neighbors: int, n_eigenvectors: int = 10
) -> ConformalEigenmaps:
    """Map the smoothest n_eigenvectors coordinates of LLE so that angles between neighbours are kept best.

        zᵢ = L yᵢ,   yᵢ = entries i of the m bottom eigenvectors without the constant   (eq-conformal-map)
        min over L, s of 𝒟(L y, s)   subject to   tr(LᵀL) = 1                          (eq-conformal-problem)

    Without the constraint z = 0, s = 0 would be best (thm-conformal-trivial). z is defined up to a rotation.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates, at most n_eigenvectors
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected
    n_eigenvectors : how many smooth coordinates are mapped

    Returns
    -------
    ConformalEigenmaps
        embedding (N, d), cost and its gap, scales; transform, an approximation

    Cost
    ----
    That of lle for m eigenvectors, and a semidefinite program of m × m unknowns.

    Counterpart
    -----------
    None.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = dr.datasets.swiss_roll(60).X
    >>> dr.conformal_eigenmaps(X, 2, n_neighbors=6, n_eigenvectors=4).embedding.shape
    (60, 2)
    """
    samples = as_points(X, "X", min_rows=4)
    count = as_count(n_eigenvectors, "n_eigenvectors", high=min(len(samples) - 2, 40))
    dimension = as_count(n_components, "n_components", high=count)
    eigenvectors = lle(samples, count, n_neighbors=n_neighbors).embedding
    _, neighbors = nearest_neighbors(samples, n_neighbors)
    return conformal_map(eigenvectors, samples, dimension, neighbors=neighbors)


def conformal_map(
    eigenvectors: ArrayLike, X: ArrayLike, n_components: int, *, neighbors: ArrayLike
) -> ConformalEigenmaps:
    """Find the linear map of given smooth coordinates that keeps angles best: a small semidefinite program.

    𝒟(P) = svec(P)ᵀ A svec(P),   P = LᵀL ⪰ 0,   tr P = 1                           (eq-conformal-sdp)
    """
    Y, samples, around = _checked(eigenvectors, X, neighbors, "eigenvectors")
    _require_independent(Y)
    dimension = as_count(n_components, "n_components", high=Y.shape[1])
    A = conformal_quadratic(Y, samples, around)
    P, gap = minimise_on_spectraplex(A)
    eigenvalues, vectors = np.linalg.eigh(P)
    L = (vectors * np.sqrt(np.maximum(eigenvalues, 0)))[:, ::-1].T
    Z = (Y - Y.mean(axis=0)) @ L.T
    scales, cost = optimal_scales(Z, samples, around), conformal_cost(Z, samples, around)
    embedding = Z[:, :dimension].copy()
    return ConformalEigenmaps(embedding, Z, scales, cost, gap, P, Y, samples.copy(), around)


def conformal_cost(Z: ArrayLike, X: ArrayLike, neighbors: ArrayLike) -> float:
    """Return how badly Z keeps the angles of X between neighbours, with the best local scales.

        𝒟(z, s) = Σᵢ Σ_{j,k ∈ N(i)} (‖zⱼ − z_k‖² − sᵢ ‖xⱼ − x_k‖²)²                    (eq-conformal-cost)

    Zero exactly when every neighbourhood is a similar copy or has collapsed to a point. Scaling Z by c scales
    it by c⁴. The sum runs over ordered pairs, as in the notes: each pair of neighbours counts twice.
    """
    mapped, samples, around = _checked(Z, X, neighbors, "Z")
    a, b = _squared_lengths(mapped, around), _squared_lengths(samples, around)
    residuals = a - _best_scales(a, b)[:, None] * b
    return 2 * float((residuals**2).sum())


def optimal_scales(Z: ArrayLike, X: ArrayLike, neighbors: ArrayLike) -> Array:
    """Return the scale of squared lengths around each point that fits Z to X best.

        sᵢ = Σ ‖zⱼ − z_k‖² ‖xⱼ − x_k‖² / Σ ‖xⱼ − x_k‖⁴   over j, k ∈ N(i)               (eq-conformal-scales)

    A scale of squared lengths: stretching by 1.5 gives 2.25. Zero where all neighbours coincide.
    """
    mapped, samples, around = _checked(Z, X, neighbors, "Z")
    return _best_scales(_squared_lengths(mapped, around), _squared_lengths(samples, around))


def optimal_scale(mapped: ArrayLike, original: ArrayLike) -> float:
    """Return the s that minimises Σ (aₑ − s bₑ)² for squared lengths a after and b before the map."""
    a = as_vector(mapped, "mapped")
    b = as_vector(original, "original", length=len(a))
    if not (b > 0).any():
        raise ValueError("original must hold a positive squared length, got none")
    return float(_best_scales(a[None], b[None])[0])


def conformal_quadratic(Y: Array, X: Array, neighbors: Indices) -> Array:
    """Return A with 𝒟(L y) = svec(P)ᵀ A svec(P), P = LᵀL, the best scales put in.

    ‖L(yⱼ − y_k)‖² = svec((yⱼ − y_k)(yⱼ − y_k)ᵀ)·svec(P),  a vector a of them per point i
    residual of point i = a − b (b·a)/(b·b),   b = squared lengths of X             (eq-conformal-residual)
    """
    size = Y.shape[1] * (Y.shape[1] + 1) // 2
    A = np.zeros((size, size))
    for start in range(0, len(X), BLOCK):
        around = neighbors[start : start + BLOCK]
        features = _pair_features(Y, around)
        b = _squared_lengths(X, around)
        b /= np.maximum(np.sqrt((b**2).sum(axis=1, keepdims=True)), np.finfo(float).tiny)
        # project first, square later: the difference of two squares would cancel
        features -= b[:, :, None] * (b[:, None, :] @ features)
        rows = features.reshape(-1, size)
        A += 2 * (rows.T @ rows)
    return A


def _require_independent(Y: Array) -> None:
    """Refuse columns with a constant mixture: it would map all points to one, at no cost."""
    singular_values = np.linalg.svd(Y - Y.mean(axis=0), compute_uv=False)
    rank = int((singular_values > 1e-10 * singular_values[0]).sum())
    if rank < Y.shape[1]:
        raise ValueError(
            f"eigenvectors must have independent columns, also of constants, got rank {rank} of {Y.shape[1]}"
        )


def _pair_features(Y: Array, neighbors: Indices) -> Array:
    """Return svec((yⱼ − y_k)(yⱼ − y_k)ᵀ) for the pairs j < k of each row: (n, pairs, m(m+1)/2)."""
    j, k = np.triu_indices(neighbors.shape[1], 1)
    differences = Y[neighbors[:, j]] - Y[neighbors[:, k]]
    rows, columns = np.triu_indices(Y.shape[1])
    features: Array = differences[..., rows] * differences[..., columns]
    features *= np.where(rows == columns, 1.0, np.sqrt(2))
    return features


def _squared_lengths(points: Array, neighbors: Indices) -> Array:
    j, k = np.triu_indices(neighbors.shape[1], 1)
    squared: Array = ((points[neighbors[:, j]] - points[neighbors[:, k]]) ** 2).sum(axis=2)
    return squared


def _best_scales(a: Array, b: Array) -> Array:
    norms = (b**2).sum(axis=1)
    scales: Array = (a * b).sum(axis=1) / np.where(norms > 0, norms, 1.0)
    return scales


def _checked(Z: ArrayLike, X: ArrayLike, neighbors: ArrayLike, name: str) -> tuple[Array, Array, Indices]:
    mapped, samples, around = (
        as_matrix(Z, name),
        as_points(X, "X", min_rows=3),
        as_real(neighbors, "neighbors"),
    )
    if len(mapped) != len(samples):
        raise ValueError(f"{name} must have {len(samples)} rows like X, got {len(mapped)}")
    if around.ndim != 2 or len(around) != len(samples) or around.dtype.kind not in "iu":
        raise ValueError(
            f"neighbors must hold {len(samples)} rows of indices, got {around.dtype} of shape {around.shape}"
        )
    if around.shape[1] < 2:
        raise ValueError(f"neighbors must have at least 2 columns to form a triangle, got {around.shape[1]}")
    if around.min() < 0 or around.max() >= len(samples):
        raise ValueError(
            f"neighbors must lie between 0 and {len(samples) - 1}, got {around.min()} … {around.max()}"
        )
    return mapped, samples, around.astype(np.intp)
