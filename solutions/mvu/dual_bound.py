"""Task `dual_bound`: the bound on every unfolding that given tensions prove."""

import numpy as np

from autograder.authoring import task
from solutions.announced import has_tiny_numbers
from solutions.mvu.numbers import Edges, connected_edges, laplacian
from solutions.numbers import Array

Answer = float


@task.code(points=3, minutes=12, see="thm-mvu-certificate")
def dual_bound(edges: Edges, squared_lengths: Array, w: Array) -> Answer:
    """Σ w d²/λ₂(L(w)) (eq-mvu-weak-duality)."""
    connectivity = np.linalg.eigvalsh(laplacian(edges, w))[1]
    return float(w @ squared_lengths / connectivity)


def _net(rng: np.random.Generator, n_points: int, n_more: int) -> task.Inputs:
    """A connected net with short decimals as squared lengths and tensions."""
    edges = connected_edges(rng, n_points, n_more)
    squared = np.round(rng.uniform(0.5, 9, size=len(edges)), 1)
    return {
        "edges": edges,
        "squared_lengths": squared,
        "w": np.round(rng.uniform(0.2, 3, size=len(edges)), 1),
    }


# a limit of a billionth takes this second eigenvalue for zero, and rounding leaves it alone
WEAK = (4e-10, 9e-10)


def _weak_net(rng: np.random.Generator) -> task.Inputs:
    """A net under tensions so weak that its second eigenvalue is below a billionth."""
    while True:
        net = _net(rng, 7, 4)
        weak = {**net, "w": 1e-9 * net["w"]}
        if WEAK[0] < np.linalg.eigvalsh(laplacian(weak["edges"], weak["w"]))[1] < WEAK[1]:
            return weak


@dual_bound.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A tree under strong tensions, a net under weak ones, and a ring with a chord that carries nothing.

    A multiple of the tensions proves the same bound, however small it is.
    """
    ring = np.array([[0, 1], [2, 1], [2, 3], [3, 4], [0, 4], [1, 3]])
    with_chord = {
        "edges": ring,
        "squared_lengths": np.round(rng.uniform(1, 9, size=6), 1),
        "w": np.append(np.round(rng.uniform(0.5, 4, size=5), 1), 0.0),
    }
    tree, weak = dict(_net(rng, 5, 0)), _weak_net(rng)
    tree["w"] = 1000 * tree["w"]
    return {
        "a tree under strong tensions": tree,
        "a net with cycles under weak tensions": weak,
        "a chord without tension": with_chord,
    }


@dual_bound.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One string, whole numbers, strong tensions, tiny lengths."""
    one = {"edges": np.array([[1, 0]]), "squared_lengths": np.array([9.0]), "w": np.array([2.0])}
    triangle = np.array([[0, 1], [1, 2], [2, 0]])
    whole = {"edges": triangle, "squared_lengths": np.array([1, 1, 9]), "w": np.array([1, 2, 1])}
    strong, tiny = dict(_net(rng, 6, 2)), dict(_net(rng, 6, 2))
    strong["w"], tiny["squared_lengths"] = 1e3 * strong["w"], 1e-6 * tiny["squared_lengths"]
    return {"one string": one, "whole numbers": whole, "strong tensions": strong, "tiny lengths": tiny}


@dual_bound.ill_posed
def _badly_connected(edges: Edges, squared_lengths: Array, w: Array) -> str | None:
    values = np.linalg.eigvalsh(laplacian(edges, w))
    return "the net hardly holds together" if values[1] < 1e-3 * values[-1] else None


@dual_bound.wrong(
    "This is a bound only if the second eigenvalue is at least one. Half as strong tensions prove just as much, and "
    "your number becomes half as large.",
    see="eq-mvu-weak-duality",
)
def left_the_tensions_as_they_are(edges: Edges, squared_lengths: Array, w: Array) -> Answer:
    """Σ w d², a bound only where λ₂ is at least one."""
    return float(w @ squared_lengths)


