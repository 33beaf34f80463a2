"""The PCA exercises: right answers pass in any honest form, classic mistakes are named, near misses fail."""

import functools
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from sklearn import decomposition

from autograder.judging.check import verdict_on
from tests.tasks.drawing import draws_of, every_seed, numbers_of, wrong_way

drawn = draws_of("pca")


# What is free


@every_seed
def test_signs_of_columns_are_free(seed):
    task, key = drawn("scores", seed)
    signs = np.array([-1.0, 1.0, -1.0])
    assert verdict_on("", key, lambda X, d: task.answer(X, d) * signs[:d]).passed
    task, key = drawn("principal_axes", seed)
    flipped = lambda X, d: (task.answer(X, d)[0] * signs[:d], list(task.answer(X, d)[1]))  # noqa: E731
    assert verdict_on("", key, flipped).passed


@every_seed
def test_scores_may_not_be_turned_in_their_plane(seed):
    task, key = drawn("scores", seed)
    turned = lambda X, d: task.answer(X, d) @ np.linalg.qr(np.vander(np.arange(1.0, d + 1)))[0]  # noqa: E731
    assert not verdict_on("", key, turned).passed


@every_seed
@pytest.mark.parametrize("name", ["first_component", "centre_first"])
def test_length_and_sign_of_a_direction_are_free(name, seed):
    task, key = drawn(name, seed)
    direction, number = task.answer(*numbers_of(key))
    assert verdict_on("", key, (list(-7 * direction), number)).passed
    assert not verdict_on("", key, (list(direction[::-1]), number)).passed


@every_seed
def test_the_sign_of_a_score_counts_where_the_axis_is_given(seed):
    task, key = drawn("rebuild_one_point", seed)
    score, rebuilt, error = task.answer(*numbers_of(key))
    assert verdict_on("", key, (score, rebuilt, error)).passed
    assert not verdict_on("", key, (-score, rebuilt, error)).passed


@every_seed
def test_any_basis_of_the_flat_gives_the_same_reconstruction(seed):
    _, key = drawn("reconstruct", seed)

    def in_a_turned_basis(X, n_components):
        mean = X.mean(axis=0)
        V = np.linalg.svd(X - mean, full_matrices=False)[2][:n_components].T
        turned = V @ np.linalg.qr(np.arange(1.0, n_components**2 + 1).reshape(n_components, -1) + 1)[0]
        return mean + (X - mean) @ turned @ turned.T

    assert verdict_on("", key, in_a_turned_basis).passed


# Other roads to the numbers: exact fractions, sympy, scikit-learn, loops


@every_seed
def test_fractions_give_the_variance_along_a_direction(seed):
    _, key = drawn("variance_along", seed)
    C, w = numbers_of(key)
    total = sum(Fraction(int(w[i] * C[i, j] * w[j])) for i in range(2) for j in range(2))
    variance = total / Fraction(int(w @ w))
    assert variance.denominator == 1  # a nice number
    assert verdict_on("", key, variance).passed
    assert verdict_on("", key, str(variance)).passed


@every_seed
def test_sympy_finds_the_first_component(seed):
    _, key = drawn("first_component", seed)
    (C,) = numbers_of(key)
    pairs = sp.Matrix(C.astype(int).tolist()).eigenvects()
    value, _, (vector,) = max(pairs, key=lambda pair: pair[0])
    assert verdict_on("", key, (vector, value / int(np.trace(C)))).passed


@every_seed
def test_sympy_finds_the_axis_of_four_points(seed):
    _, key = drawn("centre_first", seed)
    (X,) = numbers_of(key)
    points = sp.Matrix(X.astype(int).tolist())
    deviations = points - sp.ones(4, 4) * points / 4
    value, _, (vector,) = max((deviations.T * deviations / 4).eigenvects(), key=lambda pair: pair[0])
    assert value.is_integer
    assert verdict_on("", key, (vector, value)).passed


@every_seed
def test_forgetting_to_centre_turns_the_first_axis_by_a_right_angle(seed):
    task, key = drawn("centre_first", seed)
    forgot = wrong_way(task, "forgot_to_centre")
    right, wrong = task.answer(*numbers_of(key))[0], forgot(*numbers_of(key))[0]
    assert right @ wrong == pytest.approx(0, abs=1e-12)


@every_seed
def test_the_nearest_point_of_the_axis_is_the_rebuilt_point(seed):
    _, key = drawn("rebuild_one_point", seed)
    x, mean, w = numbers_of(key)
    t = sp.symbols("t")
    miss = [sp.Integer(int(x[i] - mean[i])) - t * int(w[i]) for i in range(2)]
    squared = sum(part**2 for part in miss)
    (best,) = sp.solve(sp.diff(squared, t), t)
    rebuilt = [int(mean[i]) + best * int(w[i]) for i in range(2)]
    assert verdict_on("", key, (best * 5, rebuilt, squared.subs(t, best))).passed  # ‖w‖ = 5


