"""Locally linear embedding: keep how each point is mixed from its neighbours."""

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import ArrayLike
from scipy.sparse import csc_array, csr_array, diags_array, eye_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import SuperLU, splu

from dimred_ref._arrays import Array, as_count, as_indices, as_matrix, as_points, as_positive, as_sparse
from dimred_ref._eigen import with_fixed_signs
from dimred_ref._fast.dissection import dissection_order
from dimred_ref._fast.filtered import is_wide
from dimred_ref._fast.lanczos import DENSE_SIZE, LinearMap, largest_eigenpairs
from dimred_ref._result import Result
from dimred_ref.graph import nearest_neighbors, nearest_training_points, require_apart, require_connected

BLOCK = 128  # points whose neighbourhoods are in memory at once
WIDE = 1000  # points of the widest layer of a graph: with more, nested dissection fills in less than
MINIMUM_DEGREE = "MMD_AT_PLUS_A"


@dataclass(frozen=True, eq=False, repr=False)
class LLE(Result):
    """Coordinates with mean 0 and covariance I that the weights of the data reconstruct best."""

    embedding: Array  # (N, d), YᵀY = N I
    eigenvalues: Array  # (d,), ascending: the bottom of M without the 0 of the constant vector
    weights: csr_array  # (N, N), rows sum to 1
    cost: float  # Ψ(Y) = Σᵢ ‖yᵢ − Σⱼ wᵢⱼ yⱼ‖² = N Σ λ
    X: Array | None  # (N, D), the training points; None for a table of distances
    n_neighbors: int
    regularisation: float

    def transform(self, new: ArrayLike) -> Array:
        """Place new points as they are mixed from their nearest training points.

            y = Σⱼ wⱼ yⱼ,   w from eq-lle-local-gram with the neighbours of x

        A training point is put where it was. The embedding of all points together would be a little different.
        """
        if self.X is None:
            raise ValueError(
                "new points need training points, and this map was made from a table of distances"
            )
        weights = weights_of_new(self.X, new, self.n_neighbors, self.regularisation)
        return np.asarray(weights @ self.embedding)


def lle(X: ArrayLike, n_components: int, *, n_neighbors: int, regularisation: float = 1e-3) -> LLE:
    """Embed X so that each point is mixed from its neighbours as it was in the data.

    min Φ(W) = Σᵢ ‖xᵢ − Σⱼ wᵢⱼ xⱼ‖²,   Σⱼ wᵢⱼ = 1, wᵢⱼ = 0 off the neighbours   (eq-lle-weights)
    min Ψ(Y) = Σᵢ ‖yᵢ − Σⱼ wᵢⱼ yⱼ‖² = tr(Yᵀ M Y),   M = (I − W)ᵀ(I − W)         (eq-lle-cost)
    subject to Σᵢ yᵢ = 0,   YᵀY / N = I                                        (eq-lle-constraints)

    The answer is √N times the eigenvectors of M for its smallest eigenvalues, without the constant one:
    M 1 = 0 because each row of W sums to 1. The neighbourhood graph must be connected, and its points
    must not fall into groups that use only each other: each such group would add another 0.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates, at most N − 2
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected
    regularisation : added to the local Gram matrices, as a part of their trace

    Returns
    -------
    LLE
        embedding (N, d), eigenvalues, weights (N, N), cost; transform

    Cost
    ----
    At most O(N² D) time for neighbours, O(N k² (D + k)) for weights, and a sparse eigenproblem; O(N k²)
    memory.

    Counterpart
    -----------
    sklearn.manifold.LocallyLinearEmbedding.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [1, 0.1], [2, 0], [3, 0.1], [4, 0], [5, 0.1]]
    >>> dr.lle(X, 1, n_neighbors=2).embedding.shape
    (6, 1)
    """
    X = as_points(X, "X", min_rows=3)
    n_components = as_count(n_components, "n_components", high=len(X) - 2)
    distances, neighbors = nearest_neighbors(X, n_neighbors)
    weights = lle_weights(X, neighbors, regularisation)
    require_connected_weights(weights)
    require_apart(distances)
    eigenvalues, vectors = bottom_of_weights(weights, n_components, X)
    size = len(X)
    cost = size * float(eigenvalues.sum())
    embedding = vectors * np.sqrt(size)
    return LLE(embedding, eigenvalues, weights, cost, X.copy(), int(n_neighbors), float(regularisation))


