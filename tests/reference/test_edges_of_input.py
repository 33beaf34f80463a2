"""Inputs at the edge: what is refused, what is accepted, and that both are said in true words."""

import warnings

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array

import dimred_ref as dr
from dimred_ref.duality import dual_pca, dual_pca_from_gram, gram
from dimred_ref.graph import (
    dijkstra_paths,
    floyd_warshall,
    knn_graph,
    nearest_neighbors,
    nearest_training_points,
    shortest_paths,
)
from dimred_ref.kernel_pca import rbf_kernel, rbf_kernel_pca
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph, graph_laplacian, heat_kernel_weights
from dimred_ref.lle import lle
from dimred_ref.mvu import certify_mvu, exact_mvu_small, mvu, neighbor_edges, squared_edge_lengths
from dimred_ref.pca import pca


@pytest.mark.parametrize("shape", [(6, 40), (30, 30), (12, 4), (40, 3)])
@pytest.mark.parametrize("mean", [0.0, 1e3])
def test_dual_pca_has_no_more_axes_than_the_centred_samples_have_dimensions(shape, mean):
    for seed in range(20):
        X = np.random.default_rng(seed).normal(size=shape) + mean
        rank = min(shape[0] - 1, shape[1])
        assert dual_pca(X, rank).variances[-1] > 1e-6
        with pytest.raises(ValueError, match=f"n_components must be between 1 and {rank}"):
            dual_pca(X, rank + 1)


def test_dual_pca_of_small_numbers_is_that_of_large_ones():
    """Inner products of 1e-150 are below what a Gram matrix may hold that is given; the samples are not."""
    X = np.random.default_rng(0).normal(size=(9, 4))
    small, fit = dual_pca(X * 1e-149, 2), dual_pca(X, 2)
    np.testing.assert_allclose(small.embedding * 1e149, fit.embedding, rtol=1e-9)
    np.testing.assert_allclose(small.transform(X * 1e-149), small.embedding, rtol=1e-6, atol=1e-160)


@pytest.mark.parametrize("size", [3, 8, 30])
def test_a_gram_matrix_of_centred_samples_gives_one_axis_less_than_samples(size):
    for seed in range(20):
        G = gram(np.random.default_rng(seed).normal(size=(size, 60)))
        with pytest.raises(ValueError, match=f"n_components must be between 1 and {size - 1}"):
            dual_pca_from_gram(G, size)


@pytest.mark.parametrize("regularisation", [1e-3, 1e-9, 1e-12])
def test_eigenvalues_of_lle_are_those_of_a_product_that_is_never_formed(regularisation):
    """On a flat sheet the cost is as small as the regularisation squared: far below rounding of AᵀA."""
    X = np.random.default_rng(0).random((150, 2)) @ [[1.0, 0.3, 0.2], [0.1, 1.0, 0.5]]
    fit = lle(X, 2, n_neighbors=8, regularisation=regularisation)
    residual = fit.embedding - fit.weights @ fit.embedding
    costs = np.sum(residual**2, axis=0) / len(X)
    assert (fit.eigenvalues > 0).all()
    rounding = max(1e-9, 1e-14 / regularisation)  # of singular values beside the largest
    np.testing.assert_allclose(fit.eigenvalues, costs, rtol=rounding)
    assert fit.cost == pytest.approx(len(X) * costs.sum(), rel=rounding)


def test_a_stored_zero_is_no_edge_of_a_weighted_graph():
    """Two triangles, joined by an edge of weight 0: the graph is not connected."""
    triangle = np.ones((3, 3)) - np.eye(3)
    weights = np.zeros((6, 6))
    weights[:3, :3], weights[3:, 3:] = triangle, triangle
    rows, columns = np.nonzero(weights)
    entries = np.append(weights[rows, columns], [0.0, 0.0])
    graph = csr_array((entries, (np.append(rows, [2, 3]), np.append(columns, [3, 2]))), shape=(6, 6))
    assert graph.nnz == 14
    with pytest.raises(ValueError, match="2 components of sizes 3, 3"):
        eigenmaps_of_graph(graph, 1)
    assert graph_laplacian(graph).nnz == graph_laplacian(csr_array(weights)).nnz


def test_a_vertex_whose_edges_all_weigh_nothing_is_reported_as_alone():
    graph = csr_array(([1.0, 1.0, 0.0, 0.0], ([0, 1, 1, 2], [1, 0, 2, 1])), shape=(3, 3))
    with pytest.raises(ValueError, match="2 components of sizes 2, 1"):
        eigenmaps_of_graph(graph, 1)


