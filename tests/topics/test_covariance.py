"""The claims about covariance matrices: spread, semidefiniteness, ellipsoids, rank."""

import itertools

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dimred_ref._fast.blocks import mean_and_gram, mean_and_scatter, mean_and_total
from dimred_ref.covariance import (
    centred,
    column_means,
    covariance,
    covariance_rank,
    ellipsoid_axes,
    is_affinely_independent,
    scatter,
)

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


@pytest.mark.claim("eq-covariance-semidefinite")
@given(clouds, seeds)
def test_the_quadratic_form_is_a_squared_length(X, seed):
    v = np.random.default_rng(seed).normal(size=X.shape[1])
    expected = np.sum((centred(X) @ v) ** 2) / len(X)
    assert v @ covariance(X) @ v == pytest.approx(expected, abs=1e-8)


@pytest.mark.claim("thm-covariance-semidefinite")
@given(clouds)
def test_no_eigenvalue_is_negative(X):
    C = covariance(X)
    assert np.linalg.eigvalsh(C)[0] >= -1e-12 * max(np.trace(C), 1)
    assert np.array_equal(C, C.T)


@pytest.mark.claim("eq-covariance-semi-axes")
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
    monkeypatch.setattr("dimred_ref._fast.blocks.ENTRIES_PER_BLOCK", 1)
    monkeypatch.setattr("dimred_ref._fast.blocks.LEAST_LINES_PER_BLOCK", lines)
    X = np.random.default_rng(2).normal(size=(11, 7)) + 1e6
    X_c = X - X.mean(axis=0)
    mean, S = mean_and_scatter(X)
    same_mean, G = mean_and_gram(X)
    third_mean, total = mean_and_total(X)
    assert third_mean == pytest.approx(mean, rel=1e-14)
    assert total == pytest.approx(np.trace(S), abs=1e-7)
    assert mean == pytest.approx(X.mean(axis=0), rel=1e-14)
    assert S == pytest.approx(X_c.T @ X_c, abs=1e-7)
    assert same_mean == pytest.approx(mean, rel=1e-14)
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
        (lambda: scatter([[1e200], [-1e200]]), "squares can be summed"),
        (lambda: ellipsoid_axes([[1.0, 0.0], [0.0, -1.0]]), "no negative eigenvalue, got -1"),
        (lambda: ellipsoid_axes([[1.0, 2.0], [0.0, 1.0]]), "C must be symmetric"),
        (lambda: covariance_rank(np.zeros((0, 2))), "at least 1 rows, got 0"),
    ],
)
def test_bad_arguments_are_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()


# Further statements of the chapter


@pytest.mark.claim("thm-covariance-determined")
@given(clouds)
def test_spreads_along_axes_and_diagonals_give_every_entry(X):
    D = X.shape[1]
    E, C = np.eye(D), covariance(X)
    for a, b in itertools.combinations(range(D), 2):
        along = np.var(X @ (E[a] + E[b]) / np.sqrt(2))
        assert C[a, b] == pytest.approx(along - (np.var(X[:, a]) + np.var(X[:, b])) / 2, abs=1e-8)


