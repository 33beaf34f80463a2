"""Task `place_newcomer`: new points on a finished map, from their distances to the old ones."""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_absolute_value, up_to_column_signs
from dimred_ref.classical_mds import classical_mds, double_centred, extend, gram_spectrum
from solutions.announced import has_large_negative_eigenvalue
from solutions.classical_mds.double_centre import double_centre
from solutions.classical_mds.numbers import pairs_by_value, random_table, table_of
from solutions.credits import FACTOR_OF_TWO
from solutions.numbers import SMALLEST_RATIO, Array, cloud


@task.code(points=3, minutes=15, see="thm-classical-mds-extension", same=up_to_column_signs)
def place_newcomer(distances: Array, deltas: Array, n_components: int) -> Array:
    """(1/2λ) Σ y (mean Δ² − δ²) (eq-classical-mds-extension)."""
    return extend(classical_mds(distances, n_components), deltas)


@place_newcomer.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Newcomers above a plane, one on a line, and to a table that is nobody's distances.

    The text allows any table with d positive eigenvalues: in the last a negative one is larger than one of them.
    """
    space = cloud(rng, 7, (6.0, 3.0, 0.7), (1.0, 2.0, 2.0))
    plane = cloud(rng, 5, (5.0, 1.5), (3.0, -2.0))
    return {
        "four newcomers in space": _situation(space, np.round(space[:4] + rng.uniform(1, 4, (4, 3)), 1), 2),
        "one newcomer, on a line, in small units": _in_small_units(
            _situation(plane, np.round(plane[:1] + rng.uniform(1, 4, (1, 2)), 1), 1)
        ),
        "nobody's distances, with a large negative eigenvalue": {
            "distances": _clear_table(rng),
            "deltas": rng.integers(1, 10, size=(2, 6)).astype(float),
            "n_components": 2,
        },
    }


def _clear_table(rng: np.random.Generator) -> Array:
    """A table that is nobody's distances, whose first eigenvalues are far apart, and a negative one is larger."""
    while True:
        table = random_table(rng, 6)
        spectrum = gram_spectrum(table)
        if not is_ill_posed(table, table, 2) and -spectrum[-1] > 1.2 * spectrum[1]:
            return table


def _in_small_units(case: dict[str, Any]) -> dict[str, Any]:
    return {**case, "distances": 1e-6 * case["distances"], "deltas": 1e-6 * case["deltas"]}


def _situation(old: Array, new: Array, n_components: int) -> dict[str, Any]:
    table = table_of(np.vstack([old, new]))
    N = len(old)
    return {"distances": table[:N, :N], "deltas": table[N:, :N], "n_components": n_components}


@place_newcomer.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """An old point as newcomer, as many newcomers as points, other units, integers."""
    old = cloud(rng, 6, (6.0, 3.0, 0.7), (1.0, 2.0, 2.0))
    new = rng.normal(size=(6, 3)) * 3
    table = table_of(np.vstack([old, new]))
    return {
        "an old point": {"distances": table[:6, :6], "deltas": table[1:2, :6], "n_components": 2},
        "as many as points": {"distances": table[:6, :6], "deltas": table[6:, :6], "n_components": 2},
        "small units": {
            "distances": table[:6, :6] * 1e-6,
            "deltas": table[6:8, :6] * 1e-6,
            "n_components": 1,
        },
        "integers": {
            "distances": np.array([[0, 3, 4], [3, 0, 5], [4, 5, 0]]),
            "deltas": np.array([[5, 4, 3]]),
            "n_components": 2,
        },
    }


@place_newcomer.ill_posed
def is_ill_posed(distances: Array, deltas: Array, n_components: int) -> str | None:
    """Equal eigenvalues would leave a rotation free; one near zero blows up what it is divided into."""
    spectrum = gram_spectrum(distances)
    for place in range(n_components):
        if spectrum[place] < SMALLEST_RATIO * max(spectrum[place + 1], 1e-2 * spectrum[0]):
            return f"eigenvalues {place + 1} and {place + 2} are nearly equal"
    return None


@place_newcomer.follows(double_centre)
def inputs_of_double_centre(distances: Array, deltas: Array, n_components: int) -> task.Inputs:
    """Return the inputs of `double_centre`."""
    return {"distances": distances}


