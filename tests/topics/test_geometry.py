"""The claims about distances in high dimension."""

import itertools

import numpy as np
import pytest
import scipy.integrate
import scipy.spatial.distance
import scipy.special
import scipy.stats
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.random_projection import johnson_lindenstrauss_min_dim

from dimred_ref.geometry import (
    GammaLaw,
    distance_law,
    effective_dimension,
    johnson_lindenstrauss_dimension,
    normalised_squared_distances,
    random_projection,
)

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


# The claims of the chapter that need no function of the module


@pytest.mark.claim("thm-geometry-difference")
def test_the_difference_of_two_normal_numbers_has_variance_two():
    s, t = sympy.symbols("s t", real=True)

    def normal(x):
        return sympy.exp(-(x**2) / 2) / sympy.sqrt(2 * sympy.pi)

    density = sympy.integrate(sympy.expand(normal(t + s) * normal(s)), (s, -sympy.oo, sympy.oo))
    assert sympy.simplify(density - sympy.exp(-(t**2) / 4) / sympy.sqrt(4 * sympy.pi)) == 0


@pytest.mark.claim("thm-geometry-gamma-moments")
@given(st.floats(0.5, 50), st.floats(0.01, 10))
def test_moments_and_skewness_of_a_gamma_law_agree_with_scipy(shape, scale):
    peer = scipy.stats.gamma(shape, scale=scale)
    rising = 1.0
    for n in range(1, 5):
        rising *= (shape + n - 1) * scale
        assert peer.moment(n) == pytest.approx(rising)
    assert float(peer.stats("s")) == pytest.approx(2 / np.sqrt(shape))
    assert GammaLaw(shape, scale).relative_spread == pytest.approx(peer.std() / peer.mean())


@pytest.mark.claim("thm-geometry-gamma-rules")
@given(st.floats(0.6, 8), st.floats(0.6, 8), st.floats(0.1, 5), st.floats(0.1, 9))
@settings(max_examples=30)
def test_gamma_laws_scale_and_add(alpha, beta, theta, z):
    first, second = GammaLaw(alpha, theta), GammaLaw(beta, theta)
    assert GammaLaw(alpha, 3 * theta).distribution(z) == pytest.approx(float(first.distribution(z / 3)))
    # The probability that the sum is at most z: integrate over the value t of the first.
    below, _ = scipy.integrate.quad(
        lambda t: float(first.density(t) * second.distribution(z - t)), 0, z, limit=200
    )
    assert GammaLaw(alpha + beta, theta).distribution(z) == pytest.approx(below, rel=1e-5, abs=1e-9)


@pytest.mark.claim("thm-geometry-gamma-rules")
def test_laws_of_different_scales_do_not_add():
    rng = np.random.default_rng(0)
    total = rng.gamma(2, 1, size=5000) + rng.gamma(2, 5, size=5000)
    for scale in (1, 3, 5):
        assert scipy.stats.kstest(total, GammaLaw(4, scale).distribution).pvalue < 1e-6


@pytest.mark.claim("thm-geometry-chi-squared")
def test_the_square_of_a_normal_number_has_the_gamma_law_of_shape_one_half():
    z = sympy.symbols("z", positive=True)
    below = sympy.erf(sympy.sqrt(z / 2))  # the probability that |g| is at most √z
    gamma_density = (
        z ** sympy.Rational(-1, 2) * sympy.exp(-z / 2) / (sympy.gamma(sympy.Rational(1, 2)) * sympy.sqrt(2))
    )
    assert sympy.simplify(sympy.diff(below, z) - gamma_density) == 0


@pytest.mark.claim("thm-geometry-chi-squared")
@pytest.mark.parametrize("D", [1, 4, 30])
def test_half_the_squared_distance_of_drawn_points_is_chi_squared(D):
    X, Y = np.random.default_rng(D).normal(size=(2, 5000, D))
    half = D * normalised_squared_distances(X, Y) / 2
    assert scipy.stats.kstest(half, scipy.stats.chi2(D).cdf).pvalue > 1e-3
    assert scipy.stats.kstest(2 * half, scipy.stats.chi2(D).cdf).pvalue < 1e-6