def lle_weights(X: ArrayLike, neighbors: ArrayLike, regularisation: float = 1e-3) -> csr_array:
    """Return the weights that mix each point best from its neighbours.

    C_ab = (xᵢ − xₐ)·(xᵢ − x_b),   C w = 1,   then w / Σ w        (eq-lle-local-gram)

    With more neighbours than dimensions C is singular and many mixtures are perfect. Adding
    regularisation · tr(C) · I picks nearly the shortest if the factor is small, and keeps the weights blind to
    the scale of the data.
    """
    X = as_points(X, "X")
    regularisation = as_positive(regularisation, "regularisation", zero_allowed=True)
    neighbors = as_indices(neighbors, "neighbors", size=len(X), axes=2)
    size, width = neighbors.shape
    if size != len(X) or width == 0:
        raise ValueError(
            f"neighbors must have {len(X)} rows of at least 1 index, got shape {neighbors.shape}"
        )
    mixtures = np.empty((size, width))
    for start in range(0, size, BLOCK):
        block = slice(start, start + BLOCK)
        differences = X[neighbors[block]]
        differences -= X[block, None]
        mixtures[block] = mixtures_of_grams(differences @ differences.transpose(0, 2, 1), regularisation)
    starts = np.arange(0, size * width + 1, width)
    return csr_array((mixtures.ravel(), neighbors.ravel(), starts), shape=(size, size))


def weights_of_new(X: ArrayLike, new: ArrayLike, n_neighbors: int, regularisation: float = 1e-3) -> csr_array:
    """Return the weights that mix each new point best from its nearest training points, a row per new point.

    A new point that coincides with a training point is all of that one.
    """
    X = as_points(X, "X")
    regularisation = as_positive(regularisation, "regularisation", zero_allowed=True)
    distances, neighbors = nearest_training_points(X, new, n_neighbors)
    points = np.asarray(new, dtype=np.float64)
    mixtures = np.zeros(neighbors.shape)
    mixtures[:, 0] = 1.0
    apart = np.flatnonzero(distances[:, 0] > 0)
    for start in range(0, len(apart), BLOCK):
        block = apart[start : start + BLOCK]
        differences = X[neighbors[block]] - points[block, None]
        mixtures[block] = mixtures_of_grams(differences @ differences.transpose(0, 2, 1), regularisation)
    starts = np.arange(0, neighbors.size + 1, neighbors.shape[1])
    return csr_array((mixtures.ravel(), neighbors.ravel(), starts), shape=(len(points), len(X)))


def lle_matrix(weights: csr_array) -> csr_array:
    """Return M = (I − W)ᵀ(I − W) (eq-lle-cost)."""
    weights = as_sparse(weights, "weights")
    residual = eye_array(weights.shape[0]) - weights
    return csr_array(residual.T @ residual)


def reconstructed(weights: csr_array, landmarks: ArrayLike, values: ArrayLike) -> Array:
    """Return all points from the landmarks among them (rows of values), by the same weights.

    (I − W)_UU Y_U = W_UL Y_L   for the points U that are not landmarks L        (eq-lle-landmarks)

    Exact when the weights reconstruct every other point exactly.
    """
    weights = as_sparse(weights, "weights")
    known = as_matrix(values, "values")
    size = weights.shape[0]
    landmarks = as_indices(landmarks, "landmarks", size=size)
    if len(known) != len(landmarks):
        raise ValueError(f"values must have one row per landmark, {len(landmarks)}, got {len(known)}")
    others = np.setdiff1d(np.arange(size), landmarks)
    residual = csr_array(eye_array(size) - weights)[others]
    points = np.empty((size, known.shape[1]))
    points[landmarks] = known
    if len(others):
        factors = _factorised(
            residual[:, others], "landmarks must reach every other point through the weights"
        )
        points[others] = factors.solve(-(residual[:, landmarks] @ known))
    return points


def require_connected_weights(weights: csr_array) -> None:
    """Raise ValueError if several groups of points are mixed from their own members only.

    Then M has an eigenvalue 0 for each, and the bottom eigenvectors say who belongs where and no more.
    """
    count, labels = connected_components(weights, directed=True, connection="strong")
    row = np.repeat(labels, np.diff(weights.indptr))
    closed = np.setdiff1d(np.arange(count), row[row != labels[weights.indices]])
    if len(closed) > 1:
        require_connected(weights)
        sizes = ", ".join(str(np.count_nonzero(labels == group)) for group in closed[:10])
        raise ValueError(
            f"the points must not fall into groups that use no neighbours outside: got {len(closed)} "
            f"of sizes {sizes}; take more neighbours"
        )


