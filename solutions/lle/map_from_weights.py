"""Task `map_from_weights`: the map of LLE from its weights."""

import numpy as np

from autograder.authoring import task
from autograder.judging.sameness import up_to_basis, up_to_column_signs
from dimred_ref.lle import lle_matrix
from solutions.credits import UNIT_LENGTH
from solutions.numbers import Array

GAP = 1.2
CHEAP = 1e-6  # a coordinate that costs so little is still no constant


@task.code(points=3, minutes=12, see="thm-lle-solution", same=up_to_column_signs)
def map_from_weights(W: Array, d: int) -> Array:
    """√N times the eigenvectors of M for its smallest eigenvalues, without the constant (eq-lle-solution)."""
    vectors = np.linalg.eigh(lle_matrix(W).toarray())[1]
    return np.sqrt(len(W)) * vectors[:, 1 : d + 1]


@map_from_weights.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Several sizes and dimensions; weights of both signs, and recipes of a line that are nearly perfect."""
    return {
        "one coordinate that costs nearly nothing": _nearly_perfect(rng, 8),
        "a plane": _fair(rng, 9, 3, 2),
        "three coordinates": _fair(rng, 12, 4, 3),
    }


def _nearly_perfect(rng: np.random.Generator, N: int) -> task.Inputs:
    """Recipes of uneven points of a line, as short decimals: the line costs about a millionth."""
    while True:
        steps = rng.uniform(0.6, 1.4, size=N)
        x = np.cumsum(steps)[rng.permutation(N)]
        W = np.zeros((N, N))
        for i, chosen in enumerate(np.argsort(np.abs(x[:, None] - x), axis=1)[:, 1:4]):
            first, *others = chosen
            share = np.round(rng.uniform(-0.3, 0.6), 3)
            a, b = others
            rest = (x[i] - x[b] - share * (x[first] - x[b])) / (x[a] - x[b])
            W[i, chosen] = share, np.round(rest, 3), np.round(1 - share - np.round(rest, 3), 3)
        if near_tie(W, 1) is None and near_tie(W.T, 1) is None and _top_gap(W, 1) and _cost(W) < CHEAP:
            return {"W": W, "d": 1}


def _cost(W: Array) -> float:
    return float(np.linalg.eigvalsh(_matrix(W))[1])


def _fair(rng: np.random.Generator, N: int, k: int, d: int) -> task.Inputs:
    while True:
        W = _weights(rng, N, k)
        if near_tie(W, d) is None and near_tie(W.T, d) is None and _top_gap(W, d):
            return {"W": W, "d": d}


def _weights(rng: np.random.Generator, N: int, k: int) -> Array:
    """Rows with k short decimals that sum to one; neighbours along a ring and one anywhere."""
    W = np.zeros((N, N))
    for i in range(N):
        near = {(i + 1) % N, (i - 1) % N}
        far = rng.permutation([j for j in range(N) if j != i and j not in near])
        chosen = [*near, *far[: k - 2]]
        values = np.round(rng.uniform(-0.3, 0.9, size=k - 1), 2)
        W[i, chosen] = np.append(values, np.round(1 - values.sum(), 2))
    return W


def _top_gap(W: Array, d: int) -> bool:
    values = np.linalg.eigvalsh(_matrix(W))[::-1][: d + 1]
    return bool(np.all(values[:-1] > 1.05 * values[1:]))


@map_from_weights.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """More points, fewer, and whole weights."""
    cases = {"few": _fair(rng, 5, 3, 2), "many": _fair(rng, 20, 5, 4)}
    while True:
        W = np.zeros((8, 8), dtype=int)
        for i in range(8):
            a, b = rng.permutation([j for j in range(8) if j != i])[:2]
            W[i, a], W[i, b] = 2, -1
        if near_tie(W, 2) is None:
            return {**cases, "whole weights": {"W": W, "d": 2}}


def _matrix(W: Array) -> Array:
    A = np.eye(len(W)) - W
    return A.T @ A


@map_from_weights.ill_posed
def near_tie(W: Array, d: int) -> str | None:
    """Say that two of the eigenvalues that decide are nearly equal, or None."""
    values = np.linalg.eigvalsh(_matrix(W))[: d + 2]
    if values[1] < 1e-9:
        return "a map that is not constant costs nearly nothing"
    return "two eigenvalues are nearly equal" if (values[2:] < GAP * values[1:-1]).any() else None


@map_from_weights.wrong(
    "Your first coordinate is the same for all points: the constant vector costs nothing, and the coordinates must "
    "sum to zero.",
    see="sec-lle-wrong-constant",
)
def kept_the_constant(W: Array, d: int) -> Array:
    """The first d of all eigenvectors."""
    return np.sqrt(len(W)) * np.linalg.eigh(_matrix(W))[1][:, :d]


@map_from_weights.wrong("These coordinates cost the most. LLE wants the cheapest ones.", same=up_to_basis)
def took_the_top(W: Array, d: int) -> Array:
    """The eigenvectors of the largest eigenvalues, as eigh lists them."""
    return np.sqrt(len(W)) * np.linalg.eigh(_matrix(W))[1][:, -d:]


@map_from_weights.wrong(
    "Your coordinates start one too late: only the constant vector is left out, and the cheapest coordinate after it "
    "is the first.",
)
def went_one_too_far(W: Array, d: int) -> Array:
    """The constant and the cheapest coordinate left out."""
    return np.sqrt(len(W)) * np.linalg.eigh(_matrix(W))[1][:, 2 : d + 2]


@map_from_weights.wrong(
    "The constant vector is not in the null space of your matrix. Mind the order of the two factors.",
    see="sec-lle-wrong-names",
)
def multiplied_in_the_other_order(W: Array, d: int) -> Array:
    """(I − W)(I − W)ᵀ."""
    A = np.eye(len(W)) - W
    return np.sqrt(len(W)) * np.linalg.eigh(A @ A.T)[1][:, 1 : d + 1]


@map_from_weights.wrong(
    "Your columns have length one. Unit covariance, with 1/N, asks for a longer one.",
    see="eq-lle-constraints",
    credit=UNIT_LENGTH,
)
def left_length_one(W: Array, d: int) -> Array:
    """Eigenvectors as they come."""
    return map_from_weights(W, d) / np.sqrt(len(W))


@map_from_weights.wrong(
    "Your columns are scaled by roots of eigenvalues, as in classical scaling. Here the scale is decreed: every "
    "coordinate has variance one.",
    see="eq-lle-constraints",
)
def scaled_by_the_eigenvalues(W: Array, d: int) -> Array:
    """√λ for the scale, as in classical scaling."""
    values, vectors = np.linalg.eigh(_matrix(W))
    return vectors[:, 1 : d + 1] * np.sqrt(values[1 : d + 1])


@map_from_weights.wrong(
    "The cost is not the quadratic form of I − W: it is the squared length of (I − W)y.", see="eq-lle-cost"
)
def diagonalised_the_residual(W: Array, d: int) -> Array:
    """The symmetric part of I − W in the place of M."""
    A = np.eye(len(W)) - W
    return np.sqrt(len(W)) * np.linalg.eigh((A + A.T) / 2)[1][:, 1 : d + 1]


@map_from_weights.wrong(
    "These are Laplacian eigenmaps of the weights, made symmetric. Weights of LLE may be negative and need not be "
    "mutual; the cost is a sum of squared residuals.",
    see="eq-lle-cost",
)
def took_the_graph_laplacian(W: Array, d: int) -> Array:
    """Eigenvectors of D − (W + Wᵀ)/2."""
    mutual = (W + W.T) / 2
    vectors = np.linalg.eigh(np.diag(mutual.sum(axis=1)) - mutual)[1]
    return np.sqrt(len(W)) * vectors[:, 1 : d + 1]


@map_from_weights.also
def by_svd(W: Array, d: int) -> Array:
    """Right singular vectors of I − W, from the last but one backwards."""
    Vt = np.linalg.svd(np.eye(len(W)) - W)[2]
    return np.sqrt(len(W)) * Vt[::-1][1 : d + 1].T


@map_from_weights.also
def by_entries(W: Array, d: int) -> Array:
    """M multiplied out, and its pairs sorted."""
    N = W.shape[0]
    M = np.eye(N) - W - W.T + W.T @ W
    values, vectors = np.linalg.eigh(M)
    order = np.argsort(values)[1 : d + 1]
    return vectors[:, order] * N**0.5
