"""t-SNE, exact and without random numbers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import pdist, squareform

from dimred_ref._arrays import Array, as_count, as_points, as_positive, as_symmetric
from dimred_ref._result import Result
from dimred_ref.graph import require_apart
from dimred_ref.pca import pca

BISECTIONS = 64  # halvings of an interval of precisions: below the digits of a float
MAX_STEPS = 100_000
START_SIZE = 1e-4  # standard deviation of the first coordinate of t-SNE's start
EARLY_SHARE = 1 / 4  # of the steps of t-SNE are exaggerated
MOMENTUM = (0.5, 0.8)  # while exaggerated, and after


@dataclass(frozen=True, eq=False, repr=False)
class TSNE(Result):
    """A map whose neighbour probabilities come near to those of the data, and how near."""

    embedding: Array  # (N, d), of mean 0
    cost: float  # KL(P ‖ Q) in nats, without exaggeration
    affinities: Array  # P, (N, N), symmetric, of sum 1


def neighbor_affinities(X: ArrayLike, perplexity: float) -> Array:
    """Return symmetric probabilities that two samples are neighbours.

        p_{j|i} ∝ exp(−βᵢ ‖xᵢ − xⱼ‖²),   exp H(p_{·|i}) = perplexity   (eq-neighbor-embeddings-perplexity)
        pᵢⱼ     = (p_{j|i} + p_{i|j}) / 2N                              (eq-neighbor-embeddings-affinities)

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    perplexity : effective number of neighbours, between 1 and N − 1

    Returns
    -------
    (N, N) array of sum 1

    Cost
    ----
    O(N² D) time, O(N²) memory.

    Counterpart
    -----------
    sklearn.manifold.TSNE computes the same inside, of 3 · perplexity neighbours unless method="exact".

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.neighbor_affinities([[0.0], [1.0], [3.0]], 1.5).sum().round(12).item()
    1.0
    """
    X = as_points(X, "X", min_rows=3)
    conditional = conditional_affinities(squareform(pdist(X, "sqeuclidean")), perplexity)
    return np.asarray((conditional + conditional.T) / (2 * len(X)))


def conditional_affinities(squared: Array, perplexity: float) -> Array:
    """Return p_{j|i} with the chosen perplexity in every row of a table of squared distances."""
    size = len(squared)
    perplexity = as_positive(perplexity, "perplexity")
    if not 1 <= perplexity <= size - 1:
        raise ValueError(f"perplexity must be between 1 and {size - 1}, got {perplexity}")
    others = squared[~np.eye(size, dtype=bool)].reshape(size, size - 1)
    require_apart(others)
    others = others - others.min(axis=1, keepdims=True)
    unit = others.mean(axis=1, keepdims=True)
    others = others / np.where(unit > 0, unit, 1.0)  # the answer knows no unit, so neither does the search
    rows = _rows_of_entropy(others, np.log(perplexity))
    conditional = np.zeros((size, size))
    conditional[~np.eye(size, dtype=bool)] = rows.ravel()
    return conditional


def _rows_of_entropy(squared: Array, entropy: float) -> Array:
    """Bisect the precision of every row; the entropy falls with it (thm-neighbor-embeddings-perplexity)."""
    low, high = np.zeros(len(squared)), np.full(len(squared), np.inf)
    precision = np.ones(len(squared))
    for _ in range(BISECTIONS):
        p = np.exp(-precision[:, None] * squared)
        totals = p.sum(axis=1)
        is_wide = np.log(totals) + precision * (p * squared).sum(axis=1) / totals > entropy
        low, high = np.where(is_wide, precision, low), np.where(is_wide, high, precision)
        with np.errstate(invalid="ignore"):
            precision = np.where(np.isinf(high), 2 * precision, (low + high) / 2)
        precision = np.minimum(precision, 1e300)
    p = np.exp(-precision[:, None] * squared)
    return np.asarray(p / p.sum(axis=1, keepdims=True))


def tsne_cost(affinities: ArrayLike, embedding: ArrayLike) -> float:
    """Return KL(P ‖ Q) = Σ pᵢⱼ log(pᵢⱼ / qᵢⱼ) with heavy-tailed qᵢⱼ (eq-neighbor-embeddings-cost)."""
    P, Y = _checked_pair(affinities, embedding)
    kernel = _student_kernel(Y)
    return _divergence(P, kernel / kernel.sum())


def tsne_gradient(affinities: ArrayLike, embedding: ArrayLike, *, exaggeration: float = 1.0) -> Array:
    """Return the gradient of t-SNE, attraction minus repulsion.

    ∂/∂yᵢ = 4 Σⱼ (α pᵢⱼ − qᵢⱼ) kᵢⱼ (yᵢ − yⱼ),   kᵢⱼ = 1 / (1 + ‖yᵢ − yⱼ‖²)   (eq-neighbor-embeddings-gradient)
    """
    P, Y = _checked_pair(affinities, embedding)
    return _gradient(P, Y, as_positive(exaggeration, "exaggeration"))


def tsne(
    X: ArrayLike,
    n_components: int,
    *,
    perplexity: float = 30.0,
    exaggeration: float = 12.0,
    n_steps: int = 1000,
) -> TSNE:
    """Embed X so that the neighbour probabilities of the map are near those of the data.

    min KL(P ‖ Q),   qᵢⱼ = kᵢⱼ / Σ k,   kᵢⱼ = 1 / (1 + ‖yᵢ − yⱼ‖²)        (eq-neighbor-embeddings-cost)

    Gradient descent with momentum from a small PCA map, the attraction multiplied by the exaggeration
    during the first quarter of the steps. The cost has many local minima; from this start the answer is
    the same at every run, and it turns with the data.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates, at most D
    perplexity : effective number of neighbours, between 1 and N − 1
    exaggeration : factor of the attraction in the first quarter of the steps
    n_steps : number of gradient steps

    Returns
    -------
    TSNE
        embedding (N, d), cost, affinities

    Cost
    ----
    O(N² (D + d n_steps)) time, O(N²) memory.

    Counterpart
    -----------
    sklearn.manifold.TSNE with method="exact" and init="pca".

    Examples
    --------
    >>> import dimred_ref as dr
    >>> X = [[0, 0], [1, 0], [2, 0], [9, 0], [10, 0], [11, 0]]
    >>> dr.tsne(X, 1, perplexity=2, n_steps=100).embedding.shape
    (6, 1)
    """
    X = as_points(X, "X", min_rows=4)
    n_components = as_count(n_components, "n_components", high=min(X.shape[1], len(X) - 1))
    n_steps = as_count(n_steps, "n_steps", high=MAX_STEPS)
    exaggeration = as_positive(exaggeration, "exaggeration")
    P = neighbor_affinities(X, perplexity)
    start = pca(X, n_components).embedding
    Y = _descend(P, START_SIZE * start / start[:, 0].std(), exaggeration, n_steps)
    return TSNE(Y, tsne_cost(P, Y), P)


def _descend(P: Array, Y: Array, exaggeration: float, n_steps: int) -> Array:
    """Descend from Y at the rate N / α, at which the linearised step is stable for degrees up to 1 / 2N."""
    velocity = np.zeros_like(Y)
    for step in range(n_steps):
        is_early = step < EARLY_SHARE * n_steps
        alpha = exaggeration if is_early else 1.0
        step_down = len(Y) / max(alpha, 1.0) * _gradient(P, Y, alpha)
        velocity = MOMENTUM[0 if is_early else 1] * velocity - step_down
        Y = Y + velocity
    return np.asarray(Y - Y.mean(axis=0))


def _gradient(P: Array, Y: Array, alpha: float) -> Array:
    kernel = _student_kernel(Y)
    pull = alpha * P - kernel / kernel.sum()
    pull *= kernel
    return np.asarray(4 * (pull.sum(axis=1)[:, None] * Y - pull @ Y))


def _student_kernel(Y: Array) -> Array:
    """Return 1 / (1 + ‖yᵢ − yⱼ‖²) with zeros on the diagonal, by one product of matrices."""
    centred = Y - Y.mean(axis=0)
    norms = np.einsum("ij,ij->i", centred, centred)
    kernel = centred @ (-2 * centred.T)
    kernel += norms
    kernel += norms[:, None] + 1.0
    np.reciprocal(np.maximum(kernel, 1.0, out=kernel), out=kernel)
    np.fill_diagonal(kernel, 0.0)
    return np.asarray(kernel)


def _divergence(P: Array, Q: Array) -> float:
    joined = P > 0
    return float(np.sum(P[joined] * np.log(P[joined] / Q[joined])))


def _checked_pair(affinities: ArrayLike, embedding: ArrayLike) -> tuple[Array, Array]:
    P, Y = as_symmetric(affinities, "affinities"), as_points(embedding, "embedding", min_rows=2)
    if len(P) != len(Y):
        raise ValueError(f"embedding must have {len(P)} rows like affinities, got {len(Y)}")
    if P.min() < 0 or np.diag(P).any() or abs(P.sum() - 1) > 1e-8:
        raise ValueError("affinities must be non-negative, with zeros on the diagonal and sum 1")
    return P, Y
