"""PCA of large data: the smaller square in every form, Lanczos' method on it, against the clear formulas."""

import sys
import tracemalloc

import numpy as np
import pytest

from dimred_ref import _eigen
from dimred_ref._fast import lanczos
from dimred_ref._fast import square as fast_square
from dimred_ref._fast.blocks import mean_and_scatter, mean_and_total
from dimred_ref._fast.lanczos import largest_eigenpairs
from dimred_ref._fast.square import SmallerSquare, orthonormal_images
from dimred_ref.covariance import centred
from dimred_ref.pca import pca, pca_by_lanczos, pca_by_svd
from tests.topics.test_pca import close, cloud_with_variances

SIZE = 504  # of the smaller side: large enough for the iterative road


@pytest.fixture
def only_the_iterative_road(monkeypatch):
    monkeypatch.setattr(SmallerSquare, "matrix", None)


@pytest.fixture
def only_the_dense_road(monkeypatch):
    monkeypatch.setattr(sys.modules["dimred_ref.pca"], "largest_eigenpairs", None)


def clear_square(X):
    """The definition: X_cᵀX_c or X_cX_cᵀ, the smaller."""
    X_c = X.astype(float) - X.astype(float).mean(axis=0)
    return X_c.T @ X_c if len(X) >= X.shape[1] else X_c @ X_c.T


def transposed_about(X, mean):
    return X.T - X.T.mean(axis=0) + mean


def assert_same_fit(fit, expected, rtol):
    scale = expected.variances[0]
    products = expected.embedding @ expected.embedding.T
    n_axes = expected.axes.shape[1]
    assert close(fit.variances / scale, expected.variances / scale, rtol=rtol)
    assert close(fit.total_variance / scale, expected.total_variance / scale, rtol=rtol)
    assert close(fit.axes @ fit.axes.T, expected.axes @ expected.axes.T, rtol=rtol)
    assert close(fit.embedding @ fit.embedding.T, products, products.max(), rtol=rtol)
    assert close(fit.axes.T @ fit.axes, np.eye(n_axes), rtol=1e-11)


@pytest.mark.parametrize("shape", [(30, 21), (21, 30), (24, 24), (400, 150), (150, 400)])
@pytest.mark.parametrize("mean", [0.0, 1e6])
@pytest.mark.parametrize("kind", ["float64", "float32", "int32"])
def test_every_form_of_the_square_is_that_of_the_centred_samples(shape, mean, kind):
    rng = np.random.default_rng(0)
    X = (10 * rng.normal(size=shape) + mean).astype(kind)
    expected, v = clear_square(X), rng.normal(size=min(shape))
    scale, rtol = np.abs(expected).max(), 1e-13 + 1e-16 * mean
    assert close(SmallerSquare(X, 1).matrix(), expected, scale, rtol=rtol)
    for uses in (0, 1):
        square = SmallerSquare(X, 1)
        square._uses_worth_forming = 10.0 if uses else -1
        assert close(square(v), expected @ v, np.abs(expected @ v).max(), rtol=rtol)
        assert (square._triangle is None) == bool(uses)
    assert close(
        SmallerSquare(X, 1, never_formed=True)(v), expected @ v, np.abs(expected @ v).max(), rtol=rtol
    )


@pytest.mark.parametrize("shape", [(300, 7), (40, 200)])
@pytest.mark.parametrize("mean", [0.0, 3.0, 1e8])
def test_mean_scatter_and_total_in_one_pass_are_those_of_the_definition(shape, mean):
    X = np.random.default_rng(1).normal(size=shape) * np.arange(1, shape[1] + 1) + mean
    X_c, scale, rtol = centred(X), np.sum(centred(X) ** 2), 1e-13 + 1e-16 * mean
    found, S = mean_and_scatter(X)
    assert close(S, X_c.T @ X_c, scale, rtol=rtol)
    assert close(found, X.mean(axis=0), np.abs(X).max(), rtol=1e-14)
    assert close(mean_and_total(X)[1], scale, scale, rtol=rtol)


@pytest.mark.usefixtures("only_the_iterative_road")
@pytest.mark.parametrize("shape", [(SIZE, SIZE), (560, SIZE), (SIZE, 560)])
@pytest.mark.parametrize("mean", [0.0, 3.0, 1e8])
@pytest.mark.parametrize("n_axes", [1, 9, 30])
def test_large_data_take_the_iterative_road_and_lose_nothing(shape, mean, n_axes):
    X = cloud_with_variances(0, 600, 30.0 * 0.9 ** np.arange(560))[: shape[0], : shape[1]] + mean
    assert_same_fit(pca(X, n_axes), pca_by_svd(X - mean, n_axes), rtol=max(1e-10, mean * 1e-16))


@pytest.mark.usefixtures("only_the_dense_road")
@pytest.mark.parametrize(("shape", "n_axes"), [((180, 2000), 2), ((2000, 180), 2), ((600, 600), 60)])
def test_small_squares_and_many_axes_take_the_dense_road(shape, n_axes):
    X = np.random.default_rng(2).normal(size=shape)
    assert_same_fit(pca(X, n_axes), pca_by_svd(X, n_axes), rtol=1e-10)


