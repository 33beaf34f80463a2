"""The Isomap exercises: right answers pass in any honest form, classic mistakes are named, near misses fail."""

import functools

import numpy as np
import pytest
import sympy as sp
from scipy.sparse.csgraph import connected_components
from sklearn import manifold, neighbors

from autograder.judging.check import verdict_on
from dimred_ref.graph import knn_graph
from dimred_ref.isomap import isomap
from tests.tasks.drawing import draws_of, every_seed

drawn = draws_of("isomap")


@every_seed
def test_rigid_motions_of_the_embedding_are_free_but_no_scale(seed):
    task, key = drawn("unrolled", seed)
    turn = lambda d: np.linalg.qr(np.vander(np.arange(1.0, d + 1)))[0]  # noqa: E731
    assert verdict_on("", key, lambda X, k, d: task.answer(X, k, d) @ turn(d) + 3).passed
    assert not verdict_on("", key, lambda X, k, d: 1.1 * task.answer(X, k, d)).passed


@every_seed
def test_the_reference_package_unrolls_the_same(seed):
    _, key = drawn("unrolled", seed)
    assert verdict_on("", key, lambda X, k, d: isomap(X, d, n_neighbors=k).embedding).passed


@every_seed
def test_scikit_learn_unrolls_the_same(seed):
    _, key = drawn("unrolled", seed)
    fitted = lambda k, d: manifold.Isomap(n_neighbors=k, n_components=d, eigen_solver="dense")  # noqa: E731
    assert verdict_on("", key, lambda X, k, d: fitted(k, d).fit_transform(X)).passed


@every_seed
def test_the_graph_of_scikit_learn_passes_once_it_is_symmetric(seed):
    _, key = drawn("neighbor_graph", seed)
    one_way = lambda X, k: neighbors.kneighbors_graph(X, k, mode="distance").toarray()  # noqa: E731
    assert verdict_on("", key, lambda X, k: np.maximum(one_way(X, k), one_way(X, k).T)).passed
    assert verdict_on("", key, one_way).misconception == "left_it_one_way"


@every_seed
def test_a_training_point_is_put_back_where_it_was(seed):
    task, key = drawn("place_new", seed)
    for case in key.cases:
        Y, paths, _ = case.inputs.values()
        assert task.answer(Y, paths, paths) == pytest.approx(Y, abs=1e-6)


@every_seed
def test_the_components_of_the_reference_join_at_the_same_number(seed):
    _, key = drawn("joining_k", seed)

    def joined(X):
        graphs = ((k, knn_graph(X, k)) for k in range(1, len(X)))
        k, graph = next((k, graph) for k, graph in graphs if connected_components(graph)[0] == 1)
        return k, graph.max()

    assert verdict_on("", key, joined).passed


# Formulas, derived here by sympy, and shares of half-right answers: test_all_tasks tries them


@functools.cache
def formulas():
    """The right answer and a classic mistake of the task in symbols, as a student would write them."""
    a, b = sp.symbols("a b", positive=True)
    across = a + b
    squares = sp.Matrix(4, 4, lambda i, j: [0, a, across, b][(j - i) % 4 if i % 2 == 0 else (i - j) % 4] ** 2)
    J = sp.eye(4) - sp.ones(4, 4) / 4
    G = -J * squares * J / 2
    waves = [sp.Matrix(z) for z in ([1, 1, -1, -1], [1, -1, -1, 1], [1, -1, 1, -1])]
    assert all(sp.simplify(G * z - (z.dot(G * z) / 4) * z) == sp.zeros(4, 1) for z in waves)
    right = [sp.simplify(z.dot(G * z) / 4) for z in waves]
    return {"cycle_spectrum": (right, [b**2, a**2, sp.Integer(0)], "took_straight_diagonals")}


HALF_RIGHT = [  # task, mistake, the share that it still earns
    ("neighbor_graph", "left_it_one_way", 0),
    ("neighbor_graph", "counted_the_point_itself", 0),
    ("path_lengths", "took_zeros_for_edges", 0),
    ("path_lengths", "kept_the_edges", 2 / 3),
    ("unrolled", "took_straight_distances", 0),
    ("joining_k", "gave_the_largest_distance", 1 / 2),
    ("joining_k", "stopped_when_nobody_was_alone", 0),
    ("place_new", "forgot_the_half", 1 / 2),
    ("unrolled", "forgot_the_roots", 1 / 2),
    ("unrolled", "asked_both", 0),
]
