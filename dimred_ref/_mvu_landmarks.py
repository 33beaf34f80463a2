"""Landmark maximum variance unfolding: every point is a fixed mixture of a few, so few unknowns remain."""

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from scipy.sparse.linalg import splu

from dimred_ref._arrays import Array
from dimred_ref._fast.interior_point import Iterate, Solve, predictor_corrector, starting_point
from dimred_ref._fast.unfolding import geodesic_start
from dimred_ref._mvu_certificate import lower_bound
from dimred_ref._mvu_graph import Indices, MergedGraph
from dimred_ref.graph import nearest_neighbors
from dimred_ref.lle import lle_matrix, lle_weights


class LandmarkSystem:
    """The Newton system of Y = Z A with a fixed basis Z of a few columns: small and dense."""

    def __init__(self, graph: MergedGraph, basis: Array) -> None:
        """Take a basis that is orthonormal under the node weights: then Σ pᵢ‖yᵢ‖² = ‖A‖²."""
        self.unit = float(graph.squared_lengths.mean())
        self.squared_lengths = graph.squared_lengths / self.unit
        self.differences = basis[graph.tails] - basis[graph.heads]
        self.weights = np.ones(basis.shape[1])

    def centred(self, Y: Array) -> Array:
        """Leave Y as it is: the basis is centred, translations cannot happen."""
        return Y

    def factor(self, blocks: Array, shift: float) -> Solve | None:
        """Factor the shifted Newton matrix, or None if it is not positive definite."""
        q, r = self.differences.shape[1], blocks.shape[1]
        matrix = np.empty((q, r, q, r))
        for i, j in np.ndindex(r, r):
            matrix[:, i, :, j] = (self.differences * blocks[:, i, j, None]).T @ self.differences
        square = matrix.reshape(q * r, q * r)
        square[np.diag_indices(q * r)] -= 1 - shift
        try:
            factor = scipy.linalg.cho_factor(square)
        except np.linalg.LinAlgError:
            return None
        return lambda right: scipy.linalg.cho_solve(factor, right.ravel()).reshape(q, r)

    def upper_bound(self, multipliers: Array) -> float:
        """Bound ‖A‖² over all A (thm-mvu-certificate, with the landmark Laplacian Zᵀ L(w) Z)."""
        L = (self.differences * multipliers[:, None]).T @ self.differences
        smallest = scipy.linalg.eigvalsh(L, subset_by_index=[0, 0])[0]
        return float(multipliers @ self.squared_lengths / smallest) if smallest > 0 else np.inf


def mixing_matrix(X: Array, landmarks: Indices, n_neighbors: int) -> Array:
    """Return Q (N × m) that mixes every point from the landmarks with the weights of LLE.

    Q_L = I,   Q_U = −M_UU⁻¹ M_UL,   M = (I − W)ᵀ(I − W)                (eq-mvu-landmark-mixing)
    """
    M = lle_matrix(lle_weights(X, nearest_neighbors(X, n_neighbors)[1]))
    others = np.setdiff1d(np.arange(len(X)), landmarks)
    Q = np.zeros((len(X), len(landmarks)))
    Q[landmarks] = np.eye(len(landmarks))
    if len(others):
        Q[others] = -splu(M[others][:, others].tocsc()).solve(M[others][:, landmarks].toarray())
    return Q


def spread_landmarks(X: Array, count: int) -> Indices:
    """Choose landmarks far from each other: each next one is the point farthest from those chosen."""
    chosen = [int(((X - X.mean(axis=0)) ** 2).sum(axis=1).argmin())]
    nearest = np.full(len(X), np.inf)
    while len(chosen) < count:
        nearest = np.minimum(nearest, ((X - X[chosen[-1]]) ** 2).sum(axis=1))
        chosen.append(int(nearest.argmax()))
    return np.array(sorted(chosen), dtype=np.intp)


def weighted_basis(graph: MergedGraph, Q: Array) -> Array:
    """Return columns that span the centred mixtures and are orthonormal under the node weights."""
    root_weights = np.sqrt(graph.weights)[:, None]
    U, singular_values, _ = np.linalg.svd(root_weights * graph.node_means(Q), full_matrices=False)
    return U[:, singular_values > 1e-9 * singular_values[0]] / root_weights


def unfold_landmarks(graph: MergedGraph, basis: Array) -> tuple[Array, Array, float]:
    """Return the widest nodes in the span of the basis, their multipliers, and the verified gap there."""
    system, q = LandmarkSystem(graph, basis), basis.shape[1]
    connectivity = scipy.linalg.eigvalsh(system.differences.T @ system.differences, subset_by_index=[0, 0])[0]

    def gap(at: Iterate) -> float:
        feasible = lower_bound(np.sqrt(system.unit) * basis @ at.Y, graph) / system.unit
        return system.upper_bound(at.multipliers) / max(feasible, 1e-300) - 1

    onto_basis = (graph.weights[:, None] * basis).T / np.sqrt(system.unit)
    for rank in sorted({min(4, q), min(9, q), q}):
        start = starting_point(system, onto_basis @ geodesic_start(graph, rank), 2 / connectivity)
        at = predictor_corrector(system, start, lambda at: gap(at) <= 1e-8, max_steps=200)
        if gap(at) <= 1e-6:
            break
    return basis @ at.Y * np.sqrt(system.unit), at.multipliers, gap(at)


def geodesic_bound(graph: MergedGraph, sources: ArrayLike) -> float:
    """Return the least Σᵢ g(i, s)² over the sources, with g the distance along the graph.

        tr K = Σᵢ ‖yᵢ‖² ≤ Σᵢ ‖yᵢ − yₛ‖² ≤ Σᵢ g(i, s)²                     (thm-mvu-geodesic-bound)

    Variance is least about the mean, and no edge of a path may grow. A source in the middle of the
    unfolded graph makes both steps nearly equalities.
    """
    lengths: csr_array = graph.lengths_between_nodes()
    distances = dijkstra(lengths, directed=False, indices=np.unique(sources))
    return float((distances**2 @ graph.weights).min())


def mean_geodesic_bound(graph: csr_array) -> float:
    """Return Σᵢⱼ g(i, j)² / 2N, with g the distance along the graph: exact where the graph is a line.

    tr K = Σᵢⱼ ‖yᵢ − yⱼ‖² / 2N for centred points, and no edge of a path may grow (thm-mvu-geodesic-bound).
    """
    paths: Array = dijkstra(graph, directed=False)
    return float((paths**2).sum()) / (2 * len(paths))
