"""Task `path_lengths`: all shortest paths of a network of edge lengths."""

import numpy as np
from scipy.sparse.csgraph import floyd_warshall

from autograder.authoring.task import Cases, Misconception, Task
from solutions.isomap.numbers import eliminated, network
from solutions.numbers import Array


def draw(rng: np.random.Generator) -> Cases:
    """A chain, a ring, and a network with edges that are longer than detours."""
    small, middle, large = rng.permutation([7, 8, 10])
    return {
        "a chain in mixed order": {"lengths": network(rng, small, 0, closed=False)},
        "a ring": {"lengths": network(rng, middle, 0, closed=True)},
        "edges longer than detours": {"lengths": network(rng, large, 12, closed=True)},
    }


def hard(rng: np.random.Generator) -> Cases:
    """Whole numbers, two points, other units, many edges."""
    whole = np.round(network(rng, 6, 3, closed=True) * 10).astype(int)
    return {
        "whole numbers": {"lengths": whole},
        "two points": {"lengths": np.array([[0.0, 2.5], [2.5, 0.0]])},
        "huge units": {"lengths": 1e6 * network(rng, 9, 4, closed=False)},
        "a long chain": {"lengths": network(rng, 30, 0, closed=False)},
    }


def answer(lengths: Array) -> Array:
    """Δ by admitting one intermediate vertex after another (eq-isomap-floyd-warshall)."""
    return eliminated(lengths)


def is_ill_posed(lengths: Array) -> str | None:
    """The network must be connected."""
    return "the network is not connected" if np.isinf(eliminated(lengths)).any() else None


def _open(lengths: Array) -> Array:
    edges = np.where(lengths > 0, lengths, np.inf)
    np.fill_diagonal(edges, 0.0)
    return edges


def took_zeros_for_edges(lengths: Array) -> Array:
    """Where there is no edge walk for nothing."""
    paths = lengths.astype(float)
    for v in range(len(paths)):
        paths = np.minimum(paths, paths[:, [v]] + paths[[v]])
    return paths


def improved_once(lengths: Array) -> Array:
    """Paths of at most two edges; zero where there is none."""
    edges = _open(lengths)
    once = (edges[:, :, None] + edges[None]).min(axis=1)
    return np.where(np.isinf(once), 0.0, once)


def kept_the_edges(lengths: Array) -> Array:
    """Where there is an edge, its length."""
    return np.where(lengths > 0, lengths, eliminated(lengths))


def counted_the_steps(lengths: Array) -> Array:
    """Every edge has length one."""
    return eliminated((lengths > 0).astype(float))


def walked_back_and_forth(lengths: Array) -> Array:
    """A diagonal of round trips: there and back along the shortest edge."""
    paths = eliminated(lengths)
    return paths + np.diag(2 * np.where(lengths > 0, lengths, np.inf).min(axis=1))


def admitted_the_middle_last(lengths: Array) -> Array:
    """The three loops in the wrong order: the intermediate vertex inside; zero where nothing was found."""
    paths = _open(lengths)
    for i in range(len(paths)):
        for j in range(len(paths)):
            paths[i, j] = np.min(paths[i] + paths[:, j])
    return np.where(np.isinf(paths), 0.0, paths)


def by_three_loops(lengths: Array) -> Array:
    """Floyd and Warshall with plain loops."""
    n = len(lengths)
    paths = [[lengths[i][j] if lengths[i][j] > 0 else float("inf") for j in range(n)] for i in range(n)]
    for i in range(n):
        paths[i][i] = 0.0
    for v in range(n):
        for i in range(n):
            for j in range(n):
                paths[i][j] = min(paths[i][j], paths[i][v] + paths[v][j])
    return np.array(paths)


def by_library(lengths: Array) -> Array:
    """The routine of scipy, for which a zero is no edge either."""
    return np.asarray(floyd_warshall(np.ascontiguousarray(lengths), directed=False))


def by_doubling(lengths: Array) -> Array:
    """Join the best two halves until nothing changes."""
    paths = np.where(lengths > 0, lengths, np.inf)
    np.fill_diagonal(paths, 0.0)
    for _ in range(len(lengths)):
        paths = np.min(paths[:, :, None] + paths[None, :, :], axis=1)
    return paths


path_lengths = Task(
    kind="code",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="eq-isomap-floyd-warshall",
    misconceptions=(
        Misconception(
            took_zeros_for_edges,
            hint="Some of your paths cost nothing: a zero off the diagonal says that there is no edge, and you "
            "walked along it.",
            see="eq-isomap-geodesic",
        ),
        Misconception(
            improved_once,
            hint="Your paths have two edges at most. One round of improvements admits one point in between; "
            "shortest paths may need many.",
            see="eq-isomap-floyd-warshall",
        ),
        Misconception(
            kept_the_edges,
            hint="An edge may be longer than a detour: here some edges stay although there is a shorter path.",
            see="eq-isomap-geodesic",
        ),
        Misconception(
            counted_the_steps,
            hint="These are numbers of steps. The length of a path is the sum of the lengths of its edges.",
            see="eq-isomap-geodesic",
        ),
        Misconception(
            walked_back_and_forth,
            hint="Off the diagonal all is right. From a point to itself no step is needed.",
            see="eq-isomap-geodesic",
        ),
        Misconception(
            admitted_the_middle_last,
            hint="Some of your paths are too long or missing. The loop over the intermediate point must be the "
            "outermost one.",
            see="eq-isomap-floyd-warshall",
        ),
    ),
    alternatives=(by_three_loops, by_library, by_doubling),
    ill_posed=is_ill_posed,
    hard=hard,
)
