"""Numbers for the tasks: draws on which every way to be wrong shows, and neighbourhoods without ties."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from autograder.judging.sameness import Sameness, discrepancy, exactly
from dimred_ref.lle import lle_weights
from solutions.numbers import N_POINTS, Array

Way = Callable[..., Any]
VISIBLE = 0.03


def told_apart(ways: Sequence[Way], inputs: Sequence[Any], same: Sequence[Sameness] = (exactly,)) -> bool:
    """Do these ways give visibly different answers, in one part at least?"""
    answers = [_parts(way(*inputs)) for way in ways]
    return all(_gap(one, other, same) > VISIBLE for one, other in combinations(answers, 2))


def _parts(answer: Any) -> list[Array]:
    parts = answer if isinstance(answer, tuple) else (answer,)
    return [np.asarray(part, dtype=float) for part in parts]


def _gap(one: Sequence[Array], other: Sequence[Array], same: Sequence[Sameness]) -> float:
    pairs = [(a, b, s) for a, b, s in zip(one, other, same, strict=True)]
    return max(min(discrepancy(a, b, s), discrepancy(b, a, s)) for a, b, s in pairs)


def signed_points(rng: np.random.Generator, **ranges: tuple[float, float]) -> dict[str, Array]:
    """Draw for each symbol numbers of both signs, three of each, with absolute values from its range."""
    points = {}
    for name, (low, high) in ranges.items():
        signs = rng.permutation(np.repeat([-1.0, 1.0], N_POINTS // 2))
        points[name] = np.round(signs * rng.uniform(low, high, size=N_POINTS), 3)
    return points


def scattered(rng: np.random.Generator, shape: tuple[int, int], k: int, centre: float = 0.0) -> Array:
    """Draw points whose k-th and next neighbours are clearly at different distances."""
    while True:
        X = np.round(rng.normal(size=shape) * 2 + centre, 2)
        if unclear_neighbors(X, k) is None:
            return X


def unclear_neighbors(X: Array, k: int, ridge: float = 0.0) -> str | None:
    """Say that it is nearly undecided who is a neighbour, or None."""
    distances = np.sort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)
    if distances[:, 1].min() < 0.02 * distances.max():
        return "two points nearly coincide"
    if k + 1 < len(X) and (distances[:, k + 1] < 1.01 * distances[:, k]).any():
        return "two neighbours are nearly at the same distance"
    return None


def one_recipe(x: Array, neighbors: Array, ridge: float) -> Array:
    """The reference weights of one point, as a full vector."""
    points = np.vstack([neighbors, x])
    k = len(neighbors)
    everyone = np.array([[*range(i), *range(i + 1, k + 1)] for i in range(k + 1)])
    return lle_weights(points, everyone, ridge).toarray()[k, :k]
