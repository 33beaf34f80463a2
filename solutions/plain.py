"""Short versions of reference functions, as students write them in a cell.

The reference checks its arguments and guards against rounding. The made-up class of `dimred demo` writes out the
functions that its answers use, and takes these instead, by name. They agree with the reference on the inputs of the
exercises.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse
import scipy.special

from solutions.numbers import Array


def centred(X: Array) -> Array:
    """Move the origin to the mean."""
    return X - X.mean(axis=0)


def covariance(X: Array, ddof: int = 0) -> Array:
    """Average the products of deviations."""
    deviations = X - X.mean(axis=0)
    return deviations.T @ deviations / (len(X) - ddof)


def pca(X: Array, n_components: int) -> SimpleNamespace:
    """Return the principal axes and the scores."""
    deviations = X - X.mean(axis=0)
    axes = np.linalg.svd(deviations, full_matrices=False)[2][:n_components].T
    return SimpleNamespace(axes=axes, embedding=deviations @ axes)


def standardisation(X: Array) -> SimpleNamespace:
    """Return standardised samples, and how to standardise others."""
    mean, deviation = X.mean(axis=0), X.std(axis=0)
    scale = np.where(deviation > 0, deviation, 1.0)

    def transform(new: Array) -> Array:
        return (new - mean) / scale

    return SimpleNamespace(embedding=transform(X), mean=mean, scale=scale, transform=transform)


def without_leading_components(X: Array, n_components: int) -> Array:
    """Remove the strongest components."""
    deviations = X - X.mean(axis=0)
    V = np.linalg.svd(deviations, full_matrices=False)[2][:n_components].T
    return X - deviations @ V @ V.T


def thin_svd(A: Array) -> SimpleNamespace:
    """Return U, the singular values and V."""
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    return SimpleNamespace(U=U, singular_values=sigma, V=Vt.T)


def numerical_rank(A: Array, rtol: float = 1e-15) -> int:
    """Count the singular values that are not zero."""
    sigma = np.linalg.svd(A, compute_uv=False)
    return int(np.sum(sigma > rtol * sigma[0]))


def four_subspaces(A: Array, rtol: float = 1e-14) -> SimpleNamespace:
    """Return bases of the four subspaces."""
    U, sigma, Vt = np.linalg.svd(A)
    r = int(np.sum(sigma > rtol * sigma[0]))
    return SimpleNamespace(left_null_space=U[:, r:], row_space=Vt[:r].T, null_space=Vt[r:].T)


def svd_by_construction(A: Array) -> SimpleNamespace:
    """Return the left vectors from AAᵀ and the right ones from them."""
    squares, U = np.linalg.eigh(A @ A.T)
    k = min(A.shape)
    squares, U = squares[::-1][:k], U[:, ::-1][:, :k]
    sigma = np.sqrt(np.where(squares > 1e-12 * squares[0], squares, 0))
    return SimpleNamespace(U=U, singular_values=sigma, V=A.T @ U / np.where(sigma > 0, sigma, 1))


def best_rank_k(A: Array, k: int) -> SimpleNamespace:
    """Return the best approximation and its two errors."""
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    rest = np.append(sigma[k:], 0)
    return SimpleNamespace(
        matrix=(U[:, :k] * sigma[:k]) @ Vt[:k], spectral_error=rest[0], frobenius_error=np.linalg.norm(rest)
    )


def min_norm_solution(X: Array, y: Array, rtol: float = 1e-14) -> Array:
    """Solve least squares with the shortest coefficients."""
    return np.linalg.pinv(X, rcond=rtol) @ y


def pinv(A: Array, rtol: float = 1e-14) -> Array:
    """Invert what can be inverted."""
    return np.linalg.pinv(A, rcond=rtol)


def ridge(X: Array, y: Array, penalty: float) -> Array:
    """Shrink the coefficients along each singular direction."""
    U, sigma, Vt = np.linalg.svd(X, full_matrices=False)
    sigma = np.where(sigma > 1e-14 * sigma[0], sigma, 0)
    return Vt.T @ (sigma / (sigma**2 + penalty) * (U.T @ y))


def double_centred(squared: Array) -> Array:
    """Turn squared distances into products."""
    n = len(squared)
    J = np.eye(n) - np.ones((n, n)) / n
    return -J @ squared @ J / 2


def gram_spectrum(distances: Array) -> Array:
    """Return the eigenvalues of the Gram matrix, largest first."""
    n = len(distances)
    J = np.eye(n) - np.ones((n, n)) / n
    return np.linalg.eigvalsh(-J @ distances**2 @ J / 2)[::-1]


def classical_mds(distances: Array, n_components: int) -> SimpleNamespace:
    """Return the map, its eigenvalues and the mean squared distances."""
    squared, n = distances**2, len(distances)
    J = np.eye(n) - np.ones((n, n)) / n
    values, vectors = np.linalg.eigh(-J @ squared @ J / 2)
    values, vectors = values[::-1][:n_components], vectors[:, ::-1][:, :n_components]
    return SimpleNamespace(
        embedding=vectors * np.sqrt(values), eigenvalues=values, mean_squared_distances=squared.mean(axis=0)
    )


def extend(model: SimpleNamespace, deltas: Array) -> Array:
    """Place newcomers by their distances."""
    return (model.mean_squared_distances - deltas**2) @ model.embedding / (2 * model.eigenvalues)


def optimal_scales(Z: Array, X: Array, neighbors: Array) -> Array:
    """Return the best factor around each point."""
    j, k = np.triu_indices(neighbors.shape[1], 1)
    after = ((Z[neighbors[:, j]] - Z[neighbors[:, k]]) ** 2).sum(axis=2)
    before = ((X[neighbors[:, j]] - X[neighbors[:, k]]) ** 2).sum(axis=2)
    return (after * before).sum(axis=1) / (before**2).sum(axis=1)


def conformal_cost(Z: Array, X: Array, neighbors: Array) -> float:
    """Sum the squared errors of the best factors."""
    j, k = np.triu_indices(neighbors.shape[1], 1)
    after = ((Z[neighbors[:, j]] - Z[neighbors[:, k]]) ** 2).sum(axis=2)
    before = ((X[neighbors[:, j]] - X[neighbors[:, k]]) ** 2).sum(axis=2)
    scales = (after * before).sum(axis=1) / (before**2).sum(axis=1)
    return 2 * ((after - scales[:, None] * before) ** 2).sum()


class GammaLaw:
    """A gamma distribution."""

    def __init__(self, shape: float, scale: float) -> None:
        """Keep shape and scale."""
        self.shape, self.scale = shape, scale

    def density(self, z: Array) -> Array:
        """Return the density at z."""
        k, s = self.shape, self.scale
        return np.exp((k - 1) * np.log(z) - z / s - scipy.special.gammaln(k) - k * np.log(s))

    def distribution(self, z: Array) -> Array:
        """Return the probability of less than z."""
        return np.asarray(scipy.special.gammainc(self.shape, z / self.scale))


def distance_law(n_dimensions: int) -> GammaLaw:
    """Return the law of squared distances."""
    return GammaLaw(n_dimensions / 2, 4 / n_dimensions)


def nearest_neighbors(X: Array, k: int) -> tuple[Array, Array]:
    """Return distances and indices of the k nearest others."""
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    indices = np.argsort(distances, axis=1)[:, :k]
    return np.take_along_axis(distances, indices, axis=1), indices


def lle_weights(X: Array, neighbors: Array, ridge: float = 1e-3) -> Any:
    """Return the weights that mix each point from its neighbors, as a sparse matrix."""
    W = np.zeros((len(X), len(X)))
    for i, around in enumerate(neighbors):
        D = X[around] - X[i]
        G = D @ D.T
        w = np.linalg.solve(G + ridge * np.trace(G) * np.eye(len(G)), np.ones(len(G)))
        W[i, around] = w / w.sum()
    return scipy.sparse.csr_array(W)
