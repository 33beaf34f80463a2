"""Task `unrolled`: Isomap, from samples to coordinates."""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_rigid_motion
from solutions.credits import UNIT_LENGTH
from solutions.isomap.neighbor_graph import by_sorting, by_thresholds, neighbor_graph
from solutions.isomap.numbers import bent_sheet, distances, eliminated, neighbours_tie, ring, spiral
from solutions.isomap.path_lengths import path_lengths
from solutions.numbers import Array


@task.code(points=4, minutes=15, see="alg-isomap-steps", same=up_to_rigid_motion, picture="points")
def unrolled(X: Array, n_neighbors: int, n_components: int) -> Array:
    """Classical scaling of the path lengths (alg-isomap-steps)."""
    return scaled(gram(_paths(X, n_neighbors) ** 2), n_components)


@unrolled.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """A spiral on a line, a bent sheet, and a closed curve with more coordinates than a plane has.

    Path lengths on a closed curve belong to no points: its second pair of eigenvalues in size is negative.
    """
    cases = {
        "a spiral, in a huge unit": (lambda: 1e-6 * spiral(rng, int(rng.integers(14, 19))), 2, 1),
        "a bent sheet": (lambda: bent_sheet(rng, 3, 7), 4, 2),
        "a closed curve, four coordinates": (lambda: ring(rng, int(rng.integers(11, 15))), 3, 4),
    }
    return {
        name: _telling(make(), make, n_neighbors, n_components)
        for name, (make, n_neighbors, n_components) in cases.items()
    }


def _telling(X: Array, make: Callable[[], Array], n_neighbors: int, n_components: int) -> dict[str, Any]:
    """Draw again until the case is well posed."""
    while is_ill_posed(X, n_neighbors, n_components):
        X = make()
    return {"X": X, "n_neighbors": n_neighbors, "n_components": n_components}


