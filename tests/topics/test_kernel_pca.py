"""Claims about kernel PCA and the table of spectral methods."""

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.decomposition import KernelPCA as PeerKernelPCA
from sklearn.metrics.pairwise import polynomial_kernel as peer_polynomial
from sklearn.metrics.pairwise import rbf_kernel as peer_rbf

from dimred_ref.classical_mds import classical_mds
from dimred_ref.isomap import isomap
from dimred_ref.kernel_pca import (
    METHOD_TABLE,
    centred_kernel,
    distance_kernel,
    isomap_kernel,
    kernel_pca,
    linear_kernel,
    polynomial_kernel,
    rbf_kernel,
    rbf_kernel_pca,
    transform,
)
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph, graph_laplacian, heat_kernel_weights
from dimred_ref.lle import lle, lle_matrix
from dimred_ref.mvu import mvu
from dimred_ref.pca import pca

seeds = st.integers(0, 10_000)


def cloud(seed, size=40, dimension=3):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((size, dimension)) * np.linspace(3, 1, dimension) + rng.standard_normal(
        dimension
    )


def same_up_to_signs(Y, Z, tolerance=1e-8):
    np.testing.assert_allclose(Y * np.sign((Y * Z).sum(axis=0)), Z, atol=tolerance)


@pytest.mark.claim("thm-kernel-pca-linear")
@given(seeds)
def test_the_linear_kernel_gives_pca(seed):
    X = cloud(seed)
    centred = X - X.mean(axis=0)
    U, singular_values, _ = np.linalg.svd(centred, full_matrices=False)
    model = kernel_pca(linear_kernel(X, X), 2)
    same_up_to_signs(model.embedding, (U * singular_values)[:, :2])
    np.testing.assert_allclose(model.eigenvalues, singular_values[:2] ** 2)


@pytest.mark.claim("thm-kernel-pca-isomap")
@pytest.mark.parametrize("size", [100, 400])
def test_isomap_is_kernel_pca_with_its_kernel(size):
    """In the same frame, column by column (ledger 14.4)."""
    X = cloud(0, size)
    same_up_to_signs(
        kernel_pca(isomap_kernel(X, n_neighbors=12), 3).embedding, isomap(X, 3, n_neighbors=12).embedding
    )


def test_mvu_is_kernel_pca_with_the_kernel_it_learns():
    X = cloud(0, 30)
    unfolded = mvu(X, 2, n_neighbors=6)
    model = kernel_pca(unfolded.factor @ unfolded.factor.T, 2)
    same_up_to_signs(model.embedding, unfolded.embedding, 1e-6)


@given(seeds)
def test_classical_scaling_is_kernel_pca_with_its_kernel(seed):
    distances = cdist(cloud(seed), cloud(seed)) ** 0.7
    same_up_to_signs(
        kernel_pca(distance_kernel(distances), 2).embedding, classical_mds(distances, 2).embedding
    )
    same_up_to_signs(kernel_pca(-(distances**2) / 2, 2).embedding, classical_mds(distances, 2).embedding)


def test_the_quadratic_kernel_worked_out_by_hand():
    """(1,0), (0,1), (1,1): centred spectrum 5/3, 1, 0 (ledger 14.3), in rational numbers and in floats."""
    X = np.array([[1, 0], [0, 1], [1, 1]])
    K = polynomial_kernel(X, X, degree=2)
    np.testing.assert_array_equal(K, [[1, 0, 1], [0, 1, 1], [1, 1, 4]])
    J = sympy.eye(3) - sympy.ones(3, 3) / 3
    exact = J * sympy.Matrix(K.astype(int).tolist()) * J
    assert exact.eigenvals() == {sympy.Rational(5, 3): 1, sympy.Integer(1): 1, sympy.Integer(0): 1}
    np.testing.assert_allclose(centred_kernel(K), np.array(exact.tolist(), float), atol=1e-12)
    np.testing.assert_allclose(kernel_pca(K, 2).eigenvalues, [5 / 3, 1])


