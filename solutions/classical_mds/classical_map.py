"""Task `classical_map`: the best map in so many dimensions, of any table of distances."""

from collections.abc import Callable

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_rigid_motion
from dimred_ref.classical_mds import classical_mds, double_centred, gram_spectrum
from solutions.classical_mds.double_centre import double_centre
from solutions.classical_mds.numbers import (
    pairs_by_value,
    random_table,
    table_of,
    unclear_cut,
    with_fixed_signs,
)
from solutions.credits import FACTOR_OF_TWO, UNIT_LENGTH
from solutions.numbers import Array, cloud, one_of
from solutions.real_data import some_airports

# four stations on a ring, legs of length a and b in turn: eigenvalues a(a + b), b(a + b), 0, −ab
LEGS = ((3, 1), (5, 2), (2, 1), (4, 1), (5, 3))


@task.code(points=3, minutes=15, see="thm-classical-mds-optimal", same=up_to_rigid_motion, picture="points")
def classical_map(distances: Array, n_components: int) -> Array:
    """√λ⁺ v (eq-classical-mds-embedding, thm-classical-mds-optimal)."""
    spectrum = gram_spectrum(distances)
    n_positive = int(np.sum(spectrum[:n_components] > 1e-9 * spectrum[0]))
    Y = classical_mds(distances, n_positive).embedding
    return np.column_stack([with_fixed_signs(Y), np.zeros((len(Y), n_components - n_positive))])


@classical_map.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Real airports on a plane, a line kept whole, a table with negative eigenvalues, and too many dimensions."""
    plane = cloud(rng, 5, (5.0, 1.5), (3.0, -2.0))
    return {
        "airports, on a plane": {"distances": _airports(rng), "n_components": 2},
        "points of a plane, on a line, in small units": {
            "distances": table_of(plane) * 1e-6,
            "n_components": 1,
        },
        "whole numbers that are nobody's distances": {
            "distances": _largest_is_negative(rng),
            "n_components": 2,
        },
        "more dimensions than positive eigenvalues": {
            "distances": _ring(rng),
            "n_components": 4,
        },
    }


def _airports(rng: np.random.Generator) -> Array:
    """Great-circle distances of some airports, in thousands of kilometres: nearly, but not quite, Euclidean."""
    while True:
        table = some_airports(rng, 12)[1]
        if not unclear_cut(table, 2) and not has_a_tie(table, 2):
            return table


def _ring(rng: np.random.Generator) -> Array:
    a, b = one_of(rng, LEGS)
    table = np.array([[0.0, a, a + b, b], [a, 0, b, a + b], [a + b, b, 0, a], [b, a + b, a, 0]])
    order = rng.permutation(4)
    return float(rng.integers(1, 6)) * table[np.ix_(order, order)]


def _largest_is_negative(rng: np.random.Generator) -> Array:
    """A table whose second eigenvalue by absolute value is negative."""
    while True:
        table = random_table(rng, 6)
        spectrum = gram_spectrum(table)
        if spectrum[1] < -0.8 * spectrum[-1] and spectrum[1] > 1.6 * spectrum[2]:
            return table


@classical_map.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Two points, a repeated point, other units, an integer array, all dimensions."""
    X = cloud(rng, 6, (6.0, 3.0, 0.7), (1.0, 2.0, 2.0))
    return {
        "two points": {"distances": np.array([[0.0, 3.0], [3.0, 0.0]]), "n_components": 1},
        "a repeated point": {"distances": table_of(X[[0, 0, 1, 2, 3]]), "n_components": 2},
        "small units": {"distances": table_of(X) * 1e-6, "n_components": 2},
        "large units": {"distances": table_of(X) * 1e6, "n_components": 1},
        "integers": {"distances": np.array([[0, 3, 4], [3, 0, 5], [4, 5, 0]]), "n_components": 2},
    }


classical_map.ill_posed(unclear_cut)


@classical_map.follows(double_centre)
def inputs_of_double_centre(distances: Array, n_components: int) -> task.Inputs:
    """Return the inputs of `double_centre`."""
    return {"distances": distances}


def _scaled(values: Array, vectors: Array, n_components: int) -> Array:
    return vectors[:, :n_components] * np.sqrt(np.maximum(values[:n_components], 0))


@classical_map.wrong(
    "This map is right for points whose squared distances are the entries of the table. The law of cosines is about "
    "squares.",
    see="sec-classical-mds-products",
)
def forgot_to_square(distances: Array, n_components: int) -> Array:
    """Double-centre the distances themselves."""
    return _scaled(*pairs_by_value(double_centred(distances)), n_components)


