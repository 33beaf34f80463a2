"""Quick questions on the singular value decomposition."""

import numpy as np

from autograder.authoring import question
from autograder.authoring.task import Cases
from autograder.judging.sameness import up_to_sign
from solutions.numbers import Array
from solutions.svd.dimensions import (
    counted_every_value_as_rank,
    counted_only_vanishing_values,
    dimensions,
    swapped_the_null_spaces,
    took_rows_and_columns_for_spaces,
)


def _matrix(rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    A = rng.normal(size=(4, 3))
    U, sigma, Vt = np.linalg.svd(A, full_matrices=False)
    return A, U, sigma, Vt


def _values(A: Array) -> Array:
    return np.linalg.svd(A, compute_uv=False)


@question.choice(
    "Changes that singular values do not see",
    "After which of these changes has every matrix $A$ the same singular values as before?",
    see="thm-svd-uniqueness",
    several=True,
    explanation="A transpose exchanges U and V; orthogonal factors on either side, such as signs and permutations, "
    "go into U or V.",
)
def keeps_the_values(B: Array, A: Array) -> bool:
    """Compare singular values."""
    return bool(np.allclose(_values(B), _values(A)))


@keeps_the_values.draw
def draw_keeps(rng: np.random.Generator) -> dict[str, Array]:
    """A matrix without symmetry."""
    return {"A": rng.normal(size=(4, 3))}


@keeps_the_values.right("$A$ is transposed.")
def transposed(A: Array) -> Array:
    """The transpose."""
    return A.T


@keeps_the_values.right("Two rows of $A$ trade places.")
def exchanged_rows(A: Array) -> Array:
    """A permutation from the left."""
    return A[[1, 0, 2, 3]]


@keeps_the_values.right("One column of $A$ changes its sign.")
def changed_a_sign(A: Array) -> Array:
    """An orthogonal diagonal matrix from the right."""
    return A * np.array([1, -1, 1])


@keeps_the_values.wrong(
    "Adding rows keeps determinants, not lengths. What does it do to the sum of squares of all entries?",
    "The first row is added to the second.",
)
def added_a_row(A: Array) -> Array:
    """A shear from the left."""
    return A + np.outer([0, 1, 0, 0], A[0])


@keeps_the_values.wrong(
    "Centring is a projection, and a projection shortens vectors.", "From each column its mean is subtracted."
)
def centred(A: Array) -> Array:
    """A projection from the left."""
    return A - A.mean(axis=0)


four_spaces = question.predict(
    "Four subspaces",
    "A ${{ m }}\\times{{ n }}$ matrix has the singular values ${{ singular_values }}$. Which are the dimensions of "
    "its column space, left null space, row space and null space, in this order?",
    of=dimensions,
    among=(
        counted_only_vanishing_values,
        swapped_the_null_spaces,
        counted_every_value_as_rank,
        took_rows_and_columns_for_spaces,
    ),
    see="thm-svd-subspaces",
)

two_products = question.proof(
    "Why the right vectors are eigenvectors",
    r"Let $A=U\Sigma V^\top$ be a thin decomposition. Put the steps in order that prove $A^\top Av_k=\sigma_k^2v_k$.",
    see="thm-svd-two-products",
)
two_products.step(
    "insert",
    r"Put the decomposition in: $A^\top A=V\Sigma U^\top U\Sigma V^\top$.",
    true=lambda rng: (lambda A, U, s, Vt: np.allclose(A.T @ A, Vt.T * s @ U.T @ U * s @ Vt))(*_matrix(rng)),
)
two_products.step(
    "cancel",
    r"The columns of $U$ are orthonormal, so $A^\top A=V\Sigma^2V^\top$.",
    after=("insert",),
    true=lambda rng: (lambda A, U, s, Vt: np.allclose(A.T @ A, Vt.T * s**2 @ Vt))(*_matrix(rng)),
)
two_products.step(
    "apply", r"Apply this to $v_k$. Because $V^\top v_k=e_k$, it gives $V\Sigma^2e_k$.", after=("cancel",)
)
two_products.step(
    "read", r"This is $\sigma_k^2$ times column $k$ of $V$, which is $\sigma_k^2v_k$.", after=("apply",)
)
two_products.wrong_step(
    r"Put the decomposition in: $A^\top A=U\Sigma V^\top V\Sigma U^\top$.",
    "This is the other product. What is the transpose of a product?",
    false=lambda rng: (lambda A, U, s, Vt: (U * s @ Vt @ Vt.T * s @ U.T).shape == (A.T @ A).shape)(
        *_matrix(rng)
    ),
    name="made_the_other_product",
)
two_products.wrong_step(
    r"The columns of $U$ are orthonormal, so $A^\top A=V\Sigma V^\top$.",
    "There are two factors of singular values, one from each side.",
    false=lambda rng: (lambda A, U, s, Vt: np.allclose(A.T @ A, Vt.T * s @ Vt))(*_matrix(rng)),
    name="forgot_to_square",
)


@question.order(
    "The projection onto the row space",
    "A function `row_part(A, x)` shall return the part of `x` in the row space of `A`, whatever its rank. Choose "
    "four lines of its body and order them.",
    see="thm-svd-subspaces",
)
def row_part(A: Array, x: Array) -> Array:
    """V_r V_rᵀ x."""
    sigma, Vt = np.linalg.svd(A)[1:]
    rank = np.sum(sigma > 1e-10 * sigma[0])
    basis = Vt[:rank]
    return basis.T @ (basis @ x)


@row_part.draw
def draw_row_part(rng: np.random.Generator) -> Cases:
    """A wide matrix of full rank, and a tall one of rank one."""
    return {
        "wide": {"A": rng.normal(size=(2, 4)), "x": rng.normal(size=4)},
        "rank one": {"A": np.outer(rng.normal(size=4), rng.normal(size=3)), "x": rng.normal(size=3)},
    }


row_part.wrong_line(
    "rank = len(sigma)",
    "Some singular values may be zero. Those do not count for the rank.",
    name="counted_every_value_as_rank",
)
row_part.wrong_line(
    "basis = Vt[rank:]", "These rows span what the matrix sends to zero.", name="took_the_null_space"
)
row_part.wrong_line(
    "basis = Vt[:, :rank]", "The transposed factor has the vectors in its rows.", name="took_columns_for_rows"
)


@question.fault(
    "The spectral norm",
    "The function shall return the largest factor by which `A` stretches a vector.",
    see="thm-svd-norms",
)
def largest_stretch(A):
    """The first singular value."""
    values = np.linalg.svd(A, compute_uv=False)
    return values[0]


@largest_stretch.shown("How many positive singular values does each matrix of the tests have?")
def frobenius_norm(A):
    """Right for rank one."""
    values = np.linalg.svd(A, compute_uv=False)
    return np.linalg.norm(values)


@largest_stretch.valid
def any_matrix(A):
    """Any matrix."""
    return None


largest_stretch.passes(
    {"A": np.array([[3.0, 4]])}, {"A": np.array([[1.0, 2], [2, 4]])}, {"A": np.array([[0.0, 0], [0, -5]])}
)
largest_stretch.hides(
    {"A": np.array([[7.0]])}, {"A": np.array([[1.0, 1], [1, 1]])}, {"A": np.array([[2.0], [0], [1]])}
)
largest_stretch.reveals({"A": np.array([[1.0, 0], [0, 1]])}, {"A": np.array([[3.0, 0], [0, 4]])})


@question.fault(
    "A left singular vector",
    "`v` is a unit right singular vector of `A` for a singular value that is not zero. The function shall return the "
    "left one.",
    see="eq-svd-pairs",
    same=up_to_sign,
)
def left_vector(A, v):
    """Av/σ."""
    image = A @ v
    return image / np.linalg.norm(image)


@left_vector.shown("How long is A v in each test?")
def forgot_to_divide(A, v):
    """Right for singular value one."""
    image = A @ v
    return image / np.linalg.norm(v)


@left_vector.valid
def is_singular_vector(A, v):
    """An eigenvector of AᵀA of length one."""
    if A.shape[1] != len(v) or abs(np.linalg.norm(v) - 1) > 1e-6:
        return "v must be a unit vector with an entry for each column of A"
    image = A.T @ (A @ v)
    value = v @ image
    if value < 1e-9:
        return "the singular value must not be zero"
    return None if np.allclose(image, value * v, atol=1e-6) else "v must be a right singular vector of A"


left_vector.passes(
    {"A": np.array([[1.0, 0], [0, 3]]), "v": np.array([1.0, 0])},
    {"A": np.array([[0.0, 1], [1, 0]]), "v": np.array([0.6, 0.8])},
    {"A": np.array([[0.6], [0.8]]), "v": np.array([1.0])},
)
left_vector.hides(
    {"A": np.array([[-1.0]]), "v": np.array([1.0])},
    {"A": np.array([[5.0, 0], [0, 1]]), "v": np.array([0.0, 1])},
)
left_vector.reveals(
    {"A": np.array([[2.0]]), "v": np.array([1.0])},
    {"A": np.array([[1.0, 0], [0, 3]]), "v": np.array([0.0, 1])},
)
