"""The claims of the linear-algebra toolkit."""

import itertools
import math

import numpy as np
import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dimred_ref.toolkit import (
    eigenpairs,
    frobenius,
    gram_schmidt,
    induced_norm,
    is_orthonormal,
    is_positive_semidefinite,
    orthonormal_basis,
    pnorm,
    projector,
    quadratic_form,
    quadratic_form_gradient,
    rayleigh_quotient,
)

seeds = st.integers(0, 2**32 - 1)
numbers = st.floats(-50, 50, width=16)
pairs = st.integers(1, 6).flatmap(lambda size: arrays(np.float64, (2, size), elements=numbers))
matrices = st.tuples(st.integers(1, 6), st.integers(1, 6)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=numbers)
)
orders = st.sampled_from([1, 1.5, 2, 3, 10, math.inf])


@pytest.mark.claim("thm-toolkit-norm-axioms")
@given(pairs, orders, st.floats(-9, 9))
def test_p_norms_satisfy_the_axioms(pair, p, factor):
    x, y = pair
    slack = 1e-9 * (1 + np.abs(pair).sum())
    assert pnorm(x + y, p) <= pnorm(x, p) + pnorm(y, p) + slack
    assert pnorm(factor * x, p) == pytest.approx(abs(factor) * pnorm(x, p), abs=slack)
    assert (pnorm(x, p) == 0) == (not x.any())
    assert pnorm(x, p) == pytest.approx(np.linalg.norm(x, p), rel=1e-12)


@pytest.mark.claim("thm-toolkit-norm-axioms")
def test_below_one_the_triangle_inequality_fails_and_at_zero_homogeneity():
    assert pnorm([1, 1], 0.5) > pnorm([1, 0], 0.5) + pnorm([0, 1], 0.5)
    assert pnorm([0, 3, -2], 0) == pnorm([0, 6, -4], 0) == 2


@pytest.mark.claim("thm-toolkit-norm-limit")
@given(pairs)
def test_p_norms_fall_to_the_largest_modulus(pair):
    x = pair[0]
    values = [pnorm(x, p) for p in (1, 2, 4, 8, 64, 1024, math.inf)]
    assert all(a >= b * (1 - 1e-12) for a, b in itertools.pairwise(values))
    assert values[-2] == pytest.approx(np.abs(x).max(), rel=0.01)


@pytest.mark.claim("thm-toolkit-norm-limit")
@pytest.mark.parametrize("p", [1, 2, 64, 1024])
def test_the_bound_of_the_limit_is_reached_by_equal_moduli(p):
    assert pnorm([1, -1, 1], p) == pytest.approx(3 ** (1 / p), rel=1e-12)


def test_whole_vectors_have_whole_norms():
    for vector, length in (([1, -2, 2], 3), ([2, 3, -6], 7), ([1, 4, 8, 0], 9), ([6, 6, 7], 11)):
        assert pnorm(vector, 2) == pytest.approx(length)
        assert pnorm(vector, 1) == sum(map(abs, vector))
        assert pnorm(vector, math.inf) == max(map(abs, vector))


def test_norms_of_huge_and_tiny_vectors_do_not_overflow():
    assert pnorm([3e200, 4e200], 2) == pytest.approx(5e200)
    assert pnorm([3e-200, 4e-200], 2) == pytest.approx(5e-200)
    assert frobenius([[3e200], [4e200]]) == pytest.approx(5e200)


@pytest.mark.claim("thm-toolkit-induced-norm")
@given(matrices, seeds, st.sampled_from([1, 2, math.inf]))
def test_no_vector_is_stretched_by_more_than_the_induced_norm(A, seed, p):
    x = np.random.default_rng(seed).normal(size=A.shape[1])
    norm = induced_norm(A, p)
    assert pnorm(A @ x, p) <= norm * pnorm(x, p) * (1 + 1e-9) + 1e-9
    assert norm == pytest.approx(np.linalg.norm(A, p), abs=1e-9)


