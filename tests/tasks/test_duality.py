"""The exercises on duality: right answers pass in any honest form, classic mistakes are named."""

import functools

import numpy as np
import pytest
import sympy as sp
from sklearn import decomposition

from autograder.judging.check import verdict_on
from tests.tasks.drawing import draws_of, every_seed, numbers_of

drawn = draws_of("duality")


# What is free, and what is not


@every_seed
@pytest.mark.parametrize("name", ["place_new"])
def test_signs_of_columns_are_free_and_turns_are_not(name, seed):
    task, key = drawn(name, seed)
    signs = np.array([-1.0, 1.0, -1.0])
    assert verdict_on("", key, lambda *inputs: task.answer(*inputs) * signs[: inputs[-1]]).passed

    def turned(*inputs):
        return task.answer(*inputs) @ np.linalg.qr(np.vander(np.arange(1.0, inputs[-1] + 1)))[0]

    assert not verdict_on("", key, turned).passed


@every_seed
def test_the_sign_of_a_score_counts_where_the_eigenvector_is_given(seed):
    task, key = drawn("three_lengths", seed)
    score, weight, variance = task.answer(*numbers_of(key))
    assert verdict_on("", key, (score, weight, variance)).passed
    assert not verdict_on("", key, (-score, -weight, variance)).passed


# Other roads to the numbers


@every_seed
def test_scikit_learn_finds_the_axes_but_for_its_divisor(seed):
    _, key = drawn("dual_axes", seed)

    def fitted(X, n_components):
        return decomposition.PCA(n_components, svd_solver="full").fit(X)

    def with_n(X, d):
        return fitted(X, d).components_.T, fitted(X, d).explained_variance_ * (len(X) - 1) / len(X)

    assert verdict_on("", key, with_n).passed
    as_it_is = verdict_on(
        "", key, lambda X, d: (fitted(X, d).components_.T, fitted(X, d).explained_variance_)
    )
    assert (as_it_is.misconception, as_it_is.fraction) == ("divided_by_n_minus_one", 0.5)


@every_seed
def test_new_points_rebuilt_from_their_products_project_to_these_scores(seed):
    _, key = drawn("place_new", seed)

    def through_samples(H, h, n_components):
        values, vectors = np.linalg.eigh(H)
        roots = np.sqrt(np.maximum(values, 0))
        X = vectors * roots
        new = h @ vectors * np.divide(1, roots, out=np.zeros_like(roots), where=values > 1e-9)
        return decomposition.PCA(n_components, svd_solver="full").fit(X).transform(new)

    assert verdict_on("", key, through_samples).passed


@every_seed
def test_sympy_finds_the_three_patterns(seed):
    _, key = drawn("three_patterns", seed)
    (X,) = numbers_of(key)
    points = sp.Matrix(X.astype(int).tolist())
    centred = points - sp.ones(3, 3) * points / 3
    pairs = sorted((centred * centred.T).eigenvects(), key=lambda pair: -pair[0])
    (first, _, (u,)), (second, *_), (zero, *_) = pairs
    assert zero == 0
    assert first.is_integer
    assert second.is_integer
    assert verdict_on("", key, ([first, second], centred.T * u)).passed


@every_seed
def test_the_sizes_are_those_of_a_table_of_random_numbers(seed):
    _, key = drawn("sizes", seed)
    n_samples, n_features = numbers_of(key)
    X = np.random.default_rng(0).normal(size=(n_samples, n_features))
    X_c = X - X.mean(axis=0)
    S, G = X_c.T @ X_c, X_c @ X_c.T
    zeros = n_features - np.linalg.matrix_rank(S, tol=1e-8, hermitian=True)
    assert verdict_on("", key, (zeros, S.size / G.size, S.size * n_samples / (G.size * n_features))).passed


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    p, q, r, s = sp.symbols("p q r s", real=True)
    X = sp.Matrix([[p, q], [r, s]])
    centred = X - sp.ones(2, 2) * X / 2
    eigenvalue = sp.expand((centred * centred.T).trace())
    score = sp.sqrt(sp.expand(centred.row(0).dot(centred.row(0))))
    return {
        "two_samples": (
            [eigenvalue, eigenvalue / 2, score],
            [eigenvalue, eigenvalue, score],
            "divided_by_one",
        ),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("dual_axes", "forgot_to_divide_by_sigma", 1 / 2),
    ("dual_axes", "kept_the_sum_of_squares", 1 / 2),
    ("dual_axes", "forgot_to_centre", 0),
    ("gram_picture", "counted_without_centring", 1 / 2),
    ("place_new", "centred_among_the_new", 0),
    ("place_new", "left_the_products_uncentred", 0),
    ("three_lengths", "forgot_to_normalise", 1 / 3),
    ("sizes", "gave_the_rank", 2 / 3),
]
