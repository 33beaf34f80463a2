"""Tasks on small singular values and rounding."""

import numpy as np
import scipy.linalg

from autograder.authoring import task
from dimred_ref.svd import thin_svd
from solutions.numbers import Array, in_both_orders, one_of, sample_points
from solutions.svd.numbers import whole_matrix

VISIBLE = 1e-14  # of the largest eigenvalue: below it an eigenvalue of a product is noise, whatever its sign


@task.code(points=2, minutes=10, see="thm-svd-squaring-loses-digits", tolerance=1e-4)
def smallest_value(A: Array) -> float:
    """The last singular value of A itself (thm-svd-squaring-loses-digits)."""
    return float(thin_svd(A).singular_values[-1])


@smallest_value.draw
def draw_smallest_value(rng: np.random.Generator) -> task.Cases:
    """Two ordinary matrices, and two whose smallest singular value is real but far below the largest."""
    tiny, large = np.round(rng.uniform(3, 9), 1) * 1e-9, float(one_of(rng, (2.0, 3.0, 4.0)))
    ordinary = whole_matrix(rng, one_of(rng, ((5, 3), (4, 3), (6, 3))), 3) / 4
    columns = np.vstack([np.full(3, 1.0), np.round(rng.uniform(2, 4), 1) * 1e-9 * np.eye(3)])
    mirror = (
        np.eye(4) - 0.5
    )  # orthogonal, with exact entries: it makes the matrix dense, so single precision fails
    return {
        "an ordinary matrix": {"A": ordinary[[0, *range(len(ordinary))]]},  # its first row twice
        "a square matrix": {"A": whole_matrix(rng, (3, 3), 3)},
        "two columns that nearly agree": {
            "A": np.array([[large, large, 0], [large * tiny, 0, 0], [0, large * tiny, 0], [0, 0, 1]])
        },  # with a third, so that the second value is not the largest
        "three rows that nearly agree": {"A": -columns.T @ mirror},
    }


@smallest_value.hard
def hard_smallest_value(rng: np.random.Generator) -> task.Cases:
    """One row, one column, wide, integers, other units."""
    return {
        "one row": {"A": np.array([[2.0, -1.0, 0.5]])},
        "one column": {"A": np.array([[-2.0], [0.25], [1.0]])},
        "a wide matrix": {"A": whole_matrix(rng, (3, 5), 3)},
        "integers": {"A": whole_matrix(rng, (4, 3), 3).astype(int)},
        "small units": {"A": 1e-6 * whole_matrix(rng, (4, 2), 2)},
        "large units": {"A": 1e6 * whole_matrix(rng, (4, 2), 2)},
    }


@smallest_value.wrong(
    "Right for an ordinary matrix. Where columns nearly agree, the small value is lost: was the matrix squared, stored "
    "in fewer digits, or the answer rounded? Of 1 + x² nothing but 1 is left for x = 1e-9.",
)
def squared_the_matrix(A: Array) -> float:
    """√λ of the product, which is zero but for noise when σ is below 1e-8 of the largest."""
    lam = np.linalg.eigvalsh(A.T @ A)
    return float(np.sqrt(lam[0])) if lam[0] > VISIBLE * lam[-1] else 0.0


@smallest_value.wrong("This is the largest stretch, not the smallest.", see="eq-svd-order")
def gave_the_largest(A: Array) -> float:
    """σ₁."""
    return float(thin_svd(A).singular_values[0])


@smallest_value.wrong(
    "This is an eigenvalue of a product. How is it related to the singular value?", see="eq-svd-thin-products"
)
def gave_the_square(A: Array) -> float:
    """σ²."""
    return smallest_value(A) ** 2


@smallest_value.wrong(
    "Your answer does not change when the whole matrix is doubled. A singular value doubles.",
    see="eq-svd-pairs",
)
def gave_the_ratio(A: Array) -> float:
    """σ_min/σ₁, the reciprocal of the condition number."""
    sigma = thin_svd(A).singular_values
    return float(sigma[-1] / sigma[0])


@smallest_value.wrong(
    "The smaller the matrix, the larger your answer. It should be the other way round.", see="eq-svd-pairs"
)
def inverted_it(A: Array) -> float:
    """1/σ_min, the norm of the pseudo-inverse."""
    return 1 / smallest_value(A)


