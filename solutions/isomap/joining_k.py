"""Task `joining_k`: how many neighbours join all of a real data set, and at which price."""

from collections.abc import Callable

import numpy as np
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from autograder.authoring import task
from solutions.isomap.neighbor_graph import by_thresholds, neighbor_graph
from solutions.isomap.numbers import distances, eliminated
from solutions.numbers import Array
from solutions.real_data import some_penguins

Answer = tuple[int, float]
TIE = 1e-7  # relative: below it the order of two neighbours is a matter of rounding


@task.code(points=2, minutes=15, see="sec-isomap-steps", parts=("number of neighbours", "longest edge"))
def joining_k(X: Array) -> Answer:
    """Add neighbours until the graph is connected (eq-isomap-graph)."""
    return after_the_graph(by_thresholds, X)


@joining_k.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Other birds in every draw: of three species, of two, and of one with two measurements."""
    while True:
        first, second, _ = rng.permutation(3)
        cases = {
            "penguins of three species": {"X": some_penguins(rng, 10)},
            "penguins of two species": {"X": some_penguins(rng, 12, (first, second))},
            "two measurements of one species": {"X": some_penguins(rng, 22, (first,))[:, [0, 2]]},
        }
        numbers = [joining_k(inputs["X"])[0] for inputs in cases.values() if not is_ill_posed(inputs["X"])]
        if len(numbers) == len(cases) and len(set(numbers)) > 1:
            return cases


@joining_k.ill_posed
def is_ill_posed(X: Array) -> str | None:
    """Neighbours are definite, and more than one is needed."""
    ordered = np.sort(distances(X), axis=1)
    if (np.diff(ordered, axis=1) < TIE * ordered[:, 1:]).any():
        return "two neighbours are at the same distance"
    return None if joining_k(X)[0] > 1 else "one neighbour each joins all"


@joining_k.follows(neighbor_graph)
def inputs_of_neighbor_graph(X: Array) -> task.Inputs:
    """Return the inputs of `neighbor_graph`."""
    return [{"X": X, "n_neighbors": k} for k in range(1, joining_k(X)[0] + 1)]


@joining_k.wrong(
    "With one neighbour each nobody is alone, and yet the graph may consist of many parts. Connected means that a "
    "path leads from every point to every other.",
    see="eq-isomap-geodesic",
)
def stopped_when_nobody_was_alone(X: Array) -> Answer:
    """Every point has an edge as soon as k is one."""
    return 1, float(by_thresholds(X, 1).max())


@joining_k.wrong(
    "With this number the graph still falls apart. One neighbour more is the first that joins all.",
    see="eq-isomap-graph",
)
def gave_the_last_that_falls_apart(X: Array) -> Answer:
    """One less than is enough."""
    k = joining_k(X)[0] - 1
    return k, float(by_thresholds(X, k).max())


@joining_k.wrong(
    "The number of neighbours is right. This is the largest distance of all, and hardly any graph has an edge so "
    "long; only points that are joined count.",
    see="eq-isomap-graph",
)
def gave_the_largest_distance(X: Array) -> Answer:
    """The longest of all distances, joined or not."""
    return joining_k(X)[0], float(distances(X).max())


@joining_k.wrong(
    "The number of neighbours is right. This is the longest path, a sum of edges; one edge was asked for.",
    see="eq-isomap-geodesic",
)
def gave_the_longest_path(X: Array) -> Answer:
    """The longest shortest path, not the longest edge."""
    k = joining_k(X)[0]
    return k, float(eliminated(by_thresholds(X, k)).max())


@joining_k.wrong(
    "The number of neighbours is right. This is the longest edge of the shortest network that joins all; the graph of "
    "neighbours has more edges, and a longer one among them.",
    see="eq-isomap-graph",
)
def gave_the_longest_edge_of_a_tree(X: Array) -> Answer:
    """The longest edge of the minimum spanning tree."""
    return joining_k(X)[0], float(minimum_spanning_tree(distances(X)).data.max())


@joining_k.wrong(
    "The edge is right, and one neighbour fewer joins all already. Was one added to the number, or does each point "
    "count as a neighbour of itself?",
    see="eq-isomap-graph",
)
def gave_one_more(X: Array) -> Answer:
    """k + 1, with the edges of k."""
    k, longest = joining_k(X)
    return k + 1, longest


# an edge that one end asks for may or may not be the longest
@joining_k.inherits(
    neighbor_graph, without=("halved_what_is_one_way", "counted_the_point_itself", "took_the_farthest")
)
def after_the_graph(graph: Callable[..., Array], X: Array) -> Answer:
    """The smallest number of neighbours for which every path has a length, and the longest edge then."""
    for k in range(1, len(X)):
        lengths = graph(X, k)
        if np.isfinite(eliminated(lengths)).all():
            return k, float(lengths.max())
    return len(X), 0.0


@joining_k.also
def by_components(X: Array) -> Answer:
    """Count the parts with a library."""
    D = np.linalg.norm(X[:, None] - X, axis=2)
    order = np.argsort(D, axis=1)
    joined = np.zeros(D.shape, dtype=bool)
    for k in range(1, len(X)):
        joined[np.arange(len(X)), order[:, k]] = True
        both = joined | joined.T
        if connected_components(both)[0] == 1:
            return k, float(D[both].max())
    raise ValueError("X must have at least two rows")


@joining_k.also
def by_spreading(X: Array) -> Answer:
    """Start at one point and spread along edges, for each k anew."""
    D = np.linalg.norm(X[:, None] - X, axis=2)
    k = 0
    reached = np.zeros(len(X), dtype=bool)
    while not reached.all():
        k += 1
        limit = np.sort(D, axis=1)[:, k]
        joined = (D <= limit[:, None]) | (D <= limit)
        reached = np.arange(len(X)) == 0
        for _ in range(len(X)):
            reached = reached | joined[reached].any(axis=0)
    return k, float(D[joined].max())
