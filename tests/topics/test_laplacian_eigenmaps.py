"""Claims about graph Laplacians and the eigenmaps made of them."""

import numpy as np
import pytest
import scipy.linalg
import sympy
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.manifold import SpectralEmbedding

from dimred_ref.graph import knn_graph
from dimred_ref.laplacian_eigenmaps import (
    eigenmaps_as_printed,
    eigenmaps_of_graph,
    graph_laplacian,
    heat_kernel_weights,
    laplacian_eigenmaps,
)

seeds = st.integers(0, 10_000)

PATH_OF_3 = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
STAR_OF_4 = [[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]]
CYCLE_OF_4 = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]


def weights_of(matrix, scale=1.0):
    return csr_array(scale * np.array(matrix, float))


def random_weights(seed, size=30):
    """A connected graph of random weights with unequal degrees."""
    rng = np.random.default_rng(seed)
    W = rng.random((size, size)) * (rng.random((size, size)) < 0.2)
    W = np.triu(W, 1)
    W[np.arange(size - 1), np.arange(1, size)] = 0.1 + rng.random(size - 1)
    return csr_array(W + W.T)


def dense_solution(W, d):
    """The generalised eigenproblem as it is written, with scipy's dense solver."""
    D = np.diag(W.sum(axis=1))
    values, vectors = scipy.linalg.eigh(D - W.toarray(), D)
    return values[1 : d + 1], vectors[:, 1 : d + 1]


def projector(Y):
    basis = np.linalg.qr(Y)[0]
    return basis @ basis.T


def sheet(size, seed=0):
    chart = np.random.default_rng(seed).random((size, 2)) * [3, 1]
    return np.stack([np.sin(chart[:, 0]), np.cos(chart[:, 0]), chart[:, 1]], axis=1)


@pytest.mark.claim("thm-laplacian-eigenmaps-energy")
@given(seeds)
def test_the_laplacian_measures_differences_along_edges(seed):
    W = random_weights(seed)
    Y = np.random.default_rng(seed).standard_normal((30, 2))
    energy = (W.toarray() * cdist(Y, Y, "sqeuclidean")).sum()
    np.testing.assert_allclose(2 * np.trace(Y.T @ (graph_laplacian(W) @ Y)), energy)


@pytest.mark.parametrize("weight", [1.0, 2.5])
@pytest.mark.parametrize(
    ("graph", "plain", "generalised"),
    [
        (PATH_OF_3, [0, 1, 3], [1, 2]),
        (STAR_OF_4, [0, 1, 1, 4], [1, 1, 2]),
        (CYCLE_OF_4, [0, 2, 2, 4], [1, 1, 2]),
    ],
)
def test_spectra_of_small_graphs_worked_out_by_hand(graph, plain, generalised, weight):
    """Ledger 12.4: L scales with the weights, L y = λ D y does not."""
    W = weights_of(graph, weight)
    np.testing.assert_allclose(
        np.linalg.eigvalsh(graph_laplacian(W).toarray()), weight * np.array(plain), atol=1e-12
    )
    np.testing.assert_allclose(eigenmaps_of_graph(W, len(generalised)).eigenvalues, generalised, atol=1e-12)


@pytest.mark.claim("thm-laplacian-eigenmaps-solution")
@given(seeds)
def test_the_embedding_solves_the_generalised_problem(seed):
    W = random_weights(seed)
    model = eigenmaps_of_graph(W, 2)
    D = np.diag(W.sum(axis=1))
    np.testing.assert_allclose(model.embedding.T @ D @ model.embedding, np.eye(2), atol=1e-9)
    np.testing.assert_allclose(D.diagonal() @ model.embedding, 0, atol=1e-9)
    np.testing.assert_allclose(
        graph_laplacian(W) @ model.embedding, D @ model.embedding * model.eigenvalues, atol=1e-9
    )
    np.testing.assert_allclose(model.eigenvalues, dense_solution(W, 2)[0], atol=1e-9)


