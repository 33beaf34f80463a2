"""Claims about classical scaling, and about the Lanczos method under it."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.manifold import ClassicalMDS as PeerMDS

from dimred_ref._fast.lanczos import KrylovSpace, _without, largest_eigenpairs
from dimred_ref.classical_mds import (
    classical_mds,
    double_centred,
    extend,
    gram_spectrum,
    negative_mass,
    strain,
)
from dimred_ref.datasets import airports
from dimred_ref.procrustes import rigid_alignment

seeds = st.integers(0, 10_000)

FOUR_CYCLE = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]])


def cloud(seed, size=40, dimension=3):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((size, dimension)) * np.linspace(3, 1, dimension) + rng.standard_normal(
        dimension
    )


def table(points):
    return cdist(points, points)


@pytest.mark.claim("thm-classical-mds-gram")
@given(seeds)
def test_double_centring_gives_the_dot_products_of_the_centred_points(seed):
    X = cloud(seed)
    centred = X - X.mean(axis=0)
    np.testing.assert_allclose(double_centred(table(X) ** 2), centred @ centred.T, atol=1e-10)


def test_the_identity_behind_double_centring_holds_for_symbols():
    """Four points in the plane that sum to zero: ledger S2.67."""
    a = sympy.symbols("a:6", real=True)
    points = [sympy.Matrix(a[:2]), sympy.Matrix(a[2:4]), sympy.Matrix(a[4:])]
    points.append(-points[0] - points[1] - points[2])
    squared = sympy.Matrix(4, 4, lambda i, j: (points[i] - points[j]).dot(points[i] - points[j]))
    J = sympy.eye(4) - sympy.ones(4, 4) / 4
    gram = sympy.Matrix(4, 4, lambda i, j: points[i].dot(points[j]))
    assert (-J * squared * J / 2 - gram).expand() == sympy.zeros(4, 4)


@pytest.mark.parametrize(
    ("points", "eigenvalues"),
    [
        ([(0, 0), (4, 0), (0, 2), (0, -2)], [12, 8]),
        ([(0, 0), (3, 0), (3, 4), (0, 8)], [45, 8]),
        ([(-3, 0), (3, 0), (0, 6)], [24, 18]),  # b²/2 and 2h²/3 with base 6 and height 6
        ([(0, 0), (4, 0), (4, 3), (0, 3)], [16, 9]),
        ([(0, 0), (1, 0), (3, 0), (6, 0)], [21]),
    ],
)
def test_figures_worked_out_by_hand_have_these_eigenvalues(points, eigenvalues):
    model = classical_mds(table(np.array(points, float)), len(eigenvalues))
    np.testing.assert_allclose(model.eigenvalues, eigenvalues, rtol=1e-12)
    assert model.strain < 1e-10
    assert model.negative_mass_at_least == 0


@pytest.mark.claim("thm-classical-mds-exact")
@given(seeds)
def test_distances_of_euclidean_points_come_back(seed):
    X = cloud(seed)
    model = classical_mds(table(X), 3)
    np.testing.assert_allclose(table(model.embedding), table(X), atol=1e-9)
    np.testing.assert_allclose(model.embedding.mean(axis=0), 0, atol=1e-10)
    assert 0 <= model.strain < 1e-8  # a square, even if rounding errors are all there is


@pytest.mark.claim("thm-classical-mds-truncation")
@given(seeds, st.integers(1, 3))
def test_strain_is_the_sum_of_the_squares_of_the_discarded_eigenvalues(seed, d):
    distances = table(cloud(seed, dimension=5))
    model = classical_mds(distances, d)
    discarded = gram_spectrum(distances)[d:]
    np.testing.assert_allclose(model.strain, (discarded**2).sum(), rtol=1e-9)
    np.testing.assert_allclose(strain(distances, model.embedding), model.strain, rtol=1e-9)


@pytest.mark.claim("thm-classical-mds-optimal")
@given(seeds)
def test_no_other_plane_has_less_strain(seed):
    rng = np.random.default_rng(seed)
    distances = table(cloud(seed, dimension=5))
    model = classical_mds(distances, 2)
    for size in (1e-3, 0.1, 1.0):
        other = model.embedding + size * rng.standard_normal(model.embedding.shape)
        assert strain(distances, other) > model.strain


@pytest.mark.claim("thm-classical-mds-is-pca")
@given(seeds)
def test_classical_scaling_of_euclidean_distances_is_pca(seed):
    X = cloud(seed)
    centred = X - X.mean(axis=0)
    variances, directions = np.linalg.eigh(centred.T @ centred / len(X))
    model = classical_mds(table(X), 2)
    np.testing.assert_allclose(model.eigenvalues, len(X) * variances[:0:-1], rtol=1e-9)
    scores = centred @ directions[:, :0:-1]
    np.testing.assert_allclose(model.embedding @ model.embedding.T, scores @ scores.T, atol=1e-8)


def test_negative_eigenvalues_are_left_out_and_reported():
    """The 4-cycle: spectrum 2, 2, 0, −1 (ledger 11.3)."""
    np.testing.assert_allclose(gram_spectrum(FOUR_CYCLE), [2, 2, 0, -1], atol=1e-12)
    model = classical_mds(FOUR_CYCLE, 2)
    np.testing.assert_allclose(model.eigenvalues, [2, 2])
    assert model.negative_mass_at_least == pytest.approx(1)
    assert negative_mass(FOUR_CYCLE) == pytest.approx(1)
    assert model.strain == pytest.approx(1)
    assert classical_mds(FOUR_CYCLE, 1).negative_mass_at_least == 0  # one eigenvalue proves nothing yet


def test_negative_mass_of_a_euclidean_table_is_zero():
    assert negative_mass(table(cloud(0))) == 0


def test_the_proven_negative_mass_never_exceeds_the_true_one():
    rng = np.random.default_rng(5)
    noise = rng.random((30, 30)) * 3
    distances = table(cloud(1, 30)) + noise + noise.T
    np.fill_diagonal(distances, 0)
    truth = negative_mass(distances)
    n_positive = int((gram_spectrum(distances) > 1e-9).sum())
    bounds = [classical_mds(distances, d).negative_mass_at_least for d in range(1, n_positive + 1)]
    assert max(bounds) <= truth * (1 + 1e-9)
    assert bounds[-1] == pytest.approx(truth)


@pytest.mark.parametrize("d", [3, 4])
def test_more_dimensions_than_positive_eigenvalues_are_refused(d):
    with pytest.raises(ValueError, match=r"n_components must be (at most 2|between 1 and 3)"):
        classical_mds(FOUR_CYCLE, d)


def test_a_flat_cloud_has_no_fourth_dimension_however_large_the_table():
    with pytest.raises(ValueError, match=r"at most 3, the number of positive eigenvalues, got 5"):
        classical_mds(table(cloud(0, 400)), 5)


def test_points_that_coincide_have_no_dimension():
    with pytest.raises(ValueError, match="some eigenvalue must be positive, got none"):
        classical_mds(np.zeros((5, 5)), 1)


@pytest.mark.claim("thm-classical-mds-extension")
@given(seeds)
def test_new_points_keep_their_euclidean_distances(seed):
    X, new = cloud(seed), cloud(seed + 1, 7)
    model = classical_mds(table(X), 3)
    placed = extend(model, cdist(new, X))
    np.testing.assert_allclose(cdist(placed, model.embedding), cdist(new, X), atol=1e-8)


@given(seeds)
def test_a_point_of_the_table_is_placed_where_it_was(seed):
    distances = table(cloud(seed)) ** 0.5  # a metric that two dimensions do not exhaust
    model = classical_mds(distances, 2)
    np.testing.assert_allclose(extend(model, distances), model.embedding, atol=1e-9)


def test_large_tables_give_the_answer_of_small_ones():
    """Lanczos on the implicit operator against a dense eigenproblem of the explicit matrix."""
    distances = table(cloud(3, 500, 6))
    gram = double_centred(distances**2)
    values, vectors = np.linalg.eigh(gram)
    model = classical_mds(distances, 4)
    np.testing.assert_allclose(model.eigenvalues, values[:-5:-1], rtol=1e-12)
    np.testing.assert_allclose(
        np.abs(vectors[:, :-5:-1].T @ model.embedding) ** 2, np.diag(values[:-5:-1]), atol=1e-6
    )


def test_scikit_learn_agrees():
    distances = table(cloud(4, 300, 6))
    peer = PeerMDS(3, metric="precomputed").fit_transform(distances)
    ours = classical_mds(distances, 3).embedding
    np.testing.assert_allclose(np.abs(ours), np.abs(peer), atol=1e-9)


def simplex(count):
    return 1.0 - np.eye(count)


@pytest.mark.parametrize("size", [50, 500])
def test_every_copy_of_a_repeated_eigenvalue_is_found(size):
    """All distances 1: one eigenvalue ½ with N − 1 copies."""
    model = classical_mds(simplex(size), 9)
    np.testing.assert_allclose(model.eigenvalues, 0.5)
    np.testing.assert_allclose(model.embedding.T @ model.embedding, np.eye(9) / 2, atol=1e-12)


@pytest.mark.parametrize("rest", ["near below", "indefinite", "zero"])
@pytest.mark.parametrize("wanted", [5, 8, 9])
def test_an_eightfold_eigenvalue_is_complete_whatever_lies_below(rest, wanted):
    rng = np.random.default_rng(0)
    below = {
        "near below": np.linspace(4.9, 0, 392),
        "indefinite": np.linspace(4, -20, 392),
        "zero": np.zeros(392),
    }
    spectrum = np.concatenate([np.full(8, 5.0), below[rest]])
    axes = np.linalg.qr(rng.standard_normal((400, 400)))[0]
    A = (axes * spectrum) @ axes.T
    values, vectors = largest_eigenpairs(lambda v: A @ v, 400, wanted)
    np.testing.assert_allclose(values, spectrum[:wanted], atol=1e-11)
    np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-10)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(wanted), atol=1e-12)


def test_a_copy_that_hides_above_a_crowd_is_found():
    """A run from a random start sees the crowd first, and must not stop before the hidden copy shows."""
    spectrum = np.concatenate([[5.0, 5.0, 4.95], np.linspace(4.9, 4.0, 2997)])
    values, vectors = largest_eigenpairs(lambda v: spectrum * v, 3000, 2)
    np.testing.assert_allclose(values, 5)
    np.testing.assert_allclose(np.linalg.norm(vectors[:2], axis=0), 1)


def test_negative_definite_maps_and_the_zero_map_are_no_exception():
    descending = -np.arange(300.0)
    values, _ = largest_eigenpairs(lambda v: descending * v, 300, 4)
    np.testing.assert_allclose(values, [0, -1, -2, -3], atol=1e-9)
    values, vectors = largest_eigenpairs(np.zeros_like, 300, 3)
    np.testing.assert_allclose(values, 0)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(3), atol=1e-12)


@given(seeds, st.integers(1, 8))
def test_the_share_of_a_start_above_a_level_is_bounded_by_its_krylov_space(seed, steps):
    """eq-lanczos-share against the share itself; as long as nothing shows above, it must not be undercut."""
    rng = np.random.default_rng(seed)
    spectrum = np.sort(rng.random(300) ** 2)[::-1]
    space = KrylovSpace(lambda v: spectrum * v, np.empty((0, 300)), seed=seed)
    start = space._next
    for _ in range(steps):
        space.grow()
    top = space.eigenpairs(1)[0][0]
    for level in np.linspace(top + 1e-9, 1.5, 30):
        bound = space.share_above(level)
        assert (start[spectrum >= level] ** 2).sum() <= bound <= 1
    assert space.share_above(5.0) < 0.1**steps  # far above it falls fast
    assert space.share_above(top - 1e-9) == 1  # below a value of its own the space says nothing


@given(seeds, st.integers(1, 30), st.floats(0.01, 0.99))
def test_a_space_and_the_map_on_its_complement_share_the_values_above_a_level(seed, steps, level):
    """eq-lanczos-schur against a count of all eigenvalues, copies too."""
    rng = np.random.default_rng(seed)
    spectrum = np.repeat(rng.random(30), 2)
    space = KrylovSpace(lambda v: spectrum * v, np.empty((0, 60)), seed=seed)
    for _ in range(steps):
        space.grow()
    rows, seen = space._basis[:steps].copy(), np.count_nonzero(space.eigenpairs(steps)[0] > level)
    complement = np.linalg.svd(rows)[2][steps:]
    rest = space.left(level)
    np.testing.assert_allclose(rows @ rest._next, 0, atol=1e-12)
    on_complement = complement @ np.stack([rest._apply(row) for row in complement]).T
    unseen = np.count_nonzero(np.linalg.eigvalsh(on_complement) > level)
    assert seen + unseen == np.count_nonzero(spectrum > level)


def test_what_is_left_of_a_vector_is_orthogonal_even_if_little_is_left():
    rows = np.linalg.qr(np.random.default_rng(0).standard_normal((300, 20)))[0].T
    mostly_inside = 1e9 * rows.sum(axis=0) + np.random.default_rng(1).standard_normal(300)
    left = _without(mostly_inside, rows)
    assert np.linalg.norm(left) > 1
    np.testing.assert_allclose(rows @ left, 0, atol=1e-12)


def test_a_few_products_settle_what_a_gap_separates():
    """Two values far above the others: a dozen products find them, a few more prove that they are all."""
    spectrum = np.concatenate([[9.0, 7.0], np.linspace(1, 0, 998)])
    calls = []
    values, _ = largest_eigenpairs(lambda v: calls.append(1) or spectrum * v, 1000, 2)
    np.testing.assert_allclose(values, [9, 7])
    assert len(calls) <= 25


def test_all_eigenpairs_can_be_asked_for():
    spectrum = np.linspace(3, -2, 250)
    values, vectors = largest_eigenpairs(lambda v: spectrum * v, 250, 250)
    np.testing.assert_allclose(values, spectrum, atol=1e-12)
    np.testing.assert_allclose(np.abs(vectors), np.eye(250), atol=1e-9)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_map_that_is_not_finite_is_refused(bad):
    with pytest.raises(ArithmeticError, match="the map must be finite"):
        largest_eigenpairs(lambda v: np.where(np.arange(300) == 7, bad, v), 300, 2)


def test_a_map_that_changes_its_mind_ends_in_an_error_and_not_in_a_loop():
    """Exact on each run, larger on the next: there is always one more eigenvector that was missed."""
    calls = [0]

    def restless(v):
        calls[0] += 1
        return calls[0] * v

    with pytest.raises(ArithmeticError, match="the map must be symmetric"):
        largest_eigenpairs(restless, 300, 3)


def test_small_integers_do_not_overflow():
    """100² does not fit into int8."""
    distances = (np.abs(np.subtract.outer([0, 1, 3], [0, 1, 3])) * 40).astype(np.int8)
    model = classical_mds(distances, 1)
    np.testing.assert_allclose(table(model.embedding), distances.astype(float), atol=1e-10)


@pytest.mark.parametrize("unit", [1e-65, 1e65])
def test_units_are_free_until_fourth_powers_vanish_or_overflow(unit):
    distances = table(cloud(0, 300))
    ours, expected = classical_mds(unit * distances, 2), classical_mds(distances, 2)
    np.testing.assert_allclose(ours.embedding / unit, expected.embedding, atol=1e-9)
    assert ours.strain / unit**4 == pytest.approx(expected.strain)


def test_small_asymmetry_is_averaged_away():
    distances = table(cloud(0, 300))
    tilted = distances * (1 + 5e-11 * np.triu(np.ones_like(distances)))
    ours, exact = classical_mds(tilted, 2), classical_mds(distances, 2)
    # half the tilt in every distance is the whole of it in every squared distance
    np.testing.assert_allclose(ours.eigenvalues, exact.eigenvalues * (1 + 5e-11), rtol=2e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda D: np.triu(D), "symmetric"),
        (lambda D: D * (1 + 1e-6 * np.triu(np.ones_like(D))), "symmetric"),
        (lambda D: D + np.eye(len(D)), "zero diagonal"),
        (lambda D: -D, "negative"),
        (lambda D: np.where(D > 2, np.nan, D), "finite"),
        (lambda D: np.where(D > 2, np.inf, D), "finite"),
        (lambda D: D * 1e80, "squares can be summed"),
        (lambda D: D * 1e-80, "squares can be summed"),
        (lambda D: np.ma.masked_greater(D, 2.0), "distances must have no masked entries"),
        (lambda D: D[:-1], "square"),
        (lambda D: D[:1, :1], "at least 2"),
        (lambda D: D.ravel(), "square"),
        (lambda D: D.astype(complex), "real numbers"),
        (lambda D: D.astype(str), "real numbers"),
    ],
)
def test_tables_that_are_no_distances_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        classical_mds(change(table(cloud(0, 300))), 2)


def test_new_distances_must_fit_the_model():
    model = classical_mds(table(cloud(0)), 2)
    with pytest.raises(ValueError, match="one column per point of the model, 40, got 3"):
        extend(model, np.ones((2, 3)))
    with pytest.raises(ValueError, match="negative"):
        extend(model, -np.ones((2, 40)))


def base_point_matrix(squared):
    """Young and Householder's matrix: dot products about the last point."""
    return (squared[:-1, [-1]] + squared[[-1], :-1] - squared[:-1, :-1]) / 2


