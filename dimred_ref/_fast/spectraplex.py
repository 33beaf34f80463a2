"""The least value of a convex quadratic over {P ⪰ 0, tr P = 1}, by a primal–dual interior-point method.

Symmetric m × m matrices are vectors here: svec(P) lists the upper triangle with off-diagonal entries
times √2, so that svec(P)·svec(Q) = tr(PQ).
"""

from dataclasses import dataclass

import numpy as np
import scipy.linalg

from dimred_ref._arrays import Array


def svec(P: Array) -> Array:
    """Return the upper triangle of symmetric matrices as vectors, with inner products kept."""
    rows, columns = np.triu_indices(P.shape[-1])
    vectors: Array = P[..., rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2))
    return vectors


def smat(p: Array) -> Array:
    """Return the symmetric matrix whose svec is p."""
    size = int((np.sqrt(8 * len(p) + 1) - 1) / 2)
    rows, columns = np.triu_indices(size)
    P = np.zeros((size, size))
    P[rows, columns] = p * np.where(rows == columns, 1.0, np.sqrt(0.5))
    return P + np.triu(P, 1).T


def frank_wolfe_gap(P: Array, A: Array) -> float:
    """Return an upper bound on f(P) − min f for f(P) = svec(P)ᵀ A svec(P), P ⪰ 0, tr P = 1.

        f(Q) ≥ f(P) + ⟨G, Q − P⟩,   G = ∇f(P) = 2A svec(P)
        f(P) − min f ≤ ⟨G, P⟩ − λ_min(G)                            (thm-conformal-gap)

    Convexity gives the first line; over all Q the inner product ⟨G, Q⟩ is least at λ_min(G). Being a
    bound on a difference, it may round to a tiny negative number at the optimum.
    """
    G = smat(2 * A @ svec(P))
    return float(np.sum(G * P) - np.linalg.eigvalsh(G)[0])


@dataclass(frozen=True)
class _State:
    P: Array
    S: Array  # dual: G − νC
    nu: float


def minimise_on_spectraplex(A: Array) -> tuple[Array, float]:
    """Return the minimiser P of svec(P)ᵀ A svec(P) and its verified Frank–Wolfe gap.

    The optimal P has low rank, so the iterates become singular to working precision. The method keeps
    the P of least gap and stops when the gap is below 5e-9 of the value, or has not halved for four steps.
    """
    scales = _balancing_scales(A)
    program = _Balanced.of(A, scales)
    state = program.start()
    best, best_gap, waited = np.eye(len(scales)) / len(scales), np.inf, 0
    for _ in range(100):
        P = _normalised(state.P * np.outer(scales, scales))
        value, gap = float(svec(P) @ A @ svec(P)), frank_wolfe_gap(P, A)
        waited = 0 if gap < best_gap / 2 else waited + 1
        if gap < best_gap:
            best, best_gap = P, gap
        if best_gap <= 5e-9 * value or waited > 4:
            break
        try:
            state = program.step(state)
        except np.linalg.LinAlgError:  # P or S is singular to working precision: the best P is the answer
            break
    return best, max(best_gap, 0.0)


def _balancing_scales(A: Array) -> Array:
    """Return dₐ with A(aa, aa) dₐ⁴ = 1: rough coordinates shrink, so that all pull alike on P."""
    size = int((np.sqrt(8 * len(A) + 1) - 1) / 2)
    rows, columns = np.triu_indices(size)
    own = np.diag(A)[rows == columns]
    floor = max(float(own.max()) * 1e-16, np.finfo(float).tiny)
    scales: Array = np.maximum(own, floor) ** -0.25
    return scales


def _normalised(P: Array) -> Array:
    """Return P without its (rounded) negative part and with trace 1."""
    values, vectors = np.linalg.eigh(P)
    kept = (vectors * np.maximum(values, 0)) @ vectors.T
    unit: Array = kept / np.trace(kept)
    return unit


