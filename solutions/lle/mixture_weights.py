"""Task `mixture_weights`: the recipe of one point, with a relative ridge."""

import numpy as np

from autograder.authoring.task import Cases, Inputs, Misconception, Task
from solutions.lle.numbers import one_recipe
from solutions.numbers import Array, one_of

CLEARLY_NEGATIVE = -0.02


def draw(rng: np.random.Generator) -> Cases:
    """Few and many neighbours, one feature, other units, far from the origin; some weight is always negative."""

    def case(k: int, D: int, ridges: tuple[float, ...], unit: float = 1.0, centre: float = 1.0) -> Inputs:
        while True:
            ridge = one_of(rng, ridges)
            neighbors = np.round(unit * (rng.normal(size=(k, D)) + centre), 2)
            x = np.round(unit * (0.6 * rng.normal(size=D) + centre), 2)
            if answer(x, neighbors, ridge).min() < CLEARLY_NEGATIVE:
                return {"x": x, "neighbors": neighbors, "ridge": ridge}

    return {
        "fewer neighbours than dimensions": case(3, 5, (0.02, 0.03)),
        "more neighbours than dimensions": case(6, 2, (0.001, 0.002, 0.005), centre=-2.0),
        "far away, in a small unit": case(4, 3, (0.1, 0.2), unit=30.0, centre=6.0),
        "one feature": case(2, 1, (0.04, 0.05, 0.06), unit=3.0),
    }


def hard(rng: np.random.Generator) -> Cases:
    """One neighbour, a copy of the point among them, whole numbers, tiny and huge units."""
    X = rng.integers(-5, 6, size=(5, 3))
    return {
        "one neighbour": {"x": X[0].astype(float), "neighbors": X[1:2] + 0.5, "ridge": 0.01},
        "a copy of the point": {"x": X[0].astype(float), "neighbors": X[:4].astype(float), "ridge": 0.01},
        "whole numbers": {"x": X[4], "neighbors": X[:4], "ridge": 0.001},
        "tiny": {"x": X[4] * 1e-6, "neighbors": X[:4] * 1e-6, "ridge": 0.001},
        "huge": {"x": X[4] * 1e6, "neighbors": X[:4] * 1e6, "ridge": 0.5},
    }


def answer(x: Array, neighbors: Array, ridge: float) -> Array:
    """C + ridge tr(C) I, the solution for 1, divided by its sum (eq-lle-ridge)."""
    return one_recipe(x, neighbors, ridge)


def _recipe(difference: Array, ridge: float) -> Array:
    """With an absolute ridge."""
    C = difference @ difference.T
    raw = np.linalg.solve(C + ridge * np.eye(len(C)), np.ones(len(C)))
    return raw / raw.sum()


def _trace(x: Array, neighbors: Array) -> float:
    return float(np.sum((x - neighbors) ** 2))


def forgot_to_subtract_the_point(x: Array, neighbors: Array, ridge: float) -> Array:
    """Products of the neighbours themselves."""
    return _recipe(neighbors, ridge * float(np.sum(neighbors**2)))


def subtracted_the_mean_of_the_neighbors(x: Array, neighbors: Array, ridge: float) -> Array:
    """A local covariance in the literal sense: differences from the mean."""
    centred = neighbors - neighbors.mean(axis=0)
    C = centred @ centred.T
    raw = np.linalg.solve(C + ridge * np.trace(C) * np.eye(len(C)), np.ones(len(C)))
    return raw / raw.sum()


def took_an_absolute_ridge(x: Array, neighbors: Array, ridge: float) -> Array:
    """C + ridge I."""
    return _recipe(x - neighbors, ridge)


def divided_the_trace_by_k(x: Array, neighbors: Array, ridge: float) -> Array:
    """The mean of the diagonal instead of its sum."""
    return _recipe(x - neighbors, ridge * _trace(x, neighbors) / len(neighbors))


def forgot_to_divide_by_the_sum(x: Array, neighbors: Array, ridge: float) -> Array:
    """The solution of the equations as it is."""
    difference = x - neighbors
    C = difference @ difference.T
    return np.linalg.solve(C + ridge * np.trace(C) * np.eye(len(C)), np.ones(len(C)))