def test_large_graphs_give_the_answer_of_small_ones():
    W = heat_kernel_weights(sheet(500), n_neighbors=8, gamma=20.0)
    model = eigenmaps_of_graph(W, 4)
    values, vectors = dense_solution(W, 4)
    np.testing.assert_allclose(model.eigenvalues, values, rtol=1e-7)
    np.testing.assert_allclose(projector(model.embedding), projector(vectors), atol=1e-8)
    np.testing.assert_allclose(W.sum(axis=1) @ model.embedding, 0, atol=1e-11)


def test_every_copy_of_a_repeated_eigenvalue_is_found():
    """A cycle of 400: all eigenvalues 1 − cos(2πm/400) but two come in pairs."""
    ring = np.roll(np.eye(400), 1, axis=1)
    model = eigenmaps_of_graph(csr_array(ring + ring.T), 6)
    expected = 1 - np.cos(2 * np.pi * np.array([1, 1, 2, 2, 3, 3]) / 400)
    np.testing.assert_allclose(model.eigenvalues, expected, rtol=1e-7)
    np.testing.assert_allclose(model.embedding.T @ model.embedding * 2, np.eye(6), atol=1e-9)


@pytest.mark.parametrize("size", [150, 600])
def test_scikit_learn_agrees(size):
    W = heat_kernel_weights(sheet(size), n_neighbors=8, gamma=20.0)
    peer = SpectralEmbedding(2, affinity="precomputed", random_state=0, eigen_tol=1e-12).fit_transform(
        W.toarray()
    )
    ours = eigenmaps_of_graph(W, 2).embedding
    ours, peer = ours / np.linalg.norm(ours, axis=0), peer / np.linalg.norm(peer, axis=0)
    np.testing.assert_allclose(np.abs((ours * peer).sum(axis=0)), 1, atol=1e-8)


@given(seeds)
def test_weights_are_the_heat_kernel_on_edges_only(seed):
    X = np.random.default_rng(seed).standard_normal((20, 2))
    W = heat_kernel_weights(X, n_neighbors=4, gamma=0.7).toarray()
    joined = knn_graph(X, 4).toarray() > 0
    np.testing.assert_allclose(W, np.where(joined, np.exp(-0.7 * cdist(X, X) ** 2), 0), atol=1e-15)


def test_without_the_square_the_weights_are_others():
    """The notes print exp(−β ‖x − y‖), ledger S2.34."""
    X = sheet(40)
    W = heat_kernel_weights(X, n_neighbors=4, gamma=3.0).toarray()
    printed = np.where(W > 0, np.exp(-3.0 * cdist(X, X)), 0)
    assert np.abs(W - printed).max() > 0.1


def test_beta_zero_gives_every_edge_the_weight_one():
    W = heat_kernel_weights(sheet(40), n_neighbors=4, gamma=0)
    assert set(W.data) == {1.0}


@pytest.mark.claim("thm-laplacian-eigenmaps-printed")
def test_the_cost_printed_in_the_notes_is_another_method():
    """Ledger S2.36: the minimisers span another plane, unless all degrees agree."""
    W = random_weights(0)
    standard, printed = eigenmaps_of_graph(W, 2), eigenmaps_as_printed(W, 2)
    cosines = np.linalg.svd(np.linalg.qr(standard.embedding)[0].T @ np.linalg.qr(printed.embedding)[0])[1]
    assert cosines.min() < 0.99
    normalised = np.sqrt(W.sum(axis=1))[:, None] * standard.embedding  # nor is it the plane of L_sym
    cosines = np.linalg.svd(np.linalg.qr(normalised)[0].T @ np.linalg.qr(printed.embedding)[0])[1]
    assert cosines.min() < 0.99
    cycle = weights_of(np.roll(np.eye(9), 1, axis=1) + np.roll(np.eye(9), -1, axis=1))
    same = eigenmaps_of_graph(cycle, 2).embedding, eigenmaps_as_printed(cycle, 2).embedding
    np.testing.assert_allclose(projector(same[0]), projector(same[1]), atol=1e-9)


