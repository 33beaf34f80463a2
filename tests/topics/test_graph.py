"""Claims about neighbourhoods, graphs and shortest paths."""

import dataclasses
import heapq
import importlib
import inspect
import pkgutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array, csr_matrix, issparse
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits
from sklearn.neighbors import NearestNeighbors

import dimred_ref
from dimred_ref import graph as graph_module
from dimred_ref._fast import neighbors as fast_neighbors
from dimred_ref._fast import paths as fast_paths
from dimred_ref.graph import (
    dijkstra_paths,
    eliminated_paths,
    floyd_warshall,
    knn_graph,
    largest_component,
    nearest_neighbors,
    nearest_training_points,
    require_connected,
    shortest_paths,
)

seeds = st.integers(0, 10_000)


def graph_from_edges(size, edges):
    i, j, length = (np.array(column) for column in zip(*edges, strict=True))
    rows, columns = np.concatenate([i, j]), np.concatenate([j, i])
    return csr_array((np.concatenate([length, length]).astype(float), (rows, columns)), shape=(size, size))


def random_graph(rng, size, n_edges):
    pairs = {tuple(sorted(rng.choice(size, 2, replace=False).tolist())) for _ in range(n_edges)}
    return graph_from_edges(size, [(i, j, rng.integers(0, 9)) for i, j in sorted(pairs)])


def paths_by_heap(graph):
    """Dijkstra's algorithm as in the textbook, one source at a time."""
    size = graph.shape[0]
    lengths = np.full((size, size), np.inf)
    for source in range(size):
        queue = [(0.0, source)]
        while queue:
            length, v = heapq.heappop(queue)
            if lengths[source, v] <= length:
                continue
            lengths[source, v] = length
            for at in range(graph.indptr[v], graph.indptr[v + 1]):
                heapq.heappush(queue, (length + graph.data[at], int(graph.indices[at])))
    return lengths


@pytest.mark.parametrize("dimension", [2, 12, 13, 64])
@given(seed=seeds)
def test_neighbours_are_those_of_the_full_table(dimension, seed):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, dimension))
    distances = cdist(X, X)
    np.fill_diagonal(distances, np.inf)
    ours, indices = nearest_neighbors(X, 5)
    np.testing.assert_array_equal(indices, np.argsort(distances, axis=1)[:, :5])
    np.testing.assert_allclose(ours, np.sort(distances, axis=1)[:, :5], rtol=1e-12)


def test_scikit_learn_finds_the_same_neighbours_of_digits():
    X = load_digits().data + 1e-6 * np.random.default_rng(1).standard_normal((1797, 64))
    expected = NearestNeighbors(n_neighbors=10).fit(X).kneighbors()[1]
    np.testing.assert_array_equal(nearest_neighbors(X, 10)[1], expected)