@pytest.mark.claim("thm-geometry-concentration")
@given(st.integers(1, 5000), st.floats(0.05, 3))
def test_the_inequality_of_chebyshev_holds(D, epsilon):
    law = distance_law(D)
    beyond = law.distribution(2 - epsilon) + 1 - law.distribution(2 + epsilon)
    assert beyond <= 8 / (D * epsilon**2) + 1e-12


COORDINATES = {  # a law of one coordinate, then mean and variance of (x − y)²
    "normal": (lambda rng, shape: rng.normal(size=shape), 2, 8),
    "uniform": (lambda rng, shape: rng.uniform(size=shape), 1 / 6, 7 / 180),
    "coin": (lambda rng, shape: rng.integers(0, 2, size=shape).astype(float), 1 / 2, 1 / 4),
}


@pytest.mark.claim("thm-geometry-raw-distance")
@pytest.mark.parametrize("law", COORDINATES)
def test_the_raw_distance_keeps_its_spread(law):
    draw, m, s_squared = COORDINATES[law]
    rng = np.random.default_rng(7)
    squares = (draw(rng, 200_000) - draw(rng, 200_000)) ** 2
    assert squares.mean() == pytest.approx(m, rel=0.02)
    assert squares.var() == pytest.approx(s_squared, rel=0.03)
    distances = np.concatenate(
        [np.linalg.norm(draw(rng, (2000, 300)) - draw(rng, (2000, 300)), axis=1) for _ in range(5)]
    )
    assert distances.std() == pytest.approx(np.sqrt(s_squared / (4 * m)), rel=0.04)
    assert distances.mean() == pytest.approx(np.sqrt(300 * m), abs=0.05)


@pytest.mark.claim("thm-geometry-raw-distance")
def test_the_constants_of_normal_points_and_of_the_cube_are_exact():
    t = sympy.symbols("t", positive=True)
    mean = 2 * sympy.integrate(t**2 * (1 - t), (t, 0, 1))
    variance = 2 * sympy.integrate(t**4 * (1 - t), (t, 0, 1)) - mean**2
    assert (mean, variance) == (sympy.Rational(1, 6), sympy.Rational(7, 180))
    assert variance / (4 * mean) == sympy.Rational(7, 120)
    for dimension in (10, 1000, 100_000):
        log_mean = (
            np.log(2) + scipy.special.gammaln((dimension + 1) / 2) - scipy.special.gammaln(dimension / 2)
        )
        sd = np.sqrt(2 * dimension - np.exp(2 * log_mean))
        assert abs(sd - 1) < 1 / dimension + 1e-4


@pytest.mark.claim("thm-geometry-equidistant")
@given(seeds, st.integers(3, 6), st.sampled_from(["normal", "uniform", "coin"]))
@settings(max_examples=30)
def test_in_many_dimensions_all_pairs_are_nearly_equally_far_apart(seed, N, law):
    draw, m, s_squared = COORDINATES[law]
    D, epsilon = 4000, m / 2
    squares = scipy.spatial.distance.pdist(draw(np.random.default_rng(seed), (N, D)), "sqeuclidean") / D
    # The bound allows a failure in at most so large a share of draws; here none may come near it.
    assert N * (N - 1) / 2 * s_squared / (D * epsilon**2) < 0.05
    assert np.abs(squares - m).max() < epsilon
    assert np.sqrt(squares.max() / squares.min()) < np.sqrt(3)


@pytest.mark.claim("thm-geometry-equidistant")
def test_the_ratio_of_farthest_to_nearest_falls_to_one():
    rng = np.random.default_rng(0)
    ratios = []
    for D in (2, 50, 1000, 20_000):
        distances = scipy.spatial.distance.pdist(rng.normal(size=(15, D)))
        ratios.append(distances.max() / distances.min())
    assert all(later - 1 < 0.5 * (earlier - 1) for earlier, later in itertools.pairwise(ratios))
    assert ratios[-1] < 1.05


@pytest.mark.claim("thm-geometry-exponential")
@pytest.mark.parametrize("D", [1, 3, 20, 100, 1000])
def test_the_exponential_bound_holds_for_one_pair(D):
    law = scipy.stats.chi2(D)
    for epsilon in np.linspace(0.01, 0.99, 50):
        bound = np.exp(-D * (epsilon**2 / 4 - epsilon**3 / 6))
        assert law.sf((1 + epsilon) * D) <= bound
        assert law.cdf((1 - epsilon) * D) <= np.exp(-D * epsilon**2 / 4)


