"""Task `energy_by_hand`: degrees and energy of a small weighted graph."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from autograder.judging.sameness import exactly
from dimred_ref.laplacian_eigenmaps import graph_laplacian
from solutions.lle.numbers import told_apart
from solutions.numbers import Array

Answer = tuple[Array, np.float64]
SAME = (exactly, exactly)
RING = ((0, 1), (1, 2), (2, 3), (3, 0))


def draw(rng: np.random.Generator) -> Cases:
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


def _differences(y: Array) -> Array:
    return y[:, None] - y


def answer(W: Array, y: Array) -> Answer:
    """Row sums, and 2 yᵀLy (eq-laplacian-eigenmaps-energy)."""
    return W.sum(axis=1), 2 * np.float64(y @ (graph_laplacian(W) @ y))


def counted_each_edge_once(W: Array, y: Array) -> Answer:
    """yᵀLy."""
    degrees, energy = answer(W, y)
    return degrees, energy / 2


def counted_the_neighbors(W: Array, y: Array) -> Answer:
    """The number of edges at each vertex."""
    return (W > 0).sum(axis=1).astype(float), answer(W, y)[1]


def forgot_the_squares(W: Array, y: Array) -> Answer:
    """Σ w|yᵢ − yⱼ|."""
    return W.sum(axis=1), np.float64(np.sum(W * np.abs(_differences(y))))


def forgot_the_weights(W: Array, y: Array) -> Answer:
    """Every edge with weight one."""
    return W.sum(axis=1), np.float64(np.sum((W > 0) * _differences(y) ** 2))


def left_out_the_products(W: Array, y: Array) -> Answer:
    """2 yᵀDy."""
    degrees = W.sum(axis=1)
    return degrees, 2 * np.float64(degrees @ y**2)


def used_the_weights_as_matrix(W: Array, y: Array) -> Answer:
    """2 yᵀWy."""
    return W.sum(axis=1), 2 * np.float64(y @ W @ y)


def squared_the_weights_too(W: Array, y: Array) -> Answer:
    """Σ (w(yᵢ − yⱼ))²."""
    return W.sum(axis=1), np.float64(np.sum((W * _differences(y)) ** 2))


WAYS = (
    answer,
    counted_each_edge_once,
    counted_the_neighbors,
    forgot_the_squares,
    forgot_the_weights,
    left_out_the_products,
    used_the_weights_as_matrix,
    squared_the_weights_too,
)


def by_pairs(W: Array, y: Array) -> Answer:
    """All ordered pairs."""
    return W.sum(axis=0), np.float64(np.sum(W * _differences(y) ** 2))


def by_edges(W: Array, y: Array) -> Answer:
    """Each edge, twice."""
    energy = np.float64(0)
    for i in range(4):
        for j in range(i):
            energy += 2 * W[i, j] * (y[i] - y[j]) ** 2
    return np.array([sum(row) for row in W]), energy


energy_by_hand = Task(
    kind="hand",
    points=1,
    minutes=8,
    draw=draw,
    answer=answer,
    see="thm-laplacian-eigenmaps-energy",
    same=SAME,
    parts=("degrees", "energy"),
    misconceptions=(
        Misconception(
            counted_each_edge_once,
            hint="The degrees are right. This is the energy with each edge counted once; the sum runs over ordered "
            "pairs.",
            see="thm-laplacian-eigenmaps-energy",
        ),
        Misconception(
            counted_the_neighbors,
            hint="The energy is right. You counted edges; a degree adds up their weights.",
            see="eq-laplacian-eigenmaps-degree",
        ),
        Misconception(
            forgot_the_squares,
            hint="The degrees are right. In your energy the differences are not squared.",
            see="eq-laplacian-eigenmaps-energy",
        ),
        Misconception(
            forgot_the_weights,
            hint="The degrees are right. In your energy every edge has the weight one.",
            see="eq-laplacian-eigenmaps-energy",
        ),
        Misconception(
            left_out_the_products,
            hint="The degrees are right. This is the part of the energy that belongs to D; the part of W is missing.",
            see="eq-laplacian-eigenmaps-laplacian",
        ),
        Misconception(
            used_the_weights_as_matrix,
            hint="The degrees are right. This is the quadratic form of W; the energy is that of the Laplacian.",
            see="eq-laplacian-eigenmaps-laplacian",
        ),
        Misconception(
            squared_the_weights_too,
            hint="The degrees are right. In your energy the weights are squared along with the differences.",
            see="eq-laplacian-eigenmaps-energy",
        ),
    ),
    alternatives=(by_pairs, by_edges),
)