def _placed(gains: Array, distances: Array, n_components: int, power: float = 0.5) -> Array:
    values, vectors = pairs_by_value(double_centred(distances**2))
    return gains @ vectors[:, :n_components] / values[:n_components] ** power / 2


def _gains(distances: Array, deltas: Array) -> Array:
    return (distances**2).mean(axis=1) - deltas**2


@place_newcomer.wrong(
    "The distances of the newcomers enter as they are. Like those of the table they are sides of triangles, and the "
    "law of cosines is about squares.",
    see="eq-classical-mds-extension",
)
def forgot_to_square(distances: Array, deltas: Array, n_components: int) -> Array:
    """The means of the squares are right, the new distances are not squared."""
    return _placed((distances**2).mean(axis=1) - deltas, distances, n_components)


@place_newcomer.wrong(
    "An old point would not be put where it was: what is compared with the squared distances of a newcomer, point by "
    "point?",
    see="eq-classical-mds-extension",
)
def forgot_the_means(distances: Array, deltas: Array, n_components: int) -> Array:
    """−δ² alone."""
    return _placed(-(deltas**2), distances, n_components)


@place_newcomer.wrong(
    "Your newcomers average to zero among themselves, as if they made the map. The means belong to the old points.",
    see="eq-classical-mds-extension",
)
def centred_among_the_new(distances: Array, deltas: Array, n_components: int) -> Array:
    """The means of the new squared distances in the place of those of the table."""
    squares = deltas**2
    return np.round(_placed(squares.mean(axis=0) - squares, distances, n_components), 9)


@place_newcomer.wrong(
    "Every newcomer is twice as far from the centre of the map as it should be.",
    see="eq-classical-mds-extension",
    credit=FACTOR_OF_TWO,
)
def forgot_the_half(distances: Array, deltas: Array, n_components: int) -> Array:
    """Twice as far out."""
    return 2 * place_newcomer(distances, deltas, n_components)


@place_newcomer.wrong(
    "Each column is right up to a factor: the formula divides by an eigenvalue what was multiplied with a column of "
    "the map, not with a unit vector.",
    see="eq-classical-mds-extension",
)
def divided_by_the_eigenvalue(distances: Array, deltas: Array, n_components: int) -> Array:
    """λ under the unit eigenvector, where √λ belongs."""
    return _placed(_gains(distances, deltas), distances, n_components, power=1.0)


@place_newcomer.wrong(
    "Where the table is Euclidean your places are right. A large negative eigenvalue was taken for a dimension, but "
    "no real coordinate can express it.",
    see="thm-classical-mds-optimal",
)
def chose_by_absolute_value(distances: Array, deltas: Array, n_components: int) -> Array:
    """The largest |λ| and their roots, as an SVD of G gives them."""
    values, vectors = pairs_by_value(double_centred(distances**2))
    best = np.argsort(-np.abs(values), kind="stable")[:n_components]
    return _gains(distances, deltas) @ vectors[:, best] / np.sqrt(np.abs(values[best])) / 2


@place_newcomer.wrong(
    "Each newcomer was put on top of the old point nearest to it. Its distances to all the others say where between "
    "them it lies.",
)
def moved_to_the_nearest(distances: Array, deltas: Array, n_components: int) -> Array:
    """Each newcomer on top of the old point nearest to it."""
    return np.asarray(classical_mds(distances, n_components).embedding[np.argmin(deltas, axis=1)])


@place_newcomer.wrong(
    "Circles around the points of the map were intersected. The distances on the map are not those of the table, and "
    "all of them count: Gower's formula compares dot products.",
)
def trilaterated(distances: Array, deltas: Array, n_components: int) -> Array:
    """Circles around the points of the map, one equation subtracted from the others, by least squares."""
    Y = np.asarray(classical_mds(distances, n_components).embedding)
    lengths = np.sum(Y**2, axis=1)
    right = (lengths[1:] - lengths[0])[:, None] - (deltas[:, 1:] ** 2 - deltas[:, :1] ** 2).T
    return np.asarray(np.linalg.lstsq(2 * (Y[1:] - Y[0]), right, rcond=None)[0].T)


