"""The covariance exercises: right answers pass in any honest form, classic mistakes are named, near misses fail."""

import functools
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy as sp
from scipy.spatial import distance
from sklearn import covariance as sklearn_covariance

from autograder.judging.check import verdict_on
from tests.tasks.drawing import draws_of, every_seed, numbers_of, wrong_way

drawn = draws_of("covariance")


# What is free, and what is not


@every_seed
def test_length_and_sign_of_the_long_axis_are_free(seed):
    task, key = drawn("ellipse", seed)
    direction, lengths = task.answer(*numbers_of(key))
    assert verdict_on("", key, (list(-7 * direction), list(lengths))).passed
    assert not verdict_on("", key, (list(direction * (1, -1)), list(lengths))).passed


@every_seed
def test_a_rank_must_be_given_for_the_right_samples(seed):
    task, key = drawn("varying_dimensions", seed)
    ranks = [task.answer(*case.inputs.values()) for case in key.cases]
    assert ranks == [3, 4, 3, 2, 0]


# Other roads to the numbers: exact fractions, sympy, scipy, scikit-learn, loops


@every_seed
def test_fractions_give_both_covariances(seed):
    _, key = drawn("both_divisors", seed)
    (X,) = numbers_of(key)
    points = [[Fraction(int(value)) for value in row] for row in X]
    means = [sum(column) / 4 for column in zip(*points, strict=True)]
    away = [[value - mean for value, mean in zip(row, means, strict=True)] for row in points]
    S = [[sum(row[a] * row[b] for row in away) for b in range(2)] for a in range(2)]
    assert all(entry % 12 == 0 for row in S for entry in row)  # nice with either divisor
    C = [[str(entry / 4) for entry in row] for row in S]
    total = (S[0][0] + S[1][1]) / 3
    assert total.denominator == 1
    assert verdict_on("", key, ([[int(entry) for entry in row] for row in C], int(total))).passed


@every_seed
def test_forgetting_to_centre_changes_every_entry_on_the_page(seed):
    task, key = drawn("both_divisors", seed)
    (X,) = numbers_of(key)
    forgot = wrong_way(task, "forgot_to_centre")
    assert np.abs(task.answer(X)[0] - forgot(X)[0]).min() >= 9


@every_seed
def test_the_mean_is_not_parallel_to_the_long_axis(seed):
    _, key = drawn("both_divisors", seed)
    (X,) = numbers_of(key)
    mean, axis = X.mean(axis=0), np.linalg.eigh(np.cov(X, rowvar=False))[1][:, -1]
    assert abs(mean @ axis) < 0.9999 * np.linalg.norm(mean)


@every_seed
def test_sympy_finds_the_ellipse(seed):
    _, key = drawn("ellipse", seed)
    (C,) = numbers_of(key)
    pairs = sorted(sp.Matrix(C.astype(int).tolist()).eigenvects(), key=lambda pair: -pair[0])
    lengths = [sp.sqrt(value) for value, *_ in pairs]
    assert all(length.is_integer for length in lengths)
    assert verdict_on("", key, (pairs[0][2][0], [int(length) for length in lengths])).passed


@every_seed
def test_listing_all_samples_in_fractions_gives_the_averages(seed):
    _, key = drawn("all_samples", seed)
    (values,) = numbers_of(key)
    scatters = [Fraction(int(x - y) ** 2, 2) for x, y in product(values, repeat=2)]
    average = sum(scatters) / 9
    assert average.denominator == 1
    assert verdict_on("", key, (average / 2, average)).passed


@every_seed
def test_scikit_learn_and_scipy_pass(seed):
    _, key = drawn("covariance_matrix", seed)

    def rescaled(X, ddof):
        return sklearn_covariance.empirical_covariance(X) * len(X) / (len(X) - ddof)

    assert verdict_on("", key, rescaled).passed
    _, key = drawn("squared_distances", seed)

    def by_scipy(X):
        inverse = np.linalg.inv(np.cov(X, rowvar=False, ddof=0))
        return [distance.mahalanobis(x, X.mean(axis=0), inverse) ** 2 for x in X]

    assert verdict_on("", key, by_scipy).passed
    by_fit = lambda X: sklearn_covariance.EmpiricalCovariance().fit(X).mahalanobis(X)  # noqa: E731
    assert verdict_on("", key, by_fit).passed


@every_seed
def test_np_cov_as_it_comes_is_recognised(seed):
    _, key = drawn("covariance_matrix", seed)
    verdict = verdict_on("", key, lambda X, ddof: np.cov(X.T))
    assert (verdict.misconception, verdict.fraction) == ("always_divided_by_n_minus_one", 0.2)


@every_seed
def test_merging_is_what_real_samples_do(seed):
    task, _ = drawn("merged", seed)
    rng = np.random.default_rng(4)
    groups = [rng.normal(size=(n, 3)) + rng.normal(size=3) for n in (3, 7, 12)]
    summaries = (
        np.array([float(len(group)) for group in groups]),
        np.array([group.mean(axis=0) for group in groups]),
        np.array([np.cov(group, rowvar=False, ddof=0) for group in groups]),
    )
    assert task.answer(*summaries) == pytest.approx(np.cov(np.vstack(groups), rowvar=False, ddof=0))


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of each formula task, as a student would write them."""
    a, b, c, d, e = sp.symbols("a b c d e", positive=True)
    p, q, r, t, unknown = sp.symbols("p q r t unknown", positive=True)
    along = p * sp.cos(t) ** 2 + 2 * unknown * sp.cos(t) * sp.sin(t) + q * sp.sin(t) ** 2
    points = sp.Matrix([[a, b], [c, d], [e, t]])
    away = points - sp.ones(3, 3) * points / 3
    triangle = sp.Matrix([[0, 0], [a, b], [c, d]])
    from_mean = triangle - sp.ones(3, 3) * triangle / 3
    return {
        "entry_from_spreads": (
            sp.solve(along - r, unknown)[0],
            2 * sp.solve(along - r, unknown)[0],
            "counted_the_covariance_once",
        ),
        "singular_triangle": (
            sp.solve(sp.factor((away.T * away).det()), t)[0],
            sp.solve(c * t - d * e, t)[0],
            "used_the_raw_vectors",
        ),
        "triangle_determinant": (
            (from_mean.T * from_mean / 3).det(),
            (triangle.T * triangle / 3).det(),
            "forgot_to_centre",
        ),
    }


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("covariance_matrix", "always_divided_by_n", 3 / 5),
    ("covariance_matrix", "forgot_to_centre", 0),
    ("after_a_map", "transposed_the_wrong_factor", 2 / 5),
    ("after_a_map", "added_the_shift", 1 / 4),
    ("after_a_map", "squared_the_entries", 0),
    ("varying_dimensions", "always_gave_the_bound", 2 / 5),
    ("varying_dimensions", "forgot_to_centre", 1 / 5),
    ("varying_dimensions", "took_one_off_the_raw_rank", 4 / 5),
    ("varying_dimensions", "counted_features_that_vary", 2 / 5),
    ("merged", "ignored_the_means", 1 / 5),
    ("merged", "averaged_without_weights", 1 / 5),
    ("squared_distances", "divided_by_n_minus_one", 1 / 2),
    ("both_divisors", "swapped_the_divisors", 1 / 2),
    ("ellipse", "swapped_the_lengths", 3 / 4),
]
