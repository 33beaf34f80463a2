"""A low-rank primal–dual interior-point method for the widest embedding with bounded edges.

        max  Σᵢ pᵢ ‖yᵢ‖²   subject to   ‖(B Y)ₑ‖² + sₑ = bₑ,   sₑ ≥ 0          (eq-mvu-low-rank)

Y has few columns, so an N × N Gram matrix is never formed. At a solution there are multipliers w with

        Bᵀ diag(w) B Y = diag(p) Y,   ‖(B Y)ₑ‖² + sₑ = bₑ,   wₑ sₑ = 0         (eq-mvu-optimality)

The method follows wₑ sₑ = μ as μ → 0 with Newton steps on these three equations, each step taken
twice with one factorisation: a predictor that aims at μ = 0, then a corrector that aims at a
sensible μ and adds the second-order terms that the predictor revealed (Mehrotra).

Restricting the rank makes the program non-convex; whether the point found solves the convex
program is for the caller to certify.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from dimred_ref._arrays import Array

Solve = Callable[[Array], Array]


class NewtonSystem(Protocol):
    """The linear algebra that one family of programs brings along."""

    differences: Any  # B, m × n, sparse or dense
    weights: Array  # p, (n,)
    squared_lengths: Array  # b, (m,)

    def factor(self, blocks: Array, shift: float) -> Solve | None:
        """Factor Σₑ (bₑ bₑᵀ) ⊗ blocksₑ − (1 − shift) diag(p) ⊗ I; None unless it is positive on centred Y."""

    def centred(self, Y: Array) -> Array:
        """Remove from Y the translations, along which nothing is bounded."""


@dataclass(frozen=True)
class Iterate:
    """Iterate of the interior-point method; slacks and multipliers stay positive."""

    Y: Array  # (n, r)
    slacks: Array  # (m,)
    multipliers: Array  # (m,)

    @property
    def mu(self) -> float:
        """The mean of wₑ sₑ: how far the iterate is from complementarity."""
        return float(self.multipliers @ self.slacks) / len(self.slacks)


@dataclass(frozen=True)
class Residuals:
    """Residuals of the three equations of eq-mvu-optimality."""

    stationarity: Array  # (n, r)
    feasibility: Array  # (m,)
    complementarity: Array  # (m,)


@dataclass(frozen=True)
class Direction:
    """A Newton direction, with the differences B ΔY that every use of it needs."""

    Y: Array
    differences: Array
    slacks: Array
    multipliers: Array


def residuals(system: NewtonSystem, at: Iterate) -> Residuals:
    """Evaluate the three equations of eq-mvu-optimality, complementarity with μ = 0."""
    d = system.differences @ at.Y
    return Residuals(
        stationarity=system.differences.T @ (at.multipliers[:, None] * d) - system.weights[:, None] * at.Y,
        feasibility=(d**2).sum(axis=1) + at.slacks - system.squared_lengths,
        complementarity=at.multipliers * at.slacks,
    )


def newton_blocks(system: NewtonSystem, at: Iterate) -> Array:
    """Return the r × r block of each edge in the reduced Newton matrix, wₑ I + 2 (wₑ/sₑ) dₑ dₑᵀ."""
    d = system.differences @ at.Y
    stiffness = 2 * at.multipliers / at.slacks
    outer = stiffness[:, None, None] * d[:, :, None] * d[:, None, :]
    blocks: Array = outer + at.multipliers[:, None, None] * np.eye(at.Y.shape[1])
    return blocks


def factor_newton(system: NewtonSystem, at: Iterate, shift: float) -> tuple[Solve, float]:
    """Factor the Newton matrix, shifted by as little as makes it positive on centred directions.

    A positive matrix makes the direction one of ascent; the shift dies out near a solution, where
    only rotations of Y keep the matrix singular.
    """
    blocks = newton_blocks(system, at)
    shift = max(shift / 10, 1e-10)
    while True:
        solve = system.factor(blocks, shift)
        if solve is not None:
            return solve, shift
        shift = max(5 * shift, 1e-5)


def newton_direction(system: NewtonSystem, at: Iterate, solve: Solve, target: Residuals) -> Direction:
    """Solve the linearised equations: slacks and multipliers are eliminated, Y solves a sparse system."""
    B, w, s = system.differences, at.multipliers, at.slacks
    d = B @ at.Y
    pull = (w * target.feasibility - target.complementarity) / s
    dY = system.centred(solve(-target.stationarity - B.T @ (pull[:, None] * d)))
    differences = B @ dY
    slacks = -target.feasibility - 2 * (d * differences).sum(axis=1)
    return Direction(dY, differences, slacks, (-target.complementarity - w * slacks) / s)


def step_length(values: Array, change: Array) -> float:
    """Return the largest step ≤ 1 that keeps a tenth of every positive value."""
    return float(min(1.0, 0.9 / max((-change / values).max(), 1e-300)))


def centring(at: Iterate, predictor: Direction) -> tuple[float, float]:
    """Return σ, the fraction of μ to aim at, and how much of the predictor's curvature to trust."""
    primal, dual = (
        step_length(at.slacks, predictor.slacks),
        step_length(at.multipliers, predictor.multipliers),
    )
    shortest = min(primal, dual)
    if shortest <= 0.05:
        return 1.0, shortest**2
    reached = (at.slacks + primal * predictor.slacks) @ (at.multipliers + dual * predictor.multipliers)
    return float(np.clip((reached / len(at.slacks) / at.mu) ** 3, 0.1, 1.0)), shortest**2


