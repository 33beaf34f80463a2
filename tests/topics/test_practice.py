"""The claims of the chapter on PCA in practice."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm
from scipy.spatial.distance import cdist

from dimred_ref.covariance import covariance
from dimred_ref.datasets import batch_effect, digits, penguins
from dimred_ref.pca import pca, reconstruction_error
from dimred_ref.practice import (
    biplot,
    broken_stick,
    cumulative_variance_ratio,
    loadings,
    n_components_for,
    normalised_scores,
    outlier_scores,
    permutation_p_values,
    regress_out,
    scores,
    shuffled_variances,
    standardised,
    whitened,
    without_leading_components,
    zca_whitened,
)

seeds = st.integers(0, 2**32 - 1)


def correlation(a, b):
    return abs(np.corrcoef(a, b)[0, 1])


def cloud(seed, n_samples, n_features):
    """A sample with correlated features in unlike units."""
    rng = np.random.default_rng(seed)
    mixture = rng.normal(size=(n_features, n_features)) * rng.uniform(0.2, 5, size=n_features)
    return rng.normal(size=(n_samples, n_features)) @ mixture + rng.normal(size=n_features)


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


@pytest.mark.claim("thm-practice-scores")
@given(seeds)
def test_no_unit_vector_orthogonal_to_earlier_scores_beats_the_next_one(seed):
    X = cloud(seed, 8, 4)
    X_c, U = X - X.mean(axis=0), normalised_scores(X, 4)
    G = X_c @ X_c.T
    for j in range(4):
        complement = np.linalg.svd(U[:, :j], full_matrices=True)[0][:, j:] if j else np.eye(8)
        best = np.linalg.eigvalsh(complement.T @ G @ complement)[-1]
        assert U[:, j] @ G @ U[:, j] == pytest.approx(best, rel=1e-9)


@pytest.mark.claim("thm-practice-biplot")
@given(seeds, st.integers(1, 4))
def test_inner_products_of_a_biplot_are_best_approximations_and_its_arrows_correlations(seed, count):
    X = cloud(seed, 9, 4)
    drawn, X_c, C = biplot(X, count), X - X.mean(axis=0), covariance(X)
    sigma = np.linalg.svd(X_c, compute_uv=False)
    table, left_out = drawn.points @ drawn.arrows.T, sigma[count:]
    assert np.linalg.norm(X_c - table) == pytest.approx(np.linalg.norm(left_out), abs=1e-8)
    assert np.linalg.norm(C - drawn.arrows @ drawn.arrows.T) == pytest.approx(
        np.linalg.norm(left_out**2 / 9), abs=1e-8
    )
    squares = np.sum(drawn.arrows**2, axis=1)
    assert np.all(squares <= np.diag(C) * (1 + 1e-9))
    assert squares == pytest.approx(table.var(axis=0), rel=1e-8)
    Z = scores(X, count)
    for feature in range(4):
        for j in range(count):
            expected = np.corrcoef(X[:, feature], Z[:, j])[0, 1] * X[:, feature].std()
            assert drawn.arrows[feature, j] == pytest.approx(expected, abs=1e-7)


@pytest.mark.claim("thm-practice-biplot")
def test_points_of_a_full_biplot_are_as_far_apart_as_mahalanobis_says():
    X = cloud(3, 30, 4)
    points = biplot(X, 4).points
    expected = cdist(X, X, "mahalanobis", VI=np.linalg.inv(covariance(X)))
    assert cdist(points, points) == pytest.approx(expected, abs=1e-8)


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


@pytest.mark.claim("thm-practice-explained")
@given(seeds, st.floats(0.05, 1), st.integers(0, 2**32 - 1))
def test_no_smaller_flat_comes_as_near_as_the_share_asks_for(seed, share, other_seed):
    X = cloud(seed, 12, 5)
    fit = pca(X, 5)
    count, total = n_components_for(fit.variances, share), fit.variances.sum()
    assert reconstruction_error(X, fit.axes[:, :count]) <= (1 - share) * total + 1e-9 * total
    if count > 1:
        smaller = np.linalg.qr(np.random.default_rng(other_seed).normal(size=(5, count - 1)))[0]
        nudged = np.linalg.qr(fit.axes[:, : count - 1] + 1e-3 * smaller)[0]
        for axes in (fit.axes[:, : count - 1], nudged, smaller):
            assert reconstruction_error(X, axes) > (1 - share) * total * (1 - 1e-9)


def test_the_broken_stick_by_hand():
    assert broken_stick(4) == pytest.approx(np.array([25, 13, 7, 3]) / 48)
    assert broken_stick(1).tolist() == [1.0]
    assert broken_stick(2).tolist() == [0.75, 0.25]


@pytest.mark.claim("thm-practice-broken-stick")
@pytest.mark.parametrize("pieces", [2, 3, 6, 20])
def test_sticks_broken_at_random_have_the_lengths_of_the_formula(pieces):
    rng = np.random.default_rng(pieces)
    cuts = np.sort(rng.uniform(size=(40_000, pieces - 1)), axis=1)
    lengths = np.diff(np.pad(cuts, ((0, 0), (1, 1)), constant_values=(0, 1)), axis=1)
    lengths = np.sort(lengths, axis=1)[:, ::-1]
    standard_errors = lengths.std(axis=0) / 200
    assert np.all(np.abs(lengths.mean(axis=0) - broken_stick(pieces)) < 5 * standard_errors)
    assert broken_stick(pieces).sum() == pytest.approx(1)


@pytest.mark.claim("thm-practice-permutation")
@pytest.mark.parametrize("draw", ["normal", "exponential", "standard_cauchy"])
def test_without_structure_small_p_values_are_as_rare_as_they_say(draw):
    rng = np.random.default_rng(7)
    tables = getattr(rng, draw)(size=(400, 9, 3))
    p_values = np.array([permutation_p_values(X, n_draws=19, seed=s)[0] for s, X in enumerate(tables)])
    for level in (0.05, 0.1, 0.3, 0.6):
        share, luck = np.mean(p_values <= level + 1e-9), 4 * np.sqrt(level * (1 - level) / 400)
        assert share < level + luck
        assert share > level - luck  # ties are rare here, so the test wastes little


@pytest.mark.claim("thm-practice-permutation")
@given(seeds)
def test_shuffled_tables_keep_every_feature_and_so_the_total_variance(seed):
    X = cloud(seed, 10, 3)
    shuffled = shuffled_variances(X, n_draws=4, seed=seed % 1000)
    assert shuffled.shape == (4, 3)
    assert shuffled.sum(axis=1) == pytest.approx(np.full(4, X.var(axis=0).sum()))
    assert np.array_equal(shuffled, shuffled_variances(X, n_draws=4, seed=seed % 1000))


def test_p_values_find_planted_structure_and_lie_between_one_draw_and_one():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 8)) + 3 * np.outer(rng.normal(size=60), np.ones(8))
    p_values = permutation_p_values(X, n_draws=49)
    assert p_values[0] == pytest.approx(1 / 50)
    assert p_values[1] > 0.5
    assert p_values.max() <= 1
    one_feature = permutation_p_values(X[:, :1], n_draws=9)
    assert one_feature.tolist() == [1.0]  # nothing to tie it to: every shuffled table does as well


def test_a_strong_first_component_hides_the_second_until_it_is_removed():
    Y = standardised(penguins().X)
    assert permutation_p_values(Y)[1] == 1
    assert permutation_p_values(without_leading_components(Y, 1))[0] == pytest.approx(0.01)


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


@pytest.mark.claim("thm-practice-whitening")
@given(seeds)
def test_white_tables_have_the_identity_as_covariance_and_mahalanobis_as_distance(seed):
    X = cloud(seed, 12, 3)
    expected = cdist(X, X, "mahalanobis", VI=np.linalg.inv(covariance(X)))
    for table in (whitened(X, 3), zca_whitened(X)):
        assert covariance(table) == pytest.approx(np.eye(3), abs=1e-9)
        assert cdist(table, table) == pytest.approx(expected, abs=1e-6)
    assert whitened(X, 2).shape == (12, 2)


@pytest.mark.claim("thm-practice-whitening")
@given(seeds)
def test_no_turn_of_the_zca_table_brings_it_nearer_to_the_data(seed):
    X = cloud(seed, 12, 3)
    X_c, nearest = X - X.mean(axis=0), zca_whitened(X)
    least = np.sum((nearest - X_c) ** 2)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        turn = np.zeros((3, 3))
        turn[a, b], turn[b, a] = 1, -1
        for angle in (-2.0, -1e-2, 1e-2, 0.5, np.pi):
            assert np.sum((nearest @ expm(angle * turn) - X_c) ** 2) > least
    mirror = np.diag([1.0, 1.0, -1.0])
    assert np.sum((nearest @ mirror - X_c) ** 2) > least
    # The certificate of all orthogonal matrices at once: X_cᵀ W is symmetric and positive definite.
    product = X_c.T @ nearest
    assert product == pytest.approx(product.T, abs=1e-8 * np.abs(product).max())
    assert np.linalg.eigvalsh(product)[0] > 0


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


def test_ten_samples_can_never_show_an_outlier_of_more_than_three_deviations():
    X = np.random.default_rng(4).normal(size=(10, 3))
    X[0] += 1e6
    assert 2.999 < outlier_scores(X, 1)[0] <= 3 + 1e-12


@pytest.mark.claim("thm-practice-regress-out")
@given(seeds)
def test_of_all_tables_without_the_nuisance_the_cleaned_one_is_nearest(seed):
    rng = np.random.default_rng(seed)
    X, nuisance = cloud(seed, 9, 3), rng.normal(size=(9, 2))
    cleaned = regress_out(X, nuisance)
    free = np.linalg.svd(np.column_stack([np.ones(9), nuisance]), full_matrices=True)[0][:, 3:]
    step = 1e-3 * np.linalg.norm(X)
    for direction in free.T:  # every direction that keeps the mean and stays free of the nuisance
        for feature in range(3):
            moved = cleaned.copy()
            moved[:, feature] += step * direction
            assert np.linalg.norm(X - moved) > np.linalg.norm(X - cleaned)


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


@pytest.mark.claim("thm-practice-regression")
@given(seeds, st.lists(st.integers(0, 3), min_size=1, max_size=4, unique=True))
def test_a_component_explains_of_a_target_what_its_normalised_score_shares_with_it(seed, chosen):
    X, y = cloud(seed, 10, 4), np.random.default_rng(seed + 1).normal(size=10)
    columns = np.column_stack([np.ones(10), scores(X, 4)[:, chosen]])
    fitted = columns @ np.linalg.lstsq(columns, y)[0]
    U = normalised_scores(X, 4)[:, chosen]
    assert fitted == pytest.approx(y.mean() + U @ (U.T @ y), abs=1e-7)
    explained = np.sum((y - y.mean()) ** 2) - np.sum((y - fitted) ** 2)
    assert explained == pytest.approx(np.sum((U.T @ y) ** 2), abs=1e-7)
    if len(chosen) == 4:
        features = np.column_stack([np.ones(10), X])
        assert fitted == pytest.approx(features @ np.linalg.lstsq(features, y)[0], abs=1e-6)


@pytest.mark.claim("thm-practice-regression")
def test_coefficients_of_small_components_are_the_uncertain_ones():
    X = cloud(5, 40, 3)
    Z = scores(X, 3)
    noise = np.random.default_rng(6).normal(size=(40, 20_000))
    columns = np.column_stack([np.ones(40), Z])
    coefficients = np.linalg.lstsq(columns, noise)[0][1:]
    assert coefficients.var(axis=1) == pytest.approx(1 / (40 * pca(X, 3).variances), rel=0.05)


def test_what_the_page_says_of_the_penguins():
    birds = penguins()
    Y = standardised(birds.X)
    assert abs(loadings(birds.X, 1)[3, 0]) > 0.999
    ties = [correlation(column, birds.sexes) for column in scores(Y, 4).T]
    assert np.argmax(ties) == 1
    cleaned = regress_out(Y, np.eye(3)[birds.species])
    assert correlation(scores(cleaned, 1)[:, 0], birds.sexes) > 2 * ties[0]
    assert np.corrcoef(Y[:, 0], Y[:, 1])[0, 1] < 0
    for species in range(3):
        assert np.corrcoef(Y[birds.species == species, :2].T)[0, 1] > 0.3
    strange = outlier_scores(Y, 4)
    assert strange.argmax() == 282
    assert strange[282] > 1.4 * np.sort(strange)[-2]
    assert outlier_scores(Y, 2).argmax() != 282


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
        (lambda: broken_stick(0), "n_features must be between 1"),
        (lambda: shuffled_variances(np.eye(3), n_draws=0), "n_draws must be between 1"),
        (lambda: permutation_p_values([[1.0, 2.0]]), "X must have at least 2 rows, got 1"),
        (lambda: whitened(np.eye(3), 3), "at most the rank 2 of the covariance, got 3"),
        (lambda: zca_whitened(np.eye(3)), "at most the rank 2 of the covariance, got 3"),
        (lambda: biplot(np.ones((4, 3))), "at most the rank 0 of the covariance, got 2"),
        (lambda: scores([[1.0, np.nan], [1.0, 2.0]], 1), "X must be finite"),
    ],
)
def test_bad_arguments_are_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
