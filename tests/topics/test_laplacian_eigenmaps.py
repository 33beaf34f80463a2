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
from dimred_ref.lle import lle_matrix, lle_weights

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


def laplacian_of(matrix):
    """D − W for a dense matrix of weights."""
    matrix = np.asarray(matrix, float)
    return np.diag(matrix.sum(axis=1)) - matrix


def ring_of(size):
    return np.roll(np.eye(size), 1, axis=1) + np.roll(np.eye(size), -1, axis=1)


def row_of(size):
    return np.eye(size, k=1) + np.eye(size, k=-1)


def product_of(first, second):
    return np.kron(first, np.eye(len(second))) + np.kron(np.eye(len(first)), second)


@pytest.mark.claim("thm-laplacian-eigenmaps-components")
@given(seeds, st.integers(1, 4))
def test_zero_eigenvalues_count_the_pieces_and_are_constant_on_them(seed, count):
    sizes = np.random.default_rng(seed).integers(1, 9, count)
    W = scipy.linalg.block_diag(
        *(random_weights(seed, n).toarray() if n > 1 else np.zeros((1, 1)) for n in sizes)
    )
    order = np.random.default_rng(seed + 1).permutation(len(W))
    values, vectors = np.linalg.eigh(laplacian_of(W[np.ix_(order, order)]))
    assert np.count_nonzero(np.abs(values) < 1e-9) == count
    piece = np.repeat(np.arange(count), sizes)[order]
    for part in range(count):
        assert np.ptp(vectors[piece == part, :count], axis=0).max() < 1e-6


@pytest.mark.claim("thm-laplacian-eigenmaps-mass")
@given(seeds)
def test_only_degrees_as_masses_treat_single_vertices_alike(seed):
    W = random_weights(seed, 20).toarray()
    degrees, L = W.sum(axis=1), laplacian_of(W)
    assert np.linalg.eigvalsh(L)[1] <= 20 / 19 * degrees.min() * (1 + 1e-9)
    quotients = L.diagonal() / degrees
    np.testing.assert_allclose(quotients, 1)
    other = degrees.copy()
    other[0] *= 1.01
    assert np.ptp(L.diagonal() / other) > 0.009
    for i in range(20):
        pulled = np.eye(20)[i] - degrees[i] / degrees.sum()
        assert abs(degrees @ pulled) < 1e-9
        assert pulled @ L @ pulled / (degrees @ pulled**2) >= 1


@pytest.mark.claim("thm-laplacian-eigenmaps-mass")
def test_one_loose_vertex_takes_the_plain_map_and_not_ours():
    W = np.zeros((121, 121))
    W[:120, :120] = heat_kernel_weights(sheet(120), n_neighbors=8, gamma=0).toarray()
    W[0, 120] = W[120, 0] = 1e-3
    plain = np.linalg.eigh(laplacian_of(W))[1][:, 1]
    assert plain[120] ** 2 > 0.98
    ours = eigenmaps_of_graph(csr_array(W), 2).embedding
    assert np.linalg.norm(ours[120] - ours[0]) < 0.1 * np.linalg.norm(ours[0])


@pytest.mark.claim("thm-laplacian-eigenmaps-solution")
@given(seeds)
def test_no_direction_below_the_map_is_left_and_none_above_two(seed):
    W = random_weights(seed)
    model, degrees = eigenmaps_of_graph(W, 2), W.sum(axis=1)
    frame = np.sqrt(degrees)[:, None] * np.column_stack([np.ones(30), model.embedding])
    rest = np.linalg.svd(frame)[0][:, 3:]
    normalised = laplacian_of(W.toarray()) / np.sqrt(np.outer(degrees, degrees))
    values = np.linalg.eigvalsh(rest.T @ normalised @ rest)
    assert values[0] >= model.eigenvalues[-1] - 1e-10
    assert values[-1] <= 2 + 1e-10


@pytest.mark.claim("thm-laplacian-eigenmaps-walk")
@given(seeds)
def test_coordinates_are_slow_modes_of_the_random_walk(seed):
    W = random_weights(seed).toarray()
    W[0, 2:] = W[2:, 0] = 0  # vertex 0 is left with one neighbour
    degrees = W.sum(axis=1)
    P = W / degrees[:, None]
    model = eigenmaps_of_graph(csr_array(W), 3)
    np.testing.assert_allclose(P @ model.embedding, (1 - model.eigenvalues) * model.embedding, atol=1e-9)
    stationary = degrees / degrees.sum()
    np.testing.assert_allclose(stationary @ P, stationary, atol=1e-12)
    np.testing.assert_allclose(stationary @ model.embedding, 0, atol=1e-9)
    np.testing.assert_allclose((1 - model.eigenvalues) * model.embedding[0], model.embedding[1], atol=1e-9)


