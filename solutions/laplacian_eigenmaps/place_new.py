"""Task `place_new`: new vertices on a finished map, by Nyström's formula."""

import numpy as np

from autograder.authoring import task
from dimred_ref.laplacian_eigenmaps import LaplacianEigenmaps
from solutions.announced import has_tiny_numbers
from solutions.numbers import Array


@task.code(points=2, minutes=10, see="thm-laplacian-eigenmaps-extension", tied=("Y", "eigenvalues"))
def place_new(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """The weighted mean divided by 1 − λ (eq-laplacian-eigenmaps-extension)."""
    fit = LaplacianEigenmaps(np.asarray(Y), np.asarray(eigenvalues), weights=None)  # type: ignore[arg-type]
    return fit.transform(edges)


@place_new.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """One new vertex and several, one coordinate and several, strong and weak edges."""
    return {
        "one new vertex": _case(rng, (1, 5, 2), 1.0),
        "several new vertices": _rough(rng, _case(rng, (5, 7, 4), 5.0)),
        "one coordinate, tiny weights": _tiny(_case(rng, (3, 6, 1), 0.5)),
    }


def _rough(rng: np.random.Generator, case: task.Inputs) -> task.Inputs:
    """The last coordinate is so rough that its eigenvalue is nearly one."""
    case["eigenvalues"][-1] = np.round(rng.uniform(0.95, 0.985), 3)
    return case


def _tiny(case: task.Inputs) -> task.Inputs:
    """Weights whose sum is far below one: a mean divides by it all the same."""
    return {**case, "edges": 1e-13 * case["edges"]}


def _case(rng: np.random.Generator, sizes: tuple[int, int, int], unit: float) -> task.Inputs:
    n_new, N, d = sizes
    edges = np.round(unit * rng.uniform(0.2, 2.0, size=(n_new, N)), 2)
    for row in edges:
        row[rng.permutation(N)[: N // 3]] = 0.0
    Y = np.round(rng.normal(size=(N, d)), 2)
    eigenvalues = np.round(np.cumsum(rng.uniform(0.1, 0.22, size=d)), 3)
    return {"edges": edges, "Y": Y, "eigenvalues": eigenvalues}


@place_new.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """Whole weights, one edge only, weights in other units, as many new vertices as old ones."""
    whole = _case(rng, (2, 5, 2), 4.0)
    square = _case(rng, (4, 4, 4), 1.0)
    return {
        "whole weights": {**whole, "edges": np.ceil(whole["edges"]).astype(int)},
        "one edge": {**whole, "edges": np.eye(2, 5)},
        "tiny": _tiny(whole),
        "huge": {**whole, "edges": whole["edges"] * 1e6},
        "square": square,
    }


def _means(edges: Array, Y: Array) -> Array:
    return edges @ Y / edges.sum(axis=1, keepdims=True)


@place_new.wrong(
    "Yours are weighted means. They shrink the map: a vertex with the edges of an old one would not come to lie on "
    "it.",
)
def forgot_the_factor(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """The weighted mean itself."""
    return _means(edges, Y)


@place_new.wrong(
    "The mean over the neighbours is already shrunk by 1 − λ, and you shrank it once more.",
    see="eq-laplacian-eigenmaps-mean",
)
def multiplied_by_the_factor(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """(1 − λ) times the mean."""
    return _means(edges, Y) * (1 - eigenvalues)


@place_new.wrong(
    "You divided by λ. The factor of the random walk is another one, near 1 for smooth coordinates.",
    see="eq-laplacian-eigenmaps-mean",
)
def divided_by_the_eigenvalues(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """The mean divided by λ."""
    return _means(edges, Y) / eigenvalues


@place_new.wrong(
    "Double all weights and your points move twice as far out. A mean does not.",
    see="eq-laplacian-eigenmaps-extension",
)
def forgot_to_divide_by_the_weights(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """A weighted sum."""
    return edges @ Y / (1 - eigenvalues)


@place_new.wrong(
    "Where the weights are small your points fall towards the origin. A mean divides by the sum of the weights "
    "however small it is.",
    see="eq-laplacian-eigenmaps-extension",
)
def divided_only_large_sums(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """Weights divided by their sum only where it exceeds one."""
    sums = np.maximum(edges.sum(axis=1, keepdims=True), 1.0)
    return edges @ Y / sums / (1 - eigenvalues)


@place_new.wrong(
    "You divided the weighted sum by the number of vertices. In a weighted mean the sum of the weights stands there.",
    see="eq-laplacian-eigenmaps-extension",
)
def averaged_over_all_vertices(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """A sum divided by N."""
    return edges @ Y / len(Y) / (1 - eigenvalues)


@place_new.wrong(
    "In your mean every neighbour counts alike; strong edges should pull more.",
    see="eq-laplacian-eigenmaps-extension",
)
def ignored_the_weights(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """The plain mean of the neighbours."""
    return _means((edges > 0).astype(float), Y) / (1 - eigenvalues)


@place_new.wrong(
    "Each new vertex was put on the old one to which its strongest edge leads. All its edges pull, each by its weight.",
)
def moved_to_the_strongest(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """The place of the old vertex with the largest weight."""
    return Y[np.argmax(edges, axis=1)]


@place_new.also
def by_loops(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """Vertex by vertex and coordinate by coordinate."""
    n_new, d = len(edges), Y.shape[1]
    placed = np.zeros((n_new, d))
    for i in range(n_new):
        for a in range(d):
            placed[i, a] = np.average(Y[:, a], weights=edges[i]) / (1 - eigenvalues[a])
    return placed


@place_new.also
def by_probabilities(edges: Array, Y: Array, eigenvalues: Array) -> Array:
    """One step of the walk, then a diagonal matrix."""
    P = (edges.T / np.sum(edges, axis=1)).T
    return P @ Y @ np.diag(1 / (1 - eigenvalues))


def _has_tiny_weights(edges: Array, Y: Array, eigenvalues: Array) -> bool:
    return has_tiny_numbers(edges) and bool(np.all(edges.sum(axis=1) > 0))


place_new.announces("not all zero, but perhaps all tiny", "one coordinate, tiny weights", _has_tiny_weights)
