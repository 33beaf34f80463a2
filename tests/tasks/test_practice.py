"""The exercises on PCA in practice: right answers pass in any honest form, classic mistakes are named."""

import functools
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp
from sklearn import decomposition, linear_model, preprocessing

from autograder.judging.check import verdict_on
from tests.tasks.drawing import draws_of, every_seed, numbers_of

drawn = draws_of("practice")


@every_seed
def test_signs_of_points_and_arrows_go_together(seed):
    task, key = drawn("biplot", seed)
    together = lambda X, d: -task.answer(X, d)  # noqa: E731
    apart = lambda X, d: task.answer(X, d) * np.append(np.ones(len(X)), -np.ones(X.shape[1]))[:, None]  # noqa: E731
    assert verdict_on("", key, together).passed
    assert not verdict_on("", key, apart).passed


@every_seed
def test_scikit_learn_passes(seed):
    _, key = drawn("new_scores", seed)

    def with_pipeline(train, new, n_components):
        scale = preprocessing.StandardScaler().fit(train)
        fit = decomposition.PCA(n_components, svd_solver="full").fit(scale.transform(train))
        return fit.transform(scale.transform(new))

    assert verdict_on("", key, with_pipeline).passed
    _, key = drawn("regress_out", seed)

    def with_regression(X, nuisance):
        fit = linear_model.LinearRegression().fit(nuisance, X)
        return X - fit.predict(nuisance) + X.mean(axis=0)

    assert verdict_on("", key, with_regression).passed


@every_seed
def test_sympy_finds_the_pair(seed):
    _, key = drawn("correlation_pair", seed)
    (C,) = numbers_of(key)
    exact = sp.Matrix(C.astype(int).tolist())
    scale = sp.diag(1 / sp.sqrt(exact[0, 0]), 1 / sp.sqrt(exact[1, 1]))
    value, _, (vector,) = max((scale * exact * scale).eigenvects(), key=lambda pair: pair[0])
    assert verdict_on("", key, (value, vector)).passed


@every_seed
def test_a_strange_sample_has_mahalanobis_distance(seed):
    task, key = drawn("strange_sample", seed)
    C, mean, x = numbers_of(key)
    deviation = sp.Matrix((x - mean).astype(int).tolist())
    distance = (deviation.T * sp.Matrix(C.astype(int).tolist()).inv() * deviation)[0]
    first = task.answer(C, mean, x)[0]
    assert verdict_on("", key, (first, distance)).passed
    assert verdict_on("", key, (2 * first, distance)).fraction == pytest.approx(0.5)


@every_seed
def test_a_share_that_is_reached_is_enough(seed):
    task, key = drawn("n_components_for", seed)
    (case,) = (case for case in key.cases if "exactly" in case.name)
    variances, share = case.inputs.values()
    kept = np.sort(variances)[::-1][: task.answer(variances, share)]
    assert kept.sum() == share * variances.sum()


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    N, k = sp.symbols("N k", positive=True)
    r = sp.symbols("r", real=True)
    turn = sp.Matrix([[1, 1], [1, -1]]) / sp.sqrt(2)
    white = turn * sp.diag(1 / sp.sqrt(1 + r), 1 / sp.sqrt(1 - r)) * turn
    variance = k / N - (k / N) ** 2
    return {
        "hiding_together": (
            [(1 - k / N) ** 2 / variance, (k / N) ** 2 / variance],
            [N - 1, 1 / (N - 1)],
            "kept_one_outlier",
        ),
        "zca_pair": (
            [white[0, 0], white[0, 1]],
            [1 / (1 - r**2), -r / (1 - r**2)],
            "inverted_without_the_root",
        ),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("n_components_for", "asked_for_more_than_the_share", 3 / 4),
    ("correlation_pair", "kept_the_rising_diagonal", 1 / 2),
    ("correlation_pair", "did_not_standardise", 0),
    ("strange_sample", "gave_the_second_alone", 1 / 2),
    ("biplot", "divided_by_n_minus_one", 1 / 2),
    ("biplot", "drew_scores_and_loadings", 0),
    ("regress_out", "removed_each_on_its_own", 1 / 4),
    ("regress_out", "lost_the_mean", 1 / 2),
    ("new_scores", "fitted_on_all_samples", 0),
]


@every_seed
def test_biplot_looks_at_points_and_at_arrows_on_every_case(seed):
    """Arrows were compared on the scale of the points once, and zero arrows passed in a huge unit."""
    task, key = drawn("biplot", seed)

    def without_arrows(X, n_components):
        return np.vstack([task.answer(X, n_components)[: len(X)], np.zeros((X.shape[1], n_components))])

    def without_points(X, n_components):
        return np.vstack([np.zeros((len(X), n_components)), task.answer(X, n_components)[len(X) :]])

    for wrong in (without_arrows, without_points):
        assert not any(verdict_on("", replace(key, cases=(case,)), wrong).passed for case in key.cases)
