"""Task `mixture_weights`: the recipe of one point, with a relative ridge."""

import numpy as np

from autograder.authoring import task
from solutions.announced import has_huge_numbers, has_tiny_numbers
from solutions.lle.numbers import one_recipe
from solutions.numbers import Array, one_of

CLEARLY_NEGATIVE = -0.02


@task.code(points=3, minutes=12, see="eq-lle-ridge")
def mixture_weights(x: Array, neighbors: Array, ridge: float) -> Array:
    """C + ridge tr(C) I, the solution for 1, divided by its sum (eq-lle-ridge)."""
    return one_recipe(x, neighbors, ridge)


@mixture_weights.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """Few and many neighbours, one feature, other units, far from the origin; some weight is always negative."""

    def case(
        k: int, D: int, ridges: tuple[float, ...], unit: float = 1.0, centre: float = 1.0
    ) -> task.Inputs:
        while True:
            ridge = one_of(rng, ridges)
            neighbors = unit * np.round(rng.normal(size=(k, D)) + centre, 3)
            x = unit * np.round(0.6 * rng.normal(size=D) + centre, 3)
            if mixture_weights(x, neighbors, ridge).min() < CLEARLY_NEGATIVE:
                return {"x": x, "neighbors": neighbors, "ridge": ridge}

    return {
        "fewer neighbours than dimensions, in a huge unit": case(3, 5, (0.02, 0.03), unit=1e-7),
        "more neighbours than dimensions": case(6, 2, (0.001, 0.002, 0.005), centre=-2.0),
        "far away, in a tiny unit": case(4, 3, (0.1, 0.2), unit=3e4, centre=6.0),
        "one feature": case(2, 1, (0.04, 0.05, 0.06), unit=3.0),
    }


