"""PCA by Lanczos' method on the smaller square: every way to the square, and every copy of an eigenvalue."""

import tracemalloc

import numpy as np
import pytest

from dimred_ref import _pca_routes, _pca_square
from dimred_ref._pca_square import Square, through_square_if_it_pays
from dimred_ref.covariance import mean_and_gram, mean_and_total
from dimred_ref.pca import pca, pca_by_svd
from tests.topics.test_pca import close, cloud_with_variances

SIZE = 504  # of the smaller side: just enough for this road


def square_of(X, n_axes=2):
    return Square(_pca_routes.Centred(X, *mean_and_total(X)), n_axes)


def same_answer(found, expected, rtol):
    products = expected.embedding @ expected.embedding.T
    return (
        close(found.squares / len(expected.embedding), expected.variances, expected.variances[0], rtol=rtol)
        and close(found.axes @ found.axes.T, expected.axes @ expected.axes.T, rtol=rtol)
        and close(found.scores @ found.scores.T, products, products.max(), rtol=rtol)
        and close(found.axes.T @ found.axes, np.eye(found.axes.shape[1]), rtol=1e-11)
    )


@pytest.mark.parametrize("shape", [(30, 21), (21, 30), (24, 24)])
@pytest.mark.parametrize("mean", [0.0, 1e6])
@pytest.mark.parametrize("kind", ["float64", "float32", "int32"])
@pytest.mark.parametrize("patience", [0, 1])
def test_both_ways_to_the_square_are_products_with_the_centred_samples(shape, mean, kind, patience):
    rng = np.random.default_rng(0)
    X = (10 * rng.normal(size=shape) + mean).astype(kind)
    X_c = X - X.astype(float).mean(axis=0)
    S = X_c.T @ X_c if shape[0] >= shape[1] else X_c @ X_c.T
    square = square_of(X)
    square.patience = patience if mean == 0 and kind == "float64" else 0
    v = rng.normal(size=len(S))
    assert close(square(v), S @ v, np.abs(S).max(), rtol=1e-14 + 1e-17 * mean)
    assert (square._quarters is None) == (square.patience >= 0)


@pytest.mark.parametrize("shape", [(SIZE, SIZE), (560, SIZE), (SIZE, 560)])
@pytest.mark.parametrize("mean", [0.0, 1e8])
def test_the_answer_is_that_of_the_singular_value_decomposition(shape, mean):
    X = cloud_with_variances(0, 600, 30.0 * 0.9 ** np.arange(560))[: shape[0], : shape[1]] + mean
    found = through_square_if_it_pays(X, 9)
    assert same_answer(found, pca_by_svd(X - mean, 9), rtol=max(1e-10, mean * 1e-16))


@pytest.mark.parametrize("kind", ["float32", "int16"])
def test_other_numbers_are_converted_a_few_lines_at_a_time(kind):
    X = np.round(1000 * cloud_with_variances(4, 4000, 0.9 ** np.arange(SIZE))).astype(kind)
    for table in (X, X.T):
        tracemalloc.start()
        found = through_square_if_it_pays(table, 3)
        peak = tracemalloc.get_traced_memory()[1] - found.scores.nbytes - found.axes.nbytes
        tracemalloc.stop()
        assert peak < X.size * 4
        assert same_answer(found, pca_by_svd(table, 3), rtol=1e-10)


@pytest.mark.parametrize("n_axes", [1, 4, 20])
def test_white_noise_is_solved_without_the_memory_of_a_copy(n_axes):
    X = np.random.default_rng(0).normal(size=(600, 600))
    tracemalloc.start()
    found = through_square_if_it_pays(X, n_axes)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes + 4 * (found.axes.nbytes + found.scores.nbytes)
    assert same_answer(found, pca_by_svd(X, n_axes), rtol=1e-9)


def test_noise_is_told_at_the_first_look_and_its_square_is_formed(monkeypatch):
    squares = []
    monkeypatch.setattr(Square, "_formed", lambda self: squares.append(self.patience) or formed(self))
    formed = _pca_square_formed
    noise = np.random.default_rng(0).normal(size=(700, 700))
    through_square_if_it_pays(noise, 2)
    assert squares == [-1]
    through_square_if_it_pays(noise + 30 * np.outer(noise[0], noise[:, 1]), 1)
    assert squares == [-1]  # a variance that stands out does without


_pca_square_formed = Square._formed


