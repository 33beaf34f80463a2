"""Task `place_new`: where Isomap puts points that it was not given."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_column_signs
from solutions.credits import FACTOR_OF_TWO
from solutions.isomap.numbers import bent_sheet, distances, ring, spiral
from solutions.isomap.unrolled import gram, scaled
from solutions.numbers import Array


@task.code(points=3, minutes=12, see="eq-isomap-extension", tied=("Y", "paths", "new_paths"))
def place_new(Y: Array, paths: Array, new_paths: Array) -> Array:
    """y(x) = Σ yᵢ (mᵢ − Δ(x, i)²) / 2λ (eq-isomap-extension)."""
    return (np.mean(paths**2, axis=1) - new_paths**2) @ Y / (2 * np.sum(Y**2, axis=0))


@place_new.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A line, a space, and path lengths that no points have."""
    solid = np.round(rng.normal(size=(11, 3)) * [4.0, 2.5, 1.5] + [3.0, 1.0, -2.0], 1)
    along = np.sort(np.round(rng.uniform(0.0, 30.0, size=8), 1))[rng.permutation(8), None]
    circle = np.round(ring(rng, 10)[:, :2], 1)
    return {
        "points of space": _case(solid, 4, 3),
        "one new point on a line, in a huge unit": {
            name: 1e-8 * value for name, value in _case(along, 1, 1).items()
        },
        "lengths that are no distances": _bent(_case(circle, 2, 2)),
    }


def _case(points: Array, n_new: int, n_components: int) -> dict[str, Array]:
    """The last points are new, the others are scaled."""
    table = np.round(distances(points), 3)
    return _fitted(table[:-n_new, :-n_new], table[-n_new:, :-n_new], n_components)


def _fitted(paths: Array, new_paths: Array, n_components: int) -> dict[str, Array]:
    return {"Y": scaled(gram(paths**2), n_components), "paths": paths, "new_paths": new_paths}


def _bent(case: dict[str, Array]) -> dict[str, Array]:
    """Make long ways longer, as a graph does."""
    longer = [np.round(case[name] * (1 + 0.05 * case[name]), 3) for name in ("paths", "new_paths")]
    return _fitted(*longer, 2)


@place_new.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Other units, as many new points as old, and a sheet with three coordinates."""
    sheet = bent_sheet(rng, 3, 4)
    tiny = {name: 1e-6 * value for name, value in _case(spiral(rng, 10), 5, 2).items()}
    return {"three coordinates": _case(sheet, 4, 3), "tiny units": tiny}


@place_new.ill_posed
def is_ill_posed(Y: Array, paths: Array, new_paths: Array) -> str | None:
    """No column may vanish."""
    squares = np.sum(Y**2, axis=0)
    return "a coordinate is nearly zero" if squares.min() < 0.02 * squares.max() else None


@place_new.wrong(
    "New points land twice as far out as they should: a training point would not be put back where it was.",
    credit=FACTOR_OF_TWO,
)
def forgot_the_half(Y: Array, paths: Array, new_paths: Array) -> Array:
    """1/λ in the place of 1/2λ."""
    return 2 * place_new(Y, paths, new_paths)


@place_new.wrong(
    "The factor with a root belongs to unit eigenvectors. The coordinates in Y already carry a root of the "
    "eigenvalue.",
)
def divided_by_the_root(Y: Array, paths: Array, new_paths: Array) -> Array:
    """1/2√λ with the coordinates yᵢ, which already have a √λ."""
    return (np.mean(paths**2, axis=1) - new_paths**2) @ Y / (2 * np.sqrt(np.sum(Y**2, axis=0)))


@place_new.wrong("Path lengths enter squared, in the means too.")
def left_the_lengths_unsquared(Y: Array, paths: Array, new_paths: Array) -> Array:
    """Means and path lengths, no squares."""
    return (np.mean(paths, axis=1) - new_paths) @ Y / (2 * np.sum(Y**2, axis=0))


@place_new.wrong(
    "A large squared length to yᵢ says little if yᵢ is far from everyone. Each squared length is compared with the "
    "mean squared length from that training point, and this mean is missing.",
)
def forgot_the_means(Y: Array, paths: Array, new_paths: Array) -> Array:
    """Only −Δ(x, i)²."""
    return -(new_paths**2) @ Y / (2 * np.sum(Y**2, axis=0))


@place_new.wrong(
    "New points come out mirrored at the origin. A short way to a training point should draw the new point towards "
    "it.",
)
def lost_the_sign(Y: Array, paths: Array, new_paths: Array) -> Array:
    """Δ(x, i)² − mᵢ."""
    return -place_new(Y, paths, new_paths)


def _one_new_point(Y: Array, paths: Array, new_paths: Array) -> str | None:
    return "one new point is its own mean, and rounding errors are left" if len(new_paths) == 1 else None


@place_new.wrong(
    "You took the mean over the new points, so where a point goes depends on its company. The means belong to the "
    "training points.",
    indefinite=_one_new_point,
)
def took_means_over_the_new_points(Y: Array, paths: Array, new_paths: Array) -> Array:
    """Mean squared lengths of the new points in the place of those of the training points."""
    return (np.mean(new_paths**2, axis=0) - new_paths**2) @ Y / (2 * np.sum(Y**2, axis=0))


@place_new.wrong(
    "All sizes are right, and some columns have the wrong sign. Eigenvectors that are computed again may come with "
    "another sign than those of Y: turn them, or read the eigenvalues off Y.",
    same=up_to_column_signs,
)
def kept_the_signs_of_a_new_solution(Y: Array, paths: Array, new_paths: Array) -> Array:
    """Eigenvectors computed again have the library's signs, not those of Y; here the first column is turned."""
    return place_new(Y, paths, new_paths) * np.where(np.arange(Y.shape[1]) == 0, -1.0, 1.0)


@place_new.wrong(
    "Each new point was put on top of the training point nearest to it. Its path lengths to all the others say where "
    "between them it lies.",
    see="thm-isomap-out-of-sample",
)
def moved_to_the_nearest(Y: Array, paths: Array, new_paths: Array) -> Array:
    """Put the new point on the training point nearest to it."""
    return Y[np.argmin(new_paths, axis=1)]


@place_new.wrong(
    "The means are those of the squared lengths. You squared the means.",
)
def squared_the_means(Y: Array, paths: Array, new_paths: Array) -> Array:
    """(mean of Δ)² in the place of the mean of Δ²."""
    return (np.mean(paths, axis=1) ** 2 - new_paths**2) @ Y / (2 * np.sum(Y**2, axis=0))


@place_new.also
def by_least_squares(Y: Array, paths: Array, new_paths: Array) -> Array:
    """Solve 2 Y y = m − δ² by least squares, point by point."""
    means = (paths**2).mean(axis=0)
    return np.array([np.linalg.lstsq(2 * Y, means - row**2, rcond=None)[0] for row in new_paths])


@place_new.also
def by_eigenvectors(Y: Array, paths: Array, new_paths: Array) -> Array:
    """The second form of the formula, with unit eigenvectors."""
    roots = np.linalg.norm(Y, axis=0)
    V = Y / roots
    result = np.zeros((len(new_paths), Y.shape[1]))
    for p, row in enumerate(new_paths):
        for a in range(Y.shape[1]):
            result[p, a] = V[:, a] @ (np.mean(paths**2, axis=1) - row**2) / (2 * roots[a])
    return result
