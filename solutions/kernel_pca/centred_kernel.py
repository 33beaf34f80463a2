"""Task `centred_kernel`: the kernel matrix of centred features."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from solutions.numbers import Array


def kernel(rng: np.random.Generator, n_samples: int, n_features: int) -> Array:
    """A kernel matrix of features that are far from centred."""
    features = np.round(rng.normal(size=(n_samples, n_features)) + rng.uniform(0.5, 2.0, size=n_features), 1)
    return np.asarray(np.round(features @ features.T, 3))


def draw(rng: np.random.Generator) -> Cases:
    """Few features, many features, and a matrix that is no kernel matrix."""
    few, many, none = (int(size) for size in rng.permutation([4, 6, 8]))
    signs = np.round(rng.normal(size=(none, none)), 1)
    return {
        "few features": {"K": kernel(rng, few, 2)},
        "more features than samples": {"K": kernel(rng, many, 12)},
        "eigenvalues of both signs": {"K": np.round(signs + signs.T + 1, 1)},
    }


def hard(rng: np.random.Generator) -> Cases:
    """Two points, whole numbers, other units."""
    whole = rng.integers(-3, 4, size=(5, 3))
    return {
        "two points": {"K": np.array([[2.0, 0.5], [0.5, 3.0]])},
        "whole numbers": {"K": whole @ whole.T},
        "huge units": {"K": 1e6 * kernel(rng, 5, 3)},
    }


def answer(K: Array) -> Array:
    """J K J (eq-kernel-pca-centring)."""
    return np.asarray(K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean())


def centred_one_side_only(K: Array) -> Array:
    """J K: columns lose their means."""
    return np.asarray(K - K.mean(axis=0))


def centred_the_other_side_only(K: Array) -> Array:
    """K J: rows lose their means."""
    return np.asarray(K - K.mean(axis=1, keepdims=True))


def forgot_the_mean_of_all(K: Array) -> Array:
    """Take both means away and give nothing back."""
    return np.asarray(K - K.mean(axis=0) - K.mean(axis=1, keepdims=True))


def took_the_mean_of_all_away(K: Array) -> Array:
    """The last sign is wrong."""
    return answer(K) - 2 * K.mean()


def subtracted_one_number(K: Array) -> Array:
    """K minus its grand mean."""
    return np.asarray(K - K.mean())


def treated_it_as_distances(K: Array) -> Array:
    """The formula for squared distances."""
    return -answer(K) / 2


def by_centring_matrix(K: Array) -> Array:
    """J K J."""
    J = np.eye(len(K)) - np.ones((len(K), len(K))) / len(K)
    return J @ K @ J


def by_two_steps(K: Array) -> Array:
    """First columns, then rows."""
    once = K - K.mean(axis=0)
    return np.asarray(once - once.mean(axis=1)[:, None])


centred_kernel = Task(
    kind="code",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    see="eq-kernel-pca-centring",
    misconceptions=(
        Misconception(
            centred_one_side_only,
            hint="Your matrix is not symmetric: one of the two features in each product was centred, the other not.",
            see="thm-kernel-pca-centring",
        ),
        Misconception(
            centred_the_other_side_only,
            hint="Your matrix is not symmetric: each row sums to zero, but the columns do not.",
            see="thm-kernel-pca-centring",
        ),
        Misconception(
            forgot_the_mean_of_all,
            hint="Rows should sum to zero. The product of the mean with itself was taken away twice and must come "
            "back once.",
            see="eq-kernel-pca-centring",
        ),
        Misconception(
            took_the_mean_of_all_away,
            hint="Rows should sum to zero. Look at the sign of the fourth term.",
            see="eq-kernel-pca-centring",
        ),
        Misconception(
            subtracted_one_number,
            hint="One number was taken from all entries. The mean feature has its own product with each feature.",
            see="eq-kernel-pca-centring",
        ),
        Misconception(
            treated_it_as_distances,
            hint="The factor −½ belongs to squared distances. Here the inner products themselves are given.",
            see="thm-kernel-pca-isomap",
        ),
    ),
    alternatives=(by_centring_matrix, by_two_steps),
    hard=hard,
)