@pytest.mark.parametrize(
    "variances",
    [
        np.r_[[5.0] * 7, 0.5 ** np.arange(SIZE - 7)],
        np.r_[1e6, [5.0] * 3, 3.0, 0.5 ** np.arange(SIZE - 5)],  # copies far below the largest
        np.r_[5.0, 4.0 + 1e-9, 4.0, 0.9 ** np.arange(SIZE - 3)],
        np.r_[30.0, [20.0] * 2, np.linspace(1.0, 0.9, SIZE - 3)],
    ],
    ids=["sevenfold", "far below", "nearly", "noise behind"],
)
@pytest.mark.parametrize("is_wide", [False, True])
def test_every_copy_of_a_variance_is_found(variances, is_wide):
    n_axes = int(np.sum(variances > 1))
    X = cloud_with_variances(1, SIZE + 60, variances)
    X = X.T - X.T.mean(axis=0) if is_wide else X
    found, expected = through_square_if_it_pays(X, n_axes), pca_by_svd(X, n_axes)
    assert same_answer(found, expected, rtol=1e-9)


def test_only_pairs_that_are_nearly_exact_are_left_out_of_the_search():
    spectrum = np.r_[3.0, 3.0, 1.0, np.full(97, 0.1)]
    found = np.eye(100)[[0, 2, 1]]  # the third is taken for a value of 0.9, with a large residual
    squares, vectors = _pca_square._with_copies(
        lambda v: spectrum * v, 2, np.array([3.0, 1.0, 0.9]), np.array([0.0, 0.0, 1.0]), found
    )
    assert close(squares, [3.0, 3.0])
    assert close(vectors[:, 2:], 0)


def test_axes_beyond_the_rank_are_orthonormal_directions_of_no_variance():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(520, 3)) @ rng.normal(size=(3, SIZE))
    for table in (X, X.T):
        found = through_square_if_it_pays(table, 8)
        assert close(found.squares[3:], 0, found.squares[0], rtol=1e-13)
        assert close(found.axes.T @ found.axes, np.eye(8), rtol=1e-11)
        assert close(
            found.scores, (table - table.mean(axis=0)) @ found.axes, np.sqrt(found.squares[0]), rtol=1e-7
        )


@pytest.mark.parametrize("value", [0.0, 0.1, 1e8])
def test_samples_that_are_all_equal_are_left_to_a_dense_road(value):
    X = np.full((560, 560), value)
    assert through_square_if_it_pays(X, 2) is None
    assert np.array_equal(pca(X, 2).variances, [0.0, 0.0])


def test_where_half_of_all_dimensions_are_too_few_a_dense_road_answers():
    X = cloud_with_variances(5, 600, np.linspace(1.0001, 1.0, SIZE))
    assert through_square_if_it_pays(X, 40) is None
    assert close(pca(X, 40).variances, pca_by_svd(X, 40).variances)


@pytest.mark.parametrize(("shape", "n_axes"), [((200, 5000), 2), ((600, 600), 51)])
def test_small_squares_and_many_axes_are_left_to_a_dense_road(monkeypatch, shape, n_axes):
    monkeypatch.setattr("dimred_ref._pca_square.mean_and_total", None)  # so that a try would fail
    assert through_square_if_it_pays(np.ones(shape), n_axes) is None


@pytest.mark.parametrize("mean", [0.0, 3.0, 1e8])
def test_a_first_block_near_the_origin_does_not_fool_the_gram_matrix(mean):
    X = np.random.default_rng(6).normal(size=(20, 8000))
    X[:, 4000:] += mean  # the first block has fewer columns
    exact = X - X.mean(axis=0)
    found_mean, G = mean_and_gram(X)
    assert close(G, exact @ exact.T, 8000, rtol=max(1e-13, 1e-17 * mean))
    assert close(found_mean, X.mean(axis=0), rtol=1e-14 + 1e-15 * mean)


@pytest.mark.parametrize("least", [1.0, 1e-4, 1e-9, 0.0])
def test_lifted_axes_are_orthonormal_whatever_their_lengths(least):
    rng = np.random.default_rng(7)
    lengths = np.geomspace(1.0, max(least, 1e-9), 5) * (np.r_[1, 1, 1, 1, least > 0])
    directions = np.linalg.qr(rng.normal(size=(300, 5)))[0]
    images = directions * lengths + 1e-12 * rng.normal(size=(300, 5))
    V = _pca_routes._orthonormal(images.copy(), lengths)
    assert close(V.T @ V, np.eye(5), rtol=1e-14)
    assert close(V[:, :2], directions[:, :2], rtol=1e-6)
