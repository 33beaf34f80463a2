"""UMAP, with all pairs in place of sampled ones, so that no random numbers are needed."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import curve_fit
from scipy.sparse import csr_array
from scipy.spatial.distance import pdist, squareform

from dimred_ref._arrays import Array, as_count, as_points, as_positive
from dimred_ref._result import Result
from dimred_ref.graph import nearest_neighbors, require_apart
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph

BISECTIONS = 64  # halvings of an interval of widths: below the digits of a float
MAX_STEPS = 100_000
START_REACH = 10.0  # largest coordinate of the start, as in umap-learn
MAX_PUSH = 4.0  # length of the gradient of one point, as in umap-learn
N_NEGATIVE = 5  # repelled points per attracted one, as in umap-learn
SOFTENING = 1e-2  # added to squared distances on the map: the repulsion of coinciding points stays finite


@dataclass(frozen=True, eq=False, repr=False)
class UMAP(Result):
    """A map of a fuzzy neighbourhood graph, and the curve that turns its distances into memberships."""

    embedding: Array  # (N, d)
    cost: float  # eq-neighbor-embeddings-umap-cost
    weights: csr_array  # (N, N), symmetric, between 0 and 1
    curve: tuple[float, float]  # a and b of 1 / (1 + a r^2b)


def fuzzy_weights(X: ArrayLike, n_neighbors: int) -> csr_array:
    """Return UMAP's fuzzy neighbourhood graph.

    v_{j|i} = exp(−(rᵢⱼ − ρᵢ) / σᵢ),   Σⱼ v_{j|i} = log₂ k,   ρᵢ = minⱼ rᵢⱼ   (eq-neighbor-embeddings-fuzzy)
    wᵢⱼ     = v_{j|i} + v_{i|j} − v_{j|i} v_{i|j}                             (eq-neighbor-embeddings-union)

    Unlike umap-learn, a point does not count as its own neighbour.
    """
    distances, indices = nearest_neighbors(X, n_neighbors)
    require_apart(distances)
    beyond = distances - distances[:, :1]
    unit = beyond.mean(axis=1, keepdims=True)
    beyond = beyond / np.where(unit > 0, unit, 1.0)
    low, high = np.zeros(len(beyond)), np.full(len(beyond), np.inf)
    width, target = np.ones(len(beyond)), max(np.log2(n_neighbors), 1.0)
    for _ in range(BISECTIONS):
        is_wide = np.exp(-beyond / width[:, None]).sum(axis=1) > target
        low, high = np.where(is_wide, low, width), np.where(is_wide, width, high)
        width = np.where(np.isinf(high), np.minimum(2 * width, 1e300), np.maximum((low + high) / 2, 1e-12))
    values = np.exp(-beyond / width[:, None])
    starts = np.arange(0, indices.size + 1, indices.shape[1])
    one_way = csr_array((values.ravel(), indices.ravel(), starts), shape=(len(beyond), len(beyond)))
    return csr_array(one_way + one_way.T - one_way * one_way.T)


def membership_curve(min_distance: float) -> tuple[float, float]:
    """Return a and b of 1 / (1 + a r^2b) nearest to 1 up to min_distance and exp(min_distance − r) beyond."""
    min_distance = as_positive(min_distance, "min_distance", zero_allowed=True)
    r = np.linspace(0, 3, 300)
    wanted = np.where(r < min_distance, 1.0, np.exp(-(r - min_distance)))
    (a, b), _ = curve_fit(lambda r, a, b: 1 / (1 + a * r ** (2 * b)), r, wanted)
    return float(a), float(b)


def umap(
    X: ArrayLike, n_components: int, *, n_neighbors: int, min_distance: float = 0.1, n_steps: int = 500
) -> UMAP:
    """Embed X so that a fuzzy neighbourhood graph is matched by memberships on the map.

    min −Σᵢⱼ [wᵢⱼ log φᵢⱼ + m (δᵢ + δⱼ) / 2N · log(1 − φᵢⱼ)]   (eq-neighbor-embeddings-umap-cost)

    with φᵢⱼ = 1 / (1 + a rᵢⱼ^2b), r² = ‖yᵢ − yⱼ‖² + 0.01, the degrees δ and m = 5:
    what UMAP's random sampling of repelled pairs minimises on average. From Laplacian eigenmaps of the
    graph, by steps that shrink to 0.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates, at most N − 1
    n_neighbors : how many nearest points are the neighbours of each point; the graph must be connected
    min_distance : up to which distance on the map two points count as one
    n_steps : number of gradient steps

    Returns
    -------
    UMAP
        embedding (N, d), cost, weights, curve

    Cost
    ----
    O(N² (D + d n_steps)) time, O(N²) memory.

    Counterpart
    -----------
    umap.UMAP of umap-learn, which samples pairs at random.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [1, 0], [2, 0], [9, 0], [10, 0], [11, 0]]
    >>> dr.umap(X, 1, n_neighbors=3, n_steps=50).embedding.shape
    (6, 1)
    """
    X = as_points(X, "X", min_rows=4)
    n_components = as_count(n_components, "n_components", high=len(X) - 1)
    n_steps = as_count(n_steps, "n_steps", high=MAX_STEPS)
    weights, curve = fuzzy_weights(X, n_neighbors), membership_curve(min_distance)
    start = eigenmaps_of_graph(weights, n_components).embedding
    W = weights.toarray()
    repulsion = repulsion_weights(W)
    Y = START_REACH * start / np.abs(start).max()
    rate = 1 / (4 * W.sum(axis=1).max())
    for step in range(n_steps):
        gradient = umap_gradient(W, repulsion, Y, curve)
        lengths = np.linalg.norm(gradient, axis=1, keepdims=True)
        Y = Y - rate * (1 - step / n_steps) * gradient / np.maximum(1, lengths / MAX_PUSH)
    return UMAP(Y - Y.mean(axis=0), umap_cost(W, repulsion, Y, curve), weights, curve)


def repulsion_weights(weights: Array) -> Array:
    """Return m (δᵢ + δⱼ) / 2N, how often UMAP's sampling repels each pair on average."""
    degrees = weights.sum(axis=1)
    repulsion = N_NEGATIVE * (degrees[:, None] + degrees) / (2 * len(weights))
    np.fill_diagonal(repulsion, 0.0)
    return np.asarray(repulsion)


def umap_cost(weights: Array, repulsion: Array, Y: Array, curve: tuple[float, float]) -> float:
    """Return the cost that UMAP minimises on average (eq-neighbor-embeddings-umap-cost)."""
    a, b = curve
    scaled = a * (squareform(pdist(Y, "sqeuclidean")) + SOFTENING) ** b  # a r^2b
    attracted = weights * np.log1p(scaled)
    repelled = repulsion * (np.log1p(scaled) - np.log(scaled))
    return float(attracted.sum() + repelled.sum())


def umap_gradient(weights: Array, repulsion: Array, Y: Array, curve: tuple[float, float]) -> Array:
    """Return the gradient of that cost.

    ∂/∂yᵢ = 4b Σⱼ (a wᵢⱼ r^(2b−2) − ρᵢⱼ / r²) φᵢⱼ (yᵢ − yⱼ)     (eq-neighbor-embeddings-umap-gradient)
    """
    a, b = curve
    squared = squareform(pdist(Y, "sqeuclidean")) + SOFTENING
    force = 4 * b * (a * weights * squared ** (b - 1) - repulsion / squared) / (1 + a * squared**b)
    return np.asarray(force.sum(axis=1)[:, None] * Y - force @ Y)