@mixture_weights.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One neighbour, a copy of the point among them, whole numbers, tiny and huge units."""
    X = rng.integers(-5, 6, size=(5, 3))
    return {
        "one neighbour": {"x": X[0].astype(float), "neighbors": X[1:2] + 0.5, "ridge": 0.01},
        "a copy of the point": {"x": X[0].astype(float), "neighbors": X[:4].astype(float), "ridge": 0.01},
        "whole numbers": {"x": X[4], "neighbors": X[:4], "ridge": 0.001},
        "tiny": {"x": X[4] * 1e-6, "neighbors": X[:4] * 1e-6, "ridge": 0.001},
        "huge": {"x": X[4] * 1e6, "neighbors": X[:4] * 1e6, "ridge": 0.5},
    }


@mixture_weights.ill_posed
def _unclear(x: Array, neighbors: Array, ridge: float) -> str | None:
    """Say that the weights are nearly undecided, or None."""
    apart = np.abs(x - neighbors).max(axis=1)
    return "a neighbour nearly coincides" if apart.min() < 1e-3 * apart.max() else None


def _recipe(difference: Array, ridge: float) -> Array:
    """With an absolute ridge."""
    C = difference @ difference.T
    raw = np.linalg.solve(C + ridge * np.eye(len(C)), np.ones(len(C)))
    return raw / raw.sum()


def _trace(x: Array, neighbors: Array) -> float:
    return float(np.sum((x - neighbors) ** 2))


@mixture_weights.wrong(
    "Your weights change when the whole cloud is shifted. The matrix is made of differences from x.",
    see="eq-lle-local-gram",
)
def forgot_to_subtract_the_point(x: Array, neighbors: Array, ridge: float) -> Array:
    """Products of the neighbours themselves."""
    return _recipe(neighbors, ridge * float(np.sum(neighbors**2)))


@mixture_weights.wrong(
    "Your weights do not depend on x: you subtracted the mean of the neighbours. The Gram matrix here is that of the "
    "differences from the point.",
    see="eq-lle-local-gram",
)
def subtracted_the_mean_of_the_neighbors(x: Array, neighbors: Array, ridge: float) -> Array:
    """A local covariance in the literal sense: differences from the mean."""
    centred = neighbors - neighbors.mean(axis=0)
    C = centred @ centred.T
    raw = np.linalg.solve(C + ridge * np.trace(C) * np.eye(len(C)), np.ones(len(C)))
    return raw / raw.sum()


@mixture_weights.wrong(
    "In another unit of length your weights would change. The ridge is relative to the trace.",
    see="thm-lle-invariance",
)
def took_an_absolute_ridge(x: Array, neighbors: Array, ridge: float) -> Array:
    """C + ridge I."""
    return _recipe(x - neighbors, ridge)


@mixture_weights.wrong(
    "Your ridge is k times too small: it is relative to the mean of the diagonal, not to the trace."
)
def divided_the_trace_by_k(x: Array, neighbors: Array, ridge: float) -> Array:
    """The mean of the diagonal instead of its sum."""
    return _recipe(x - neighbors, ridge * _trace(x, neighbors) / len(neighbors))


@mixture_weights.wrong("The proportions are right. Your weights do not sum to one.", see="eq-lle-closed-form")
def forgot_to_divide_by_the_sum(x: Array, neighbors: Array, ridge: float) -> Array:
    """The solution of the equations as it is."""
    difference = x - neighbors
    C = difference @ difference.T
    return np.linalg.solve(C + ridge * np.trace(C) * np.eye(len(C)), np.ones(len(C)))


@mixture_weights.wrong(
    "Your weights are in proportion to one over the distance, and directions do not matter to them. The best mixture "
    "comes nearest to the point.",
    see="thm-lle-weights",
)
def weighed_by_inverse_distances(x: Array, neighbors: Array, ridge: float) -> Array:
    """Weights in proportion to 1/distance."""
    near = 1 / np.linalg.norm(x - neighbors, axis=1)
    return near / near.sum()


@mixture_weights.wrong(
    "Your weights are in proportion to one over the squared distance, which is right if all differences are "
    "orthogonal. The entries of the matrix off its diagonal count, too.",
    see="eq-lle-local-gram",
)
def weighed_by_inverse_squares(x: Array, neighbors: Array, ridge: float) -> Array:
    """Weights in proportion to 1/distance², as if the differences were orthogonal."""
    near = 1 / np.sum((x - neighbors) ** 2, axis=1)
    return near / near.sum()


@mixture_weights.wrong(
    "This is plain least squares for the point: the weights need not sum to one, and they change when everything is "
    "shifted.",
    see="thm-lle-weights",
)
def solved_without_the_sum(x: Array, neighbors: Array, ridge: float) -> Array:
    """Least squares for x itself; nothing asks for the sum one."""
    return np.asarray(np.linalg.lstsq(neighbors.T, x, rcond=None)[0])


@mixture_weights.wrong(
    "This is plain least squares, divided by the sum of the weights afterwards. The constraint belongs into the "
    "problem: the best weights with sum one are others.",
    see="thm-lle-weights",
)
def divided_by_the_sum_afterwards(x: Array, neighbors: Array, ridge: float) -> Array:
    """Least squares without the constraint, then divided by the sum."""
    weights = solved_without_the_sum(x, neighbors, ridge)
    return weights / weights.sum()


@mixture_weights.wrong(
    "None of your weights is negative. A mixture outside the hull of the neighbours needs negative ones.",
    see="thm-lle-weights",
)
def clipped_negative_weights(x: Array, neighbors: Array, ridge: float) -> Array:
    """Zero for what is negative, and the rest divided by its sum."""
    kept = np.maximum(mixture_weights(x, neighbors, ridge), 0)
    return kept / kept.sum()


def _singular(x: Array, neighbors: Array, ridge: float) -> str | None:
    return "without a ridge many weights are best" if len(neighbors) > len(x) else None


@mixture_weights.wrong(
    "These are the weights without a ridge. It stands on the diagonal of the matrix alone: one number added to every "
    "entry changes nothing.",
    indefinite=_singular,
)
def left_the_ridge_out(x: Array, neighbors: Array, ridge: float) -> Array:
    """C⁻¹1, divided by its sum; the same number added to every entry of C gives the same."""
    difference = x - neighbors
    raw = np.linalg.pinv(difference @ difference.T).sum(axis=1)
    return raw / raw.sum()


@mixture_weights.wrong(
    "The ridge is relative to the trace of C. Yours is relative to its largest eigenvalue."
)
def compared_with_the_largest_eigenvalue(x: Array, neighbors: Array, ridge: float) -> Array:
    """C + ridge λ₁ I."""
    return _recipe(x - neighbors, ridge * float(np.linalg.norm(x - neighbors, 2) ** 2))


@mixture_weights.also
def by_the_multiplier(x: Array, neighbors: Array, ridge: float) -> Array:
    """One bordered system with the sum as last equation."""
    k = len(neighbors)
    difference = neighbors - x
    C = difference @ difference.T
    system = np.ones((k + 1, k + 1))
    system[:k, :k] = C / np.trace(C) + ridge * np.eye(k)
    system[k, k] = 0
    return np.linalg.solve(system, np.append(np.zeros(k), 1.0))[:k]


@mixture_weights.also
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


UNIT = "the unit may be tiny or huge"

mixture_weights.announces(UNIT, "far away, in a tiny unit", has_huge_numbers)
mixture_weights.announces(UNIT, "fewer neighbours than dimensions, in a huge unit", has_tiny_numbers)