def test_a_result_does_not_change_with_the_graph_that_it_was_made_of():
    graph = csr_array(np.ones((4, 4)) - np.eye(4))
    fit = eigenmaps_of_graph(graph, 1)
    graph.data[:] = 7
    np.testing.assert_array_equal(fit.weights.data, 1)


def test_entries_of_a_sparse_matrix_that_are_stored_twice_are_added_as_scipy_does():
    indptr, indices = [0, 2, 5, 6], [1, 1, 0, 0, 2, 1]
    graph = csr_array(([1.0, 2.0, 1.0, 2.0, 4.0, 4.0], indices, indptr), shape=(3, 3))
    assert not graph.has_canonical_format
    before = graph.data.copy()
    for paths in (dijkstra_paths, shortest_paths, floyd_warshall):
        np.testing.assert_array_equal(paths(graph), [[0, 3, 7], [3, 0, 4], [7, 4, 0]])
    np.testing.assert_array_equal(graph.data, before)
    expected = eigenmaps_of_graph(csr_array(graph.toarray()), 1)
    np.testing.assert_allclose(eigenmaps_of_graph(graph, 1).embedding, expected.embedding)
    assert shortest_paths(coo_array(graph)).tolist() == [[0, 3, 7], [3, 0, 4], [7, 4, 0]]