@pytest.mark.claim("thm-toolkit-induced-norm")
@given(matrices)
def test_some_vector_is_stretched_by_the_induced_norm(A):
    heaviest_column = np.eye(A.shape[1])[np.abs(A).sum(axis=0).argmax()]
    signs_of_heaviest_row = np.where(A[np.abs(A).sum(axis=1).argmax()] < 0, -1.0, 1.0)
    strongest = np.linalg.eigh(A.T @ A)[1][:, -1]
    for x, p in ((heaviest_column, 1), (signs_of_heaviest_row, math.inf), (strongest, 2)):
        assert pnorm(A @ x, p) == pytest.approx(induced_norm(A, p) * pnorm(x, p), abs=1e-6)


@pytest.mark.claim("thm-toolkit-frobenius")
@given(matrices)
def test_the_frobenius_norm_is_the_root_of_the_sum_of_squared_singular_values(A):
    sigma = np.linalg.svd(A, compute_uv=False)
    assert frobenius(A) == pytest.approx(np.sqrt(np.sum(sigma**2)), abs=1e-9)
    assert frobenius(A) ** 2 == pytest.approx(np.trace(A.T @ A), abs=1e-8)


@pytest.mark.claim("thm-toolkit-projector")
@given(matrices, seeds)
def test_a_projector_fixes_its_range_and_kills_its_complement(A, seed):
    P = projector(A)
    x = np.random.default_rng(seed).normal(size=len(A))
    assert P == pytest.approx(P.T, abs=1e-12)
    assert P @ P == pytest.approx(P, abs=1e-9)
    assert P @ A == pytest.approx(A, abs=1e-9 * 50)
    assert A.T @ (x - P @ x) == pytest.approx(0, abs=1e-9 * 300)
    assert np.trace(P) == pytest.approx(np.linalg.matrix_rank(A))


@pytest.mark.claim("thm-toolkit-projector")
def test_the_projector_does_not_depend_on_the_basis_and_agrees_with_exact_arithmetic():
    A = sympy.Matrix([[1, 2], [0, 1], [2, 2], [1, 0]])
    exact = A * (A.T * A).inv() * A.T
    for mix in ([[1, 0], [0, 1]], [[2, 1], [1, 1]], [[0, 5], [-3, 0]]):
        columns = np.array((A * sympy.Matrix(mix)).tolist(), dtype=float)
        assert projector(columns) == pytest.approx(np.array(exact.tolist(), dtype=float), abs=1e-12)
    doubled = np.hstack([columns, columns])  # dependent columns span no more
    assert projector(doubled) == pytest.approx(projector(columns), abs=1e-12)


@given(matrices)
def test_an_orthonormal_basis_has_as_many_columns_as_the_rank(A):
    Q = orthonormal_basis(A)
    assert Q.shape == (len(A), np.linalg.matrix_rank(A))
    assert Q.T @ Q == pytest.approx(np.eye(Q.shape[1]), abs=1e-12)


@pytest.mark.claim("thm-toolkit-orthogonal-independent")
@given(seeds, st.integers(1, 4))
def test_orthogonal_vectors_are_independent_but_not_conversely(seed, count):
    rng = np.random.default_rng(seed)
    orthogonal = np.linalg.qr(rng.normal(size=(5, count)))[0] * rng.uniform(0.1, 9, size=count)
    assert orthonormal_basis(orthogonal).shape[1] == count
    skew = np.array([[1.0, 1.0], [0.0, 1.0]])
    assert orthonormal_basis(skew).shape[1] == 2
    assert skew[:, 0] @ skew[:, 1] != 0


def test_tall_orthonormal_columns_do_not_make_orthonormal_rows():
    V = orthonormal_basis([[1, 0], [1, 1], [0, 1]])
    assert is_orthonormal(V)
    assert not is_orthonormal(V.T)
    assert not is_orthonormal(2 * np.eye(2))


