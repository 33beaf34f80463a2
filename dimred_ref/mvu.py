"""Maximum variance unfolding: pull the points as far apart as the lengths of the neighbour edges allow."""

import warnings
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_count, as_points
from dimred_ref._fast.inertia import second_eigenvalue_at_least
from dimred_ref._fast.unfolding import unfold
from dimred_ref._mvu_certificate import (
    MVUCertificate,
    certify_gram,
    certify_mvu,
    largest_feasible_scale,
    squared_edge_lengths,
)
from dimred_ref._mvu_exact import exact_solution
from dimred_ref._mvu_graph import (
    Indices,
    MergedGraph,
    checked_edges,
    checked_squared_lengths,
    edge_lengths,
    merged_graph,
    require_connected_edges,
)
from dimred_ref._mvu_landmarks import (
    geodesic_bound,
    mean_geodesic_bound,
    mixing_matrix,
    spread_landmarks,
    unfold_landmarks,
    weighted_basis,
)
from dimred_ref._result import Result
from dimred_ref.classical_mds import double_centred
from dimred_ref.graph import knn_graph, require_connected
from dimred_ref.lle import weights_of_new

__all__ = [
    "MVU",
    "ExactMVU",
    "LandmarkMVU",
    "MVUCertificate",
    "certify_gram",
    "certify_mvu",
    "exact_mvu_small",
    "landmark_mvu",
    "mvu",
    "mvu_on_graph",
    "neighbor_edges",
    "squared_edge_lengths",
]

EXACT_LIMIT = 60  # points; the exact form is for demonstrations
ALL_PATHS = 4000  # points up to which all distances along the graph are worth a second bound


@dataclass(frozen=True, eq=False, repr=False)
class MVU(Result):
    """An unfolding and the proof that none is wider. Its Gram matrix is factor @ factor.T."""

    embedding: Array  # (N, d) the leading columns of factor
    factor: Array  # (N, r) centred coordinates along principal axes, widest first
    eigenvalues: Array  # (r,) of the Gram matrix, descending
    edges: Indices  # (m, 2)
    multipliers: Array  # (m,) zero on slack edges and on edges of length 0
    certificate: MVUCertificate  # of factor: the embedding shows only its leading columns
    X: Array | None = None  # (N, D), the training points; None for a graph without points
    n_neighbors: int | None = None

    def transform(self, new: ArrayLike) -> Array:
        """Place new points as they are mixed from their nearest training points: an approximation.

            y = Σⱼ wⱼ yⱼ,   w the weights of LLE        (eq-lle-local-gram)

        The program knows only the points it was solved for. Where the data are nearly flat within a
        neighbourhood, so that the weights reconstruct x, they reconstruct its place in the unfolding as well.
        """
        return _mixed(self, new)

    @property
    def dimension(self) -> int:
        """The numerical rank of the Gram matrix: eigenvalues above a millionth of their sum."""
        return int((self.eigenvalues > 1e-6 * self.eigenvalues.sum()).sum())


@dataclass(frozen=True, eq=False, repr=False)
class LandmarkMVU(Result):
    """The widest unfolding among mixtures of landmarks, and how far from the widest of all it can be."""

    embedding: Array  # (N, d)
    factor: Array  # (N, r)
    eigenvalues: Array  # (r,)
    landmarks: Indices  # (m,)
    landmark_gap: float  # verified gap within the mixtures of these landmarks
    certificate: MVUCertificate  # against all unfoldings: gap is how much wider another one might be
    X: Array  # (N, D), the training points
    n_neighbors: int

    def transform(self, new: ArrayLike) -> Array:
        """Place new points as MVU does: mixed from their nearest training points, an approximation."""
        return _mixed(self, new)


@dataclass(frozen=True, eq=False, repr=False)
class ExactMVU(Result):
    """An unfolding that keeps every edge, up to max_deviation, with multipliers of either sign."""

    embedding: Array  # (N, d)
    factor: Array  # (N, r)
    eigenvalues: Array  # (r,)
    multipliers: Array  # (m,)
    objective: float  # tr K
    max_deviation: float  # largest |‖yᵢ − yⱼ‖² − dᵢⱼ²|, relative to the mean of dᵢⱼ²
    upper_bound: float  # by weak duality with these multipliers


def mvu(X: ArrayLike, n_components: int, *, n_neighbors: int) -> MVU:
    """Unfold X: nearest-neighbour edges, the widest Gram matrix they allow, its principal coordinates.

    The three steps of the lecture notes (alg-mvu-steps); the middle one is mvu_on_graph. Sparse graphs let the
    sheet narrow where neighbours are missing: prefer n_neighbors of ten or so.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected

    Returns
    -------
    MVU
        embedding (N, d), factor, eigenvalues, certificate; transform, an approximation

    Cost
    ----
    A semidefinite program, solved step by step without a bound on the number of steps; the certificate says
    how near to the optimum it stopped.

    Counterpart
    -----------
    None.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> fit = dr.mvu([[0, 0], [1, 0], [1, 1], [2, 1]], 1, n_neighbors=1)
    >>> fit.embedding.shape
    (4, 1)
    """
    samples = as_points(X, "X", min_rows=3)
    edges, squared_lengths = neighbor_edges(samples, n_neighbors)
    fit = mvu_on_graph(edges, squared_lengths, n_components, n_points=len(samples))
    return replace(fit, X=samples.copy(), n_neighbors=int(n_neighbors))


