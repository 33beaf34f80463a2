"""Subspaces under perturbation, and decompositions from random samples of the range."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils.extmath import randomized_svd

from dimred_ref.svd_stability import (
    davis_kahan_bound,
    randomised_error_bound,
    randomised_svd,
    sampled_range,
    sine_distance,
)

seeds = st.integers(0, 2**32 - 1)


def leading(C, d):
    return np.linalg.eigh(C)[1][:, ::-1][:, :d]


@given(seeds, st.integers(2, 7), st.floats(-6, 1))
@pytest.mark.claim("thm-svd-davis-kahan")
def test_no_perturbation_turns_a_subspace_beyond_the_bound(seed, size, exponent):
    rng = np.random.default_rng(seed)
    C, E = (M + M.T for M in rng.normal(size=(2, size, size)))
    E = E * 10**exponent
    for d in range(1, size):
        distance = sine_distance(leading(C, d), leading(C + E, d))
        assert distance <= davis_kahan_bound(C, E, d) * (1 + 1e-9) + 1e-9


@given(seeds, st.integers(3, 8))
@pytest.mark.claim("thm-svd-davis-kahan")
def test_the_distance_is_that_of_scipys_angles(seed, size):
    rng = np.random.default_rng(seed)
    V, W = (np.linalg.qr(M)[0] for M in rng.normal(size=(2, size, 2)))
    sines = np.sin(scipy.linalg.subspace_angles(V, W))
    assert sine_distance(V, W) == pytest.approx(np.linalg.norm(sines), abs=1e-9)
    assert sine_distance(V, W) == pytest.approx(np.linalg.norm(V @ V.T - W @ W.T) / np.sqrt(2), abs=1e-9)


def test_without_a_gap_there_is_no_bound():
    assert davis_kahan_bound(np.eye(3), np.ones((3, 3)), 1) == np.inf


def test_the_bound_is_nearly_attained():
    """In the plane, with an error that favours the other axis, the distance reaches 0.7 of the bound."""
    C, E = np.diag([1.0, 0.0]), 0.5 * np.array([[-1.0, 1.0], [1.0, 1.0]])
    assert sine_distance(leading(C, 1), leading(C + 0.999 * E, 1)) > 0.6
    assert davis_kahan_bound(C, E, 1) == pytest.approx(np.sqrt(2))


@pytest.mark.claim("thm-svd-randomised")
@pytest.mark.parametrize(("decay", "rank", "p"), [(0.5, 3, 2), (0.9, 5, 3), (0.99, 4, 10)])
def test_the_mean_squared_error_keeps_the_bound(decay, rank, p):
    rng = np.random.default_rng(1)
    sigma = decay ** np.arange(30)
    U, V = (np.linalg.qr(rng.normal(size=(40, 30)))[0] for _ in range(2))
    A = U * sigma @ V.T
    squares = []
    for seed in range(2000):
        Q = sampled_range(A, rank + p, seed=seed)
        squares.append(np.sum((A - Q @ (Q.T @ A)) ** 2))
    spread = np.std(squares) / np.sqrt(len(squares))
    bound = randomised_error_bound(sigma, rank, p)
    assert np.mean(squares) <= bound**2 + 4 * spread
    assert np.mean(squares) >= np.sum(sigma[rank + p :] ** 2)  # no basis of this size does better


@pytest.mark.claim("thm-svd-randomised")
@pytest.mark.parametrize(("k", "p"), [(1, 2), (3, 4), (5, 6)])
def test_the_mean_of_an_inverse_square_is_that_of_the_proof(k, p):
    """E‖Ω⁺‖²_F = k/(p − 1) for a k × (k + p) normal matrix."""
    rng = np.random.default_rng(2)
    draws = [np.sum(np.linalg.pinv(rng.normal(size=(k, k + p))) ** 2) for _ in range(40_000)]
    assert np.mean(draws) == pytest.approx(k / (p - 1), rel=0.15)


def test_iterations_bring_it_to_the_best_approximation():
    rng = np.random.default_rng(3)
    A = rng.normal(size=(60, 50)) * 0.9 ** np.arange(50)
    exact = np.linalg.svd(A, compute_uv=False)
    ours = randomised_svd(A, 5, n_iterations=8)
    assert ours.singular_values == pytest.approx(exact[:5], rel=1e-9)
    theirs = randomized_svd(A, 5, n_iter=8, random_state=0)
    np.testing.assert_allclose(ours.matrix(), theirs[0] * theirs[1] @ theirs[2], atol=1e-8)


def test_a_matrix_of_low_rank_is_recovered():
    rng = np.random.default_rng(4)
    A = rng.normal(size=(20, 3)) @ rng.normal(size=(3, 15))
    np.testing.assert_allclose(randomised_svd(A, 3, n_oversamples=2).matrix(), A, atol=1e-10)


@pytest.mark.parametrize("wrong", [{"n_oversamples": -1}, {"n_iterations": -1}])
def test_negative_counts_are_named(wrong):
    with pytest.raises(ValueError, match="at least 0, not"):
        randomised_svd(np.eye(3), 1, **wrong)
    with pytest.raises(ValueError, match="at least 2, not 1"):
        randomised_error_bound([2.0, 1.0], 1, 1)


def test_shapes_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match="shape of V"):
        sine_distance(np.eye(3)[:, :1], np.eye(3)[:, :2])
    with pytest.raises(ValueError, match="square"):
        davis_kahan_bound(np.ones((2, 3)), np.ones((2, 3)), 1)
