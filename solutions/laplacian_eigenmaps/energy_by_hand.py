"""Task `energy_by_hand`: degrees and energy of a small weighted graph."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly
from dimred_ref.laplacian_eigenmaps import graph_laplacian
from solutions.lle.numbers import told_apart
from solutions.numbers import Array
from solutions.steps import Worked, bracketed, row, steps, tex, total

Answer = tuple[Array, np.float64]
SAME = (exactly, exactly)
RING = ((0, 1), (1, 2), (2, 3), (3, 0))


def _differences(y: Array) -> Array:
    return y[:, None] - y


@task.hand(points=1, minutes=8, see="thm-laplacian-eigenmaps-energy", same=SAME, parts=("degrees", "energy"))
def energy_by_hand(W: Array, y: Array) -> Answer:
    """Row sums, and 2 yᵀLy (eq-laplacian-eigenmaps-energy)."""
    return W.sum(axis=1), 2 * np.float64(y @ (graph_laplacian(W) @ y))


@energy_by_hand.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Four vertices, four or five edges with small whole weights, and a whole coordinate for each vertex."""
    while True:
        W = np.zeros((4, 4))
        for i, j in (*RING, (0, 2)):
            W[i, j] = W[j, i] = rng.integers(1, 7)
        if rng.random() < 0.5:
            W[2, 3] = W[3, 2] = 0
        order = rng.permutation(4)
        W, y = W[np.ix_(order, order)], rng.integers(-4, 6, size=4).astype(float)
        if len(set(y)) == 4 and told_apart(WAYS, (W, y), SAME):
            return {"the numbers of the text": {"W": W, "y": y}}


@energy_by_hand.wrong(
    "The degrees are right. This is the energy with each edge counted once; the sum runs over ordered pairs."
)
def counted_each_edge_once(W: Array, y: Array) -> Answer:
    """yᵀLy."""
    degrees, energy = energy_by_hand(W, y)
    return degrees, energy / 2


@energy_by_hand.wrong(
    "The energy is right. You counted edges; a degree adds up their weights.",
    see="eq-laplacian-eigenmaps-degree",
)
def counted_the_neighbors(W: Array, y: Array) -> Answer:
    """The number of edges at each vertex."""
    return (W > 0).sum(axis=1).astype(float), energy_by_hand(W, y)[1]


@energy_by_hand.wrong(
    "The degrees are right. In your energy the differences are not squared.",
    see="eq-laplacian-eigenmaps-energy",
)
def forgot_the_squares(W: Array, y: Array) -> Answer:
    """Σ w|yᵢ − yⱼ|."""
    return W.sum(axis=1), np.float64(np.sum(W * np.abs(_differences(y))))


@energy_by_hand.wrong(
    "The degrees are right. In your energy every edge has the weight one.",
    see="eq-laplacian-eigenmaps-energy",
)
def forgot_the_weights(W: Array, y: Array) -> Answer:
    """Every edge with weight one."""
    return W.sum(axis=1), np.float64(np.sum((W > 0) * _differences(y) ** 2))


@energy_by_hand.wrong(
    "The degrees are right. This is the part of the energy that belongs to D; the part of W is missing.",
    see="eq-laplacian-eigenmaps-laplacian",
)
def left_out_the_products(W: Array, y: Array) -> Answer:
    """2 yᵀDy."""
    degrees = W.sum(axis=1)
    return degrees, 2 * np.float64(degrees @ y**2)


@energy_by_hand.wrong(
    "The degrees are right. This is the quadratic form of W; the energy is that of the Laplacian.",
    see="eq-laplacian-eigenmaps-laplacian",
)
def used_the_weights_as_matrix(W: Array, y: Array) -> Answer:
    """2 yᵀWy."""
    return W.sum(axis=1), 2 * np.float64(y @ W @ y)


@energy_by_hand.wrong(
    "The degrees are right. In your energy the weights are squared along with the differences.",
    see="eq-laplacian-eigenmaps-energy",
)
def squared_the_weights_too(W: Array, y: Array) -> Answer:
    """Σ (w(yᵢ − yⱼ))²."""
    return W.sum(axis=1), np.float64(np.sum((W * _differences(y)) ** 2))


@energy_by_hand.wrong(
    "The degrees are right. A minus sign among the coordinates got lost: from −3 to 2, for instance, it is five steps.",
)
def lost_the_signs_of_coordinates(W: Array, y: Array) -> Answer:
    """The energy of |y|."""
    return energy_by_hand(W, np.abs(y))


WAYS = (
    energy_by_hand,
    counted_each_edge_once,
    counted_the_neighbors,
    forgot_the_squares,
    forgot_the_weights,
    left_out_the_products,
    used_the_weights_as_matrix,
    squared_the_weights_too,
    lost_the_signs_of_coordinates,
)


@energy_by_hand.also
def by_pairs(W: Array, y: Array) -> Answer:
    """All ordered pairs."""
    return W.sum(axis=0), np.float64(np.sum(W * _differences(y) ** 2))


@energy_by_hand.also
def by_edges(W: Array, y: Array) -> Answer:
    """Each edge, twice."""
    energy = np.float64(0)
    for i in range(4):
        for j in range(i):
            energy += 2 * W[i, j] * (y[i] - y[j]) ** 2
    return np.array([sum(row) for row in W]), energy


@energy_by_hand.worked
def worked(W: Array, y: Array) -> Worked:
    """Row sums; each edge counted twice."""
    degrees = W.sum(axis=1)
    edges = [(i, j) for i in range(len(W)) for j in range(i + 1, len(W)) if W[i, j] > 0]
    terms = [float(W[i, j] * (y[i] - y[j]) ** 2) for i, j in edges]
    written = "+".join(rf"{tex(W[i, j])}\cdot{bracketed(y[i] - y[j])}^2" for i, j in edges)
    return steps(
        rf"The degrees are the sums of the rows: ${row(degrees)}$.",
        rf"Edge by edge, $w_{{ij}}(y_i-y_j)^2$ gives ${written}={total(terms)}={tex(sum(terms))}$.",
        rf"The sum over all $i$ and $j$ meets every edge twice: ${tex(2 * sum(terms))}$.",
    ), (degrees, 2 * sum(terms))