@pytest.mark.parametrize("offset", [1e3, 1e8])
def test_far_from_the_origin_rounding_changes_no_neighbour(offset):
    """Two tight clusters far apart: products of coordinates cannot see the distances inside them."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.standard_normal((150, 20)), rng.standard_normal((150, 20)) + offset])
    distances = cdist(X, X)
    np.fill_diagonal(distances, np.inf)
    np.testing.assert_array_equal(nearest_neighbors(X, 7)[1], np.argsort(distances, axis=1)[:, :7])


@pytest.mark.parametrize("scale", [1e-60, 1e30, 1e60])
def test_the_scale_of_the_data_changes_no_neighbour(scale):
    """Single precision ends at 1e38: the rough search must not see the scale."""
    X = np.random.default_rng(0).standard_normal((300, 20))
    distances, indices = nearest_neighbors(scale * X, 7)
    expected, expected_indices = nearest_neighbors(X, 7)
    np.testing.assert_array_equal(indices, expected_indices)
    np.testing.assert_allclose(distances, scale * expected, rtol=1e-12)


@pytest.mark.parametrize("distance", [0.0, 1e3, 1e60])
def test_new_points_anywhere_find_their_nearest(distance):
    """From far away all training points look alike to products of coordinates."""
    rng = np.random.default_rng(0)
    X, new = rng.standard_normal((200, 20)), rng.standard_normal((130, 20)) + distance
    table = cdist(new, X)
    distances, indices = nearest_training_points(X, new, 5)
    np.testing.assert_array_equal(indices, np.argsort(table, axis=1, kind="stable")[:, :5])
    np.testing.assert_allclose(distances, np.sort(table, axis=1)[:, :5], rtol=1e-12)


@pytest.mark.parametrize("count", [1, 3, 149, 150])
@pytest.mark.parametrize("size", [150, 157])
def test_any_number_of_neighbours_can_be_asked_for(size, count):
    X = np.random.default_rng(0).standard_normal((size, 14))
    table = cdist(X, X)
    np.testing.assert_array_equal(
        nearest_training_points(X, X, count)[1], np.argsort(table, axis=1, kind="stable")[:, :count]
    )


def test_a_crowd_of_candidates_is_measured_in_one_table(monkeypatch):
    X = np.random.default_rng(0).standard_normal((300, 20))
    expected = nearest_neighbors(X, 6)
    monkeypatch.setattr(fast_neighbors, "CROWD", 0)
    distances, indices = nearest_neighbors(X, 6)
    np.testing.assert_array_equal(indices, expected[1])
    np.testing.assert_allclose(distances, expected[0], rtol=1e-12)


def test_differences_below_single_precision_are_seen():
    """A ring of points around each other at distances 1, 1 + 1e-9, 1 + 2e-9, …: order by the last digits."""
    directions = np.linalg.qr(np.random.default_rng(0).standard_normal((40, 40)))[0]
    order = np.random.default_rng(1).permutation(40)
    shell = directions * (1 + 1e-9 * order)[:, None]
    distances, indices = nearest_training_points(shell, np.zeros((1, 40)), 10)
    np.testing.assert_array_equal(indices[0], np.argsort(order)[:10])
    np.testing.assert_allclose(distances[0], 1 + 1e-9 * np.arange(10), rtol=1e-14)


@pytest.mark.parametrize("dimension", [2, 20])
@pytest.mark.parametrize("copies", [2, 4, 9])
def test_a_point_is_never_its_own_neighbour_but_its_copies_are(dimension, copies):
    X = np.repeat(np.random.default_rng(0).standard_normal((10, dimension)), copies, axis=0)
    distances, indices = nearest_neighbors(X, 4)
    assert not (indices == np.arange(len(X))[:, None]).any()
    np.testing.assert_allclose(distances[:, : min(4, copies - 1)], 0)
    assert (distances[:, copies - 1 :] > 0).all()


def test_a_training_point_is_nearest_to_itself():
    X = np.random.default_rng(0).standard_normal((30, 3))
    distances, indices = nearest_training_points(X, X[5:8], 3)
    np.testing.assert_array_equal(indices[:, 0], [5, 6, 7])
    np.testing.assert_array_equal(distances[:, 0], 0)
    with pytest.raises(ValueError, match="new must have 3 columns, got 2"):
        nearest_training_points(X, X[:, :2], 3)


@pytest.mark.parametrize("k", [0, 10, 11, 2.0, True])
def test_the_number_of_neighbours_must_leave_out_the_point_itself(k):
    with pytest.raises(ValueError, match="n_neighbors must be"):
        nearest_neighbors(np.random.default_rng(0).standard_normal((10, 2)), k)


def test_one_sample_has_no_neighbours():
    with pytest.raises(ValueError, match="X must have at least 2 rows, got 1"):
        knn_graph([[1.0, 2.0]], 1)


def test_being_a_neighbour_is_not_symmetric_but_the_graph_is():
    """On the line 0, 1, 3: the nearest of 3 is 1, the nearest of 1 is 0 (ledger S2.6)."""
    X = np.array([[0.0], [1.0], [3.0]])
    np.testing.assert_array_equal(nearest_neighbors(X, 1)[1].ravel(), [1, 0, 1])
    np.testing.assert_array_equal(knn_graph(X, 1).toarray(), [[0, 1, 0], [1, 0, 2], [0, 2, 0]])


@given(seeds)
def test_an_edge_joins_when_either_end_counts_the_other_among_its_nearest(seed):
    X = np.random.default_rng(seed).standard_normal((25, 2))
    indices = nearest_neighbors(X, 3)[1]
    chosen = np.zeros((25, 25), dtype=bool)
    chosen[np.arange(25)[:, None], indices] = True
    expected = np.where(chosen | chosen.T, cdist(X, X), 0)
    np.testing.assert_allclose(knn_graph(X, 3).toarray(), expected, rtol=1e-12)


def test_edges_of_length_zero_are_kept_and_join():
    X = np.repeat(np.arange(4.0)[:, None], 2, axis=0)
    graph = knn_graph(X, 2)
    assert (graph.data == 0).sum() == 8
    require_connected(graph)
    expected = np.abs(X - X.T)
    for paths in (shortest_paths, dijkstra_paths, floyd_warshall):
        np.testing.assert_allclose(paths(graph), expected)


def test_a_disconnected_graph_is_refused_with_its_components():
    rng = np.random.default_rng(0)
    sizes, places = (20, 12, 4), (0, 100, 500)
    X = np.concatenate(
        [place + rng.standard_normal((size, 2)) for size, place in zip(sizes, places, strict=True)]
    )
    graph = knn_graph(X, 3)
    with pytest.raises(ValueError, match=r"got 3 components of sizes 20, 12, 4"):
        require_connected(graph)
    np.testing.assert_array_equal(largest_component(graph), np.arange(20))


@pytest.mark.claim("thm-isomap-shortest-paths")
@given(seeds)
def test_four_ways_to_the_shortest_paths_agree(seed):
    rng = np.random.default_rng(seed)
    graph = random_graph(rng, 25, 40)  # zero lengths and missing paths occur
    expected = paths_by_heap(graph)
    for paths in (shortest_paths, dijkstra_paths, floyd_warshall):
        np.testing.assert_allclose(paths(graph), expected)


@given(seeds)
def test_each_vertex_knows_its_neighbours_at_removal(seed):
    """Against elimination as it is told: remove a vertex, join all its neighbours, one by one."""
    graph = random_graph(np.random.default_rng(seed), 25, 40)
    position = fast_paths._minimum_degree_positions(graph)
    assert sorted(position) == list(range(25))
    joined = np.zeros((25, 25), dtype=bool)
    edges = graph.tocoo()
    joined[position[edges.coords[0]], position[edges.coords[1]]] = True
    for v, neighbors in enumerate(fast_paths._neighbors_at_removal(graph, position)):
        expected = v + 1 + np.flatnonzero(joined[v, v + 1 :])
        np.testing.assert_array_equal(np.sort(neighbors), expected)
        joined[np.ix_(expected, expected)] = True


def test_surfaces_fill_in_little():
    """So that elimination pays: about 19 neighbours at removal on a sheet of 2000 points, 10 at the start."""
    graph = knn_graph(np.random.default_rng(0).random((2000, 2)), 10)
    neighbors = fast_paths._neighbors_at_removal(graph, fast_paths._minimum_degree_positions(graph))
    assert np.mean([len(joined) for joined in neighbors]) < 25


def test_graphs_that_fill_in_are_left_to_dijkstra(monkeypatch):
    X = np.random.default_rng(0).standard_normal((600, 10))
    graph = knn_graph(X, 10)
    calls = []
    monkeypatch.setattr(graph_module, "dijkstra_paths", lambda g: calls.append(1) or dijkstra_paths(g))
    np.testing.assert_allclose(shortest_paths(graph), dijkstra_paths(graph), rtol=1e-12)
    assert calls == [1]


def test_eliminated_paths_say_where_each_vertex_went():
    graph = knn_graph(np.random.default_rng(0).standard_normal((300, 2)), 6)
    distances, position = eliminated_paths(graph)
    assert not np.array_equal(position, np.arange(300))
    np.testing.assert_allclose(distances[np.ix_(position, position)], dijkstra_paths(graph), rtol=1e-12)


def test_the_order_in_which_edges_are_stored_does_not_matter():
    shuffled = csr_array(
        (np.array([2.0, 1.0, 1.0, 3.0, 3.0, 2.0]), np.array([2, 1, 0, 2, 1, 0]), np.array([0, 2, 4, 6])),
        shape=(3, 3),
    )
    assert not shuffled.has_sorted_indices
    np.testing.assert_array_equal(shortest_paths(shuffled), [[0, 1, 2], [1, 0, 3], [2, 3, 0]])


def test_path_lengths_worked_out_by_hand():
    """Integer lengths, unique shortest paths (ledger 11.1)."""
    graph = graph_from_edges(5, [(0, 1, 2), (1, 2, 3), (0, 2, 7), (2, 3, 1), (3, 4, 4), (1, 4, 20)])
    expected = [[0, 2, 5, 6, 10], [2, 0, 3, 4, 8], [5, 3, 0, 1, 5], [6, 4, 1, 0, 4], [10, 8, 5, 4, 0]]
    np.testing.assert_array_equal(shortest_paths(graph), expected)


def test_hops_along_a_semicircle_lie_between_chord_and_arc():
    """Ledger S2.3: chord 1.414, hops 1.561, arc 1.571 between the 3rd and the 7th of nine points."""
    angles = np.linspace(0, np.pi, 9)
    X = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    hops = shortest_paths(knn_graph(X, 2))[2, 6]
    assert hops == pytest.approx(8 * np.sin(np.pi / 16))
    assert np.linalg.norm(X[2] - X[6]) < hops < np.pi / 2


@given(seeds)
def test_graph_distances_are_a_metric_above_the_straight_line(seed):
    X = np.random.default_rng(seed).standard_normal((40, 2))
    graph = knn_graph(X, 8)
    paths = shortest_paths(graph)
    assert (paths >= cdist(X, X) - 1e-12).all()
    np.testing.assert_array_equal(paths, paths.T)
    through = (paths[:, :, None] + paths[None, :, :]).min(axis=1)
    np.testing.assert_allclose(through, paths)


def test_some_sources_give_their_rows():
    graph = knn_graph(np.random.default_rng(0).standard_normal((50, 2)), 5)
    np.testing.assert_array_equal(dijkstra_paths(graph, [3, 7]), dijkstra_paths(graph)[[3, 7]])


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ([3, 50], "sources must lie between 0 and 49, got 3 … 50"),
        ([-1], "sources must lie between 0 and 49, got -1 … -1"),
        ([1.5], "sources must be whole numbers"),
        (3, "sources must be whole numbers along 1 axes"),
    ],
)
def test_sources_that_are_no_vertices_are_refused(sources, message):
    graph = knn_graph(np.random.default_rng(0).standard_normal((50, 2)), 5)
    with pytest.raises(ValueError, match=message):
        dijkstra_paths(graph, sources)


# Steps that several methods share: they get a graph that the method has read.
STEPS = {"bottom_beside", "bottom_of_weights", "require_connected_weights"}


def taking_graphs():
    """Every public function of the reference that takes a sparse matrix, and the name of that argument."""
    modules = [
        importlib.import_module(f"dimred_ref.{module.name}")
        for module in pkgutil.iter_modules(dimred_ref.__path__)
    ]
    functions = [
        function
        for module in modules
        for name, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__ and "._" not in f"{module.__name__}.{name}"
        if name not in STEPS
    ]
    return [
        pytest.param(function, argument, id=function.__name__)
        for function in functions
        for argument, parameter in inspect.signature(function).parameters.items()
        if parameter.annotation is csr_array
    ]


every_function_of_a_graph = pytest.mark.parametrize(("function", "argument"), taking_graphs())
OTHERS = {"n_components": 1, "landmarks": [0], "values": [[1.0]]}


def called(function, argument, graph):
    asked = inspect.signature(function).parameters
    return function(**{argument: graph}, **{name: OTHERS[name] for name in OTHERS if name in asked})


def test_functions_of_graphs_are_found():
    names = {parameter.id for parameter in taking_graphs()}
    assert {"shortest_paths", "require_connected", "graph_laplacian", "lle_matrix", "reconstructed"} <= names


@every_function_of_a_graph
@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (None, "a square matrix of real numbers, sparse or dense, got NoneType"),
        ("a", "a square matrix of real numbers, sparse or dense, got str"),
        ({}, "a square matrix of real numbers, sparse or dense, got dict"),
        ([[1, 2], [3]], "a square matrix of real numbers, sparse or dense, got list"),
        ([[1j]], "a square matrix of real numbers, sparse or dense, got list"),
        ([], r"a matrix \(2 axes\), got shape \(0,\)"),
        (3.0, r"a matrix \(2 axes\), got shape \(\)"),
        ((2, 2), r"a matrix \(2 axes\), got shape \(2,\)"),
        ([[0.0, 1.0]], r"square, got shape \(1, 2\)"),
        ([[0.0, np.inf], [np.inf, 0.0]], "finite, got 2 NaN or infinite entries"),
        (csr_array([[0.0, np.nan], [np.nan, 0.0]]), "finite, got 2 NaN or infinite entries"),
        (csr_array([[0.0, 1.0]]), r"square with at least 1 row, got shape \(1, 2\)"),
        (csr_array((0, 0)), r"square with at least 1 row, got shape \(0, 0\)"),
        (coo_array([1.0, 2.0]), r"square with at least 1 row, got shape \(2,\)"),
    ],
)
def test_what_is_no_graph_is_refused_by_the_name_of_the_argument(function, argument, graph, message):
    with pytest.raises(ValueError, match=f"^{argument} must be {message}"):
        called(function, argument, graph)


@every_function_of_a_graph
def test_complex_graphs_are_refused_and_not_cast(function, argument):
    with pytest.raises(ValueError, match=f"{argument} must hold real numbers, got dtype complex128"):
        called(function, argument, csr_array([[0.0, 1j], [1j, 0.0]]))


@every_function_of_a_graph
@pytest.mark.parametrize("form", [np.array, list, coo_array, csr_matrix])
def test_a_graph_may_be_given_in_any_form(function, argument, form):
    dense = np.array([[0, 2, 0.5], [2, 0, 3], [0.5, 3, 0]])
    wanted, given = (called(function, argument, graph) for graph in (csr_array(dense), form(dense)))
    for one, other in zip(parts_of(wanted), parts_of(given), strict=True):
        np.testing.assert_array_equal(one, other)


def parts_of(result):
    """The arrays of a result: of a dataclass, a tuple, a sparse matrix, or nothing."""
    if dataclasses.is_dataclass(result):
        return [part for value in vars(result).values() for part in parts_of(value)]
    if isinstance(result, tuple):
        return [part for value in result for part in parts_of(value)]
    return [result.toarray() if issparse(result) else result]


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0, 1], [2, 0]], "symmetric"),
        ([[0, -1], [-1, 0]], "negative"),
        ([[0, np.nan], [np.nan, 0]], "finite"),
        ([[0, 1, 1], [1, 0, 1]], "square"),
    ],
)
def test_matrices_that_are_no_graphs_are_refused(matrix, message):
    with pytest.raises(ValueError, match=message):
        shortest_paths(csr_array(np.array(matrix, float)))
