"""Bottom eigenpairs by a polynomial: those of a dense eigenproblem, on graphs with and without small separators."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import dimred_ref as dr
from dimred_ref._eigen import bottom_eigenpairs
from dimred_ref._fast import filtered
from dimred_ref._fast.filtered import is_wide, smallest_eigenpairs
from dimred_ref.datasets import swiss_roll
from dimred_ref.laplacian_eigenmaps import graph_laplacian, heat_kernel_weights


@pytest.mark.parametrize("dimension", [1, 2, 6])
@pytest.mark.parametrize("n_pairs", [1, 3, 12])
def test_the_polynomial_finds_the_bottom_of_a_laplacian(dimension, n_pairs):
    X = np.random.default_rng(0).random((300, dimension))
    L = graph_laplacian(heat_kernel_weights(X, n_neighbors=12, gamma=0.5))
    constant = np.full(300, 300**-0.5)
    values, vectors = smallest_eigenpairs(lambda v: L @ v, float(abs(L).sum(axis=1).max()), constant, n_pairs)
    expected, _ = bottom_eigenpairs(L.toarray(), n_pairs + 1)
    np.testing.assert_allclose(values, expected[1:], rtol=1e-9, atol=1e-13)
    np.testing.assert_allclose(L @ vectors, vectors * values, atol=1e-8)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(n_pairs), atol=1e-10)
    np.testing.assert_allclose(constant @ vectors, 0, atol=1e-10)


def test_every_copy_of_an_eigenvalue_is_found():
    """A ring: all eigenvalues but the outer ones are double."""
    ring = csr_array(np.roll(np.eye(301), 1, axis=1) + np.roll(np.eye(301), -1, axis=1))
    L = graph_laplacian(ring)
    values, _ = smallest_eigenpairs(lambda v: L @ v, 4.0, np.full(301, 301**-0.5), 4)
    exact = 2 - 2 * np.cos(2 * np.pi * np.array([1, 1, 2, 2]) / 301)
    np.testing.assert_allclose(values, exact, rtol=1e-9)


def test_graphs_of_surfaces_are_narrow_and_those_of_many_dimensions_are_wide():
    assert not is_wide(dr.knn_graph(swiss_roll(3000).X, 10))
    assert is_wide(dr.knn_graph(np.random.default_rng(0).random((3000, 6)), 10))


@pytest.mark.parametrize("dimension", [2, 6])
def test_both_roads_of_laplacian_eigenmaps_agree(monkeypatch, dimension):
    X = np.random.default_rng(1).random((900, dimension)) * np.arange(1, dimension + 1)
    fits = []
    for width in (0, 10**9):
        monkeypatch.setattr(filtered, "WIDE", width)
        fits.append(dr.laplacian_eigenmaps(X, 3, n_neighbors=10, gamma=0.1))
    np.testing.assert_allclose(fits[0].eigenvalues, fits[1].eigenvalues, rtol=1e-5)
    np.testing.assert_allclose(
        fits[0].embedding, fits[1].embedding, atol=1e-7 * np.abs(fits[1].embedding).max()
    )