@smallest_value.also
def by_scipy(A: Array) -> float:
    """The library."""
    return float(scipy.linalg.svdvals(A).min())


@smallest_value.also
def after_a_qr_step(A: Array) -> float:
    """Triangular first, then the decomposition of the small triangle."""
    tall = A if A.shape[0] >= A.shape[1] else A.T
    return float(np.linalg.svd(np.linalg.qr(tall)[1], compute_uv=False)[-1])


@smallest_value.must_fail
def took_entries_for_positive(A: Array) -> float:
    """|A| in the place of A."""
    return smallest_value(np.abs(A))


@task.sym(points=2, minutes=8, see="eq-svd-lauchli", parts=("σ₁", "σ₂"))
def lauchli_values(p: Array, q: Array) -> Array:
    """√(2p² + q²) and q (eq-svd-lauchli)."""
    return np.column_stack([np.sqrt(2 * p**2 + q**2), q])


@lauchli_values.draw
def draw_lauchli_values(rng: np.random.Generator) -> task.Cases:
    """A large p and a small q."""
    return {"at sample points": in_both_orders(sample_points(rng, p=(2.0, 5.0), q=(0.3, 1.2)), "p", "q")}


@lauchli_values.wrong(
    "These are the eigenvalues of AᵀA. What has to be done to both of them?",
    see="eq-svd-thin-products",
    credit=0.5,
)
def gave_the_squares(p: Array, q: Array) -> Array:
    """The eigenvalues of AᵀA."""
    return np.column_stack([2 * p**2 + q**2, q**2])


@lauchli_values.wrong(
    "The first is right. The second still is an eigenvalue of the product.",
    see="eq-svd-thin-products",
    credit=0.5,
)
def rooted_only_the_first(p: Array, q: Array) -> Array:
    """√λ₁ beside λ₂."""
    return np.column_stack([np.sqrt(2 * p**2 + q**2), q**2])


@lauchli_values.wrong(
    "Both formulas are right; by definition they come in the other order.", see="eq-svd-order", credit=0.5
)
def listed_the_smaller_first(p: Array, q: Array) -> Array:
    """Ascending."""
    return lauchli_values(p, q)[:, ::-1]


@lauchli_values.wrong(
    "You let q² vanish beside p², as rounding does. On paper nothing is lost: keep it.",
    see="thm-svd-squaring-loses-digits",
)
def dropped_the_small_terms(p: Array, q: Array) -> Array:
    """What a computer stores when q² is lost: p√2 and 0."""
    return np.column_stack([np.sqrt(2) * p, 0 * q])


@lauchli_values.wrong(
    "The columns have these lengths, but they are not at a right angle: AᵀA is not diagonal.",
    see="thm-svd-two-products",
)
def took_the_lengths_of_the_columns(p: Array, q: Array) -> Array:
    """√(p² + q²) twice."""
    return np.column_stack([np.hypot(p, q), np.hypot(p, q)])


@lauchli_values.wrong("The second value is right. The root of a sum is not the sum of the roots.")
def rooted_each_term(p: Array, q: Array) -> Array:
    """√2 p + q for σ₁."""
    return np.column_stack([np.sqrt(2) * p + q, q])


@lauchli_values.wrong(
    "The first value is right. The columns are not multiples of each other, so the second is not zero."
)
def took_it_for_rank_one(p: Array, q: Array) -> Array:
    """0 for σ₂."""
    return lauchli_values(p, q) * [1, 0]


@lauchli_values.wrong(
    "The second value is right. This is the Frobenius norm, in which both singular values stand."
)
def counted_q_twice(p: Array, q: Array) -> Array:
    """√(2p² + 2q²) for σ₁, the Frobenius norm."""
    return np.column_stack([np.sqrt(2 * p**2 + 2 * q**2), q])


@lauchli_values.also
def by_decomposition(p: Array, q: Array) -> Array:
    """Singular values at each point."""
    matrices = [np.array([[x, x], [y, 0], [0, y]]) for x, y in zip(p, q, strict=True)]
    return np.array([np.linalg.svd(A, compute_uv=False) for A in matrices])
