"""A law is told of a stable function only, and a law on units only where limits can be the cause."""

import numpy as np
import pytest
from scipy.sparse.csgraph import shortest_path

from autograder.course.course import Course
from autograder.judging.check import verdict_on
from autograder.judging.key import read_key
from autograder.judging.law_tests import LOST_DIGITS
from tests.conftest import ROOT

EXERCISES = Course(ROOT).exercises


@pytest.fixture(scope="module")
def said():
    """Return what a published task says of a function."""

    def message(task, function):
        topic, name = task.split(".")
        key = read_key(EXERCISES / topic / f"{topic}.key.json").tasks[name]
        with np.errstate(all="ignore"):
            verdict = verdict_on(task, key, function)
        assert not verdict.passed
        return verdict.message

    return message


def test_answer_that_rounding_decides_breaks_no_law(said):
    def normal_equations(X, y):
        try:
            return np.linalg.solve(X.T @ X, X.T @ y)
        except np.linalg.LinAlgError:
            return np.zeros(X.shape[1])

    message = said("least_squares.careful_fit", normal_equations)
    assert LOST_DIGITS.removeprefix("{it} ") in message
    assert "Test:" not in message


def test_limit_is_no_reason_where_an_answer_is_wrong_in_every_unit(said):
    def own_neighbour(X, n_neighbors, n_components):
        D = np.linalg.norm(X[:, None] - X[None], axis=2)
        near = np.argsort(np.argsort(D, axis=1), axis=1) < n_neighbors
        paths = shortest_path(D * (near | near.T))  # a dense table: scipy takes 1e-8 for no edge
        paths[np.isinf(paths)] = 2 * paths[np.isfinite(paths)].max()
        J = np.eye(len(X)) - 1 / len(X)
        values, vectors = np.linalg.eigh(-J @ paths**2 @ J / 2)
        return vectors[:, ::-1][:, :n_components] * np.sqrt(values[::-1][:n_components])

    assert "a million times" not in said("isomap.unrolled", own_neighbour)


def test_limit_is_told_where_an_answer_is_right_elsewhere(said):
    def absolute(X):
        return int((np.linalg.eigvalsh(np.atleast_2d(np.cov(X.T, bias=True))) > 1e-10).sum())

    message = said("covariance.varying_dimensions", absolute)
    assert "Test: if X is a million times as large, your answer should stay as it is" in message


def test_stable_answer_is_told_the_law_that_it_breaks(said):
    def lower_triangle(A, v):
        return float(v @ (np.tril(A) + np.tril(A, -1).T) @ v / (v @ v))

    message = said("toolkit.rayleigh_quotient", lower_triangle)
    assert "Test: if A is transposed, your answer should stay as it is; it does not." in message
