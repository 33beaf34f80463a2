"""Task `contrast`: how much farther the farthest sample is than the nearest, in a p-norm."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from solutions.numbers import Array


def draw(rng: np.random.Generator) -> Cases:
    """The same question in three norms, with queries away from the origin."""
    cases = {}
    for p, (N, D) in {1: (8, 3), 2: (10, 5), 3: (6, 4)}.items():
        X, query = np.round(rng.uniform(size=(N, D)), 3), np.round(rng.uniform(1.9, 2.6, size=D), 3)
        # Differences of both signs, so that absolute values matter, but not so large that sums could vanish.
        query[0] = np.round(-rng.uniform(0.1, 0.3), 3)
        cases[f"p = {p}"] = {"X": X, "query": query, "p": p}
    return cases


def _lengths(differences: Array, p: int) -> Array:
    return np.sum(np.abs(differences) ** p, axis=1) ** (1 / p)


def _relative(lengths: Array) -> float:
    return float((lengths.max() - lengths.min()) / lengths.min())


def answer(X: Array, query: Array, p: int) -> float:
    """(d_max − d_min)/d_min."""
    return _relative(_lengths(X - query, p))


def is_ill_posed(X: Array, query: Array, p: int) -> str | None:
    """A sample on top of the query has no finite contrast."""
    return "a sample nearly coincides with the query" if _lengths(X - query, p).min() < 0.05 else None


def divided_by_the_largest(X: Array, query: Array, p: int) -> float:
    """(d_max − d_min)/d_max."""
    lengths = _lengths(X - query, p)
    return float((lengths.max() - lengths.min()) / lengths.max())


def forgot_to_subtract(X: Array, query: Array, p: int) -> float:
    """d_max/d_min."""
    return answer(X, query, p) + 1


def left_it_absolute(X: Array, query: Array, p: int) -> float:
    """d_max − d_min."""
    lengths = _lengths(X - query, p)
    return float(lengths.max() - lengths.min())


def always_took_the_euclidean_norm(X: Array, query: Array, p: int) -> float:
    """Ignore p."""
    return answer(X, query, 2)


def forgot_the_root(X: Array, query: Array, p: int) -> float:
    """The sum of powers instead of the norm."""
    return _relative(_lengths(X - query, p) ** p)


def measured_from_the_origin(X: Array, query: Array, p: int) -> float:
    """Ignore the query."""
    return _relative(_lengths(X, p))


def forgot_the_absolute_values(X: Array, query: Array, p: int) -> float:
    """|Σ (x − q)ᵖ|^{1/p}: differences of either sign cancel when p is odd."""
    return _relative(np.abs(np.sum((X - query) ** p, axis=1)) ** (1 / p))


def by_numpy(X: Array, query: Array, p: int) -> float:
    """np.linalg.norm along the rows."""
    lengths = np.linalg.norm(X - query, ord=p, axis=1)
    return float(lengths.max() / lengths.min() - 1)


contrast = Task(
    kind="code",
    points=2,
    minutes=8,
    draw=draw,
    answer=answer,
    see="sec-geometry-norms",
    misconceptions=(
        Misconception(
            divided_by_the_largest,
            hint="The difference is measured against the farthest sample here. The contrast asks how much "
            "farther than the nearest one.",
            see="sec-geometry-norms",
        ),
        Misconception(
            forgot_to_subtract,
            hint="If all samples were equally far away, your contrast would be one. It should be zero.",
            see="sec-geometry-norms",
        ),
        Misconception(
            left_it_absolute,
            hint="Your contrast changes with the unit of length. Relative to which distance should the difference "
            "be taken?",
            see="sec-geometry-norms",
        ),
        Misconception(
            always_took_the_euclidean_norm,
            hint="Your function gives the same number for every p.",
            see="sec-geometry-norms",
        ),
        Misconception(
            forgot_the_root,
            hint="Right for p = 1. In general a norm ends with a root, without which doubling a vector would do "
            "more than double its length.",
            see="sec-geometry-norms",
        ),
        Misconception(
            measured_from_the_origin,
            hint="These are distances from the origin. Distances from the query are wanted.",
            see="sec-geometry-norms",
        ),
        Misconception(
            forgot_the_absolute_values,
            hint="Right for even p. For odd p, differences of opposite signs cancel in your sum.",
            see="sec-geometry-norms",
        ),
    ),
    alternatives=(by_numpy,),
    ill_posed=is_ill_posed,
)
