"""Tasks `three_forces` and `map_gradient`: attraction and repulsion of t-SNE, by hand and as a program."""

from itertools import permutations

import numpy as np

from autograder.authoring import task
from dimred_ref.neighbor_embeddings import tsne_gradient
from solutions.lle.numbers import told_apart
from solutions.numbers import Array, one_of
from solutions.steps import Worked, bracketed, eq, steps, tex


def _curve(Y: Array) -> tuple[Array, Array]:
    """Return k and q (eq-neighbor-embeddings-kernel)."""
    k = 1 / (1 + np.sum((Y[:, None] - Y) ** 2, axis=2))
    np.fill_diagonal(k, 0)
    return k, k / k.sum()


@task.hand(points=3, minutes=15, see="eq-neighbor-embeddings-gradient")
def three_forces(percent: Array, y: Array) -> Array:
    """Return the gradient of t-SNE at three points of a line (eq-neighbor-embeddings-gradient)."""
    return tsne_gradient(np.asarray(percent) / 100, np.asarray(y, dtype=float)[:, None]).ravel()


@three_forces.draw
def draw_three(rng: np.random.Generator) -> task.Cases:
    """Draw three points at steps of one and two, and probabilities in per cent of sum 100."""
    while True:
        first, second = 5 * rng.integers(1, 9, size=2)
        shares = np.array([first, second, 50 - first - second], dtype=float)
        order, side = one_of(rng, list(permutations(range(3)))), one_of(rng, (-1, 1))
        y = (side * np.array([0, 1, 3]) + rng.integers(-3, 4))[list(order)].astype(float)
        percent = np.zeros((3, 3))
        percent[[0, 0, 1], [1, 2, 2]] = shares
        inputs = percent + percent.T, y
        if shares.min() > 0 and told_apart(FORCES, inputs) and np.abs(three_forces(*inputs)).min() > 0.01:
            return {"the numbers of the text": {"percent": inputs[0], "y": y}}


def _changed(P: Array, Y: Array, weight: str) -> Array:
    """Return a gradient with other weights, for the mistakes."""
    k, q = _curve(Y)
    weights = {
        "attraction": P * k,
        "repulsion": -q * k,
        "heavy tail forgotten": P - q,
        "not normalised": (P - k) * k,
        "pairs once": (P - 2 * q) * k,
    }[weight]
    return np.asarray(4 * (weights.sum(axis=1)[:, None] * Y - weights @ Y))


def _on_a_line(percent: Array, y: Array, weight: str) -> Array:
    return _changed(np.asarray(percent) / 100, np.asarray(y, dtype=float)[:, None], weight).ravel()


@three_forces.wrong("This is the attraction alone. All points also repel each other.")
def left_out_the_repulsion(percent: Array, y: Array) -> Array:
    """Take the first sum only."""
    return _on_a_line(percent, y, "attraction")


@three_forces.wrong(
    "Each term has a factor k that you left out: the heavy tail weakens forces between far points."
)
def left_out_the_factor_k(percent: Array, y: Array) -> Array:
    """Take p − q alone."""
    return _on_a_line(percent, y, "heavy tail forgotten")


@three_forces.wrong("Your q do not sum to one: each is k divided by Z.", see="eq-neighbor-embeddings-kernel")
def forgot_to_normalise(percent: Array, y: Array) -> Array:
    """Take k in the place of q."""
    return _on_a_line(percent, y, "not normalised")


@three_forces.wrong(
    "Your Z counts every pair once. It runs over ordered pairs, as the probabilities do.",
    see="eq-neighbor-embeddings-kernel",
)
def counted_pairs_once(percent: Array, y: Array) -> Array:
    """Halve Z."""
    return _on_a_line(percent, y, "pairs once")


@three_forces.wrong(
    "These are the forces, the steps that a descent takes. The gradient points the other way."
)
def gave_the_forces(percent: Array, y: Array) -> Array:
    """Change the sign."""
    return -three_forces(percent, y)


@three_forces.wrong("All numbers are a quarter of the gradient: the factor 4 is missing.", credit=0.5)
def forgot_the_four(percent: Array, y: Array) -> Array:
    """Leave the factor out."""
    return three_forces(percent, y) / 4


FORCES = (
    three_forces,
    left_out_the_repulsion,
    left_out_the_factor_k,
    forgot_to_normalise,
    counted_pairs_once,
    gave_the_forces,
    forgot_the_four,
)


@three_forces.also
def term_by_term(percent: Array, y: Array) -> Array:
    """Add attraction and repulsion of each pair."""
    return _on_a_line(percent, y, "attraction") + _on_a_line(percent, y, "repulsion")