@dual_bound.wrong(
    "This number can lie below the trace of an unfolding, so it proves nothing. Which eigenvalue bounds the quadratic "
    "form of L from below on centred vectors?",
    see="eq-mvu-weak-duality",
)
def took_the_largest_eigenvalue(edges: Edges, squared_lengths: Array, w: Array) -> Answer:
    """λ_N in the place of λ₂."""
    return float(w @ squared_lengths / np.linalg.eigvalsh(laplacian(edges, w))[-1])


@dual_bound.wrong(
    "This is the second eigenvalue from the large end. The Laplacian's eigenvalues are numbered from zero upwards: "
    "which one bounds its quadratic form from below on centred vectors?",
    see="eq-mvu-weak-duality",
)
def counted_from_the_large_end(edges: Edges, squared_lengths: Array, w: Array) -> Answer:
    """The second largest eigenvalue in the place of the second smallest."""
    return float(w @ squared_lengths / np.linalg.eigvalsh(laplacian(edges, w))[-2])


@dual_bound.wrong(
    "The eigenvalue of the plain graph was used. The Laplacian of the bound carries the tensions.",
    see="eq-mvu-laplacian",
)
def forgot_the_weights(edges: Edges, squared_lengths: Array, w: Array) -> Answer:
    """λ₂ of the graph without its tensions."""
    return float(w @ squared_lengths / np.linalg.eigvalsh(laplacian(edges, np.ones(len(w))))[1])


@dual_bound.wrong(
    "In weak duality the eigenvalue stands beside the trace. Solve for the trace.", see="eq-mvu-weak-duality"
)
def multiplied_by_the_eigenvalue(edges: Edges, squared_lengths: Array, w: Array) -> Answer:
    """λ₂ Σ w d²."""
    return float(w @ squared_lengths * np.linalg.eigvalsh(laplacian(edges, w))[1])


@dual_bound.wrong(
    "The argument already holds squared lengths, and the bound uses them as they are.",
    see="eq-mvu-weak-duality",
)
def took_the_roots(edges: Edges, squared_lengths: Array, w: Array) -> Answer:
    """Lengths in the place of their squares."""
    return dual_bound(edges, np.sqrt(squared_lengths), w)


@dual_bound.wrong(
    "In your Laplacian every tension enters squared. Its quadratic form should be the sum of w times squared "
    "differences.",
    see="eq-mvu-laplacian",
)
def squared_the_weights(edges: Edges, squared_lengths: Array, w: Array) -> Answer:
    """The rows of B multiplied by w on both sides: L(w²)."""
    return float(w @ squared_lengths / np.linalg.eigvalsh(laplacian(edges, w**2))[1])


@dual_bound.also
def entry_by_entry(edges: Edges, squared_lengths: Array, w: Array) -> Answer:
    """Degrees minus weights, one edge at a time."""
    n_points = np.max(edges) + 1
    L = np.zeros((n_points, n_points))
    for (i, j), weight in zip(edges, w, strict=True):
        L[i, i] += weight
        L[j, j] += weight
        L[i, j] -= weight
        L[j, i] -= weight
    return float(np.sum(w * squared_lengths) / np.sort(np.linalg.eigvalsh(L))[1])


@dual_bound.also
def without_the_constant(edges: Edges, squared_lengths: Array, w: Array) -> Answer:
    """Degrees minus weights; the constant vector is lifted out of the way, and the tensions are made feasible."""
    n_points = int(edges.max()) + 1
    W = np.zeros((n_points, n_points))
    W[edges[:, 0], edges[:, 1]] = w
    W = W + W.T
    L = np.diag(W.sum(axis=1)) - W
    lifted = L + np.full((n_points, n_points), 10 * np.trace(L))
    feasible = w / np.linalg.eigvalsh(lifted)[0]
    return float(feasible @ squared_lengths)


TENSIONS = "these tensions and their multiples (they may be very weak or very strong)"

dual_bound.announces(
    TENSIONS, "a tree under strong tensions", lambda edges, squared_lengths, w: w.min() > 100
)
dual_bound.announces(
    TENSIONS, "a net with cycles under weak tensions", lambda edges, squared_lengths, w: has_tiny_numbers(w)
)
