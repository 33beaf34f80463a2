"""Numbers for the tasks: points with neighbourhoods, squared sides, fine sample points."""

import numpy as np
from numpy.typing import NDArray

from autograder.authoring.task import Inputs
from solutions.numbers import N_POINTS, Array

Indices = NDArray[np.int64]
LEAST_SIDE = 0.3


def fine_points(rng: np.random.Generator, **ranges: tuple[float, float]) -> dict[str, Array]:
    """Draw values for each symbol with four decimals: their squares seldom end where a sealed answer is rounded."""
    return {name: np.round(rng.uniform(low, high, size=N_POINTS), 4) for name, (low, high) in ranges.items()}


def neighborhoods(rng: np.random.Generator, n_points: int, n_neighbors: int) -> Indices:
    """For each point the numbers of so many others, in any order."""
    return np.array(
        [rng.permutation(np.delete(np.arange(n_points), i))[:n_neighbors] for i in range(n_points)]
    )


def with_some_points_themselves(rng: np.random.Generator, neighbors: Indices) -> Indices:
    """Put about every second point among its own neighbours, in the place of one of them."""
    n_points, n_neighbors = neighbors.shape
    changed = neighbors.copy()
    for i in rng.permutation(n_points)[: (n_points + 1) // 2]:
        changed[i, rng.integers(n_neighbors)] = i
    return changed


def with_coinciding_neighbors(rng: np.random.Generator, case: Inputs) -> dict[str, Array]:
    """Let two neighbours of each of two points coincide in X; their images differ."""
    X = case["X"].copy()
    first, second = rng.permutation(len(X))[:2]
    for i in (first, second):
        a, b = case["neighbors"][i, :2]
        X[b] = X[a]
    return {**case, "X": X}


def with_the_point_itself(neighbors: Indices) -> Indices:
    """The neighbours of each point, and the point in front of them."""
    return np.column_stack([np.arange(len(neighbors)), neighbors])


def squared_rays(points: Array, neighbors: Indices) -> Array:
    """‖pⱼ − pᵢ‖² over the neighbours j of each point i."""
    return np.asarray(((points[neighbors] - points[:, None]) ** 2).sum(axis=2))


def sides_without_the_point(points: Array, neighbors: Indices) -> list[Array]:
    """The squared sides between the neighbours of each point, the point itself left out of them."""
    others = [around[around != i] for i, around in enumerate(neighbors)]
    return [squared_sides(points, around[None])[0] for around in others]


def two_clouds(rng: np.random.Generator, sizes: tuple[int, int], widths: tuple[int, int]) -> Inputs:
    """Outputs Z and data X in short decimals, away from the origin, and neighbourhoods: sizes are (N, k)."""
    Z, X = (np.round(rng.uniform(-3, 5, size=(sizes[0], width)), 1) for width in widths)
    return {"Z": Z, "X": X, "neighbors": neighborhoods(rng, *sizes)}


def squared_sides(points: Array, neighbors: Indices) -> Array:
    """‖pⱼ − p_k‖² over the pairs j < k of neighbours: one row for each point."""
    j, k = np.triu_indices(neighbors.shape[1], 1)
    return np.asarray(((points[neighbors[:, j]] - points[neighbors[:, k]]) ** 2).sum(axis=2))


def coinciding(Z: Array, X: Array, neighbors: Indices) -> str | None:
    """Say that all neighbours of a point nearly coincide, or None."""
    if squared_sides(X, neighbors).max(axis=1).min() < LEAST_SIDE * np.ptp(X) ** 2 / 100:
        return "all neighbours of a point nearly coincide"
    return None
