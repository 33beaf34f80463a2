"""Neighbour search: a tree and products give what sorting all distances gives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from dimred_ref._fast import neighbors
from dimred_ref._fast.neighbors import by_products, by_tree, local_dimension, nearest
from dimred_ref.datasets import swiss_roll
from dimred_ref.graph import knn_graph, nearest_neighbors


def by_sorting(X, queries, count):
    """The clear version: every distance, in order; ties by index."""
    table = cdist(queries, X)
    indices = np.argsort(table, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(table, indices, axis=1), indices


@pytest.mark.parametrize("search", [by_tree, by_products, nearest])
@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(1, 8), st.sampled_from([1, 3, 0]))
def test_a_search_gives_what_sorting_gives(search, seed, size, n_columns, steps):
    """steps > 0: whole coordinates, so that ties and copies are many."""
    rng = np.random.default_rng(seed)
    X, queries = rng.normal(size=(size, n_columns)), rng.normal(size=(5, n_columns))
    if steps:
        X, queries = np.round(steps * X), np.round(steps * queries)
    count = int(rng.integers(1, size + 1))
    distances, indices = search(X, queries, count)
    expected, order = by_sorting(X, queries, count)
    np.testing.assert_allclose(distances, expected, rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(indices, order)


def embedded(points, n_columns):
    basis = np.linalg.qr(np.random.default_rng(1).normal(size=(n_columns, points.shape[1])))[0]
    return points @ basis.T


@pytest.mark.parametrize(("dimension", "n_columns"), [(2, 12), (2, 40), (6, 12), (6, 40)])
def test_the_dimension_that_a_probe_sees_is_that_of_the_data_and_not_of_the_space(dimension, n_columns):
    points = np.random.default_rng(0).normal(size=(3000, dimension))
    assert local_dimension(embedded(points, n_columns), 10) == pytest.approx(dimension, rel=0.15)


@pytest.mark.parametrize(
    ("X", "expected"),
    [
        (swiss_roll(2000).X, "tree"),
        (embedded(swiss_roll(2000).X, 12), "tree"),
        (np.random.default_rng(0).normal(size=(2000, 12)), "products"),
        (embedded(np.random.default_rng(0).normal(size=(2000, 6)), 30), "products"),
    ],
    ids=["roll", "roll in 12 columns", "noise in 12 columns", "6-D in 30 columns"],
)
def test_a_probe_chooses_by_the_data(monkeypatch, X, expected):
    asked = []
    for name in ("tree", "products"):
        original = getattr(neighbors, f"by_{name}")
        monkeypatch.setattr(
            neighbors, f"by_{name}", lambda *a, name=name, f=original: asked.append(name) or f(*a)
        )
    nearest(X, X, 5)
    assert asked[-1] == expected


def test_copies_alone_have_no_dimension():
    assert local_dimension(np.ones((50, 8)), 10) == 0.0
    assert local_dimension(np.repeat(np.eye(8), 30, axis=0), 10) == 0.0


@pytest.mark.parametrize("seed", range(20))
def test_a_graph_is_symmetric_to_the_last_bit_where_some_distances_are_tied_and_others_are_not(seed):
    """Tied rows are measured by products, the others by a tree: both ends of an edge must agree all the same."""
    X = np.round(np.random.default_rng(seed).normal(size=(150, 4)), 1)
    graph = knn_graph(X, 20)
    assert (graph != graph.T).nnz == 0
    assert graph.has_sorted_indices
    _, indices = nearest_neighbors(X, 20)
    joined = np.zeros((150, 150), dtype=bool)
    np.put_along_axis(joined, indices, True, axis=1)
    rows = np.repeat(np.arange(150), np.diff(graph.indptr))
    np.testing.assert_array_equal(np.argwhere(joined | joined.T), np.column_stack([rows, graph.indices]))