@three_forces.worked
def worked_forces(percent: Array, y: Array) -> Worked:
    """Compute k, Z and q, then one sum for each point."""
    k, q = _curve(np.asarray(y, dtype=float)[:, None])
    gradient = _on_a_line(percent, y, "attraction") + _on_a_line(percent, y, "repulsion")
    pairs = ((0, 1), (0, 2), (1, 2))
    names = ", ".join(rf"$k_{{{i + 1}{j + 1}}}{eq(k[i, j])}$" for i, j in pairs)
    shares = ", ".join(rf"$q_{{{i + 1}{j + 1}}}{eq(q[i, j])}$" for i, j in pairs)

    def terms(i: int) -> str:
        return "+".join(
            rf"{bracketed(percent[i, j] / 100 - q[i, j])}\cdot{tex(k[i, j])}\cdot{bracketed(y[i] - y[j])}"
            for j in range(3)
            if j != i
        )

    return steps(
        rf"The curve gives {names}.",
        rf"Over ordered pairs $Z=2({tex(k[0, 1])}+{tex(k[0, 2])}+{tex(k[1, 2])}){eq(k.sum())}$, so {shares}.",
        *(rf"Point {i + 1}: $4\,[{terms(i)}]{eq(gradient[i])}$." for i in range(3)),
    ), gradient


@task.code(points=3, minutes=12, see="eq-neighbor-embeddings-gradient")
def map_gradient(P: Array, Y: Array) -> Array:
    """Return the N × d gradient of the cost of t-SNE (eq-neighbor-embeddings-gradient)."""
    return tsne_gradient(P, np.asarray(Y, dtype=float))


def _pairs(rng: np.random.Generator, N: int) -> Array:
    """Draw symmetric probabilities of pairs, of sum 1, some of them zero."""
    weights = np.triu(rng.random((N, N)) ** 3 * (rng.random((N, N)) < 0.7), 1) + np.diag(
        np.full(N - 1, 0.2), 1
    )
    weights = np.round((weights + weights.T) / (2 * weights.sum()), 5)
    weights[0, 1] += (1 - weights.sum()) / 2
    weights[1, 0] = weights[0, 1]
    return np.asarray(weights)


@map_gradient.draw
def draw_maps(rng: np.random.Generator) -> task.Cases:
    """Draw small and wide maps on a line, in the plane and in space."""
    return {
        "a map in the plane": {"P": _pairs(rng, 6), "Y": np.round(rng.normal(size=(6, 2)), 2)},
        "whole places on a line": {"P": _pairs(rng, 5), "Y": rng.integers(-9, 10, size=(5, 1))},
        "a small map in space": {"P": _pairs(rng, 7), "Y": np.round(0.1 * rng.normal(size=(7, 3)), 3)},
    }


@map_gradient.hard
def hard_maps(rng: np.random.Generator) -> task.Cases:
    """Draw whole places, two points in one place, many points."""
    Y = np.round(rng.normal(size=(6, 2)), 2)
    Y[4] = Y[2]
    return {
        "whole places": {"P": _pairs(rng, 5), "Y": rng.integers(-3, 4, size=(5, 2))},
        "two points in one place": {"P": _pairs(rng, 6), "Y": Y},
        "many points": {"P": _pairs(rng, 20), "Y": np.round(rng.normal(size=(20, 2)), 2)},
    }


@map_gradient.wrong("This is the attraction alone. All points also repel each other.")
def forgot_the_repulsion(P: Array, Y: Array) -> Array:
    """Take the first sum only."""
    return _changed(P, Y, "attraction")


@map_gradient.wrong(
    "Each term has a factor k that you left out: the heavy tail weakens forces between far points."
)
def forgot_the_heavy_tail(P: Array, Y: Array) -> Array:
    """Take p − q alone."""
    return _changed(P, Y, "heavy tail forgotten")


@map_gradient.wrong("Your q do not sum to one: each is k divided by Z.", see="eq-neighbor-embeddings-kernel")
def left_q_unnormalised(P: Array, Y: Array) -> Array:
    """Take k in the place of q."""
    return _changed(P, Y, "not normalised")


@map_gradient.wrong(
    "Your Z counts every pair once. It runs over ordered pairs, as the probabilities do.",
    see="eq-neighbor-embeddings-kernel",
)
def halved_the_normaliser(P: Array, Y: Array) -> Array:
    """Halve Z."""
    return _changed(P, Y, "pairs once")


@map_gradient.wrong("These are the steps that a descent takes. The gradient points the other way.")
def gave_the_descent(P: Array, Y: Array) -> Array:
    """Change the sign."""
    return -map_gradient(P, Y)


@map_gradient.wrong("All numbers are a quarter of the gradient: the factor 4 is missing.", credit=0.5)
def left_the_four_out(P: Array, Y: Array) -> Array:
    """Leave the factor out."""
    return map_gradient(P, Y) / 4


@map_gradient.also
def by_attraction_and_repulsion(P: Array, Y: Array) -> Array:
    """Add both sums."""
    return _changed(P, Y, "attraction") + _changed(P, Y, "repulsion")


@map_gradient.also
def by_loops(P: Array, Y: Array) -> Array:
    """Go from pair to pair."""
    Y = np.asarray(Y, dtype=float)
    N = len(Y)
    k = np.array([[1 / (1 + np.sum((a - b) ** 2)) for b in Y] for a in Y]) - np.eye(N)
    gradient = np.zeros_like(Y)
    for i in range(N):
        for j in range(N):
            gradient[i] += 4 * (P[i, j] - k[i, j] / k.sum()) * k[i, j] * (Y[i] - Y[j])
    return gradient