def test_edges_of_very_unlike_lengths_are_unfolded_with_the_better_of_two_bounds():
    """The data are a line but for a trifle: nothing can be wider, and the multipliers show it to 1e-6 only."""
    X = np.column_stack([1.5 ** np.arange(50.0), np.random.default_rng(0).random(50)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # it is proved to 2e-8, and 1e-8 is asked for
        fit = mvu(X, 2, n_neighbors=6)
    spread = np.sum((X - X.mean(axis=0)) ** 2)
    by_multipliers = certify_mvu(fit.factor, fit.edges, squared_edge_lengths(X, fit.edges), fit.multipliers)
    assert by_multipliers.upper_bound > (1 + 1e-7) * spread
    assert spread <= fit.certificate.upper_bound <= (1 + 1e-9) * spread
    assert fit.certificate.gap < 3e-8


@pytest.mark.parametrize("copied", [False, True])
def test_neighbours_of_all_are_all_edges_and_prove_more_than_an_iteration_could(copied):
    """Ten dimensions: the program took ten seconds for what is known beforehand. Copies are unfolded as ever."""
    X = np.random.default_rng(0).normal(size=(40, 10))
    X[7] = X[3] if copied else X[7]
    fit = mvu(X, 10, n_neighbors=39)
    np.testing.assert_allclose(
        fit.embedding @ fit.embedding.T, gram(X), atol=(1e-4 if copied else 1e-9) * 400
    )
    assert fit.certificate.gap < (1e-8 if copied else 1e-9)


TRIANGLE, TETRAHEDRON = [[0, 1], [1, 2], [0, 2]], [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]


@pytest.mark.parametrize(
    ("edges", "lengths", "reason"),
    [
        (TRIANGLE, [1, 1, 4.001], r"edge 2 = \(0, 2\) of length 2\.00025 is longer than another way .* 2$"),
        (TRIANGLE, [1, 1, 1e4], r"edge 2 = \(0, 2\)"),
        (TETRAHEDRON, [1, 1, 1, 3.01, 3.01, 3.01], "multipliers prove that no points have these"),
        (TETRAHEDRON, [1, 1, 1, 3.9, 3.9, 3.9], "multipliers prove that no points have these"),
    ],
)
def test_lengths_that_no_points_have_are_refused_by_the_exact_form(edges, lengths, reason):
    with pytest.raises(ValueError, match=f"squared_lengths must be those of points.*{reason}"):
        exact_mvu_small(edges, lengths, 2, n_points=np.max(edges) + 1)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_lengths_that_points_have_are_never_refused_by_the_exact_form(dimension):
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(8, dimension))
        edges, lengths = neighbor_edges(X, 5)
        fit = exact_mvu_small(edges, lengths, 2, n_points=8)
        assert fit.objective >= (1 - 1e-4) * np.sum((X - X.mean(axis=0)) ** 2)


def test_sparse_samples_are_refused_with_the_way_out():
    with pytest.raises(ValueError, match=r"X must be a dense array, got a sparse csr_array: .*toarray"):
        pca(csr_array(np.eye(5)), 2)
    with pytest.raises(ValueError, match=r"X must be a dense array.*toarray"):
        knn_graph(csr_array(np.eye(5)), 2)


class NullableColumn:
    """What pandas' nullable dtypes show of themselves."""

    kind, name = "i", "Int64"


class NullableFrame:
    """A data frame of nullable columns, as far as it takes part in a conversion."""

    def __init__(self, values, kind="i"):
        self.values, self.dtypes = values, [NullableColumn()] * len(values[0])
        for column in self.dtypes:
            column.kind = kind

    def __array__(self, dtype=None, copy=None):
        return np.array(self.values, dtype=object if dtype is None else dtype)

    def to_numpy(self, dtype=None, na_value=None):
        return np.array([[na_value if v is None else v for v in row] for row in self.values], dtype=dtype)


def test_a_data_frame_of_nullable_numbers_is_data():
    X = np.random.default_rng(0).integers(0, 9, size=(20, 3))
    np.testing.assert_array_equal(pca(NullableFrame(X.tolist()), 2).embedding, pca(X, 2).embedding)
    gap = [[1, 2], [None, 3], [4, 9]]
    with pytest.raises(ValueError, match="X must be finite, got 1 NaN"):
        knn_graph(NullableFrame(gap), 1)
    with pytest.raises(ValueError, match="X must hold real numbers, got dtype object"):
        pca(NullableFrame([["1", "2"], ["3", "4"], ["0", "0"]], kind="O"), 1)


class Series:
    """A column of a data frame: its dtypes are one dtype."""

    dtypes = np.dtype(np.float64)

    def __init__(self, values):
        self.values = np.array(values)

    def to_numpy(self, dtype=None, na_value=None):
        return self.values.astype(dtype)

    def __array__(self, dtype=None, copy=None):
        return self.values


def test_a_column_of_a_data_frame_is_a_vector_and_no_table():
    assert dr.n_components_for(Series([3.0, 2.0, 1.0]), 0.5) == 1
    assert dr.dimension_by_gap(Series([30.0, 2.0, 1.0])) == 1
    with pytest.raises(ValueError, match=r"X must be a matrix \(2 axes\), got shape \(3,\)"):
        pca(Series([1.0, 2.0, 3.0]), 1)


class MixedFrame(NullableFrame):
    """A data frame with a column of words, which names its columns."""

    def __init__(self, values, dtypes):
        super().__init__(values)
        self.dtypes = dtypes


class Dtypes(dict):
    """The dtypes of a data frame: iterating gives dtypes, items gives labels and dtypes."""

    def __iter__(self):
        return iter(self.values())


def test_columns_that_hold_no_numbers_are_named():
    frame = MixedFrame([[1.0, "x"], [2.0, "y"]], Dtypes(a=np.dtype(float), b=np.dtype(object)))
    with pytest.raises(ValueError, match=r"got dtype object from columns 'b' \(object\): leave them out"):
        pca(frame, 1)


@pytest.mark.parametrize("value", [1e-200, 1e-320, 0.0, 1e100])
def test_a_new_sample_may_be_as_small_as_numbers_are(value):
    X = np.random.default_rng(0).normal(loc=[5, 0, 0], size=(30, 3))
    fit = pca(X, 2)
    np.testing.assert_allclose(
        fit.transform([[value, 0, 0]]), ([[value, 0, 0]] - fit.mean) @ fit.axes, rtol=1e-12
    )


@pytest.mark.parametrize("gamma", [1e300, 1e308])
def test_a_steep_kernel_is_0_off_the_diagonal_without_a_warning(gamma):
    X = np.random.default_rng(0).normal(size=(8, 3)) * 1e6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(rbf_kernel(X, X, gamma=gamma), np.eye(8))
        np.testing.assert_allclose(rbf_kernel_pca(X, 2, gamma=gamma).eigenvalues, 1.0)
        with pytest.raises(ValueError, match="gamma must be at most"):
            heat_kernel_weights(X, n_neighbors=3, gamma=gamma)


@pytest.mark.parametrize("n_columns", [2, 5, 12, 13, 20])
def test_of_equally_distant_points_the_first_are_taken_whatever_the_number_of_columns(n_columns):
    grid = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0)), axis=-1).reshape(-1, 2)
    order = np.random.default_rng(0).permutation(len(grid))
    X = np.zeros((len(grid), n_columns))
    X[:, :2] = grid[order]
    table = np.sum((X[:, None] - X) ** 2, axis=2)
    np.fill_diagonal(table, -1)
    for count in (1, 3, 7):
        expected = np.argsort(table, axis=1, kind="stable")[:, 1 : count + 1]
        np.testing.assert_array_equal(nearest_neighbors(X, count)[1], expected)
    queries = X[:10] + np.eye(n_columns)[0] / 2
    table = np.sum((queries[:, None] - X) ** 2, axis=2)
    expected = np.argsort(table, axis=1, kind="stable")[:, :5]
    np.testing.assert_array_equal(nearest_training_points(X, queries, 5)[1], expected)


