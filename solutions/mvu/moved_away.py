"""Task `moved_away`: what a shift does to the Gram matrix and to the spread, as formulas."""

import numpy as np

from autograder.authoring import task
from solutions.mvu.numbers import fine_points
from solutions.numbers import Array


@task.sym(points=2, minutes=8, see="thm-mvu-gram", parts=("the sum", "the trace", "the spread"))
def moved_away(p: Array, q: Array, t: Array) -> Array:
    """9t², the trace and the spread (thm-mvu-gram)."""
    spread = p**2 + q**2 + (p + q) ** 2
    return np.column_stack([9 * t**2, spread + 3 * t**2, spread])


@moved_away.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Two positions and a shift, of either sign."""
    return {"at sample points": fine_points(rng, p=(-3.0, 3.0), q=(-3.0, 3.0), t=(-2.0, 2.0))}


@moved_away.wrong(
    "These are the values for t = 0, where the points are centred. Two of the three depend on t."
)
def forgot_the_shift(p: Array, q: Array, t: Array) -> Array:
    """Everything at t = 0."""
    return moved_away(p, q, 0 * t)


@moved_away.wrong(
    "The trace and the spread are right. The first sum runs over all nine entries of K.", credit=2 / 3
)
def summed_the_diagonal(p: Array, q: Array, t: Array) -> Array:
    """The trace in the place of the sum of all entries."""
    return moved_away(p, q, t)[:, [1, 1, 2]]


@moved_away.wrong(
    "The trace and the spread are right. The entries of K are products of two positions, so their sum cannot be of "
    "first degree in t.",
    credit=2 / 3,
)
def summed_the_points(p: Array, q: Array, t: Array) -> Array:
    """Σ yᵢ, not squared."""
    return np.column_stack([3 * t, moved_away(p, q, t)[:, 1:]])


@moved_away.wrong(
    "The first two are right. In the last sum i and j run independently: how often does a pair occur?",
    see="eq-mvu-trace",
    credit=2 / 3,
)
def counted_each_pair_once(p: Array, q: Array, t: Array) -> Array:
    """The sum over i < j, divided by 2N all the same."""
    return moved_away(p, q, t) * [1, 1, 0.5]


@moved_away.wrong(
    "The first two are right. Put t = 0: then the last two must agree, and yours do not.",
    see="eq-mvu-trace",
    credit=2 / 3,
)
def forgot_the_half(p: Array, q: Array, t: Array) -> Array:
    """1/N for 1/2N."""
    return moved_away(p, q, t) * [1, 1, 2]


@moved_away.wrong(
    "The first two are right. Do distances between points change when all of them are moved?",
    see="eq-mvu-trace",
    credit=2 / 3,
)
def took_the_spread_for_the_trace(p: Array, q: Array, t: Array) -> Array:
    """As if the points were still centred."""
    return moved_away(p, q, t)[:, [0, 1, 1]]


@moved_away.wrong(
    "Trace and spread are right. The entries of K sum to zero only if the points are centred, and these are moved.",
)
def took_them_for_centred(p: Array, q: Array, t: Array) -> Array:
    """Zero for the sum of all entries."""
    return moved_away(p, q, t) * [0, 1, 1]


@moved_away.wrong(
    "The first formula is right. (p + q)² has a mixed term; multiply it out once more.",
)
def forgot_the_mixed_term(p: Array, q: Array, t: Array) -> Array:
    """p² + q² for (p + q)²."""
    return moved_away(p, q, t) - np.column_stack([0 * p, 2 * p * q, 2 * p * q])


@moved_away.also
def from_the_matrix(p: Array, q: Array, t: Array) -> Array:
    """Build K at every sample point."""
    rows = []
    for y in np.column_stack([p + t, q + t, t - p - q]):
        K = np.outer(y, y)
        gaps = np.diag(K)[:, None] + np.diag(K)[None, :] - 2 * K
        rows.append([K.sum(), np.trace(K), gaps.sum() / 6])
    return np.array(rows)