@dataclass(frozen=True)
class _Balanced:
    """min pᵀHp/2 over ⟨C, P⟩ = 1, in coordinates where the diagonal of H is even."""

    H: Array
    C: Array

    @classmethod
    def of(cls, A: Array, scales: Array) -> "_Balanced":
        """Substitute P = diag(d) P′ diag(d), and scale the value to keep gradients near 1."""
        stretch = svec(np.outer(scales, scales)) / svec(np.ones((len(scales), len(scales))))
        C = np.diag(scales**2)
        H = 2 * A * np.outer(stretch, stretch) / np.trace(C) ** 2
        return cls(H, C / np.trace(C))

    def start(self) -> _State:
        """Start at the round P with ν low enough to make S definite."""
        P = np.eye(len(self.C))
        G = smat(self.H @ svec(P))
        nu = float(scipy.linalg.eigh(G, self.C, eigvals_only=True)[0]) - float(np.sum(G * P))
        return _State(P, G - nu * self.C, nu)

    def step(self, at: _State) -> _State:
        """Take a predictor–corrector step on P S = μI, S = smat(H svec P) − νC, ⟨C, P⟩ = 1."""
        mu = float(np.sum(at.P * at.S)) / len(at.P)
        S_inverse = scipy.linalg.cho_solve(scipy.linalg.cho_factor(at.S), np.eye(len(at.S)))
        K = _symmetric_product(at.P, S_inverse)
        newton = np.eye(len(K)) + K @ self.H
        dual_residual = smat(self.H @ svec(at.P)) - at.nu * self.C - at.S

        def direction(aim: float, correction: Array) -> _State:
            right = svec(_symmetric(aim * S_inverse - at.P - correction)) - K @ svec(dual_residual)
            free, per_nu = np.linalg.solve(newton, np.column_stack([right, K @ svec(self.C)])).T
            c = svec(self.C)
            d_nu = (1 - c @ (svec(at.P) + free)) / (c @ per_nu)
            dp = free + d_nu * per_nu
            return _State(smat(dp), smat(self.H @ dp) - d_nu * self.C + dual_residual, d_nu)

        predicted = direction(0.0, np.zeros_like(at.P))
        reached = _moved(at, predicted, 1.0)
        aim = mu * min(1.0, (float(np.sum(reached.P * reached.S)) / len(at.P) / mu)) ** 3
        second_order = _symmetric(predicted.P @ predicted.S @ S_inverse)
        return _moved(at, direction(max(aim, 1e-3 * mu), second_order), 0.95)


def _symmetric_product(P: Array, Q: Array) -> Array:
    """Return the matrix of svec(X) ↦ svec((PXQ + QXP)/2)."""
    size = len(P)
    rows, columns = np.triu_indices(size)
    weight = np.where(rows == columns, 1.0, np.sqrt(2))
    first = P[np.ix_(rows, rows)] * Q[np.ix_(columns, columns)]
    crossed = P[np.ix_(rows, columns)] * Q[np.ix_(columns, rows)]
    mirrored = Q[np.ix_(rows, rows)] * P[np.ix_(columns, columns)]
    mirrored_crossed = Q[np.ix_(rows, columns)] * P[np.ix_(columns, rows)]
    product: Array = (first + crossed + mirrored + mirrored_crossed) / 4 * np.outer(weight, weight)
    return product


def _moved(at: _State, by: _State, share: float) -> _State:
    length = min(_definite_step(at.P, by.P, share), _definite_step(at.S, by.S, share))
    return _State(at.P + length * by.P, at.S + length * by.S, at.nu + length * by.nu)


def _definite_step(matrix: Array, change: Array, share: float) -> float:
    """Return the given share of the largest step ≤ 1 that keeps matrix + step · change semidefinite."""
    lowest = scipy.linalg.eigh(change, matrix, eigvals_only=True, subset_by_index=[0, 0])[0]
    return min(1.0, -share / lowest) if lowest < 0 else 1.0


def _symmetric(A: Array) -> Array:
    return (A + A.T) / 2
