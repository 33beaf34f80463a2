"""Task `audit`: how wide a matrix is, and by how much it misses each condition of the program."""

import numpy as np

from autograder.authoring import task
from solutions.announced import has_negative_eigenvalue, has_tiny_numbers
from solutions.mvu.numbers import Edges, connected_edges, squared_lengths
from solutions.numbers import Array, parts_right_by_luck

Answer = tuple[float, float, float, float]


def _excess(K: Array, edges: Edges, squared: Array) -> Array:
    i, j = edges.T
    return np.asarray(K[i, i] + K[j, j] - 2 * K[i, j] - squared)


@task.code(
    points=2,
    minutes=10,
    see="eq-mvu-program",
    parts=("trace", "sum of the entries", "smallest eigenvalue", "largest excess"),
)
def audit(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """tr K, the sum of its entries, λ_min, and the largest excess (eq-mvu-program, eq-mvu-inequality)."""
    excess = _excess(K, edges, squared_lengths).max()
    return float(np.trace(K)), float(K.sum()), float(np.linalg.eigvalsh(K)[0]), float(excess)


def _centred_points(rng: np.random.Generator, n_points: int, n_dimensions: int) -> Array:
    """Short decimals whose columns sum to zero."""
    Y = np.round(rng.uniform(-4, 4, size=(n_points, n_dimensions)), 1)
    Y[-1] -= Y.sum(axis=0)
    return np.round(Y, 1)


def _stretched(rng: np.random.Generator, Y: Array, n_more: int, stretch: tuple[float, float]) -> task.Inputs:
    """The Gram matrix of Y, and a graph on it whose edges are longer by these factors."""
    edges = connected_edges(rng, len(Y), n_more)
    squared = np.round(squared_lengths(Y, edges) * rng.uniform(*stretch, size=len(edges)), 2)
    return {"K": np.round(Y @ Y.T, 4), "edges": edges, "squared_lengths": squared}


@audit.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """An unfolding with slack strings, and three matrices that belong to no points, one of them not centred.

    What the task is about shows in more than one case: all strings are slack in three of them, an eigenvalue is
    negative in three, and the edge that decides is written upwards in two and downwards in two.
    """
    while True:
        cases = _some(rng)
        if _shows(cases) and parts_right_by_luck(audit, tuple(RIGHT_BY_LUCK), cases) == tuple(
            RIGHT_BY_LUCK.values()
        ):
            return cases


def _some(rng: np.random.Generator) -> task.Cases:
    away = _centred_points(rng, 4, 3) + np.array([1.5, -0.5, 2.0])
    tiny = _of_no_points(rng, _centred_points(rng, 5, 2), 2, (1.2, 2.0))
    tiny["K"], tiny["squared_lengths"] = 1e-11 * tiny["K"], 1e-11 * tiny["squared_lengths"]
    return {
        "an unfolding with slack strings": _stretched(rng, _centred_points(rng, 5, 2), 2, (1.1, 2.0)),
        "a matrix that is not centred": _of_no_points(rng, away, 1, (1.1, 1.6)),
        "a matrix that belongs to no points": _of_no_points(
            rng, _centred_points(rng, 6, 2), 3, (0.6, 1.5), 2
        ),
        "a matrix that belongs to no points, in a huge unit": tiny,
    }


def _of_no_points(
    rng: np.random.Generator, points: Array, n_more: int, stretch: tuple[float, float], n_squares: int = 1
) -> dict[str, Array]:
    """Take squares away from a Gram matrix, so that so many eigenvalues are negative and none is near zero."""
    # a coordinate for each point alone keeps the others away from zero
    case = dict(_stretched(rng, np.hstack([points, np.eye(len(points))]), n_more, stretch))
    v = _centred_points(rng, len(points), n_squares)
    case["K"] = np.round(case["K"] - v @ v.T, 4)
    return case


def _shows(cases: task.Cases) -> bool:
    """Do the deciding edges run in both directions, and are slack strings and negative eigenvalues in three cases?"""
    ends = [inputs["edges"][_excess(*inputs.values()).argmax()] for inputs in cases.values()]
    n_upwards = sum(int(first < second) for first, second in ends)
    n_slack = sum(int(_excess(*inputs.values()).max() < 0) for inputs in cases.values())
    n_indefinite = sum(_nothing_negative(*inputs.values()) is None for inputs in cases.values())
    return n_upwards == len(ends) // 2 and n_slack == n_indefinite == len(ends) - 1


@audit.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Two points, whole numbers, and small units."""
    two = {"K": np.array([[1, -1], [-1, 1]]), "edges": np.array([[1, 0]]), "squared_lengths": np.array([5])}
    small = dict(_stretched(rng, _centred_points(rng, 4, 2), 2, (0.5, 2.0)))
    small["K"], small["squared_lengths"] = 1e-6 * small["K"], 1e-6 * small["squared_lengths"]
    large = dict(_stretched(rng, _centred_points(rng, 7, 6), 5, (0.3, 0.9)))
    return {"two points": two, "small units": small, "all edges too long": large}


@audit.wrong(
    "An edge that is shorter than allowed counts as a fault here. That is so for rods; a string may go slack.",
    see="eq-mvu-inequality",
)
def took_rods_for_strings(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The largest deviation of either sign."""
    deviations = np.abs(_excess(K, edges, squared_lengths))
    return (*audit(K, edges, squared_lengths)[:3], float(deviations.max()))


@audit.wrong(
    "This is the edge with most room. One edge that is too long is enough to break the condition.",
    see="eq-mvu-inequality",
)
def looked_at_the_best_edge(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The smallest excess."""
    return (*audit(K, edges, squared_lengths)[:3], float(_excess(K, edges, squared_lengths).min()))


@audit.wrong(
    "With this formula a point would have a positive distance from itself: put i = j.", see="thm-mvu-gram"
)
def counted_the_product_once(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Kᵢᵢ + Kⱼⱼ − Kᵢⱼ."""
    i, j = edges.T
    excess = K[i, i] + K[j, j] - K[i, j] - squared_lengths
    return (*audit(K, edges, squared_lengths)[:3], float(excess.max()))


@audit.wrong(
    "Lengths are compared here. The constraints compare squared lengths, which are linear in K.",
    see="eq-mvu-inequality",
)
def compared_lengths(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Roots of both sides."""
    i, j = edges.T
    reached = np.maximum(K[i, i] + K[j, j] - 2 * K[i, j], 0)
    excess = np.sqrt(reached) - np.sqrt(squared_lengths)
    return (*audit(K, edges, squared_lengths)[:3], float(excess.max()))


@audit.wrong(
    "A Gram matrix may well have negative entries. What may not be negative is another list of numbers that belongs "
    "to K.",
    see="thm-mvu-gram",
)
def took_the_entries_for_the_spectrum(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The smallest entry of K in the place of its smallest eigenvalue."""
    trace, total, _, excess = audit(K, edges, squared_lengths)
    return trace, total, float(K.min()), excess


@audit.wrong(
    "Every symmetric matrix with a positive trace has a positive largest eigenvalue. Whether K belongs to points is "
    "decided at the other end of the spectrum.",
    see="thm-mvu-gram",
)
def took_the_largest_eigenvalue(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """λ_max in the place of λ_min."""
    trace, total, _, excess = audit(K, edges, squared_lengths)
    return trace, total, float(np.linalg.eigvalsh(K)[-1]), excess


@audit.wrong("The last number is off: the argument holds squared lengths already.", see="eq-mvu-inequality")
def squared_the_lengths_again(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The third argument taken for lengths."""
    excess = _excess(K, edges, squared_lengths**2).max()
    return (*audit(K, edges, squared_lengths)[:3], float(excess))


@audit.wrong(
    "Your last number is zero where all strings are slack. How much room the tightest of them has is a negative "
    "number, and it was asked for.",
    see="eq-mvu-inequality",
)
def clipped_the_excess(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Zero where all strings are slack."""
    trace, total, smallest, excess = audit(K, edges, squared_lengths)
    return trace, total, smallest, max(excess, 0.0)


@audit.wrong(
    "Your third number is never negative. A negative eigenvalue says that the matrix belongs to no points, which is "
    "what the audit is to find out.",
    see="thm-mvu-gram",
)
def clipped_the_eigenvalue(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Zero for a negative eigenvalue."""
    trace, total, smallest, excess = audit(K, edges, squared_lengths)
    return trace, total, max(smallest, 0.0), excess


@audit.wrong(
    "Only edges whose first number is the smaller one were looked at. An edge may be written in either direction.",
    see="eq-mvu-inequality",
)
def read_upward_edges_only(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """Only edges that are written with the smaller number first."""
    upwards = edges[:, 0] < edges[:, 1]
    return audit(K, edges[upwards], squared_lengths[upwards])


def _nothing_negative(K: Array, edges: Edges, squared_lengths: Array) -> str | None:
    smallest = np.linalg.eigvalsh(K)
    return None if smallest[0] < -0.02 * smallest[-1] else "no eigenvalue is clearly negative"


@audit.wrong(
    "Your third number is the eigenvalue nearest to zero. A negative one, which is what the condition forbids, does "
    "not show in it.",
    see="thm-mvu-gram",
    indefinite=_nothing_negative,
)
def took_the_smallest_modulus(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """The eigenvalue nearest to zero: a singular value, or the first of a list sorted by modulus."""
    trace, total, _, excess = audit(K, edges, squared_lengths)
    return trace, total, float(np.abs(np.linalg.eigvalsh(K)).min()), excess


@audit.wrong(
    "Three numbers are right. This is the second smallest eigenvalue; no zero has to be left out here, the smallest "
    "itself was asked for."
)
def took_the_second_eigenvalue(K: Array, edges: Edges, squared_lengths: Array) -> Answer:
    """λ₂ of the ascending list."""
    trace, total, _, excess = audit(K, edges, squared_lengths)
    return trace, total, float(np.linalg.eigvalsh(K)[1]), excess


@audit.also
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


@audit.also
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


RIGHT_BY_LUCK = {took_rods_for_strings: 12, read_upward_edges_only: 14}  # of the sixteen parts
NO_POINTS_HUGE_UNIT = "a matrix that belongs to no points, in a huge unit"


def _is_not_centred(K: Array, *others: Array) -> bool:
    return bool(np.abs(K.sum(axis=0)).max() > 0.1 * np.abs(K).max())


audit.announces(
    "may have negative eigenvalues", "a matrix that belongs to no points", has_negative_eigenvalue
)
audit.announces("need not be centred", "a matrix that is not centred", _is_not_centred)
audit.announces("The unit may be huge", NO_POINTS_HUGE_UNIT, has_tiny_numbers)
