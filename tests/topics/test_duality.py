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
    from_products = dual_pca_from_gram(gram(X), 5)
    assert from_products.variances == pytest.approx(fit.variances, rel=1e-9)
    for embedding in (fit.embedding, from_products.embedding):
        assert gram_from_scores(embedding) == pytest.approx(gram(X), abs=1e-9 * 20)


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
        (
            lambda: dual_pca(np.ones((3, 2)), 1),
            "some eigenvalue must be positive, got none: the samples are all equal",
        ),
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


@pytest.mark.claim("thm-duality-span")
@given(clouds)
def test_directions_of_positive_variance_are_combinations_of_centred_samples(X):
    X_c = X - X.mean(axis=0)
    rank = int(sympy.Matrix((X * len(X) - X.sum(axis=0)).astype(int).tolist()).rank())  # exact
    assert rank <= min(len(X) - 1, X.shape[1])
    differences = sympy.Matrix((X[1:] - X[0]).astype(int).reshape(-1, X.shape[1]).tolist())
    assert (rank == len(X) - 1) == (len(X) == 1 or differences.rank() == len(X) - 1)
    eigenvalues, directions = np.linalg.eigh(X_c.T @ X_c)
    positive = directions[:, len(eigenvalues) - rank :]
    outside = positive - np.linalg.pinv(X_c, rcond=1e-10) @ (X_c @ positive)  # what no combination gives
    assert outside == pytest.approx(0, abs=1e-6)
    silent = directions[:, : len(eigenvalues) - rank]
    assert X_c @ silent == pytest.approx(0, abs=1e-6)


@pytest.mark.claim("thm-duality-semidefinite")
@given(clouds)
def test_both_products_are_semidefinite_and_the_gram_matrix_is_never_definite(X):
    """Exact: over the fractions, null spaces have the dimensions that the theorem says."""
    X_c = sympy.Matrix(X.astype(int).tolist())
    mean = sympy.ones(1, X_c.rows) * X_c / X_c.rows
    X_c = X_c - sympy.ones(X_c.rows, 1) * mean
    G, S, rank = X_c * X_c.T, X_c.T * X_c, X_c.rank()
    assert G.rank() == S.rank() == rank < X_c.rows
    assert G * sympy.ones(X_c.rows, 1) == sympy.zeros(X_c.rows, 1)
    size = 1 + float(G.trace())
    for product in (gram(X), scatter(X)):
        assert np.linalg.eigvalsh(product).min() > -1e-10 * size


@pytest.mark.claim("thm-duality-raw-products")
@given(seeds, st.integers(2, 8), st.integers(1, 9))
def test_raw_inner_products_suffice_also_for_new_points(seed, n_samples, n_features):
    rng = np.random.default_rng(seed)
    X, new = rng.normal(size=(n_samples, n_features)) + 2, rng.normal(size=n_features) - 1
    H, h = X @ X.T, X @ new
    J = np.eye(n_samples) - 1 / n_samples
    assert J @ H @ J == pytest.approx(gram(X), abs=1e-9)
    g = h - h.mean() - H.mean(axis=1) + H.mean()
    n_kept = min(2, n_samples - 1, n_features)
    fit = dual_pca_from_gram(gram(X), n_kept)  # the same matrix, before the digits that JHJ cancels
    axes = (X - X.mean(axis=0)).T @ fit.coefficients
    scale = float(np.linalg.norm(fit.coefficients)) * float(np.abs(H).max() + np.abs(h).max())
    assert fit.coefficients.T @ g == pytest.approx(axes.T @ (new - X.mean(axis=0)), abs=1e-8 * (1 + scale))


@pytest.mark.claim("thm-duality-noise")
@pytest.mark.parametrize(
    ("draw", "kurtosis"),
    [
        (lambda rng, shape: rng.normal(size=shape), 3.0),
        (lambda rng, shape: rng.uniform(-(3**0.5), 3**0.5, size=shape), 9 / 5),
        (lambda rng, shape: rng.choice([-1.0, 1.0], size=shape), 1.0),
    ],
)
@pytest.mark.parametrize(("n_samples", "n_features"), [(2, 50), (6, 30), (10, 1000)])
def test_noise_in_many_features_has_nearly_equal_eigenvalues(draw, kurtosis, n_samples, n_features):
    rng = np.random.default_rng(0)
    worst = []
    for _ in range(300):
        squares = np.linalg.eigvalsh(gram(draw(rng, (n_samples, n_features))))[1:]
        worst.append(np.max((squares / n_features - 1) ** 2))
    bound = n_samples * (n_samples + kurtosis - 2) / n_features
    assert np.mean(worst) <= bound
    assert np.mean(worst) > bound / 40  # and it is not idle: the right order of size


def test_small_components_lose_their_digits_in_the_gram_matrix():
    """What the page prints: the error of u grows like η σ₁²/σ²."""
    rng = np.random.default_rng(1)
    left = np.linalg.qr(np.column_stack([np.ones(6), rng.normal(size=(6, 4))]))[0][:, 1:]
    right = np.linalg.qr(rng.normal(size=(50, 4)))[0]
    errors = []
    for small in (1e-2, 1e-4, 1e-6):
        u = np.linalg.eigh(gram(left * [1, 0.5, 0.1, small] @ right.T))[1][:, 2]
        errors.append(np.linalg.norm(u - left[:, 3] * (left[:, 3] @ u)) * small**2)
    assert max(errors) < 1e-14
    assert min(errors) > 1e-18


def test_the_mean_leaves_no_trace_in_the_gram_matrix():
    for third in (7, 5, 0):
        assert gram([[2, 4, third + 2], [8, 6, third - 2]]).tolist() == [[14, -14], [-14, 14]]


def test_samples_as_they_are_give_the_mean_as_their_first_direction():
    """The failure shown on the page: without centring, the leading eigenvector is all but constant."""
    X = np.random.default_rng(2).normal(size=(20, 200)) + 3
    first = np.linalg.eigh(X @ X.T)[1][:, -1]
    assert abs(first.sum()) / np.sqrt(20) > 0.999


@pytest.mark.parametrize("n_samples", [2, 3, 5, 8])
def test_no_sample_is_refused_for_the_rounding_errors_of_its_mean(n_samples):
    for seed in range(100):
        dual_pca(np.random.default_rng(seed).normal(size=(n_samples, 5)) + 2, 1)
