"""Task `path_lengths`: all shortest paths of a network of edge lengths."""

import numpy as np
from scipy.sparse.csgraph import floyd_warshall

from autograder.authoring import task
from solutions.announced import has_huge_numbers, has_tiny_numbers
from solutions.isomap.numbers import eliminated, network
from solutions.numbers import Array


@task.code(points=3, minutes=12, see="eq-isomap-floyd-warshall")
def path_lengths(lengths: Array) -> Array:
    """Δ by admitting one intermediate vertex after another (eq-isomap-floyd-warshall)."""
    return eliminated(lengths)


@path_lengths.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A chain in a huge unit, a ring in a tiny one, and a network with edges that are longer than detours.

    No number stands for "no edge" in every unit, neither a large one nor a small one.
    """
    small, middle, large = rng.permutation([7, 8, 10])
    return {
        "a chain in mixed order, in a huge unit": {"lengths": 1e-6 * network(rng, small, 0, closed=False)},
        "a ring, in a tiny unit": {"lengths": 1e13 * network(rng, middle, 0, closed=True)},
        "edges longer than detours": {"lengths": network(rng, large, 12, closed=True)},
    }


@path_lengths.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Whole numbers, two points, other units, many edges."""
    whole = np.round(network(rng, 6, 3, closed=True) * 10).astype(int)
    return {
        "whole numbers": {"lengths": whole},
        "two points": {"lengths": np.array([[0.0, 2.5], [2.5, 0.0]])},
        "huge units": {"lengths": 1e6 * network(rng, 9, 4, closed=False)},
        "a long chain": {"lengths": network(rng, 30, 0, closed=False)},
    }


@path_lengths.ill_posed
def is_ill_posed(lengths: Array) -> str | None:
    """The network must be connected."""
    return "the network is not connected" if np.isinf(eliminated(lengths)).any() else None


def _open(lengths: Array) -> Array:
    edges = np.where(lengths > 0, lengths, np.inf)
    np.fill_diagonal(edges, 0.0)
    return edges


@path_lengths.wrong(
    "Some of your paths cost nothing: a zero off the diagonal says that there is no edge, and you walked along it.",
    see="eq-isomap-geodesic",
)
def took_zeros_for_edges(lengths: Array) -> Array:
    """Where there is no edge walk for nothing."""
    paths = lengths.astype(float)
    for v in range(len(paths)):
        paths = np.minimum(paths, paths[:, [v]] + paths[[v]])
    return paths


@path_lengths.wrong(
    "Your paths have two edges at most. One round of improvements admits one point in between; shortest paths may "
    "need many.",
)
def improved_once(lengths: Array) -> Array:
    """Paths of at most two edges; zero where there is none."""
    edges = _open(lengths)
    once = (edges[:, :, None] + edges[None]).min(axis=1)
    return np.where(np.isinf(once), 0.0, once)


@path_lengths.wrong(
    "An edge may be longer than a detour: here some edges stay although there is a shorter path.",
    see="eq-isomap-geodesic",
)
def kept_the_edges(lengths: Array) -> Array:
    """Where there is an edge, its length."""
    return np.where(lengths > 0, lengths, eliminated(lengths))


@path_lengths.wrong(
    "These are numbers of steps. The length of a path is the sum of the lengths of its edges.",
    see="eq-isomap-geodesic",
)
def counted_the_steps(lengths: Array) -> Array:
    """Every edge has length one."""
    return eliminated((lengths > 0).astype(float))


@path_lengths.wrong(
    "Off the diagonal all is right. From a point to itself no step is needed.", see="eq-isomap-geodesic"
)
def walked_back_and_forth(lengths: Array) -> Array:
    """A diagonal of round trips: there and back along the shortest edge."""
    paths = eliminated(lengths)
    return paths + np.diag(2 * np.where(lengths > 0, lengths, np.inf).min(axis=1))


@path_lengths.wrong(
    "Some of your paths are too long or missing. The loop over the intermediate point must be the outermost one."
)
def admitted_the_middle_last(lengths: Array) -> Array:
    """The three loops in the wrong order: the intermediate vertex inside; zero where nothing was found."""
    paths = _open(lengths)
    for i in range(len(paths)):
        for j in range(len(paths)):
            paths[i, j] = np.min(paths[i] + paths[:, j])
    return np.where(np.isinf(paths), 0.0, paths)


@path_lengths.wrong(
    "These are the longest edges on the way. The length of a path is the sum of the lengths of its edges.",
    see="eq-isomap-geodesic",
)
def took_the_longest_edge(lengths: Array) -> Array:
    """The path whose longest edge is shortest."""
    paths = _open(lengths)
    for v in range(len(paths)):
        paths = np.minimum(paths, np.maximum(paths[:, [v]], paths[[v]]))
    return paths


@path_lengths.also
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


@path_lengths.also
def by_library(lengths: Array) -> Array:
    """The routine of scipy, for which a zero is no edge either."""
    return np.asarray(floyd_warshall(np.ascontiguousarray(lengths), directed=False))


@path_lengths.also
def by_doubling(lengths: Array) -> Array:
    """Join the best two halves until nothing changes."""
    paths = np.where(lengths > 0, lengths, np.inf)
    np.fill_diagonal(paths, 0.0)
    for _ in range(len(lengths)):
        paths = np.min(paths[:, :, None] + paths[None, :, :], axis=1)
    return paths


UNIT = "the unit may be tiny or huge"


def _has_a_detour(lengths: Array) -> bool:
    return bool(np.any((lengths > 0) & (eliminated(lengths) < 0.999 * lengths)))


path_lengths.announces("an edge may be longer than a detour", "edges longer than detours", _has_a_detour)
path_lengths.announces(UNIT, "a ring, in a tiny unit", has_huge_numbers)
path_lengths.announces(UNIT, "a chain in mixed order, in a huge unit", has_tiny_numbers)
