"""Task `smooth_coordinates`: the eigenmaps of a weighted graph."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import exactly, up_to_basis, up_to_column_signs, up_to_order
from dimred_ref.laplacian_eigenmaps import eigenmaps_of_graph
from solutions.numbers import Array

Answer = tuple[Array, Array]
GAP = 1.04


@task.code(
    points=3,
    minutes=15,
    see="thm-laplacian-eigenmaps-solution",
    same=(up_to_column_signs, exactly),
    parts=("coordinates", "eigenvalues"),
)
def smooth_coordinates(W: Array, d: int) -> Answer:
    """L y = λ D y without the constant, YᵀDY = I (thm-laplacian-eigenmaps-solution)."""
    fit = eigenmaps_of_graph(W, d)
    return fit.embedding, fit.eigenvalues


@smooth_coordinates.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Three sizes and dimensions; the weights are tiny, large, and around one; two graphs have a weak bridge."""
    return {
        "one coordinate, tiny weights": _fair(rng, 8, 1, 1e-7, bridge=3e-4),
        "a plane, two groups with a weak bridge": _fair(rng, 11, 2, 20.0, bridge=3e-8),
        "four coordinates": _fair(rng, 6, 4, 1.0),
    }


def _fair(rng: np.random.Generator, N: int, d: int, unit: float, bridge: float = 0.0) -> task.Inputs:
    while True:
        W = unit * (_bridged(rng, N, bridge) if bridge else np.round(_graph(rng, N), 2))
        if near_tie(W, d) is None and _plain_gap(W, d):
            return {"W": W, "d": d}


def _bridged(rng: np.random.Generator, N: int, bridge: float) -> Array:
    """Two groups, and one weak edge between them: the smoothest coordinate costs next to nothing."""
    W, first = np.zeros((N, N)), N // 2
    W[:first, :first] = np.round(_graph(rng, first), 2)
    W[first:, first:] = np.round(_graph(rng, N - first), 2)
    here, there = rng.integers(first), rng.integers(first, N)
    W[here, there] = W[there, here] = bridge
    order = rng.permutation(N)
    return W[np.ix_(order, order)]


def _graph(rng: np.random.Generator, N: int) -> Array:
    """A random tree and some more edges, of unequal weights."""
    W = np.zeros((N, N))
    for i in range(1, N):
        W[i, rng.integers(i)] = rng.uniform(0.1, 2.0)
    W = W + np.tril(rng.uniform(0.1, 2.0, size=(N, N)) * (rng.random((N, N)) < 0.25), -1)
    order = rng.permutation(N)
    return (W + W.T)[np.ix_(order, order)]


def _plain_gap(W: Array, d: int) -> bool:
    values = np.linalg.eigvalsh(np.diag(W.sum(axis=1)) - W)[1 : d + 2]
    return bool(np.all(values[1:] > GAP * values[:-1]))


@smooth_coordinates.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """A small graph with as many coordinates as it has, many vertices, other units, whole weights."""
    whole = _fair(rng, 8, 2, 6.0)
    small, many = _fair(rng, 4, 2, 1.0), _fair(rng, 20, 4, 1.0)
    return {
        "all coordinates": {"W": np.array([[0.0, 1, 0], [1, 0, 3], [0, 3, 0]]), "d": 2},
        "small": small,
        "many": many,
        "tiny": {"W": many["W"] * 1e-6, "d": 3},
        "huge": {"W": many["W"] * 1e6, "d": 4},
        "whole weights": {"W": np.ceil(whole["W"]).astype(int), "d": 1},
    }


def _symmetric(W: Array) -> tuple[Array, Array, Array]:
    """Eigenvalues and vectors of L_sym, and the roots of the degrees."""
    roots = np.sqrt(W.sum(axis=1))
    values, vectors = np.linalg.eigh(np.eye(len(W)) - W / np.outer(roots, roots))
    return values, vectors, roots


@smooth_coordinates.ill_posed
def near_tie(W: Array, d: int) -> str | None:
    """Say that two of the eigenvalues that decide are nearly equal, or None."""
    values = _symmetric(W)[0]
    if values[1] < 1e-9:
        return "the graph nearly falls apart"
    bottom, top = values[1 : d + 2], values[::-1][: d + 1]
    if (bottom[1:] < GAP * bottom[:-1]).any() or (top[:-1] < top[1:] + 0.01).any():
        return "two eigenvalues are nearly equal"
    return None


