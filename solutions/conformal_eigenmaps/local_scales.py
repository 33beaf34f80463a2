"""Task `local_scales`: the best scale of squared lengths around every point."""

import numpy as np

from autograder.authoring.task import Cases, Misconception, Task
from dimred_ref.conformal_eigenmaps import optimal_scales
from solutions.conformal_eigenmaps.numbers import (
    Indices,
    coinciding,
    neighborhoods,
    squared_sides,
    two_clouds,
)
from solutions.numbers import Array


def draw(rng: np.random.Generator) -> Cases:
    """Few neighbours in small units, more neighbours in space, and an enlarged copy."""
    copy = dict(two_clouds(rng, (9, 3), (2, 2)))
    copy["Z"] = np.round(float(rng.integers(3, 9)) * 10 * copy["X"][:, ::-1] + 7, 1)
    tiny = dict(two_clouds(rng, (7, 3), (2, 2)))
    tiny["Z"], tiny["X"] = 1e-7 * tiny["Z"], 1e-7 * tiny["X"]
    return {
        "three neighbours in the plane, small units": tiny,
        "five neighbours in space": two_clouds(rng, (10, 5), (4, 3)),
        "an enlarged copy": copy,
    }


def hard(rng: np.random.Generator) -> Cases:
    """Two neighbours, one output coordinate, whole numbers, wide outputs."""
    whole = np.array([[0, 0], [3, 1], [1, 4], [5, 5], [2, 7]])
    return {
        "two neighbours, one coordinate": two_clouds(rng, (6, 2), (1, 4)),
        "whole numbers": {"Z": 2 * whole[:, ::-1], "X": whole, "neighbors": neighborhoods(rng, 5, 3)},
        "wide outputs": two_clouds(rng, (8, 4), (6, 2)),
    }


def answer(Z: Array, X: Array, neighbors: Indices) -> Array:
    """sᵢ = aᵢᵀbᵢ/bᵢᵀbᵢ (eq-conformal-scales)."""
    return optimal_scales(Z, X, neighbors)


def _lists(Z: Array, X: Array, neighbors: Indices) -> tuple[Array, Array]:
    return squared_sides(Z, neighbors), squared_sides(X, neighbors)


def scaled_the_lengths(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Fit lengths by lengths."""
    a, b = (np.sqrt(sides) for sides in _lists(Z, X, neighbors))
    return np.asarray((a * b).sum(axis=1) / (b**2).sum(axis=1))


def divided_the_sums(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Σa/Σb."""
    a, b = _lists(Z, X, neighbors)
    return np.asarray(a.sum(axis=1) / b.sum(axis=1))


def averaged_the_ratios(Z: Array, X: Array, neighbors: Indices) -> Array:
    """The mean of a/b."""
    a, b = _lists(Z, X, neighbors)
    return np.asarray(np.mean(a / b, axis=1))


def exchanged_before_and_after(Z: Array, X: Array, neighbors: Indices) -> Array:
    """aᵀb/aᵀa."""
    return optimal_scales(X, Z, neighbors)


def measured_from_the_centre(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Only the distances between the point and its neighbours."""
    a, b = (((points[neighbors] - points[:, None]) ** 2).sum(axis=2) for points in (Z, X))
    return np.asarray((a * b).sum(axis=1) / (b**2).sum(axis=1))


def counted_the_point_itself(Z: Array, X: Array, neighbors: Indices) -> Array:
    """The point joins its own neighbours."""
    return optimal_scales(Z, X, np.column_stack([np.arange(len(X)), neighbors]))


def took_one_scale_for_all(Z: Array, X: Array, neighbors: Indices) -> Array:
    """A single regression over all neighbourhoods."""
    a, b = _lists(Z, X, neighbors)
    return np.full(len(X), (a * b).sum() / (b**2).sum())


def point_by_point(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Loops over ordered pairs."""
    scales = np.zeros(len(X))
    for i, around in enumerate(neighbors):
        above, below = 0.0, 0.0
        for j in around:
            for k in around:
                b = np.sum((X[j] - X[k]) ** 2)
                above += np.sum((Z[j] - Z[k]) ** 2) * b
                below += b * b
        scales[i] = above / below
    return scales


def by_all_distances(Z: Array, X: Array, neighbors: Indices) -> Array:
    """Both tables of squared distances first."""
    A = np.sum((Z[:, None] - Z[None]) ** 2, axis=2)
    B = np.sum((X[:, None] - X[None]) ** 2, axis=2)
    scales = []
    for around in neighbors:
        a, b = A[np.ix_(around, around)].ravel(), B[np.ix_(around, around)].ravel()
        scales.append(np.linalg.lstsq(b[:, None], a, rcond=None)[0][0])
    return np.array(scales)


local_scales = Task(
    kind="code",
    points=2,
    minutes=12,
    draw=draw,
    answer=answer,
    see="eq-conformal-scales",
    ill_posed=coinciding,
    hard=hard,
    misconceptions=(
        Misconception(
            scaled_the_lengths,
            hint="For a copy that is enlarged by c your scale is c. The cost compares squared lengths.",
            see="eq-conformal-cost",
        ),
        Misconception(
            divided_the_sums,
            hint="A ratio of sums is right for an enlarged copy, but not in general. The least squares fit weighs long "
            "sides more.",
            see="eq-conformal-scale",
        ),
        Misconception(
            averaged_the_ratios,
            hint="An average of ratios is right for an enlarged copy, but not in general. What minimises the sum of "
            "squares?",
            see="eq-conformal-scale",
        ),
        Misconception(
            exchanged_before_and_after,
            hint="For a copy that is enlarged your scales are small. They are to turn the squared lengths of X "
            "into those of Z.",
            see="eq-conformal-similar",
        ),
        Misconception(
            measured_from_the_centre,
            hint="Only the rays from a point to its neighbours were used. The pairs of the cost are pairs of "
            "neighbours.",
            see="eq-conformal-cost",
        ),
        Misconception(
            counted_the_point_itself,
            hint="The pairs of a point with its own neighbours were counted as well. The cost runs over pairs of "
            "neighbours.",
            see="eq-conformal-cost",
        ),
        Misconception(
            took_one_scale_for_all,
            hint="All your scales are equal. A conformal map may enlarge one place more than another.",
            see="eq-conformal-jacobian",
        ),
    ),
    alternatives=(point_by_point, by_all_distances),
)
