"""Task `audit`: how wide a matrix is, and by how much it misses each condition of the program."""

import numpy as np

from autograder.authoring.task import Cases, Inputs, Misconception, Task
from autograder.judging.sameness import exactly
from solutions.mvu.numbers import Edges, connected_edges, squared_lengths
from solutions.numbers import Array, parts_right_by_luck

Answer = tuple[float, float, float, float]


def _centred_points(rng: np.random.Generator, n_points: int, n_dimensions: int) -> Array:
    """Short decimals whose columns sum to zero."""
    Y = np.round(rng.uniform(-4, 4, size=(n_points, n_dimensions)), 1)
    Y[-1] -= Y.sum(axis=0)
    return np.round(Y, 1)


def _stretched(rng: np.random.Generator, Y: Array, n_more: int, stretch: tuple[float, float]) -> Inputs:
    """The Gram matrix of Y, and a graph on it whose edges are longer by these factors."""
    edges = connected_edges(rng, len(Y), n_more)
    squared = np.round(squared_lengths(Y, edges) * rng.uniform(*stretch, size=len(edges)), 2)
    return {"K": np.round(Y @ Y.T, 4), "edges": edges, "squared_lengths": squared}


def draw(rng: np.random.Generator) -> Cases:
    """An unfolding with slack, one away from the centre with long edges, and a matrix of no points at all.

    In one of the three the largest deviation is a string that is too long, so that a rod would do as well.
    """
    while True:
        cases = _some(rng)
        if parts_right_by_luck(answer, (took_rods_for_strings,), cases) == (10,):
            return cases


def _some(rng: np.random.Generator) -> Cases:
    slack = _stretched(rng, _centred_points(rng, 5, 2), 2, (1.1, 2.0))
    away = _centred_points(rng, 4, 3) + np.array([1.5, -0.5, 2.0])
    # a coordinate for each point alone keeps the smallest eigenvalue well above zero
    moved = _stretched(rng, np.hstack([away, 1.5 * np.eye(4)]), 1, (0.5, 1.4))
    indefinite = dict(_stretched(rng, _centred_points(rng, 6, 2), 3, (0.6, 1.5)))
    v = _centred_points(rng, 6, 1)
    indefinite["K"] = np.round(indefinite["K"] - v @ v.T, 4)
    return {
        "an unfolding with slack strings": slack,
        "points that are not centred": moved,
        "a matrix that belongs to no points": indefinite,
    }


def hard(rng: np.random.Generator) -> Cases:
    """Two points, whole numbers, and small units."""
    two = {"K": np.array([[1, -1], [-1, 1]]), "edges": np.array([[1, 0]]), "squared_lengths": np.array([5])}
    small = dict(_stretched(rng, _centred_points(rng, 4, 2), 2, (0.5, 2.0)))
    small["K"], small["squared_lengths"] = 1e-6 * small["K"], 1e-6 * small["squared_lengths"]
    large = dict(_stretched(rng, _centred_points(rng, 7, 6), 5, (0.3, 0.9)))
    return {"two points": two, "small units": small, "all edges too long": large}


def _excess(K: Array, edges: Edges, squared: Array) -> Array:
    i, j = edges.T
    return np.asarray(K[i, i] + K[j, j] - 2 * K[i, j] - squared)


