"""Claims about classical scaling, and about the Lanczos method under it."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
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
    with pytest.raises(ValueError, match="at most 0"):
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