@pytest.mark.claim("thm-geometry-exponential")
def test_all_pairs_keep_the_exponential_bound():
    N, D, epsilon = 5, 300, 0.28
    promised = N * (N - 1) * np.exp(-D * (epsilon**2 / 4 - epsilon**3 / 6))
    failures = sum(
        np.abs(scipy.spatial.distance.pdist(points, "sqeuclidean") / (2 * D) - 1).max() >= epsilon
        for points in np.random.default_rng(5).normal(size=(400, N, D))
    )
    assert 0 < failures / 400 <= promised < 0.3


@pytest.mark.claim("thm-geometry-exponential")
def test_without_its_cubic_term_the_bound_is_false():
    D, epsilon = 400, 0.9
    assert scipy.stats.chi2(D).sf((1 + epsilon) * D) > np.exp(-D * epsilon**2 / 4)


@pytest.mark.claim("thm-geometry-johnson-lindenstrauss")
@given(seeds)
@settings(max_examples=20)
def test_a_random_projection_of_the_promised_size_keeps_all_distances(seed):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(6, 900)), np.eye(3, 900), 1e4 * rng.uniform(size=(3, 900))])
    m = johnson_lindenstrauss_dimension(len(X), 0.5, failure=1e-6)
    before = scipy.spatial.distance.pdist(X, "sqeuclidean")
    after = scipy.spatial.distance.pdist(random_projection(X, m, seed=seed), "sqeuclidean")
    assert np.abs(after / before - 1).max() <= 0.5


@pytest.mark.claim("thm-geometry-johnson-lindenstrauss")
def test_far_fewer_directions_fail_and_the_bound_does_not_know_the_dimension():
    X = np.random.default_rng(2).normal(size=(12, 900))
    ratios = scipy.spatial.distance.pdist(random_projection(X, 8), "sqeuclidean")
    ratios /= scipy.spatial.distance.pdist(X, "sqeuclidean")
    assert np.abs(ratios - 1).max() > 0.5
    m = johnson_lindenstrauss_dimension(1000, 0.2)
    exponent = 0.2**2 / 4 - 0.2**3 / 6
    assert 1000 * 999 * np.exp(-m * exponent) <= 0.01 < 1000 * 999 * np.exp(-(m - 1) * exponent)
    # scikit-learn's bound is 4 log N / (ε²/2 − ε³/3), without the chance of failure
    assert abs(m - johnson_lindenstrauss_min_dim(1000, eps=0.2)) < np.log(100) / exponent + 2


@pytest.mark.parametrize(("distortion", "failure"), [(0, 0.1), (1, 0.1), (0.5, 0), (0.5, 1), (np.nan, 0.1)])
def test_impossible_distortions_are_refused(distortion, failure):
    with pytest.raises(ValueError, match="must be between 0 and 1"):
        johnson_lindenstrauss_dimension(10, distortion, failure=failure)


@pytest.mark.claim("thm-geometry-norm-contrast")
def test_the_relative_spread_of_a_norm_is_one_over_the_root_of_two_p_plus_one():
    t, p = sympy.symbols("t p", positive=True)
    mean = sympy.integrate(t**p, (t, 0, 1))
    variance = sympy.integrate(t ** (2 * p), (t, 0, 1)) - mean**2
    assert sympy.simplify(variance / (p * mean) ** 2 - 1 / (2 * p + 1)) == 0
    X = np.random.default_rng(3).uniform(size=(8000, 300))
    for exponent in (1, 2, 3.5):
        ratio = (np.sum(X**exponent, axis=1) * (exponent + 1) / 300) ** (1 / exponent)
        limit = scipy.stats.norm(0, (2 * exponent + 1) ** -0.5)
        assert scipy.stats.kstest(np.sqrt(300) * (ratio - 1), limit.cdf).statistic < 0.03