@pytest.mark.claim("thm-toolkit-rayleigh")
@given(seeds, st.integers(1, 5))
def test_the_rayleigh_quotient_is_a_weighted_mean_of_eigenvalues(seed, size):
    rng = np.random.default_rng(seed)
    A = rng.integers(-9, 10, size=(size, size)).astype(float)
    A += A.T
    values, vectors = eigenpairs(A)
    v = rng.normal(size=size)
    weights = (vectors.T @ v) ** 2 / (v @ v)
    quotient = rayleigh_quotient(A, v)
    assert quotient == pytest.approx(weights @ values, abs=1e-9 * 90)
    assert values[-1] - 1e-9 <= quotient <= values[0] + 1e-9
    assert rayleigh_quotient(A, 1e-170 * vectors[:, 0]) == pytest.approx(values[0], abs=1e-9 * 90)


@pytest.mark.claim("thm-toolkit-rayleigh")
def test_without_symmetry_the_quotient_exceeds_every_eigenvalue():
    A = [[1, 10], [0, 1]]
    assert np.linalg.eigvals(A).real.max() == pytest.approx(1)
    assert rayleigh_quotient(A, [1, 1]) == pytest.approx(6)


@pytest.mark.claim("thm-toolkit-quadratic-gradient")
def test_the_gradient_of_a_quadratic_form_sees_the_symmetric_part_only():
    entries = sympy.symbols("a b c d x y")
    a, b, c, d, x, y = entries
    A, v = sympy.Matrix([[a, b], [c, d]]), sympy.Matrix([x, y])
    form = (v.T * A * v)[0]
    gradient = sympy.Matrix([sympy.diff(form, x), sympy.diff(form, y)])
    assert (gradient - (A + A.T) * v).expand() == sympy.zeros(2, 1)
    numbers = dict(zip(entries, (1, 10, 0, 1, 2, -3), strict=True))
    assert quadratic_form([[1, 10], [0, 1]], [2, -3]) == int(form.subs(numbers))
    assert quadratic_form_gradient([[1, 10], [0, 1]], [2, -3]).tolist() == [
        int(entry) for entry in gradient.subs(numbers)
    ]


@given(seeds, st.integers(1, 6))
def test_eigenpairs_are_ordered_paired_and_complete(seed, size):
    rng = np.random.default_rng(seed)
    A = rng.integers(-2, 3, size=(size, size)).astype(float)  # small entries make ties likely
    A += A.T
    values, vectors = eigenpairs(A)
    assert np.all(np.diff(values) <= 1e-12)
    assert A @ vectors == pytest.approx(vectors * values, abs=1e-9)
    assert is_orthonormal(vectors)
    assert vectors * values @ vectors.T == pytest.approx(A, abs=1e-9)


def test_a_rank_one_change_of_the_identity_has_known_eigenpairs():
    q = np.array([3.0, 4.0])
    values, vectors = eigenpairs(2 * np.eye(2) + 3 * np.outer(q, q))
    assert values == pytest.approx([77, 2])
    assert np.abs(vectors[:, 0]) == pytest.approx(q / 5)


@pytest.mark.claim("thm-toolkit-courant-fischer")
@given(seeds, st.integers(2, 6))
def test_no_subspace_beats_the_eigenvectors_at_a_middle_eigenvalue(seed, size):
    rng = np.random.default_rng(seed)
    A = rng.integers(-4, 5, size=(size, size))
    A = (A + A.T) * 1.0
    values = eigenpairs(A)[0]
    for k in range(1, size + 1):
        S, T = (np.linalg.qr(rng.normal(size=(size, d)))[0] for d in (k, size - k + 1))
        assert np.linalg.eigvalsh(S.T @ A @ S)[0] <= values[k - 1] + 1e-9
        assert np.linalg.eigvalsh(T.T @ A @ T)[-1] >= values[k - 1] - 1e-9
        leading = eigenpairs(A)[1][:, :k]
        assert np.linalg.eigvalsh(leading.T @ A @ leading)[0] == pytest.approx(values[k - 1], abs=1e-8)