@given(seeds)
def test_the_printed_variant_minimises_the_printed_cost(seed):
    W = random_weights(seed)
    root = np.sqrt(W.sum(axis=1))
    rescaled = W.toarray() / np.outer(root, root)

    def cost(Y):
        return (rescaled * cdist(Y, Y, "sqeuclidean")).sum()

    model = eigenmaps_as_printed(W, 2)
    np.testing.assert_allclose(model.embedding.T @ model.embedding, np.eye(2), atol=1e-10)
    assert cost(model.embedding) == pytest.approx(2 * model.eigenvalues.sum())
    other = np.random.default_rng(seed).standard_normal((30, 2))
    other = np.linalg.qr(other - other.mean(axis=0))[0]
    assert cost(other) >= cost(model.embedding)


def test_the_printed_cost_equals_neither_standard_form_for_symbols():
    """Three vertices in a row, weights a and b: printed sum against standard ones (ledger 12.6)."""
    a, b = sympy.symbols("a b", positive=True)
    y = sympy.symbols("y:3", real=True)
    W = sympy.Matrix([[0, a, 0], [a, 0, b], [0, b, 0]])
    D = [sum(W[i, :]) for i in range(3)]
    pairs = [(i, j) for i in range(3) for j in range(3)]
    energy = sum(W[i, j] * (y[i] - y[j]) ** 2 for i, j in pairs)
    normalised = sum(W[i, j] * (y[i] / sympy.sqrt(D[i]) - y[j] / sympy.sqrt(D[j])) ** 2 for i, j in pairs)
    printed = sum(W[i, j] / sympy.sqrt(D[i] * D[j]) * (y[i] - y[j]) ** 2 for i, j in pairs)
    L = sympy.diag(*D) - W
    assert sympy.expand(energy - 2 * (sympy.Matrix([y]) * L * sympy.Matrix(y))[0]) == 0
    assert sympy.simplify(printed - energy) != 0
    assert sympy.simplify(printed - normalised) != 0


def test_two_pieces_are_refused():
    X = np.concatenate([sheet(40), 100 + sheet(30)])
    with pytest.raises(ValueError, match=r"got 2 components of sizes 40, 30"):
        laplacian_eigenmaps(X, 2, n_neighbors=5, gamma=1.0)


def test_copies_are_joined_with_weight_one():
    X = np.repeat(sheet(60), 2, axis=0)
    W = heat_kernel_weights(X, n_neighbors=6, gamma=1.0)
    assert W[0, 1] == 1.0
    assert np.isfinite(laplacian_eigenmaps(X, 2, n_neighbors=8, gamma=1.0).embedding).all()


def test_points_that_all_coincide_have_no_shape():
    with pytest.raises(ValueError, match="X must have neighbours that differ"):
        laplacian_eigenmaps(np.full((12, 3), np.pi), 2, n_neighbors=8, gamma=0.5)


def test_a_beta_that_extinguishes_edges_is_refused_with_its_bound():
    with pytest.raises(
        ValueError, match=r"gamma must be at most .* for these edges, got 1000000.0"
    ) as refusal:
        laplacian_eigenmaps(sheet(40), 2, n_neighbors=5, gamma=1e6)
    bound = float(str(refusal.value).split()[5])
    assert heat_kernel_weights(sheet(40), n_neighbors=5, gamma=bound).data.min() > 0
    with pytest.raises(ValueError, match="gamma must be at most"):
        heat_kernel_weights(sheet(40), n_neighbors=5, gamma=1.1 * bound)


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0, 1], [2, 0]], "weights must be symmetric"),
        ([[0, -1], [-1, 0]], "negative"),
        ([[0, 1, 1]] * 2, "square"),
    ],
)
def test_matrices_that_are_no_weights_are_refused(matrix, message):
    with pytest.raises(ValueError, match=message):
        graph_laplacian(weights_of(matrix))


def test_bounds_are_named():
    with pytest.raises(ValueError, match="n_neighbors must be between 1 and 39, got 40"):
        laplacian_eigenmaps(sheet(40), 2, n_neighbors=40, gamma=1.0)
    with pytest.raises(ValueError, match="n_components must be between 1 and 39, got 40"):
        laplacian_eigenmaps(sheet(40), 40, n_neighbors=5, gamma=1.0)
    with pytest.raises(ValueError, match="gamma must be non-negative"):
        laplacian_eigenmaps(sheet(40), 2, n_neighbors=5, gamma=-1.0)
