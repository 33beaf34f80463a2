"""PCA as a probability model: likelihood, missing values, held-out entries, and the bootstrap of its axes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dimred_ref._arrays import Array, as_count, as_generator, as_matrix, as_new_samples, as_points
from dimred_ref._result import Result
from dimred_ref.pca import pca

MANY = 10**6  # iterations or draws: more than any example of the course needs


@dataclass(frozen=True, eq=False, repr=False)
class PPCA(Result):
    """A normal model x = Wz + μ + noise of variance s; W is determined up to a rotation of its columns."""

    mean: Array  # (D,)
    W: Array  # (D, d)
    noise: float  # s > 0

    def covariance(self) -> Array:
        """Return the covariance of the model, WWᵀ + sI (eq-practice-ppca-model)."""
        return np.asarray(self.W @ self.W.T + self.noise * np.eye(len(self.W)), dtype=np.float64)

    def scores(self, X: ArrayLike) -> Array:
        """Return the expected z of each sample.

        E[z | x] = (WᵀW + sI)⁻¹ Wᵀ(x − μ)                (eq-practice-ppca-posterior)
        """
        X = as_new_samples(X, "X", n_columns=len(self.mean))
        inner = self.W.T @ self.W + self.noise * np.eye(self.W.shape[1])
        return np.linalg.solve(inner, self.W.T @ (X - self.mean).T).T.astype(np.float64)


@dataclass(frozen=True, eq=False, repr=False)
class IncompleteFit(Result):
    """A model of a table with missing entries, and what the iterations did."""

    model: PPCA
    filled: Array  # (N, D): the table, with expected values in the place of missing ones
    log_likelihoods: Array  # of the observed entries, before each iteration


def ppca(X: ArrayLike, n_components: int) -> PPCA:
    """Fit probabilistic PCA by maximum likelihood.

        s = (λ_{d+1} + … + λ_D) / (D − d),   W = V_d (Λ_d − sI)^½       (eq-practice-ppca-ml)

    At least one dropped variance must be positive, or no noise is left to estimate.
    """
    X = as_points(X, min_rows=2)
    n_features = X.shape[1]
    d = as_count(n_components, "n_components", high=n_features - 1)
    fit = pca(X, min(len(X) - 1, n_features))
    total = X.var(axis=0).sum()
    noise = (total - fit.variances[:d].sum()) / (n_features - d)
    if not noise > 1e-12 * total:
        raise ValueError(f"X must vary in more than {d} directions: the noise would be {noise:g}")
    stretch = np.sqrt(np.maximum(fit.variances[:d] - noise, 0))
    return PPCA(mean=X.mean(axis=0), W=fit.axes[:, :d] * stretch, noise=float(noise))


def log_likelihood(model: PPCA, X: ArrayLike) -> Array:
    """Return the log density of the observed entries of each sample; missing ones are NaN.

    log p(x) = −½ (D log 2π + log det M + (x − μ)ᵀ M⁻¹ (x − μ)),   M = WWᵀ + sI   (eq-practice-ppca-likelihood)
    """
    X = np.atleast_2d(np.asarray(X, dtype=float))
    M, values = model.covariance(), np.empty(len(X))
    for i, sample in enumerate(X):
        seen = np.isfinite(sample)
        part, deviation = M[np.ix_(seen, seen)], (sample - model.mean)[seen]
        size = np.linalg.slogdet(part)[1] + deviation @ np.linalg.solve(part, deviation)
        values[i] = -0.5 * (np.count_nonzero(seen) * np.log(2 * np.pi) + size)
    return values


def ppca_with_missing(
    X: ArrayLike, n_components: int, *, n_iterations: int = 200, tolerance: float = 1e-8, seed: int = 0
) -> IncompleteFit:
    """Fit probabilistic PCA to a table with missing entries (NaN) by expectation and maximisation.

    No iteration lowers the likelihood of the observed entries (thm-practice-em). It stops when an iteration
    gains less than tolerance per observed entry. Every row and every column needs an observed entry.
    """
    X = np.array(X, dtype=float)
    if X.ndim != 2 or np.isinf(X).any():
        raise ValueError(f"X must be a matrix of finite numbers and NaN, got the shape {X.shape}")
    seen = np.isfinite(X)
    if not (seen.any(axis=0).all() and seen.any(axis=1).all()):
        raise ValueError("X must have an observed entry in every row and every column")
    n_features = X.shape[1]
    d = as_count(n_components, "n_components", high=n_features - 1)
    model = PPCA(
        mean=np.nanmean(X, axis=0),
        W=as_generator(seed).normal(size=(n_features, d)) * np.sqrt(np.nanvar(X) / n_features),
        noise=float(np.nanvar(X)),
    )
    history: list[float] = []
    for _ in range(as_count(n_iterations, "n_iterations", high=MANY)):
        means, moments, value = _expectation(model, X, seen)
        gain = value - history[-1] if history else np.inf
        history.append(value)
        if gain < tolerance * np.count_nonzero(seen):
            break
        model = _maximisation(X, seen, means, moments)
    means, _, _ = _expectation(model, X, seen)
    filled = np.where(seen, X, means[:, :-1] @ model.W.T + model.mean)
    return IncompleteFit(model=model, filled=filled, log_likelihoods=np.array(history))


def _expectation(model: PPCA, X: Array, seen: NDArray[np.bool_]) -> tuple[Array, Array, float]:
    """Return the moments of (zᵢ, 1) given the observed entries, and the log-likelihood of all of them.

    With Wᵢ the observed rows of W: det(WᵢWᵢᵀ + sI) = s^{nᵢ−d} det(WᵢᵀWᵢ + sI), nᵢ entries being observed.
    """
    d, s = model.W.shape[1], model.noise
    deviations = np.where(seen, X - model.mean, 0.0)
    inner = np.einsum("ia,aj,ak->ijk", seen.astype(float), model.W, model.W, optimize=True) + s * np.eye(d)
    spreads = s * np.linalg.inv(inner)
    products = deviations @ model.W
    means = np.einsum("ijk,ik->ij", spreads, products) / s
    squares = (np.sum(deviations**2, axis=1) - np.sum(products * means, axis=1)) / s
    counts = seen.sum(axis=1)
    determinants = (counts - d) * np.log(s) + np.linalg.slogdet(inner)[1]
    value = -0.5 * np.sum(counts * np.log(2 * np.pi) + determinants + squares)
    means = np.column_stack([means, np.ones(len(X))])
    moments = means[:, :, None] * means[:, None, :]
    moments[:, :d, :d] += spreads
    return means, moments, float(value)


def _maximisation(X: Array, seen: NDArray[np.bool_], means: Array, moments: Array) -> PPCA:
    """Return the parameters for which the expected log-likelihood is largest.

    Each feature has a least-squares problem of its own for its row of W and its mean; the noise is the mean
    expected squared error of the observed entries.
    """
    known = np.where(seen, X, 0.0)
    totals = np.einsum("ia,ijk->ajk", seen.astype(float), moments, optimize=True)
    products = known.T @ means
    coefficients = np.linalg.solve(totals, products[:, :, None])[:, :, 0]
    fitted = np.einsum("aj,ajk,ak->", coefficients, totals, coefficients, optimize=True)
    error = np.sum(known**2) - 2 * np.sum(coefficients * products) + fitted
    return PPCA(mean=coefficients[:, -1], W=coefficients[:, :-1], noise=float(error / np.count_nonzero(seen)))


def held_out_error(X: ArrayLike, n_components: int, *, share: float = 0.1, seed: int = 0) -> float:
    """Return the mean squared error of entries that were hidden and predicted from the rest.

    A random share of the entries is hidden; the model is fitted to the others. Unlike the error of
    held-out rows (thm-practice-held-out), it need not fall with the number of components.
    """
    X = as_matrix(X, "X", min_rows=2)
    if not 0 < share < 1:
        raise ValueError(f"share must lie between 0 and 1, not {share}")
    hidden = as_generator(seed).random(X.shape) < share
    filled = ppca_with_missing(np.where(hidden, np.nan, X), n_components).filled
    return float(np.mean((filled - X)[hidden] ** 2))


def bootstrap_axes(X: ArrayLike, n_components: int, *, n_draws: int = 200, seed: int = 0) -> Array:
    """Return principal directions of resampled tables, shape (n_draws, D, d), each facing those of X.

    A table is drawn row by row with replacement. Each direction takes the sign under which its product with
    that of X is positive; directions with close variances may still exchange places.
    """
    X = as_points(X, min_rows=2)
    generator = as_generator(seed)
    axes = pca(X, n_components).axes
    draws = np.empty((as_count(n_draws, "n_draws", high=MANY), *axes.shape))
    for b in range(len(draws)):
        resampled = pca(X[generator.integers(0, len(X), len(X))], n_components).axes
        signs = np.where(np.sum(resampled * axes, axis=0) < 0, -1.0, 1.0)
        draws[b] = resampled * signs
    return draws
