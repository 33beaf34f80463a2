"""Nested dissection: separators separate, are as small as can be, and no order changes an answer."""

from importlib import import_module
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csc_array, csr_array, eye_array
from scipy.sparse.linalg import splu

import dimred_ref as dr
from dimred_ref._eigen import bottom_eigenpairs
from dimred_ref._fast.dissection import dissection_order, separator, smallest_cover
from dimred_ref.lle import lle_matrix


@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 5), st.floats(0, 1))
def test_a_cover_meets_every_entry_and_none_is_smaller(seed, n_rows, n_columns, density):
    entries = np.random.default_rng(seed).random((n_rows, n_columns)) < density

    def is_cover(rows, columns):
        return not (entries & ~np.array(rows, bool)[:, None] & ~np.array(columns, bool)).any()

    rows, columns = smallest_cover(csr_array(entries.astype(float)))
    assert is_cover(rows, columns)
    choices = product([0, 1], repeat=n_rows + n_columns)
    least = min(sum(choice) for choice in choices if is_cover(choice[:n_rows], choice[n_rows:]))
    assert rows.sum() + columns.sum() == least


def test_without_its_separator_a_graph_falls_into_two_parts():
    X = np.random.default_rng(0).random((400, 4))
    graph, is_low = dr.knn_graph(X, 8), X[:, 2] < 0.5
    is_between = separator(graph, is_low)
    assert graph[is_low & ~is_between][:, ~is_low & ~is_between].nnz == 0
    assert 0 < is_between.sum() < 200


@pytest.mark.parametrize("size", [1, 100, 101, 700])
def test_an_order_names_every_vertex_once(size):
    X = np.random.default_rng(0).random((size, 6))
    graph = dr.knn_graph(X, 10) if size > 10 else csr_array((size, size))
    np.testing.assert_array_equal(np.sort(dissection_order(graph, X)), np.arange(size))


def test_copies_of_one_point_are_cut_in_halves_all_the_same():
    X = np.zeros((500, 3))
    assert len(dissection_order(dr.knn_graph(X, 5), X)) == 500


def test_factors_in_this_order_are_smaller_than_by_minimum_degree_in_six_dimensions():
    X = np.random.default_rng(0).random((3000, 6))
    graph = csc_array(dr.knn_graph(X, 10) + 20 * eye_array(3000))
    order = dissection_order(csr_array(graph), X)

    def n_entries(matrix, spec):
        factors = splu(matrix, permc_spec=spec, diag_pivot_thresh=0.0, options={"SymmetricMode": True})
        return factors.L.nnz + factors.U.nnz

    by_degree = n_entries(graph, "MMD_AT_PLUS_A")
    assert n_entries(csc_array(graph[order][:, order]), "NATURAL") < 0.85 * by_degree


@pytest.mark.parametrize("size", [250, 900])
def test_lle_finds_the_same_by_dissection_by_degree_and_densely(monkeypatch, size):
    X = np.random.default_rng(3).random((size, 6)) * np.arange(1, 7)
    fits = []
    for width in (0, 10**9):
        monkeypatch.setattr(import_module("dimred_ref.lle"), "WIDE", width)
        fits.append(dr.lle(X, 3, n_neighbors=12, regularisation=1e-2))
    lifted = lle_matrix(fits[0].weights).toarray() + 100 / size
    expected, _ = bottom_eigenpairs(lifted, 3)
    np.testing.assert_allclose(fits[0].eigenvalues, expected, rtol=1e-7)
    np.testing.assert_allclose(fits[0].eigenvalues, fits[1].eigenvalues, rtol=1e-9)
    np.testing.assert_allclose(fits[0].embedding, fits[1].embedding, atol=1e-8)
