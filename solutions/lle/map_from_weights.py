"""Task `map_from_weights`: the map of LLE from its weights."""

import numpy as np

from autograder.authoring.task import Cases, Inputs, Misconception, Task
from autograder.judging.sameness import up_to_basis, up_to_column_signs
from dimred_ref.lle import lle_matrix
from solutions.numbers import Array

GAP = 1.2


def draw(rng: np.random.Generator) -> Cases:
    """Several sizes and dimensions; weights of both signs, as short decimals."""
    sizes = {"one coordinate": (7, 3, 1), "a plane": (9, 3, 2), "three coordinates": (12, 4, 3)}
    return {name: _fair(rng, *size) for name, size in sizes.items()}


def _fair(rng: np.random.Generator, N: int, k: int, d: int) -> Inputs:
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


def hard(rng: np.random.Generator) -> Cases:
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


def near_tie(W: Array, d: int) -> str | None:
    """Say that two of the eigenvalues that decide are nearly equal, or None."""
    values = np.linalg.eigvalsh(_matrix(W))[: d + 2]
    if values[1] < 1e-4:
        return "a map that is not constant costs nearly nothing"
    return "two eigenvalues are nearly equal" if (values[2:] < GAP * values[1:-1]).any() else None


def answer(W: Array, d: int) -> Array:
    """√N times the eigenvectors of M for its smallest eigenvalues, without the constant (eq-lle-solution)."""
    vectors = np.linalg.eigh(lle_matrix(W).toarray())[1]
    return np.sqrt(len(W)) * vectors[:, 1 : d + 1]


def kept_the_constant(W: Array, d: int) -> Array:
    """The first d of all eigenvectors."""
    return np.sqrt(len(W)) * np.linalg.eigh(_matrix(W))[1][:, :d]


def took_the_top(W: Array, d: int) -> Array:
    """The eigenvectors of the largest eigenvalues, as eigh lists them."""
    return np.sqrt(len(W)) * np.linalg.eigh(_matrix(W))[1][:, -d:]


def multiplied_in_the_other_order(W: Array, d: int) -> Array:
    """(I − W)(I − W)ᵀ."""
    A = np.eye(len(W)) - W
    return np.sqrt(len(W)) * np.linalg.eigh(A @ A.T)[1][:, 1 : d + 1]


def left_length_one(W: Array, d: int) -> Array:
    """Eigenvectors as they come."""
    return answer(W, d) / np.sqrt(len(W))


def scaled_by_the_eigenvalues(W: Array, d: int) -> Array:
    """√λ for the scale, as in classical scaling."""
    values, vectors = np.linalg.eigh(_matrix(W))
    return vectors[:, 1 : d + 1] * np.sqrt(values[1 : d + 1])


def diagonalised_the_residual(W: Array, d: int) -> Array:
    """The symmetric part of I − W in the place of M."""
    A = np.eye(len(W)) - W
    return np.sqrt(len(W)) * np.linalg.eigh((A + A.T) / 2)[1][:, 1 : d + 1]


def by_svd(W: Array, d: int) -> Array:
    """Right singular vectors of I − W, from the last but one backwards."""
    Vt = np.linalg.svd(np.eye(len(W)) - W)[2]
    return np.sqrt(len(W)) * Vt[::-1][1 : d + 1].T


def by_entries(W: Array, d: int) -> Array:
    """M multiplied out, and its pairs sorted."""
    N = W.shape[0]
    M = np.eye(N) - W - W.T + W.T @ W
    values, vectors = np.linalg.eigh(M)
    order = np.argsort(values)[1 : d + 1]
    return vectors[:, order] * N**0.5


map_from_weights = Task(
    kind="code",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="thm-lle-solution",
    same=up_to_column_signs,
    misconceptions=(
        Misconception(
            kept_the_constant,
            hint="Your first coordinate is the same for all points: the constant vector costs nothing, and the "
            "coordinates must sum to zero.",
            see="sec-lle-wrong-constant",
        ),
        Misconception(
            took_the_top,
            hint="These coordinates cost the most. LLE wants the cheapest ones.",
            same=up_to_basis,  # in whatever order they were taken
            see="thm-lle-solution",
        ),
        Misconception(
            multiplied_in_the_other_order,
            hint="The constant vector is not in the null space of your matrix. Mind the order of the two factors.",
            see="sec-lle-wrong-names",
        ),
        Misconception(
            left_length_one,
            hint="Your columns have length one. Unit covariance, with 1/N, asks for a longer one.",
            see="eq-lle-constraints",
            credit=0.5,
        ),
        Misconception(
            scaled_by_the_eigenvalues,
            hint="Your columns are scaled by roots of eigenvalues, as in classical scaling. Here the scale is decreed: "
            "every coordinate has variance one.",
            see="eq-lle-constraints",
        ),
        Misconception(
            diagonalised_the_residual,
            hint="The cost is not the quadratic form of I − W: it is the squared length of (I − W)y.",
            see="eq-lle-cost",
        ),
    ),
    alternatives=(by_svd, by_entries),
    ill_posed=near_tie,
    hard=hard,
)