@smooth_coordinates.wrong(
    "These are eigenvectors of L alone, with equal masses. Here the degrees are the masses.",
    see="eq-laplacian-eigenmaps-eigenproblem",
)
def solved_without_the_degrees(W: Array, d: int) -> Answer:
    """L y = λ y."""
    values, vectors = np.linalg.eigh(np.diag(W.sum(axis=1)) - W)
    return vectors[:, 1 : d + 1], values[1 : d + 1]


@smooth_coordinates.wrong(
    "The eigenvalues are right. Your columns are eigenvectors of the symmetric matrix; the coordinates y come from "
    "them by one more division.",
    see="eq-laplacian-eigenmaps-symmetric",
)
def stopped_at_the_symmetric_matrix(W: Array, d: int) -> Answer:
    """u = D^½ y."""
    values, vectors, _ = _symmetric(W)
    return vectors[:, 1 : d + 1], values[1 : d + 1]


@smooth_coordinates.wrong(
    "Your first coordinate is constant, with the eigenvalue zero. It puts all vertices in one place, and the "
    "constraint forbids it.",
    see="eq-laplacian-eigenmaps-problem",
)
def kept_the_constant(W: Array, d: int) -> Answer:
    """The first d of all; the first eigenvalue is zero, whatever rounding makes of it."""
    values, vectors, roots = _symmetric(W)
    return vectors[:, :d] / roots[:, None], np.append(0.0, values[1:d])


@smooth_coordinates.wrong(
    "These coordinates change the most along edges. The smoothest were asked for.",
    same=(up_to_basis, up_to_order),
)
def took_the_roughest(W: Array, d: int) -> Answer:
    """The largest eigenvalues, as eigh lists them."""
    values, vectors, roots = _symmetric(W)
    return vectors[:, -d:] / roots[:, None], values[-d:]


@smooth_coordinates.wrong(
    "Your coordinates start one too late: only the constant is left out, and the smoothest coordinate after it is the "
    "first.",
    see="eq-laplacian-eigenmaps-problem",
)
def went_one_too_far(W: Array, d: int) -> Answer:
    """The constant and the smoothest coordinate left out."""
    values, vectors, roots = _symmetric(W)
    return vectors[:, 2 : d + 2] / roots[:, None], values[2 : d + 2]


@smooth_coordinates.wrong(
    "The directions and the eigenvalues are right. Your columns have length one; the constraint weighs every vertex "
    "with its degree.",
    see="eq-laplacian-eigenmaps-problem",
)
def scaled_to_length_one(W: Array, d: int) -> Answer:
    """YᵀY has ones on its diagonal."""
    Y, values = smooth_coordinates(W, d)
    return Y / np.linalg.norm(Y, axis=0), values


@smooth_coordinates.wrong(
    "The eigenvalues are right. On the way back from the symmetric matrix the root of the degree went to the wrong "
    "side.",
    see="eq-laplacian-eigenmaps-symmetric",
)
def multiplied_by_the_roots(W: Array, d: int) -> Answer:
    """D^½ u in the place of D^−½ u."""
    values, vectors, roots = _symmetric(W)
    return vectors[:, 1 : d + 1] * roots[:, None], values[1 : d + 1]


@smooth_coordinates.also
def by_singular_values(W: Array, d: int) -> Answer:
    """A semidefinite matrix is its own singular value decomposition, largest first."""
    roots = np.sqrt(np.sum(W, axis=1))
    U, sigma, _ = np.linalg.svd(np.eye(len(W)) - W / roots / roots[:, None])
    return (U[:, ::-1] / roots[:, None])[:, 1 : d + 1], sigma[::-1][1 : d + 1]


@smooth_coordinates.also
def by_hand_normalised(W: Array, d: int) -> Answer:
    """L_sym by matrix products, then back to y."""
    degrees = np.sum(W, axis=0)
    inverse_root = np.diag(degrees**-0.5)
    values, u = np.linalg.eigh(inverse_root @ (np.diag(degrees) - W) @ inverse_root)
    chosen = np.argsort(values)[1 : d + 1]
    return inverse_root @ u[:, chosen], values[chosen]