@classical_map.wrong(
    "This map comes from the squares as they are. Dot products need an origin, and the table alone has none.",
    see="eq-classical-mds-gram",
)
def forgot_to_centre(distances: Array, n_components: int) -> Array:
    """The eigenvectors of −½Δ⁽²⁾."""
    return _scaled(*pairs_by_value(-(distances**2) / 2), n_components)


@classical_map.wrong(
    "Your map has the right shape and is too large by √2.", see="eq-classical-mds-gram", credit=FACTOR_OF_TWO
)
def forgot_the_half(distances: Array, n_components: int) -> Array:
    """−J Δ⁽²⁾ J."""
    return np.sqrt(2) * classical_map(distances, n_components)


@classical_map.wrong(
    "Your columns point the right way, but their squared lengths should be eigenvalues, and they are squares of "
    "eigenvalues.",
    see="eq-classical-mds-embedding",
)
def multiplied_by_the_eigenvalues(distances: Array, n_components: int) -> Array:
    """λv in the place of √λ v."""
    values, vectors = pairs_by_value(double_centred(distances**2))
    return vectors[:, :n_components] * np.maximum(values[:n_components], 0)


def has_a_tie(distances: Array, n_components: int) -> str | None:
    """Cut through equal eigenvalues, a basis of the library's choice is left."""
    values = np.append(gram_spectrum(distances), np.inf)
    near = np.isclose(values[: n_components + 1, None], values[None, : n_components + 1], rtol=1e-6)
    is_tie = near.sum() > n_components + 1
    return "equal eigenvalues: which eigenvectors are taken is the library's choice" if is_tie else None


@classical_map.wrong(
    "All columns of your map have length one, whatever the distances are.",
    see="eq-classical-mds-embedding",
    credit=UNIT_LENGTH,
    indefinite=has_a_tie,
)
def left_unit_vectors(distances: Array, n_components: int) -> Array:
    """v, of length one."""
    return pairs_by_value(double_centred(distances**2))[1][:, :n_components]


@classical_map.wrong(
    "Where the table is Euclidean your map is right. A large negative eigenvalue was taken for a dimension, but no "
    "real coordinate can express it.",
    indefinite=has_a_tie,
)
def chose_by_absolute_value(distances: Array, n_components: int) -> Array:
    """Keep the largest |λ| and take the roots of |λ|, as an SVD of G does."""
    U, sizes, _ = np.linalg.svd(double_centred(distances**2))
    return U[:, :n_components] * np.sqrt(sizes[:n_components])


@classical_map.wrong(
    "Your map is right as long as the kept eigenvalues are positive. A negative one adds nothing that a real "
    "coordinate could express.",
)
def took_roots_of_absolute_values(distances: Array, n_components: int) -> Array:
    """The first eigenvalues by value, negative ones made positive."""
    values, vectors = pairs_by_value(double_centred(distances**2))
    return vectors[:, :n_components] * np.sqrt(np.abs(values[:n_components]))


@classical_map.wrong(
    "The rows of the table were taken for samples: this is a PCA of the distances. The map makes the dot products "
    "that the distances imply.",
    see="eq-classical-mds-gram",
)
def made_a_pca_of_the_table(distances: Array, n_components: int) -> Array:
    """Scores of the centred table."""
    U, sigma, _ = np.linalg.svd(distances - distances.mean(axis=0))
    return U[:, :n_components] * sigma[:n_components]


@classical_map.inherits(
    double_centre, without=("forgot_to_square", "forgot_the_half", "removed_negative_eigenvalues")
)
def after_the_gram(gram: Callable[..., Array], distances: Array, n_components: int) -> Array:
    """The map of what is taken for the Gram matrix."""
    values, vectors = np.linalg.eigh(gram(distances))
    return _scaled(values[::-1], vectors[:, ::-1], n_components)


@classical_map.also
def by_the_centring_matrix(distances: Array, n_components: int) -> Array:
    """With J written out, and negative eigenvalues clipped."""
    N = len(distances)
    J = np.eye(N) - np.ones((N, N)) / N
    values, vectors = np.linalg.eigh(-0.5 * J @ distances**2 @ J)
    order = np.argsort(values)[::-1][:n_components]
    return vectors[:, order] * np.sqrt(np.clip(values[order], 0, None))


@classical_map.also
def by_loops(distances: Array, n_components: int) -> Array:
    """Column by column, strongest first; what is not positive stays zero."""
    squared = np.asarray(distances, dtype=float) ** 2
    means = squared.mean(axis=0)
    G = -(squared - means - means[:, None] + squared.mean()) / 2
    values, vectors = np.linalg.eigh(G)
    Y = np.zeros((len(G), n_components))
    for column in range(n_components):
        if values[-1 - column] > 0:
            Y[:, column] = vectors[:, -1 - column] * values[-1 - column] ** 0.5
    return Y
