"""Diffusion maps: distances between random walks on the data."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from dimred_ref._arrays import MEASURABLE, Array, as_count, as_new_samples, as_points, as_positive
from dimred_ref._eigen import top_eigenpairs
from dimred_ref._result import Result

MAX_TIME = 10**6  # steps of the walk


@dataclass(frozen=True, eq=False, repr=False)
class DiffusionMaps(Result):
    """Coordinates whose distances are those of random walks after some steps."""

    embedding: Array  # (N, d), λ^t ψ
    eigenvalues: Array  # (d,), descending, of the walk, without the 1 of the constant function
    stationary: Array  # (N,), π, of sum 1
    X: Array  # (N, D), the training points
    density: Array  # (N,), Σⱼ k(xᵢ, xⱼ)
    gamma: float
    alpha: float
    time: int

    def transform(self, new: ArrayLike) -> Array:
        """Place new points by Nyström's formula: the mean over the walk's first step, divided by λ.

        y(x) = Σⱼ p(x, xⱼ) yⱼ / λ        (eq-diffusion-maps-extension)

        A training point is put where it was.
        """
        points = as_new_samples(new, n_columns=self.X.shape[1], sizes=MEASURABLE)
        squared = cdist(points, self.X, "sqeuclidean")
        squared -= squared.min(axis=1, keepdims=True)  # only proportions count
        kernel = np.exp(-self.gamma * squared) / self.density**self.alpha
        steps = kernel / kernel.sum(axis=1, keepdims=True)
        return np.asarray(steps @ self.embedding / self.eigenvalues)


def diffusion_maps(
    X: ArrayLike, n_components: int, *, gamma: float, alpha: float = 1.0, time: int = 1
) -> DiffusionMaps:
    """Embed X so that distances are diffusion distances.

    kᵢⱼ = exp(−γ ‖xᵢ − xⱼ‖²),   k⁽ᵅ⁾ᵢⱼ = kᵢⱼ / (qᵢ qⱼ)^α,   qᵢ = Σⱼ kᵢⱼ      (eq-diffusion-maps-alpha)
    p = D⁻¹ k⁽ᵅ⁾,   P ψ = λ ψ,   Σᵢ πᵢ ψᵢ² = 1,   Y = [λ₁ᵗ ψ₁ … λ_dᵗ ψ_d]   (eq-diffusion-maps-embedding)

    alpha = 0 keeps the influence of the density, alpha = 1 removes it in the limit.

    Parameters
    ----------
    X : (N, D) array, list or data frame of samples, a row each
    n_components : number of coordinates, at most N − 1
    gamma : 1 / (scale of distance)²
    alpha : which power of the density estimates divides the kernel, 0 to 1
    time : number of steps of the walk

    Returns
    -------
    DiffusionMaps
        embedding (N, d), eigenvalues, stationary (N,), density (N,); transform

    Cost
    ----
    O(N² (D + d)) time and more for the eigenproblem, at most O(N³); O(N²) memory.

    Counterpart
    -----------
    None in scikit-learn; pydiffmap and datafold have it.

    Examples
    --------
    >>> import dimred_ref as dr
    >>> dr.diffusion_maps([[0.0], [1.0], [2.0]], 1, gamma=1.0).eigenvalues.round(3).tolist()
    [0.748]
    """
    X = as_points(X, "X", min_rows=3)
    n_components = as_count(n_components, "n_components", high=len(X) - 1)
    gamma = as_positive(gamma, "gamma")
    alpha = as_positive(alpha, "alpha", zero_allowed=True)
    time = as_count(time, "time", high=MAX_TIME)
    kernel = np.exp(-gamma * cdist(X, X, "sqeuclidean"))
    density = kernel.sum(axis=1)
    if alpha:
        kernel /= np.multiply.outer(density, density) ** alpha
    degrees = kernel.sum(axis=1)
    root = np.sqrt(degrees)
    values, vectors = top_eigenpairs(kernel / np.multiply.outer(root, root), n_components + 1)
    if 1 - values[1] <= 1e-12:
        raise ValueError(
            f"gamma must be smaller: at {gamma:g} the walk does not get from every point to every other"
        )
    functions = vectors[:, 1:] / root[:, None] * np.sqrt(degrees.sum())
    kept = np.maximum(values[1:], 0.0)  # the kernel is positive semidefinite: less is rounding
    stationary = degrees / degrees.sum()
    return DiffusionMaps(functions * kept**time, kept, stationary, X.copy(), density, gamma, alpha, time)


def diffusion_distances(transition: Array, stationary: Array, time: int) -> Array:
    """Return the diffusion distances of a walk, from its definition.

    D_t(i, j)² = Σ_l (p_t(i, l) − p_t(j, l))² / π_l        (eq-diffusion-maps-distance)
    """
    after = np.linalg.matrix_power(transition, time) / np.sqrt(stationary)
    return np.asarray(cdist(after, after))
