"""Task `double_centre`: the Gram matrix that a table of distances implies."""

import numpy as np

from autograder.authoring import task
from dimred_ref.classical_mds import double_centred
from solutions.classical_mds.numbers import random_table, table_of
from solutions.credits import FACTOR_OF_TWO
from solutions.numbers import Array, cloud


@task.code(points=1, minutes=6, see="eq-classical-mds-gram")
def double_centre(distances: Array) -> Array:
    """−½ J Δ⁽²⁾ J (eq-classical-mds-gram)."""
    return double_centred(np.asarray(distances, dtype=float) ** 2)


@double_centre.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Points of space, of a line, and a table that is nobody's distances."""
    return {
        "five points of space": {"distances": table_of(cloud(rng, 5, (4.0, 2.0, 1.0), (1.0, 2.0, 3.0)))},
        "three points of a line": {"distances": table_of(rng.uniform(-5, 5, size=(3, 1)))},
        "a table of whole numbers": {"distances": random_table(rng, 6)},
    }


@double_centre.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Two points, equal points, other units, an integer array."""
    X = cloud(rng, 5, (4.0, 2.0, 1.0), (1.0, 2.0, 3.0))
    return {
        "two points": {"distances": np.array([[0.0, 3.0], [3.0, 0.0]])},
        "a repeated point": {"distances": table_of(X[[0, 0, 1, 2]])},
        "small units": {"distances": table_of(X) * 1e-6},
        "large units": {"distances": table_of(X) * 1e6},
        "integers": {"distances": np.array([[0, 1, 2, 1], [1, 0, 1, 2], [2, 1, 0, 1], [1, 2, 1, 0]])},
    }


@double_centre.wrong(
    "This is the Gram matrix of points whose squared distances are the entries of the table. The law of cosines is "
    "about squares.",
    see="sec-classical-mds-products",
)
def forgot_to_square(distances: Array) -> Array:
    """The recipe on the distances themselves."""
    return double_centred(distances)


@double_centre.wrong(
    "The columns of your matrix sum to zero, its rows do not; a matrix of dot products is symmetric.",
    see="eq-classical-mds-double-centring",
)
def centred_the_columns_only(distances: Array) -> Array:
    """−½ J Δ⁽²⁾."""
    squared = distances**2
    return -(squared - squared.mean(axis=0)) / 2


@double_centre.wrong(
    "The rows of your matrix sum to zero, its columns do not; a matrix of dot products is symmetric.",
    see="eq-classical-mds-double-centring",
)
def centred_the_rows_only(distances: Array) -> Array:
    """−½ Δ⁽²⁾ J."""
    return centred_the_columns_only(distances).T


@double_centre.wrong(
    "One number was subtracted from all entries, so only their total is zero. Each row and each column should sum to "
    "zero.",
    see="eq-classical-mds-double-centring",
)
def subtracted_one_number(distances: Array) -> Array:
    """The mean of all squares only."""
    squared = distances**2
    return -(squared - squared.mean()) / 2


@double_centre.wrong(
    "All rows of your matrix have the same sum, and it is not zero: with the means of row and column something was "
    "taken off twice.",
    see="eq-classical-mds-double-centring",
)
def forgot_the_grand_mean(distances: Array) -> Array:
    """Nothing added back."""
    return double_centre(distances) + (distances**2).mean() / 2


@double_centre.wrong(
    "Every entry is twice as large as it should be: compare the factor of the dot product in the law of cosines.",
    see="eq-classical-mds-law",
    credit=FACTOR_OF_TWO,
)
def forgot_the_half(distances: Array) -> Array:
    """−J Δ⁽²⁾ J."""
    return 2 * double_centre(distances)


@double_centre.wrong(
    "Every entry has the opposite sign: squared lengths stand on the diagonal of a Gram matrix.",
    see="eq-classical-mds-law",
)
def lost_the_sign(distances: Array) -> Array:
    """½ J Δ⁽²⁾ J."""
    return -double_centre(distances)


@double_centre.wrong(
    "These are the dot products with the last point as the origin. Here the origin is the mean.",
    see="eq-classical-mds-base",
)
def took_the_last_point_for_the_origin(distances: Array) -> Array:
    """Dot products about the last point."""
    squared = distances**2
    return (squared[:, [-1]] + squared[[-1], :] - squared) / 2


@double_centre.wrong(
    "These are the dot products with the first point as the origin. Here the origin is the mean.",
    see="eq-classical-mds-base",
)
def took_the_first_point_for_the_origin(distances: Array) -> Array:
    """Dot products about the first point."""
    squared = distances**2
    return (squared[:, [0]] + squared[[0], :] - squared) / 2


@double_centre.wrong(
    "The table was multiplied by itself as a matrix. Δ⁽²⁾ holds the square of each entry by itself.",
    see="eq-classical-mds-gram",
)
def squared_it_as_a_matrix(distances: Array) -> Array:
    """Δ @ Δ in the place of Δ⁽²⁾."""
    return double_centred(distances @ distances)


@double_centre.wrong(
    "Right for Euclidean tables. Negative eigenvalues were removed; the formula holds for any table, and they belong "
    "to its G.",
    see="eq-classical-mds-gram",
)
def removed_negative_eigenvalues(distances: Array) -> Array:
    """The nearest matrix without negative eigenvalues."""
    values, vectors = np.linalg.eigh(double_centre(distances))
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)


@double_centre.also
def by_the_centring_matrix(distances: Array) -> Array:
    """With J written out."""
    N = len(distances)
    J = np.eye(N) - np.ones((N, N)) / N
    return -0.5 * J @ (distances * distances) @ J


@double_centre.also
def in_two_steps(distances: Array) -> Array:
    """Subtract the means of columns, then of the rows of what is left."""
    squared = np.asarray(distances, dtype=float) ** 2
    half = squared - squared.mean(axis=0)
    return -(half - half.mean(axis=1)[:, None]) / 2
