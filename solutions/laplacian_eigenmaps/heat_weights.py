"""Task `heat_weights`: the weighted graph of neighbours."""

import numpy as np
from scipy.sparse.csgraph import connected_components

from autograder.authoring import task
from dimred_ref.laplacian_eigenmaps import heat_kernel_weights
from solutions.lle.numbers import scattered, unclear_neighbors
from solutions.numbers import Array, one_of
from solutions.real_data import some_penguins


def _squares(X: Array) -> Array:
    return np.sum((X[:, None] - X) ** 2, axis=2)


def _nearest(X: Array, k: int) -> Array:
    """Entry (i, j) says whether j is among the k nearest of i."""
    squares = _squares(X).astype(float)
    np.fill_diagonal(squares, np.inf)
    limits = np.sort(squares, axis=1)[:, k - 1]
    return squares <= limits[:, None]


def _kernel(X: Array, gamma: float) -> Array:
    return np.exp(-gamma * _squares(X))


@task.code(points=3, minutes=12, see="eq-laplacian-eigenmaps-heat-kernel")
def heat_weights(X: Array, k: int, gamma: float) -> Array:
    """exp(−γ‖xᵢ − xⱼ‖²) where either is a neighbour of the other (eq-laplacian-eigenmaps-heat-kernel)."""
    return heat_kernel_weights(X, n_neighbors=k, gamma=gamma).toarray()


