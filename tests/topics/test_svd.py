"""The claims of the chapter on the singular value decomposition."""

import numpy as np
import pytest
import scipy.linalg
import sympy
from hypothesis import given
from hypothesis import strategies as st
from sklearn import decomposition

from dimred_ref.svd import best_rank_k, four_subspaces, numerical_rank, svd_by_construction, thin_svd

seeds = st.integers(0, 2**32 - 1)


@st.composite
def whole_matrices(draw):
    """Whole matrices of every shape and rank, zero included."""
    m, n = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rank = draw(st.integers(0, min(m, n)))
    rng = np.random.default_rng(draw(seeds))
    product = rng.integers(-4, 5, size=(m, rank)) @ rng.integers(-4, 5, size=(rank, n))
    return product.astype(float)


def exact_rank(A):
    return sympy.Matrix(A.astype(int).tolist()).rank()


@pytest.mark.claim("thm-svd-existence")
@given(whole_matrices())
def test_the_construction_decomposes_every_matrix(A):
    m, n = A.shape
    parts = svd_by_construction(A)
    assert parts.U.shape == (m, m)
    assert parts.V.shape == (n, n)
    assert parts.U.T @ parts.U == pytest.approx(np.eye(m), abs=1e-7)
    assert parts.V.T @ parts.V == pytest.approx(np.eye(n), abs=1e-7)
    assert parts.matrix() == pytest.approx(A, abs=1e-6 * (1 + np.abs(A).max()))
    assert np.all(np.diff(parts.singular_values) <= 0)
    expected = np.linalg.svd(A, compute_uv=False)
    assert parts.singular_values == pytest.approx(expected, abs=1e-6 * (1 + expected[0]))
    assert np.count_nonzero(parts.singular_values) == exact_rank(A)


@pytest.mark.claim("thm-svd-existence")
@given(whole_matrices())
def test_the_thin_decomposition_agrees_with_the_construction(A):
    parts = thin_svd(A)
    count = min(A.shape)
    assert parts.U.shape == (len(A), count)
    assert parts.matrix() == pytest.approx(A, abs=1e-10)
    assert parts.U.T @ parts.U == pytest.approx(np.eye(count), abs=1e-12)
    assert parts.V.T @ parts.V == pytest.approx(np.eye(count), abs=1e-12)


def test_a_matrix_with_whole_singular_values():
    A = np.array([[-2, 14], [8, 19], [20, 10]])
    for parts in (svd_by_construction(A), thin_svd(A)):
        assert parts.singular_values == pytest.approx([30, 15])
        assert np.abs(parts.U[:, 0]) == pytest.approx(np.array([1, 2, 2]) / 3)
        assert np.abs(parts.V[:, 0]) == pytest.approx(np.array([3, 4]) / 5)
        assert A @ parts.V[:, 0] == pytest.approx(30 * parts.U[:, 0])


@pytest.mark.claim("thm-svd-two-products")
@given(whole_matrices())
def test_the_two_products_share_nonzero_eigenvalues_and_differ_in_zeros(A):
    parts = svd_by_construction(A)
    squares = np.zeros(max(A.shape))
    squares[: min(A.shape)] = parts.singular_values**2
    scale = 1e-9 * (1 + squares[0])
    assert A @ A.T @ parts.U == pytest.approx(parts.U * squares[: len(A)], abs=1e-6 * (1 + squares[0]))
    assert A.T @ A @ parts.V == pytest.approx(parts.V * squares[: A.shape[1]], abs=1e-6 * (1 + squares[0]))
    zeros = [np.count_nonzero(np.linalg.eigvalsh(M) < scale + 1e-9) for M in (A @ A.T, A.T @ A)]
    assert zeros[0] - zeros[1] == A.shape[0] - A.shape[1]


@pytest.mark.claim("thm-svd-two-products")
def test_trace_and_determinant_of_a_two_by_two_matrix_in_singular_values():
    a, b, c, d = sympy.symbols("a b c d", real=True)
    A = sympy.Matrix([[a, b], [c, d]])
    squares = list((A.T * A).eigenvals(multiple=True))
    assert sympy.simplify(sum(squares) - (a**2 + b**2 + c**2 + d**2)) == 0
    assert sympy.simplify(sympy.prod(squares) - (a * d - b * c) ** 2) == 0


