"""New points: a training point stays where it was, held-out points land near where the whole data put them."""

import dataclasses

import numpy as np
import pytest

import dimred_ref as dr
from dimred_ref.conformal_eigenmaps import conformal_eigenmaps
from dimred_ref.datasets import cylinder_patch, swiss_roll
from dimred_ref.duality import dual_pca_from_gram, gram
from dimred_ref.kernel_pca import rbf_kernel
from dimred_ref.laplacian_eigenmaps import heat_kernel_weights
from dimred_ref.mvu import landmark_mvu, mvu_on_graph, neighbor_edges

# the error that is allowed for held-out points of a bent sheet, relative to the size of the embedding
METHODS = {
    "pca": (lambda X: dr.pca(X, 2), 0.05),
    "dual_pca": (lambda X: dr.dual_pca(X, 2), 0.05),
    "rbf_kernel_pca": (lambda X: dr.rbf_kernel_pca(X, 2, gamma=0.3), 0.05),
    "isomap": (lambda X: dr.isomap(X, 2, n_neighbors=10), 0.05),
    "landmark_isomap": (lambda X: dr.landmark_isomap(X, 2, n_neighbors=10, n_landmarks=60), 0.1),
    "lle": (lambda X: dr.lle(X, 2, n_neighbors=10), 0.3),
    "laplacian_eigenmaps": (lambda X: dr.laplacian_eigenmaps(X, 2, n_neighbors=10, gamma=1.0), 0.2),
    "mvu": (lambda X: dr.mvu(X, 2, n_neighbors=10), 0.05),
    "landmark_mvu": (lambda X: landmark_mvu(X, 2, n_neighbors=10, n_landmarks=15), 0.2),
    "conformal_eigenmaps": (lambda X: conformal_eigenmaps(X, 2, n_neighbors=10), 0.1),
}


@pytest.mark.parametrize("name", METHODS)
def test_training_points_stay_where_they_were_and_company_does_not_matter(name):
    X = cylinder_patch(120, seed=0).X
    fit = METHODS[name][0](X)
    np.testing.assert_allclose(fit.transform(X), fit.embedding, atol=1e-8 * np.abs(fit.embedding).max())
    new = X[:5] + 0.01
    alone = np.concatenate([fit.transform(point[None]) for point in new])
    np.testing.assert_allclose(fit.transform(new), alone, atol=1e-9 * np.abs(fit.embedding).max())


def held_out_error(name, data, n_held_out=40):
    """Distance of held-out points to their places among all points, after the best motion of the training points."""
    embedding, error = METHODS[name][0], METHODS[name][1]
    whole = embedding(data.X).embedding
    fit = embedding(data.X[n_held_out:])
    motion = dr.similarity_alignment(fit.embedding, whole[n_held_out:])
    placed = motion.scale * fit.transform(data.X[:n_held_out]) @ motion.rotation + motion.shift
    size = np.sqrt(np.mean(np.sum((whole - whole.mean(axis=0)) ** 2, axis=1)))
    return float(np.sqrt(np.mean(np.sum((placed - whole[:n_held_out]) ** 2, axis=1)))) / float(size), error


@pytest.mark.parametrize("name", METHODS)
def test_held_out_points_land_near_their_places_among_all_points(name):
    error, allowed = held_out_error(name, cylinder_patch(400, seed=1))
    assert error <= allowed


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    ("new", "message"),
    [
        ([[1.0, 2.0]], "must have 3 columns, got 2"),
        ([1.0, 2.0, 3.0], "2 axes"),
        ([[np.nan, 0, 0]], "finite"),
        ([["a", "b", "c"]], "real numbers"),
        (np.zeros((0, 3)), "at least 1 rows, got 0"),
    ],
)
def test_new_points_that_are_none_are_refused(name, new, message):
    fit = METHODS[name][0](cylinder_patch(60, seed=0).X)
    with pytest.raises(ValueError, match=message):
        fit.transform(new)


def test_isomap_places_new_points_alike_with_kept_and_with_forgotten_paths():
    X = swiss_roll(300, seed=0).X
    fit = dr.isomap(X[50:], 2, n_neighbors=10)
    forgetful = dataclasses.replace(fit, geodesics=None)
    np.testing.assert_allclose(fit.transform(X[:50]), forgetful.transform(X[:50]), atol=1e-9)


def test_a_kernel_matrix_places_new_points_from_kernel_values():
    X, new = np.random.default_rng(0).normal(size=(2, 40, 3))
    by_points = dr.rbf_kernel_pca(X, 3, gamma=0.2)
    by_kernel = dr.kernel_pca(rbf_kernel(X, X, gamma=0.2), 3)
    np.testing.assert_allclose(
        by_points.transform(new), by_kernel.transform(rbf_kernel(new, X, gamma=0.2)), atol=1e-10
    )
    with pytest.raises(ValueError, match="kernel must have 40 columns, got 3"):
        by_kernel.transform(new)


