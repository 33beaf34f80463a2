"""Is this unfolding as wide as any can be? A proof by weak duality, whoever made the unfolding.

Nothing here knows how a solution was found: points (or a Gram matrix) and multipliers go in,
two bounds on the best variance come out. It judges our solver and a student's alike.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.sparse
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_matrix, as_symmetric, as_vector
from dimred_ref._fast.inertia import second_eigenvalue_at_least
from dimred_ref._mvu_graph import (
    Indices,
    MergedGraph,
    checked_edges,
    checked_squared_lengths,
    merged_graph,
)
from dimred_ref._result import Result


@dataclass(frozen=True, eq=False, repr=False)
class MVUCertificate(Result):
    """Proven bounds of an unfolding: lower_bound ≤ best variance ≤ upper_bound."""

    objective: float  # tr K of the centred points as they were given
    max_violation: float  # largest ‖yᵢ − yⱼ‖² − dᵢⱼ² (0 if none), relative to the mean of dᵢⱼ²
    lower_bound: float  # tr K after shrinking the points until no edge is too long
    upper_bound: float  # no feasible K has a larger trace; inf if the multipliers prove nothing
    gap: float  # upper_bound / lower_bound − 1
    slack_edges: Indices  # edges that shrank by more than 1e-6 of their squared length

    def proves_optimality(self, *, gap: float = 1e-8, violation: float = 1e-9) -> bool:
        """Say whether the points are feasible and their variance is the largest, to these tolerances."""
        return self.max_violation <= violation and self.gap <= gap


def certify_mvu(
    points: ArrayLike, edges: ArrayLike, squared_lengths: ArrayLike, multipliers: ArrayLike
) -> MVUCertificate:
    """Bound the best variance from below by the points and from above by the multipliers.

        L(w) = Σₑ wₑ (eᵢ − eⱼ)(eᵢ − eⱼ)ᵀ,   w ≥ 0                            (eq-mvu-laplacian)
        λ₂(L(w)) tr K ≤ ⟨L(w), K⟩ = Σₑ wₑ (Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ) ≤ Σₑ wₑ dₑ²      (eq-mvu-weak-duality)
        tr K ≤ Σₑ wₑ dₑ² / λ₂(L(w))   for every feasible K                    (thm-mvu-certificate)

    The first step holds because K is positive semidefinite and K𝟏 = 0: it lives where
    L(w) ≥ λ₂. Any w ≥ 0 gives a true bound; the best one closes the gap. Use the upper bound
    of a reference solution to judge other points: by feasibility and variance, never by entries.
    """
    Y = as_matrix(points, "points", min_rows=2)
    pairs = checked_edges(edges, len(Y))
    lengths = checked_squared_lengths(squared_lengths, len(pairs))
    w = as_vector(multipliers, "multipliers", length=len(pairs))
    graph = merged_graph(pairs, lengths, len(Y))
    centred = Y - Y.mean(axis=0)
    stretched = squared_edge_lengths(centred, pairs)
    lower, upper = lower_bound(graph.node_means(centred), graph), upper_bound(w[graph.edge_of], graph)
    return MVUCertificate(
        objective=float((centred**2).sum()),
        max_violation=max(float((stretched - lengths).max()), 0.0) / float(lengths.mean()),
        lower_bound=lower,
        upper_bound=upper,
        gap=upper / lower - 1 if lower > 0 else np.inf,
        slack_edges=np.flatnonzero(stretched < (1 - 1e-6) * lengths),
    )


def certify_gram(
    K: ArrayLike, edges: ArrayLike, squared_lengths: ArrayLike, multipliers: ArrayLike
) -> MVUCertificate:
    """Certify a Gram matrix. It must be centred and positive semidefinite: a ValueError says how it is not.

    Negative eigenvalues and row sums up to 1e-6 of the trace pass (solvers leave them) and are removed
    before anything is measured, so the bounds stay true.
    """
    gram = as_symmetric(K, "K")
    trace = float(np.trace(gram))
    eigenvalues, vectors = scipy.linalg.eigh(gram)
    off_centre = float(np.abs(gram.sum(axis=1)).max())
    if eigenvalues[0] < -1e-6 * trace or trace <= 0:
        raise ValueError(
            f"K must be positive semidefinite with a positive trace, got smallest eigenvalue "
            f"{eigenvalues[0]:.6g}, trace {trace:.6g}"
        )
    if off_centre > 1e-6 * trace:
        raise ValueError(f"K must be centred (every row sums to 0), got a row sum of {off_centre:.6g}")
    points = vectors * np.sqrt(np.maximum(eigenvalues, 0))
    return certify_mvu(points, edges, squared_lengths, multipliers)


def squared_edge_lengths(points: Array, edges: Indices) -> Array:
    """Return ‖yᵢ − yⱼ‖² for every edge (i, j)."""
    squared: Array = ((points[edges[:, 0]] - points[edges[:, 1]]) ** 2).sum(axis=1)
    return squared


def largest_feasible_scale(nodes: Array, graph: MergedGraph) -> float:
    """Return the largest c ≤ 1 for which no edge of c · nodes is longer than it may be."""
    stretched = ((nodes[graph.tails] - nodes[graph.heads]) ** 2).sum(axis=1)
    too_long = stretched > graph.squared_lengths
    return float(np.sqrt((graph.squared_lengths[too_long] / stretched[too_long]).min(initial=1.0)))


def lower_bound(nodes: Array, graph: MergedGraph) -> float:
    """Return the variance of a feasible embedding: the centred nodes, shrunk until no edge is too long."""
    scale = largest_feasible_scale(nodes, graph)
    return scale**2 * float(graph.weights @ (nodes**2).sum(axis=1))


def upper_bound(multipliers: Array, graph: MergedGraph) -> float:
    """Return Σ wₑ dₑ² / λ₂, or infinity when a multiplier is negative or λ₂ is not proved positive.

    Points of a node may lie up to its radius ρ from their mean. The means keep edges to dₑ + ρᵢ + ρⱼ, and
    the variance within the nodes is at most Σ pᵢ ρᵢ²: both are added, and vanish for exact copies.
    """
    if (multipliers < 0).any():
        return float(np.inf)
    B = graph.differences()
    # a node that weighs p stands for p points: in coordinates √p · y the objective is the plain trace again
    per_root_weight = scipy.sparse.diags_array(1 / np.sqrt(graph.weights))
    scaled = B @ per_root_weight
    connectivity = second_eigenvalue_at_least(
        (scaled.T @ scipy.sparse.diags_array(multipliers) @ scaled).tocsc()
    )
    if not connectivity > 0:
        return float(np.inf)
    between = (np.sqrt(graph.squared_lengths) + graph.radii[graph.tails] + graph.radii[graph.heads]) ** 2
    return float(multipliers @ between) / connectivity + float(graph.weights @ graph.radii**2)