def dissimilarities(seed, size=7):
    """A table of random dissimilarities: Euclidean, a metric that is not, or no metric at all."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((size, 1 + seed % 4))
    euclidean = table(X)
    kind = seed % 3
    if kind == 0:
        return euclidean
    if kind == 1:
        return euclidean**2  # longer than the sum of its parts on a line
    noise = rng.random((size, size))
    return (noise + noise.T) * (1 - np.eye(size))


def scaled_smallest(matrix):
    values = np.linalg.eigvalsh(matrix)
    return values[0] / np.abs(values).max()


@pytest.mark.claim("thm-classical-mds-young-householder")
@given(seeds)
def test_a_table_is_euclidean_exactly_if_dot_products_about_a_point_are_semidefinite(seed):
    distances = dissimilarities(seed)
    B = base_point_matrix(distances**2)
    values, vectors = np.linalg.eigh(B)
    clipped = vectors * np.sqrt(np.maximum(values, 0))
    rebuilt = table(np.vstack([clipped, np.zeros(clipped.shape[1])]))
    is_semidefinite = values[0] > -1e-9 * values[-1]
    assert is_semidefinite == np.allclose(rebuilt, distances, atol=1e-6)
    assert is_semidefinite == (negative_mass(distances) < 1e-8 * np.abs(gram_spectrum(distances)).sum())


@given(seeds, st.integers(1, 4))
def test_the_rank_about_a_point_is_the_dimension_of_the_points(seed, dimension):
    X = np.random.default_rng(seed).standard_normal((8, dimension))
    B, G = base_point_matrix(table(X) ** 2), double_centred(table(X) ** 2)
    assert np.linalg.matrix_rank(B, tol=1e-9) == np.linalg.matrix_rank(G, tol=1e-9) == dimension


@pytest.mark.claim("thm-classical-mds-schoenberg")
@given(seeds)
def test_the_three_conditions_of_schoenberg_stand_and_fall_together(seed):
    distances = dissimilarities(seed)
    squared = distances**2
    size = len(distances)
    values, vectors = np.linalg.eigh(double_centred(squared))
    # an orthonormal basis of the vectors with sum zero: the form on it decides condition 3 exactly
    basis = np.linalg.qr(np.column_stack([np.ones(size), np.eye(size)[:, 1:]]))[0][:, 1:]
    is_negative_type = np.linalg.eigvalsh(basis.T @ squared @ basis).max() <= 1e-9 * squared.max()
    is_semidefinite = values[0] >= -1e-9 * squared.max()
    assert is_negative_type == is_semidefinite
    rebuilt = table(vectors * np.sqrt(np.maximum(values, 0)))
    assert is_semidefinite == np.allclose(rebuilt, distances, atol=1e-6)


@pytest.mark.claim("thm-classical-mds-origins")
@given(seeds)
def test_every_origin_gives_the_same_verdict_and_the_same_rank(seed):
    rng = np.random.default_rng(seed)
    distances = dissimilarities(seed)
    size = len(distances)
    weights = rng.standard_normal((2, size))
    weights += (1 - weights.sum(axis=1, keepdims=True)) / size  # sums to one, and not by a division
    A, other = (np.eye(size) - np.outer(np.ones(size), s) for s in weights)
    G, G_other, centred = (
        -M @ distances**2 @ M.T / 2 for M in (A, other, np.eye(size) - np.full((size, size), 1 / size))
    )
    np.testing.assert_allclose(A @ G_other @ A.T, G, atol=1e-8 * np.abs(G).max())
    assert (scaled_smallest(G) > -1e-9) == (scaled_smallest(centred) > -1e-9)
    ranks = {np.linalg.matrix_rank(M, tol=1e-8 * np.abs(M).max()) for M in (G, centred)}
    assert len(ranks) == 1
    if seed % 3 == 0:
        X = np.random.default_rng(seed).standard_normal((size, 1 + seed % 4))
        origin = weights[0] @ X
        np.testing.assert_allclose(G, (X - origin) @ (X - origin).T, atol=1e-8 * (1 + np.abs(G).max()))
        shift = size * np.sum((origin - X.mean(axis=0)) ** 2)
        assert np.trace(G) == pytest.approx(np.trace(centred) + shift)


@pytest.mark.claim("thm-classical-mds-rigid")
@given(seeds, st.integers(1, 4), st.integers(1, 6))
def test_equal_distances_leave_only_rotations_and_reflections(seed, dimension, size):
    """Also where the points span less than the space they lie in."""
    rng = np.random.default_rng(seed)
    Y = rng.standard_normal((size, dimension))
    Y -= Y.mean(axis=0)
    Q = np.linalg.qr(rng.standard_normal((dimension, dimension)))[0]
    moved = Y @ Q
    np.testing.assert_allclose(table(moved), table(Y), atol=1e-9)
    if size > 1:
        assert rigid_alignment(moved, Y).error < 1e-7
    bent = Y.copy()
    bent[0] *= 1.5  # another shape has no such motion
    bent -= bent.mean(axis=0)
    if size > 2 and np.linalg.norm(Y[0]) > 1e-3:
        assert not np.allclose(table(bent), table(Y), atol=1e-6)


@pytest.mark.claim("thm-classical-mds-optimal")
@given(seeds, st.integers(1, 6))
def test_the_best_semidefinite_matrix_survives_every_change_of_its_factor(seed, d):
    """Indefinite matrices: by the certificate, and by moving every entry of Y both ways."""
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((7, 7))
    G = (A + A.T) / 2 - rng.uniform(-1, 2) * np.eye(7)
    values, vectors = np.linalg.eigh(G)
    values, vectors = values[::-1], vectors[:, ::-1]
    kept = np.maximum(values[:d], 0)
    Y = vectors[:, :d] * np.sqrt(kept)
    least = np.sum((G - Y @ Y.T) ** 2)
    assert least == pytest.approx(np.sum(values**2) - np.sum(kept**2))
    R = G - Y @ Y.T
    assert np.abs(R @ Y).max() < 1e-10  # stationary
    assert np.linalg.eigvalsh(R).max() <= kept.min() + 1e-10  # and nothing larger was left
    for direction in np.eye(7 * d).reshape(-1, 7, d):
        for step in (1e-4, -1e-4, 0.2, -0.2):
            moved = Y + step * direction
            assert np.sum((G - moved @ moved.T) ** 2) >= least - 1e-12 * np.sum(G**2)


@pytest.mark.claim("thm-classical-mds-optimal")
@given(seeds)
def test_descent_from_anywhere_reaches_no_less_than_the_promised_strain(seed):
    rng = np.random.default_rng(seed)
    distances = dissimilarities(3 * seed + 2, size=6)
    spectrum = gram_spectrum(distances)
    promised = np.sum(spectrum**2) - np.sum(np.maximum(spectrum[:2], 0) ** 2)
    G = double_centred(distances**2)

    def value_and_gradient(flat):
        Y = flat.reshape(6, 2)
        R = G - Y @ Y.T
        return np.sum(R**2), (-4 * R @ Y).ravel()

    found = minimize(value_and_gradient, rng.standard_normal(12), jac=True, tol=1e-12)
    assert found.fun >= promised * (1 - 1e-9)
    assert found.fun == pytest.approx(promised, rel=1e-3)


@pytest.mark.claim("thm-classical-mds-optimal")
def test_a_large_negative_eigenvalue_is_never_kept():
    """One distance of a strip is far too long: by absolute value, the negative eigenvalue comes second."""
    strip = np.column_stack([np.arange(6.0), np.tile([0.0, 0.6], 3)])
    distances = table(strip)
    distances[0, 5] = distances[5, 0] = 20
    spectrum = gram_spectrum(distances)
    assert -spectrum[-1] > 2 * spectrum[1] > 0
    model = classical_mds(distances, 2)
    np.testing.assert_allclose(model.eigenvalues, spectrum[:2])
    assert model.strain == pytest.approx(np.sum(spectrum[2:] ** 2))


@pytest.mark.claim("thm-classical-mds-shrinks")
@given(seeds, st.integers(1, 3))
def test_euclidean_distances_shrink_and_by_how_much_in_all(seed, d):
    distances = table(cloud(seed, 12, 5))
    Y = classical_mds(distances, d).embedding
    assert (table(Y) <= distances + 1e-9).all()
    lost = np.sum(distances**2 - table(Y) ** 2)
    assert lost == pytest.approx(24 * gram_spectrum(distances)[d:].sum())


@pytest.mark.claim("thm-classical-mds-shrinks")
def test_the_total_loss_is_that_of_the_trace_also_where_distances_grow():
    ring_lost = np.sum(FOUR_CYCLE**2 - table(classical_mds(FOUR_CYCLE, 2).embedding) ** 2)
    assert ring_lost == pytest.approx(8 * (3 - 4))  # 2N (tr G − λ₁ − λ₂), negative


@pytest.mark.claim("thm-classical-mds-is-pca")
@given(seeds, st.integers(0, 1))
def test_eigenvalues_are_squared_singular_values_and_coordinates_are_scores(seed, ddof):
    X = cloud(seed, 25, 4)
    X_c = X - X.mean(axis=0)
    U, sigma, Vt = np.linalg.svd(X_c, full_matrices=False)
    model = classical_mds(table(X), 3)
    np.testing.assert_allclose(model.eigenvalues, sigma[:3] ** 2, rtol=1e-9)
    variances = np.linalg.eigvalsh(X_c.T @ X_c / (25 - ddof))[::-1]
    np.testing.assert_allclose(model.eigenvalues, (25 - ddof) * variances[:3], rtol=1e-9)
    signs = np.sign(np.sum(model.embedding * U[:, :3], axis=0))
    if np.min(sigma[:3] - sigma[1:4]) > 1e-3 * sigma[0]:  # no near tie
        np.testing.assert_allclose(model.embedding * signs, X_c @ Vt[:3].T, atol=1e-6 * sigma[0])


@pytest.mark.claim("thm-classical-mds-shares")
@given(st.lists(st.integers(0, 9), min_size=2, max_size=8).filter(any))
def test_shares_of_squares_are_never_smaller_and_equal_only_when_they_must(numbers):
    """Exact: with whole numbers both shares are fractions."""
    spectrum = sorted(numbers, reverse=True)
    for d in range(1, len(spectrum) + 1):
        P = Fraction(sum(spectrum[:d]), sum(spectrum))
        S = Fraction(sum(x * x for x in spectrum[:d]), sum(x * x for x in spectrum))
        positive = {x for x in spectrum if x > 0}
        assert P <= S
        assert (P == S) == (not any(spectrum[d:]) or len(positive) == 1)


def test_the_two_rules_stop_at_different_dimensions():
    """Ledger S2.90: spectrum (4, 1, 1, 1, 1, 1), threshold 90 %."""
    spectrum = np.array([4.0, 1, 1, 1, 1, 1])
    P, S = np.cumsum(spectrum) / spectrum.sum(), np.cumsum(spectrum**2) / np.sum(spectrum**2)
    assert [int(np.argmax(share >= 0.9)) + 1 for share in (P, S)] == [6, 4]


@pytest.mark.claim("thm-classical-mds-signed")
@given(seeds)
def test_signed_coordinates_give_every_table_back(seed):
    distances = dissimilarities(seed)
    values, vectors = np.linalg.eigh(double_centred(distances**2))
    w = vectors * np.sqrt(np.abs(values))
    plus, minus = (table(w[:, part]) ** 2 for part in (values > 0, values <= 0))
    np.testing.assert_allclose(plus - minus, distances**2, atol=1e-9)
    assert (plus >= distances**2 - 1e-9).all()
    trace = np.sum(distances**2) / (2 * len(distances))
    negative = np.abs(values[values < 0]).sum()
    assert negative == pytest.approx(values[values > 0].sum() - trace, abs=1e-9)


@pytest.mark.claim("thm-classical-mds-three-points")
@given(st.tuples(*[st.integers(0, 30)] * 3))
def test_three_points_have_a_map_exactly_if_the_triangle_inequality_holds(sides):
    """Exact: sixteen times the squared area, in whole numbers."""
    a, b, c = sides
    sixteen_squared_areas = ((a + b) ** 2 - c**2) * (c**2 - (a - b) ** 2)
    assert 4 * a * a * b * b - (a * a + b * b - c * c) ** 2 == sixteen_squared_areas
    holds = a <= b + c and b <= a + c and c <= a + b
    assert (sixteen_squared_areas >= 0) == holds
    squared = np.array([[0, c, a], [c, 0, b], [a, b, 0]], float) ** 2
    smallest = np.linalg.eigvalsh(double_centred(squared))[0]
    if sixteen_squared_areas != 0:
        assert (smallest > -1e-9) == holds


@pytest.mark.claim("thm-classical-mds-additive")
@given(seeds)
def test_a_constant_added_to_the_squares_lifts_all_eigenvalues_alike(seed):
    distances = dissimilarities(seed)
    size = len(distances)
    spectrum = gram_spectrum(distances)
    c = -spectrum[-1]
    off_diagonal = 1 - np.eye(size)
    J = np.eye(size) - 1 / size
    repaired = np.sqrt(distances**2 + 2 * c * off_diagonal)
    scale = np.abs(spectrum).max()
    np.testing.assert_allclose(
        double_centred(repaired**2), double_centred(distances**2) + c * J, atol=1e-9 * scale
    )
    assert gram_spectrum(repaired)[-1] > -1e-9 * scale
    if c > 1e-6 * scale:
        almost = np.sqrt(distances**2 + 2 * 0.9 * c * off_diagonal)
        assert gram_spectrum(almost)[-1] < -0.05 * c


def stress(distances, Y):
    return np.sum((distances - table(Y)) ** 2) / 2


def guttman_step(distances, Z):
    ratios = np.divide(distances, table(Z), out=np.zeros(distances.shape), where=table(Z) > 0)
    return (np.diag(ratios.sum(axis=1)) - ratios) @ Z / len(Z)


@pytest.mark.claim("thm-classical-mds-guttman")
@given(seeds, st.integers(1, 3), st.booleans())
def test_a_step_of_guttman_never_increases_the_stress(seed, d, coincide):
    distances = dissimilarities(seed)
    Z = np.random.default_rng(seed + 1).standard_normal((len(distances), d)) + 1
    if coincide:
        Z[1] = Z[0]
    for _ in range(5):
        moved = guttman_step(distances, Z)
        assert stress(distances, moved) <= stress(distances, Z) + 1e-12 * np.sum(distances**2)
        Z = moved


def test_least_strain_and_least_stress_differ_on_the_ring():
    corners = classical_mds(FOUR_CYCLE, 2).embedding
    side = (1 + np.sqrt(2)) / 2
    square = corners * side / np.sqrt(2)
    assert stress(FOUR_CYCLE, corners) == pytest.approx(12 - 8 * np.sqrt(2))
    assert stress(FOUR_CYCLE, square) == pytest.approx(6 - 4 * np.sqrt(2))
    assert strain(FOUR_CYCLE, square) == pytest.approx(1 + 2 * (2 - side**2) ** 2)
    found = minimize(lambda flat: stress(FOUR_CYCLE, flat.reshape(4, 2)), square.ravel() + 0.1, tol=1e-12)
    assert found.fun == pytest.approx(6 - 4 * np.sqrt(2), abs=1e-8)


@pytest.mark.claim("thm-classical-mds-extension")
@given(seeds)
def test_new_points_off_the_flat_have_one_height_over_all_old_points(seed):
    rng = np.random.default_rng(seed)
    old, new = cloud(seed, 15), rng.standard_normal((4, 5))
    flat = np.pad(old, ((0, 0), (0, 2)))
    model = classical_mds(table(flat), 3)
    placed = extend(model, cdist(new, flat))
    heights = cdist(new, flat) ** 2 - cdist(placed, model.embedding) ** 2
    np.testing.assert_allclose(
        heights, np.sum(new[:, 3:] ** 2, axis=1, keepdims=True) + 0 * heights, atol=1e-7
    )


@pytest.mark.claim("thm-classical-mds-extension")
@given(seeds)
def test_gowers_formula_is_the_least_squares_fit_of_the_dot_products(seed):
    rng = np.random.default_rng(seed)
    distances = dissimilarities(seed)
    d = min(2, int(np.count_nonzero(gram_spectrum(distances) > 1e-6)))
    model = classical_mds(distances, d)
    deltas = rng.random(len(distances)) * 2
    g = (np.mean(distances**2, axis=1) - deltas**2) / 2
    design = np.column_stack([np.ones(len(g)), model.embedding])
    b, *y = np.linalg.lstsq(design, g, rcond=None)[0]
    np.testing.assert_allclose(extend(model, deltas[None])[0], y, atol=1e-8 * (1 + np.abs(y).max()))
    assert b == pytest.approx(g.mean())


def test_airports_are_nearly_flat_and_tunnels_between_them_are_not_flat_at_all():
    """What the page says of the real table."""
    great_circles = airports().distances
    tunnels = 2 * 6371 * np.sin(great_circles / (2 * 6371))
    spectrum = gram_spectrum(great_circles)
    assert spectrum[1] > 0.2 * spectrum[0]
    assert 0.01 < -spectrum[-1] / spectrum[0] < 0.02
    assert 0.01 < spectrum[2] / spectrum[0] < 0.02
    through = gram_spectrum(tunnels)
    assert through[2] > 0.05 * through[0]
    np.testing.assert_allclose(through[3:], 0, atol=1e-9 * through[0])
    space = classical_mds(tunnels, 3).embedding
    A = np.column_stack([2 * space, np.ones(26)])
    *centre, rest = np.linalg.lstsq(A, np.sum(space**2, axis=1), rcond=None)[0]
    assert np.sqrt(rest + np.sum(np.square(centre))) == pytest.approx(6371)


def test_one_distance_too_large_ruins_a_map_and_one_too_small_does_not():
    cities = airports()
    truth = classical_mds(cities.distances, 2).embedding
    i, j = cities.codes.index("DEN"), cities.codes.index("ORD")
    moved = {}
    for factor in (0.1, 10):
        typo = cities.distances.copy()
        typo[i, j] = typo[j, i] = factor * typo[i, j]
        wrong = rigid_alignment(classical_mds(typo, 2).embedding, truth).embedding
        moved[factor] = np.linalg.norm(wrong - truth, axis=1).max()
    assert moved[0.1] < 100
    assert moved[10] > 5000