def corrected_residuals(
    system: NewtonSystem, at: Iterate, predictor: Direction, least_mu: float
) -> Residuals:
    """Aim at σμ and account for the products of changes that linearising dropped (eq-mvu-corrector)."""
    sigma, trust = centring(at, predictor)
    aim = max(sigma * at.mu, least_mu)
    plain = residuals(system, at)
    curved = system.differences.T @ (predictor.multipliers[:, None] * predictor.differences)
    return Residuals(
        stationarity=plain.stationarity + trust * curved,
        feasibility=plain.feasibility + trust * (predictor.differences**2).sum(axis=1),
        complementarity=plain.complementarity - aim + trust * predictor.slacks * predictor.multipliers,
    )


def moved(system: NewtonSystem, at: Iterate, direction: Direction) -> Iterate:
    """Step along a direction, primal and dual by their own lengths, and reset slacks that grew for free."""
    primal = step_length(at.slacks, direction.slacks)
    dual = step_length(at.multipliers, direction.multipliers)
    Y = at.Y + primal * direction.Y
    slacks = at.slacks + primal * direction.slacks
    room = system.squared_lengths - ((system.differences @ Y) ** 2).sum(axis=1)
    slacks = np.maximum(slacks, np.minimum(room, 10 * slacks))
    return Iterate(Y, slacks, at.multipliers + dual * direction.multipliers)


def starting_point(system: NewtonSystem, Y: Array, multiplier: float) -> Iterate:
    """Start from any Y, slacks of at least a tenth of bₑ, and one multiplier for all edges."""
    Y = system.centred(Y)
    room = system.squared_lengths - ((system.differences @ Y) ** 2).sum(axis=1)
    slacks = np.maximum(room, 0.1 * system.squared_lengths)
    return Iterate(Y, slacks, np.full(len(slacks), multiplier))


def looks_optimal(system: NewtonSystem, at: Iterate, tolerance: float) -> bool:
    """Say whether the equations hold well enough to make a certificate worth its price."""
    left = residuals(system, at)
    variance = float(system.weights @ (at.Y**2).sum(axis=1))
    return bool(
        left.complementarity.sum() < tolerance * variance
        and np.abs(left.feasibility).max() < tolerance * system.squared_lengths.mean()
        and np.linalg.norm(left.stationarity) < 1e-3 * np.sqrt(variance)
    )


def predictor_corrector(
    system: NewtonSystem, start: Iterate, certified: Callable[[Iterate], bool], max_steps: int
) -> Iterate:
    """Follow the central path until a certificate holds, five have failed, or the steps are used up."""
    tolerance, at, shift, patience = 1e-8, start, 1e-6, 5
    for _ in range(max_steps):
        if looks_optimal(system, at, tolerance):
            patience -= 1
            if certified(at) or not patience:
                break
        solve, shift = factor_newton(system, at, shift)
        # below this the gap is already small enough, and a smaller μ only spoils the conditioning
        least_mu = 0.3 * tolerance * float(system.weights @ (at.Y**2).sum(axis=1)) / len(at.slacks)
        predictor = newton_direction(system, at, solve, residuals(system, at))
        target = corrected_residuals(system, at, predictor, least_mu)
        at = moved(system, at, newton_direction(system, at, solve, target))
    return at
