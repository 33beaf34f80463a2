"""Task `weight_matrix`: the recipes of all points, as the rows of one matrix."""

from collections.abc import Callable

import numpy as np

from autograder.authoring import task
from dimred_ref.graph import nearest_neighbors
from dimred_ref.lle import lle_weights
from solutions.credits import TRANSPOSED
from solutions.lle.mixture_weights import mixture_weights
from solutions.lle.numbers import scattered, unclear_neighbors
from solutions.numbers import Array, one_of
from solutions.real_data import some_penguins


@task.code(points=3, minutes=12, see="eq-lle-weights")
def weight_matrix(X: Array, k: int, ridge: float) -> Array:
    """Row i holds the recipe of point i (eq-lle-weights)."""
    return lle_weights(X, nearest_neighbors(X, k)[1], ridge).toarray()


@weight_matrix.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Real birds, one feature, more dimensions than neighbours."""
    return {
        "penguins": {"X": _birds(rng), "k": 5, "ridge": one_of(rng, (0.01, 0.02))},
        "more dimensions than neighbours": {"X": scattered(rng, (8, 5), 3, 4.0), "k": 3, "ridge": 0.002},
        "one feature, in a large unit": {
            "X": 1e-7 * scattered(rng, (7, 1), 2, -3.0),
            "k": 2,
            "ridge": one_of(rng, (0.05, 0.1)),
        },
    }


def _birds(rng: np.random.Generator) -> Array:
    """Penguins of three species whose neighbours are definite."""
    while True:
        X = some_penguins(rng, 8)
        if unclear_neighbors(X, 5) is None:
            return X


@weight_matrix.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One neighbour, all others as neighbours, other units, whole numbers."""
    X = scattered(rng, (9, 3), 3)
    return {
        "one neighbour": {"X": scattered(rng, (6, 2), 1), "k": 1, "ridge": 0.01},
        "all others": {"X": X[:5], "k": 4, "ridge": 0.01},
        "tiny": {"X": X * 1e-6, "k": 3, "ridge": 0.01},
        "huge": {"X": X * 1e6, "k": 3, "ridge": 0.3},
        "whole numbers": {"X": np.round(X * 100).astype(int), "k": 3, "ridge": 0.01},
    }


weight_matrix.ill_posed(unclear_neighbors)


@weight_matrix.follows(mixture_weights)
def _recipes(X: Array, k: int, ridge: float) -> list[task.Inputs]:
    """What the recipe of 3.1 is asked for: every point with its nearest others."""
    nearest = nearest_neighbors(X, k)[1]
    return [{"x": x, "neighbors": X[row], "ridge": ridge} for x, row in zip(X, nearest, strict=True)]


def _with_neighbors(X: Array, neighbors: Array, ridge: float) -> Array:
    W = np.zeros((len(X), len(X)))
    for i, chosen in enumerate(neighbors):
        difference = X[i] - X[chosen]
        C = difference @ difference.T
        raw = np.linalg.solve(C + ridge * np.trace(C) * np.eye(len(C)), np.ones(len(C)))
        W[i, chosen] = raw / raw.sum()
    return W


def _order(X: Array) -> Array:
    return np.argsort(np.linalg.norm(X[:, None] - X, axis=2), axis=1, kind="stable")


@weight_matrix.wrong("Your diagonal is not zero: each point is among its own neighbours, at distance zero.")
def counted_the_point_itself(X: Array, k: int, ridge: float) -> Array:
    """The first k of the sorted distances, with the point at their head."""
    return _with_neighbors(X, _order(X)[:, :k], ridge)


@weight_matrix.wrong(
    "Every point is mixed from all others here. Weights vanish off the k nearest.",
    see="sec-lle-wrong-sparsity",
)
def mixed_from_all_others(X: Array, k: int, ridge: float) -> Array:
    """Every other point as neighbour."""
    return _with_neighbors(X, _order(X)[:, 1:], ridge)


@weight_matrix.wrong("These are recipes from the k farthest points.", see="sec-lle-graph")
def took_the_farthest(X: Array, k: int, ridge: float) -> Array:
    """The last k of the sorted distances."""
    return _with_neighbors(X, _order(X)[:, -k:], ridge)


@weight_matrix.wrong(
    "Your matrix is symmetric. Being a neighbour need not be mutual, and LLE does not make it so.",
    see="sec-lle-graph",
)
def symmetrised(X: Array, k: int, ridge: float) -> Array:
    """(W + Wᵀ)/2, as if being a neighbour were mutual."""
    W = weight_matrix(X, k, ridge)
    return (W + W.T) / 2


@weight_matrix.wrong(
    "All numbers are right, but your columns sum to one, not your rows: the recipe of point i is row i.",
    credit=TRANSPOSED,
)
def wrote_recipes_as_columns(X: Array, k: int, ridge: float) -> Array:
    """Column i holds the recipe of point i."""
    return weight_matrix(X, k, ridge).T


@weight_matrix.wrong(
    "The neighbours are right. Their weights are all 1/k, the limit of an infinite ridge.",
    see="thm-lle-regularisation",
)
def took_even_weights(X: Array, k: int, ridge: float) -> Array:
    """1/k for every neighbour."""
    return (weight_matrix(X, k, ridge) != 0) / k


# differences from the mean of the neighbours give even weights
@weight_matrix.inherits(mixture_weights, without=("subtracted_the_mean_of_the_neighbors",))
def from_recipes(recipe: Callable[..., Array], X: Array, k: int, ridge: float) -> Array:
    """Row i holds what a recipe says of point i and its nearest others."""
    W = np.zeros((len(X), len(X)))
    for i, chosen in enumerate(nearest_neighbors(X, k)[1]):
        W[i, chosen] = recipe(X[i], X[chosen], ridge)
    return W


@weight_matrix.also
def by_loops(X: Array, k: int, ridge: float) -> Array:
    """Point by point, sorting the distances to the others."""
    N = len(X)
    W = np.zeros((N, N))
    for i in range(N):
        others = [j for j in range(N) if j != i]
        others.sort(key=lambda j, i=i: float(np.sum((X[i] - X[j]) ** 2)))
        near = others[:k]
        G = X[near] - X[i]
        C = G @ G.T
        w = np.linalg.inv(C + ridge * np.trace(C) * np.eye(k)) @ np.ones(k)
        W[i, near] = w / w.sum()
    return W


@weight_matrix.also
def by_infinite_diagonal(X: Array, k: int, ridge: float) -> Array:
    """Squared distances with an infinite diagonal, then all systems at once."""
    N = len(X)
    squares = np.sum((X[:, None] - X[None]) ** 2, axis=-1).astype(float)
    np.fill_diagonal(squares, np.inf)
    near = np.argsort(squares, axis=1)[:, :k]
    G = X[near] - X[:, None]
    C = np.einsum("nad,nbd->nab", G, G)
    C = C + ridge * np.trace(C, axis1=1, axis2=2)[:, None, None] * np.eye(k)
    w = np.linalg.solve(C, np.ones((N, k, 1)))[..., 0]
    W = np.zeros((N, N))
    np.put_along_axis(W, near, w / w.sum(axis=1, keepdims=True), axis=1)
    return W