@pytest.mark.claim("thm-covariance-determined")
@pytest.mark.parametrize("D", range(1, 6))
def test_no_smaller_number_of_spreads_would_do(D):
    E = np.eye(D)
    directions = [*E, *((E[a] + E[b]) / np.sqrt(2) for a, b in itertools.combinations(range(D), 2))]
    equations = np.array([(np.outer(u, u) * (2 - E))[np.triu_indices(D)] for u in directions])
    assert equations.shape == (D * (D + 1) // 2,) * 2
    assert np.linalg.matrix_rank(equations) == len(equations)
    for left_out in range(len(equations)):  # some other symmetric matrix has all the other spreads
        assert np.linalg.matrix_rank(np.delete(equations, left_out, axis=0)) < len(equations)


@pytest.mark.claim("thm-covariance-projection")
@given(clouds, seeds)
def test_the_covariance_of_two_projections_is_the_bilinear_form(X, seed):
    u, w = np.random.default_rng(seed).normal(size=(2, X.shape[1]))
    assert u @ covariance(X) @ w == pytest.approx(covariance(X @ np.stack([u, w]).T)[0, 1], abs=1e-8)
    assert np.mean(centred(X) @ u) == pytest.approx(0, abs=1e-11)


@pytest.mark.claim("thm-covariance-product")
@pytest.mark.claim("def-covariance-matrix")
@given(clouds, st.integers(0, 1))
def test_rows_columns_and_scaled_columns_give_the_same_covariance(X, ddof):
    if len(X) <= ddof:
        return
    N, mean = len(X), sum(X) / len(X)
    outer_products = sum(np.outer(x - mean, x - mean) for x in X)
    columns = (X - mean).T / np.sqrt(N - ddof)
    C = covariance(X, ddof=ddof)
    assert scatter(X) == pytest.approx(outer_products, abs=1e-8)
    assert C == pytest.approx(columns @ columns.T, abs=1e-8)
    assert np.array_equal(C, C.T)
    assert np.diag(C) == pytest.approx(np.var(X, axis=0, ddof=ddof), abs=1e-8)


@pytest.mark.claim("eq-covariance-population")
def test_the_sample_covariance_tends_to_that_of_its_source():
    throws = np.random.default_rng(5).integers(1, 7, size=(1_000_000, 2))
    C = covariance(np.column_stack([throws[:, 0], throws.sum(axis=1)]).astype(float))
    # first die and sum of two dice; six standard errors are about 0.03
    assert C == pytest.approx(np.array([[35 / 12, 35 / 12], [35 / 12, 35 / 6]]), abs=0.04)


@pytest.mark.claim("eq-covariance-centred")
@given(clouds)
def test_centring_moves_the_mean_to_the_origin_and_rescales_nothing(X):
    moved = centred(X)
    assert moved.sum(axis=0) == pytest.approx(0, abs=1e-10)
    assert np.diff(moved, axis=0) == pytest.approx(np.diff(X, axis=0), abs=1e-10)


@pytest.mark.claim("thm-covariance-groups")
@given(clouds, clouds, clouds)
def test_covariance_splits_into_within_and_between(one, two, three):
    parts = (one, two, three)
    D = min(part.shape[1] for part in parts)
    groups = [part[:, :D] for part in parts]
    X = np.vstack(groups)
    mean, expected = column_means(X), covariance(X)
    total = np.zeros((D, D))
    for group in groups:
        gap = column_means(group) - mean
        total += len(group) / len(X) * (covariance(group) + np.outer(gap, gap))
    assert total == pytest.approx(expected, abs=1e-8)


@pytest.mark.claim("thm-covariance-groups")
def test_two_groups_differ_by_the_product_of_their_shares():
    n, m = sympy.symbols("n m", positive=True)
    p, q = sympy.Matrix(sympy.symbols("p1:3")), sympy.Matrix(sympy.symbols("q1:3"))
    mean = (n * p + m * q) / (n + m)
    between = (n * (p - mean) * (p - mean).T + m * (q - mean) * (q - mean).T) / (n + m)
    expected = n * m / (n + m) ** 2 * (p - q) * (p - q).T
    assert sympy.simplify(between - expected) == sympy.zeros(2, 2)


@pytest.mark.claim("thm-covariance-unbiased")
@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_average_over_all_samples_of_vectors_is_exact(n):
    source = [sympy.Matrix(point) for point in ((0, 1), (3, 5), (7, 2))]

    def scatter_of(points):
        mean = sum(points, sympy.zeros(2, 1)) / len(points)
        return sum(((x - mean) * (x - mean).T for x in points), sympy.zeros(2, 2))

    samples = list(itertools.product(source, repeat=n))
    average = sum((scatter_of(sample) for sample in samples), sympy.zeros(2, 2)) / len(samples)
    assert average == (n - 1) * scatter_of(source) / len(source)


@pytest.mark.claim("eq-covariance-divisors")
@given(clouds)
def test_the_divisor_changes_neither_directions_nor_shares(X):
    if len(X) < 2:
        return
    axes = ellipsoid_axes(covariance(X))
    in_the_same_axes = axes.directions.T @ covariance(X, ddof=1) @ axes.directions
    expected = np.diag(axes.semi_axes**2) * len(X) / (len(X) - 1)
    assert in_the_same_axes == pytest.approx(expected, abs=1e-9 * (1 + expected.max()))


@pytest.mark.claim("thm-covariance-semidefinite")
@given(seeds, st.integers(1, 5), st.integers(0, 5))
def test_every_semidefinite_matrix_is_the_covariance_of_some_sample(seed, D, rank):
    root = np.random.default_rng(seed).normal(size=(D, rank))
    axes = ellipsoid_axes(root @ root.T)
    arms = (np.sqrt(D) * axes.semi_axes * axes.directions).T
    assert covariance(np.vstack([arms, -arms])) == pytest.approx(root @ root.T, abs=1e-9)


@pytest.mark.claim("thm-covariance-shadow")
@given(seeds, st.integers(1, 5), st.integers(1, 5))
def test_the_shadow_of_the_ellipsoid_is_one_standard_deviation_to_each_side(seed, D, rank):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(9, rank)) @ rng.normal(size=(rank, D))  # flat ellipsoids too
    axes = ellipsoid_axes(covariance(X))
    M = axes.directions * axes.semi_axes
    u = rng.normal(size=D)
    u /= np.linalg.norm(u)
    y = rng.normal(size=(100, D))
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    half_width = np.std(X @ u)
    assert (y @ M.T @ u).max() <= half_width + 1e-9
    top = M.T @ u / max(np.linalg.norm(M.T @ u), 1e-300)
    assert u @ M @ top == pytest.approx(half_width, abs=1e-9)


