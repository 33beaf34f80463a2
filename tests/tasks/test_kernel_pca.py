"""The kernel PCA exercises: right answers pass in any honest form, classic mistakes are named, near misses fail."""

import functools

import numpy as np
import pytest
import sympy as sp
from sklearn import decomposition
from sklearn.metrics import pairwise

from autograder.judging.check import verdict_on
from dimred_ref.kernel_pca import centred_kernel, kernel_pca, rbf_kernel
from tests.tasks.drawing import draws_of, every_seed, numbers_of

drawn = draws_of("kernel_pca")


@every_seed
def test_the_reference_package_passes(seed):
    _, key = drawn("kernel_scores", seed)
    assert verdict_on("", key, lambda K, d: kernel_pca(K, d).embedding).passed
    _, key = drawn("centred_kernel", seed)
    assert verdict_on("", key, centred_kernel).passed
    _, key = drawn("rbf_kernel", seed)
    assert verdict_on("", key, lambda A, B, gamma: rbf_kernel(A, B, gamma=gamma)).passed


@every_seed
def test_scikit_learn_passes(seed):
    _, key = drawn("rbf_kernel", seed)
    assert verdict_on("", key, lambda A, B, gamma: pairwise.rbf_kernel(A, B, gamma)).passed
    _, key = drawn("kernel_scores", seed)
    (first, *_) = key.cases
    K, d = first.inputs.values()
    scores = decomposition.KernelPCA(d, kernel="precomputed").fit_transform(K.copy())
    wanted = kernel_pca(K, d).embedding
    assert np.abs(scores) == pytest.approx(np.abs(wanted), rel=1e-6, abs=1e-9)


@every_seed
def test_a_training_point_is_put_back_where_it_was(seed):
    task, key = drawn("new_scores", seed)
    for case in key.cases:
        Y, K, _ = case.inputs.values()
        assert task.answer(Y, K, K) == pytest.approx(Y, abs=1e-6)


@every_seed
def test_sympy_finds_the_spectrum_of_three_points(seed):
    _, key = drawn("three_points", seed)
    (K,) = numbers_of(key)
    J = sp.eye(3) - sp.ones(3, 3) / 3
    values = sorted((J * sp.Matrix(K.astype(int).tolist()) * J).eigenvals(multiple=True), reverse=True)
    assert values[2] == 0
    assert verdict_on("", key, (values[0], values[1], values[0] / (values[0] + values[1]))).passed


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of the task in symbols, as a student would write them."""
    a, s, r = sp.symbols("a s r", positive=True)
    value = a * sp.exp(-(r**2) / (2 * s**2))
    apart = 2 * a - 2 * value
    right = [apart, sp.limit(apart / r**2, r, 0), sp.limit(apart, r, sp.oo)]
    return {"feature_distance": (right, [part / 2 for part in right], "forgot_the_two")}


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("feature_geometry", "forgot_the_mean", 2 / 3),
    ("three_points", "gave_variances", 1 / 3),
    ("centred_kernel", "subtracted_one_number", 0),
    ("kernel_scores", "forgot_the_roots", 1 / 2),
    ("new_scores", "divided_by_the_root", 0),
]