@pytest.mark.claim("thm-svd-subspaces")
@given(whole_matrices())
def test_the_four_subspaces_have_the_right_dimensions_and_annihilate(A):
    m, n = A.shape
    rank = exact_rank(A)
    spaces = four_subspaces(A)
    assert numerical_rank(A) == rank
    assert spaces.column_space.shape == (m, rank)
    assert spaces.left_null_space.shape == (m, m - rank)
    assert spaces.row_space.shape == (n, rank)
    assert spaces.null_space.shape == (n, n - rank)
    assert A @ spaces.null_space == pytest.approx(0, abs=1e-10)
    assert A.T @ spaces.left_null_space == pytest.approx(0, abs=1e-10)
    P = spaces.column_space @ spaces.column_space.T
    assert P @ A == pytest.approx(A, abs=1e-10)
    Q = spaces.row_space @ spaces.row_space.T
    assert A @ Q == pytest.approx(A, abs=1e-10)
    for one, other in ((P, spaces.left_null_space), (Q, spaces.null_space)):
        assert one + other @ other.T == pytest.approx(np.eye(len(one)), abs=1e-12)


@pytest.mark.claim("thm-svd-subspaces")
def test_a_wide_matrix_without_zero_singular_values_has_a_null_space():
    A = np.array([[1.0, 2.0, 2.0], [2.0, 1.0, -2.0]])
    assert thin_svd(A).singular_values.min() > 2
    null = four_subspaces(A).null_space
    peer = scipy.linalg.null_space(A)
    assert null.shape == (3, 1)
    assert null @ null.T == pytest.approx(peer @ peer.T)


@pytest.mark.claim("thm-svd-eckart-young")
@given(whole_matrices(), seeds, st.data())
def test_no_matrix_of_the_rank_is_closer_in_either_norm(A, seed, data):
    rank = data.draw(st.integers(0, min(A.shape)))
    best = best_rank_k(A, rank)
    sigma = np.linalg.svd(A, compute_uv=False)
    assert np.linalg.matrix_rank(best.matrix, tol=1e-9) <= rank
    assert np.linalg.norm(A - best.matrix, 2) == pytest.approx(best.spectral_error, abs=1e-9)
    assert np.linalg.norm(A - best.matrix) == pytest.approx(best.frobenius_error, abs=1e-9)
    assert best.spectral_error == pytest.approx(np.r_[sigma, 0][rank], abs=1e-9)
    assert best.frobenius_error == pytest.approx(np.sqrt(np.sum(sigma[rank:] ** 2)), abs=1e-9)
    rng = np.random.default_rng(seed)
    left = rng.normal(size=(len(A), rank))
    rivals = [left @ np.linalg.lstsq(left, A)[0]] if rank else [np.zeros_like(A)]
    rivals.append(best.matrix + 0.01 * left @ rng.normal(size=(rank, A.shape[1])) * (rank == min(A.shape)))
    for rival in rivals:
        assert np.linalg.norm(A - rival, 2) >= best.spectral_error - 1e-9
        assert np.linalg.norm(A - rival) >= best.frobenius_error - 1e-9


@pytest.mark.claim("thm-svd-eckart-young")
@given(seeds)
def test_local_search_over_rank_one_matrices_ends_at_the_truncation(seed):
    rng = np.random.default_rng(seed)
    A = np.diag([5.0, 2.0, 1.0]) @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    right = rng.normal(size=3)
    for _ in range(200):  # alternating least squares, which knows nothing of singular values
        left = A @ right / (right @ right)
        right = A.T @ left / (left @ left)
    assert np.outer(left, right) == pytest.approx(best_rank_k(A, 1).matrix, abs=1e-8)