@pytest.mark.claim("thm-geometry-norm-contrast")
def test_the_manhattan_distance_contrasts_better_as_published():
    published = {2: 0.850, 3: 0.887, 4: 0.913, 10: 0.956, 15: 0.961, 20: 0.971, 100: 0.982}
    rng = np.random.default_rng(0)
    for D, share in published.items():
        points = rng.uniform(size=(3000, 10, D))
        contrast = {}
        for p in (1, 2):
            lengths = np.linalg.norm(points, ord=p, axis=2)
            contrast[p] = lengths.max(axis=1) / lengths.min(axis=1) - 1
        assert np.mean(contrast[1] > contrast[2]) == pytest.approx(share, abs=0.02)


@pytest.mark.claim("thm-geometry-effective-dimension")
@given(st.lists(st.floats(0.01, 10), min_size=1, max_size=8))
def test_the_limit_lies_between_one_and_the_number_of_directions(eigenvalues):
    limit = sum(eigenvalues) ** 2 / sum(value**2 for value in eigenvalues)
    assert 1 - 1e-12 <= limit <= len(eigenvalues) + 1e-12
    if max(eigenvalues) > 1.01 * min(eigenvalues):
        assert limit < len(eigenvalues)


@pytest.mark.claim("thm-geometry-effective-dimension")
@given(seeds, st.floats(0.1, 10))
def test_unit_place_and_axes_do_not_matter(seed, unit):
    rng = np.random.default_rng(seed)
    X, turn, shift = rng.normal(size=(12, 4)), np.linalg.qr(rng.normal(size=(4, 4)))[0], rng.normal(size=4)
    assert effective_dimension(unit * X @ turn + shift) == pytest.approx(effective_dimension(X))


@pytest.mark.claim("thm-geometry-flat-dimension")
@given(seeds, st.integers(2, 8), st.integers(1, 7), st.integers(0, 4))
def test_the_smallest_flat_has_the_rank_of_the_centred_samples(seed, N, D, rank):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, rank)) @ rng.normal(size=(rank, D)) + 5 * rng.normal(size=D)
    centred = X - X.mean(axis=0)
    found = np.linalg.matrix_rank(centred, tol=1e-9)
    assert found == min(rank, N - 1, D)
    eigenvalues, vectors = np.linalg.eigh(centred.T @ centred / N)
    assert np.sum(eigenvalues > 1e-14) == found
    # Inside the flat through the mean nothing is left over; without its weakest direction something is.
    S = vectors[:, D - found :]
    assert np.allclose(centred, centred @ S @ S.T)
    if found:
        fewer = S[:, 1:]
        assert not np.allclose(centred, centred @ fewer @ fewer.T, atol=1e-9)


@pytest.mark.claim("thm-geometry-intrinsic-flat")
@pytest.mark.parametrize("D", range(1, 8))
def test_the_moment_curve_lies_in_no_flat(D):
    points = sympy.Matrix(D + 1, D, lambda i, j: sympy.Rational(i + 1, D + 2) ** (j + 1))
    differences = points[1:, :] - sympy.ones(D, 1) * points[:1, :]
    assert differences.rank() == D


@pytest.mark.claim("thm-geometry-intrinsic-flat")
@given(seeds, st.integers(1, 3), st.integers(3, 8), st.integers(3, 6))
def test_intrinsic_dimension_is_at_most_the_flat_one_and_the_same_in_new_parameters(seed, d, D, rank):
    rng = np.random.default_rng(seed)
    mix, waves = rng.normal(size=(D, rank)), rng.normal(size=(rank, d))
    phase = rng.uniform(0, 2 * np.pi, size=rank)

    def place(u):
        return mix @ np.sin(waves @ u + phase)

    def jacobian(parametrisation, u):
        steps = 1e-5 * np.eye(len(u))
        return np.column_stack([(parametrisation(u + h) - parametrisation(u - h)) / 2e-5 for h in steps])

    u0 = rng.normal(size=d)
    bend = np.linalg.qr(rng.normal(size=(d, d)))[0]
    old = np.linalg.matrix_rank(jacobian(place, u0), tol=1e-6)
    # New parameters w with u = u₀ + B sinh(w): another description of the same set around the same point.
    new = np.linalg.matrix_rank(jacobian(lambda w: place(u0 + bend @ np.sinh(w)), np.zeros(d)), tol=1e-6)
    samples = np.array([place(u) for u in rng.normal(size=(40, d))])
    flat = np.linalg.matrix_rank(samples - samples.mean(axis=0), tol=1e-9)
    assert new == old <= flat <= D