def neighbor_edges(X: ArrayLike, n_neighbors: int) -> tuple[Indices, Array]:
    """Return the edges i < j of the neighbourhood graph of X and their squared lengths."""
    samples = as_points(X, "X", min_rows=3)
    graph = knn_graph(samples, n_neighbors)
    require_connected(graph)
    # by position and not by scipy.sparse.triu, which would drop the edges of length zero
    ends = np.repeat(np.arange(len(samples)), np.diff(graph.indptr)), graph.indices
    once = ends[0] < ends[1]
    edges = np.column_stack([end[once] for end in ends]).astype(np.intp)
    return edges, squared_edge_lengths(samples, edges)


def mvu_on_graph(edges: ArrayLike, squared_lengths: ArrayLike, n_components: int, *, n_points: int) -> MVU:
    """Unfold a connected graph whose edges may shrink but not grow.

        max tr K   over K ⪰ 0, K𝟏 = 0                                  (eq-mvu-program)
        Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ ≤ dᵢⱼ²   for every edge (i, j)                 (eq-mvu-inequality)
        min Σₑ wₑ dₑ²   over w ≥ 0, L(w) ⪰ I on 𝟏^⊥                     (eq-mvu-dual)
        y = rows of V √Λ,   K = V Λ Vᵀ                                  (eq-mvu-embedding)

    Keeping the lengths exactly (eq-mvu-equality) gives a program that in general has no interior
    and that solvers answer inconsistently; when every multiplier is positive no edge is slack and
    both programs have the same solution (thm-mvu-tight). The result is unique up to a rigid motion
    when K is. Where rounding spoils the bound of the multipliers (edges of very unlike lengths), the bound
    by distances along the graph is taken if it is better.
    """
    pairs, lengths = _checked_graph(edges, squared_lengths, n_points)
    dimension = as_count(n_components, "n_components", high=n_points - 1)
    graph = merged_graph(pairs, lengths, n_points)
    nodes, node_multipliers = _with_all_edges(graph, pairs) or unfold(graph)
    factor, eigenvalues = principal_coordinates(feasible_points(nodes, graph))
    multipliers = np.zeros(len(pairs))
    multipliers[graph.edge_of] = node_multipliers
    certificate = certify_mvu(factor, pairs, lengths, multipliers)
    if not certificate.proves_optimality() and n_points <= ALL_PATHS:
        certificate = _with_bound(certificate, mean_geodesic_bound(edge_lengths(pairs, lengths, n_points)))
    if not certificate.proves_optimality():
        warnings.warn(
            f"optimality is proved only to a gap of {certificate.gap:.2g}", RuntimeWarning, stacklevel=2
        )
    return MVU(leading_columns(factor, dimension), factor, eigenvalues, pairs, multipliers, certificate)


def landmark_mvu(X: ArrayLike, n_components: int, *, n_neighbors: int, n_landmarks: int) -> LandmarkMVU:
    """Unfold X among the mixtures of a few landmarks.

        Y = Q Y_L,   K = Q K_L Qᵀ,   K_L ⪰ 0 of size m × m                   (eq-mvu-landmarks)

    Fewer unknowns, and a narrower unfolding: the certificate compares it with a bound on all
    unfoldings, the better of weak duality and of distances along the graph (thm-mvu-geodesic-bound).

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected
    n_landmarks : how many points all others are mixed from

    Returns
    -------
    LandmarkMVU
        embedding (N, d), factor, certificate with its gap; transform, an approximation

    Cost
    ----
    As mvu, with a matrix of m × m unknowns for m landmarks in the place of N × N.

    Counterpart
    -----------
    None.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [1, 0], [2, 0.1], [3, 0.3], [4, 0.6], [5, 1]]
    >>> dr.landmark_mvu(X, 1, n_neighbors=2, n_landmarks=3).embedding.shape
    (6, 1)
    """
    samples = as_points(X, "X", min_rows=4)
    dimension = as_count(n_components, "n_components", high=len(samples) - 1)
    count = as_count(n_landmarks, "n_landmarks", low=dimension + 1, high=len(samples))
    edges, lengths = neighbor_edges(samples, n_neighbors)
    graph = merged_graph(edges, lengths, len(samples))
    landmarks = spread_landmarks(samples, count)
    basis = weighted_basis(graph, mixing_matrix(samples, landmarks, n_neighbors))
    nodes, node_multipliers, gap = unfold_landmarks(graph, basis)
    factor, eigenvalues = principal_coordinates(feasible_points(nodes, graph))
    multipliers = np.zeros(len(edges))
    multipliers[graph.edge_of] = node_multipliers
    sources = np.append(landmarks, (factor**2).sum(axis=1).argmin())
    along_graph = geodesic_bound(graph, graph.node_of_point[sources])
    certificate = _with_bound(certify_mvu(factor, edges, lengths, multipliers), along_graph)
    embedding, kept = leading_columns(factor, dimension), (samples.copy(), int(n_neighbors))
    return LandmarkMVU(embedding, factor, eigenvalues, landmarks, gap, certificate, *kept)


