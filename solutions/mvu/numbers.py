"""Numbers for the tasks: chains, small connected graphs, and the positions of a straightened chain."""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from solutions.numbers import N_POINTS, Array

Edges = NDArray[np.int64]


def straight(lengths: Array) -> Array:
    """Positions on a line with these steps, about their mean (thm-mvu-chain)."""
    p = np.append(0.0, np.cumsum(lengths))
    return np.asarray(p - p.mean())


def connected_edges(rng: np.random.Generator, n_points: int, n_more: int) -> Edges:
    """Draw a tree and a few more edges, in any order, some written upwards and some downwards."""
    order = rng.permutation(n_points)
    tree = {frozenset((int(order[i]), int(order[rng.integers(i)]))) for i in range(1, n_points)}
    others = [pair for pair in combinations(range(n_points), 2) if frozenset(pair) not in tree]
    chosen = rng.permutation(len(others))[:n_more]
    pairs = [tuple(pair) for pair in tree] + [others[i] for i in chosen]
    edges = np.array(sorted(tuple(sorted(pair)) for pair in pairs))
    edges = edges[rng.permutation(len(edges))]
    flipped = rng.permutation(np.arange(len(edges)) % 2 == 0)
    edges[flipped] = edges[flipped][:, ::-1]
    return edges


def squared_lengths(points: Array, edges: Edges) -> Array:
    """‖xᵢ − xⱼ‖² for each edge."""
    return np.asarray(np.sum((points[edges[:, 0]] - points[edges[:, 1]]) ** 2, axis=1))


def laplacian(edges: Edges, weights: Array) -> Array:
    """L(w), the sum of w (eᵢ − eⱼ)(eᵢ − eⱼ)ᵀ (eq-mvu-laplacian)."""
    size = int(edges.max()) + 1
    B = np.eye(size)[edges[:, 0]] - np.eye(size)[edges[:, 1]]
    return np.asarray((B.T * weights) @ B)


def fine_points(rng: np.random.Generator, **ranges: tuple[float, float]) -> dict[str, Array]:
    """Draw values for each symbol with four decimals: their squares seldom end where a sealed answer is rounded."""
    return {name: np.round(rng.uniform(low, high, size=N_POINTS), 4) for name, (low, high) in ranges.items()}