@given(seeds)
def test_centring_the_kernel_centres_the_features(seed):
    X = cloud(seed)
    features = np.stack([X[:, 0] ** 2, 2**0.5 * X[:, 0] * X[:, 1], X[:, 1] ** 2], axis=1)
    centred = features - features.mean(axis=0)
    kernel = polynomial_kernel(X[:, :2], X[:, :2], degree=2)
    np.testing.assert_allclose(centred_kernel(kernel), centred @ centred.T, atol=1e-8)


def test_feature_distance_of_the_rbf_kernel_is_local_and_saturates():
    """2 − 2 exp(−γ r²) = 2γ r² + O(r⁴), with limit 2 (ledger 14.2)."""
    r, gamma = sympy.symbols("r gamma", positive=True)
    squared = 2 - 2 * sympy.exp(-gamma * r**2)
    assert sympy.series(squared, r, 0, 4).removeO() == 2 * gamma * r**2
    assert sympy.limit(squared, r, sympy.oo) == 2
    K = rbf_kernel([[0.0], [1e-3], [100.0]], [[0.0], [1e-3], [100.0]], gamma=0.5)
    distances = np.add.outer(K.diagonal(), K.diagonal()) - 2 * K
    assert distances[0, 1] == pytest.approx(1e-6, rel=1e-5)
    assert distances[0, 2] == pytest.approx(2)


@given(seeds, st.floats(0.01, 2))
def test_kernels_agree_with_scikit_learn(seed, gamma):
    A, B = cloud(seed, 10), cloud(seed + 1, 8)
    np.testing.assert_allclose(rbf_kernel(A, B, gamma=gamma), peer_rbf(A, B, gamma=gamma), atol=1e-12)
    expected = peer_polynomial(A, B, degree=3, gamma=1, coef0=2)
    np.testing.assert_allclose(polynomial_kernel(A, B, degree=3, offset=2), expected)


def test_far_from_the_origin_the_rbf_kernel_keeps_its_digits():
    X = cloud(0, 30)
    np.testing.assert_allclose(
        rbf_kernel(X + 1e7, X + 1e7, gamma=0.1), rbf_kernel(X, X, gamma=0.1), atol=1e-7
    )


@pytest.mark.parametrize("gap", [0.0, 1e3, 1e8])
def test_clusters_far_apart_do_not_blur_the_rbf_kernel(gap):
    """Products of coordinates of size 1e8 cannot see distances of size 1; and no value exceeds 1."""
    X = np.concatenate([cloud(0, 30), cloud(1, 30) + gap])
    K = rbf_kernel(X, X, gamma=0.1)
    np.testing.assert_allclose(K, np.exp(-0.1 * cdist(X, X, "sqeuclidean")), rtol=1e-7, atol=1e-10)
    assert K.max() <= 1


@pytest.mark.parametrize("size", [100, 900])
def test_half_a_kernel_matrix_is_enough(size):
    X = cloud(1, size)
    same_up_to_signs(
        rbf_kernel_pca(X, 3, gamma=0.1).embedding, kernel_pca(rbf_kernel(X, X, gamma=0.1), 3).embedding
    )


@pytest.mark.parametrize("size", [100, 500])
def test_scikit_learn_agrees_on_training_and_on_new_points(size):
    X, new = cloud(2, size), cloud(3, 20)
    peer = PeerKernelPCA(3, kernel="rbf", gamma=0.05, eigen_solver="dense").fit(X)
    model = rbf_kernel_pca(X, 3, gamma=0.05)
    expected = peer.transform(X)
    same_up_to_signs(model.embedding, expected)
    signs = np.sign((model.embedding * expected).sum(axis=0))
    placed = transform(model, rbf_kernel(new, X, gamma=0.05))
    np.testing.assert_allclose(placed * signs, peer.transform(new), atol=1e-8)


def test_every_copy_of_an_eightfold_eigenvalue_is_found():
    """Eight pairs of far clusters of equal size: scikit-learn's default returns six of the eight copies."""
    centres = np.repeat(np.eye(9) * 100, 40, axis=0)
    K = rbf_kernel(centres, centres, gamma=1.0)
    model = kernel_pca(K, 8)
    np.testing.assert_allclose(model.eigenvalues, 40)
    np.testing.assert_allclose(model.embedding.T @ model.embedding, 40 * np.eye(8), atol=1e-9)


