"""Sums over blocks: exact for any blocks, in one pass, in bounded memory; the same on Dask arrays."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dimred_ref as dr
from dimred_ref.out_of_core import moments_of_blocks


def read_once(X, edges):
    """A generator: whoever asks for a second pass gets nothing. Some blocks may be empty."""
    yield from np.split(X, edges)


@given(st.integers(0, 10**6), st.lists(st.integers(0, 60), max_size=6), st.sampled_from([0.0, 1e3, 1e8]))
def test_any_blocks_give_the_answer_of_the_whole(seed, edges, mean):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 5)) * [5, 4, 3, 2, 1] + mean
    fit, expected = dr.pca_of_blocks(read_once(X, sorted(edges)), 3, ddof=1), dr.pca(X, 3, ddof=1)
    tolerance = 1e-12 + 1e-16 * mean
    np.testing.assert_allclose(fit.variances, expected.variances, rtol=1e4 * tolerance)
    np.testing.assert_allclose(fit.mean, expected.mean, rtol=1e-14, atol=1e-13)
    assert fit.total_variance == pytest.approx(expected.total_variance, rel=1e4 * tolerance)
    np.testing.assert_allclose(fit.axes @ fit.axes.T, expected.axes @ expected.axes.T, atol=1e5 * tolerance)
    C = dr.covariance_of_blocks(read_once(X, sorted(edges)), ddof=1)
    np.testing.assert_allclose(C, dr.covariance(X, ddof=1), atol=1e5 * tolerance)
    assert fit.count == 60


def test_scores_are_a_second_pass():
    X = np.random.default_rng(0).normal(size=(100, 4))
    fit = dr.pca_of_blocks(X, 2)
    np.testing.assert_allclose(
        np.concatenate([*fit.embedding_of(read_once(X, [30, 60]))]), dr.pca(X, 2).embedding
    )
    assert fit.explained_variance_ratio.sum() < 1


def test_a_memory_map_is_read_in_bounded_memory(tmp_path):
    X = np.lib.format.open_memmap(tmp_path / "X.npy", mode="w+", dtype=np.float32, shape=(200_000, 40))
    for start in range(0, len(X), 20_000):
        X[start : start + 20_000] = np.random.default_rng(start).normal(size=(20_000, 40)) + 5
    tracemalloc.start()
    fit = dr.pca_of_blocks(np.load(tmp_path / "X.npy", mmap_mode="r"), 3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes / 4
    np.testing.assert_allclose(fit.variances, dr.pca(X, 3).variances, rtol=1e-10)


@pytest.mark.parametrize(
    ("blocks", "message"),
    [
        ([], "blocks must hold samples, got no block"),
        ([np.ones((0, 2))], "blocks must hold samples, got none"),
        ([np.ones((3, 2)), np.ones((3, 4))], "must have 2 columns, got one with 4"),
        ([np.ones(3)], "block must be a matrix"),
        ([[[1.0, np.nan]]], "finite"),
        ([np.ones((1, 2))], "blocks must hold at least 2 samples, got 1"),
    ],
)
def test_blocks_that_are_none_are_refused(blocks, message):
    with pytest.raises(ValueError, match=message):
        dr.pca_of_blocks(blocks, 1)


class SlicedTable:
    """What a table of an HDF5 file shows of itself: a shape and slices, read when they are asked for."""

    ndim, shape = 2, (60, 3)

    def __init__(self, X):
        self._X = X

    def __getitem__(self, rows):
        assert isinstance(rows, slice)
        return self._X[rows]


def test_a_table_that_is_sliced_like_an_array_is_cut_like_one():
    X = np.random.default_rng(0).normal(size=(60, 3))
    assert dr.pca_of_blocks(SlicedTable(X), 2) == dr.pca_of_blocks(X, 2)


def test_moments_add_in_any_order():
    X = np.random.default_rng(0).normal(size=(50, 3)) + 7
    parts = [moments_of_blocks([part]) for part in np.split(X, [5, 20])]
    one, other = parts[0] + (parts[1] + parts[2]), parts[2] + parts[0] + parts[1]
    np.testing.assert_allclose(one.scatter, other.scatter)
    np.testing.assert_allclose(one.scatter / 50, dr.covariance(X))


@pytest.mark.parametrize("n_landmarks", [20, 60, 200])
def test_nystrom_stays_within_its_error_and_is_exact_with_all_landmarks(n_landmarks):
    X = np.random.default_rng(0).normal(size=(200, 3))
    fit = dr.nystrom_kernel_pca(X, 4, gamma=0.1, n_landmarks=n_landmarks)
    exact = dr.rbf_kernel_pca(X, 4, gamma=0.1)
    K = dr.rbf_kernel(X, X, gamma=0.1)
    short = exact.eigenvalues - fit.eigenvalues
    assert (short >= -1e-9).all()
    assert (short <= fit.error + 1e-9).all()
    features = dr.rbf_kernel(X, fit.landmarks, gamma=0.1) @ fit.features
    assert fit.error == pytest.approx(np.trace(K - features @ features.T), abs=1e-8)
    np.testing.assert_allclose(fit.transform(X), fit.embedding, atol=1e-9)
    if n_landmarks == 200:
        assert fit.error < 1e-6
        np.testing.assert_allclose(np.abs(fit.embedding), np.abs(exact.embedding), atol=1e-5)


def test_dask_arrays_on_two_workers_give_the_same_answer():
    array, distributed = pytest.importorskip("dask.array"), pytest.importorskip("distributed")
    from dimred_ref import dask as for_dask

    X = np.random.default_rng(0).normal(size=(3000, 12)) * np.arange(1, 13) + 4
    chunks = array.from_array(X, chunks=(250, 5))
    with (
        distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        fit = for_dask.pca(chunks, 3)
        scores = for_dask.transform(fit, chunks).compute()
        C = for_dask.covariance(chunks)
    expected = dr.pca(X, 3)
    np.testing.assert_allclose(fit.variances, expected.variances)
    np.testing.assert_allclose(scores, expected.embedding, atol=1e-9)
    np.testing.assert_allclose(C, dr.covariance(X), atol=1e-10)


def test_an_array_that_is_not_dasks_is_sent_to_the_function_for_it():
    pytest.importorskip("dask.array")
    from dimred_ref import dask as for_dask

    with pytest.raises(
        ValueError, match=r"X must be a dask\.array of samples, got ndarray: dimred_ref\.pca takes"
    ):
        for_dask.pca(np.eye(4), 1)


def test_chunks_that_a_filter_left_empty_take_part():
    array = pytest.importorskip("dask.array")
    from dimred_ref import dask as for_dask

    X = np.random.default_rng(0).normal(size=(90, 4)) * [4, 3, 2, 1]
    X[:30, 0] = -9  # the first chunk goes, and how many rows the others keep is not known beforehand
    chunks = array.from_array(X, chunks=(30, 4))
    chunks, kept = chunks[chunks[:, 0] > 0], X[X[:, 0] > 0]
    fit, expected = for_dask.pca(chunks, 2), dr.pca(kept, 2)
    np.testing.assert_allclose(fit.variances, expected.variances)
    np.testing.assert_allclose(for_dask.transform(fit, chunks).compute(), expected.embedding, atol=1e-9)