def test_in_the_spectral_norm_the_closest_matrix_need_not_be_unique():
    A, rival = np.diag([3.0, 2.0, 1.0]), np.diag([2.5, 0.0, 0.0])
    best = best_rank_k(A, 1)
    assert np.linalg.norm(A - rival, 2) == best.spectral_error == 2
    assert np.linalg.norm(A - rival) > best.frobenius_error == pytest.approx(np.sqrt(5))


@pytest.mark.claim("thm-svd-uniqueness")
@given(seeds)
def test_two_roads_differ_by_one_common_turn_of_each_block_of_equal_values(seed):
    rng = np.random.default_rng(seed)
    left, right = (np.linalg.qr(rng.normal(size=(size, size)))[0] for size in (5, 4))
    sigma = np.array([3.0, 2.0, 2.0, 1.0])
    A = left[:, :4] * sigma @ right.T
    found = thin_svd(A)
    assert found.singular_values == pytest.approx(sigma)
    turn_left, turn_right = found.U.T @ left[:, :4], found.V.T @ right
    assert turn_left == pytest.approx(turn_right, abs=1e-9)  # one turn for both sides
    blocks = np.array([[1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, 1]])
    assert turn_left * (1 - blocks) == pytest.approx(0, abs=1e-9)
    assert turn_left @ turn_left.T == pytest.approx(np.eye(4), abs=1e-9)
    assert np.abs(np.diag(turn_left)[[0, 3]]) == pytest.approx(1)  # simple values: only a sign


@pytest.mark.claim("thm-svd-symmetric")
@given(whole_matrices())
def test_singular_values_of_a_symmetric_matrix_are_the_moduli_of_its_eigenvalues(A):
    for symmetric in (A @ A.T, A @ A.T - 7 * np.eye(len(A))):
        eigenvalues, Q = np.linalg.eigh(symmetric)
        order = np.argsort(-np.abs(eigenvalues))
        scale = 1 + np.abs(eigenvalues).max()
        sigma = thin_svd(symmetric).singular_values
        assert sigma == pytest.approx(np.abs(eigenvalues)[order], abs=1e-12 * scale)
        signed = Q[:, order] * np.where(eigenvalues[order] < 0, -1.0, 1.0)
        assert Q[:, order] * sigma @ signed.T == pytest.approx(symmetric, abs=1e-10 * scale)


@pytest.mark.claim("thm-svd-norms")
@given(whole_matrices(), seeds)
def test_norms_are_functions_of_the_singular_values_and_ignore_rotations(A, seed):
    rng = np.random.default_rng(seed)
    sigma = thin_svd(A).singular_values
    turned = np.linalg.qr(rng.normal(size=(len(A), len(A))))[0] @ A
    for same in (A, turned):
        assert np.sqrt(np.sum(same**2)) == pytest.approx(np.linalg.norm(sigma), abs=1e-12)
    x = rng.normal(size=(A.shape[1], 300))
    stretches = np.linalg.norm(turned @ x, axis=0) / np.linalg.norm(x, axis=0)
    assert stretches.max() <= sigma[0] + 1e-9
    for _ in range(100):  # uphill from the best of them
        climbed = A.T @ A @ x[:, stretches.argmax()] + 1e-300
        x[:, stretches.argmax()] = climbed / max(np.linalg.norm(climbed), 1e-300)
    best = x[:, stretches.argmax()]
    assert np.linalg.norm(A @ best) == pytest.approx(sigma[0], rel=0.05, abs=1e-9)
    if A.shape[0] == A.shape[1]:
        assert np.prod(sigma) == pytest.approx(abs(sympy.Matrix(A.astype(int).tolist()).det()), abs=1e-6)


@pytest.mark.claim("thm-svd-eckart-young")
@given(seeds, st.integers(1, 3))
def test_with_a_gap_every_other_matrix_of_the_rank_is_farther_in_the_frobenius_norm(seed, rank):
    rng = np.random.default_rng(seed)
    U, V = (np.linalg.qr(rng.normal(size=(5, 5)))[0] for _ in range(2))
    A = U * [5.0, 4.0, 3.0, 2.0, 1.0] @ V.T
    best = best_rank_k(A, rank)
    turn = scipy.linalg.expm(1e-2 * (lambda M: M - M.T)(rng.normal(size=(5, 5))))
    Q = turn @ U[:, :rank]
    for rival in (Q @ Q.T @ A, best.matrix * (1 + 1e-2), Q @ np.diag(np.arange(5.0)[:rank]) @ V[:, :rank].T):
        assert np.linalg.norm(A - rival) > best.frobenius_error * (1 + 1e-9)