@pytest.mark.claim("thm-kernel-pca-new-points")
@given(seeds)
def test_a_training_point_is_placed_where_it_was(seed):
    X = cloud(seed)
    K = polynomial_kernel(X, X, degree=2, offset=1)
    model = kernel_pca(K, 3)
    np.testing.assert_allclose(transform(model, K), model.embedding, atol=1e-8)
    np.testing.assert_allclose(transform(model, K[4:5]), model.embedding[4:5], atol=1e-8)  # in no company


def test_new_points_of_the_linear_kernel_are_projected():
    X, new = cloud(0), cloud(1, 5)
    model = kernel_pca(linear_kernel(X, X), 3)
    directions = np.linalg.lstsq(X - X.mean(axis=0), model.embedding)[0]
    expected = (new - X.mean(axis=0)) @ directions
    np.testing.assert_allclose(transform(model, linear_kernel(new, X)), expected, atol=1e-9)


def test_an_indefinite_kernel_is_embedded_by_its_positive_part():
    four_cycle = np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]])
    np.testing.assert_allclose(kernel_pca(distance_kernel(four_cycle), 2).eigenvalues, [2, 2])
    with pytest.raises(ValueError, match="at most 2, the number of positive eigenvalues, got 3"):
        kernel_pca(distance_kernel(four_cycle), 3)


def spectral_matrix(method, X):
    """The matrix that METHOD_TABLE names, the embedding, and how the embedding scales unit eigenvectors."""
    ones = np.ones(len(X))
    if method == "lle":
        model = lle(X, 2, n_neighbors=6)
        return lle_matrix(model.weights).toarray(), model.embedding, len(X) ** 0.5 * ones, ones
    if method == "laplacian_eigenmaps":
        W = heat_kernel_weights(X, n_neighbors=6, gamma=0.1)
        root = np.sqrt(W.sum(axis=1))
        L = graph_laplacian(W).toarray() / np.outer(root, root)
        return L, eigenmaps_of_graph(W, 2).embedding, 1 / root, root
    kernels = {
        "classical_mds": lambda: -(cdist(X, X) ** 1.4) / 2,
        "isomap": lambda: isomap_kernel(X, n_neighbors=6),
    }
    embeddings = {
        "classical_mds": lambda: classical_mds(cdist(X, X) ** 0.7, 2).embedding,
        "isomap": lambda: isomap(X, 2, n_neighbors=6).embedding,
    }
    return centred_kernel(kernels[method]()), embeddings[method](), None, ones


@pytest.mark.parametrize("method", ["classical_mds", "isomap", "lle", "laplacian_eigenmaps"])
def test_the_table_of_methods_tells_the_truth(method):
    """Eigenvectors of the named matrix, from the named end, the constant dropped or not, scaled as named."""
    X = cloud(0, 80)
    entry = METHOD_TABLE[method]
    matrix, embedding, scale, null_vector = spectral_matrix(method, X)
    values, vectors = np.linalg.eigh(matrix)
    assert entry.drops_constant == (entry.end == "bottom")
    if entry.end == "top":
        expected = vectors[:, :-3:-1] * np.sqrt(values[:-3:-1])
        assert "√λ" in entry.scaling
    else:
        expected = vectors[:, 1:3] * scale[:, None]
        np.testing.assert_allclose(
            np.abs(vectors[:, 0]), null_vector / np.linalg.norm(null_vector), atol=1e-6
        )
    same_up_to_signs(embedding, expected, 1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda K: np.triu(K), "symmetric"),
        (lambda K: K * (1 + 1e-6 * np.triu(np.ones_like(K))), "symmetric"),
        (lambda K: np.where(K > 1, np.nan, K), "finite"),
        (lambda K: np.where(K > 1, np.inf, K), "finite"),
        (lambda K: np.where(K > 1, -np.inf, K), "finite"),
        (lambda K: K[:-1], "square"),
        (lambda K: K.astype(complex), "real numbers"),
        (lambda K: K[:1, :1], "at least 2"),
    ],
)
def test_matrices_that_are_no_kernels_are_refused(change, message):
    X = cloud(0, 300)
    with pytest.raises(ValueError, match=message):
        kernel_pca(change(linear_kernel(X, X)), 2)


