"""The geometry exercises: right answers pass on every road, half understanding earns its share."""

import functools

import numpy as np
import pytest
import scipy.special
import scipy.stats
import sympy as sp
from scipy.spatial.distance import cdist, pdist

from autograder.judging.check import verdict_on
from tests.tasks.drawing import draws_of, every_seed, numbers_of

drawn = draws_of("geometry")


# Other roads: scipy, simulation, exact geometry


@every_seed
def test_scipy_passes(seed):
    _, key = drawn("squared_distances", seed)
    assert verdict_on("", key, lambda X, Y: np.diag(cdist(X, Y, "sqeuclidean")) / X.shape[1]).passed
    _, key = drawn("effective_dimension", seed)

    def by_pdist(X):
        squares = pdist(X) ** 2
        return 2 * np.mean(squares) ** 2 / np.var(squares)

    assert verdict_on("", key, by_pdist).passed
    _, key = drawn("contrast", seed)

    def by_cdist(X, query, p):
        distances = cdist(X, query[None], "minkowski", p=p)
        return np.ptp(distances) / distances.min()

    assert verdict_on("", key, by_cdist).passed


@every_seed
def test_passing_a_rate_to_scipy_is_recognised(seed):
    _, key = drawn("distance_density", seed)
    by_scale = lambda z, D: scipy.stats.gamma.pdf(z, D / 2, scale=4 / D)  # noqa: E731
    assert verdict_on("", key, by_scale).passed
    by_rate = lambda z, D: scipy.stats.gamma.pdf(z, D / 2, scale=D / 4)  # noqa: E731
    assert verdict_on("", key, by_rate).misconception == "mistook_the_scale_for_a_rate"


@every_seed
def test_a_density_that_overflows_loses_only_the_situation_of_many_dimensions(seed):
    _, key = drawn("distance_density", seed)

    def overflowing(z, D):
        with np.errstate(all="ignore"):
            top, bottom = z ** (D / 2 - 1) * np.exp(-z * D / 4), np.exp(scipy.special.gammaln(D / 2))
            return top / (bottom * (4 / D) ** (D / 2))

    verdict = verdict_on("", key, overflowing)
    assert verdict.fraction == pytest.approx(2 / 3)
    assert verdict.misconception is None


@every_seed
def test_the_density_is_that_of_drawn_distances(seed):
    task, key = drawn("distance_density", seed)
    for case in key.cases[:2]:
        D = case.inputs["n_dimensions"]
        rng = np.random.default_rng(1)
        R = np.mean((rng.normal(size=(20_000, D)) - rng.normal(size=(20_000, D))) ** 2, axis=1)
        edges = np.quantile(R, np.linspace(0, 1, 21))
        middles, widths = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
        assert task.answer(middles[2:-2], D) * widths[2:-2] == pytest.approx(0.05, rel=0.15)


@every_seed
def test_the_flat_dimension_is_the_number_of_directions_needed(seed):
    task, key = drawn("flat_dimension", seed)
    expected = [task.answer(*case.inputs.values()) for case in key.cases]
    assert expected == [2, 2, 4, 3, 0]
    for case, r in zip(key.cases, expected, strict=True):
        X = case.inputs["X"]
        S = np.linalg.svd(X - X.mean(axis=0))[2][:r]
        assert np.allclose((X - X.mean(axis=0)) @ S.T @ S, X - X.mean(axis=0))
    assert verdict_on("", key, lambda X: float(task.answer(X))).passed


@every_seed
def test_drawn_points_have_the_mean_and_the_spread_of_the_spectrum(seed):
    task, key = drawn("directions_that_count", seed)
    (eigenvalues,) = numbers_of(key)
    rng = np.random.default_rng(0)
    differences = rng.normal(size=(200_000, 5)) - rng.normal(size=(200_000, 5))
    squares = np.sum(differences**2 * eigenvalues, axis=1)
    mean, dimension = task.answer(eigenvalues)
    assert squares.mean() == pytest.approx(mean, rel=0.01)
    assert 2 * squares.mean() ** 2 / squares.var() == pytest.approx(dimension, rel=0.03)


@every_seed
def test_the_smallest_dimension_is_the_smallest(seed):
    task, key = drawn("smallest_dimension", seed)
    D, parts = numbers_of(key)
    variance, smallest = task.answer(D, parts)
    spread = lambda D: scipy.stats.gamma(D / 2, scale=4 / D).std() / 2  # noqa: E731
    assert variance == pytest.approx(scipy.stats.gamma(D / 2, scale=4 / D).var())
    assert spread(smallest) <= 1 / parts + 1e-12 < spread(smallest - 1)
    assert verdict_on("", key, (sp.Rational(8, D), smallest)).passed


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    alpha, theta, D, s, p, x, z = sp.symbols("alpha theta D s p x z", positive=True)
    density = z ** (alpha - 1) * sp.exp(-z / theta) / (sp.gamma(alpha) * theta**alpha)
    first, second = (sp.simplify(sp.integrate(z**n * density, (z, 0, sp.oo))) for n in (1, 2))
    moments = [sp.integrate(x ** (n * p), (x, 0, 1)) for n in (1, 2)]
    variance = moments[1] - moments[0] ** 2
    spread = sp.sqrt(variance) / (p * moments[0])
    return {
        "gamma_moments": (
            [first, second, second - first**2],
            [alpha / theta, alpha * (alpha + 1) / theta**2, alpha / theta**2],
            "mistook_the_scale_for_a_rate",
        ),
        "distance_moments": (
            [2 * s**2, (sp.sqrt(8) * s**2) ** 2 / D],
            [2 * s**2, 8 * s**2 / D],
            "scaled_mean_and_variance_alike",
        ),
        "norm_spread": (
            [moments[0], variance, spread],
            [moments[0], variance, p * spread],
            "forgot_the_root_of_the_norm",
        ),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("squared_distances", "forgot_to_divide", 1 / 3),
    ("flat_dimension", "forgot_to_centre", 2 / 5),
    ("flat_dimension", "took_one_off_the_rank", 3 / 5),
    ("distance_density", "took_the_normal_limit", 0),
    ("effective_dimension", "counted_points_with_themselves", 0),
    ("effective_dimension", "divided_by_one_pair_less", 1 / 2),
    ("contrast", "forgot_the_root", 1 / 4),
    ("contrast", "forgot_the_absolute_values", 1 / 4),
    ("smallest_dimension", "forgot_to_divide_by_the_mean", 1 / 2),
]