@every_seed
def test_data_with_the_printed_singular_values_have_the_error_and_the_share(seed):
    _, key = drawn("error_from_spectrum", seed)
    sigma, n_samples, n_components = numbers_of(key)
    rng = np.random.default_rng(0)
    normal = rng.normal(size=(n_samples, 4))
    U = np.linalg.qr(normal - normal.mean(axis=0))[0]
    X = 3 + (U * sigma) @ np.linalg.qr(rng.normal(size=(6, 6)))[0][:4]
    fit = decomposition.PCA(n_components).fit(X)
    error = np.mean(np.sum((X - fit.inverse_transform(fit.transform(X))) ** 2, axis=1))
    assert verdict_on("", key, (error, fit.explained_variance_ratio_.sum())).passed


@every_seed
def test_scikit_learn_passes(seed):
    def centred_fit(X, n_components):
        return decomposition.PCA(n_components, svd_solver="full").fit(X)

    _, key = drawn("scores", seed)
    assert verdict_on("", key, lambda X, d: centred_fit(X, d).transform(X)).passed
    _, key = drawn("reconstruct", seed)
    rebuilt = lambda X, d: centred_fit(X, d).inverse_transform(centred_fit(X, d).transform(X))  # noqa: E731
    assert verdict_on("", key, rebuilt).passed
    _, key = drawn("principal_axes", seed)
    with_n_minus_one = lambda X, d: (centred_fit(X, d).components_.T, centred_fit(X, d).explained_variance_)  # noqa: E731
    verdict = verdict_on("", key, with_n_minus_one)
    assert (verdict.misconception, verdict.fraction) == ("divided_by_n_minus_one", 0.5)


@every_seed
def test_deflation_is_the_covariance_of_samples_without_the_direction(seed):
    _, key = drawn("deflate", seed)

    def from_samples(C, v):
        samples = np.linalg.cholesky(C).T  # as if N C were the sum over three samples
        left = np.array([x - (x @ v) / (v @ v) * v for x in samples])
        return left.T @ left

    assert verdict_on("", key, from_samples).passed


@every_seed
def test_captured_and_lost_add_up_to_the_total(seed):
    task, key = drawn("captured_and_lost", seed)
    for case in key.cases:
        X = case.inputs["X"]
        assert sum(task.answer(*case.inputs.values())) == pytest.approx(X.var(axis=0).sum())


@every_seed
def test_the_exchange_is_the_largest_that_is_allowed(seed):
    task, key = drawn("exchange_step", seed)
    for case in key.cases:
        shares, receiver, giver = case.inputs.values()
        assert shares.min() >= 0
        assert shares.max() <= 1
        assert shares.sum() == pytest.approx(round(shares.sum()))
        assert receiver != giver
        moved = task.answer(shares, receiver, giver)
        more = moved.copy()
        more[[receiver, giver]] += [1e-6, -1e-6]
        assert moved.min() > -1e-12
        assert moved.max() < 1 + 1e-12
        assert more.min() < 0 or more.max() > 1


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    a, b, c = sp.symbols("a b c", positive=True)
    p, q, r, s, t, k, gamma = sp.symbols("p q r s t k gamma", real=True)
    C, u, v = (
        sp.Matrix([[p, r], [r, q]]),
        sp.Matrix([sp.cos(t), sp.sin(t)]),
        sp.Matrix([-sp.sin(t), sp.cos(t)]),
    )
    walks = [b * sp.cos(gamma) ** 2 + end * sp.sin(gamma) ** 2 for end in (a, c)]
    P = sp.Matrix([[1, k], [k, k**2]]) / (1 + k**2)
    x, w = sp.Matrix([p, q]), sp.Matrix([1, k])
    unknowns = sp.symbols("a1 a2 shared", real=True)
    misses = [x - unknowns[0] * u - unknowns[2] * v, sp.Matrix([r, s]) - unknowns[1] * u - unknowns[2] * v]
    J = sum(miss.dot(miss) for miss in misses)
    found = sp.solve([sp.diff(J, unknown) for unknown in unknowns], unknowns)
    own_b = [x.dot(u), sp.Matrix([r, s]).dot(u), x.dot(v)]
    return {
        "multiplier": (-2 * u.dot(C * v), sp.Integer(0), "assumed_an_eigenvector"),
        "curvature": (
            [sp.diff(walk, gamma, 2).subs(gamma, 0) for walk in walks],
            [2 * a, 2 * c],
            "forgot_the_constraint",
        ),
        "pythagoras": (
            [sp.trigsimp((P * x).dot(P * x)), (x - P * x).dot(x - P * x)],
            [(w * w.dot(x)).dot(w * w.dot(x)), (x - w * w.dot(x)).dot(x - w * w.dot(x))],
            "forgot_to_normalise",
        ),
        "best_coefficients": ([found[name] for name in unknowns], own_b, "fitted_the_offset_to_one_point"),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("scores", "forgot_to_centre", 0),
    ("principal_axes", "divided_by_n_minus_one", 1 / 2),
    ("principal_axes", "forgot_to_centre", 0),
    ("deflate", "took_it_for_an_eigenvector", 1 / 4),
    ("deflate", "forgot_to_normalise", 1 / 2),
    ("deflate", "projected_on_the_direction", 0),
    ("exchange_step", "moved_all_the_giver_had", 3 / 4),
    ("exchange_step", "always_filled_the_receiver", 1 / 2),
    ("captured_and_lost", "averaged_over_entries", 1 / 2),
    ("rebuild_one_point", "left_the_error_unsquared", 3 / 4),
]