def test_a_matrix_that_was_overwritten_in_vain_is_solved_all_the_same(monkeypatch):
    """LAPACK may return fewer pairs than it was asked for, having destroyed half of the matrix."""
    A = np.asfortranarray(np.cov(np.random.default_rng(2).normal(size=(450, 900))))
    values, vectors = np.linalg.eigh(A)
    original, before = _eigen.scipy.linalg.eigh, A.copy()

    def too_few(A, subset_by_index=None, **options):
        if subset_by_index is None:
            return original(A, **options)
        return [part[..., 1:] for part in original(A, subset_by_index=subset_by_index, **options)]

    monkeypatch.setattr(_eigen.scipy.linalg, "eigh", too_few)
    found, axes = _eigen.top_eigenpairs(A, 5, overwrite=True)
    assert not np.array_equal(A, before)
    assert close(found, values[:-6:-1], rtol=1e-12)
    assert close(np.abs(np.sum(axes * vectors[:, :-6:-1], axis=0)), np.ones(5), rtol=1e-10)


@pytest.mark.parametrize("shape", [(600, 600), (1200, 600), (600, 1200)])
@pytest.mark.parametrize("n_axes", [2, 10])
def test_white_noise_is_solved_exactly_and_in_less_memory_than_a_copy(shape, n_axes):
    X = np.random.default_rng(0).normal(size=shape)
    tracemalloc.start()
    fit = pca(X, n_axes)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.1 * X.nbytes + 4 * (fit.axes.nbytes + fit.embedding.nbytes)
    assert_same_fit(fit, pca_by_svd(X, n_axes), rtol=1e-9)


@pytest.mark.parametrize(
    "variances",
    [
        np.r_[[5.0] * 7, 0.5 ** np.arange(SIZE - 7)],
        np.r_[1e6, [5.0] * 3, 3.0, 0.5 ** np.arange(SIZE - 5)],  # copies far below the largest
        np.r_[5.0, 4.0 + 1e-9, 4.0, 0.9 ** np.arange(SIZE - 3)],
        np.r_[30.0, [20.0] * 2, np.linspace(1.0, 0.9, SIZE - 3)],
        np.r_[9.0, [5.0] * 11, 2.0, 1.5, 1e-3 * 0.5 ** np.arange(SIZE - 14)],
    ],
    ids=["sevenfold", "far below", "nearly", "noise behind", "elevenfold"],
)
@pytest.mark.parametrize("is_wide", [False, True])
@pytest.mark.parametrize("road", [pca, pca_by_lanczos])
def test_every_copy_of_a_variance_is_found(variances, is_wide, road):
    n_axes = int(np.sum(variances > 1))
    X = cloud_with_variances(1, SIZE + 60, variances)
    X = transposed_about(X, 0.0) if is_wide else X
    assert_same_fit(road(X, n_axes), pca_by_svd(X, n_axes), rtol=1e-9)


@pytest.mark.parametrize("n_kept", [3, 8, 10])
def test_of_an_eightfold_variance_any_axes_that_are_kept_lie_in_its_space(n_kept):
    X = cloud_with_variances(1, 560, np.r_[[5.0] * 8, [2.0, 1.0], 0.3 * 0.95 ** np.arange(SIZE - 10)])
    fit, expected = pca(X, n_kept), pca_by_svd(X, 10)
    assert close(fit.variances, expected.variances[:n_kept], rtol=1e-11)
    eightfold = expected.axes[:, :8] @ expected.axes[:, :8].T
    inside = fit.axes[:, :8]
    assert close(eightfold @ inside, inside, rtol=1e-9)


def test_one_huge_variance_does_not_spoil_the_small_ones_behind_it():
    X = cloud_with_variances(2, 560, np.r_[1e8, 0.7 ** np.arange(SIZE - 1)])
    fit, expected = pca(X, 4), pca_by_svd(X, 4)
    assert close(fit.variances[1:], expected.variances[1:], rtol=1e-5)  # 1e-14 of the largest at best
    assert close(
        fit.axes[:, 1:] @ fit.axes[:, 1:].T, expected.axes[:, 1:] @ expected.axes[:, 1:].T, rtol=1e-5
    )


def test_axes_beyond_the_rank_are_orthonormal_directions_of_no_variance():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(520, 3)) @ rng.normal(size=(3, SIZE))
    for table in (X, X.T):
        for road in (pca, pca_by_lanczos):
            fit = road(table, 8)
            assert close(fit.variances[3:], 0, fit.variances[0], rtol=1e-13)
            assert close(fit.axes.T @ fit.axes, np.eye(8), rtol=1e-11)
            assert close(
                fit.embedding, (table - table.mean(axis=0)) @ fit.axes, np.sqrt(fit.variances[0]), rtol=1e-6
            )