@pytest.mark.claim("thm-covariance-mahalanobis")
@given(seeds, st.integers(1, 4))
def test_squared_distances_from_the_mean_average_to_the_dimension(seed, D):
    rng = np.random.default_rng(seed)
    X = rng.exponential(size=(12, D)) + rng.normal(size=D)
    A = np.linalg.qr(rng.normal(size=(D, D)))[0] * rng.uniform(0.5, 2, size=D)

    def squared(Y):
        away = centred(Y)
        return np.sum(away @ np.linalg.inv(covariance(Y)) * away, axis=1)

    assert squared(X).mean() == pytest.approx(D)
    assert squared(X @ A.T + rng.normal(size=D)) == pytest.approx(squared(X), rel=1e-6)


@pytest.mark.claim("thm-covariance-zero")
@given(arrays(np.float64, (4, 3), elements=st.integers(-2, 2)))
def test_the_null_space_is_where_nothing_varies(X):
    exact = sympy.Matrix(X.astype(int).tolist())
    away = exact - sympy.ones(4, 4) * exact / 4
    null_space = (away.T * away).nullspace()
    assert len(null_space) == 3 - covariance_rank(X)
    for v in null_space:
        shadows = exact * v
        assert len(set(shadows)) == 1  # exactly the same number for every sample
        assert covariance(X) @ np.array(v.T, dtype=float)[0] == pytest.approx(0, abs=1e-12)


@pytest.mark.claim("thm-covariance-zero")
@given(seeds, st.integers(2, 5), st.integers(1, 9))
def test_data_in_a_hyperplane_have_a_zero_eigenvalue_with_its_normal(seed, D, N):
    rng = np.random.default_rng(seed)
    v = rng.normal(size=D)
    v /= np.linalg.norm(v)
    X = rng.normal(size=(N, D))
    X += np.outer(3 - X @ v, v)  # now vᵀx = 3 for all
    assert covariance(X) @ v == pytest.approx(0, abs=1e-12)
    X[0] += v  # one sample leaves the hyperplane
    assert N == 1 or v @ covariance(X) @ v > 0.05


@pytest.mark.claim("thm-covariance-definite")
@given(arrays(np.float64, (5, 3), elements=st.integers(-2, 2)))
def test_all_names_of_definiteness_agree(X):
    exact = sympy.Matrix(X.astype(int).tolist())
    away = exact - sympy.ones(5, 5) * exact / 5
    S = away.T * away
    minors = [S[:k, :k].det() for k in (1, 2, 3)]
    is_definite = all(minor > 0 for minor in minors)  # Sylvester's criterion, in exact numbers
    assert is_definite == (S.det() != 0) == (S.rank() == 3) == (covariance_rank(X) == 3)
    assert is_definite == (ellipsoid_axes(covariance(X)).semi_axes[-1] > 1e-6)


@pytest.mark.claim("thm-covariance-affine-independence")
@pytest.mark.parametrize("D", [1, 2, 3])
def test_the_scatter_of_a_simplex_has_the_determinant_of_its_edges(D):
    X = sympy.Matrix(D + 1, D, sympy.symbols(f"x0:{D * (D + 1)}"))
    E = X[1:, :] - sympy.ones(D, 1) * X[0, :]
    away = X - sympy.ones(D + 1, D + 1) * X / (D + 1)
    values = {symbol: (7 * k * k + 3 * k) % 11 for k, symbol in enumerate(X)}
    if D == 3:  # expanding a determinant of sixth degree in 12 symbols takes long: numbers will do
        X, E, away = (matrix.subs(values) for matrix in (X, E, away))
        assert E.det() != 0
    assert sympy.expand((away.T * away).det() - E.det() ** 2 / (D + 1)) == 0


@pytest.mark.claim("thm-covariance-affine-independence")
def test_linear_independence_is_neither_sufficient_nor_necessary():
    def any_two_are_independent(X):
        return all(np.linalg.matrix_rank(X[list(pair)]) == 2 for pair in itertools.combinations(range(3), 2))

    on_a_line, triangle = np.array([[1, 1], [2, 1], [3, 1]]), np.array([[0, 0], [1, 0], [0, 1]])
    assert any_two_are_independent(on_a_line)
    assert covariance_rank(on_a_line) == 1
    assert not is_affinely_independent(on_a_line)
    assert not any_two_are_independent(triangle)
    assert covariance_rank(triangle) == 2
    assert is_affinely_independent(triangle)


def test_the_hand_example_of_the_book():
    points = np.array([[9, 1], [7, -7], [5, -3], [3, -3]])
    assert covariance(points).tolist() == [[5, 2], [2, 8]]
    assert ellipsoid_axes(covariance(points)).semi_axes == pytest.approx([3, 2])
    assert ellipsoid_axes(points.T @ points / 4).semi_axes == pytest.approx([7, 3])
