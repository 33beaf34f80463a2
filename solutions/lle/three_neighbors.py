"""Task `three_neighbors`: the perfect recipe of a point outside a triangle, by hand."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, is_short


def draw(rng: np.random.Generator) -> Cases:
    """A whole triangle and a whole point outside it, with short weights, one or two of them negative."""
    while True:
        neighbors = rng.integers(-6, 7, size=(3, 2)).astype(float)
        x = rng.integers(-7, 8, size=2).astype(float)
        if abs(_doubled_area(*neighbors)) > 3 and _is_fair(x, neighbors) and told_apart(WAYS, (x, neighbors)):
            return {"the numbers of the text": {"x": x, "neighbors": neighbors}}


def _is_fair(x: Array, neighbors: Array) -> bool:
    weights = answer(x, neighbors)
    sizes = np.abs(weights)
    return bool(weights.min() < -0.05 and sizes.min() > 0.05 and sizes.max() < 3) and all(
        map(is_short, weights)
    )


def _doubled_area(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _areas(x: Array, neighbors: Array) -> Array:
    """Twice the signed areas of x with the side opposite to each corner."""
    a, b, c = neighbors
    return np.array([_doubled_area(x, b, c), _doubled_area(a, x, c), _doubled_area(a, b, x)])


def answer(x: Array, neighbors: Array) -> Array:
    """The three numbers that mix x and sum to one (thm-lle-weights)."""
    areas = _areas(x, neighbors)
    return areas / areas.sum()


def clipped_negative_weights(x: Array, neighbors: Array) -> Array:
    """Zero for what is negative, and the rest divided by its sum."""
    kept = np.maximum(answer(x, neighbors), 0)
    return kept / kept.sum()


def lost_the_signs(x: Array, neighbors: Array) -> Array:
    """Absolute values, divided by their sum."""
    sizes = np.abs(answer(x, neighbors))
    return sizes / sizes.sum()


def weighed_by_inverse_distances(x: Array, neighbors: Array) -> Array:
    """Weights in proportion to 1/distance."""
    near = 1 / np.maximum(np.linalg.norm(x - neighbors, axis=1), 1e-9)
    return near / near.sum()


def mixed_the_origin(x: Array, neighbors: Array) -> Array:
    """The recipe of (0, 0)."""
    return answer(np.zeros(2), neighbors)


def took_the_next_corner(x: Array, neighbors: Array) -> Array:
    """The right three numbers, each one corner further."""
    return np.roll(answer(x, neighbors), 1)


def took_even_weights(x: Array, neighbors: Array) -> Array:
    """One third each."""
    return np.full(3, 1 / 3)


WAYS = (
    answer,
    took_even_weights,
    clipped_negative_weights,
    lost_the_signs,
    weighed_by_inverse_distances,
    mixed_the_origin,
    took_the_next_corner,
)


def by_three_equations(x: Array, neighbors: Array) -> Array:
    """Two coordinates and the sum."""
    system = np.vstack([neighbors.T, np.ones(3)])
    return np.linalg.solve(system, np.append(x, 1.0))


def from_the_first_corner(x: Array, neighbors: Array) -> Array:
    """x − a as a combination of b − a and c − a."""
    sides = (neighbors[1:] - neighbors[0]).T
    shares = np.linalg.solve(sides, x - neighbors[0])
    return np.append(1 - shares.sum(), shares)


three_neighbors = Task(
    kind="hand",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    see="thm-lle-weights",
    misconceptions=(
        Misconception(
            clipped_negative_weights,
            hint="All your weights are positive, so they mix a point inside the triangle. This point lies outside, "
            "and weights are not shares.",
            see="thm-lle-weights",
        ),
        Misconception(
            lost_the_signs,
            hint="The sizes have the right proportions. A point beyond a side of the triangle has a negative weight "
            "at the corner opposite to that side.",
            see="thm-lle-weights",
        ),
        Misconception(
            weighed_by_inverse_distances,
            hint="These weights are in proportion to one over the distance. Do they mix the point?",
            see="thm-lle-weights",
        ),
        Misconception(
            took_even_weights,
            hint="Even weights mix the centre of the triangle. The mixture should be x.",
            see="thm-lle-weights",
        ),
        Misconception(
            mixed_the_origin,
            hint="Your weights mix the point (0, 0) perfectly. The mixture should be x.",
            see="eq-lle-subtract",
        ),
        Misconception(
            took_the_next_corner,
            hint="The three numbers are right, but each stands beside another neighbour than its own.",
            see="eq-lle-weights",
        ),
    ),
    alternatives=(by_three_equations, from_the_first_corner),
)
