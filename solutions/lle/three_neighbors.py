"""Task `three_neighbors`: the perfect recipe of a point outside a triangle, by hand."""

import numpy as np

from autograder.authoring import task
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, is_short
from solutions.steps import Worked, bracketed, eq, matrix, steps, tex


def _is_fair(x: Array, neighbors: Array) -> bool:
    weights = three_neighbors(x, neighbors)
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


@task.hand(points=2, minutes=8, see="thm-lle-weights")
def three_neighbors(x: Array, neighbors: Array) -> Array:
    """The three numbers that mix x and sum to one (thm-lle-weights)."""
    areas = _areas(x, neighbors)
    return areas / areas.sum()


@three_neighbors.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A whole triangle and a whole point outside it, with short weights, one or two of them negative."""
    while True:
        neighbors = rng.integers(-6, 7, size=(3, 2)).astype(float)
        x = rng.integers(-7, 8, size=2).astype(float)
        if abs(_doubled_area(*neighbors)) > 3 and _is_fair(x, neighbors) and told_apart(WAYS, (x, neighbors)):
            return {"the numbers of the text": {"x": x, "neighbors": neighbors}}


@three_neighbors.wrong(
    "All your weights are positive, so they mix a point inside the triangle. This point lies outside, and weights are "
    "not shares.",
)
def clipped_negative_weights(x: Array, neighbors: Array) -> Array:
    """Zero for what is negative, and the rest divided by its sum."""
    kept = np.maximum(three_neighbors(x, neighbors), 0)
    return kept / kept.sum()


@three_neighbors.wrong(
    "The sizes have the right proportions. A point beyond a side of the triangle has a negative weight at the corner "
    "opposite to that side.",
)
def lost_the_signs(x: Array, neighbors: Array) -> Array:
    """Absolute values, divided by their sum."""
    sizes = np.abs(three_neighbors(x, neighbors))
    return sizes / sizes.sum()


@three_neighbors.wrong("These weights are in proportion to one over the distance. Do they mix the point?")
def weighed_by_inverse_distances(x: Array, neighbors: Array) -> Array:
    """Weights in proportion to 1/distance."""
    near = 1 / np.maximum(np.linalg.norm(x - neighbors, axis=1), 1e-9)
    return near / near.sum()


@three_neighbors.wrong("Even weights mix the centre of the triangle. The mixture should be x.")
def took_even_weights(x: Array, neighbors: Array) -> Array:
    """One third each."""
    return np.full(3, 1 / 3)


@three_neighbors.wrong(
    "Your weights mix the point (0, 0) perfectly. The mixture should be x.", see="eq-lle-subtract"
)
def mixed_the_origin(x: Array, neighbors: Array) -> Array:
    """The recipe of (0, 0)."""
    return three_neighbors(np.zeros(2), neighbors)


@three_neighbors.wrong(
    "The three numbers are right, but each stands beside another neighbour than its own.",
    see="eq-lle-weights",
)
def took_the_next_corner(x: Array, neighbors: Array) -> Array:
    """The right three numbers, each one corner further."""
    return np.roll(three_neighbors(x, neighbors), 1)


WAYS = (
    three_neighbors,
    took_even_weights,
    clipped_negative_weights,
    lost_the_signs,
    weighed_by_inverse_distances,
    mixed_the_origin,
    took_the_next_corner,
)


@three_neighbors.also
def by_three_equations(x: Array, neighbors: Array) -> Array:
    """Two coordinates and the sum."""
    system = np.vstack([neighbors.T, np.ones(3)])
    return np.linalg.solve(system, np.append(x, 1.0))


@three_neighbors.also
def from_the_first_corner(x: Array, neighbors: Array) -> Array:
    """x − a as a combination of b − a and c − a."""
    sides = (neighbors[1:] - neighbors[0]).T
    shares = np.linalg.solve(sides, x - neighbors[0])
    return np.append(1 - shares.sum(), shares)


@three_neighbors.worked
def worked(x: Array, neighbors: Array) -> Worked:
    """Two equations seen from the first neighbour."""
    A = (neighbors[1:] - neighbors[0]).T
    b = x - neighbors[0]
    determinant = float(np.linalg.det(A))
    second = float((b[0] * A[1, 1] - A[0, 1] * b[1]) / determinant)
    third = float((A[0, 0] * b[1] - b[0] * A[1, 0]) / determinant)
    return steps(
        r"Since the weights add up to one, $x-x_1=w_2(x_2-x_1)+w_3(x_3-x_1)$: two equations, "
        rf"${matrix(A)}\begin{{pmatrix}}w_2\\w_3\end{{pmatrix}}={matrix(b)}$.",
        rf"The determinant is ${tex(determinant)}$, so $w_2=\dfrac{{{tex(second * determinant)}}}{{{tex(determinant)}}}"
        rf"{eq(second)}$ and $w_3=\dfrac{{{tex(third * determinant)}}}{{{tex(determinant)}}}{eq(third)}$.",
        rf"$w_1=1-{bracketed(second)}-{bracketed(third)}{eq(1 - second - third)}$. A negative weight is no mistake: "
        "$x$ lies outside the triangle.",
    ), [1 - second - third, second, third]
