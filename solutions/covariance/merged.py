"""Task `merged`: the covariance of several samples together, from the summaries of each."""

import numpy as np

from autograder.authoring import task
from dimred_ref.covariance import covariance
from solutions.numbers import Array, cloud


def _case(rng: np.random.Generator, sizes: tuple[int, ...], spectrum: tuple[float, ...]) -> dict[str, Array]:
    """Summaries of samples whose means visibly differ in every feature."""
    D = len(spectrum)
    covariances = np.zeros((len(sizes), D, D))
    for g, size in enumerate(sizes):
        if size > 1:
            covariances[g] = np.round(covariance(cloud(rng, 8, spectrum, (0.0,) * D)), 3)
    steps = rng.choice([-1, 1], size=D) * np.arange(len(sizes))[:, None]
    means = np.round(rng.uniform(-1, 1, size=(len(sizes), D)) + 4 * steps, 1)
    return {"sizes": np.array(sizes, dtype=float), "means": means, "covariances": covariances}


def _between(weights: Array, means: Array) -> Array:
    """Σ_g w_g (μ_g − μ)(μ_g − μ)ᵀ."""
    gaps = means - weights @ means
    return (gaps * weights[:, None]).T @ gaps


@task.code(points=3, minutes=15, see="thm-covariance-groups")
def merged(sizes: Array, means: Array, covariances: Array) -> Array:
    """Within plus between (eq-covariance-groups)."""
    weights = sizes / sizes.sum()
    return np.tensordot(weights, covariances, axes=1) + _between(weights, means)


@merged.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Sizes alike and unlike, a shared mean, a sample that is a single point; as many groups as features nowhere."""
    shared = _case(rng, (4, 9), (2.0, 1.0, 0.5))
    shared["means"][1] = shared["means"][0]
    tiny = _case(rng, (7, 3, 5, 5), (3.0, 1.0))
    return {
        "two samples of the same size": _case(rng, (6, 6), (4.0, 2.0, 1.0)),
        "three samples of different sizes": _case(rng, (5, 20, 9), (3.0, 2.0)),
        "the same mean": shared,
        "one new point": _case(rng, (8, 1), (3.0, 1.0, 0.5, 0.2)),
        "four samples in a tiny unit": {
            "sizes": tiny["sizes"],
            "means": np.round(1e-5 * tiny["means"], 6),
            "covariances": np.round(1e-10 * tiny["covariances"], 13),
        },
    }


@merged.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One sample only, one feature, whole numbers, two alike, large units."""
    sizes, means, covariances = _case(rng, (5, 20, 9), (3.0, 2.0, 1.0)).values()
    return {
        "one sample only": {"sizes": sizes[:1], "means": means[:1], "covariances": covariances[:1]},
        "one feature": {"sizes": sizes, "means": means[:, :1], "covariances": covariances[:, :1, :1]},
        "as many groups as features": {"sizes": sizes, "means": means, "covariances": covariances},
        "whole numbers": {
            "sizes": np.array([3, 8]),
            "means": np.array([[1, -2, 4], [3, 0, -5]]),
            "covariances": np.array([np.diag([1, 2, 3]), np.diag([4, 1, 2])]),
        },
        "two laboratories alike": {
            "sizes": sizes[[0, 0, 1]],
            "means": means[[0, 0, 1]],
            "covariances": covariances[[0, 0, 1]],
        },
        "a large unit": {"sizes": sizes, "means": 1e6 * means, "covariances": 1e12 * covariances},
    }


@merged.wrong(
    "Two tight clumps far apart are one wide sample. Where does the distance between the means enter?",
    see="eq-covariance-groups",
)
def ignored_the_means(sizes: Array, means: Array, covariances: Array) -> Array:
    """Only the spread within the samples."""
    return np.average(covariances, axis=0, weights=sizes)


@merged.wrong("A sample of twenty points should count for more than one of five.", see="eq-covariance-groups")
def averaged_without_weights(sizes: Array, means: Array, covariances: Array) -> Array:
    """As if all samples had the same size."""
    return merged(np.ones_like(sizes), means, covariances)


@merged.wrong(
    "Nearly. The mean of all points together is not the plain average of the samples' means: a large sample pulls "
    "harder.",
    credit=0.5,
)
def took_the_mean_of_the_means(sizes: Array, means: Array, covariances: Array) -> Array:
    """Weights everywhere, but the gaps measured from the unweighted mean of the means."""
    gaps = means - means.mean(axis=0)
    weights = sizes / sizes.sum()
    return np.tensordot(weights, covariances, axes=1) + (gaps * weights[:, None]).T @ gaps


@merged.wrong(
    "Merge a sample with a copy of itself: its covariance should not change. Does yours?",
    see="eq-covariance-groups",
)
def added_the_covariances(sizes: Array, means: Array, covariances: Array) -> Array:
    """The sum of the covariances, and the scatter between."""
    return covariances.sum(axis=0) + _between(sizes / sizes.sum(), means)


@merged.wrong(
    "When all samples have the same mean, your covariance is zero, however wide they are.",
    see="eq-covariance-groups",
)
def took_only_the_gaps(sizes: Array, means: Array, covariances: Array) -> Array:
    """The covariance of the means."""
    return _between(sizes / sizes.sum(), means)


@merged.wrong(
    "The diagonal is right. Samples whose means differ in two features make these features vary together.",
    see="eq-covariance-groups",
    credit=0.25,
)
def squared_the_gaps_feature_by_feature(sizes: Array, means: Array, covariances: Array) -> Array:
    """Only the diagonal of the spread between the samples."""
    within = ignored_the_means(sizes, means, covariances)
    return within + np.diag(np.diag(_between(sizes / sizes.sum(), means)))


@merged.wrong("Right up to a factor near one: the divisor is N, the number of all samples, not N − 1.")
def divided_by_n_minus_one(sizes: Array, means: Array, covariances: Array) -> Array:
    """Divisor N − 1."""
    return merged(sizes, means, covariances) * sizes.sum() / (sizes.sum() - 1)


@merged.also
def by_raw_moments(sizes: Array, means: Array, covariances: Array) -> Array:
    """Moments about the origin add up; centre at the end."""
    raw = sum(n * (C + np.outer(mean, mean)) for n, mean, C in zip(sizes, means, covariances, strict=True))
    mean = sizes @ means / sizes.sum()
    return raw / sizes.sum() - np.outer(mean, mean)


@merged.also
def one_after_the_other(sizes: Array, means: Array, covariances: Array) -> Array:
    """Merge two, then the result with the next."""
    n, mean, C = sizes[0], means[0], covariances[0]
    for m, other, D in zip(sizes[1:], means[1:], covariances[1:], strict=True):
        gap, N = other - mean, n + m
        C = (n * C + m * D) / N + n * m / N**2 * np.outer(gap, gap)
        n, mean = N, mean + m / N * gap
    return C