@pytest.mark.parametrize("n_columns", [2, 13])
def test_of_many_copies_the_first_are_neighbours(n_columns):
    X = np.zeros((300, n_columns))
    X[250:, 0] = 1 + np.arange(50)
    _, neighbors = nearest_neighbors(X, 4)
    np.testing.assert_array_equal(neighbors[0], [1, 2, 3, 4])
    np.testing.assert_array_equal(neighbors[2], [0, 1, 3, 4])
    np.testing.assert_array_equal(neighbors[200], [0, 1, 2, 3])


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (
            lambda: dr.pca_of_blocks(None, 1),
            "blocks must be an iterable of arrays, or one array, got NoneType",
        ),
        (lambda: dr.pca_of_blocks("abc", 1), "blocks must be an iterable of arrays"),
        (lambda: dr.n_components_for_share([-1.0, -2.0], 0.5), "share must be at most 0"),
        (
            lambda: dr.isomap(np.ones((20, 3)), 1, n_neighbors=5),
            "some eigenvalue must be positive, got none: the",
        ),
        (lambda: dr.kernel_pca(1 - np.eye(9), 1), "a table of distances is for classical_mds"),
        (
            lambda: dr.eigenmaps_of_graph([[0.0]], 1),
            "n_components must be at least 1, and so few samples allow 0",
        ),
        (
            lambda: pca([1.0, 2.0, 3.0], 1),
            r"got shape \(3,\): one sample is X\[None, :\], one feature X\[:, None\]",
        ),
        (lambda: pca(None, 1), "X must hold real numbers, got NoneType"),
        (
            lambda: dr.dimension_by_gap([1.0, 2.0]),
            r"positive numbers in descending order, got \[1\.0, 2\.0\]",
        ),
        (lambda: pca(np.eye(3, dtype=object), 1), "got dtype object: turn its numbers into floats first"),
        (lambda: pca(np.eye(3) * 1e200, 1), r"between 1e-300 and 1\.8e\+308, got deviations up to 1e\+200"),
        (lambda: dr.pca_of_blocks([[[1.0, np.nan], [0.0, 1.0]]], 1), "block must be finite, got 1 NaN"),
        (lambda: pca((row for row in np.eye(3)), 1), "X must hold real numbers, got generator"),
        (lambda: dr.residual_variance(np.triu(np.ones((4, 4)), 1), np.eye(4)), "distances must be symmetric"),
    ],
)
def test_what_a_stranger_tried_is_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()


def test_a_data_frame_is_one_block_and_not_the_names_of_its_columns():
    X = np.random.default_rng(0).integers(0, 9, size=(20, 3))
    fit = dr.pca_of_blocks(NullableFrame(X.tolist()), 2)
    np.testing.assert_allclose(fit.variances, dr.pca(X, 2).variances)


def test_a_kernel_through_landmarks_places_points_as_small_as_numbers_are():
    fit = dr.nystrom_kernel_pca(np.random.default_rng(0).normal(size=(30, 2)), 2, gamma=0.5, n_landmarks=10)
    np.testing.assert_allclose(fit.transform([[1e-200, 0.0]]), fit.transform([[0.0, 0.0]]))


def test_nystrom_has_no_more_coordinates_than_the_centred_kernel_has_dimensions():
    X = np.random.default_rng(0).normal(size=(12, 20))
    assert dr.nystrom_kernel_pca(X, 11, gamma=0.1, n_landmarks=12).eigenvalues[-1] > 1e-6
    with pytest.raises(ValueError, match="n_components must be between 1 and 11, got 12"):
        dr.nystrom_kernel_pca(X, 12, gamma=0.1, n_landmarks=12)
    with pytest.raises(
        ValueError, match="some eigenvalue must be positive, got none: the points all coincide"
    ):
        dr.nystrom_kernel_pca(np.ones((20, 3)), 2, gamma=0.1, n_landmarks=5)


def test_what_has_no_positive_eigenvalue_is_told_its_own_cause():
    X = np.random.default_rng(0).normal(size=(20, 3))
    with pytest.raises(ValueError, match="gamma is so small that the kernel is 1 everywhere"):
        rbf_kernel_pca(X, 1, gamma=1e-40)
    with pytest.raises(ValueError, match="K holds no inner products"):
        dr.kernel_pca(-np.eye(5), 1)
    with pytest.raises(ValueError, match=r"got none: the points all coincide$"):
        dr.isomap(np.ones((9, 2)), 1, n_neighbors=3)


def test_a_vector_of_distances_is_told_how_to_become_a_table():
    with pytest.raises(
        ValueError, match=r"square table .* got shape \(3,\): scipy\.spatial\.distance\.squareform"
    ):
        dr.classical_mds([3.0, 4.0, 5.0], 1)
