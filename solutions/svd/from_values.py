"""Tasks on what singular values say about a matrix."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import N_POINTS, Array, sample_points
from solutions.signs import with_both_signs


@task.sym(
    points=1, minutes=5, see="eq-svd-truncation-error", parts=("the spectral error", "the Frobenius error")
)
def two_errors(a: Array, b: Array, c: Array) -> Array:
    """σ₂ and √(σ₂² + σ₃²) (eq-svd-truncation-error)."""
    return np.column_stack([b, np.hypot(b, c)])


@two_errors.draw
def draw_two_errors(rng: np.random.Generator) -> task.Cases:
    """Three singular values a > b > c > 0."""
    return {"at sample points": sample_points(rng, a=(5.0, 9.0), b=(2.5, 4.0), c=(0.5, 1.5))}


@two_errors.wrong(
    "Two right formulas in the wrong order: which norm asks only for the largest stretch?",
    see="eq-svd-norms",
    credit=0.5,
)
def swapped_the_norms(a: Array, b: Array, c: Array) -> Array:
    """The Frobenius error first."""
    return np.column_stack([np.hypot(b, c), b])


@two_errors.wrong(
    "The Frobenius error is right. The spectral error is the largest stretch of what is left over, and the largest "
    "term is not left over.",
    credit=0.5,
)
def gave_the_kept_value(a: Array, b: Array, c: Array) -> Array:
    """σ_k for the spectral error."""
    return np.column_stack([a, np.hypot(b, c)])


@two_errors.wrong(
    "The spectral error is right. Double the matrix: your second error grows fourfold, but a length should double.",
    see="eq-svd-norms",
    credit=0.5,
)
def forgot_the_root(a: Array, b: Array, c: Array) -> Array:
    """The sum of squares as Frobenius error."""
    return np.column_stack([b, b**2 + c**2])


@two_errors.wrong(
    "The spectral error is right. The discarded terms are at right angles to each other: how do lengths add then?",
    see="thm-svd-norms",
    credit=0.5,
)
def added_singular_values(a: Array, b: Array, c: Array) -> Array:
    """σ₂ + σ₃."""
    return np.column_stack([b, b + c])


@two_errors.wrong(
    "These are the errors of an approximation that keeps one term too many.", see="eq-svd-truncation"
)
def cut_after_two(a: Array, b: Array, c: Array) -> Array:
    """The errors of rank two."""
    return np.column_stack([c, c])


@two_errors.also
def by_norms(a: Array, b: Array, c: Array) -> Array:
    """Both norms of diag(0, b, c) at each point."""
    left = [np.diag([0.0, y, z]) for y, z in zip(b, c, strict=True)]
    return np.array([[np.linalg.norm(M, 2), np.linalg.norm(M)] for M in left])


@task.sym(points=2, minutes=10, see="thm-svd-norms", parts=("σ₁² + σ₂²", "σ₁σ₂"))
def norm_and_volume(a: Array, b: Array, c: Array, d: Array) -> Array:
    """‖A‖_F² and |det A| (thm-svd-norms)."""
    return np.column_stack([a**2 + b**2 + c**2 + d**2, np.abs(a * d - b * c)])


@norm_and_volume.draw
def draw_norm_and_volume(rng: np.random.Generator) -> task.Cases:
    """Four entries of both signs, as those of the determinant, which the sign of ad decides."""
    a, d = np.round(rng.uniform(2.5, 4.0, (2, N_POINTS)), 3)
    b, c = np.round(rng.uniform(0.5, 1.5, (2, N_POINTS)), 3)
    return {"at sample points": with_both_signs(rng, {"a": a, "b": b, "c": c, "d": d}, *"abcd")}


@norm_and_volume.wrong(
    "The sum is right. Try your product on the matrix that exchanges the two axes: can a product of singular values "
    "come out like that?",
    see="eq-svd-order",
    credit=0.5,
)
def forgot_the_modulus(a: Array, b: Array, c: Array, d: Array) -> Array:
    """det A as it is."""
    return np.column_stack([a**2 + b**2 + c**2 + d**2, a * d - b * c])


@norm_and_volume.wrong(
    "The product is right. The sum belongs to the eigenvalues of A, which are not its singular values unless A is "
    "special. Which matrix has the squares as eigenvalues?",
    see="thm-svd-two-products",
    credit=0.5,
)
def took_eigenvalues_of_a(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Squares of the eigenvalues of A: (tr A)² − 2 det A."""
    det = a * d - b * c
    return np.column_stack([(a + d) ** 2 - 2 * det, np.abs(det)])


@norm_and_volume.wrong(
    "The sum is right. The determinant of AᵀA is the product of the squares; one step is left.", credit=0.5
)
def gave_the_squared_product(a: Array, b: Array, c: Array, d: Array) -> Array:
    """σ₁²σ₂²."""
    return np.column_stack([a**2 + b**2 + c**2 + d**2, (a * d - b * c) ** 2])


@norm_and_volume.wrong(
    "The product is right. You give the Frobenius norm itself, but were asked for the sum of squares.",
    see="eq-svd-norms-values",
    credit=0.5,
)
def took_the_root_of_the_sum(a: Array, b: Array, c: Array, d: Array) -> Array:
    """‖A‖_F instead of its square."""
    return np.column_stack([np.sqrt(a**2 + b**2 + c**2 + d**2), np.abs(a * d - b * c)])


@norm_and_volume.wrong(
    "These are trace and determinant of A. Singular values come from another matrix: take its trace and its "
    "determinant.",
    see="thm-svd-two-products",
)
def gave_trace_and_determinant(a: Array, b: Array, c: Array, d: Array) -> Array:
    """tr A and det A."""
    return np.column_stack([a + d, a * d - b * c])


@norm_and_volume.also
def by_decomposition(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Singular values at each point."""
    matrices = np.stack([np.stack([a, b], axis=-1), np.stack([c, d], axis=-1)], axis=-2)
    sigma = np.linalg.svd(matrices, compute_uv=False)
    return np.column_stack([np.sum(sigma**2, axis=1), np.prod(sigma, axis=1)])
