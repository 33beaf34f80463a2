"""Task `shortest_walks`: the path lengths from one vertex of a small network, by hand."""

from itertools import pairwise

import numpy as np
from scipy.sparse.csgraph import floyd_warshall

from autograder.authoring import task
from solutions.isomap.numbers import eliminated
from solutions.numbers import Array, are_apart
from solutions.steps import Worked, eq, row, steps, tex, total

N_POINTS = 5


def _network(rng: np.random.Generator) -> Array:
    present = np.triu(rng.uniform(size=(N_POINTS, N_POINTS)) < 0.65, 1)
    upper = np.where(present, rng.integers(1, 16, size=present.shape), 0).astype(float)
    return upper + upper.T


def _are_all_apart(answers: list[Array]) -> bool:
    return all(
        np.linalg.norm(one - other) > 0.05 * np.linalg.norm(one)
        for position, one in enumerate(answers)
        for other in answers[:position]
    )


@task.hand(
    points=2,
    minutes=8,
    see="eq-isomap-geodesic",
    parts=("to the second point", "to the third", "to the fourth", "to the fifth"),
    may_agree=(
        ("lengths", "a shortest walk may be a single edge"),
        ("summed_the_squares", "of a single edge the root of the square is its length"),
        ("steps", "a walk of one edge is written down only as a result"),
    ),
)
def shortest_walks(lengths: Array) -> Array:
    """Δ₁ⱼ for j = 2, …, 5 (eq-isomap-geodesic)."""
    return eliminated(lengths)[0, 1:]


@shortest_walks.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Five points, six or seven edges of whole lengths, on which no two ways agree."""
    while True:
        lengths = _network(rng)
        paths = eliminated(lengths)[0]
        if np.isinf(paths).any() or not are_apart(*paths[1:]):
            continue
        if _are_all_apart([way(lengths) for way in WAYS]):
            return {"the numbers of the text": {"lengths": lengths}}


@shortest_walks.wrong(
    "An edge is one way among several: here a detour over other points is shorter than an edge."
)
def kept_the_direct_edges(lengths: Array) -> Array:
    """Where there is an edge take its length, elsewhere the shortest path."""
    return np.where(lengths[0] > 0, lengths[0], eliminated(lengths)[0])[1:]


def _by_steps(lengths: Array) -> tuple[Array, Array]:
    """The fewest steps from the first point, and the length of the shortest walk with so few."""
    steps, best = np.full(len(lengths), np.inf), np.full(len(lengths), np.inf)
    steps[0], best[0] = 0, 0
    reached = best
    for count in range(1, len(lengths)):
        through = np.where(lengths > 0, reached[:, None] + lengths, np.inf).min(axis=0)
        reached = through
        new = np.isinf(steps) & np.isfinite(through)
        steps[new], best[new] = count, through[new]
    return steps, best


@shortest_walks.wrong(
    "The shortest path is the one with the smallest sum of lengths; it may take more steps."
)
def took_the_fewest_steps(lengths: Array) -> Array:
    """The length of the walk with the fewest edges."""
    return _by_steps(lengths)[1][1:]


@shortest_walks.wrong(
    "These are numbers of steps. The length of a path is the sum of the lengths of its edges."
)
def counted_the_steps(lengths: Array) -> Array:
    """The number of edges of the walk with the fewest."""
    return _by_steps(lengths)[0][1:]


@shortest_walks.wrong(
    "Lengths add up along a path, squares of lengths do not. Squares enter later, in the scaling step.",
    see="alg-isomap-steps",
)
def summed_the_squares(lengths: Array) -> Array:
    """Walk along squared lengths."""
    return eliminated(lengths**2)[0, 1:]


@shortest_walks.wrong(
    "A shortest path may visit several points on its way. One round of improvements finds those with one point in "
    "between.",
    see="eq-isomap-floyd-warshall",
)
def allowed_two_steps_only(lengths: Array) -> Array:
    """One round of improvements: paths of at most two edges, zero where there is none."""
    edges = np.where(lengths > 0, lengths, np.inf)
    once = np.minimum(edges[0], (edges[0][:, None] + edges).min(axis=0))
    return np.where(np.isinf(once), 0.0, once)[1:]


@shortest_walks.wrong(
    "You found the shortest paths and counted their edges. How long are they?",
)
def counted_the_edges_of_the_shortest(lengths: Array) -> Array:
    """The number of edges of each shortest path: a trifle on each edge is counted apart."""
    trifle = 1e-6
    paths = eliminated(np.where(lengths > 0, lengths + trifle, 0.0))
    return np.rint((paths - eliminated(lengths))[0, 1:] / trifle)


@shortest_walks.also
def by_library(lengths: Array) -> Array:
    """All path lengths by a library, and their first row."""
    return np.asarray(floyd_warshall(np.ascontiguousarray(lengths), directed=False))[0, 1:]


@shortest_walks.also
def by_repeated_relaxation(lengths: Array) -> Array:
    """Improve along every edge until nothing changes."""
    best = np.full(len(lengths), np.inf)
    best[0] = 0.0
    for _ in range(len(lengths) - 1):
        best = np.minimum(best, np.where(lengths > 0, best[:, None] + lengths, np.inf).min(axis=0))
    return best[1:]


WAYS = (
    shortest_walks,
    kept_the_direct_edges,
    took_the_fewest_steps,
    counted_the_steps,
    summed_the_squares,
    allowed_two_steps_only,
)
NAMES = ("first", "second", "third", "fourth", "fifth")


def _settled(point: int, before: list[int], lengths: Array, distance: float) -> str:
    """The way to a point, and how long it is."""
    way = [point]
    while way[0]:
        way.insert(0, before[way[0]])
    edges = [lengths[one, other] for one, other in pairwise(way)]
    path = "–".join(f"${one + 1}$" for one in way)
    added = f"{total(edges)}{eq(distance)}" if len(edges) > 1 else tex(distance)
    return rf"The {NAMES[point]} point by the way {path}: ${added}$."


@shortest_walks.worked
def worked(lengths: Array) -> Worked:
    """Dijkstra's order: the nearest point that is not settled yet is settled next."""
    best = np.full(len(lengths), np.inf)
    before = [0] * len(lengths)
    best[0], open_, lines = 0.0, set(range(len(lengths))), []
    while open_:
        here = min(open_, key=lambda point: best[point])
        open_.remove(here)
        if here:
            lines.append(_settled(here, before, lengths, best[here]))
        for there in open_:
            if lengths[here, there] > 0 and best[here] + lengths[here, there] < best[there]:
                best[there], before[there] = best[here] + lengths[here, there], here
    return steps(
        "Settle the points in the order of their distance from the first; a shorter way can then only lead through "
        "settled ones.",
        *lines,
        rf"In the order of the points: ${row(best[1:])}$.",
    ), best[1:]
