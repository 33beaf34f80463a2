"""The claims about distances in high dimension."""

import itertools

import numpy as np
import pytest
import scipy.stats
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from dimred_ref.geometry import GammaLaw, distance_law, effective_dimension, normalised_squared_distances

settings.register_profile("patient", deadline=None)  # a busy machine is not a wrong answer
settings.load_profile("patient")

seeds = st.integers(0, 2**32 - 1)


@pytest.mark.claim("thm-geometry-gamma-moments")
def test_mean_and_variance_of_the_gamma_law_follow_from_its_density():
    k, theta, z = sympy.symbols("k theta z", positive=True)
    density = z ** (k - 1) * sympy.exp(-z / theta) / (sympy.gamma(k) * theta**k)
    moment = [
        sympy.simplify(sympy.integrate(z**power * density, (z, 0, sympy.oo), conds="none"))
        for power in range(3)
    ]
    assert sympy.simplify(moment[0] - 1) == 0
    assert sympy.simplify(moment[1] - k * theta) == 0
    assert sympy.simplify(moment[2] - moment[1] ** 2 - k * theta**2) == 0


@given(st.floats(0.5, 500), st.floats(0.01, 10), st.floats(0.001, 20))
def test_density_and_distribution_agree_with_scipy(shape, scale, z):
    law, peer = GammaLaw(shape, scale), scipy.stats.gamma(shape, scale=scale)
    assert law.mean == pytest.approx(peer.mean())
    assert law.variance == pytest.approx(peer.var())
    assert law.density(z) == pytest.approx(peer.pdf(z), rel=1e-9, abs=1e-300)
    assert law.distribution(z) == pytest.approx(peer.cdf(z), rel=1e-9, abs=1e-300)
    assert law.density([-1.0, z])[0] == law.distribution(-1.0) == 0


@pytest.mark.claim("thm-geometry-distance-law")
@pytest.mark.parametrize("D", [1, 2, 10, 100])
def test_squared_distances_of_gaussian_points_follow_the_stated_law(D):
    rng = np.random.default_rng(D)
    sample = normalised_squared_distances(rng.normal(size=(4000, D)), rng.normal(size=(4000, D)))
    law = distance_law(D)
    assert scipy.stats.kstest(sample, law.distribution).pvalue > 1e-3
    assert law.mean == pytest.approx(2)
    assert law.variance == pytest.approx(8 / D)
    mistaken_for_a_rate = GammaLaw(D / 2, D / 4)
    if D != 4:
        assert scipy.stats.kstest(sample, mistaken_for_a_rate.distribution).pvalue < 1e-9


@pytest.mark.claim("thm-geometry-distance-law")
def test_half_the_squared_distance_is_chi_squared():
    for D in (1, 3, 20):
        z = np.linspace(0.1, 5, 7)
        assert distance_law(D).distribution(z) == pytest.approx(scipy.stats.chi2(D).cdf(D * z / 2))


@pytest.mark.claim("thm-geometry-concentration")
def test_the_relative_spread_falls_with_the_root_of_the_dimension():
    for spread, D in ((0.5, 8), (0.25, 32), (0.2, 50), (0.1, 200)):
        assert distance_law(D).relative_spread == pytest.approx(spread)
    worst = [
        np.abs(distance_law(D).distribution(z) - scipy.stats.norm(2, np.sqrt(8 / D)).cdf(z)).max()
        for D in (10, 100, 1000, 10_000)
        for z in [np.linspace(0, 4, 2001)]
    ]
    assert all(later < 0.4 * earlier for earlier, later in itertools.pairwise(worst))


@given(seeds, st.integers(1, 5), st.integers(1, 6))
def test_normalised_squared_distances_agree_with_a_loop(seed, n_pairs, D):
    X, Y = np.random.default_rng(seed).normal(size=(2, n_pairs, D))
    expected = [sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) / D for x, y in zip(X, Y, strict=True)]
    assert normalised_squared_distances(X, Y) == pytest.approx(expected)


@pytest.mark.claim("thm-geometry-effective-dimension")
@pytest.mark.parametrize("d", [5, 10, 20, 50])
def test_the_spread_of_distances_betrays_the_dimension_of_a_hidden_gaussian(d):
    rng = np.random.default_rng(d)
    basis = np.linalg.qr(rng.normal(size=(4 * d, d)))[0]
    X = 3 * rng.normal(size=(1000, d)) @ basis.T + rng.normal(size=4 * d)
    assert effective_dimension(X) == pytest.approx(d, rel=0.15)


@pytest.mark.claim("thm-geometry-effective-dimension")
def test_unequal_variances_lower_the_effective_dimension():
    eigenvalues = np.array([9.0, 4.0, 1.0, 1.0, 1.0])
    X = np.random.default_rng(0).normal(size=(2000, 5)) * np.sqrt(eigenvalues)
    expected = eigenvalues.sum() ** 2 / np.sum(eigenvalues**2)
    assert effective_dimension(X) == pytest.approx(expected, rel=0.1)


def test_effective_dimension_by_hand():
    # Squared distances 1, 1, 4: mean 2, variance 2.
    assert effective_dimension([[0.0], [1.0], [2.0]]) == pytest.approx(4)
    assert effective_dimension([[0.0, 0.0], [3.0, 0.0], [6.0, 0.0]]) == pytest.approx(4)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: distance_law(0), "n_dimensions must be between 1"),
        (lambda: distance_law(2.5), "n_dimensions must be a whole number"),
        (lambda: normalised_squared_distances(np.eye(2), np.eye(3)), "Y must have the shape \\(2, 2\\) of X"),
        (lambda: effective_dimension(np.eye(2)), "at least 3 rows, got 2"),
        (lambda: effective_dimension(np.eye(4)), "all pairs equally far apart"),
        (lambda: effective_dimension(np.ones((4, 2))), "all pairs equally far apart"),
        (lambda: effective_dimension([[np.nan], [1.0], [2.0]]), "X must be finite"),
    ],
)
def test_bad_arguments_are_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
