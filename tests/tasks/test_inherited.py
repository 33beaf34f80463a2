"""A mistake in a step is named in every later task that contains the step, without being written twice."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from autograder.authoring.inherited import inherited
from autograder.judging.check import verdict_on
from solutions.isomap.neighbor_graph import neighbor_graph
from solutions.isomap.unrolled import after_the_graph, unrolled
from tests.tasks.drawing import draws_of, every_seed

isomap, lle = draws_of("isomap"), draws_of("lle")


def squares_between(X):
    return ((X[:, None] - X) ** 2).sum(axis=2)


def nearest_of_each(X, k, first=1):
    chosen = np.zeros((len(X), len(X)), dtype=bool)
    np.put_along_axis(chosen, np.argsort(squares_between(X), axis=1)[:, first : first + k], True, axis=1)
    return chosen


def scaled_paths(joined, X, n_components):
    """Isomap from any graph, as a student writes it."""
    lengths = np.where(joined, np.sqrt(squares_between(X)), 0.0)
    squared = shortest_path(lengths, directed=True) ** 2
    J = np.eye(len(X)) - 1 / len(X)
    values, V = np.linalg.eigh(-J @ squared @ J / 2)
    return V[:, ::-1][:, :n_components] * np.sqrt(np.maximum(values[::-1][:n_components], 0))


@every_seed
def test_isomap_on_a_mutual_graph_is_told_so(seed):
    def mutual(X, k, d):
        own = nearest_of_each(X, k)
        return scaled_paths(own & own.T, X, d)

    verdict = verdict_on("", isomap("unrolled", seed)[1], mutual)
    assert verdict.misconception == "asked_both"
    assert "`neighbor_graph`" in verdict.message


@every_seed
def test_isomap_with_the_point_as_neighbour_is_told_so(seed):
    def counted(X, k, d):
        own = nearest_of_each(X, k, first=0)
        return scaled_paths(own | own.T, X, d)

    verdict = verdict_on("", isomap("unrolled", seed)[1], counted)
    assert verdict.misconception == "counted_the_point_itself"


@every_seed
def test_weights_with_an_absolute_ridge_are_told_so_in_the_matrix(seed):
    def absolute(X, k, ridge):
        W = np.zeros((len(X), len(X)))
        for i, near in enumerate(np.argsort(squares_between(X), axis=1)[:, 1 : k + 1]):
            G = X[near] - X[i]
            w = np.linalg.solve(G @ G.T + ridge * np.eye(k), np.ones(k))
            W[i, near] = w / w.sum()
        return W

    verdict = verdict_on("", lle("weight_matrix", seed)[1], absolute)
    assert verdict.misconception == "took_an_absolute_ridge"


def test_inherited_mistake_keeps_hint_and_page():
    names = {mistake.name: mistake for mistake in unrolled.task.misconceptions}
    for earlier in neighbor_graph.task.misconceptions:
        if earlier.name not in ("marked_the_edges", "took_the_farthest"):
            assert names[earlier.name].hint.endswith(earlier.hint)
            assert names[earlier.name].see == earlier.see


def test_leaving_out_an_unknown_mistake_is_refused():
    with pytest.raises(ValueError, match="'asked_nobody'"):
        inherited(unrolled.task.follows[0], neighbor_graph.task, after_the_graph, {"asked_nobody"})


def test_two_mistakes_of_one_name_are_refused():
    task = neighbor_graph.task
    with pytest.raises(ValueError, match="'left_it_one_way' twice"):
        replace(task, misconceptions=(*task.misconceptions, task.misconceptions[0]))


def test_what_is_indefinite_in_the_step_is_indefinite_later():
    reasons = {
        mistake.name: mistake.indefinite for mistake in lle("weight_matrix", "seed 0")[0].misconceptions
    }
    X = np.random.default_rng(0).normal(size=(9, 2))
    assert reasons["left_the_ridge_out"](X, 4, 0.01) == "without a ridge many weights are best"
    assert reasons["left_the_ridge_out"](X, 2, 0.01) is None