def test_rounding_errors_of_a_negative_kernel_are_no_asymmetry():
    """−½ Δ⁽²⁾ has no positive entry: its size is that of the most negative one."""
    X = cloud(0, 300)
    K = -cdist(X, X, "sqeuclidean") / 2
    tilted = K * (1 + 1e-12 * np.triu(np.ones_like(K)))
    same_up_to_signs(kernel_pca(tilted, 2).embedding, kernel_pca(K, 2).embedding)


@pytest.mark.parametrize("size", [30, 300])
def test_points_that_coincide_have_no_components(size):
    """Centring a constant kernel leaves rounding errors, and their eigenvectors mean nothing."""
    X = np.full((size, 3), np.pi)
    for run in (
        lambda: rbf_kernel_pca(X, 1, gamma=0.5),
        lambda: kernel_pca(linear_kernel(X, X), 1),
        lambda: kernel_pca(linear_kernel(X + 1e8, X), 2),
    ):
        with pytest.raises(ValueError, match="some eigenvalue must be positive, got none"):
            run()


@pytest.mark.parametrize("size", [1e-150, 1e150])
def test_kernels_whose_squares_vanish_or_overflow_are_refused(size):
    X = np.random.default_rng(0).normal(size=(300, 3))
    with pytest.raises(ValueError, match=r"K must have .* squares can be summed"):
        kernel_pca(size * linear_kernel(X, X), 2)
    expected = kernel_pca(linear_kernel(X, X), 2)
    near = kernel_pca(size**0.8 * linear_kernel(X, X), 2)
    np.testing.assert_allclose(near.eigenvalues / size**0.8, expected.eigenvalues, rtol=1e-10)


def test_arguments_out_of_bounds_are_refused_by_name():
    X = cloud(0)
    with pytest.raises(ValueError, match="gamma must be positive"):
        rbf_kernel_pca(X, 2, gamma=0)
    with pytest.raises(ValueError, match="degree must be between 1 and 100, got 0"):
        polynomial_kernel(X, X, degree=0)
    with pytest.raises(ValueError, match="the kernel overflows"):
        polynomial_kernel(1e6 * X, 1e6 * X, degree=50)
    with pytest.raises(ValueError, match="B must have 3 columns like A, got 2"):
        linear_kernel(X, X[:, :2])
    with pytest.raises(ValueError, match="kernel must have 40 columns, got 3"):
        transform(rbf_kernel_pca(X, 2, gamma=1), np.ones((2, 3)))


# What the page proves, tried on many draws.


@pytest.mark.claim("thm-kernel-pca-gram")
@given(seeds, st.integers(1, 6))
def test_kernel_matrices_are_the_positive_semidefinite_ones(seed, rank):
    rng = np.random.default_rng(seed)
    features = rng.standard_normal((8, rank))
    K = features @ features.T
    assert np.linalg.eigvalsh(K)[0] >= -1e-9 * np.linalg.norm(K)
    values, vectors = np.linalg.eigh(K)
    made = vectors * np.sqrt(np.maximum(values, 0))
    np.testing.assert_allclose(made @ made.T, K, atol=1e-9)
    # shifted below zero, a vector of negative "squared length" appears
    shifted = K - (values[0] + 0.1) * np.eye(8)
    a = vectors[:, 0]
    assert a @ shifted @ a == pytest.approx(-0.1)


@pytest.mark.claim("thm-kernel-pca-closure")
@given(seeds, st.floats(0.01, 3), st.integers(1, 5), st.floats(0, 3))
def test_sums_and_entrywise_products_of_kernels_are_kernels(seed, gamma, degree, offset):
    X = cloud(seed, 12) / 2
    gaussian, power = rbf_kernel(X, X, gamma=gamma), polynomial_kernel(X, X, degree=degree, offset=offset)
    for K in (gaussian, power, gaussian + power, gaussian * power):
        assert np.linalg.eigvalsh(K)[0] >= -1e-10 * np.linalg.norm(K)
    # an offset below zero is no kernel: the matrix of x·y − c has a negative direction once c is large
    assert np.linalg.eigvalsh(linear_kernel(X, X) - 1e3)[0] < 0