@pytest.mark.claim("thm-svd-eckart-young")
def test_uniqueness_ends_at_a_tie_and_not_at_vanishing_values():
    tied = np.diag([2.0, 2.0, 1.0])
    rivals = [
        np.diag([2.0, 0, 0]),
        np.diag([0, 2.0, 0]),
        np.full((3, 3), 1.0) * np.outer([1, 1, 0], [1, 1, 0]),
    ]
    errors = [np.linalg.norm(tied - rival) for rival in rivals]
    assert errors == pytest.approx([best_rank_k(tied, 1).frobenius_error] * 3)
    flat = np.diag([2.0, 0.0, 0.0])  # σ₂ = σ₃ = 0, and yet only the matrix itself has distance 0
    assert best_rank_k(flat, 2).matrix == pytest.approx(flat)
    assert best_rank_k(flat, 2).frobenius_error == 0


@pytest.mark.claim("thm-svd-spectral-ties")
@given(whole_matrices(), st.floats(0, 1), st.data())
def test_lowering_all_kept_values_costs_nothing_in_the_spectral_norm(A, share, data):
    parts, rank = thin_svd(A), numerical_rank(A)
    if rank < 2:
        return
    k = data.draw(st.integers(1, rank - 1))
    t = share * parts.singular_values[k]
    rival = parts.U[:, :k] * (parts.singular_values[:k] - t) @ parts.V[:, :k].T
    error = best_rank_k(A, k).spectral_error
    assert np.linalg.norm(A - rival, 2) == pytest.approx(error, abs=1e-9)
    above = parts.U[:, :k] * (parts.singular_values[:k] - 1.1 * error) @ parts.V[:, :k].T
    assert np.linalg.norm(A - above, 2) > error * 1.05


@pytest.mark.claim("thm-svd-perturbation")
@given(whole_matrices(), seeds, st.floats(1e-6, 100))
def test_singular_values_move_no_more_than_the_matrix(A, seed, size):
    rng = np.random.default_rng(seed)
    for E in (
        size * rng.normal(size=A.shape),
        size * np.outer(rng.normal(size=len(A)), rng.normal(size=A.shape[1])),
    ):
        moves = thin_svd(A + E).singular_values - thin_svd(A).singular_values
        assert np.abs(moves).max() <= np.linalg.norm(E, 2) * (1 + 1e-9) + 1e-12


@pytest.mark.claim("thm-svd-squaring-loses-digits")
@given(st.floats(1e-12, 1.05e-8))
def test_the_rounded_product_of_lauchlis_matrix_is_singular(tiny):
    lauchli = np.array([[1.0, 1.0], [tiny, 0.0], [0.0, tiny]])
    assert np.array_equal(lauchli.T @ lauchli, np.ones((2, 2)))
    assert thin_svd(lauchli).singular_values[1] == pytest.approx(tiny, rel=1e-3)


@pytest.mark.claim("thm-svd-squaring-loses-digits")
@given(whole_matrices(), seeds)
def test_rounding_of_the_product_moves_squares_by_its_size_and_may_erase_small_ones(A, seed):
    noise = np.random.default_rng(seed).normal(size=(A.shape[1], A.shape[1]))
    F = noise + noise.T
    squares = np.zeros(A.shape[1])
    sigma = thin_svd(A).singular_values[: A.shape[1]]
    squares[: len(sigma)] = sigma**2
    moved = np.linalg.eigvalsh(A.T @ A + F)[::-1]
    assert np.abs(moved - squares).max() <= np.linalg.norm(F, 2) + 1e-9 * (1 + squares[0])
    parts = thin_svd(A)
    least = parts.V[:, -1]
    erased = np.linalg.eigvalsh(A.T @ A - parts.singular_values[-1] ** 2 * np.outer(least, least))
    assert np.abs(erased).min() == pytest.approx(0, abs=1e-9 * (1 + squares[0]))