def clipped_negative_weights(x: Array, neighbors: Array, ridge: float) -> Array:
    """Zero for what is negative, and the rest divided by its sum."""
    kept = np.maximum(answer(x, neighbors, ridge), 0)
    return kept / kept.sum()


def weighed_by_inverse_distances(x: Array, neighbors: Array, ridge: float) -> Array:
    """Weights in proportion to 1/distance."""
    near = 1 / np.linalg.norm(x - neighbors, axis=1)
    return near / near.sum()


def by_the_multiplier(x: Array, neighbors: Array, ridge: float) -> Array:
    """One bordered system with the sum as last equation."""
    k = len(neighbors)
    difference = neighbors - x
    C = difference @ difference.T
    system = np.ones((k + 1, k + 1))
    system[:k, :k] = C / np.trace(C) + ridge * np.eye(k)
    system[k, k] = 0
    return np.linalg.solve(system, np.append(np.zeros(k), 1.0))[:k]


def by_loops(x: Array, neighbors: Array, ridge: float) -> Array:
    """Entry by entry, then the inverse."""
    k = len(neighbors)
    C = np.zeros((k, k))
    for a in range(k):
        for b in range(k):
            C[a, b] = (x - neighbors[a]) @ (x - neighbors[b])
    total = sum(C[a, a] for a in range(k))
    w = np.linalg.inv(C + ridge * total * np.identity(k)).sum(axis=1)
    return w / np.sum(w)


def _unclear(x: Array, neighbors: Array, ridge: float) -> str | None:
    """Say that the weights are nearly undecided, or None."""
    return "a neighbour nearly coincides" if np.abs(x - neighbors).max(axis=1).min() < 1e-3 else None


def left_the_ridge_out(x: Array, neighbors: Array, ridge: float) -> Array:
    """C⁻¹1, divided by its sum; the same number added to every entry of C gives the same."""
    difference = x - neighbors
    raw = np.linalg.pinv(difference @ difference.T).sum(axis=1)
    return raw / raw.sum()


def _singular(x: Array, neighbors: Array, ridge: float) -> str | None:
    return "without a ridge many weights are best" if len(neighbors) > len(x) else None


mixture_weights = Task(
    kind="code",
    points=3,
    minutes=12,
    draw=draw,
    answer=answer,
    see="eq-lle-ridge",
    misconceptions=(
        Misconception(
            forgot_to_subtract_the_point,
            hint="Your weights change when the whole cloud is shifted. The matrix is made of differences from x.",
            see="eq-lle-local-gram",
        ),
        Misconception(
            subtracted_the_mean_of_the_neighbors,
            hint="Your weights do not depend on x: you subtracted the mean of the neighbours. The Gram matrix here is "
            "that of the differences from the point.",
            see="eq-lle-local-gram",
        ),
        Misconception(
            took_an_absolute_ridge,
            hint="In another unit of length your weights would change. The ridge is relative to the trace.",
            see="thm-lle-invariance",
        ),
        Misconception(
            divided_the_trace_by_k,
            hint="Your ridge is k times too small: it is relative to the mean of the diagonal, not to the trace.",
            see="eq-lle-ridge",
        ),
        Misconception(
            forgot_to_divide_by_the_sum,
            hint="The proportions are right. Your weights do not sum to one.",
            see="eq-lle-closed-form",
        ),
        Misconception(
            weighed_by_inverse_distances,
            hint="Your weights are in proportion to one over the distance, and directions do not matter to them. The "
            "best mixture comes nearest to the point.",
            see="thm-lle-weights",
        ),
        Misconception(
            clipped_negative_weights,
            hint="None of your weights is negative. A mixture outside the hull of the neighbours needs negative ones.",
            see="thm-lle-weights",
        ),
        Misconception(
            left_the_ridge_out,
            hint="These are the weights without a ridge. It stands on the diagonal of the matrix alone: one number "
            "added to every entry changes nothing.",
            see="eq-lle-ridge",
            indefinite=_singular,
        ),
    ),
    alternatives=(by_the_multiplier, by_loops),
    ill_posed=_unclear,
    hard=hard,
)
