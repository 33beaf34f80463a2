"""Task `contrast`: how much farther the farthest sample is than the nearest, in a p-norm."""

import numpy as np

from autograder.authoring import task
from solutions.numbers import Array

SIZES = {1: (8, 3), 1.5: (7, 6), 2: (10, 5), 3: (6, 4)}


def _lengths(differences: Array, p: float) -> Array:
    return np.sum(np.abs(differences) ** p, axis=1) ** (1 / p)


def _relative(lengths: Array) -> float:
    return float((lengths.max() - lengths.min()) / lengths.min())


@task.code(points=2, minutes=8, see="sec-geometry-norms")
def contrast(X: Array, query: Array, p: float) -> float:
    """(d_max − d_min)/d_min."""
    return _relative(_lengths(X - query, p))


@contrast.draw
def draw(rng: np.random.Generator) -> task.Cases:
    """The same question in four norms, with samples of both signs and queries away from them."""
    cases = {}
    for p, (N, D) in SIZES.items():
        X, query = np.round(rng.uniform(-2, 2, size=(N, D)), 3), np.round(rng.uniform(2.4, 3.6, size=D), 3)
        # Differences of both signs, so that absolute values matter.
        query[0] = np.round(-rng.uniform(2.2, 3), 3)
        unit = 1e-6 if p == 2 else 1.0  # the contrast has no unit, so a tiny one must not matter
        X = _placed(X, query, p)
        cases[f"p = {p:g}"] = {"X": np.round(unit * X, 9), "query": np.round(unit * query, 9), "p": p}
    return cases


def _placed(X: Array, query: Array, p: float) -> Array:
    """The samples in another order: the farthest first or last, the nearest at the other end, p by p."""
    order = np.argsort(_lengths(X - query, p))
    if p in (1, 1.5):
        return X[order if p == 1 else order[::-1]]
    middle = order[1:-1]
    return X[[*middle[:2], order[0 if p == 2 else -1], *middle[2:], order[-1 if p == 2 else 0]]]


@contrast.hard
def hard(rng: np.random.Generator) -> task.Cases:
    """One sample, one feature, equal samples, whole numbers, other units, other exponents."""
    X, query = np.round(rng.normal(size=(6, 3)), 2), np.array([3.0, -4.0, 2.0])
    return {
        "one sample": {"X": X[:1], "query": query, "p": 2},
        "one feature": {"X": X[:, :1], "query": query[:1], "p": 3},
        "two equal samples": {"X": X[[0, 1, 0, 2]], "query": query, "p": 1},
        "whole numbers": {"X": rng.integers(-9, 10, size=(5, 3)), "query": np.array([12, -15, 11]), "p": 2},
        "a tiny unit": {"X": 1e-6 * X, "query": 1e-6 * query, "p": 2.5},
        "a large unit": {"X": 1e6 * X, "query": 1e6 * query, "p": 4},
        "a query within the cloud": {"X": X, "query": np.array([0.013, 0.021, -0.017]), "p": 1},
    }


@contrast.ill_posed
def is_ill_posed(X: Array, query: Array, p: float) -> str | None:
    """A sample on top of the query has no finite contrast."""
    lengths = _lengths(X - query, p)
    return "a sample nearly coincides with the query" if lengths.min() < 0.01 * lengths.max() else None


@contrast.wrong(
    "The difference is measured against the farthest sample here. The contrast asks how much farther than the nearest "
    "one.",
)
def divided_by_the_largest(X: Array, query: Array, p: float) -> float:
    """(d_max − d_min)/d_max."""
    lengths = _lengths(X - query, p)
    return float((lengths.max() - lengths.min()) / lengths.max())


@contrast.wrong("If all samples were equally far away, your contrast would be one. It should be zero.")
def forgot_to_subtract(X: Array, query: Array, p: float) -> float:
    """d_max/d_min."""
    return contrast(X, query, p) + 1


@contrast.wrong(
    "Your contrast changes with the unit of length. Relative to which distance should the difference be taken?"
)
def left_it_absolute(X: Array, query: Array, p: float) -> float:
    """d_max − d_min."""
    lengths = _lengths(X - query, p)
    return float(lengths.max() - lengths.min())


@contrast.wrong("Your function gives the same number for every p.")
def always_took_the_euclidean_norm(X: Array, query: Array, p: float) -> float:
    """Ignore p."""
    return contrast(X, query, 2)


@contrast.wrong(
    "Right for p = 1. In general a norm ends with a root, without which doubling a vector would do more than double "
    "its length.",
)
def forgot_the_root(X: Array, query: Array, p: float) -> float:
    """The sum of powers instead of the norm."""
    return _relative(_lengths(X - query, p) ** p)


@contrast.wrong("These are distances from the origin. Distances from the query are wanted.")
def measured_from_the_origin(X: Array, query: Array, p: float) -> float:
    """Ignore the query."""
    return _relative(_lengths(X, p))


@contrast.wrong(
    "Right for even p. For odd p, differences of opposite signs cancel in your sum, and a fractional power of a "
    "negative number is not real.",
)
def forgot_the_absolute_values(X: Array, query: Array, p: float) -> float:
    """|Σ (x − q)ᵖ|^{1/p}: differences of either sign cancel when p is odd."""
    with np.errstate(invalid="ignore"):  # a fractional power of a negative number is not real
        return _relative(np.abs(np.sum((X - query) ** p, axis=1)) ** (1 / p))


@contrast.also
def by_numpy(X: Array, query: Array, p: float) -> float:
    """np.linalg.norm along the rows."""
    lengths = np.linalg.norm(X - query, ord=p, axis=1)
    return float(lengths.max() / lengths.min() - 1)


contrast.announces("need not be whole", "p = 1.5", lambda X, query, p: p % 1 != 0)