@pytest.mark.claim("thm-kernel-pca-centring")
@given(seeds)
def test_centring_agrees_with_the_features_of_any_kernel(seed):
    K = rbf_kernel(cloud(seed, 15), cloud(seed, 15), gamma=0.2)
    values, vectors = np.linalg.eigh(K)
    features = vectors * np.sqrt(np.maximum(values, 0))
    centred = features - features.mean(axis=0)
    np.testing.assert_allclose(centred_kernel(K), centred @ centred.T, atol=1e-9)
    J = np.eye(15) - 1 / 15
    np.testing.assert_allclose(centred_kernel(K), J @ K @ J, atol=1e-12)


@pytest.mark.claim("thm-kernel-pca-scores")
@given(seeds)
def test_kernel_pca_is_pca_of_the_features(seed):
    X = cloud(seed)[:, :2]
    features = np.stack([X[:, 0] ** 2, 2**0.5 * X[:, 0] * X[:, 1], X[:, 1] ** 2], axis=1)
    model = kernel_pca(polynomial_kernel(X, X, degree=2), 3)
    expected = pca(features, 3)
    np.testing.assert_allclose(model.eigenvalues / len(X), expected.variances, rtol=1e-8)
    same_up_to_signs(model.embedding, expected.embedding, 1e-6 * np.abs(features).max())
    centred = features - features.mean(axis=0)
    directions = centred.T @ model.embedding / model.eigenvalues
    np.testing.assert_allclose(directions.T @ directions, np.eye(3), atol=1e-7)
    np.testing.assert_allclose(centred @ directions, model.embedding, atol=1e-7 * np.abs(features).max())


@pytest.mark.claim("thm-kernel-pca-rbf-distance")
@given(seeds, st.floats(1e-3, 10))
def test_feature_distances_of_the_rbf_kernel_lie_between_their_bounds(seed, gamma):
    X = cloud(seed, 20)
    K, squares = rbf_kernel(X, X, gamma=gamma), cdist(X, X, "sqeuclidean")
    apart = 2 - 2 * K
    assert (apart <= np.minimum(2 * gamma * squares, 2) + 1e-11).all()
    assert (apart >= 2 * gamma * squares - (gamma * squares) ** 2 - 1e-11).all()
    Y = kernel_pca(K, 3).embedding
    assert (cdist(Y, Y, "sqeuclidean") <= apart + 1e-9).all()


@pytest.mark.claim("thm-kernel-pca-wide")
@given(seeds, st.floats(1e-6, 1e-2))
def test_a_wide_kernel_is_pca_up_to_an_error_proportional_to_gamma(seed, gamma):
    X = cloud(seed, 25)
    G = centred_kernel(linear_kernel(X, X))
    scaled = centred_kernel(rbf_kernel(X, X, gamma=gamma)) / (2 * gamma)
    bound = gamma * len(X) * cdist(X, X).max() ** 4 / 4
    assert np.linalg.norm(scaled - G) <= bound + 1e-9 / gamma
    moved = np.abs(np.linalg.eigvalsh(scaled) - np.linalg.eigvalsh(G)).max()
    assert moved <= bound + 1e-9 / gamma


def test_the_coordinates_of_ever_wider_kernels_approach_those_of_pca():
    X = cloud(3, 60)
    scores = pca(X, 2).embedding
    errors = []
    for gamma in (1e-2, 1e-3, 1e-4):
        Y = rbf_kernel_pca(X, 2, gamma=gamma).embedding / (2 * gamma) ** 0.5
        errors.append(np.linalg.norm(Y @ Y.T - scores @ scores.T) / np.linalg.norm(scores @ scores.T))
    assert errors[0] > 5 * errors[1] > 25 * errors[2]
    assert errors[2] < 0.01


