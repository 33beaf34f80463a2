"""High-dimensional geometry: distances between random points concentrate, and so betray the dimension."""

from dataclasses import dataclass

import numpy as np
import scipy.spatial.distance
import scipy.special
from numpy.typing import ArrayLike

from dimred_ref._arrays import Array, as_count, as_generator, as_points


@dataclass(frozen=True)
class GammaLaw:
    """The Gamma distribution with a shape and a SCALE (not a rate).

    f(z) = z^{α−1} e^{−z/θ} / (Γ(α) θ^α),   mean αθ,   variance αθ²          (eq-geometry-gamma)
    """

    shape: float
    scale: float

    @property
    def mean(self) -> float:
        """The mean αθ."""
        return self.shape * self.scale

    @property
    def variance(self) -> float:
        """The variance αθ²."""
        return self.shape * self.scale**2

    @property
    def relative_spread(self) -> float:
        """The standard deviation as a fraction of the mean, 1/√α."""
        return float(self.shape**-0.5)

    def density(self, z: ArrayLike) -> Array:
        """Return f(z), zero for z < 0; computed through logarithms, so that large shapes do not overflow."""
        z = np.asarray(z, dtype=np.float64)
        log_density = scipy.special.xlogy(self.shape - 1, np.maximum(z, 0) / self.scale) - z / self.scale
        log_density -= scipy.special.gammaln(self.shape) + np.log(self.scale)
        return np.where(z < 0, 0.0, np.exp(np.where(z < 0, 0.0, log_density)))

    def distribution(self, z: ArrayLike) -> Array:
        """Return the probability of a value at most z."""
        z = np.asarray(z, dtype=np.float64)
        return np.asarray(scipy.special.gammainc(self.shape, np.maximum(z, 0.0) / self.scale))


def distance_law(n_dimensions: int) -> GammaLaw:
    """Return the law of ‖x − y‖²/D for independent standard Gaussian points of ℝᴰ.

    R_D = ‖x − y‖² / D ~ Gamma(shape D/2, scale 4/D)          (eq-geometry-distance-law)
    E R_D = 2,   Var R_D = 8/D                                (eq-geometry-concentration)
    """
    D = as_count(n_dimensions, "n_dimensions", high=2**53)
    return GammaLaw(shape=D / 2, scale=4 / D)


def normalised_squared_distances(X: ArrayLike, Y: ArrayLike) -> Array:
    """Return the squared distance per dimension between each row of X and the same row of Y.

        R_D = ‖x − y‖² / D          (eq-geometry-normalised-distance)

    Pairs of rows, not all pairs: each row serves once, so that independent rows give independent values.
    """
    X, Y = as_points(X), as_points(Y, "Y")
    if X.shape != Y.shape:
        raise ValueError(f"Y must have the shape {X.shape} of X, got {Y.shape}")
    values: Array = np.sum((X - Y) ** 2, axis=1) / X.shape[1]
    return values


def effective_dimension(X: ArrayLike) -> float:
    """Estimate the dimension of a Gaussian cloud from how much its squared distances vary.

        D_eff = 2 · mean² / variance   of ‖xᵢ − xⱼ‖², i < j          (eq-geometry-effective-dimension)

    For a round Gaussian of dimension d, wherever it sits in a larger space, this tends to d; for
    covariance eigenvalues λ it tends to (Σλ)² / Σλ².
    """
    X = as_points(X, min_rows=3)
    squares = scipy.spatial.distance.pdist(X, "sqeuclidean")
    variance = float(np.var(squares))
    if variance <= (4 * np.finfo(float).eps * float(squares.mean())) ** 2:
        raise ValueError("X must have distances that differ, got all pairs equally far apart")
    return 2 * float(squares.mean()) ** 2 / variance


def random_projection(X: ArrayLike, n_components: int, *, seed: int = 0) -> Array:
    """Multiply each sample by one random matrix, which nearly keeps all distances (thm-geometry-johnson-lindenstrauss).

    Z = X Rᵀ with independent entries R_ab ~ N(0, 1/m), m = n_components. Costs O(N D m) time.
    """
    X = as_points(X)
    m = as_count(n_components, "n_components", high=2**31)
    return X @ as_generator(seed).normal(scale=m**-0.5, size=(X.shape[1], m))


def johnson_lindenstrauss_dimension(n_samples: int, distortion: float, *, failure: float = 0.01) -> int:
    """Return how many random directions keep all squared distances of n_samples points, within 1 ± distortion.

    The smallest m with N(N − 1) exp(−m (ε²/4 − ε³/6)) ≤ failure (eq-geometry-johnson-lindenstrauss).
    """
    N = as_count(n_samples, "n_samples", low=2, high=2**53)
    for name, value in (("distortion", distortion), ("failure", failure)):
        if not 0 < value < 1:
            raise ValueError(f"{name} must be between 0 and 1, got {value}")
    exponent = distortion**2 / 4 - distortion**3 / 6
    return int(np.ceil((np.log(N) + np.log(N - 1) - np.log(failure)) / exponent))