@place_newcomer.wrong(
    "A new map was drawn with the newcomer in it. The finished map stays as it is, with its own mean and its own "
    "axes.",
    same=up_to_absolute_value,
)
def drew_a_map_of_all(distances: Array, deltas: Array, n_components: int) -> Array:
    """A new map with each newcomer in turn, and its last point."""
    N = len(distances)
    places = []
    for delta in deltas:
        table = np.zeros((N + 1, N + 1))
        table[:N, :N], table[N, :N], table[:N, N] = distances, delta, delta
        values, vectors = pairs_by_value(double_centred(table**2))
        places.append(vectors[N, :n_components] * np.sqrt(np.maximum(values[:n_components], 0)))
    return np.array(places)


@place_newcomer.wrong(
    "Each column is right up to a factor: products with unit eigenvectors grow with the square of the size of the "
    "map, coordinates with the size itself.",
    see="eq-classical-mds-extension",
)
def forgot_to_divide(distances: Array, deltas: Array, n_components: int) -> Array:
    """Products with the unit eigenvectors."""
    return _placed(_gains(distances, deltas), distances, n_components, power=0.0)


@place_newcomer.wrong(
    "Each column is right up to a factor: products with the columns of the map are not yet coordinates, since these "
    "columns are not unit vectors.",
    see="eq-classical-mds-extension",
)
def multiplied_by_the_root(distances: Array, deltas: Array, n_components: int) -> Array:
    """Products with the columns of the map."""
    return _placed(_gains(distances, deltas), distances, n_components, power=-0.5)


@place_newcomer.wrong(
    "The table was enlarged by the newcomers, and a new map was made of all. The old map should stay: newcomers are "
    "put on it.",
    see="thm-classical-mds-extension",
)
def mapped_everyone_anew(distances: Array, deltas: Array, n_components: int) -> Array:
    """The last rows of the map of all points; newcomers are at distance zero from each other."""
    N, M = len(distances), len(deltas)
    table = np.block([[distances, deltas.T], [deltas, np.zeros((M, M))]])
    values, vectors = pairs_by_value(double_centred(table**2))
    return (vectors[:, :n_components] * np.sqrt(np.maximum(values[:n_components], 0.0)))[N:]


@place_newcomer.inherits(
    double_centre,  # of a product of matrices it has no positive eigenvalue, so there is no map
    without=("forgot_to_square", "forgot_the_half", "removed_negative_eigenvalues", "squared_it_as_a_matrix"),
)
def after_the_gram(gram: Callable[..., Array], distances: Array, deltas: Array, n_components: int) -> Array:
    """Gower's formula with the eigenvectors of what is taken for the Gram matrix."""
    values, vectors = np.linalg.eigh(gram(distances))
    values, vectors = values[::-1][:n_components], vectors[:, ::-1][:, :n_components]
    return _gains(distances, deltas) @ vectors / np.sqrt(values) / 2


@place_newcomer.also
def by_least_squares(distances: Array, deltas: Array, n_components: int) -> Array:
    """Fit y and a constant to the dot products (thm-classical-mds-extension)."""
    squared = np.asarray(distances, dtype=float) ** 2
    values, vectors = pairs_by_value(double_centred(squared))
    Y = vectors[:, :n_components] * np.sqrt(values[:n_components])
    g = (squared.mean(axis=1) - np.asarray(deltas, dtype=float) ** 2) / 2
    design = np.column_stack([Y, np.ones(len(Y))])
    return np.linalg.lstsq(design, g.T, rcond=None)[0][:-1].T


@place_newcomer.also
def with_all_means(distances: Array, deltas: Array, n_components: int) -> Array:
    """Dot products about the mean of the old points, centred in full, then divided by √λ."""
    N = len(distances)
    J = np.eye(N) - np.ones((N, N)) / N
    values, vectors = np.linalg.eigh(-0.5 * J @ distances**2 @ J)
    order = np.argsort(values)[::-1][:n_components]
    g = -0.5 * (deltas**2 - np.mean(distances**2, axis=0)) @ J
    return g @ vectors[:, order] / np.sqrt(values[order])


place_newcomer.announces(
    "negative ones may be larger in size",
    "nobody's distances, with a large negative eigenvalue",
    lambda distances, deltas, n_components: has_large_negative_eigenvalue(
        double_centred(distances**2), n_components
    ),
)
