"""Claims about locally linear embedding."""

import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import ortho_group
from sklearn.manifold import LocallyLinearEmbedding

from dimred_ref.graph import nearest_neighbors
from dimred_ref.lle import lle, lle_matrix, lle_weights, reconstructed

seeds = st.integers(0, 10_000)


def sheet(size, seed=0):
    """A gently bent sheet: isometric to a rectangle."""
    chart = np.random.default_rng(seed).random((size, 2)) * [3, 1]
    return np.stack([np.sin(chart[:, 0]), np.cos(chart[:, 0]), chart[:, 1]], axis=1)


def projector(Y):
    basis = np.linalg.qr(Y)[0]
    return basis @ basis.T


@pytest.mark.parametrize(
    ("neighbors", "point", "weights"),
    [
        ([(0, 0), (6, 0), (0, 6)], (1, 2), [1 / 2, 1 / 6, 1 / 3]),
        ([(1, 0), (0, 2)], (0, 0), [4 / 5, 1 / 5]),
    ],
)
def test_weights_worked_out_by_hand(neighbors, point, weights):
    """Ledger 12.1; unique because the neighbours are affinely independent."""
    X = np.array([point, *neighbors], float)
    count = len(neighbors)
    # only the first row is asked about; the others get any other points
    indices = np.array([[j for j in range(count + 1) if j != i] for i in range(count + 1)])
    mixed = lle_weights(X, indices, 0 if count == 2 else 1e-14).toarray()[0]
    np.testing.assert_allclose(mixed[1:], weights, atol=1e-9)
    assert mixed[0] == 0


