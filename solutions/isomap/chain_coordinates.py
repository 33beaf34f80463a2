"""Task `chain_coordinates`: Isomap of four points that form a chain, by hand."""

from functools import cache
from itertools import combinations

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly, up_to_sign
from solutions.isomap.numbers import distances
from solutions.numbers import Array, one_of

Answer = tuple[Array, float]


def draw(rng: np.random.Generator) -> Cases:
    """A staircase of three growing steps, turned and shifted."""
    steps = np.array(one_of(rng, _choices()), dtype=float)
    up, on = rng.choice([-1.0, 1.0], size=2)
    a, b, c = steps
    if a**2 + b**2 <= 2 * a * c:  # turned back, the last point would be nearer to the first
        on = 1.0
    along = np.array([[1.0, 0.0], [0.0, up], [on, 0.0]])
    corners = np.vstack([np.zeros(2), np.cumsum(steps[:, None] * along, axis=0)])
    if rng.uniform() < 0.5:
        corners = corners[:, ::-1]
    return {"the numbers of the text": {"X": corners + rng.integers(-4, 5, size=2)}}


@cache
def _choices() -> list[tuple[int, int, int]]:
    """Growing steps, so that one neighbour each makes the chain, with a short mean position."""
    steps = combinations(range(1, 9), 3)
    return [(a, b, c) for a, b, c in steps if (a + c) % 2 == 0 and np.abs(_positions([a, b, c])).max() < 10]


def _positions(steps: list[int] | Array) -> Array:
    along = np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(along - along.mean())


def _steps(X: Array) -> Array:
    return np.sqrt(np.sum(np.diff(X, axis=0) ** 2, axis=1))


def answer(X: Array) -> Answer:
    """Positions along the chain, centred, and their sum of squares (thm-isomap-chart)."""
    y = _positions(_steps(X))
    return y, float(y @ y)


def _scaled(table: Array) -> Answer:
    J = np.eye(len(table)) - 1 / len(table)
    values, vectors = np.linalg.eigh(-J @ table**2 @ J / 2)
    return vectors[:, -1] * np.sqrt(values[-1]), float(values[-1])


def took_straight_distances(X: Array) -> Answer:
    """Classical scaling of the distances through the air."""
    return _scaled(distances(X))


def started_at_the_first_point(X: Array) -> Answer:
    """Positions that are not centred."""
    y = np.concatenate([[0.0], np.cumsum(_steps(X))])
    return y, float(y @ y)


def counted_the_steps(X: Array) -> Answer:
    """Every edge has length one."""
    y = _positions(np.ones(len(X) - 1))
    return y, float(y @ y)


def divided_by_the_number_of_points(X: Array) -> Answer:
    """The variance along the coordinate instead of the eigenvalue."""
    y, value = answer(X)
    return y, value / len(y)


def gave_the_unit_eigenvector(X: Array) -> Answer:
    """Forget the root of the eigenvalue in the coordinates."""
    y, value = answer(X)
    return y / np.sqrt(value), value


def by_scaling(X: Array) -> Answer:
    """Build the table of path lengths and solve its eigenproblem."""
    along = np.concatenate([[0.0], np.cumsum(_steps(X))])
    return _scaled(np.abs(along[:, None] - along))


def by_pairs(X: Array) -> Answer:
    """A coordinate is the mean signed path length to all points; the eigenvalue a sum over pairs."""
    along = np.concatenate([[0.0], np.cumsum(_steps(X))])
    signed = along[:, None] - along
    return signed.mean(axis=1), float(np.sum(signed**2) / (2 * len(along)))


chain_coordinates = Task(
    kind="hand",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="thm-isomap-chart",
    same=(up_to_sign, exactly),
    parts=("coordinates", "eigenvalue"),
    misconceptions=(
        Misconception(
            took_straight_distances,
            hint="These distances leave the chain and go through the air. Isomap knows only edges and sums of them.",
            see="alg-isomap-steps",
        ),
        Misconception(
            started_at_the_first_point,
            hint="Coordinates of classical scaling average to zero; yours start at zero.",
            see="eq-isomap-embedding",
        ),
        Misconception(
            counted_the_steps,
            hint="An edge is as long as the straight line between its ends; here every edge counts as one.",
            see="eq-isomap-graph",
        ),
        Misconception(
            divided_by_the_number_of_points,
            hint="The coordinates are right. This number is the variance along them; the eigenvalue of the Gram "
            "matrix is the sum of squares.",
            see="eq-isomap-embedding",
            credit=0.5,
        ),
        Misconception(
            gave_the_unit_eigenvector,
            hint="The eigenvalue is right. The squares of your coordinates sum to one, and the points are too close "
            "together.",
            see="eq-isomap-embedding",
            credit=0.5,
        ),
    ),
    alternatives=(by_scaling, by_pairs),
)