def test_inner_products_place_new_points_of_a_gram_matrix():
    X, new = np.random.default_rng(1).normal(size=(2, 30, 50))
    fit = dual_pca_from_gram(gram(X), 4)
    products = (new - X.mean(axis=0)) @ (X - X.mean(axis=0)).T
    np.testing.assert_allclose(fit.transform(products), dr.dual_pca(X, 4).transform(new), atol=1e-9)


def test_a_vertex_of_a_graph_is_placed_by_its_edges():
    weights = heat_kernel_weights(cylinder_patch(80, seed=0).X, n_neighbors=8, gamma=1.0)
    fit = dr.eigenmaps_of_graph(weights, 2)
    np.testing.assert_allclose(fit.transform(weights.toarray()), fit.embedding, atol=1e-9)
    with pytest.raises(ValueError, match="weights all vanish"):
        fit.transform(np.zeros((1, 80)))


def test_a_coordinate_that_neighbours_do_not_decide_places_nothing():
    """The path of three vertices: its ends are opposite, and their mean in the middle is 0 wherever they are."""
    fit = dr.eigenmaps_of_graph([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]], 1)
    with pytest.raises(ValueError, match="no place along a coordinate of eigenvalue 1"):
        fit.transform([[0.0, 1, 0]])


def test_a_graph_without_points_cannot_place_any():
    edges, lengths = neighbor_edges(cylinder_patch(40, seed=0).X, 8)
    fit = mvu_on_graph(edges, lengths, 2, n_points=40)
    with pytest.raises(ValueError, match=r"after mvu\(X"):
        fit.transform(np.zeros((1, 3)))


def test_pre_images_of_many_coordinates_are_the_points():
    X = np.random.default_rng(0).normal(size=(150, 3))
    fit = dr.rbf_kernel_pca(X, 80, gamma=0.2)
    assert np.abs(fit.inverse_transform(fit.embedding) - X).max() < 0.02


def test_pre_images_of_few_coordinates_are_less_noisy_than_the_data():
    rng = np.random.default_rng(0)
    angles = rng.uniform(0, 2 * np.pi, 300)
    X = np.column_stack([np.cos(angles), np.sin(angles)]) + 0.15 * rng.normal(size=(300, 2))
    fit = dr.rbf_kernel_pca(X, 4, gamma=1.0)
    noise = [
        np.abs(np.linalg.norm(points, axis=1) - 1).mean()
        for points in (X, fit.inverse_transform(fit.embedding))
    ]
    assert noise[1] < 0.65 * noise[0]
    with pytest.raises(ValueError, match="pre-images need training points"):
        dr.kernel_pca(rbf_kernel(X, X, gamma=1.0), 2).inverse_transform([[0.0, 0.0]])


def test_whitened_training_samples_have_the_identity_as_covariance():
    X = np.random.default_rng(0).normal(size=(60, 3)) * [5, 2, 1]
    fit = dr.pca(X, 3)
    np.testing.assert_allclose(dr.covariance(fit.whiten(X)), np.eye(3), atol=1e-12)
    with pytest.raises(ValueError, match="variances must be positive"):
        dr.pca(np.outer(np.arange(5.0), [1, 2]), 2).whiten(X[:, :2])


@pytest.mark.parametrize("unit", [1.0, 1e-140, 1e100])
def test_test_data_are_standardised_with_the_mean_and_the_scale_of_the_training_data(unit):
    rng = np.random.default_rng(0)
    X, new = unit * (rng.normal(size=(2, 30, 3)) * [1, 5, 2] + 3)
    X[:, 2] = unit
    fit = dr.standardisation(X, ddof=1)
    np.testing.assert_array_equal(fit.embedding, dr.standardised(X, ddof=1))
    np.testing.assert_allclose(fit.transform(X), fit.embedding, atol=1e-12)
    np.testing.assert_allclose(fit.inverse_transform(fit.transform(new)) / unit, new / unit)
    np.testing.assert_allclose(fit.scale[:2] / unit, np.std(X[:, :2] / unit, axis=0, ddof=1))
    assert fit.scale[2] == 1.0


@pytest.mark.parametrize("gamma", [0.0, 0.01, 1e3])
def test_the_laplacian_places_points_however_far_they_are(gamma):
    """Weights that would all vanish have proportions all the same: those of the nearest count."""
    X = np.array([[np.cos(t), np.sin(t)] for t in np.linspace(0, 3, 30)])
    fit = dr.laplacian_eigenmaps(X, 2, n_neighbors=4, gamma=gamma)
    near, far = fit.transform(X[-1:] * 1.001), fit.transform(X[-1:] * 1e9)
    assert np.isfinite(far).all()
    np.testing.assert_allclose(near, fit.embedding[-1:], atol=0.2 * np.ptp(fit.embedding))
    np.testing.assert_allclose(far, fit.embedding[-1:], atol=0.2 * np.ptp(fit.embedding))


def test_samples_as_large_as_the_fit_allows_can_be_placed():
    X = np.random.default_rng(0).normal(size=(20, 3)) * 1e151
    fit = dr.pca(X, 2)
    np.testing.assert_allclose(fit.transform(X), fit.embedding, rtol=1e-9, atol=1e138)
    np.testing.assert_array_equal(fit.inverse_transform([[1e-300, 0.0]])[0], fit.mean)