@given(seeds)
def test_weights_solve_the_constrained_least_squares_problem(seed):
    """Against the KKT system of each point, k ≤ D."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((15, 5))
    indices = nearest_neighbors(X, 4)[1]
    W = lle_weights(X, indices, 0.0).toarray()
    for i, chosen in enumerate(indices):
        A = X[chosen].T
        system = np.block([[2 * A.T @ A, np.ones((4, 1))], [np.ones((1, 4)), np.zeros((1, 1))]])
        solution = np.linalg.solve(system, np.append(2 * A.T @ X[i], 1.0))[:4]
        np.testing.assert_allclose(W[i, chosen], solution, atol=1e-8)


@pytest.mark.claim("thm-lle-invariance")
@given(seeds, st.floats(0.01, 100))
def test_weights_are_blind_to_rotation_shift_and_scale(seed, scale):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, 3))
    moved = scale * X @ ortho_group.rvs(3, random_state=rng) + 10 * rng.standard_normal(3)
    indices = nearest_neighbors(X, 6)[1]
    np.testing.assert_allclose(
        lle_weights(moved, indices).toarray(), lle_weights(X, indices).toarray(), atol=1e-7
    )


@given(seeds)
def test_rows_of_the_weights_sum_to_one_and_stay_on_the_neighbours(seed):
    X = np.random.default_rng(seed).standard_normal((30, 2))
    indices = nearest_neighbors(X, 5)[1]
    W = lle_weights(X, indices)
    np.testing.assert_allclose(W.sum(axis=1), 1)
    assert W.nnz == 150
    np.testing.assert_array_equal(np.sort(W.indices.reshape(30, 5)), np.sort(indices))


@pytest.mark.claim("thm-lle-cost")
@given(seeds)
def test_the_cost_is_a_quadratic_form(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.standard_normal((20, 3)), rng.standard_normal((20, 2))
    W = lle_weights(X, nearest_neighbors(X, 5)[1])
    cost = ((Y - W @ Y) ** 2).sum()
    np.testing.assert_allclose(np.trace(Y.T @ (lle_matrix(W) @ Y)), cost)


@pytest.mark.claim("thm-lle-solution")
@pytest.mark.parametrize("size", [120, 400])
def test_the_embedding_is_the_bottom_of_m_without_the_constant_vector(size):
    X = sheet(size)
    model = lle(X, 2, n_neighbors=8)
    M = lle_matrix(model.weights).toarray()
    values, vectors = np.linalg.eigh(M)
    # M squares the condition: eigh knows its bottom eigenvalues only to 1e-16 of the top
    np.testing.assert_allclose(model.eigenvalues, values[1:3], atol=1e-14)
    assert np.abs(vectors[:, 0] - vectors[0, 0]).max() < 1e-5
    np.testing.assert_allclose(M @ model.embedding, model.embedding * model.eigenvalues, atol=1e-11)
    np.testing.assert_allclose(projector(model.embedding), projector(vectors[:, 1:3]), atol=1e-5)


@pytest.mark.parametrize("size", [120, 400])
def test_the_embedding_is_centred_with_unit_covariance(size):
    model = lle(sheet(size), 3, n_neighbors=8)
    np.testing.assert_allclose(model.embedding.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(model.embedding.T @ model.embedding / size, np.eye(3), atol=1e-9)
    residual = model.embedding - model.weights @ model.embedding
    assert model.cost == pytest.approx((residual**2).sum(), rel=1e-5)


def test_no_other_admissible_embedding_costs_less():
    rng = np.random.default_rng(0)
    model = lle(sheet(80), 2, n_neighbors=8)
    for size in np.logspace(-5, 1, 100):
        other = model.embedding + size * rng.standard_normal((80, 2))
        other = np.linalg.qr(other - other.mean(axis=0))[0] * 80**0.5
        assert ((other - model.weights @ other) ** 2).sum() >= model.cost * (1 - 1e-9)


@pytest.mark.parametrize(("size", "k"), [(150, 10), (600, 10), (600, 5)])
def test_scikit_learn_agrees(size, k):
    X = np.random.default_rng(3).standard_normal((size, 4))
    peer = LocallyLinearEmbedding(n_neighbors=k, n_components=2, eigen_solver="dense").fit_transform(X)
    ours = lle(X, 2, n_neighbors=k).embedding / size**0.5
    np.testing.assert_allclose(np.abs((ours * peer).sum(axis=0)), 1, atol=1e-8)


def test_large_problems_give_the_answer_of_small_ones(monkeypatch):
    """Inverse iteration through the LU of I − W against a dense eigenproblem of M."""
    X = sheet(300)
    fast = lle(X, 3, n_neighbors=7)
    monkeypatch.setattr(sys.modules["dimred_ref.lle"], "DENSE_SIZE", 1000)
    dense = lle(X, 3, n_neighbors=7)
    np.testing.assert_allclose(np.abs(dense.embedding.T @ fast.embedding) / 300, np.eye(3), atol=1e-5)


def test_on_a_regular_polygon_lle_is_the_squared_laplacian():
    """Two neighbours, weights ½: I − W = L / 2 (ledger S2.33); all eigenvalues but one come in pairs."""
    angles = 2 * np.pi * np.arange(300) / 300
    X = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    model = lle(X, 4, n_neighbors=2)
    expected = (1 - np.cos(2 * np.pi * np.array([1, 1, 2, 2]) / 300)) ** 2
    np.testing.assert_allclose(model.eigenvalues, expected, rtol=1e-6)
    waves = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    np.testing.assert_allclose(projector(model.embedding[:, :2]), projector(waves), atol=1e-6)


def test_the_weights_rebuild_affine_data_from_four_landmarks():
    """Ledger S2.26: solve for the points that are not landmarks."""
    rng = np.random.default_rng(0)
    flat = rng.random((60, 2))
    X = flat @ rng.standard_normal((2, 5))
    W = lle_weights(X, nearest_neighbors(X, 10)[1], 1e-9)
    landmarks = np.array([3, 17, 41, 50])
    np.testing.assert_allclose(reconstructed(W, landmarks, X[landmarks]), X, atol=1e-3)
    with pytest.raises(ValueError, match="one row per landmark, 4, got 3"):
        reconstructed(W, landmarks, X[landmarks[:3]])


def test_copies_are_allowed():
    X = np.repeat(sheet(60), 2, axis=0)
    model = lle(X, 2, n_neighbors=8)
    assert np.isfinite(model.embedding).all()
    assert (model.weights.diagonal() == 0).all()
    X = np.repeat(sheet(60), 5, axis=0)  # now all 4 neighbours of some points are copies: pieces
    with pytest.raises(ValueError, match="60 components of sizes 5, 5"):
        lle(X, 2, n_neighbors=4)


def test_a_point_among_copies_only_is_mixed_evenly():
    X = np.zeros((4, 2))
    W = lle_weights(X, nearest_neighbors(X, 3)[1], 0.0).toarray()
    np.testing.assert_allclose(W, (1 - np.eye(4)) / 3)


def test_points_that_all_coincide_have_no_shape():
    with pytest.raises(ValueError, match="X must have neighbours that differ"):
        lle(np.full((12, 3), np.pi), 2, n_neighbors=8)


def test_without_regularisation_a_plane_is_refused_by_name():
    flat = np.random.default_rng(0).integers(-9, 9, (60, 2)) @ np.array([[1.0, 0, 2], [0, 1, 1]])
    with pytest.raises(ValueError, match="regularisation must be positive here, got 0"):
        lle(flat, 2, n_neighbors=8, regularisation=0)
    assert np.isfinite(lle(np.unique(flat, axis=0), 2, n_neighbors=8).embedding).all()


def test_two_pieces_are_refused():
    X = np.concatenate([sheet(40), 100 + sheet(30)])
    with pytest.raises(ValueError, match=r"got 2 components of sizes 40, 30"):
        lle(X, 2, n_neighbors=5)


def test_two_groups_that_use_only_each_other_are_refused_although_a_point_joins_them():
    """The point half-way uses both, but neither uses it: the embedding would only say who is where."""
    rng = np.random.default_rng(0)
    left, right = rng.random((2, 20, 2))
    X = np.concatenate([left, right + np.array([10, 0]), [[5.5, 0.5]]])
    indices = nearest_neighbors(X, 6)[1]
    assert {*indices[-1] // 20} == {0, 1}
    with pytest.raises(ValueError, match="groups that use no neighbours outside: got 2 of sizes"):
        lle(X, 1, n_neighbors=6)


def test_bounds_are_named():
    X = sheet(10)
    with pytest.raises(ValueError, match="n_neighbors must be between 1 and 9, got 10"):
        lle(X, 2, n_neighbors=10)
    with pytest.raises(ValueError, match="n_components must be between 1 and 8, got 9"):
        lle(X, 9, n_neighbors=3)
    with pytest.raises(ValueError, match="regularisation must be non-negative"):
        lle(X, 2, n_neighbors=3, regularisation=-1)


@pytest.mark.parametrize(
    ("neighbors", "message"),
    [
        ([[1, 2]] * 9, r"neighbors must have 10 rows of at least 1 index, got shape \(9, 2\)"),
        ([[1, -1]] * 10, "neighbors must lie between 0 and 9, got -1 … 1"),
        ([[1, 10]] * 10, "neighbors must lie between 0 and 9, got 1 … 10"),
        ([[1.0, 2.0]] * 10, "neighbors must be whole numbers along 2 axes"),
        ([[1, 2], [3]], "neighbors must have rows of equal length"),
        (None, "neighbors must hold real numbers"),
    ],
)
def test_neighbours_that_are_no_indices_are_refused(neighbors, message):
    with pytest.raises(ValueError, match=message):
        lle_weights(sheet(10), neighbors)


def mixture(point, neighbors, ridge=0.0):
    """The weights of the first of these points, as the page computes them by hand."""
    X = np.vstack([point, neighbors])
    count = len(neighbors)
    indices = np.array([[j for j in range(count + 1) if j != i] for i in range(count + 1)])
    return lle_weights(X, indices, ridge).toarray()[0, 1:]


def shortest_mixture(gram):
    """The limit that the page states for a vanishing ridge (eq-lle-shortest)."""
    values, vectors = np.linalg.eigh(gram)
    null = vectors[:, values < 1e-10 * values[-1]]
    along = null @ null.sum(axis=0)
    if np.linalg.norm(along) > 1e-6:
        return along / (along @ along)
    inner = np.linalg.pinv(gram, hermitian=True).sum(axis=0)
    return inner / inner.sum()


@pytest.mark.claim("thm-lle-weights")
@given(seeds, st.integers(2, 5), st.integers(2, 7))
def test_the_best_mixture_is_the_foot_of_the_perpendicular(seed, count, dimension):
    """The certificate C w = μ 1, with μ the squared error; no step that keeps the sum does better."""
    assume(count <= dimension)  # else the mixture is not unique: see the ridge
    rng = np.random.default_rng(seed)
    point, neighbors = rng.standard_normal(dimension), rng.standard_normal((count, dimension))
    w = mixture(point, neighbors)
    differences = point - neighbors
    gram = differences @ differences.T
    error = ((point - w @ neighbors) ** 2).sum()
    np.testing.assert_allclose(gram @ w, error, atol=1e-8 * max(1.0, np.abs(w).max()))
    steps = np.eye(count)[1:] - np.eye(count)[0]
    for step in np.vstack([steps, -steps]):
        assert ((point - (w + 1e-2 * step) @ neighbors) ** 2).sum() > error


@pytest.mark.claim("thm-lle-weights")
def test_the_mixture_is_unique_exactly_for_affinely_independent_neighbours():
    triangle = np.array([[0.0, 0], [6, 0], [0, 6]])
    for point, weights in (((1, 2), (3, 1, 2)), ((4, 4), (-2, 4, 4))):
        np.testing.assert_allclose(mixture(point, triangle, 1e-13), np.array(weights) / 6, atol=1e-8)
    on_a_line = np.array([[1.0, 0], [2, 0], [4, 0]])  # dependent: two different mixtures pass the certificate
    differences = np.array([0, 1]) - on_a_line
    gram = differences @ differences.T
    w = mixture((0, 1), on_a_line, 1e-11)
    for best in (w, w + np.array([2.0, -3, 1])):
        assert best.sum() == pytest.approx(1)
        np.testing.assert_allclose(gram @ best, 1, atol=1e-7)  # the foot is the origin, at distance 1


@pytest.mark.claim("thm-lle-regularisation")
@given(seeds, st.booleans())
def test_the_ridge_goes_from_the_shortest_mixture_to_the_even_one(seed, perfect):
    rng = np.random.default_rng(seed)
    point = np.array([0, 0, 0, 0.0 if perfect else 1.0])
    neighbors = np.hstack([rng.standard_normal((7, 3)), np.zeros((7, 1))])
    differences = point - neighbors
    gram = differences @ differences.T
    shortest = shortest_mixture(gram)
    np.testing.assert_allclose(mixture(point, neighbors, 1e-10), shortest, atol=1e-4)
    np.testing.assert_allclose(mixture(point, neighbors, 1e8), 1 / 7, atol=1e-6)
    ridges = 10.0 ** np.arange(-5, 4)
    mixtures = [mixture(point, neighbors, ridge) for ridge in ridges]
    lengths, costs = [w @ w for w in mixtures], [w @ gram @ w for w in mixtures]
    assert (np.diff(lengths) <= 1e-9).all()
    assert (np.diff(costs) >= -1e-9).all()
    price = costs - shortest @ gram @ shortest
    assert (price <= ridges * np.trace(gram) * (shortest @ shortest - lengths) + 1e-9).all()


@pytest.mark.claim("thm-lle-solution")
def test_nothing_below_the_map_is_left_in_the_complement():
    """The certificate of the minimum: M on what is orthogonal to 1 and Y has no smaller eigenvalue."""
    for seed in range(5):
        X = sheet(90, seed)
        model = lle(X, 2, n_neighbors=8)
        M = lle_matrix(model.weights).toarray()
        frame = np.column_stack([np.ones(90), model.embedding])
        rest = np.linalg.svd(frame)[0][:, 3:]
        np.testing.assert_allclose(rest.T @ M @ model.embedding, 0, atol=1e-10)
        assert np.linalg.eigvalsh(rest.T @ M @ rest)[0] >= model.eigenvalues[-1]


@pytest.mark.claim("thm-lle-perfect")
@pytest.mark.parametrize("seed", range(5))
def test_perfect_weights_give_a_linear_view_of_a_curled_sheet(seed):
    t = 3 + 8 * np.random.default_rng(seed).random(300)
    height = 10 * np.random.default_rng(seed + 100).random(300)
    X = np.column_stack([t * np.cos(t), height, t * np.sin(t)])
    frame = np.column_stack([np.ones(300), X])

    def left(Y):
        return np.linalg.norm(Y - frame @ np.linalg.lstsq(frame, Y, rcond=None)[0]) / np.linalg.norm(Y)

    perfect = lle(X, 3, n_neighbors=10, regularisation=1e-11)
    np.testing.assert_allclose(perfect.weights @ X, X, atol=1e-5)
    assert left(perfect.embedding) < 1e-3
    centred = X - X.mean(axis=0)
    np.testing.assert_allclose(projector(perfect.embedding), projector(centred), atol=1e-3)
    assert left(lle(X, 2, n_neighbors=10).embedding) > 0.2  # with the usual ridge it is another map


@pytest.mark.claim("thm-lle-collapse")
@given(seeds, st.integers(1, 60))
def test_a_loose_group_bounds_the_first_eigenvalue_by_its_leaks(seed, size):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((80, 3))
    W = lle_weights(X, nearest_neighbors(X, 7)[1])
    first = np.linalg.eigvalsh(lle_matrix(W).toarray())[1]
    inside = np.zeros(80, bool)
    inside[rng.permutation(80)[:size]] = True
    dense = W.toarray()
    leaks = np.where(inside, dense[:, ~inside].sum(axis=1), dense[:, inside].sum(axis=1))
    bound = 80 / (size * (80 - size)) * (leaks**2).sum()
    assert first <= bound + 1e-12
    y = np.where(inside, np.sqrt((80 - size) / size), -np.sqrt(size / (80 - size)))
    assert abs(y.sum()) < 1e-9
    assert (y**2).sum() == pytest.approx(80)
    assert ((y - W @ y) ** 2).sum() / 80 == pytest.approx(bound)
    smooth = rng.standard_normal(80)  # any vector will do
    spread = ((smooth - smooth.mean()) ** 2).sum()
    assert first <= ((smooth - W @ smooth) ** 2).sum() / spread + 1e-12


@pytest.mark.claim("thm-lle-new-point")
@given(seeds)
def test_a_new_point_is_off_by_no_more_than_its_mixture(seed):
    rng = np.random.default_rng(seed)
    neighbors, point = rng.standard_normal((5, 6)), rng.standard_normal(6)
    A, b, noise = rng.standard_normal((2, 6)), rng.standard_normal(2), 0.1 * rng.standard_normal((5, 2))
    w = mixture(point, neighbors, 1e-3)
    off = w @ (neighbors @ A.T + b) - (A @ point + b)
    np.testing.assert_allclose(off, A @ (w @ neighbors - point), atol=1e-9)
    reach = np.linalg.norm(A, 2) * np.linalg.norm(w @ neighbors - point)
    assert np.linalg.norm(off + w @ noise) <= reach + np.abs(w) @ np.linalg.norm(noise, axis=1) + 1e-9


@pytest.mark.claim("thm-lle-new-point")
def test_training_points_placed_as_new_ones_move_by_the_eigenvalues():
    model = lle(sheet(150), 2, n_neighbors=9)
    moved = ((model.weights @ model.embedding - model.embedding) ** 2).sum(axis=1).mean()
    assert moved == pytest.approx(model.eigenvalues.sum(), rel=1e-5)


@pytest.mark.claim("thm-lle-landmarks")
@given(seeds)
def test_landmarks_rebuild_perfect_mixtures_and_move_them_along(seed):
    rng = np.random.default_rng(seed)
    X = rng.random((60, 2)) @ rng.standard_normal((2, 4))
    W = lle_weights(X, nearest_neighbors(X, 10)[1], 1e-10)
    landmarks = rng.permutation(60)[:6]
    others = np.setdiff1d(np.arange(60), landmarks)
    block = (np.eye(60) - W.toarray())[np.ix_(others, others)]
    assume(np.linalg.cond(block) < 1e5)  # else the landmarks lie nearly on a line: nothing is claimed
    np.testing.assert_allclose(reconstructed(W, landmarks, X[landmarks]), X, atol=1e-2)
    values = rng.standard_normal((6, 3))
    shifted = reconstructed(W, landmarks, values + 5)
    np.testing.assert_allclose(shifted, reconstructed(W, landmarks, values) + 5, atol=1e-6)


@pytest.mark.claim("thm-lle-pinned")
@given(seeds)
def test_pinning_a_point_inverts_what_is_singular(seed):
    rng = np.random.default_rng(seed)
    W = rng.random((20, 20))
    A = np.eye(20) - W / W.sum(axis=1, keepdims=True)
    z = np.linalg.svd(A)[0][:, -1]
    p = int(rng.integers(20))  # all entries of z are positive here, so any point will do
    B = A.copy()
    B[p, p] += 1
    np.testing.assert_allclose(B.T @ z, z[p] * np.eye(20)[p], atol=1e-9)
    b = rng.standard_normal(20)
    b -= b.mean()
    u = np.linalg.solve(B.T, b)
    np.testing.assert_allclose(A.T @ u, b, atol=1e-9)
    u -= z * (z @ u)
    np.testing.assert_allclose(A @ np.linalg.solve(B, u), u, atol=1e-9)