@pytest.mark.claim("thm-toolkit-courant-fischer")
@given(seeds, st.integers(1, 6), st.floats(-8, 2))
def test_eigenvalues_move_no_more_than_the_matrix(seed, size, exponent):
    rng = np.random.default_rng(seed)
    A, E = (M + M.T for M in rng.normal(size=(2, size, size)))
    E = E * 10**exponent
    moved = np.abs(np.linalg.eigvalsh(A + E) - np.linalg.eigvalsh(A)).max()
    assert moved <= np.linalg.norm(E, 2) * (1 + 1e-9) + 1e-12
    shift = np.linalg.eigvalsh(A + np.linalg.norm(E, 2) * np.eye(size)) - np.linalg.eigvalsh(A)
    assert shift == pytest.approx(np.full(size, np.linalg.norm(E, 2)))  # the bound is attained


@pytest.mark.claim("thm-toolkit-semidefinite")
@given(matrices, seeds)
def test_products_with_the_transpose_are_semidefinite(A, seed):
    v = np.random.default_rng(seed).normal(size=len(A))
    assert is_positive_semidefinite(A @ A.T)
    assert quadratic_form(A @ A.T, v) == pytest.approx(np.sum((A.T @ v) ** 2), abs=1e-7)
    assert not is_positive_semidefinite(A @ A.T - (frobenius(A) ** 2 + 1) * np.eye(len(A)))


def test_one_negative_eigenvalue_is_enough_not_to_be_semidefinite():
    assert not is_positive_semidefinite(np.diag([5.0, -1e-6]))
    assert is_positive_semidefinite(np.diag([5.0, 0.0]))


@pytest.mark.claim("thm-toolkit-norm-nonnegative")
@given(pairs, orders)
def test_lengths_are_not_negative_and_differ_by_at_most_the_distance(pair, p):
    x, y = pair
    assert pnorm(x, p) >= 0 == pnorm(0 * x, p)
    assert abs(pnorm(x, p) - pnorm(y, p)) <= pnorm(x - y, p) + 1e-9 * (1 + np.abs(pair).sum())


@pytest.mark.claim("thm-toolkit-cauchy-schwarz")
@given(pairs, st.floats(-9, 9))
def test_an_inner_product_is_at_most_the_product_of_the_lengths(pair, factor):
    x, y = pair
    product = pnorm(x, 2) * pnorm(y, 2)
    assert abs(x @ y) <= product * (1 + 1e-12) + 1e-12
    assert abs(x @ (factor * x)) == pytest.approx(pnorm(x, 2) * pnorm(factor * x, 2), rel=1e-9, abs=1e-12)


@pytest.mark.claim("thm-toolkit-cauchy-schwarz")
def test_only_dependent_vectors_reach_the_product_of_the_lengths():
    for x, y in itertools.product(itertools.product(range(-3, 4), repeat=2), repeat=2):
        gap = (x[0] ** 2 + x[1] ** 2) * (y[0] ** 2 + y[1] ** 2) - (x[0] * y[0] + x[1] * y[1]) ** 2
        is_independent = np.linalg.matrix_rank([x, y]) == 2
        assert (gap > 0) == is_independent  # whole numbers: exact


@pytest.mark.claim("thm-toolkit-gram-schmidt")
@given(seeds, st.integers(1, 5))
def test_gram_schmidt_straightens_and_keeps_every_span(seed, count):
    A = np.random.default_rng(seed).integers(-9, 10, size=(6, count)).astype(float)
    assume(np.linalg.cond(A) < 1e4)
    Q = gram_schmidt(A)
    assert is_orthonormal(Q)
    for j in range(1, count + 1):
        assert Q[:, :j] @ Q[:, :j].T @ A[:, :j] == pytest.approx(A[:, :j], abs=1e-9)
        assert Q[:, j - 1] @ A[:, j - 1] > 0
    Q_of_qr, R = np.linalg.qr(A)
    assert pytest.approx(Q_of_qr * np.sign(np.diag(R)), abs=1e-9) == Q


@pytest.mark.claim("thm-toolkit-gram-schmidt")
def test_gram_schmidt_agrees_with_exact_arithmetic():
    columns = [sympy.Matrix(v) for v in ([1, 2, 2], [1, 0, 3], [0, 1, 1])]
    exact = sympy.GramSchmidt(columns, orthonormal=True)
    A = np.array([[int(entry) for entry in column] for column in columns], dtype=float).T
    expected = np.array([[float(entry) for entry in column] for column in exact]).T
    assert gram_schmidt(A) == pytest.approx(expected, abs=1e-14)


