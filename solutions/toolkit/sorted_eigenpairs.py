"""Task `sorted_eigenpairs`: eigenvalues in descending order, each with its own eigenvector."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_absolute_value, up_to_column_signs
from dimred_ref.toolkit import eigenpairs
from solutions.toolkit.numbers import Array, one_of, symmetric_with

Answer = tuple[Array, Array]
# three: the eigenvectors of a table of two rows may be the same in rows and columns, if the library's signs are so
POSITIVE = ((9.0, 5.0, 2.0), (8.0, 4.0, 1.0), (10.0, 6.0, 3.0))
ONE_NEGATIVE = ((6.0, 2.0, -9.0), (7.0, 3.0, -5.0), (5.0, 1.0, -8.0))
TWO_NEGATIVE = ((8.0, 3.0, -1.5, -6.0), (7.0, 2.0, -4.0, -10.0), (9.0, 4.0, -2.0, -6.0))


@task.code(
    points=2,
    minutes=8,
    see="eq-toolkit-eigenpairs",
    same=(exactly, up_to_column_signs),
    parts=("the eigenvalues", "the eigenvectors"),
)
def sorted_eigenpairs(A: Array) -> Answer:
    """λ₁ ≥ λ₂ ≥ … and orthonormal columns (eq-toolkit-eigenpairs)."""
    return eigenpairs(A)


@sorted_eigenpairs.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """No, one, and two negative eigenvalues, some of them large in modulus."""
    return {
        "no negative eigenvalue": {"A": symmetric_with(rng, one_of(rng, POSITIVE))},
        "one negative eigenvalue, in a tiny unit": {
            "A": 1e-8 * symmetric_with(rng, one_of(rng, ONE_NEGATIVE))
        },
        "two negative eigenvalues": {"A": symmetric_with(rng, one_of(rng, TWO_NEGATIVE))},
    }


@sorted_eigenpairs.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One entry, whole numbers, five eigenvalues, none positive, a zero, a large unit."""
    A = symmetric_with(rng, (7.0, 3.0, 0.0, -2.0, -6.0))
    return {
        "one entry": {"A": np.array([[-3.0]])},
        "whole numbers": {"A": np.array([[2, 1, 0], [1, -3, 2], [0, 2, 5]])},
        "five eigenvalues": {"A": A},
        "none positive": {"A": symmetric_with(rng, (-1.0, -4.0, -9.0))},
        "a diagonal matrix": {"A": np.diag([2.0, 7.0, -3.0])},
        "a large unit": {"A": 1e6 * A},
    }


@sorted_eigenpairs.ill_posed
def is_ill_posed(A: Array) -> str | None:
    """Nearly equal eigenvalues leave their eigenvectors free."""
    values = eigenpairs(A)[0]
    gap = float(np.min(-np.diff(values)))
    return "two eigenvalues are nearly equal" if gap < 0.1 * np.abs(values).max() else None


@sorted_eigenpairs.wrong("Right pairs in the wrong order: the smallest eigenvalue comes first.", credit=0.5)
def left_them_ascending(A: Array) -> Answer:
    """As numpy returns them."""
    values, vectors = sorted_eigenpairs(A)
    return values[::-1], vectors[:, ::-1]


@sorted_eigenpairs.wrong(
    "The eigenvalues are in order, but their vectors stayed behind. Multiply A by your first column and compare."
)
def sorted_the_values_only(A: Array) -> Answer:
    """Descending values beside ascending vectors."""
    values, vectors = sorted_eigenpairs(A)
    return values, vectors[:, ::-1]


@sorted_eigenpairs.wrong("Right as long as no eigenvalue is negative. Which is larger, 2 or −9?")
def sorted_by_modulus(A: Array) -> Answer:
    """The largest modulus first."""
    values, vectors = sorted_eigenpairs(A)
    order = np.argsort(-np.abs(values))
    return values[order], vectors[:, order]


@sorted_eigenpairs.wrong(
    "The eigenvalues are right. The eigenvectors should be the columns of what you return; check with A times the "
    "first column.",
    see="eq-toolkit-decomposition",
    same=(exactly, up_to_absolute_value),
)
def took_rows_for_vectors(A: Array) -> Answer:
    """The transpose of the matrix of eigenvectors."""
    values, vectors = sorted_eigenpairs(A)
    return values, vectors.T


@sorted_eigenpairs.wrong(
    "The eigenvalues are right. In reordering the vectors you also turned each of them upside down: which axis of the "
    "array counts the vectors?",
    see="eq-toolkit-decomposition",
)
def turned_the_rows_round(A: Array) -> Answer:
    """vectors[::-1] where vectors[:, ::-1] was meant."""
    values, vectors = sorted_eigenpairs(A)
    return values, vectors[::-1, ::-1]


@sorted_eigenpairs.wrong(
    "These are singular values and singular vectors. They agree with eigenpairs as long as no eigenvalue is negative."
)
def gave_singular_values(A: Array) -> Answer:
    """|λ|, sorted, and the vectors that belong to them."""
    values, vectors = sorted_eigenpairs(A)
    order = np.argsort(-np.abs(values))
    return np.abs(values[order]), vectors[:, order]


@sorted_eigenpairs.also
def by_general_eig(A: Array) -> Answer:
    """The solver for any matrix, sorted by hand."""
    values, vectors = np.linalg.eig(A)
    order = np.argsort(-values.real)
    return values.real[order], vectors.real[:, order]


@sorted_eigenpairs.also
def of_the_negative(A: Array) -> Answer:
    """Ascending eigenvalues of −A are descending ones of A."""
    values, vectors = np.linalg.eigh(-A)
    return -values, vectors


@sorted_eigenpairs.also
def by_deflation(A: Array) -> Answer:
    """Shift, find the top pair by an SVD, remove it, and go on."""
    shift = float(np.linalg.norm(A))
    rest, values, vectors = A + shift * np.eye(len(A)), [], []
    for _ in A:
        v = np.linalg.svd(rest)[2][0]
        value = float(v @ rest @ v)
        rest = rest - value * np.outer(v, v)
        values.append(value - shift)
        vectors.append(v)
    return np.array(values), np.column_stack(vectors)


sorted_eigenpairs.announces(
    "may be negative", "two negative eigenvalues", lambda A: np.sum(np.linalg.eigvalsh(A) < 0) == 2
)