@pytest.mark.parametrize("value", [0.0, 0.1, 1e8])
@pytest.mark.parametrize("shape", [(560, 520), (520, 560)])
def test_samples_that_are_all_equal_have_no_variance_on_any_road(value, shape):
    for road in (pca, pca_by_lanczos):
        fit = road(np.full(shape, value), 2)
        assert np.array_equal(fit.variances, [0.0, 0.0])
        assert close(fit.axes.T @ fit.axes, np.eye(2))


def test_a_spectrum_without_gaps_is_solved_too():
    X = cloud_with_variances(5, 600, np.linspace(1.0001, 1.0, SIZE))
    for road in (pca, pca_by_lanczos):
        assert close(road(X, 10).variances, pca_by_svd(X, 10).variances, rtol=1e-12)


@pytest.mark.parametrize("kind", ["float64", "float32", "int16"])
@pytest.mark.parametrize("n_kept", [3, 200])  # in a Krylov space, by a dense eigenproblem
def test_no_copy_of_the_samples_is_made(kind, n_kept):
    X = np.round(1000 * cloud_with_variances(4, 2500, 0.9 ** np.arange(SIZE))).astype(kind)
    for table in (X, np.ascontiguousarray(X.T))[: 1 if n_kept > 3 else 2]:  # wide axes need room themselves
        tracemalloc.start()
        fit = pca(table, n_kept)
        peak = tracemalloc.get_traced_memory()[1] - fit.embedding.nbytes - fit.axes.nbytes
        tracemalloc.stop()
        assert peak < X.size * 8 / 2
        assert_same_fit(fit, pca_by_svd(table, n_kept), rtol=1e-9)


def test_the_krylov_space_of_pca_by_lanczos_never_forms_a_square(monkeypatch):
    monkeypatch.setattr(SmallerSquare, "_formed", None)
    monkeypatch.setattr(SmallerSquare, "matrix", None)
    X = cloud_with_variances(0, 600, 30.0 * 0.9 ** np.arange(SIZE))
    for table in (X, X.T, X + 1e6, X.astype(np.float32)):
        assert_same_fit(pca_by_lanczos(table, 3), pca_by_svd(table, 3), rtol=1e-8)


def test_the_iterative_road_refuses_overflow_and_missing_numbers_too():
    X = np.random.default_rng(0).normal(size=(600, 600))
    for value, complaint in ((1e200, "squares can be summed"), (np.nan, "X must be finite, got 1 NaN")):
        X[3, 4] = value
        for road in (pca, pca_by_lanczos):
            with pytest.raises(ValueError, match=complaint):
                road(X, 1)


@pytest.mark.parametrize("least", [1.0, 1e-4, 1e-9, 0.0])
def test_lifted_axes_are_orthonormal_whatever_their_lengths(least):
    rng = np.random.default_rng(7)
    lengths = np.geomspace(1.0, max(least, 1e-9), 5) * (np.r_[1, 1, 1, 1, least > 0])
    directions = np.linalg.qr(rng.normal(size=(300, 5)))[0]
    images = directions * lengths + 1e-12 * rng.normal(size=(300, 5))
    V = orthonormal_images(images.copy(), lengths)
    assert close(V.T @ V, np.eye(5), rtol=1e-14)
    assert close(V[:, :2], directions[:, :2], rtol=1e-6)


def test_the_square_is_formed_where_no_variance_stands_out_and_not_where_one_does(monkeypatch):
    formed, original = [], SmallerSquare._formed
    monkeypatch.setattr(SmallerSquare, "_formed", lambda self: formed.append(self._uses) or original(self))
    noise = np.random.default_rng(0).normal(size=(700, 700))
    pca(noise, 2)
    assert formed == [fast_square.FIRST_LOOK + 1]
    pca(noise + 30 * np.outer(noise[0], noise[:, 1]), 1)
    assert len(formed) == 1


def test_only_pairs_that_are_nearly_exact_are_left_out_of_the_search_for_copies():
    """A near pair in front of the bulk, a hidden copy above it: the copy must be found all the same."""
    spectrum = np.r_[3.0, 3.0, 2.999999, np.linspace(1.0, 0.0, 497)]
    values, vectors = largest_eigenpairs(lambda v: spectrum * v, 500, 2)
    assert close(values, [3.0, 3.0], rtol=1e-12)
    assert close(vectors[2:], 0, rtol=1e-8)


def test_when_lapack_gives_up_on_a_small_matrix_another_way_finds_the_same(monkeypatch):
    """On a space that has grown beyond all distinct values, stemr ends with an error now and then."""
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(270, 270)))[0]
    A = (Q * np.repeat(np.arange(90.0, 0, -1), 3)) @ Q.T
    expected = lanczos.largest_eigenpairs(lambda v: A @ v, 270, 7)
    monkeypatch.setattr(
        lanczos, "dstemr", lambda d, *others: (0, np.zeros(len(d)), np.zeros((len(d), 0)), 22)
    )
    values, vectors = lanczos.largest_eigenpairs(lambda v: A @ v, 270, 7)
    np.testing.assert_allclose(values, expected[0], rtol=1e-12)
    np.testing.assert_allclose(A @ vectors, vectors * values, atol=1e-10)