@pytest.mark.claim("thm-toolkit-orthogonal-matrix")
@given(seeds, st.integers(1, 6), st.integers(0, 3))
def test_orthonormal_columns_keep_lengths_and_only_square_ones_have_orthonormal_rows(seed, size, extra):
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(size + extra, size)))[0]
    x, y = rng.normal(size=(2, size))
    assert (Q @ x) @ (Q @ y) == pytest.approx(x @ y)
    assert is_orthonormal(Q)
    assert is_orthonormal(Q.T) == (extra == 0)
    if extra == 0:
        assert np.linalg.inv(Q) == pytest.approx(Q.T, abs=1e-9)


@pytest.mark.claim("thm-toolkit-orthogonal-matrix")
def test_the_transpose_of_a_rotation_is_its_inverse():
    t = sympy.symbols("t", real=True)
    R = sympy.Matrix([[sympy.cos(t), -sympy.sin(t)], [sympy.sin(t), sympy.cos(t)]])
    assert sympy.simplify(R.T * R) == sympy.eye(2)
    assert sympy.simplify(R.inv() - R.T) == sympy.zeros(2, 2)


@pytest.mark.claim("thm-toolkit-nearest-point")
@given(matrices, seeds)
def test_no_point_of_the_subspace_is_nearer_than_the_shadow(A, seed):
    rng = np.random.default_rng(seed)
    P, x = projector(A), rng.normal(size=len(A)) * 20
    for w in (A @ rng.normal(size=A.shape[1]), P @ x + A @ rng.normal(size=A.shape[1]) * 1e-3):
        split = np.sum((x - P @ x) ** 2) + np.sum((P @ x - w) ** 2)
        assert np.sum((x - w) ** 2) == pytest.approx(split, rel=1e-9)
    assert pnorm(P @ x, 2) <= pnorm(x, 2) * (1 + 1e-12)


@pytest.mark.claim("thm-toolkit-projector")
@pytest.mark.parametrize("P", [[[1, 1], [0, 0]], [[2, -2], [1, -1]]])
def test_an_idempotent_matrix_without_symmetry_lengthens_some_vector(P):
    P = np.array(P, dtype=float)
    assert np.array_equal(P @ P, P)
    assert induced_norm(P, 2) > 1.4
    assert projector(P) != pytest.approx(P)


@pytest.mark.claim("thm-toolkit-projector-unique")
@given(seeds, st.integers(1, 3))
def test_every_basis_of_a_subspace_gives_the_same_projector(seed, count):
    rng = np.random.default_rng(seed)
    A = rng.integers(-5, 6, size=(5, count)).astype(float)
    mix = rng.integers(-3, 4, size=(count, count)).astype(float)
    assume(np.linalg.cond(A) < 1e3)
    assume(abs(np.linalg.det(mix)) > 0.5)
    P = projector(A)
    assert projector(A @ mix) == pytest.approx(P, abs=1e-9)
    assert A @ np.linalg.solve(A.T @ A, A.T) == pytest.approx(P, abs=1e-9)
    Q = np.linalg.qr(A @ mix)[0]
    assert Q @ Q.T == pytest.approx(P, abs=1e-9)


@pytest.mark.claim("thm-toolkit-spectral")
@given(seeds, st.integers(1, 6))
def test_a_symmetric_matrix_is_the_sum_of_its_eigenpairs(seed, size):
    rng = np.random.default_rng(seed)
    A = rng.integers(-2, 3, size=(size, size)).astype(float)  # small entries make ties likely
    A += A.T
    values, vectors = eigenpairs(A)
    assert is_orthonormal(vectors)
    pieces = [value * np.outer(v, v) for value, v in zip(values, vectors.T, strict=True)]
    assert sum(pieces) == pytest.approx(A, abs=1e-9)
    assert values.sum() == pytest.approx(np.trace(A), abs=1e-9)