@heat_weights.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Real birds, and three sizes, dimensions and scales.

    Without a neighbour in common on both sides nothing would be asymmetric.
    """
    return {
        "penguins": {"X": _birds(rng), "k": 4, "gamma": 1.0},
        "a plane, in a small unit": {
            "X": 1000 * _lopsided(rng, (10, 2), 3),
            "k": 3,
            "gamma": one_of(rng, (2e-7, 3e-7, 4e-7)),
        },
        "one neighbour, one feature, several parts": {
            "X": _in_parts(rng, (6, 1), 1, -4.0) / 2,
            "k": 1,
            "gamma": one_of(rng, (2.0, 2.5, 3.0)),
        },
        "all weights one": {"X": _lopsided(rng, (9, 4), 2, 3.0), "k": 2, "gamma": 0.0},
    }


def _birds(rng: np.random.Generator) -> Array:
    """Penguins of three species whose neighbours are definite, in one connected graph."""
    while True:
        X = some_penguins(rng, 9)
        if unclear_neighbors(X, 4) is None:
            near = _nearest(X, 4)
            if connected_components(near | near.T)[0] == 1:
                return X


def _lopsided(rng: np.random.Generator, shape: tuple[int, int], k: int, centre: float = 0.0) -> Array:
    """Points with neighbourhoods that are not all mutual, and not all one-sided."""
    while True:
        X = scattered(rng, shape, k, centre)
        near = _nearest(X, k)
        if (near & near.T).any() and (near & ~near.T).any() and _squares(X).max() > 2:
            return X


def _in_parts(rng: np.random.Generator, shape: tuple[int, int], k: int, centre: float) -> Array:
    """Draw such points until their graph is not connected."""
    while True:
        X = _lopsided(rng, shape, k, centre)
        near = _nearest(X, k)
        if connected_components(near | near.T)[0] > 1:
            return X


@heat_weights.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """All others as neighbours, tiny and huge units, whole numbers, many points."""
    X = scattered(rng, (9, 3), 3)
    return {
        "all others": {"X": X[:5], "k": 4, "gamma": 0.1},
        "tiny": {"X": X * 1e-3, "k": 3, "gamma": 1e5},
        "huge": {"X": X * 1e3, "k": 3, "gamma": 1e-7},
        "whole numbers": {"X": np.round(X * 100).astype(int), "k": 3, "gamma": 1e-5},
        "many": {"X": scattered(rng, (25, 2), 4), "k": 4, "gamma": 1.0},
    }


heat_weights.ill_posed(unclear_neighbors)


@heat_weights.wrong(
    "Your exponent holds the distance. In the heat kernel it is squared.",
    see="sec-laplacian-eigenmaps-wrong-norm",
)
def forgot_the_square(X: Array, k: int, gamma: float) -> Array:
    """exp(−γ‖xᵢ − xⱼ‖)."""
    near = _nearest(X, k)
    return np.where(near | near.T, np.exp(-gamma * np.sqrt(_squares(X))), 0.0)


@heat_weights.wrong(
    "In your graph every point is joined to every other. Weights are zero off the edges.",
    see="sec-laplacian-eigenmaps-wrong-norm",
)
def joined_everyone(X: Array, k: int, gamma: float) -> Array:
    """A dense kernel without its diagonal."""
    return _kernel(X, gamma) * (1 - np.eye(len(X)))


@heat_weights.wrong(
    "Your matrix is not symmetric. An edge is there if either point is among the nearest of the other."
)
def kept_one_direction(X: Array, k: int, gamma: float) -> Array:
    """Row i has the neighbours of i only."""
    return np.where(_nearest(X, k), _kernel(X, gamma), 0.0)


@heat_weights.wrong(
    "Some edges are missing: you joined only points that choose each other. One choice is enough."
)
def joined_only_mutual_neighbors(X: Array, k: int, gamma: float) -> Array:
    """Both must be neighbours of each other."""
    near = _nearest(X, k)
    return np.where(near & near.T, _kernel(X, gamma), 0.0)


@heat_weights.wrong(
    "The edges are right. Between points that choose each other your weight is twice what it should be."
)
def added_both_directions(X: Array, k: int, gamma: float) -> Array:
    """W + Wᵀ, which doubles mutual edges."""
    one = kept_one_direction(X, k, gamma)
    return one + one.T


@heat_weights.wrong("Off the diagonal all is right. A point is not its own neighbour: the diagonal is zero.")
def joined_points_to_themselves(X: Array, k: int, gamma: float) -> Array:
    """A diagonal of ones."""
    return heat_weights(X, k, gamma) + np.eye(len(X))


@heat_weights.wrong(
    "Edges that only one end asks for have half their weight here. One choice makes a whole edge."
)
def averaged_both_directions(X: Array, k: int, gamma: float) -> Array:
    """(W + Wᵀ)/2, which halves the edges that one end alone asks for."""
    return added_both_directions(X, k, gamma) / 2


@heat_weights.wrong(
    "Every point has one neighbour too few, and an edge to itself. The nearest point to a point is the point itself, "
    "and it does not count.",
)
def counted_points_among_their_neighbors(X: Array, k: int, gamma: float) -> Array:
    """The k smallest distances of a row, the zero to the point itself among them."""
    squares = _squares(X).astype(float)
    near = squares <= np.sort(squares, axis=1)[:, k - 1 : k]
    return np.where(near | near.T, _kernel(X, gamma), 0.0)


@heat_weights.wrong(
    "Every point has one neighbour too few. The nearest point to a point is the point itself, and it does not count.",
)
def kept_one_neighbor_too_few(X: Array, k: int, gamma: float) -> Array:
    """The k − 1 nearest other points."""
    near = _nearest(X, k - 1)
    return np.where(near | near.T, _kernel(X, gamma), 0.0)


@heat_weights.wrong(
    "γ stands below a fraction bar in your exponent, like the square of a width. The formula multiplies by it.",
)
def divided_by_gamma(X: Array, k: int, gamma: float) -> Array:
    """exp(−‖xᵢ − xⱼ‖²/γ); ones where γ is zero."""
    near = _nearest(X, k)
    return np.where(near | near.T, np.exp(-_squares(X) / gamma) if gamma else 1.0, 0.0)


@heat_weights.also
def by_loops(X: Array, k: int, gamma: float) -> Array:
    """Point by point, each edge written in both places."""
    N = len(X)
    W = np.zeros((N, N))
    for i in range(N):
        lengths = np.linalg.norm(X - X[i], axis=1)
        for j in np.argsort(lengths)[1 : k + 1]:
            W[i, j] = W[j, i] = np.exp(-gamma * lengths[j] ** 2)
    return W


@heat_weights.also
def by_maximum(X: Array, k: int, gamma: float) -> Array:
    """The larger of both directions."""
    squares = ((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=-1)
    order = squares.argsort(axis=1)[:, 1 : k + 1]
    one = np.zeros(squares.shape)
    np.put_along_axis(one, order, np.exp(-gamma * np.take_along_axis(squares, order, axis=1)), axis=1)
    return np.maximum(one, one.T)


def _is_not_connected(X: Array, k: int, gamma: float) -> bool:
    return bool(connected_components(heat_weights(X, k, gamma))[0] > 1)


heat_weights.announces(
    "need not be connected", "one neighbour, one feature, several parts", _is_not_connected
)