@pytest.mark.claim("thm-kernel-pca-narrow")
@given(seeds, st.floats(0.2, 40))
def test_a_narrow_kernel_makes_a_simplex_and_forgets_new_points(seed, sharpness):
    X = cloud(seed, 12)
    apart = cdist(X, X)[np.triu_indices(12, 1)].min()
    gamma = sharpness / apart**2
    K = rbf_kernel(X, X, gamma=gamma)
    epsilon = 11 * np.exp(-sharpness)
    values, vectors = np.linalg.eigh(centred_kernel(K))
    order = np.argsort(np.abs(vectors.T @ np.ones(12)))  # the constant vector last
    others = values[order[:-1]]
    assert values[order[-1]] == pytest.approx(0, abs=1e-9)
    assert (np.abs(others - 1) <= epsilon + 1e-9).all()
    distances = np.sqrt(2 - 2 * K[np.triu_indices(12, 1)])
    assert (distances >= np.sqrt(2 - 2 * epsilon / 11) - 1e-9).all() if epsilon < 11 else True
    new = cloud(seed + 1, 5)
    new = new[cdist(new, X).min(axis=1) >= apart]
    if epsilon < 0.9 and len(new):
        rows = rbf_kernel(new, X, gamma=gamma)
        centred = rows - rows.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()
        placed = centred @ vectors[:, order[:-1]] / np.sqrt(others)
        assert np.abs(placed).max() <= 2 * epsilon / np.sqrt(1 - epsilon) + 1e-9


@pytest.mark.claim("thm-kernel-pca-bottom")
@given(seeds, st.floats(1.001, 5))
def test_bottom_eigenvectors_without_the_constant_are_top_ones_of_a_kernel(seed, factor):
    rng = np.random.default_rng(seed)
    W = np.triu(rng.exponential(size=(12, 12)), 1)
    M = np.diag((W + W.T).sum(axis=1)) - W - W.T  # the Laplacian of a complete graph with random weights
    values, vectors = np.linalg.eigh(M)
    for K in (factor * values[-1] * np.eye(12) - M, np.linalg.pinv(M, hermitian=True)):
        top = np.linalg.eigh(centred_kernel(K))[1][:, :-4:-1]
        np.testing.assert_allclose(np.abs((top * vectors[:, 1:4]).sum(axis=0)), 1, atol=1e-6)


@pytest.mark.claim("thm-kernel-pca-own-game")
@given(seeds, st.integers(1, 4))
def test_no_plane_beats_the_eigenvectors_at_their_own_game(seed, d):
    rng = np.random.default_rng(seed)
    A = rng.standard_normal((9, 9))
    A = A + A.T
    values, vectors = np.linalg.eigh(A)

    def left_over(Q):
        return (A**2).sum() - (np.maximum(np.linalg.eigvalsh(Q.T @ A @ Q), 0) ** 2).sum()

    top = vectors[:, : -d - 1 : -1]
    for size in (1e-3, 0.3, 10.0):
        rival = np.linalg.qr(top + size * rng.standard_normal(top.shape))[0]
        assert left_over(rival) >= left_over(top) - 1e-9
        T = rival.T @ A @ rival
        S = rng.standard_normal((d, d))
        S = T + size * S @ S.T - np.eye(d) * min(np.linalg.eigvalsh(T)[0], 0)  # positive semidefinite
        assert np.linalg.norm(A - rival @ S @ rival.T) ** 2 >= left_over(rival) - 1e-9
    J = np.eye(9) - 1 / 9
    M = J @ A @ A @ J
    values, vectors = np.linalg.eigh(M)
    bottom = vectors[:, 1 : d + 1]
    for size in (1e-3, 0.3, 10.0):
        rival = np.linalg.qr(J @ (bottom + size * rng.standard_normal(bottom.shape)))[0]
        assert np.trace(rival.T @ M @ rival) >= values[1 : d + 1].sum() - 1e-9


@pytest.mark.parametrize("size", [10, 60, 120, 300])
def test_equal_points_of_a_simplex_keep_all_the_components_that_were_asked_for(size):
    model = kernel_pca(np.eye(size), 3)
    assert model.embedding.shape == (size, 3)
    assert model.eigenvalues == pytest.approx([1.0, 1.0, 1.0])