def exact_mvu_small(
    edges: ArrayLike, squared_lengths: ArrayLike, n_components: int, *, n_points: int
) -> ExactMVU:
    """Unfold a graph of at most 60 points that keeps every edge exactly (eq-mvu-equality).

    For demonstrations: the program need not have an interior, and then the answer is good to a few
    digits only, which max_deviation and the distance of objective and upper_bound show.
    """
    pairs, lengths = _checked_graph(edges, squared_lengths, n_points)
    as_count(n_points, "n_points", low=2, high=EXACT_LIMIT)
    dimension = as_count(n_components, "n_components", high=n_points - 1)
    if not (lengths > 0).all():
        raise ValueError(f"squared_lengths must be positive for the exact form, got {lengths.min():.6g}")
    require_connected_edges(pairs, n_points)
    K, multipliers = exact_solution(pairs, lengths, n_points)
    eigenvalues, vectors = np.linalg.eigh(K)
    factor, eigenvalues = principal_coordinates(vectors * np.sqrt(np.maximum(eigenvalues, 0)))
    deviation = np.abs(squared_edge_lengths(factor, pairs) - lengths).max() / lengths.mean()
    bound = _bound_of_either_sign(pairs, lengths, multipliers, n_points)
    embedding = leading_columns(factor, dimension)
    objective = float(eigenvalues.sum())
    return ExactMVU(embedding, factor, eigenvalues, multipliers, objective, float(deviation), bound)


def _with_all_edges(graph: MergedGraph, edges: Indices) -> tuple[Array, Array] | None:
    """Return the points that have all these lengths, and equal multipliers; None unless there is an edge per pair.

    With all edges nothing can move (thm-mvu-complete), and w = 1/N proves it: L(w) = I − 𝟏𝟏ᵀ/N.
    """
    n_points, n_pairs = len(graph.node_of_point), len(edges)
    is_merged = len(graph.weights) < n_points
    if (
        is_merged
        or n_pairs != n_points * (n_points - 1) // 2
        or len(np.unique(np.sort(edges), axis=0)) < n_pairs
    ):
        return None
    squared = np.zeros((n_points, n_points))
    squared[graph.tails, graph.heads] = graph.squared_lengths
    eigenvalues, vectors = np.linalg.eigh(double_centred(squared + squared.T))
    if eigenvalues[0] < -1e-12 * eigenvalues[-1]:  # no points have these lengths: some edge will shrink
        return None
    return vectors * np.sqrt(np.maximum(eigenvalues, 0)), np.full(n_pairs, 1 / n_points)


def _mixed(fit: MVU | LandmarkMVU, new: ArrayLike) -> Array:
    if fit.X is None or fit.n_neighbors is None:
        raise ValueError("new points can be placed after mvu(X, …), got a fit of a graph without points")
    return np.asarray(weights_of_new(fit.X, new, fit.n_neighbors) @ fit.embedding)


def _checked_graph(edges: ArrayLike, squared_lengths: ArrayLike, n_points: int) -> tuple[Indices, Array]:
    count = as_count(n_points, "n_points", low=2, high=10**9)
    pairs = checked_edges(edges, count)
    return pairs, checked_squared_lengths(squared_lengths, len(pairs))


def _with_bound(certificate: MVUCertificate, bound: float) -> MVUCertificate:
    upper = min(certificate.upper_bound, bound)
    return replace(certificate, upper_bound=upper, gap=upper / certificate.lower_bound - 1)


def _bound_of_either_sign(edges: Indices, lengths: Array, multipliers: Array, n_points: int) -> float:
    """Return Σ wₑ dₑ² / λ₂(L(w)): with equal lengths weak duality needs no sign of w."""
    B = np.eye(n_points)[edges[:, 0]] - np.eye(n_points)[edges[:, 1]]
    connectivity = second_eigenvalue_at_least(scipy.sparse.csc_array((B.T * multipliers) @ B))
    return float(multipliers @ lengths) / connectivity if connectivity > 0 else np.inf


def feasible_points(nodes: Array, graph: MergedGraph) -> Array:
    """Shrink the nodes until every edge is short enough and give each point its node's place."""
    scale = largest_feasible_scale(nodes, graph)
    points = scale * nodes[graph.node_of_point]
    centred: Array = points - points.mean(axis=0)
    return centred


def principal_coordinates(points: Array) -> tuple[Array, Array]:
    """Rotate centred points to their principal axes; return them and the eigenvalues of their Gram matrix."""
    _, singular_values, rotation = np.linalg.svd(points, full_matrices=False)
    return points @ rotation.T, singular_values**2


def leading_columns(factor: Array, count: int) -> Array:
    """Return the first columns of factor; beyond its rank the points have coordinate 0."""
    missing = max(count - factor.shape[1], 0)
    return np.pad(factor[:, :count], ((0, 0), (0, missing)))
