"""The claims about covariance matrices: spread, semidefiniteness, ellipsoids, rank."""

import itertools

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dimred_ref.covariance import (
    centred,
    column_means,
    covariance,
    covariance_rank,
    ellipsoid_axes,
    is_affinely_independent,
    mean_and_gram,
    mean_and_scatter,
    mean_and_total,
    scatter,
)

settings.register_profile("patient", deadline=None)  # a busy machine is not a wrong answer
settings.load_profile("patient")

seeds = st.integers(0, 2**32 - 1)
clouds = st.tuples(st.integers(1, 9), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(-50, 50, width=16))
)


@pytest.mark.claim("thm-covariance-projection")
@given(clouds, seeds)
def test_the_variance_of_a_projection_is_the_quadratic_form_of_the_covariance(X, seed):
    u = np.random.default_rng(seed).normal(size=X.shape[1])
    assert u @ covariance(X) @ u == pytest.approx(np.var(X @ u), abs=1e-8)
    assert (X @ u).mean() == pytest.approx(column_means(X) @ u, abs=1e-8)


@given(clouds, st.integers(0, 1))
def test_covariance_is_the_average_of_products_of_deviations(X, ddof):
    if len(X) <= ddof:
        return
    means = [sum(column) / len(X) for column in X.T]
    expected = [
        [sum((x[a] - means[a]) * (x[b] - means[b]) for x in X) / (len(X) - ddof) for b in range(X.shape[1])]
        for a in range(X.shape[1])
    ]
    assert covariance(X, ddof=ddof) == pytest.approx(np.array(expected), abs=1e-9)
    assert scatter(X) == pytest.approx((len(X) - ddof) * np.array(expected), abs=1e-8)
    assert centred(X) == pytest.approx(X - means, abs=1e-12)


@pytest.mark.claim("thm-covariance-equivariance")
@given(clouds, seeds)
def test_shifts_leave_the_covariance_alone_and_linear_maps_act_on_both_sides(X, seed):
    rng = np.random.default_rng(seed)
    A, shift = rng.normal(size=(3, X.shape[1])), rng.normal(size=3) * 100
    expected = A @ covariance(X) @ A.T
    assert covariance(X @ A.T + shift) == pytest.approx(expected, abs=1e-8 * (1 + np.abs(expected).max()))


@pytest.mark.claim("thm-covariance-parallel-axes")
def test_moments_about_any_point_differ_from_the_scatter_by_the_outer_product_of_the_shift():
    N = 3
    X = sympy.Matrix(N, 2, sympy.symbols(f"x1:{2 * N + 1}"))
    c = sympy.Matrix(1, 2, sympy.symbols("c1:3"))
    ones = sympy.ones(N, 1)
    mean = ones.T * X / N
    about_c, about_mean = X - ones * c, X - ones * mean
    excess = about_c.T * about_c - N * (mean - c).T * (mean - c) - about_mean.T * about_mean
    assert excess.expand() == sympy.zeros(2, 2)


@pytest.mark.claim("thm-covariance-unbiased")
@given(st.integers(1, 9), st.integers(1, 9))
def test_dividing_by_one_less_is_right_on_average_over_all_samples(step, n_values):
    population = step * np.arange(n_values + 1.0)
    samples = [np.array(pair)[:, None] for pair in itertools.product(population, repeat=2)]
    unbiased = np.mean([covariance(sample, ddof=1)[0, 0] for sample in samples])
    biased = np.mean([covariance(sample)[0, 0] for sample in samples])
    assert unbiased == pytest.approx(np.var(population))
    assert biased == pytest.approx(np.var(population) / 2)


@pytest.mark.claim("thm-covariance-semidefinite")
@given(clouds)
def test_no_eigenvalue_is_negative(X):
    C = covariance(X)
    assert np.linalg.eigvalsh(C)[0] >= -1e-12 * max(np.trace(C), 1)
    assert np.array_equal(C, C.T)


@pytest.mark.claim("thm-covariance-ellipsoid")
@given(seeds, st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_points_of_the_ellipsoid_solve_its_equation(seed, lengths):
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(len(lengths),) * 2))[0]
    C = Q * np.square(lengths, dtype=float) @ Q.T
    axes = ellipsoid_axes(C)
    assert axes.semi_axes == pytest.approx(sorted(lengths, reverse=True))
    on_sphere = rng.normal(size=len(lengths))
    on_sphere /= np.linalg.norm(on_sphere)
    x = axes.directions @ (axes.semi_axes * on_sphere)
    assert x @ np.linalg.solve(C, x) == pytest.approx(1)
    assert axes.directions * axes.semi_axes**2 == pytest.approx(C @ axes.directions, abs=1e-9 * 81)


def test_a_covariance_with_square_eigenvalues_has_whole_semi_axes():
    axes = ellipsoid_axes([[5, 2], [2, 8]])  # eigenvalue 9 along (1, 2), 4 along (2, −1)
    assert axes.semi_axes == pytest.approx([3, 2])
    assert np.abs(axes.directions) == pytest.approx(np.array([[1, 2], [2, 1]]) / np.sqrt(5))


def test_a_singular_covariance_gives_a_flat_ellipsoid():
    assert ellipsoid_axes([[1, 1], [1, 1]]).semi_axes == pytest.approx([np.sqrt(2), 0])
    assert ellipsoid_axes(np.zeros((2, 2))).semi_axes.tolist() == [0, 0]