@pytest.mark.claim("thm-svd-squaring-loses-digits")
def test_the_exact_singular_values_of_lauchlis_matrix():
    tiny = sympy.symbols("tiny", positive=True)
    lauchli = sympy.Matrix([[1, 1], [tiny, 0], [0, tiny]])
    assert set((lauchli.T * lauchli).eigenvals()) == {tiny**2, tiny**2 + 2}


@pytest.mark.claim("thm-svd-pca")
@given(seeds, st.integers(3, 12), st.integers(2, 6), st.data())
def test_the_decomposition_of_centred_data_is_principal_component_analysis(seed, n_samples, n_features, data):
    X = np.random.default_rng(seed).normal(size=(n_samples, n_features)) * 3 + 5
    d = data.draw(st.integers(1, min(n_samples - 1, n_features)))
    mean = X.mean(axis=0)
    parts, fit = thin_svd(X - mean), decomposition.PCA(d, svd_solver="covariance_eigh").fit(X)
    sigma = parts.singular_values
    assert sigma[:d] ** 2 / (n_samples - 1) == pytest.approx(fit.explained_variance_, rel=1e-6)
    scores = parts.U[:, :d] * sigma[:d]
    assert scores == pytest.approx((X - mean) @ parts.V[:, :d], abs=1e-9)
    low = best_rank_k(X - mean, d)
    assert mean + low.matrix == pytest.approx(fit.inverse_transform(fit.transform(X)), abs=1e-5)
    assert np.sum((X - mean - low.matrix) ** 2) == pytest.approx(np.sum(sigma[d:] ** 2), abs=1e-9)


@pytest.mark.claim("thm-svd-squaring-loses-digits")
def test_small_singular_values_survive_the_decomposition_but_not_the_square():
    tiny = 1e-9
    lauchli = np.array([[1.0, 1.0], [tiny, 0.0], [0.0, tiny]])
    assert thin_svd(lauchli).singular_values == pytest.approx([np.sqrt(2), tiny], rel=1e-6)
    assert svd_by_construction(lauchli).singular_values[1] == 0
    assert numerical_rank(lauchli) == 2
    assert numerical_rank(lauchli, rtol=1e-8) == 1


def test_rank_does_not_depend_on_units():
    A = np.array([[1.0, 2.0], [2.0, 4.0 + 1e-6]])
    for unit in (1e-150, 1e-12, 1.0, 1e12, 1e150):
        assert numerical_rank(unit * A) == 2
        assert numerical_rank(unit * A, rtol=1e-3) == 1


def test_errors_of_an_approximation_do_not_depend_on_units():
    A = np.random.default_rng(0).normal(size=(6, 4))
    expected = best_rank_k(A, 1).frobenius_error
    for unit in (1e-200, 1e200):
        assert best_rank_k(unit * A, 1).frobenius_error == pytest.approx(unit * expected)
        with pytest.raises(ValueError, match=r"A must have .* squares can be summed"):
            svd_by_construction(unit * A)


def test_zero_matrices_of_every_shape():
    for shape in ((1, 1), (2, 3), (3, 2)):
        zero = np.zeros(shape)
        assert numerical_rank(zero) == 0
        assert not svd_by_construction(zero).singular_values.any()
        assert best_rank_k(zero, 1).spectral_error == 0


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: svd_by_construction([[1.0, np.nan]]), "A must be finite"),
        (lambda: thin_svd([[1j]]), "real numbers"),
        (lambda: thin_svd([1.0]), "A must be a matrix"),
        (lambda: best_rank_k(np.eye(2), 3), "rank must be between 0 and 2, got 3"),
        (lambda: best_rank_k(np.eye(2), 1.5), "rank must be a whole number"),
        (lambda: numerical_rank(np.eye(2), rtol=-1), "rtol must be non-negative"),
    ],
)
def test_bad_arguments_are_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
