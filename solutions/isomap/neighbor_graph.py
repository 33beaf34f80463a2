"""Task `neighbor_graph`: the symmetric neighbourhood graph with its edge lengths."""

from typing import Any

import numpy as np

from autograder.authoring import task
from dimred_ref.graph import knn_graph
from solutions.isomap.numbers import distances, neighbours_tie
from solutions.numbers import Array


@task.code(points=3, minutes=12, see="eq-isomap-graph")
def neighbor_graph(X: Array, n_neighbors: int) -> Array:
    """ℓᵢⱼ = ‖xᵢ − xⱼ‖ if either is among the nearest of the other (eq-isomap-graph)."""
    return np.asarray(knn_graph(X, n_neighbors).toarray())


@neighbor_graph.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Points of the plane, a cloud in many dimensions, and one feature."""
    n_plane, n_wide, n_line = rng.permutation([7, 9, 11])
    return {
        "points of the plane": _telling(rng, (int(n_plane), 2), 2),
        "more features than samples": _telling(rng, (int(n_wide), 14), 3),
        "one feature, one neighbour, in a huge unit": _scaled(_telling(rng, (int(n_line), 1), 1)),
    }


def _scaled(case: dict[str, Any]) -> dict[str, Any]:
    """Numbers so small that a careless program takes them for zero."""
    return {**case, "X": 1e-8 * case["X"]}


def _telling(rng: np.random.Generator, shape: tuple[int, int], n_neighbors: int) -> dict[str, Any]:
    """Draw until neighbours are definite, and not mutual."""
    while True:
        X = np.round(4 * rng.normal(size=shape) * rng.uniform(0.3, 1.0, size=shape[1]) + [1.0] * shape[1], 2)
        if not is_ill_posed(X, n_neighbors):
            return {"X": X, "n_neighbors": n_neighbors}


@neighbor_graph.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Whole numbers, other units, and all others as neighbours."""
    whole = np.array([[0, 0], [1, 3], [7, 1], [9, 12], [20, 4], [33, 30]])[rng.permutation(6)]
    return {
        "whole numbers": {"X": whole, "n_neighbors": 2},
        "tiny units": {"X": 1e-6 * rng.normal(size=(8, 3)), "n_neighbors": 2},
        "everyone is a neighbour": {"X": rng.normal(size=(5, 3)), "n_neighbors": 4},
        "two points": {"X": np.array([[1.0, 2.0], [4.0, 6.0]]), "n_neighbors": 1},
    }


@neighbor_graph.ill_posed
def is_ill_posed(X: Array, n_neighbors: int) -> str | None:
    """Neighbours must be definite, and someone must not return the choice."""
    if neighbours_tie(X, n_neighbors):
        return "two neighbours are nearly at the same distance"
    own = _chosen(X, n_neighbors)
    return "being a neighbour is mutual" if (own == own.T).all() else None


def _chosen(X: Array, n_neighbors: int) -> Array:
    """Entry (i, j) says whether i has j among its nearest."""
    order = np.argsort(distances(X), axis=1)[:, 1 : n_neighbors + 1]
    chosen = np.zeros((len(X), len(X)), dtype=bool)
    np.put_along_axis(chosen, order, True, axis=1)
    return chosen


@neighbor_graph.wrong(
    "Your matrix is not symmetric: being a near neighbour need not be mutual, but an edge can be walked both ways."
)
def left_it_one_way(X: Array, n_neighbors: int) -> Array:
    """Row i holds the neighbours of i and no others."""
    return np.where(_chosen(X, n_neighbors), distances(X), 0.0)


@neighbor_graph.wrong(
    "Some edges are missing: you join two points only if each chooses the other. It is enough that one of them does."
)
def asked_both(X: Array, n_neighbors: int) -> Array:
    """Join two points only if each is a neighbour of the other."""
    own = _chosen(X, n_neighbors)
    return np.where(own & own.T, distances(X), 0.0)


@neighbor_graph.wrong(
    "Every point has one neighbour too few. The nearest point to a point is the point itself, and it does not count.",
    see="alg-isomap-steps",
)
def counted_the_point_itself(X: Array, n_neighbors: int) -> Array:
    """The first of the nearest is the point itself, so one neighbour is missing."""
    own = _chosen(X, n_neighbors - 1)
    return np.where(own | own.T, distances(X), 0.0)


@neighbor_graph.wrong(
    "The edges are right, their lengths are squared. Lengths are added along paths later, and squares do not add up."
)
def squared_the_lengths(X: Array, n_neighbors: int) -> Array:
    """The right edges with squared lengths."""
    return neighbor_graph(X, n_neighbors) ** 2


@neighbor_graph.wrong("The edges are right. An edge carries the distance of its ends, not a one.")
def marked_the_edges(X: Array, n_neighbors: int) -> Array:
    """One for an edge."""
    return (neighbor_graph(X, n_neighbors) > 0).astype(float)


@neighbor_graph.wrong("Edges that only one end asks for have half their length here.")
def halved_what_is_one_way(X: Array, n_neighbors: int) -> Array:
    """Average the one-way graph with its mirror image."""
    one_way = left_it_one_way(X, n_neighbors)
    return (one_way + one_way.T) / 2


@neighbor_graph.wrong(
    "Edges for which both ends ask are twice as long here. An edge has the distance of its ends, whoever asks."
)
def added_both_directions(X: Array, n_neighbors: int) -> Array:
    """Add the one-way graph and its mirror image."""
    one_way = left_it_one_way(X, n_neighbors)
    return one_way + one_way.T


@neighbor_graph.wrong(
    "Some edges are too many: one radius was used for all points. Each point chooses its own nearest ones."
)
def used_one_radius(X: Array, n_neighbors: int) -> Array:
    """Join all that are at most as far apart as the farthest neighbour of any point."""
    D = distances(X)
    return np.where(np.sort(D, axis=1)[:, n_neighbors].max() >= D, D, 0.0)


@neighbor_graph.wrong(
    "The farthest points are joined here. Sorted distances start with the nearest, after the point itself."
)
def took_the_farthest(X: Array, n_neighbors: int) -> Array:
    """Join each point with those at the other end of the sorted distances."""
    D = distances(X)
    one_way = D >= np.sort(D, axis=1)[:, [-n_neighbors]]
    return np.where(one_way | one_way.T, D, 0.0)


@neighbor_graph.also
def by_sorting(X: Array, n_neighbors: int) -> Array:
    """Sort each row of distances, mark the nearest, mirror."""
    D = np.sqrt(((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2))
    near = np.argsort(D, axis=1)[:, 1 : n_neighbors + 1]
    G = np.zeros_like(D)
    for i in range(len(X)):
        for j in near[i]:
            G[i, j] = D[i, j]
            G[j, i] = D[i, j]
    return G


@neighbor_graph.also
def by_thresholds(X: Array, n_neighbors: int) -> Array:
    """Compare with the distance of the last neighbour."""
    D = np.linalg.norm(X[:, None] - X, axis=2)
    reach = np.sort(D, axis=1)[:, n_neighbors]
    return np.where((D <= reach[:, None]) | (D <= reach[None, :]), D, 0.0)
