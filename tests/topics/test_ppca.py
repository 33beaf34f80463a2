"""Probabilistic PCA, missing values, and the bootstrap of axes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import multivariate_normal
from sklearn.decomposition import PCA
from sklearn.linear_model import RidgeCV

from dimred_ref.least_squares import leave_one_out_residuals, ridge
from dimred_ref.pca import pca, reconstruction_error
from dimred_ref.ppca import PPCA, bootstrap_axes, held_out_error, log_likelihood, ppca, ppca_with_missing

seeds = st.integers(0, 2**32 - 1)


def table(seed, n_samples=40, n_features=5, rank=2, noise=0.3):
    rng = np.random.default_rng(seed)
    signal = rng.normal(size=(n_samples, rank)) @ rng.normal(size=(rank, n_features)) * 2
    return signal + noise * rng.normal(size=(n_samples, n_features)) + rng.normal(size=n_features)


@given(seeds, st.integers(1, 4))
@pytest.mark.claim("thm-practice-ppca")
def test_no_change_of_the_parameters_is_more_likely(seed, d):
    X = table(seed)
    model = ppca(X, d)
    best = log_likelihood(model, X).sum()
    rng = np.random.default_rng(seed)
    for size in (1e-3, 0.1, 1.0):
        W = model.W + size * rng.normal(size=model.W.shape)
        noise = model.noise * np.exp(size * rng.normal())
        moved = PPCA(mean=model.mean + size * rng.normal(size=5), W=W, noise=noise)
        assert log_likelihood(moved, X).sum() <= best + 1e-8


@pytest.mark.claim("thm-practice-ppca")
def test_a_numerical_search_ends_no_higher():
    X = table(5)
    best = log_likelihood(ppca(X, 2), X).sum()

    def loss(parameters):
        model = PPCA(X.mean(axis=0), parameters[:-1].reshape(5, 2), float(np.exp(parameters[-1])))
        return -log_likelihood(model, X).sum()

    starts = np.random.default_rng(6).normal(size=(3, 11))
    ends = [-minimize(loss, start).fun for start in starts]
    assert max(ends) <= best + 1e-6
    assert max(ends) == pytest.approx(best, abs=1e-3)


@given(seeds, st.integers(1, 4))
@pytest.mark.claim("thm-practice-ppca")
def test_the_model_is_scikit_learns(seed, d):
    X = table(seed)
    theirs = PCA(d).fit(X * np.sqrt(39 / 40))  # its divisor is N − 1
    assert ppca(X, d).noise == pytest.approx(theirs.noise_variance_)
    np.testing.assert_allclose(ppca(X, d).covariance(), theirs.get_covariance(), atol=1e-8)


def test_the_likelihood_is_scipys():
    X = table(7)
    model = ppca(X, 2)
    np.testing.assert_allclose(
        log_likelihood(model, X), multivariate_normal(model.mean, model.covariance()).logpdf(X)
    )


@given(seeds, st.integers(1, 3))
@pytest.mark.claim("thm-practice-ppca-scores")
def test_expected_scores_are_shortened_scores(seed, d):
    X = table(seed)
    model, fit = ppca(X, d), pca(X, d)
    shares = np.sqrt(fit.variances - model.noise) / fit.variances
    np.testing.assert_allclose(model.scores(X), fit.embedding * shares, atol=1e-8)
    # By the joint normal distribution of z and x: Cov(z, x) Cov(x)⁻¹ (x − μ).
    joint = np.linalg.solve(model.covariance(), model.W).T @ (X - model.mean).T
    np.testing.assert_allclose(model.scores(X), joint.T, atol=1e-8)


@given(seeds, st.floats(0.05, 0.4))
@pytest.mark.claim("thm-practice-em")
def test_no_iteration_lowers_the_likelihood_of_what_was_observed(seed, share):
    X = table(seed, n_samples=25)
    rng = np.random.default_rng(seed)
    X[rng.random(X.shape) < share] = np.nan
    X[np.isnan(X).all(axis=1), 0] = 0.0
    X[0] = np.where(np.isnan(X[0]), 0.0, X[0])
    fit = ppca_with_missing(X, 2, n_iterations=40)
    assert np.diff(fit.log_likelihoods).min(initial=0.0) >= -1e-7
    seen = np.isfinite(X)
    np.testing.assert_array_equal(fit.filled[seen], X[seen])


@pytest.mark.claim("thm-practice-em")
@pytest.mark.parametrize("seed", range(5))
def test_without_missing_entries_it_ends_at_the_solution_in_closed_form(seed):
    X = table(seed, n_samples=60)
    fit = ppca_with_missing(X, 2, n_iterations=5000, tolerance=1e-12)
    best = log_likelihood(ppca(X, 2), X).sum()
    assert best - 1e-3 <= log_likelihood(fit.model, X).sum() <= best + 1e-7
    assert fit.log_likelihoods[-1] == pytest.approx(log_likelihood(fit.model, X).sum())


@pytest.mark.claim("thm-practice-em")
def test_hidden_entries_are_predicted_better_than_by_the_mean():
    errors = []
    for seed in range(10):
        X = table(seed, n_samples=80)
        hidden = np.random.default_rng(seed).random(X.shape) < 0.2
        gaps = np.where(hidden, np.nan, X)
        filled = ppca_with_missing(gaps, 2).filled
        by_mean = np.broadcast_to(np.nanmean(gaps, axis=0), X.shape)
        errors.append([np.mean((guess - X)[hidden] ** 2) for guess in (filled, by_mean)])
    assert all(ours < 0.5 * theirs for ours, theirs in errors)


@given(seeds)
@pytest.mark.claim("thm-practice-held-out")
def test_the_error_of_held_out_rows_never_rises(seed):
    X = table(seed)
    fit = pca(X[:25], 5)
    new = X[25:] - X[:25].mean(axis=0)
    errors = [
        np.mean(np.sum((new - new @ fit.axes[:, :d] @ fit.axes[:, :d].T) ** 2, axis=1)) for d in range(6)
    ]
    assert np.diff(errors).max() <= 1e-12


def test_held_out_entries_find_no_fewer_dimensions_and_rarely_more_than_one_more():
    chosen = []
    for seed in range(10):
        X = table(seed, 150, 7, rank=2)
        errors = [np.mean([held_out_error(X, d, seed=s) for s in range(3)]) for d in range(1, 6)]
        chosen.append(1 + int(np.argmin(errors)))
    assert min(chosen) >= 2
    assert sum(d <= 3 for d in chosen) >= 8


@pytest.mark.claim("thm-practice-bootstrap")
def test_the_mean_bootstrap_covariance_is_a_little_too_small():
    """All Nᴺ resampled tables of four samples: their mean covariance is (1 − 1/N) C exactly."""
    X = np.array([[0.0, 1], [2, 5], [3, 3], [7, 0]])
    rows = np.stack(np.meshgrid(*[np.arange(4)] * 4), axis=-1).reshape(-1, 4)
    mean = np.mean([np.cov(X[row], rowvar=False, ddof=0) for row in rows], axis=0)
    np.testing.assert_allclose(mean, 0.75 * np.cov(X, rowvar=False, ddof=0))


def test_bootstrap_axes_face_those_of_the_sample():
    X = table(8, n_samples=200)
    axes, draws = pca(X, 2).axes, bootstrap_axes(X, 2, n_draws=50)
    assert draws.shape == (50, 5, 2)
    assert np.einsum("bak,ak->bk", draws, axes).min() > 0
    np.testing.assert_allclose(np.linalg.norm(draws, axis=1), 1)


@pytest.mark.parametrize("n_samples", [100, 400])
def test_the_bootstrap_spread_is_that_of_new_samples(n_samples):
    def draw(seed):
        return np.random.default_rng(seed).normal(size=(n_samples, 4)) * [3, 1.5, 1, 0.5]

    true = np.std([abs(pca(draw(seed), 1).axes[1, 0]) for seed in range(300)])
    guesses = [np.std(np.abs(bootstrap_axes(draw(seed), 1, n_draws=100)[:, 1, 0])) for seed in range(12)]
    assert 0.6 < np.median(guesses) / true < 1.6


@given(seeds, st.floats(-3, 3))
@pytest.mark.claim("thm-least-squares-leave-one-out")
def test_leave_one_out_errors_are_those_of_the_fits_without_each_sample(seed, exponent):
    rng = np.random.default_rng(seed)
    X, y, penalty = rng.normal(size=(8, 4)), rng.normal(size=8), 10**exponent
    direct = [y[i] - X[i] @ ridge(np.delete(X, i, axis=0), np.delete(y, i), penalty) for i in range(8)]
    np.testing.assert_allclose(leave_one_out_residuals(X, y, penalty), direct, rtol=1e-6, atol=1e-9)


@pytest.mark.claim("thm-least-squares-leave-one-out")
def test_the_penalty_is_the_one_that_scikit_learn_chooses():
    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(30, 10)), rng.normal(size=30)
    penalties = np.logspace(-2, 3, 20)
    errors = [np.mean(leave_one_out_residuals(X, y, penalty) ** 2) for penalty in penalties]
    theirs = RidgeCV(penalties, fit_intercept=False, store_cv_results=True).fit(X, y)
    np.testing.assert_allclose(errors, theirs.cv_results_.mean(axis=0))
    assert penalties[np.argmin(errors)] == theirs.alpha_


@pytest.mark.parametrize("X", [[[1.0, np.inf], [0, 1]], [[np.nan, 1.0], [np.nan, 2.0]], [1.0, 2.0]])
def test_tables_without_entries_are_refused(X):
    with pytest.raises(ValueError, match="X must"):
        ppca_with_missing(X, 1)


def test_a_table_without_noise_is_refused():
    plane = np.random.default_rng(0).normal(size=(20, 2)) @ np.ones((2, 4))
    with pytest.raises(ValueError, match="more than 1 directions"):
        ppca(plane, 1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        held_out_error(plane, 1, share=1.0)
    assert reconstruction_error(plane, pca(plane, 1).axes) < 1e-20