@pytest.mark.claim("thm-toolkit-spectral")
def test_eigenvectors_to_different_eigenvalues_are_orthogonal_only_with_symmetry():
    symmetric, other = sympy.Matrix([[5, 6], [6, 14]]), sympy.Matrix([[-6, 3], [4, 5]])
    for A, is_orthogonal in ((symmetric, True), (other, False)):
        (_, _, (v,)), (_, _, (w,)) = A.eigenvects()
        assert (v.dot(w) == 0) == is_orthogonal


@pytest.mark.claim("thm-toolkit-rayleigh")
@given(seeds, st.integers(1, 5))
def test_the_form_of_any_matrix_is_at_most_the_top_eigenvalue_of_its_symmetric_part(seed, size):
    rng = np.random.default_rng(seed)
    A = rng.integers(-9, 10, size=(size, size)).astype(float)
    values, vectors = eigenpairs((A + A.T) / 2)
    assert rayleigh_quotient(A, rng.normal(size=size)) <= values[0] + 1e-9
    assert rayleigh_quotient(A, vectors[:, 0]) == pytest.approx(values[0], abs=1e-8)
    real = [value.real for value in np.linalg.eigvals(A) if abs(value.imag) < 1e-12]
    assert all(
        value <= values[0] + 1e-4 for value in real
    )  # multiple eigenvalues are known to half the digits


@pytest.mark.claim("thm-toolkit-semidefinite")
@given(seeds, st.integers(1, 5))
def test_a_matrix_without_negative_eigenvalues_has_a_root(seed, size):
    rng = np.random.default_rng(seed)
    A = rng.integers(-3, 4, size=(size, size)).astype(float)
    A += A.T
    values, vectors = eigenpairs(A - eigenpairs(A)[0][-1] * np.eye(size))  # the smallest eigenvalue becomes 0
    B = np.sqrt(np.maximum(values, 0))[:, None] * vectors.T
    assert B.T @ B == pytest.approx(vectors * values @ vectors.T, abs=1e-9)
    assert is_positive_semidefinite(B.T @ B)


@pytest.mark.claim("thm-toolkit-frobenius")
@given(matrices)
def test_the_frobenius_norm_is_between_the_spectral_norm_and_its_multiple_by_the_root_of_the_rank(A):
    spectral = induced_norm(A, 2)
    assert spectral <= frobenius(A) * (1 + 1e-12)
    assert frobenius(A) <= np.sqrt(np.linalg.matrix_rank(A)) * spectral * (1 + 1e-9)
    turn = np.linalg.qr(np.vander(np.arange(1.0, len(A) + 1)))[0]
    assert frobenius(turn @ A) == pytest.approx(frobenius(A))


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: pnorm([1.0], -1), "p must be at least 0, got -1"),
        (lambda: pnorm([1.0], math.nan), "p must be at least 0, got nan"),
        (lambda: pnorm([1.0], None), "p must be at least 0, got None"),
        (lambda: pnorm([1.0, 1.0], 1e-5), "p must be larger for a vector of 2 entries, got 1e-05"),
        (lambda: quadratic_form(np.eye(2), [1e200, 1.0]), "v must be small enough"),
        (lambda: pnorm([[1.0]], 2), "x must be a vector"),
        (lambda: pnorm([1j], 2), "real numbers"),
        (lambda: induced_norm([[1.0]], 3), "p must be 1, 2 or inf, got 3"),
        (lambda: frobenius([[np.inf]]), "A must be finite"),
        (lambda: eigenpairs([[1.0, 2.0], [3.0, 4.0]]), "A must be symmetric"),
        (lambda: eigenpairs([[1.0, 2.0]]), "A must be square"),
        (lambda: rayleigh_quotient(np.eye(2), [0.0, 0.0]), "v must not be the zero vector"),
        (lambda: gram_schmidt([[1.0, 2.0], [2.0, 4.0]]), "independent columns, got column 1"),
        (lambda: quadratic_form(np.eye(2), [1.0]), "v must have 2 entries, got 1"),
    ],
)
def test_bad_arguments_are_refused_in_words(call, complaint):
    with pytest.raises(ValueError, match=complaint):
        call()