def mixtures_of_grams(grams: Array, regularisation: float) -> Array:
    """Return weights with sum 1 from the Gram matrices of some neighbourhoods, which are overwritten."""
    width = grams.shape[1]
    traces = np.trace(grams, axis1=1, axis2=2)
    # when all neighbours are copies of the point, every mixture is perfect: take the even one
    ridge = np.where(traces > 0, regularisation * traces, 1.0)
    grams[:, np.arange(width), np.arange(width)] += ridge[:, None]
    mixtures = _solved(grams, regularisation)
    mixtures /= mixtures.sum(axis=1, keepdims=True)
    return mixtures


def _solved(grams: Array, regularisation: float) -> Array:
    ones = np.ones((*grams.shape[:2], 1))
    try:
        mixtures: Array = np.linalg.solve(grams, ones)[..., 0].astype(np.float64, copy=False)
        largest = np.abs(mixtures).max() * np.abs(grams).max()
    except np.linalg.LinAlgError:
        largest = np.inf
    if not np.isfinite(largest):
        raise ValueError(
            f"regularisation must be positive here, got {regularisation}: some points have neighbours that "
            "are not affinely independent, so their weights are not unique"
        )
    return mixtures


def bottom_of_weights(weights: csr_array, n_pairs: int, X: Array | None = None) -> tuple[Array, Array]:
    """Return the smallest eigenpairs of AᵀA for A = I − W, among the vectors that sum to 0."""
    size = weights.shape[0]
    residual = csr_array(eye_array(size) - weights)
    if size <= DENSE_SIZE:
        return _bottom_of_square(residual.toarray(), n_pairs)
    joined = csr_array(abs(residual) + abs(residual.T))
    if X is None or not is_wide(joined, WIDE):
        inverses, vectors = largest_eigenpairs(_inverse_of_square(residual), size, n_pairs)
        return 1 / inverses, vectors
    order = dissection_order(joined, X)
    inverse = _inverse_of_square(csr_array(residual[order][:, order]), "NATURAL")
    inverses, vectors = largest_eigenpairs(inverse, size, n_pairs)
    return 1 / inverses, vectors[np.argsort(order)]


def _bottom_of_square(A: Array, n_pairs: int) -> tuple[Array, Array]:
    """Return the same from the singular values of A, which keep the digits that AᵀA would lose.

    One more row, a multiple of 1ᵀ, moves the constant vector from 0 to the top, out of the way.
    """
    size = len(A)
    lifted = np.vstack([A, np.full(size, np.linalg.norm(A) / np.sqrt(size))])
    _, sigma, Vt = scipy.linalg.svd(lifted, full_matrices=False, check_finite=False)
    return sigma[: -n_pairs - 1 : -1] ** 2, with_fixed_signs(Vt[: -n_pairs - 1 : -1].T)


def _inverse_of_square(residual: csr_array, order: str = MINIMUM_DEGREE) -> LinearMap:
    """Return b ↦ (AᵀA)⁺ b for A = I − W through one sparse LU of A, without ever forming AᵀA.

    A is singular: A 1 = 0, and zᵀA = 0 for some z. Pinning one point p makes it regular,

    B = A + e_p e_pᵀ:   Bᵀu = b ⇒ Aᵀu = b when Σ b = 0,   B y = u ⇒ A y = u when z·u = 0   (eq-lle-pinned)

    so b goes to u, loses its part along z, goes to y and is centred. Also Bᵀz is a multiple of e_p.
    """
    size = residual.shape[0]
    pinned = np.zeros(size)
    pinned[_most_used_point(residual)] = 1.0
    factors = _factorised(
        residual + diags_array(pinned),
        "regularisation must be larger here: some embeddings that are not constant cost nothing, and tie",
        order,
    )
    left_null = factors.solve(pinned, "T")
    left_null /= np.linalg.norm(left_null)

    def apply(b: Array) -> Array:
        u = factors.solve(b - b.mean(), "T")
        u -= left_null * (left_null @ u)
        y = factors.solve(u)
        return np.asarray(y - y.mean())

    return apply


def _factorised(matrix: csr_array, complaint: str, order: str = MINIMUM_DEGREE) -> SuperLU:
    # 1 on the diagonal of I − W is mostly a good pivot: an order for symmetric matrices keeps the factors sparse
    symmetric: dict[str, object] = {"permc_spec": order, "options": {"SymmetricMode": True}}
    try:
        return splu(csc_array(matrix), diag_pivot_thresh=0.01, **symmetric)
    except RuntimeError as singular:
        raise ValueError(complaint) from singular


def _most_used_point(residual: csr_array) -> int:
    """Return a point that many are mixed from: z is 0 at a point that nobody uses, and no pin holds there."""
    return int(np.bincount(residual.indices, minlength=residual.shape[0]).argmax())