@pytest.mark.claim("thm-laplacian-eigenmaps-printed")
@given(seeds)
def test_the_printed_laplacian_is_the_normalised_one_exactly_for_equal_degrees(seed):
    def both(W):
        root = np.sqrt(W.sum(axis=1))
        rescaled = W / np.outer(root, root)
        return laplacian_of(rescaled), np.eye(len(W)) - rescaled

    two_rings = scipy.linalg.block_diag(ring_of(5), 3 * ring_of(4))  # equal within each piece
    np.testing.assert_allclose(*both(two_rings), atol=1e-12)
    printed, normalised = both(random_weights(seed).toarray())
    assert np.abs(printed - normalised).max() > 1e-3
    star = np.array(STAR_OF_4, float)  # all edges join the same two degrees
    np.testing.assert_allclose(both(star)[0], laplacian_of(star) / np.sqrt(3), atol=1e-12)


@pytest.mark.claim("thm-laplacian-eigenmaps-cycle")
@pytest.mark.parametrize("size", [3, 4, 5, 6, 17])
def test_a_cycle_has_the_spectrum_of_its_turns_and_becomes_a_polygon(size):
    angles = 2 * np.pi * np.arange(size) / size
    L = laplacian_of(ring_of(size))
    np.testing.assert_allclose(np.linalg.eigvalsh(L), np.sort(2 - 2 * np.cos(angles)), atol=1e-12)
    for m in range(size // 2 + 1):
        for wave in (np.cos(m * angles), np.sin(m * angles)):
            np.testing.assert_allclose(L @ wave, (2 - 2 * np.cos(2 * np.pi * m / size)) * wave, atol=1e-12)
    polygon = np.column_stack([np.cos(angles), np.sin(angles)])
    model = eigenmaps_of_graph(csr_array(ring_of(size)), 2)
    np.testing.assert_allclose(projector(model.embedding), projector(polygon), atol=1e-9)


@pytest.mark.claim("thm-laplacian-eigenmaps-path")
@pytest.mark.parametrize("size", [2, 3, 4, 11, 40])
def test_a_path_has_cosines_in_both_problems(size):
    L, modes = laplacian_of(row_of(size)), np.arange(size)
    D = np.diag(row_of(size).sum(axis=1))
    plain = np.cos(np.pi * np.outer(np.arange(size) + 0.5, modes) / size)
    np.testing.assert_allclose(L @ plain, plain * (2 - 2 * np.cos(np.pi * modes / size)), atol=1e-12)
    paired = np.cos(np.pi * np.outer(np.arange(size), modes) / (size - 1))
    values = 1 - np.cos(np.pi * modes / (size - 1))
    np.testing.assert_allclose(L @ paired, D @ paired * values, atol=1e-12)
    np.testing.assert_allclose(
        eigenmaps_of_graph(csr_array(row_of(size)), size - 1).eigenvalues, values[1:], atol=1e-9
    )


@pytest.mark.claim("thm-laplacian-eigenmaps-product")
@given(seeds)
def test_products_of_graphs_have_products_of_eigenvectors(seed):
    G, H = random_weights(seed, 6).toarray(), random_weights(seed + 1, 5).toarray()
    (lam, U), (kappa, V) = (np.linalg.eigh(laplacian_of(A)) for A in (G, H))
    L, products = laplacian_of(product_of(G, H)), np.kron(U, V)
    np.testing.assert_allclose(L @ products, products * np.add.outer(lam, kappa).ravel(), atol=1e-10)
    np.testing.assert_allclose(products.T @ products, np.eye(30), atol=1e-10)


@pytest.mark.claim("thm-laplacian-eigenmaps-strip")
@pytest.mark.parametrize(("p", "q"), [(5, 4), (7, 4), (9, 4), (11, 5), (13, 4), (25, 4), (7, 2)])
def test_a_strip_wastes_the_coordinates_that_the_theorem_counts(p, q):
    """Coordinates before the first that differs within a cross-section; no p here is a multiple of q."""
    values, vectors = np.linalg.eigh(laplacian_of(product_of(row_of(p), row_of(q))))
    maps = vectors[:, 1:].reshape(p, q, -1)
    wasted = int(np.argmax(maps.std(axis=1).max(axis=0) > 1e-7))
    assert wasted == int(np.ceil(p / q)) - 1
    assert np.diff(values[: wasted + 3]).min() > 1e-6
    waves = np.cos(np.pi * (np.arange(p) + 0.5) / p)
    assert abs(np.corrcoef(maps[:, 0, 0], waves)[0, 1]) == pytest.approx(1)
    second = 2 * waves**2 - 1 if p > 2 * q else None
    if second is not None:
        assert abs(np.corrcoef(maps[:, 0, 1], second)[0, 1]) == pytest.approx(1)
        assert np.ptp(maps[:, :, 1], axis=1).max() < 1e-7
    else:
        across = np.cos(np.pi * (np.arange(q) + 0.5) / q)
        assert abs(np.corrcoef(maps[0, :, 1], across)[0, 1]) == pytest.approx(1)


@pytest.mark.claim("thm-laplacian-eigenmaps-operator")
@pytest.mark.parametrize("h", [0.3, 0.1, 0.03])
def test_the_laplacian_of_a_grid_is_near_the_laplace_operator(h):
    s, t = np.meshgrid(np.arange(0, 2, h), np.arange(0, 1.5, h), indexing="ij")
    f = np.sin(2 * s) * np.exp(t)  # Δf = −3 f, fourth derivatives at most 16 e^1.5
    L = laplacian_of(product_of(row_of(len(s)), row_of(s.shape[1])))
    applied = (L @ f.ravel()).reshape(f.shape)[1:-1, 1:-1] / h**2
    error = np.abs(applied - 3 * f[1:-1, 1:-1]).max()
    assert error <= h**2 / 6 * 16 * np.exp(1.5)
    assert error >= h**2 / 12 * 0.5  # and not much nearer: the bound is of the right order


@pytest.mark.claim("thm-laplacian-eigenmaps-heat")
@pytest.mark.parametrize("t", [1.0, 0.1, 0.001])
def test_a_gaussian_average_measures_the_second_derivative(t):
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    x = np.linspace(-3, 3, 61)
    shifted = x[:, None] + np.sqrt(2 * t) * nodes
    np.testing.assert_allclose(np.cos(1.3 * shifted) @ weights, np.exp(-(1.3**2) * t) * np.cos(1.3 * x))
    f, second = np.exp(-(x**2)), (4 * x**2 - 2) * np.exp(-(x**2))
    cooled = np.exp(-(x**2) / (1 + 4 * t)) / np.sqrt(1 + 4 * t)  # the exact average
    assert np.abs((f - cooled) / t + second).max() <= t / 2 * 12


@pytest.mark.claim("thm-laplacian-eigenmaps-lle")
@pytest.mark.parametrize("size", [3, 5, 24])
def test_on_a_polygon_lle_has_the_squares_of_our_eigenvalues(size):
    angles = 2 * np.pi * np.arange(size) / size
    X = np.column_stack([np.cos(angles), np.sin(angles)])
    W = lle_weights(X, np.array([[(i - 1) % size, (i + 1) % size] for i in range(size)]))
    L = laplacian_of(ring_of(size))
    np.testing.assert_allclose(lle_matrix(W).toarray(), L @ L / 4, atol=1e-9)
    ours = eigenmaps_of_graph(csr_array(ring_of(size)), 2).eigenvalues
    np.testing.assert_allclose(np.linalg.eigvalsh(lle_matrix(W).toarray())[1:3], ours**2, atol=1e-9)


@pytest.mark.claim("thm-laplacian-eigenmaps-extension")
@given(seeds)
def test_the_extension_reproduces_the_map_and_shrinks_without_its_factor(seed):
    W = random_weights(seed)
    model = eigenmaps_of_graph(W, 2)
    means = (W @ model.embedding) / W.sum(axis=1)[:, None]
    np.testing.assert_allclose(means, (1 - model.eigenvalues) * model.embedding, atol=1e-9)
    if model.eigenvalues[-1] < 0.99:
        np.testing.assert_allclose(means / (1 - model.eigenvalues), model.embedding, atol=1e-7)
    fresh = np.random.default_rng(seed).random(30)  # the weights of any new point
    placed = fresh @ model.embedding / fresh.sum()
    assert (np.abs(placed) <= np.abs(model.embedding).max(axis=0)).all()
    for step in (1e-3, -1e-3):
        pulled = [fresh @ (y - model.embedding) ** 2 for y in (placed, placed + step)]
        assert (pulled[1] > pulled[0]).all()