@pytest.mark.claim("thm-covariance-rank")
@pytest.mark.parametrize("n_samples", range(1, 8))
@pytest.mark.parametrize("n_features", range(1, 6))
def test_generic_samples_vary_in_as_many_dimensions_as_possible(n_samples, n_features):
    X = np.random.default_rng(0).normal(size=(n_samples, n_features))
    for Y in (X, X + 1000, X * 1e-9, 1e6 * X):
        assert covariance_rank(Y) == min(n_features, n_samples - 1)


@pytest.mark.claim("thm-covariance-rank")
@given(seeds, st.integers(0, 3), st.integers(2, 9), st.integers(3, 6))
def test_rank_is_the_dimension_of_the_flat_that_holds_the_samples(seed, dimension, n_samples, n_features):
    rng = np.random.default_rng(seed)
    coordinates = rng.normal(size=(n_samples, dimension))
    X = coordinates @ rng.normal(size=(dimension, n_features)) + rng.normal(size=n_features)
    for far in (0, 1e8):  # far away every entry is rounded to a multiple of 2⁻²⁶
        assert covariance_rank(X + far) == min(dimension, n_samples - 1)


@pytest.mark.claim("thm-covariance-rank")
def test_shares_that_sum_to_one_have_a_singular_covariance():
    shares = np.random.default_rng(1).dirichlet(np.ones(4), size=100)
    assert covariance_rank(shares) == 3
    assert covariance(shares) @ np.ones(4) == pytest.approx(0, abs=1e-15)


def test_samples_that_do_not_vary_have_rank_zero():
    for value in (0.0, 0.1, 1e8 / 3):
        assert covariance_rank(np.full((7, 3), value)) == 0
        assert not covariance(np.full((7, 3), value)).any()


@pytest.mark.claim("thm-covariance-affine-independence")
def test_covariance_is_invertible_exactly_for_affinely_independent_points():
    t = sympy.symbols("t")
    points = sympy.Matrix([[1, 1], [3, 4], [5, 1 + t]])
    about_mean = points - sympy.ones(3, 1) * (sympy.ones(1, 3) * points) / 3
    assert sympy.solve((about_mean.T * about_mean).det(), t) == [6]
    for value in range(-9, 10):
        X = np.array(points.subs(t, value)).astype(float)
        assert is_affinely_independent(X) == (value != 6) == (covariance_rank(X) == 2)


@pytest.mark.claim("thm-covariance-affine-independence")
@given(arrays(np.float64, (4, 3), elements=st.integers(-3, 3)))
def test_affine_independence_agrees_with_exact_arithmetic(X):
    exact = sympy.Matrix(X.astype(int).tolist())
    differences = exact[1:, :] - sympy.ones(3, 1) * exact[0, :]
    assert is_affinely_independent(X) == (differences.det() != 0)


def test_linear_independence_of_pairs_is_not_enough():
    assert not is_affinely_independent([[1, 1], [2, 1], [3, 1]])
    assert is_affinely_independent([[0, 0], [1, 0]])
    assert is_affinely_independent([[5.0, 5.0]])
    assert not is_affinely_independent([[5.0], [5.0]])
    assert not is_affinely_independent([[1.0], [2.0], [3.0]])


@pytest.mark.parametrize("lines", [1, 2, 5, 100])
def test_sums_over_blocks_are_the_sums_over_all(monkeypatch, lines):
    monkeypatch.setattr("dimred_ref.covariance.ENTRIES_PER_BLOCK", 1)
    monkeypatch.setattr("dimred_ref.covariance.LEAST_LINES_PER_BLOCK", lines)
    X = np.random.default_rng(2).normal(size=(11, 7)) + 1e6
    X_c = X - X.mean(axis=0)
    mean, S = mean_and_scatter(X)
    same_mean, G = mean_and_gram(X)
    third_mean, total = mean_and_total(X)
    assert third_mean == pytest.approx(mean, rel=1e-14)
    assert total == pytest.approx(np.trace(S), abs=1e-7)
    assert mean == pytest.approx(X.mean(axis=0), rel=1e-14)
    assert same_mean == pytest.approx(mean, rel=1e-14)
    assert S == pytest.approx(X_c.T @ X_c, abs=1e-7)
    assert G == pytest.approx(X_c @ X_c.T, abs=1e-7)


def test_the_mean_of_a_long_column_far_from_zero_keeps_its_digits():
    columns = np.random.default_rng(3).normal(size=(100_000, 3)) + 1e9
    exact = 1e9 + np.mean(columns - 1e9, axis=0)
    assert np.abs(column_means(columns) - exact).max() <= 2.4e-7  # two units in the last place


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: covariance([[1.0, np.nan]]), "X must be finite"),
        (lambda: covariance([[1.0, 2.0]], ddof=1), "ddof must be between 0 and 0, got 1"),
        (lambda: covariance([1.0, 2.0]), "X must be a matrix"),
        (lambda: centred([["a"]]), "real numbers"),
        (lambda: scatter([[1e200], [-1e200]]), "squares that can be summed"),
        (lambda: ellipsoid_axes([[1.0, 0.0], [0.0, -1.0]]), "no negative eigenvalue, got -1"),
        (lambda: ellipsoid_axes([[1.0, 2.0], [0.0, 1.0]]), "C must be symmetric"),
        (lambda: covariance_rank(np.zeros((0, 2))), "at least 1 rows, got 0"),
    ],
)
def test_bad_arguments_are_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
