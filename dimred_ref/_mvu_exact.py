"""The program as the lecture notes define it, every edge kept exactly, for graphs of a few dozen points.

A dense primal–dual interior-point method in the positive definite matrices K (the unknown Gram
matrix, with the last point at the origin) and S = L(w) − C (what L(w) exceeds the centring matrix by):

        tr(C K) → max,   Kᵢᵢ + Kⱼⱼ − 2Kᵢⱼ = dᵢⱼ²,   K S = μ I   as μ → 0        (eq-mvu-equality)

Flat pieces of the graph leave K no interior to move in, so the multipliers, of either sign, may grow
without bound and the last digits of the answer are lost: the inequality form has neither trouble.
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from scipy.sparse.csgraph import dijkstra

from dimred_ref._arrays import Array
from dimred_ref._mvu_graph import Indices, edge_lengths


@dataclass(frozen=True)
class _Exact:
    """The data of the program with the last point at the origin, so that K has full rank inside."""

    edges: Indices
    squared_lengths: Array
    n_points: int

    @property
    def centring(self) -> Array:
        """C = I − 𝟏𝟏ᵀ/N without the last row and column: tr(C K) is the trace of the centred Gram matrix."""
        size = self.n_points - 1
        C: Array = np.eye(size) - 1 / self.n_points
        return C

    def laplacian(self, multipliers: Array) -> Array:
        """Return L(w) without the last row and column."""
        L = np.zeros((self.n_points, self.n_points))
        i, j = self.edges.T
        for row, column, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            np.add.at(L, (row, column), sign * multipliers)
        return L[:-1, :-1].copy()

    def differences(self, K: Array) -> Array:
        """Return B K Bᵀ, whose entry (e, f) is the inner product of the edges e and f."""
        i, j = self.edges.T
        padded = np.pad(K, (0, 1))
        by_columns = padded[:, i] - padded[:, j]
        products: Array = by_columns[i] - by_columns[j]
        return products


@dataclass(frozen=True)
class _State:
    K: Array
    w: Array
    S: Array


def exact_solution(edges: Indices, squared_lengths: Array, n_points: int) -> tuple[Array, Array]:
    """Return the centred Gram matrix and the multipliers, as far as floating point can follow the path."""
    unit = float(squared_lengths.mean())
    program = _Exact(edges, squared_lengths / unit, n_points)
    state = _start(program)
    for _ in range(80):
        try:
            following = _step(program, state)
        except np.linalg.LinAlgError:  # K or S lost definiteness to rounding: the last state is the answer
            break
        state = following
        if (
            program.squared_lengths @ state.w < 0
        ):  # weak duality: no K at all, since tr(CK) ≥ 0 (thm-mvu-weak-duality)
            raise ValueError(_complaint(edges, squared_lengths, n_points))
        if np.sum(state.K * state.S) < 1e-10 * (1 + program.squared_lengths @ state.w):
            break
    K = np.pad(state.K, (0, 1)) * unit
    K -= K.mean(axis=0)
    return K - K.mean(axis=1, keepdims=True), state.w


def _complaint(edges: Indices, squared_lengths: Array, n_points: int) -> str:
    """Say that no points have these lengths, and name an edge that is longer than a way around it, if one is."""
    wanted = "squared_lengths must be those of points, for the exact form keeps them all"
    lengths = np.sqrt(squared_lengths)
    paths = dijkstra(edge_lengths(edges, squared_lengths, n_points), directed=False)[*edges.T]
    worst = int(np.argmax(lengths / paths))
    i, j = edges[worst]
    if lengths[worst] > (1 + 1e-9) * paths[worst]:
        long = f"edge {worst} = ({i}, {j}) of length {lengths[worst]:.6g}"
        return f"{wanted}: {long} is longer than another way between its ends, {paths[worst]:.6g}"
    return f"{wanted}: multipliers prove that no points have these; mvu_on_graph lets edges shrink"


def _start(program: _Exact) -> _State:
    """Start outside the equalities: a round K, and equal multipliers that make S definite."""
    size, count = program.n_points - 1, len(program.edges)
    smallest = scipy.linalg.eigvalsh(program.laplacian(np.ones(count)), subset_by_index=[0, 0])[0]
    w = np.full(count, 2 / smallest)
    return _State(program.n_points * np.eye(size), w, program.laplacian(w) - program.centring)


def _step(program: _Exact, at: _State) -> _State:
    """Take one predictor–corrector step: ΔK S + K ΔS = μI − KS, made symmetric."""
    S_inverse = scipy.linalg.cho_solve(scipy.linalg.cho_factor(at.S), np.eye(len(at.S)))
    # eq-mvu-schur: the multipliers solve (BKBᵀ ∘ BS⁻¹Bᵀ) Δw = …, an entrywise product
    schur = program.differences(at.K) * program.differences(S_inverse)
    schur[np.diag_indices_from(schur)] *= 1 + 1e-14
    factor = scipy.linalg.cho_factor(schur)
    missing = program.squared_lengths - np.diag(program.differences(at.K))

    def direction(mu: float, correction: Array) -> _State:
        T = _symmetric(mu * S_inverse - at.K - correction)
        dw = scipy.linalg.cho_solve(factor, np.diag(program.differences(T)) - missing)
        dS = program.laplacian(dw)
        return _State(_symmetric(T - at.K @ dS @ S_inverse), dw, dS)

    mu = float(np.sum(at.K * at.S)) / len(at.K)
    predicted = direction(0.0, np.zeros_like(at.K))
    reached = _moved(at, predicted)
    fraction = min(1.0, (float(np.sum(reached.K * reached.S)) / len(at.K) / mu) ** 2)
    return _moved(at, direction(fraction * mu, predicted.K @ predicted.S @ S_inverse))


def _moved(at: _State, by: _State) -> _State:
    primal, dual = _definite_step(at.K, by.K), _definite_step(at.S, by.S)
    return _State(at.K + primal * by.K, at.w + dual * by.w, at.S + dual * by.S)


def _definite_step(matrix: Array, change: Array) -> float:
    """Return the largest step ≤ 1 that keeps matrix + step · change well inside the definite cone."""
    lowest = scipy.linalg.eigh(change, matrix, eigvals_only=True, subset_by_index=[0, 0])[0]
    return min(1.0, -0.95 / lowest) if lowest < 0 else 1.0


def _symmetric(A: Array) -> Array:
    return (A + A.T) / 2