@unrolled.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Other units, and a straight line in whole numbers."""
    sheet = _telling(bent_sheet(rng, 3, 6), lambda: bent_sheet(rng, 3, 6), 4, 2)
    line = np.array([[0, 0], [3, 4], [9, 12], [21, 28], [42, 56]])
    return {
        "huge units": {**sheet, "X": 1e4 * sheet["X"]},
        "whole numbers": {"X": line, "n_neighbors": 1, "n_components": 1},
        "a closed curve in the plane": _telling(ring(rng, 12), lambda: ring(rng, 12), 3, 2),
    }


def _paths(X: Array, n_neighbors: int) -> Array:
    return eliminated(by_thresholds(X, n_neighbors))


def gram(table: Array) -> Array:
    """−½ J T J of a table T."""
    J = np.eye(len(table)) - 1 / len(table)
    return -J @ table @ J / 2


def scaled(G: Array, n_components: int) -> Array:
    """√λ v of the leading eigenpairs; a negative eigenvalue gives zeros."""
    values, vectors = np.linalg.eigh(G)
    values, vectors = values[::-1][:n_components], vectors[:, ::-1][:, :n_components]
    return vectors * np.sqrt(np.maximum(values, 0.0))


@unrolled.ill_posed
def is_ill_posed(X: Array, n_neighbors: int, n_components: int) -> str | None:
    """Neighbours are definite, the graph is connected, the kept coordinates are definite, and not all is straight."""
    if neighbours_tie(X, n_neighbors):
        return "two neighbours are nearly at the same distance"
    paths = _paths(X, n_neighbors)
    if np.isinf(paths).any():
        return "the graph is not connected"
    values = np.linalg.eigvalsh(gram(paths**2))[::-1]
    if values[n_components - 1] < 1.3 * abs(values[n_components]):
        return "the last coordinate is nearly tied with the next"
    return None


@unrolled.follows(neighbor_graph)
def inputs_of_neighbor_graph(X: Array, n_neighbors: int, n_components: int) -> task.Inputs:
    """Return the inputs of `neighbor_graph`."""
    return {"X": X, "n_neighbors": n_neighbors}


@unrolled.follows(path_lengths)
def inputs_of_path_lengths(X: Array, n_neighbors: int, n_components: int) -> task.Inputs:
    """Return the inputs of `path_lengths`."""
    return {"lengths": neighbor_graph(X, n_neighbors)}


@unrolled.wrong(
    "Your points are as far apart as a straight line through the air says: this is PCA. Isomap adds up the edges of "
    "the graph.",
)
def took_straight_distances(X: Array, n_neighbors: int, n_components: int) -> Array:
    """Classical scaling without a graph: PCA."""
    return scaled(gram(distances(X) ** 2), n_components)


@unrolled.wrong(
    "Classical scaling turns squared distances into products. Path lengths went in as they are.",
    see="eq-isomap-embedding",
)
def left_the_paths_unsquared(X: Array, n_neighbors: int, n_components: int) -> Array:
    """Centre Δ instead of its squares."""
    return scaled(gram(_paths(X, n_neighbors)), n_components)


@unrolled.wrong(
    "All your columns have length one. The eigenvalue says how long a coordinate is.",
    see="eq-isomap-embedding",
    credit=UNIT_LENGTH,
)
def forgot_the_roots(X: Array, n_neighbors: int, n_components: int) -> Array:
    """Unit eigenvectors as coordinates."""
    return np.linalg.eigh(gram(_paths(X, n_neighbors) ** 2))[1][:, ::-1][:, :n_components]


@unrolled.wrong(
    "Every edge counts as one here. An edge is as long as the distance of its two ends.",
    see="eq-isomap-graph",
)
def counted_the_steps(X: Array, n_neighbors: int, n_components: int) -> Array:
    """Every edge has length one."""
    graph = by_thresholds(X, n_neighbors)
    return scaled(gram(eliminated((graph > 0).astype(float)) ** 2), n_components)


@unrolled.wrong(
    "Minus half the squared table is not yet a Gram matrix: its rows and columns must sum to zero first.",
    see="eq-isomap-embedding",
)
def forgot_to_centre(X: Array, n_neighbors: int, n_components: int) -> Array:
    """Eigenvectors of −½Δ⁽²⁾."""
    return scaled(-(_paths(X, n_neighbors) ** 2) / 2, n_components)


@unrolled.wrong(
    "Your coordinates are too long. An eigenvalue is a squared length.", see="eq-isomap-embedding"
)
def multiplied_by_the_eigenvalues(X: Array, n_neighbors: int, n_components: int) -> Array:
    """λ v in the place of √λ v."""
    Y = unrolled(X, n_neighbors, n_components)
    return Y * np.sqrt(np.sum(Y**2, axis=0))


@unrolled.wrong(
    "Where path lengths are those of a map your coordinates are right. On a closed curve some eigenvalues are "
    "negative, and you took large ones of these for coordinates.",
    see="eq-isomap-embedding",
)
def took_the_largest_in_size(X: Array, n_neighbors: int, n_components: int) -> Array:
    """√|λ| v of the largest |λ|, as a singular value decomposition gives them."""
    values, vectors = np.linalg.eigh(gram(_paths(X, n_neighbors) ** 2))
    best = np.argsort(-np.abs(values))[:n_components]
    return vectors[:, best] * np.sqrt(np.abs(values[best]))


@unrolled.wrong(
    "Every point has one neighbour too few, because it counts itself. Then the graph falls apart, and no path leads "
    "from one part to another: the largest length is no answer to that.",
    see="eq-isomap-graph",
)
def counted_the_point_itself_and_bridged_gaps(X: Array, n_neighbors: int, n_components: int) -> Array:
    """k − 1 neighbours, and the largest finite length where there is no path."""
    paths = _paths(X, n_neighbors - 1)
    paths[np.isinf(paths)] = paths[np.isfinite(paths)].max()
    return scaled(gram(paths**2), n_components)


# every edge of length one is `counted_the_steps` here
@unrolled.inherits(neighbor_graph, without=("marked_the_edges", "took_the_farthest"))
def after_the_graph(graph: Callable[..., Array], X: Array, n_neighbors: int, n_components: int) -> Array:
    """Path lengths along a graph, and their classical scaling."""
    return scaled(gram(eliminated(graph(X, n_neighbors)) ** 2), n_components)


# no edge of this graph is longer than a detour, and a diagonal of round trips is no table of distances
@unrolled.inherits(path_lengths, without=("kept_the_edges", "counted_the_steps", "walked_back_and_forth"))
def after_the_paths(paths: Callable[..., Array], X: Array, n_neighbors: int, n_components: int) -> Array:
    """Classical scaling of path lengths."""
    return scaled(gram(paths(by_thresholds(X, n_neighbors)) ** 2), n_components)


@unrolled.also
def by_means(X: Array, n_neighbors: int, n_components: int) -> Array:
    """Sort the eigenpairs by value with argsort, and centre by means."""
    squared = eliminated(by_sorting(X, n_neighbors)) ** 2
    B = -0.5 * (squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean())
    values, vectors = np.linalg.eigh(B)
    best = np.argsort(-values)[:n_components]
    return vectors[:, best] @ np.diag(np.sqrt(values[best]))


@unrolled.also
def by_landmarks(X: Array, n_neighbors: int, n_components: int) -> Array:
    """Every point is a landmark: each is placed by its distances to all."""
    squared = _paths(X, n_neighbors) ** 2
    Y = unrolled(X, n_neighbors, n_components)
    return (squared.mean(axis=0) - squared) @ Y / (2 * np.sum(Y**2, axis=0))
