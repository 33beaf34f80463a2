"""Task `stretched_square`: undo a stretch by a linear map: cost, best map and gap, as formulas."""

import numpy as np

from autograder.authoring import task
from dimred_ref.conformal_eigenmaps import conformal_quadratic, frank_wolfe_gap
from solutions.conformal_eigenmaps.numbers import fine_points
from solutions.numbers import Array

Answer = tuple[Array, Array, Array]
SQUARE = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]]) / 2
OTHERS = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])


@task.sym(points=3, minutes=15, see="sec-conformal-hand", parts=("cost", "p", "gap"))
def stretched_square(c: Array) -> Answer:
    """(c² − 1)², 1/(1 + c²), 2(c⁴ − 1) (sec-conformal-hand)."""
    return (c**2 - 1) ** 2, 1 / (1 + c**2), 2 * (c**4 - 1)


@stretched_square.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """How much the first axis is stretched: always more than the second."""
    return {"at sample points": fine_points(rng, c=(1.2, 2.6))}


@stretched_square.wrong("Cost and gap are right. Your map enlarges the axis that is too long already.")
def stretched_once_more(c: Array) -> Answer:
    """The best map enlarges the long axis."""
    cost, _, gap = stretched_square(c)
    return cost, c**2 / (1 + c**2), gap


@stretched_square.wrong(
    "Cost and gap are right. P multiplies squares of coordinates: which power of the stretch does it have to undo?",
    see="eq-conformal-quadratic",
)
def undid_the_lengths(c: Array) -> Answer:
    """p : q as 1 : c."""
    cost, _, gap = stretched_square(c)
    return cost, 1 / (1 + c), gap


@stretched_square.wrong(
    "Cost and gap are right. The ratio of your p and q is right as well, but P has a fixed trace.",
    see="eq-conformal-sdp",
)
def forgot_the_trace(c: Array) -> Answer:
    """p = 1/c², with q = 1."""
    cost, _, gap = stretched_square(c)
    return cost, 1 / c**2, gap


@stretched_square.wrong(
    "The first two are right. The least cost is zero, so the cost is the true distance to it; the gap is what the "
    "slope at I/2 proves, and that is more.",
    see="eq-conformal-gap",
)
def took_the_cost_for_the_gap(c: Array) -> Answer:
    """The distance to the least cost, which is zero here."""
    cost, best, _ = stretched_square(c)
    return cost, best, cost


@stretched_square.wrong(
    "The first two are right. The tangent at I/2, not the cost itself, is compared with its lowest value.",
    see="eq-conformal-gap",
)
def subtracted_from_the_cost(c: Array) -> Answer:
    """𝒟 − λ_min."""
    cost, best, _ = stretched_square(c)
    return cost, best, cost + 4 * (c**2 - 1)


@stretched_square.wrong(
    "The last two are right. The cost at the identity itself was computed, whose trace is two.",
    see="eq-conformal-square",
)
def forgot_the_half(c: Array) -> Answer:
    """The cost of P = I, whose trace is two."""
    cost, best, gap = stretched_square(c)
    return 4 * cost, best, gap


@stretched_square.also
def from_the_quadratic(c: Array) -> Answer:
    """Build A at every sample point."""
    rows = []
    for stretch in c:
        A = conformal_quadratic(SQUARE * [stretch, 1], SQUARE, OTHERS)
        half = np.array([0.5, 0, 0.5])
        best = (A[2, 2] - A[0, 2]) / (A[0, 0] - 2 * A[0, 2] + A[2, 2])
        rows.append([half @ A @ half, best, frank_wolfe_gap(np.eye(2) / 2, A)])
    cost, p, gap = np.array(rows).T
    return cost, p, gap
