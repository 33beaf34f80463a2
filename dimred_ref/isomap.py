"""Isomap: unroll a manifold by measuring distances along it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from dimred_ref._arrays import (
    Array,
    as_count,
    as_generator,
    as_indices,
    as_matrix,
    as_points,
    as_square,
    as_vector,
)
from dimred_ref._result import Result
from dimred_ref.classical_mds import ClassicalMDS, classical_mds, classical_mds_of_squared, extend
from dimred_ref.graph import (
    Indices,
    dijkstra_paths,
    eliminated_paths,
    knn_graph,
    nearest_training_points,
    require_connected,
)
from dimred_ref.quality import residual_variance

ENTRIES = 1 << 17  # path lengths of new points at a time: they stay in the cache


@dataclass(frozen=True, eq=False, repr=False)
class Isomap(Result):
    """The unrolled points, and what it takes to place new ones beside them."""

    embedding: Array  # (N, d)
    eigenvalues: Array  # (d,), descending, all positive
    mds: ClassicalMDS  # how well the coordinates express the geodesics: trace, strain, negative mass
    graph: csr_array  # (N, N), edge lengths
    X: Array  # (N, D), the training points
    n_neighbors: int
    geodesics: Array | None = None  # (N, N), path lengths between the rows of order; transform needs them
    order: Indices | None = None  # (N,), the points in the order of geodesics

    def transform(self, new: ArrayLike) -> Array:
        """Place new points: a path from a new point starts with a step to one of its neighbours.

        Δ(x, i) = min ‖x − xⱼ‖ + Δⱼᵢ over the n_neighbors training points j nearest to x  (eq-isomap-new-geodesic)

        then as in eq-classical-mds-extension. A training point is put where it was. The path lengths are
        those of the fit; dataclasses.replace(fit, geodesics=None) forgets them, and each call runs Dijkstra.
        """
        steps, indices = nearest_training_points(self.X, new, self.n_neighbors)
        if self.geodesics is None or self.order is None:
            sources, inverse = np.unique(indices, return_inverse=True)
            paths = dijkstra_paths(self.graph, sources)
            return _extended(self.mds, steps, inverse.reshape(indices.shape), paths)
        place = np.empty_like(self.order)
        place[self.order] = np.arange(len(place))
        return _extended(_reordered(self.mds, self.order), steps, place[indices], self.geodesics)


@dataclass(frozen=True, eq=False, repr=False)
class LandmarkIsomap(Result):
    """Isomap from the geodesics of a few landmarks.

    How far it is from the full answer shows in two numbers. The strain is what classical scaling of
    the landmarks alone leaves unexplained. The stress compares all geodesics that were computed, from every
    landmark to every point, with the distances in the embedding; the same number for the full
    embedding is stress(distances, embedding, landmarks).
    """

    embedding: Array  # (N, d)
    eigenvalues: Array  # (d,), of the Gram matrix of the landmarks
    landmarks: Indices  # (m,)
    strain: float  # ‖G − YYᵀ‖² over the landmarks
    stress: float  # √(Σ (‖yₗ − yᵢ‖ − Δₗᵢ)² / Σ Δₗᵢ²) over landmarks l and all points i
    mds: ClassicalMDS  # of the landmarks
    geodesics: Array  # (m, N), from the landmarks to all points
    X: Array  # (N, D), the training points
    n_neighbors: int

    def transform(self, new: ArrayLike) -> Array:
        """Place new points by their path lengths to the landmarks, as all points were (eq-isomap-new-geodesic)."""
        steps, indices = nearest_training_points(self.X, new, self.n_neighbors)
        return _extended(self.mds, steps, indices, self.geodesics.T)


def isomap(X: ArrayLike, n_components: int, *, n_neighbors: int) -> Isomap:
    """Embed X so that straight distances in the plane match path lengths along the data.

    ℓᵢⱼ = ‖xᵢ − xⱼ‖ on the edges of the neighbourhood graph                     (eq-isomap-graph)
    Δᵢⱼ = length of the shortest path from i to j, an estimate of the geodesic   (eq-isomap-geodesic)
    Y   = classical scaling of Δ                                                (eq-isomap-embedding)

    The graph must be connected. Path lengths need not be Euclidean distances: negative eigenvalues are
    left out and counted in the strain.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected

    Returns
    -------
    Isomap
        embedding (N, d), eigenvalues, mds, graph, geodesics; transform

    Cost
    ----
    At most O(N² D) time for neighbours, O(N² (k + log N)) for paths and O(N³) for the eigenvectors; O(N²)
    memory.

    Counterpart
    -----------
    sklearn.manifold.Isomap.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [1, 0], [2, 0], [3, 0]]
    >>> fit = dr.isomap(X, 1, n_neighbors=1)
    >>> abs(fit.embedding[3] - fit.embedding[0]).round(6).tolist()
    [3.0]
    """
    X = as_points(X, "X", min_rows=3)
    n_components = as_count(n_components, "n_components", high=len(X) - 1)
    graph = knn_graph(X, n_neighbors)
    require_connected(graph)
    squared, position = eliminated_paths(graph)
    np.square(squared, out=squared)  # in place: this N × N array is the only one
    mds = _reordered(classical_mds_of_squared(squared, n_components), position)
    kept = {"geodesics": np.sqrt(squared, out=squared), "order": np.argsort(position)}
    return Isomap(mds.embedding, mds.eigenvalues, mds, graph, X.copy(), int(n_neighbors), **kept)


def transform(model: Isomap, new: ArrayLike) -> Array:
    """Place new points beside those of the model: model.transform(new)."""
    return model.transform(new)


def geodesics_of_new(steps: Array, indices: Indices, paths: Array) -> Array:
    """Return the least of steps + paths over the neighbours of each new point (eq-isomap-new-geodesic).

    A row of paths holds the lengths from one training point; steps and indices have a row per new point.
    """
    shortest = steps[:, :1] + paths[indices[:, 0]]
    for step, index in zip(steps.T[1:], indices.T[1:], strict=True):
        through = paths[index]
        through += step[:, None]
        np.minimum(shortest, through, out=shortest)
    return np.asarray(shortest)


def landmark_isomap(
    X: ArrayLike, n_components: int, *, n_neighbors: int, n_landmarks: int, seed: int = 0
) -> LandmarkIsomap:
    """Run classical scaling on n_landmarks random points, then place all by their geodesics to them.

    Geodesics from the landmarks still run through the graph of ALL points; a graph of the landmarks alone
    would cut corners. With every point a landmark the answer is that of isomap.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates, less than n_landmarks
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected
    n_landmarks : how many points are landmarks, drawn at random
    seed : of the draw

    Returns
    -------
    LandmarkIsomap
        embedding (N, d), landmarks, and how good it is: strain, stress; transform

    Cost
    ----
    O(m N (k + log N)) time for the paths of m landmarks and at most O(m³) for their eigenvectors; O(N m)
    memory.

    Counterpart
    -----------
    None.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [1, 0], [2, 0], [3, 0]]
    >>> dr.landmark_isomap(X, 1, n_neighbors=1, n_landmarks=3).embedding.shape
    (4, 1)
    """
    X = as_points(X, "X", min_rows=3)
    n_landmarks = as_count(n_landmarks, "n_landmarks", low=2, high=len(X))
    n_components = as_count(n_components, "n_components", high=n_landmarks - 1)
    graph = knn_graph(X, n_neighbors)
    require_connected(graph)
    landmarks = np.sort(as_generator(seed).choice(len(X), n_landmarks, replace=False))
    geodesics = dijkstra_paths(graph, landmarks)
    mds = classical_mds(geodesics[:, landmarks], n_components)
    embedding = extend(mds, geodesics.T)
    stress_of_all = _stress(geodesics, embedding, landmarks)
    kept = (mds, geodesics, X.copy(), int(n_neighbors))
    return LandmarkIsomap(embedding, mds.eigenvalues, landmarks, mds.strain, stress_of_all, *kept)


def stress(distances: ArrayLike, embedding: ArrayLike, landmarks: ArrayLike) -> float:
    """Return √(Σ (‖yₗ − yᵢ‖ − Δₗᵢ)² / Σ Δₗᵢ²) over the given rows l and all points i (eq-isomap-stress)."""
    table, Y = as_square(as_points(distances, "distances"), "distances"), as_points(embedding, "embedding")
    rows = as_indices(landmarks, "landmarks", size=len(table))
    if not table[rows].any():
        raise ValueError("distances must not all be zero in the rows of the landmarks")
    return _stress(table[rows], Y, rows)


def residual_variances(distances: ArrayLike, embedding: ArrayLike) -> Array:
    """Return the residual variance of the first 1, 2, … coordinates: it stops falling at the dimension."""
    Y = as_matrix(embedding, "embedding")
    return np.array([residual_variance(distances, Y[:, :d]) for d in range(1, Y.shape[1] + 1)])


def dimension_by_gap(eigenvalues: ArrayLike) -> int:
    """Return the d with the largest ratio λ_d / λ_{d+1}: what comes after it is noise (eq-isomap-gap).

    Parameters
    ----------
    eigenvalues : at least 2, positive and descending

    Returns
    -------
    int

    Cost
    ----
    O(N) time for N eigenvalues.

    Counterpart
    -----------
    None.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.dimension_by_gap([9.0, 8.0, 0.1, 0.09])
    2
    """
    spectrum = as_vector(eigenvalues, "eigenvalues")
    if len(spectrum) < 2 or (spectrum <= 0).any() or (np.diff(spectrum) > 0).any():
        raise ValueError(
            f"eigenvalues must be at least 2 positive numbers in descending order, got {spectrum[:5].tolist()}"
        )
    return int(np.argmax(spectrum[:-1] / spectrum[1:])) + 1


def _extended(mds: ClassicalMDS, steps: Array, indices: Indices, paths: Array) -> Array:
    """Extend the model to new points, a few at a time: their path lengths need not be in memory together."""
    width = max(1, ENTRIES // paths.shape[1])
    parts = [slice(start, start + width) for start in range(0, len(steps), width)]
    return np.concatenate([extend(mds, geodesics_of_new(steps[p], indices[p], paths)) for p in parts])


def _reordered(mds: ClassicalMDS, position: Indices) -> ClassicalMDS:
    return ClassicalMDS(
        mds.embedding[position], mds.eigenvalues, mds.trace, mds.strain, mds.mean_squared_distances[position]
    )


def _stress(geodesics: Array, embedding: Array, landmarks: Indices) -> float:
    difference = cdist(embedding[landmarks], embedding) - geodesics
    return float(np.linalg.norm(difference) / np.linalg.norm(geodesics))
