"""Task `centred_kernel`: the kernel matrix of centred features."""

import numpy as np

from autograder.authoring import task
from solutions.announced import has_negative_eigenvalue
from solutions.numbers import Array


@task.code(points=2, minutes=8, see="eq-kernel-pca-centring")
def centred_kernel(K: Array) -> Array:
    """J K J (eq-kernel-pca-centring)."""
    return np.asarray(K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean())


def kernel(rng: np.random.Generator, n_samples: int, n_features: int) -> Array:
    """A kernel matrix of features that are far from centred."""
    features = np.round(rng.normal(size=(n_samples, n_features)) + rng.uniform(0.5, 2.0, size=n_features), 1)
    return np.asarray(np.round(features @ features.T, 3))


@centred_kernel.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Few features, many features, and a matrix that is no kernel matrix."""
    few, many, none = (int(size) for size in rng.permutation([4, 6, 8]))
    signs = np.round(rng.normal(size=(none, none)), 1)
    return {
        "few features": {"K": kernel(rng, few, 2)},
        "more features than samples": {"K": kernel(rng, many, 12)},
        "eigenvalues of both signs": {"K": np.round(signs + signs.T + 1, 1)},
    }


@centred_kernel.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Two points, whole numbers, other units."""
    whole = rng.integers(-3, 4, size=(5, 3))
    return {
        "two points": {"K": np.array([[2.0, 0.5], [0.5, 3.0]])},
        "whole numbers": {"K": whole @ whole.T},
        "huge units": {"K": 1e6 * kernel(rng, 5, 3)},
    }


@centred_kernel.wrong(
    "Your matrix is not symmetric: one of the two features in each product was centred, the other not.",
    see="thm-kernel-pca-centring",
)
def centred_one_side_only(K: Array) -> Array:
    """J K: columns lose their means."""
    return np.asarray(K - K.mean(axis=0))


@centred_kernel.wrong(
    "Your matrix is not symmetric: each row sums to zero, but the columns do not.",
    see="thm-kernel-pca-centring",
)
def centred_the_other_side_only(K: Array) -> Array:
    """K J: rows lose their means."""
    return np.asarray(K - K.mean(axis=1, keepdims=True))


@centred_kernel.wrong(
    "Rows should sum to zero. The product of the mean with itself was taken away twice and must come back once."
)
def forgot_the_mean_of_all(K: Array) -> Array:
    """Take both means away and give nothing back."""
    return np.asarray(K - K.mean(axis=0) - K.mean(axis=1, keepdims=True))


@centred_kernel.wrong("Rows should sum to zero. Look at the sign of the fourth term.")
def took_the_mean_of_all_away(K: Array) -> Array:
    """The last sign is wrong."""
    return centred_kernel(K) - 2 * K.mean()


@centred_kernel.wrong(
    "One number was taken from all entries. The mean feature has its own product with each feature."
)
def subtracted_one_number(K: Array) -> Array:
    """K minus its grand mean."""
    return np.asarray(K - K.mean())


@centred_kernel.wrong(
    "The factor −½ belongs to squared distances. Here the inner products themselves are given.",
    see="thm-kernel-pca-isomap",
)
def treated_it_as_distances(K: Array) -> Array:
    """The formula for squared distances."""
    return -centred_kernel(K) / 2


@centred_kernel.wrong(
    "Right for kernel matrices without negative eigenvalues. Yours were removed, but JKJ keeps them.",
)
def removed_negative_eigenvalues(K: Array) -> Array:
    """The nearest matrix without negative eigenvalues."""
    values, vectors = np.linalg.eigh(centred_kernel(K))
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)


@centred_kernel.also
def by_centring_matrix(K: Array) -> Array:
    """J K J."""
    J = np.eye(len(K)) - np.ones((len(K), len(K))) / len(K)
    return J @ K @ J


@centred_kernel.also
def by_two_steps(K: Array) -> Array:
    """First columns, then rows."""
    once = K - K.mean(axis=0)
    return np.asarray(once - once.mean(axis=1)[:, None])


centred_kernel.announces(
    "may have negative eigenvalues", "eigenvalues of both signs", has_negative_eigenvalue
)
