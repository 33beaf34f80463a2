"""The claims of the chapter on duality: Gram matrix and covariance tell the same story."""

import tracemalloc

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dimred_ref.covariance import covariance, scatter
from dimred_ref.duality import dual_pca, dual_pca_from_gram, gram, gram_from_scores, lift, lower
from dimred_ref.pca import pca_by_covariance

seeds = st.integers(0, 2**32 - 1)
clouds = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(-9, 9))
)


@given(clouds)
def test_the_gram_matrix_holds_inner_products_of_centred_samples(X):
    mean = X.mean(axis=0)
    expected = [[(x - mean) @ (y - mean) for y in X] for x in X]
    assert gram(X) == pytest.approx(np.array(expected), abs=1e-9)


@pytest.mark.claim("thm-duality-spectra")
@given(clouds)
def test_gram_and_scatter_share_nonzero_eigenvalues_with_multiplicity(X):
    G, S = gram(X), scatter(X)
    of_gram, of_scatter = (np.linalg.eigvalsh(M)[::-1] for M in (G, S))
    shared = min(X.shape)
    rounding = 1e-9 * (1 + np.trace(S))
    assert of_gram[:shared] == pytest.approx(of_scatter[:shared], abs=rounding)
    assert np.abs(np.r_[of_gram[shared:], of_scatter[shared:]]).max(initial=0) < rounding
    assert np.trace(G) == pytest.approx(np.trace(S), abs=rounding)
    assert G @ np.ones(len(X)) == pytest.approx(0, abs=rounding)  # so G is never definite


@pytest.mark.claim("thm-duality-lift")
def test_an_image_of_an_eigenvector_is_an_eigenvector_of_the_other_product():
    X = sympy.Matrix(2, 3, sympy.symbols("x1:7", real=True))
    u, eigenvalue = sympy.Matrix(sympy.symbols("u1:3", real=True)), sympy.symbols("lambda")
    # What X Xᵀ u − λ u is to the one product, its image under Xᵀ is to the other.
    one = X * X.T * u - eigenvalue * u
    other = X.T * X * (X.T * u) - eigenvalue * (X.T * u)
    assert (other - X.T * one).expand() == sympy.zeros(3, 1)
    assert sympy.expand(((X.T * u).T * (X.T * u))[0] - (u.T * (X * X.T * u))[0]) == 0


@pytest.mark.claim("thm-duality-lift")
@given(seeds, st.integers(3, 7), st.integers(2, 9))
def test_lifting_and_lowering_are_inverse_on_eigenvectors(seed, n_samples, n_features):
    X = np.random.default_rng(seed).normal(size=(n_samples, n_features)) + 3
    squares, U = np.linalg.eigh(gram(X))
    u, square = U[:, -1], squares[-1]
    v = lift(5 * u, X)
    assert np.linalg.norm(v) == pytest.approx(1)
    assert scatter(X) @ v == pytest.approx(square * v, abs=1e-9 * square)
    assert lower(v, X) == pytest.approx(u, abs=1e-9)
    assert np.linalg.norm((X - X.mean(axis=0)).T @ u) == pytest.approx(np.sqrt(square))


@pytest.mark.claim("thm-duality-pca")
@given(seeds, st.integers(2, 7), st.integers(1, 9), st.integers(0, 1))
def test_dual_pca_is_pca(seed, n_samples, n_features, ddof):
    X = np.random.default_rng(seed).normal(size=(n_samples, n_features)) * np.arange(1, n_features + 1)
    n_kept = min(n_samples - 1, n_features)
    dual, primal = dual_pca(X, n_kept, ddof=ddof), pca_by_covariance(X, n_kept, ddof=ddof)
    scale = primal.total_variance
    assert dual.variances == pytest.approx(primal.variances, abs=1e-9 * scale)
    assert dual.total_variance == pytest.approx(scale)
    assert dual.embedding @ dual.embedding.T == pytest.approx(
        primal.embedding @ primal.embedding.T, abs=1e-8 * scale * n_samples
    )
    X_c = X - X.mean(axis=0)
    axes = X_c.T @ dual.coefficients
    assert X_c @ axes == pytest.approx(dual.embedding, abs=1e-6 * np.sqrt(scale))
    well_above_rounding = dual.variances > 1e-6 * scale
    kept = axes[:, well_above_rounding]
    assert kept.T @ kept == pytest.approx(np.eye(kept.shape[1]), abs=1e-6)
    residual = covariance(X, ddof=ddof) @ kept - kept * dual.variances[well_above_rounding]
    assert residual == pytest.approx(0, abs=1e-7 * scale)


@pytest.mark.claim("thm-duality-pca")
@given(seeds)
def test_inner_products_are_all_that_dual_pca_needs(seed):
    X = np.random.default_rng(seed).normal(size=(6, 20))
    fit = dual_pca(X, 5)
    assert np.array_equal(dual_pca_from_gram(gram(X), 5).embedding, fit.embedding)
    assert gram_from_scores(fit.embedding) == pytest.approx(gram(X), abs=1e-9 * 20)


def test_two_patterns_in_space_by_hand():
    X = np.array([[2, 4, 9], [8, 6, 5]])
    assert gram(X).tolist() == [[14, -14], [-14, 14]]
    fit = dual_pca(X, 1, ddof=1)
    assert fit.variances == pytest.approx([28])
    assert np.abs(fit.embedding.ravel()) == pytest.approx([np.sqrt(14)] * 2)
    assert np.abs(lift([1, -1], X)) == pytest.approx(np.array([3, 1, 2]) / np.sqrt(14))


def test_three_patterns_in_space_by_hand():
    mixing = np.array([[2, 0], [-1, 1], [-1, -1]])
    X = [4, 0, 1] + mixing @ [[1, 2, 2], [2, 1, -2]]
    fit = dual_pca(X, 2)
    assert 3 * fit.variances == pytest.approx([54, 18])


def test_twenty_thousand_features_never_make_a_square_matrix():
    X = np.random.default_rng(0).normal(size=(20, 20_000))
    tracemalloc.start()
    dual_pca(X, 5)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < X.nbytes  # a D × D matrix would take a thousand times as much


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: dual_pca(np.eye(3), 3), "n_components must be between 1 and 2, got 3"),
        (lambda: dual_pca(np.ones((3, 2)), 1), "G must have a positive eigenvalue, got none"),
        (lambda: dual_pca([[1.0, 2.0]], 1), "at least 2 rows, got 1"),
        (lambda: dual_pca([[1.0, np.nan], [0.0, 1.0]], 1), "X must be finite"),
        (lambda: dual_pca(np.eye(3), 1, ddof=3), "ddof must be between 0 and 2"),
        (lambda: dual_pca_from_gram(np.eye(3), 1), "rows that sum to 0"),
        (lambda: dual_pca_from_gram(-gram(np.eye(3)), 1), "semidefinite"),
        (lambda: lift([1.0, 1.0, 1.0], np.eye(3)), "u must belong to a positive eigenvalue"),
        (lambda: lower([1.0, 1.0, 1.0], np.eye(3)), "v must belong to a positive eigenvalue"),
        (lambda: lift([1.0], np.eye(3)), "u must have 3 entries, got 1"),
        (lambda: gram([["a"]]), "real numbers"),
    ],
)
def test_bad_arguments_are_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
