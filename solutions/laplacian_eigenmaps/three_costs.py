"""Task `three_costs`: the energy of three vertices, the cost that is often printed, and the right one, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.credits import FACTOR_OF_TWO
from solutions.lle.numbers import signed_points
from solutions.numbers import Array, in_both_orders
from solutions.toolkit.numbers import sample_points


def _sum(a: Array, b: Array, c: Array, squares: tuple[Array, Array, Array]) -> Array:
    return 2 * (a * squares[0] + b * squares[1] + c * squares[2])


def _energy(a: Array, b: Array, c: Array, p: Array, q: Array) -> Array:
    return _sum(a, b, c, ((p - q) ** 2, q**2, p**2))


@task.sym(
    points=3,
    minutes=15,
    see="thm-laplacian-eigenmaps-printed",
    parts=("the first cost", "the second cost", "the third cost"),
)
def three_costs(a: Array, b: Array, c: Array, p: Array, q: Array) -> Array:
    """2yᵀLy, 2yᵀL'y, 2yᵀL_sym y (eq-laplacian-eigenmaps-printed)."""
    first, second, third = np.sqrt(a + c), np.sqrt(a + b), np.sqrt(b + c)
    printed = _energy(a / first / second, b / second / third, c / first / third, p, q)
    return np.column_stack([_energy(a, b, c, p, q), printed, _energy(a, b, c, p / first, q / second)])


@three_costs.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Three positive weights, and two coordinates of both signs; the third is zero."""
    weights = in_both_orders(sample_points(rng, a=(0.4, 1.2), b=(1.4, 2.2), c=(2.4, 3.4)), *"abc")
    return {"at sample points": {**weights, **signed_points(rng, p=(0.5, 2.5), q=(0.5, 2.5))}}


@three_costs.wrong(
    "Every formula is half of what is asked: the sums run over ordered pairs.",
    see="thm-laplacian-eigenmaps-energy",
    credit=FACTOR_OF_TWO,
)
def counted_each_edge_once(a: Array, b: Array, c: Array, p: Array, q: Array) -> Array:
    """Half of everything."""
    return three_costs(a, b, c, p, q) / 2


@three_costs.wrong(
    "The first formula is right. The other two are exchanged: in one of them weights are divided, in the other one "
    "points.",
    see="sec-laplacian-eigenmaps-wrong-cost",
)
def exchanged_the_two_costs(a: Array, b: Array, c: Array, p: Array, q: Array) -> Array:
    """The second in the place of the third."""
    return three_costs(a, b, c, p, q)[:, [0, 2, 1]]


@three_costs.wrong(
    "The first formula is right. In the others you divided by degrees; their square roots stand there.",
    see="eq-laplacian-eigenmaps-printed",
)
def forgot_the_roots(a: Array, b: Array, c: Array, p: Array, q: Array) -> Array:
    """Degrees where their roots belong."""
    first, second, third = a + c, a + b, b + c
    printed = _energy(a / first / second, b / second / third, c / first / third, p, q)
    return np.column_stack([_energy(a, b, c, p, q), printed, _energy(a, b, c, p / first, q / second)])


@three_costs.wrong(
    "The first formula is right. For the degrees you took two; a degree is a sum of weights.",
    see="eq-laplacian-eigenmaps-degree",
)
def counted_the_neighbors(a: Array, b: Array, c: Array, p: Array, q: Array) -> Array:
    """Two for every degree."""
    energy = _energy(a, b, c, p, q)
    return np.column_stack([energy, energy / 2, energy / 2])


@three_costs.wrong("The square of a difference has a middle term.", see="thm-laplacian-eigenmaps-energy")
def left_out_the_products(a: Array, b: Array, c: Array, p: Array, q: Array) -> Array:
    """(p − q)² taken for p² + q²."""
    first, second, third = np.sqrt(a + c), np.sqrt(a + b), np.sqrt(b + c)
    plain = _sum(a, b, c, (p**2 + q**2, q**2, p**2))
    printed = _sum(a / first / second, b / second / third, c / first / third, (p**2 + q**2, q**2, p**2))
    return np.column_stack([plain, printed, 2 * (p**2 + q**2)])


@three_costs.wrong(
    "The weights b and c have changed places: b joins the vertices 2 and 3.",
    see="eq-laplacian-eigenmaps-degree",
)
def exchanged_two_edges(a: Array, b: Array, c: Array, p: Array, q: Array) -> Array:
    """The edges at the third vertex confused."""
    return three_costs(a, c, b, p, q)


@three_costs.also
def by_matrices(a: Array, b: Array, c: Array, p: Array, q: Array) -> Array:
    """Quadratic forms of three Laplacians, point by point."""
    rows = []
    for w12, w23, w13, y1, y2 in zip(a, b, c, p, q, strict=True):
        W = np.array([[0, w12, w13], [w12, 0, w23], [w13, w23, 0]])
        y, degrees = np.array([y1, y2, 0.0]), W.sum(axis=1)
        scaled = W / np.sqrt(np.outer(degrees, degrees))
        forms = (np.diag(degrees) - W, np.diag(scaled.sum(axis=1)) - scaled, np.eye(3) - scaled)
        rows.append([2 * y @ form @ y for form in forms])
    return np.array(rows)


@three_costs.also
def by_expansion(a: Array, b: Array, c: Array, p: Array, q: Array) -> Array:
    """Squares and products apart."""
    d1, d2, d3 = a + c, a + b, b + c
    energy = 2 * d1 * p**2 + 2 * d2 * q**2 - 4 * a * p * q
    printed = 2 * a * (p - q) ** 2 / (d1 * d2) ** 0.5 + 2 * b * q**2 / (d2 * d3) ** 0.5
    return np.column_stack(
        [
            energy,
            printed + 2 * c * p**2 / (d1 * d3) ** 0.5,
            2 * p**2 + 2 * q**2 - 4 * a * p * q / (d1 * d2) ** 0.5,
        ]
    )
