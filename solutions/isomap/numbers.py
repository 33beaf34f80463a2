"""Curves, sheets and networks for the Isomap tasks, without ties among neighbours."""

from itertools import pairwise

import numpy as np

from solutions.numbers import Array

TELLING = 0.01  # relative: the k-th and the next neighbour must differ by so much


def distances(X: Array) -> Array:
    """Straight-line distances of all rows."""
    return np.sqrt(np.sum((X[:, None] - X[None]) ** 2, axis=2))


def neighbours_tie(X: Array, n_neighbors: int) -> bool:
    """Are there a k-th and a next neighbour at nearly the same distance, or one more or less that would tie?"""
    ordered = np.sort(distances(np.asarray(X, dtype=float)), axis=1)
    if (ordered[:, 1] <= 0).any():
        return True
    last = ordered.shape[1] - 1
    steps = ((k, k + 1) for k in (n_neighbors - 1, n_neighbors) if 1 <= k < last)
    return any((ordered[:, b] - ordered[:, a] < TELLING * ordered[:, b]).any() for a, b in steps)


def spiral(rng: np.random.Generator, n_samples: int) -> Array:
    """Points along a spiral of the plane, in mixed order."""
    angle = 1.5 + 5.5 * (np.arange(n_samples) + rng.uniform(-0.3, 0.3, size=n_samples)) / n_samples
    X = np.column_stack([angle * np.cos(angle), angle * np.sin(angle)])
    return np.round(X[rng.permutation(n_samples)] + [2.0, -1.0], 2)


def bent_sheet(rng: np.random.Generator, n_rows: int, n_columns: int) -> Array:
    """Points of a strip that is bent to a half cylinder, in mixed order."""
    arc, height = np.meshgrid(np.arange(n_columns), np.arange(n_rows))
    arc = (arc + rng.uniform(-0.3, 0.3, size=arc.shape)) * np.pi / n_columns
    height = 0.4 * (height + rng.uniform(-0.3, 0.3, size=height.shape))
    X = np.column_stack([np.cos(arc).ravel(), height.ravel(), np.sin(arc).ravel()])
    return np.round(3 * X[rng.permutation(len(X))] + [1.0, -2.0, 4.0], 2)


def ring(rng: np.random.Generator, n_samples: int) -> Array:
    """Points of a closed curve in space, in mixed order."""
    angle = 2 * np.pi * (np.arange(n_samples) + rng.uniform(-0.2, 0.2, size=n_samples)) / n_samples
    X = np.column_stack([3 * np.cos(angle), 2 * np.sin(angle), np.sin(2 * angle)])
    return np.round(X[rng.permutation(n_samples)], 2)


def network(rng: np.random.Generator, n_points: int, n_chords: int, *, closed: bool) -> Array:
    """Edge lengths of a walk through all points, in mixed order, with some more and longer edges."""
    order = rng.permutation(n_points)
    lengths = np.zeros((n_points, n_points))
    ends = [*pairwise(order), (order[-1], order[0])] if closed else [*pairwise(order)]
    for i, j in ends:
        lengths[i, j] = np.round(rng.uniform(0.5, 3.0), 1)
    free = [(i, j) for i in range(n_points) for j in range(i) if not lengths[i, j] and not lengths[j, i]]
    for position in rng.permutation(len(free))[:n_chords]:
        lengths[free[position]] = np.round(rng.uniform(3.0, 9.0), 1)
    return np.maximum(lengths, lengths.T)


def eliminated(lengths: Array) -> Array:
    """All path lengths, one intermediate vertex after another; a zero off the diagonal is no edge."""
    paths = np.where(np.asarray(lengths) > 0, lengths, np.inf).astype(float)
    np.fill_diagonal(paths, 0.0)
    for v in range(len(paths)):
        paths = np.minimum(paths, paths[:, [v]] + paths[[v]])
    return paths
