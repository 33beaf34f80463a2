"""The claims of the chapter on PCA in practice."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dimred_ref.covariance import covariance
from dimred_ref.datasets import batch_effect, digits
from dimred_ref.pca import pca, reconstruction_error
from dimred_ref.practice import (
    cumulative_variance_ratio,
    loadings,
    n_components_for,
    normalised_scores,
    outlier_scores,
    regress_out,
    scores,
    standardised,
    without_leading_components,
)

seeds = st.integers(0, 2**32 - 1)


def correlation(a, b):
    return abs(np.corrcoef(a, b)[0, 1])


@pytest.mark.claim("thm-practice-scores")
@given(seeds, st.integers(3, 9), st.integers(2, 9))
def test_scores_loadings_and_normalised_scores_are_the_parts_of_one_decomposition(seed, N, D):
    X = np.random.default_rng(seed).normal(size=(N, D)) + 2
    count = min(N - 1, D)
    Z, V, U = scores(X, count), loadings(X, count), normalised_scores(X, count)
    X_c = X - X.mean(axis=0)
    sigma = np.linalg.svd(X_c, compute_uv=False)[:count]
    assert X_c @ V == pytest.approx(Z, abs=1e-9)
    assert U * sigma == pytest.approx(Z, abs=1e-6)
    assert U.T @ U == pytest.approx(np.eye(count), abs=1e-6)
    assert Z @ V.T == pytest.approx(X_c, abs=1e-7)


def test_how_many_components_by_hand():
    spectrum = (4, 1, 1, 1, 1, 1)
    assert n_components_for(spectrum, 0.9) == 6
    assert n_components_for(np.square(spectrum), 0.9) == 4  # what squared variances would say
    assert n_components_for((1, 4, 1, 1, 1, 1), 4 / 9) == 1
    assert n_components_for((4, 1, 1, 1, 1, 1), 4 / 9 + 1e-6) == 2
    assert n_components_for([5.0, 0.0], 1) == 1
    assert cumulative_variance_ratio([3, 1]).tolist() == [0.75, 1]


@pytest.mark.claim("thm-practice-explained")
@given(st.lists(st.integers(0, 20), min_size=1, max_size=8), st.floats(0.01, 1))
def test_the_number_of_components_is_the_least_that_suffices(variances, share):
    if not any(variances):
        return
    count = n_components_for(variances, share)
    total, largest_first = sum(variances), sorted(variances, reverse=True)
    assert sum(largest_first[:count]) >= (share - 1e-9) * total
    assert sum(largest_first[: count - 1]) < share * total


@pytest.mark.claim("thm-practice-standardised")
@given(seeds, st.integers(0, 1))
def test_covariance_of_standardised_data_is_the_correlation_and_units_do_not_matter(seed, ddof):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 4)) @ rng.normal(size=(4, 4)) + 7
    Y = standardised(X, ddof=ddof)
    assert covariance(Y, ddof=ddof) == pytest.approx(np.corrcoef(X.T), abs=1e-12)
    units = rng.uniform(1e-3, 1e3, size=4)
    assert standardised(X * units + 5, ddof=ddof) == pytest.approx(Y, abs=1e-7)


@pytest.mark.claim("thm-practice-standardised")
def test_two_correlated_features_standardise_to_eigenvalues_one_plus_and_minus_rho():
    a, b = sympy.symbols("a b", positive=True)
    rho = sympy.symbols("rho", real=True)
    C = sympy.Matrix([[a**2, rho * a * b], [rho * a * b, b**2]])
    scale = sympy.diag(1 / a, 1 / b)
    correlation_matrix = (scale * C * scale).applyfunc(sympy.simplify)
    for sign in (1, -1):
        v = sympy.Matrix([1, sign])
        assert (correlation_matrix * v - (1 + sign * rho) * v).expand() == sympy.zeros(2, 1)


def test_the_unit_of_weight_decides_the_first_axis_until_data_are_standardised():
    rng = np.random.default_rng(0)
    height = rng.normal(1.7, 0.1, size=200)  # metres
    grams = 1000 * (70 + 80 * (height - 1.7) + rng.normal(0, 8, size=200))
    X = np.column_stack([height, grams])
    assert abs(loadings(X, 1)[1, 0]) > 0.999999
    assert np.abs(loadings(standardised(X), 1)) == pytest.approx(np.sqrt(0.5))


def test_a_constant_feature_standardises_to_zero():
    Y = standardised([[0.1, 1.0], [0.1, 3.0], [0.1, 2.0]])
    assert Y[:, 0].tolist() == [0, 0, 0]
    assert Y[:, 1].std() == pytest.approx(1)


@pytest.mark.claim("thm-practice-outlier")
@given(seeds, st.integers(1, 4))
def test_outlier_scores_have_a_known_mean_square_and_a_bound(seed, count):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(10, 5))
    X[0] += rng.choice([0, 100])
    squares = outlier_scores(X, count) ** 2
    assert squares.mean() == pytest.approx(count)
    assert squares.max() <= 9 + 1e-9
    fit = pca(X, count)
    C = covariance(fit.embedding)
    assert squares == pytest.approx([z @ np.linalg.solve(C, z) for z in fit.embedding], abs=1e-6)


def test_a_planted_outlier_scores_highest_and_units_of_the_axes_do_not_hide_it():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(100, 6)) * [50, 5, 0.1, 0.1, 0.1, 0.1]
    X[17, :2] = [0, 40]  # eight deviations along the second axis, none along the first
    result = outlier_scores(X, 2)
    assert result.argmax() == 17
    assert np.linalg.norm(scores(X, 2), axis=1).argmax() != 17
    assert result[17] > 1.5 * np.sort(result)[-2]


@pytest.mark.claim("thm-practice-regress-out")
@given(seeds, st.integers(1, 3))
def test_nothing_linear_in_the_nuisance_is_left_and_the_mean_stays(seed, count):
    rng = np.random.default_rng(seed)
    X, nuisance = rng.normal(size=(9, 4)) + 5, rng.normal(size=(9, count)) + 1
    cleaned = regress_out(X, nuisance)
    design = np.column_stack([np.ones(9), nuisance])
    expected = X - design @ np.linalg.lstsq(design, X)[0] + X.mean(axis=0)
    assert cleaned == pytest.approx(expected, abs=1e-9)
    assert cleaned.mean(axis=0) == pytest.approx(X.mean(axis=0))
    assert regress_out(cleaned, nuisance) == pytest.approx(cleaned, abs=1e-9)
    doubled = np.column_stack([nuisance, nuisance, np.ones(9)])  # dependent columns change nothing
    assert regress_out(X, doubled) == pytest.approx(cleaned, abs=1e-8)


@pytest.mark.claim("thm-practice-regress-out")
@given(seeds, st.integers(1, 3))
def test_removing_leading_components_is_regressing_out_their_scores(seed, count):
    X = np.random.default_rng(seed).normal(size=(9, 4)) + 5
    cleaned = without_leading_components(X, count)
    assert cleaned == pytest.approx(regress_out(X, scores(X, count)), abs=1e-6)
    left = pca(X, 4).variances[count:]
    assert pca(cleaned, 4).variances[: 4 - count] == pytest.approx(left, abs=1e-9)


def test_without_the_batch_the_first_component_is_the_signal():
    data = batch_effect(80, 30, seed=3)
    first = scores(data.X, 1)[:, 0]
    assert correlation(first, data.labels) > 0.95 > 0.5 > correlation(first, data.signal)
    for cleaned in (without_leading_components(data.X, 1), regress_out(data.X, data.labels[:, None])):
        assert correlation(scores(cleaned, 1)[:, 0], data.signal) > 0.95


@pytest.mark.claim("thm-pca-residual")
def test_the_reconstruction_curve_of_the_digits_is_the_tail_of_their_spectrum():
    X = digits().X
    fit = pca(X, 64)
    for count in (1, 10, 40):
        tail = fit.variances[count:].sum()
        assert reconstruction_error(X, fit.axes[:, :count]) == pytest.approx(tail)
    assert n_components_for(fit.variances, 0.9) == 21


def test_features_in_tiny_and_in_huge_units_are_standardised_alike():
    X = np.random.default_rng(0).normal(size=(30, 4))
    units = np.array([1e-250, 1e-100, 1.0, 1e140])
    np.testing.assert_allclose(standardised(units * X), standardised(X), rtol=1e-9)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: n_components_for([1, 2], 0), "share must be in \\(0, 1\\], got 0"),
        (lambda: n_components_for([1, 2], np.nan), "share must be in"),
        (lambda: n_components_for([1, 2], None), "share must be in .*got None"),
        (lambda: n_components_for([0, 0], 0.5), "not all zero"),
        (lambda: cumulative_variance_ratio([2, -1]), "variances must be non-negative"),
        (lambda: outlier_scores(np.ones((4, 3)), 1), "at most the rank 0 of the covariance, got 1"),
        (lambda: normalised_scores(np.eye(3), 3), "at most the rank 2 of the covariance, got 3"),
        (lambda: standardised(np.eye(2), ddof=2), "ddof must be between 0 and 1, got 2"),
        (lambda: regress_out(np.eye(3), np.eye(2)), "nuisance must have 3 rows, got 2"),
        (lambda: scores([[1.0, np.nan], [1.0, 2.0]], 1), "X must be finite"),
    ],
)
def test_bad_arguments_are_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