def answer(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """tr K, the sum of its entries, λ_min, and the largest excess (eq-mvu-program, eq-mvu-inequality)."""
    excess = _excess(K, edges, squared_lengths).max()
    return float(np.trace(K)), float(K.sum()), float(np.linalg.eigvalsh(K)[0]), float(excess)


def took_rods_for_strings(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The largest deviation of either sign."""
    deviations = np.abs(_excess(K, edges, squared_lengths))
    return (*answer(K, edges, squared_lengths)[:3], float(deviations.max()))


def looked_at_the_best_edge(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The smallest excess."""
    return (*answer(K, edges, squared_lengths)[:3], float(_excess(K, edges, squared_lengths).min()))


def counted_the_product_once(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Kᵢᵢ + Kⱼⱼ − Kᵢⱼ."""
    i, j = edges.T
    excess = K[i, i] + K[j, j] - K[i, j] - squared_lengths
    return (*answer(K, edges, squared_lengths)[:3], float(excess.max()))


def compared_lengths(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Roots of both sides."""
    i, j = edges.T
    reached = np.maximum(K[i, i] + K[j, j] - 2 * K[i, j], 0)
    excess = np.sqrt(reached) - np.sqrt(squared_lengths)
    return (*answer(K, edges, squared_lengths)[:3], float(excess.max()))


def took_the_entries_for_the_spectrum(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The smallest entry of K in the place of its smallest eigenvalue."""
    trace, total, _, excess = answer(K, edges, squared_lengths)
    return trace, total, float(K.min()), excess


def took_the_largest_eigenvalue(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """λ_max in the place of λ_min."""
    trace, total, _, excess = answer(K, edges, squared_lengths)
    return trace, total, float(np.linalg.eigvalsh(K)[-1]), excess


def edge_by_edge(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Loops."""
    worst, trace, total = -np.inf, 0.0, 0.0
    for (i, j), squared in zip(edges, squared_lengths, strict=True):
        worst = max(worst, K[i, i] - 2 * K[i, j] + K[j, j] - squared)
    for i in range(len(K)):
        trace += K[i, i]
        for j in range(len(K)):
            total += K[i, j]
    return trace, total, min(np.linalg.eigvalsh(K)), worst


def by_all_distances(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The whole matrix of squared distances first; the trace as the sum of the eigenvalues."""
    values = np.linalg.eigh(K)[0]
    diagonal = np.diag(K)
    squares = np.add.outer(diagonal, diagonal) - 2 * K
    ones = np.ones(len(K))
    return (
        values.sum(),
        ones @ K @ ones,
        values[0],
        np.max(squares[edges[:, 0], edges[:, 1]] - squared_lengths),
    )


def squared_the_lengths_again(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The third argument taken for lengths."""
    excess = _excess(K, edges, squared_lengths**2).max()
    return (*answer(K, edges, squared_lengths)[:3], float(excess))


def took_the_smallest_modulus(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The eigenvalue nearest to zero: a singular value, or the first of a list sorted by modulus."""
    trace, total, _, excess = answer(K, edges, squared_lengths)
    return trace, total, float(np.abs(np.linalg.eigvalsh(K)).min()), excess


def _nothing_negative(K: Array, edges: Edges, squared_lengths: Array) -> str | None:
    smallest = np.linalg.eigvalsh(K)
    return None if smallest[0] < -1e-6 * smallest[-1] else "no eigenvalue is negative"


audit = Task(
    kind="code",
    points=2,
    minutes=10,
    draw=draw,
    answer=answer,
    see="eq-mvu-program",
    same=(exactly,) * 4,
    parts=("trace", "sum of the entries", "smallest eigenvalue", "largest excess"),
    hard=hard,
    misconceptions=(
        Misconception(
            took_rods_for_strings,
            hint="An edge that is shorter than allowed counts as a fault here. That is so for rods; a string may "
            "go slack.",
            see="eq-mvu-inequality",
        ),
        Misconception(
            looked_at_the_best_edge,
            hint="This is the edge with most room. One edge that is too long is enough to break the condition.",
            see="eq-mvu-inequality",
        ),
        Misconception(
            counted_the_product_once,
            hint="With this formula a point would have a positive distance from itself: put i = j.",
            see="thm-mvu-gram",
        ),
        Misconception(
            compared_lengths,
            hint="Lengths are compared here. The constraints compare squared lengths, which are linear in K.",
            see="eq-mvu-inequality",
        ),
        Misconception(
            took_the_entries_for_the_spectrum,
            hint="A Gram matrix may well have negative entries. What may not be negative is another list of "
            "numbers that belongs to K.",
            see="thm-mvu-gram",
        ),
        Misconception(
            took_the_largest_eigenvalue,
            hint="Every symmetric matrix with a positive trace has a positive largest eigenvalue. Whether K belongs to "
            "points is decided at the other end of the spectrum.",
            see="thm-mvu-gram",
        ),
        Misconception(
            squared_the_lengths_again,
            hint="The last number is off: the argument holds squared lengths already.",
            see="eq-mvu-inequality",
        ),
        Misconception(
            took_the_smallest_modulus,
            hint="Your third number is the eigenvalue nearest to zero. A negative one, which is what the condition "
            "forbids, does not show in it.",
            see="thm-mvu-gram",
            indefinite=_nothing_negative,
        ),
    ),
    alternatives=(edge_by_edge, by_all_distances),
)
