"""The claims of the PCA chapter, tried on clouds nobody chose, and its roads against each other."""

import numpy as np
import pytest
import scipy.optimize
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import decomposition

from dimred_ref.covariance import covariance
from dimred_ref.pca import (
    affine_fit_coefficients,
    allocation,
    captured_variance,
    deflated,
    exchange_step,
    lp_allocation,
    pca,
    pca_by_covariance,
    pca_by_deflation,
    pca_by_gram,
    pca_by_lanczos,
    pca_by_svd,
    power_iteration,
    reconstruct,
    reconstruction_error,
)

EXACT_ROADS = (pca, pca_by_covariance, pca_by_svd, pca_by_gram)
ROADS = (*EXACT_ROADS, pca_by_deflation, pca_by_lanczos)

seeds = st.integers(0, 2**32 - 1)
# Width 16 makes equal entries, constant columns, ties and collinear points likely.
clouds = st.tuples(st.integers(2, 9), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.floats(-50, 50, width=16))
)


def orthonormal(seed, rows, columns):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(rows, columns)))[0]


def cloud_with_variances(seed, n_samples, variances):
    """A cloud whose covariance has exactly these eigenvalues, on random axes and about a random mean."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(n_samples, len(variances)))
    white = np.linalg.qr(noise - noise.mean(axis=0))[0] * np.sqrt(n_samples)
    axes = orthonormal(seed, len(variances), len(variances))
    return white * np.sqrt(variances) @ axes.T + rng.normal(size=len(variances))


def close(actual, expected, scale=1.0, rtol=1e-9):
    """Equal up to rounding, relative to the scale of the problem; clouds have entries well above 1."""
    return np.allclose(actual, expected, rtol=0, atol=rtol * max(scale, 1.0))


def brute_force_covariance(X):
    mean = [sum(column) / len(X) for column in X.T]
    return np.array(
        [
            [sum((x[i] - mean[i]) * (x[j] - mean[j]) for x in X) / len(X) for j in range(X.shape[1])]
            for i in range(X.shape[1])
        ]
    )


# --- Directions of maximum variance


@pytest.mark.claim("thm-pca-first-direction")
def test_the_lagrangian_is_stationary_exactly_at_eigenvectors_and_its_value_there_is_the_eigenvalue():
    entries = sympy.symbols("c11 c12 c13 c22 c23 c33", real=True)
    c11, c12, c13, c22, c23, c33 = entries
    C = sympy.Matrix([[c11, c12, c13], [c12, c22, c23], [c13, c23, c33]])
    u = sympy.Matrix(sympy.symbols("u1:4", real=True))
    multiplier = sympy.symbols("lambda", real=True)
    variance = (u.T * C * u)[0]
    lagrangian = variance + multiplier * (1 - (u.T * u)[0])
    gradient = sympy.Matrix([sympy.diff(lagrangian, entry) for entry in u])
    assert (gradient - 2 * (C * u - multiplier * u)).expand() == sympy.zeros(3, 1)
    assert sympy.expand((u.T * gradient)[0] / 2 - (variance - multiplier * (u.T * u)[0])) == 0


@pytest.mark.claim("thm-pca-first-direction")
@given(clouds, seeds)
def test_no_direction_has_more_variance_than_the_first_axis(X, seed):
    fit = pca(X, 1)
    other = orthonormal(seed, X.shape[1], 1)
    assert np.var(X @ other) <= fit.variances[0] + 1e-9 * max(fit.total_variance, 1)
    assert close(np.var(X @ fit.axes), fit.variances[0], fit.total_variance)


@pytest.mark.claim("thm-pca-first-direction")
def test_a_blind_optimiser_climbs_to_the_first_variance():
    X = cloud_with_variances(3, 40, [9.0, 4.0, 1.0, 0.5])
    climb = scipy.optimize.minimize(lambda u: -np.var(X @ u) / (u @ u), np.ones(4), tol=1e-12)
    assert close(-climb.fun, pca(X, 1).variances[0], 9.0)


@pytest.mark.claim("thm-pca-stationary")
def test_the_middle_eigenvector_of_a_diagonal_matrix_is_a_saddle():
    c, low_gap, high_gap = sympy.symbols("c g h", positive=True)
    a, b = c + low_gap + high_gap, c + low_gap
    C = sympy.diag(a, b, c)
    for position, signs in ((0, (-1, -1)), (1, (1, -1)), (2, (1, 1))):
        hessian = 2 * (C - C[position, position] * sympy.eye(3))
        tangent = [k for k in range(3) if k != position]
        assert tuple(sympy.sign(sympy.simplify(hessian[k, k])) for k in tangent) == signs


@pytest.mark.claim("thm-pca-stationary")
@given(seeds, st.lists(st.floats(0.1, 2.0), min_size=2, max_size=5))
def test_variance_is_stationary_along_every_axis_and_grows_towards_exactly_the_stronger_ones(seed, gaps):
    X = cloud_with_variances(seed, 12, np.cumsum(gaps)[::-1])
    C, D = covariance(X), X.shape[1]
    fit = pca(X, D)
    for j in range(D):
        axis = fit.axes[:, [j]]
        complement = np.eye(D) - axis @ axis.T
        assert close(complement @ C @ axis, 0, fit.total_variance)
        curvature = np.linalg.eigvalsh(complement @ (C - fit.variances[j] * np.eye(D)) @ complement)
        assert np.count_nonzero(curvature > 0.05) == j
        assert np.count_nonzero(curvature < -0.05) == D - 1 - j
    between = (fit.axes[:, [0]] + fit.axes[:, [1]]) / np.sqrt(2)
    assert np.linalg.norm((np.eye(D) - between @ between.T) @ C @ between) > 0.04


@pytest.mark.claim("thm-pca-next-direction")
@given(seeds, st.booleans())
def test_the_multiplier_of_the_second_direction_vanishes_only_for_an_eigenvector(seed, from_eigenvector):
    X = cloud_with_variances(seed, 30, [9.0, 4.0, 1.0])
    C, fit = covariance(X), pca(X, 3)
    tilted = fit.axes @ np.array([0.8, 0.0, 0.6])
    first = fit.axes[:, 0] if from_eigenvector else tilted
    value, second = power_iteration(deflated(C, first))
    multiplier = -2 * first @ C @ second
    assert abs(first @ second) < 1e-9
    assert close(2 * C @ second - 2 * value * second + multiplier * first, 0, 14.0)
    if from_eigenvector:
        assert close(multiplier, 0, 14.0)
        assert close(value, fit.variances[1], 14.0)
    else:
        # In the plane of the first and third axes the best direction orthogonal to the tilted one has
        # variance 0.36 · 9 + 0.64 · 1 = 3.88 < 4: the second axis wins, and has no multiplier.
        assert close(value, 4.0, 14.0)


@pytest.mark.claim("thm-pca-next-direction")
def test_orthogonality_alone_does_not_make_the_multiplier_vanish():
    C = np.diag([9.0, 4.0])
    first = np.array([0.8, 0.6])  # not an eigenvector
    _, second = power_iteration(deflated(C, first))
    multiplier = -2 * first @ C @ second
    assert abs(first @ second) < 1e-12
    assert abs(multiplier) == pytest.approx(2 * 0.8 * 0.6 * (9 - 4))
    assert np.linalg.norm(C @ second - (second @ C @ second) * second) > 1


@pytest.mark.claim("thm-pca-subspace")
@given(clouds, seeds, st.data())
def test_no_subspace_captures_more_than_the_leading_axes(X, seed, data):
    n_kept = data.draw(st.integers(1, min(X.shape)))
    C, fit = covariance(X), pca(X, n_kept)
    best = captured_variance(C, fit.axes)
    assert close(best, fit.variances.sum(), fit.total_variance)
    other = captured_variance(C, orthonormal(seed, X.shape[1], n_kept))
    assert other <= best + 1e-9 * max(fit.total_variance, 1)
    rotated = fit.axes @ orthonormal(seed, n_kept, n_kept)
    assert close(captured_variance(C, rotated), best, fit.total_variance)


@pytest.mark.claim("thm-pca-subspace")
@given(seeds, seeds, st.integers(1, 3))
def test_with_a_gap_every_other_subspace_captures_less_by_the_gap_times_its_tilt(seed, other_seed, n_kept):
    X = cloud_with_variances(seed, 20, [8.0, 6.0, 3.0, 1.0])
    fit = pca(X, 4)
    V = orthonormal(other_seed, 4, n_kept)
    tilt = n_kept - np.sum((fit.axes[:, :n_kept].T @ V) ** 2)
    gap = fit.variances[n_kept - 1] - fit.variances[n_kept]
    best = fit.variances[:n_kept].sum()
    assert captured_variance(covariance(X), V) <= best - gap * tilt + 1e-9


@pytest.mark.claim("thm-pca-subspace")
def test_without_a_gap_two_different_subspaces_capture_the_same():
    C = np.diag([5.0, 2.0, 2.0])
    one, another = np.eye(3)[:, [0, 1]], np.eye(3)[:, [0, 2]]
    assert captured_variance(C, one) == captured_variance(C, another) == 7.0
    assert np.linalg.norm(one @ one.T - another @ another.T) > 1


@pytest.mark.claim("thm-pca-exchange")
@given(st.lists(st.integers(0, 9), min_size=1, max_size=7), st.data())
def test_the_greedy_allocation_solves_the_linear_program(eigenvalues, data):
    n_kept = data.draw(st.integers(0, len(eigenvalues)))
    shares = lp_allocation(eigenvalues, n_kept)
    peer = scipy.optimize.linprog(
        -np.array(eigenvalues, float), A_eq=np.ones((1, len(eigenvalues))), b_eq=[n_kept], bounds=(0, 1)
    )
    assert shares @ eigenvalues == pytest.approx(-peer.fun, abs=1e-9)
    assert shares.sum() == n_kept
    assert set(shares) <= {0.0, 1.0}


@pytest.mark.claim("thm-pca-exchange")
@given(seeds, st.integers(1, 6), st.data())
def test_exchanges_climb_from_any_subspace_to_the_optimum(seed, size, data):
    n_kept = data.draw(st.integers(1, size))
    rng = np.random.default_rng(seed)
    eigenvalues = np.sort(rng.integers(0, 9, size=size).astype(float))[::-1]
    shares = allocation(orthonormal(seed, size, n_kept), np.eye(size))
    for _ in range(size):
        improved = exchange_step(shares, n_kept)
        assert improved.min() > -1e-12
        assert improved.max() < 1 + 1e-12
        assert improved.sum() == pytest.approx(n_kept)
        assert improved @ eigenvalues >= shares @ eigenvalues - 1e-12
        shares = improved
    assert shares @ eigenvalues == pytest.approx(eigenvalues[:n_kept].sum())
    assert close(shares, [1.0] * n_kept + [0.0] * (size - n_kept))


@pytest.mark.claim("thm-pca-exchange")
def test_the_last_kept_position_takes_part_in_the_exchange():
    moved = exchange_step([1, 1, 0.5, 0.5, 0], 3)
    assert moved.tolist() == [1, 1, 1, 0, 0]


@pytest.mark.claim("thm-pca-exchange")
@given(clouds, seeds, st.data())
def test_captured_variance_is_the_value_of_an_allocation(X, seed, data):
    n_kept = data.draw(st.integers(1, X.shape[1]))
    C = covariance(X)
    eigenvalues, eigenvectors = np.linalg.eigh(C)
    V = orthonormal(seed, X.shape[1], n_kept)
    shares = allocation(V, eigenvectors)
    assert shares @ eigenvalues == pytest.approx(captured_variance(C, V), abs=1e-9 * max(np.trace(C), 1))
    assert shares.sum() == pytest.approx(n_kept)
    assert shares.max() <= 1 + 1e-9


@pytest.mark.claim("thm-pca-deflation")
@given(seeds, st.floats(1.3, 4.0), st.integers(2, 5))
@settings(max_examples=40)
def test_removing_directions_one_by_one_finds_the_eigenvectors(seed, ratio, size):
    X = cloud_with_variances(seed, 15, ratio ** -np.arange(size))
    by_deflation, by_eigenvectors = pca_by_deflation(X, size), pca_by_covariance(X, size)
    assert close(by_deflation.variances, by_eigenvectors.variances)
    assert close(by_deflation.axes, by_eigenvectors.axes, rtol=1e-6)


@pytest.mark.claim("thm-pca-deflation")
@given(seeds)
def test_removing_a_direction_lowers_the_rank_by_one_and_leaves_the_other_eigenpairs(seed):
    C = covariance(cloud_with_variances(seed, 15, [8.0, 4.0, 2.0, 1.0]))
    value, direction = power_iteration(C)
    left = deflated(C, 3 * direction)
    assert value == pytest.approx(8.0)
    assert close(left @ direction, 0, 8.0)
    assert close(np.linalg.eigvalsh(left), [0, 1, 2, 4], 8.0)


# --- Minimum reconstruction error


@pytest.mark.claim("thm-pca-pythagoras")
def test_pythagoras_holds_for_every_unit_vector_of_space():
    x = sympy.Matrix(sympy.symbols("x1:4", real=True))
    t, s = sympy.symbols("t s", real=True)
    u = sympy.Matrix([sympy.cos(t) * sympy.cos(s), sympy.sin(t) * sympy.cos(s), sympy.sin(s)])
    shadow = u * (u.T * x)
    excess = (x.T * x)[0] - (shadow.T * shadow)[0] - ((x - shadow).T * (x - shadow))[0]
    in_cosines = {sympy.sin(t) ** 2: 1 - sympy.cos(t) ** 2, sympy.sin(s) ** 2: 1 - sympy.cos(s) ** 2}
    while sympy.expand(excess) != sympy.expand(sympy.expand(excess).subs(in_cosines)):
        excess = sympy.expand(sympy.expand(excess).subs(in_cosines))
    assert sympy.trigsimp(sympy.expand(excess)) == 0


@pytest.mark.claim("thm-pca-pythagoras")
@given(clouds, seeds, st.data())
def test_squared_lengths_split_into_scores_and_residuals(X, seed, data):
    n_kept = data.draw(st.integers(1, min(X.shape)))
    for axes in (pca(X, n_kept).axes, orthonormal(seed, X.shape[1], n_kept)):
        shadows = X @ axes @ axes.T
        split = np.sum((X @ axes) ** 2, axis=1) + np.sum((X - shadows) ** 2, axis=1)
        assert close(split, np.sum(X**2, axis=1), 1e4)
        assert close((X - shadows) @ axes, 0, 100)


@pytest.mark.claim("thm-pca-coefficients")
def test_the_derivatives_of_the_error_vanish_at_the_stated_coefficients():
    x = sympy.Matrix(2, 2, sympy.symbols("x11 x12 x21 x22", real=True))
    t, b = sympy.symbols("t b", real=True)
    a = sympy.symbols("a1 a2", real=True)
    u1, u2 = sympy.Matrix([sympy.cos(t), sympy.sin(t)]), sympy.Matrix([-sympy.sin(t), sympy.cos(t)])
    misses = [x[n, :].T - a[n] * u1 - b * u2 for n in range(2)]
    error = sum((miss.T * miss)[0] for miss in misses) / 2
    solution = sympy.solve([sympy.diff(error, unknown) for unknown in (*a, b)], [*a, b], dict=True)[0]
    for n in range(2):
        assert sympy.simplify(solution[a[n]] - (x[n, :] * u1)[0]) == 0
    assert sympy.simplify(solution[b] - ((x[0, :] + x[1, :]) * u2)[0] / 2) == 0


@pytest.mark.claim("thm-pca-coefficients")
@given(clouds, seeds, st.data())
def test_coefficients_agree_with_a_general_least_squares_solver(X, seed, data):
    N, D = X.shape
    n_kept = data.draw(st.integers(0, D))
    basis = orthonormal(seed, D, D)
    a, b = affine_fit_coefficients(X, basis, n_kept)
    own = np.kron(np.eye(N), basis[:, :n_kept])  # a coefficient of one sample moves that sample only
    shared = np.tile(basis[:, n_kept:], (N, 1))
    solution, *_ = np.linalg.lstsq(np.hstack([own, shared]), X.ravel())
    assert a.shape == (N, n_kept)
    assert close(np.concatenate([a.ravel(), b]), solution, 50)


@pytest.mark.claim("thm-pca-residual")
@given(clouds, seeds, st.data())
def test_residual_is_the_discarded_variance_and_no_other_flat_does_better(X, seed, data):
    N, D = X.shape
    n_kept = data.draw(st.integers(1, min(N, D)))
    rng = np.random.default_rng(seed)
    fit = pca(X, n_kept)
    eigenvalues = np.linalg.eigvalsh(brute_force_covariance(X))[::-1]
    error = reconstruction_error(X, fit.axes)
    assert close(error, eigenvalues[n_kept:].sum(), fit.total_variance)
    assert close(np.mean(np.sum((X - reconstruct(X, n_kept)) ** 2, axis=1)), error, fit.total_variance)
    point, V = X.mean(axis=0) + rng.normal(size=D) * rng.integers(2), orthonormal(seed, D, n_kept)
    from_point = X - point
    assert error <= np.mean(np.sum((from_point - from_point @ V @ V.T) ** 2, axis=1)) + 1e-9 * (1 + error)


@pytest.mark.claim("thm-pca-residual")
def test_with_an_unbiased_covariance_the_mean_error_is_smaller_than_the_discarded_variance():
    X = np.random.default_rng(5).normal(size=(7, 4))
    discarded = pca(X, 4, ddof=1).variances[2:].sum()
    assert reconstruction_error(X, pca(X, 2).axes) == pytest.approx(6 / 7 * discarded)


@pytest.mark.claim("thm-pca-equivalence")
@given(clouds, seeds, st.data())
def test_captured_variance_and_error_share_the_total_for_every_basis(X, seed, data):
    V = orthonormal(seed, X.shape[1], data.draw(st.integers(1, X.shape[1])))
    total = np.trace(covariance(X))
    assert close(captured_variance(covariance(X), V) + reconstruction_error(X, V), total, total)


@pytest.mark.claim("thm-pca-reconstruction-unique")
@given(seeds, seeds)
def test_the_reconstruction_does_not_depend_on_the_basis_of_the_flat(seed, other_seed):
    X = cloud_with_variances(seed, 10, [5.0, 5.0, 1.0])  # tied axes, but a gap after them
    expected = reconstruct(X, 2)
    for road in EXACT_ROADS:
        fit = road(X, 2)
        turned = fit.axes @ orthonormal(other_seed, 2, 2)
        assert close(fit.mean + (X - fit.mean) @ turned @ turned.T, expected, 5.0)
        assert close(fit.inverse_transform(fit.embedding), expected, 5.0)


@pytest.mark.claim("thm-pca-reconstruction-unique")
def test_without_a_gap_two_reconstructions_are_equally_good():
    cross = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    east, north = np.eye(2)[:, [0]], np.eye(2)[:, [1]]
    assert reconstruction_error(cross, east) == reconstruction_error(cross, north) == 0.5
    assert reconstruction_error(cross, pca(cross, 1).axes) == pytest.approx(0.5)


# --- What the scores are like


@pytest.mark.claim("thm-pca-scores-uncorrelated")
@given(clouds, st.sampled_from(EXACT_ROADS), st.integers(0, 1), st.data())
def test_scores_are_centred_and_uncorrelated_with_the_stated_variances(X, road, ddof, data):
    fit = road(X, data.draw(st.integers(1, min(X.shape))), ddof=ddof)
    second_moments = fit.embedding.T @ fit.embedding / (len(X) - ddof)
    assert close(second_moments, np.diag(fit.variances), fit.total_variance)
    assert close(fit.embedding.mean(axis=0), 0, np.sqrt(fit.total_variance), rtol=1e-7)


@pytest.mark.claim("thm-pca-invariance")
@given(seeds, st.floats(0.01, 100), st.floats(-1000, 1000))
def test_shifts_do_nothing_rotations_turn_the_axes_and_scaling_scales(seed, factor, shift):
    X = cloud_with_variances(seed, 9, [4.0, 2.0, 1.0])
    Q = orthonormal(seed + 1, 3, 3)
    fit, moved, turned, scaled = (pca(Y, 2) for Y in (X, X + shift, X @ Q, factor * X))
    projector = fit.axes @ fit.axes.T
    inner_products = fit.embedding @ fit.embedding.T
    for other in (moved, turned):
        assert close(other.variances, fit.variances)
        assert close(other.embedding @ other.embedding.T, inner_products, 40)
    assert close(moved.axes @ moved.axes.T, projector)
    assert close(Q @ turned.axes @ turned.axes.T @ Q.T, projector)
    assert close(scaled.axes @ scaled.axes.T, projector)
    assert close(scaled.variances, factor**2 * fit.variances, factor**2)
    assert close(scaled.embedding @ scaled.embedding.T, factor**2 * inner_products, 40 * factor**2)


@pytest.mark.claim("thm-pca-invariance")
def test_scaling_one_feature_turns_the_axes():
    X = np.random.default_rng(2).normal(size=(50, 2)) * [1.0, 2.0]
    assert abs(pca(X, 1).axes[1, 0]) > 0.9
    assert abs(pca(X * [1000.0, 1.0], 1).axes[0, 0]) > 0.9


@pytest.mark.claim("thm-pca-intermediate")
def test_in_the_plane_variance_falls_from_the_larger_to_the_smaller_with_the_squared_cosine():
    low, gap = sympy.symbols("l g", positive=True)
    turn, theta = sympy.symbols("phi theta", real=True)
    axes = sympy.Matrix([[sympy.cos(turn), -sympy.sin(turn)], [sympy.sin(turn), sympy.cos(turn)]])
    C = axes * sympy.diag(low + gap, low) * axes.T
    u = sympy.Matrix([sympy.cos(turn + theta), sympy.sin(turn + theta)])
    assert sympy.simplify((u.T * C * u)[0] - (low + gap * sympy.cos(theta) ** 2)) == 0


@pytest.mark.claim("thm-pca-intermediate")
@given(seeds, st.floats(-4, 4))
def test_the_variance_of_a_plane_cloud_along_any_angle(seed, theta):
    X = np.random.default_rng(seed).normal(size=(8, 2)) @ [[2.0, 1.0], [0.0, 1.0]]
    fit = pca(X, 2)
    u = fit.axes @ [np.cos(theta), np.sin(theta)]
    strong, weak = fit.variances
    assert np.var(X @ u) == pytest.approx(weak + (strong - weak) * np.cos(theta) ** 2)


# --- Five roads, a peer, exact arithmetic


@given(seeds, st.integers(2, 12), st.integers(1, 8), st.integers(0, 1))
def test_all_exact_roads_agree(seed, n_samples, n_features, ddof):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_samples, n_features)) * rng.uniform(0.5, 2, size=n_features) + rng.normal()
    n_kept = int(rng.integers(1, min(X.shape) + 1))
    expected = pca_by_svd(X, n_kept, ddof=ddof)
    scale = expected.total_variance
    for road in EXACT_ROADS:
        fit = road(X, n_kept, ddof=ddof)
        assert close(fit.variances, expected.variances, scale)
        assert fit.total_variance == pytest.approx(expected.total_variance)
        assert close(fit.mean, X.mean(axis=0), 5.0)
        assert close(fit.axes.T @ fit.axes, np.eye(n_kept))
        assert close(fit.embedding, (X - fit.mean) @ fit.axes, np.sqrt(scale), rtol=1e-7)
        assert close(fit.embedding, fit.transform(X), np.sqrt(scale), rtol=1e-7)
        residual = covariance(X, ddof=ddof) @ fit.axes - fit.axes * fit.variances
        assert close(residual, 0, scale, rtol=1e-8)


@pytest.mark.parametrize("shape", [(60, 7), (7, 60), (30, 30), (600, 4), (4, 600)])
def test_scikit_learn_agrees_up_to_signs(shape):
    rng = np.random.default_rng(8)
    X = rng.normal(size=shape) * np.linspace(1, 3, shape[1]) + 5
    peer = decomposition.PCA(3, svd_solver="full").fit(X)
    new = rng.normal(size=(2, shape[1]))
    for road in ROADS if shape[1] < 50 else EXACT_ROADS:
        fit = road(X, 3, ddof=1)
        signs = np.sign(np.sum(fit.axes * peer.components_.T, axis=0))
        tolerance = {"rtol": 1e-6} if road is pca_by_deflation else {"rtol": 1e-9}
        assert close(fit.axes * signs, peer.components_.T, **tolerance)
        assert close(fit.variances, peer.explained_variance_, 100)
        assert close(fit.explained_variance_ratio, peer.explained_variance_ratio_)
        assert close(fit.transform(new) * signs, peer.transform(new), 30, **tolerance)
        assert close(
            fit.inverse_transform([[1, 2, 3]]), peer.inverse_transform(signs * [[1, 2, 3]]), 30, **tolerance
        )


def test_a_covariance_with_whole_eigenvalues_is_solved_to_the_last_digit():
    h1, h2 = np.array([1, 1, -1, -1]), np.array([1, -1, 1, -1])
    X = [7, -2] + 2 * np.outer(h1, [3, 4]) + np.outer(h2, [-4, 3])
    exact = sympy.Matrix(X.tolist())
    about_mean = exact - sympy.ones(4, 1) * (sympy.ones(1, 4) * exact) / 4
    C = about_mean.T * about_mean / 4
    assert C.eigenvals() == {100: 1, 25: 1}
    for road in ROADS:
        fit = road(X, 2)
        assert close(fit.variances, [100, 25], 100, rtol=1e-12)
        assert close(np.abs(fit.axes), np.array([[3, 4], [4, 3]]) / 5, rtol=1e-9)
        assert fit.total_variance == pytest.approx(125)


@pytest.mark.parametrize("shape", [(520, 5), (5, 520), (3, 2), (2, 3)])
@pytest.mark.parametrize("road", EXACT_ROADS)
def test_a_mean_of_a_hundred_million_costs_no_accuracy(road, shape):
    spread = np.r_[4.0, 2.0, np.ones(shape[1] - 2)]
    far = 1e8 + spread * np.random.default_rng(4).normal(size=shape)
    near = far - 1e8  # exactly what rounding to multiples of 2⁻²⁶ left of the cloud
    expected, fit = pca_by_svd(near, 1), road(far, 1)
    assert close(fit.variances, expected.variances, expected.variances[0], rtol=1e-8)
    assert fit.total_variance == pytest.approx(expected.total_variance, rel=1e-8)
    assert close(fit.axes @ fit.axes.T, expected.axes @ expected.axes.T, rtol=1e-7)
    assert close(fit.mean - 1e8, expected.mean, rtol=1e-7)
    assert close(np.abs(fit.embedding), np.abs(expected.embedding), 10, rtol=1e-7)


@pytest.mark.parametrize("shape", [(40, 6), (6, 40), (7, 7)])
@pytest.mark.parametrize("lines", [1, 3, 16])
@pytest.mark.parametrize("mean", [0, 1e8])  # summed in one product, moved block by block
def test_the_size_of_the_blocks_does_not_matter(monkeypatch, shape, lines, mean):
    X = np.random.default_rng(11).normal(size=shape) * np.arange(1, shape[1] + 1) + mean
    expected = pca_by_svd(X, 3)
    monkeypatch.setattr("dimred_ref._fast.blocks.ENTRIES_PER_BLOCK", 1)
    monkeypatch.setattr("dimred_ref._fast.blocks.LEAST_LINES_PER_BLOCK", lines)
    fit = pca(X, 3)
    assert close(fit.variances, expected.variances, expected.variances[0], rtol=1e-8)
    assert close(fit.embedding, expected.embedding, 10, rtol=1e-6)
    assert close(fit.transform(X), expected.embedding, 10, rtol=1e-6)


def test_samples_that_drift_far_from_the_first_block_cost_no_accuracy():
    rng = np.random.default_rng(6)
    X = rng.normal(size=(30_000, 6)) + np.linspace(0, 1e6, 30_000)[:, None]
    expected, fit = pca_by_svd(X, 3), pca(X, 3)
    assert close(fit.variances, expected.variances, expected.variances[0], rtol=1e-12)
    assert close(fit.mean, X.mean(axis=0), 1e6, rtol=1e-12)


# --- Edge cases


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("shape", [(5, 7), (7, 5), (2, 1), (520, 3)])
def test_data_that_do_not_vary_have_variances_and_ratios_zero(road, shape):
    fit = road(np.full(shape, 0.1), 1)
    assert fit.variances.tolist() == fit.explained_variance_ratio.tolist() == [0.0]
    assert fit.total_variance == 0
    assert not fit.embedding.any()
    assert np.linalg.norm(fit.axes) == pytest.approx(1)


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("shape", [(40, 6), (6, 40), (6, 6)])
def test_axes_beyond_the_rank_are_orthonormal_directions_of_no_variance(road, shape):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(shape[0], 2)) @ rng.normal(size=(2, shape[1]))
    fit = road(X, 6)
    assert close(fit.axes.T @ fit.axes, np.eye(6))
    assert close(fit.variances[2:], 0, fit.total_variance, rtol=1e-12)
    assert close(np.var(X @ fit.axes[:, 2:], axis=0), 0, fit.total_variance, rtol=1e-12)
    assert close(fit.inverse_transform(fit.embedding), X, np.abs(X).max(), rtol=1e-7)


@pytest.mark.parametrize("road", EXACT_ROADS)
def test_tied_variances_give_some_basis_of_the_common_subspace(road):
    X = cloud_with_variances(9, 12, [3.0, 3.0, 3.0, 1.0])
    fit = road(X, 3)
    weakest = np.linalg.eigh(covariance(X))[1][:, :1]
    assert close(fit.axes @ fit.axes.T, np.eye(4) - weakest @ weakest.T)


@pytest.mark.parametrize("road", ROADS)
def test_integers_booleans_and_float32_are_computed_in_double_precision(road):
    whole = np.random.default_rng(7).integers(0, 100, size=(9, 3))
    expected = road(whole.astype(float), 2)
    for same in (whole.astype(np.int8), whole.astype(np.uint8), whole.astype(np.float32), whole.tolist()):
        fit = road(same, 2)
        assert fit.embedding.dtype == fit.variances.dtype == np.float64
        assert np.array_equal(fit.embedding, expected.embedding)
    assert road(whole > 50, 1).variances[0] <= 3 / 4


@pytest.mark.parametrize("mean", [0, 1000])  # summed in one product, moved block by block
@pytest.mark.parametrize("road", ROADS)
def test_the_memory_layout_does_not_matter(road, mean):
    X = np.random.default_rng(12).normal(size=(9, 5)) * [5, 4, 3, 2, 1] + mean
    expected = road(X, 2)
    wider = np.zeros((18, 10))
    wider[::2, ::2] = X
    read_only = X.copy()
    read_only.flags.writeable = False
    for same in (np.asfortranarray(X), wider[::2, ::2], read_only, X.astype(">f8")):
        assert close(road(same, 2).embedding, expected.embedding, rtol=1e-8)


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize(
    ("X", "complaint"),
    [
        ([[1.0, np.nan], [0.0, 1.0], [2.0, 2.0]], "X must be finite, got 1"),
        ([[1.0, np.inf], [0.0, 1.0], [2.0, 2.0]], "X must be finite, got 1"),
        ([[1.0, np.inf], [0.0, -np.inf], [2.0, 2.0]], "X must be finite, got 2"),
        ([[1.0, 1e200], [0.0, 1.0], [2.0, 2.0]], "squares can be summed.*1e\\+200"),
        ([[1j, 0], [0, 1]], "real numbers, got dtype complex128"),
        ([["a", "b"], ["c", "d"]], "real numbers, got dtype <U1"),
        ([1.0, 2.0, 3.0], "2 axes.*shape \\(3,\\)"),
        ([[1.0, 2.0, 3.0]], "at least 2 rows, got 1"),
        (np.zeros((0, 3)), "at least 2 rows, got 0"),
        (np.zeros((3, 0)), "at least 1 columns, got 0"),
    ],
)
def test_bad_data_are_refused_in_words(road, X, complaint):
    with pytest.raises(ValueError, match=complaint):
        road(X, 1)


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize(
    ("n_components", "complaint"),
    [
        (0, "n_components must be between 1 and 3, got 0"),
        (4, "n_components must be between 1 and 3, got 4"),
        (1.0, "n_components must be a whole number"),
        (True, "n_components must be a whole number"),
    ],
)
def test_the_number_of_components_has_a_bound(road, n_components, complaint):
    for shape in ((3, 5), (5, 3)):
        with pytest.raises(ValueError, match=complaint):
            road(np.random.default_rng(0).normal(size=shape), n_components)


@pytest.mark.parametrize("road", EXACT_ROADS)
@pytest.mark.parametrize("shape", [(40, 6), (6, 40)])
def test_units_are_free_until_squares_vanish_or_overflow(road, shape):
    X = np.random.default_rng(0).normal(size=shape) * 0.5
    expected = road(X, 2)
    for unit in (1e-140, 1e140):
        fit = road(unit * X, 2)
        assert close(fit.variances / unit / unit, expected.variances, rtol=1e-9)
        assert close(fit.embedding @ fit.axes.T / unit, expected.embedding @ expected.axes.T, 10, rtol=1e-9)
    for unit in (1e-170, 1e-300, 1e170, 1e300):
        with pytest.raises(ValueError, match=r"X must .* squares can be summed"):
            road(unit * X, 2)


def test_ddof_must_leave_a_divisor():
    with pytest.raises(ValueError, match="ddof must be between 0 and 2, got 3"):
        pca(np.eye(3), 1, ddof=3)


def test_arguments_are_never_written_into():
    X = np.random.default_rng(3).normal(size=(6, 4))
    C, before = covariance(X), X.copy()
    C_before = C.copy()
    for road in ROADS:
        road(X, 2)
    shares = np.array([0.5, 0.5])
    exchange_step(shares, 1)
    power_iteration(C), deflated(C, C[0])
    assert np.array_equal(X, before)
    assert np.array_equal(C, C_before)
    assert shares.tolist() == [0.5, 0.5]
    assert X.flags.writeable


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_a_direction_may_have_any_length(unit):
    C = np.diag([3.0, 2.0, 1.0])
    assert close(deflated(C, [unit, 0, 0]), np.diag([0.0, 2.0, 1.0]))
    assert power_iteration(C, start=[unit, unit, unit])[0] == pytest.approx(3)


def test_close_eigenvalues_exhaust_power_iteration_in_words():
    with pytest.raises(np.linalg.LinAlgError, match="in 50 steps"):
        power_iteration(np.diag([1.0, 0.999999]), max_iterations=50)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: captured_variance(np.eye(2), [[1.0], [1.0]]), "V must have orthonormal columns"),
        (lambda: captured_variance(np.eye(2), np.eye(3)), "V must have 2 rows, got 3"),
        (lambda: captured_variance([[1.0, 2.0], [0.0, 1.0]], np.eye(2)), "C must be symmetric"),
        (lambda: reconstruction_error(np.eye(2), [[2.0], [0.0]]), "V must have orthonormal columns"),
        (lambda: deflated(np.eye(2), [0.0, 0.0]), "direction must not be the zero vector"),
        (lambda: deflated(np.eye(2), [1.0, 0.0, 0.0]), "direction must have 2 entries, got 3"),
        (lambda: affine_fit_coefficients(np.eye(2), [[1.0], [0.0]], 1), "basis must have 2 columns, got 1"),
        (lambda: affine_fit_coefficients(np.eye(2), np.eye(2), 3), "n_kept must be between 0 and 2, got 3"),
        (lambda: lp_allocation([1.0], 2), "n_components must be between 0 and 1, got 2"),
        (lambda: exchange_step([1.0, 1.0], 1), "sum to 1"),
        (lambda: exchange_step([1.5, -0.5], 1), "lie in \\[0, 1\\]"),
        (lambda: pca(np.eye(3), 1).transform(np.eye(2)), "new must have 3 columns, got 2"),
        (lambda: pca(np.eye(3), 1).inverse_transform(np.eye(2)), "Z must have 1 columns, got 2"),
        (lambda: power_iteration(np.eye(2), start=[1.0]), "start must have 2 entries, got 1"),
        (lambda: power_iteration(np.eye(2), start=[0.0, 0.0]), "start must not be the zero vector"),
        (lambda: power_iteration(np.eye(2), tolerance=None), "tolerance must be a number, got None"),
        (lambda: power_iteration(np.eye(2), max_iterations=1.5), "max_iterations must be a whole number"),
        (lambda: captured_variance(np.eye(2), [[1e200, -1e200], [1e200, 1e200]]), "V must have orthonormal"),
    ],
)
def test_each_helper_names_what_is_wrong(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
