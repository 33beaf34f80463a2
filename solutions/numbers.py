"""Numbers for the tasks: clouds of known spread, short bases, and values that keep mistakes visible."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from autograder.authoring.task import Cases

Array = NDArray[np.float64]
T = TypeVar("T")

SMALLEST_RATIO = 1.5
N_POINTS = 6
PYTHAGOREAN = ((3, 4), (4, 3), (3, -4), (4, -3), (-3, 4), (-4, 3))


def cloud(
    rng: np.random.Generator, n_samples: int, spectrum: Sequence[float], offsets: Sequence[float]
) -> Array:
    """Draw points whose covariance has nearly these eigenvalues, and whose mean lies so far along each axis.

    The spectrum is made, not hoped for, so no draw has a gap too small. An offset along weak axes makes a
    forgotten centring turn the first axis.
    """
    D = len(spectrum)
    rank = np.count_nonzero(spectrum)
    normal = rng.normal(size=(n_samples, rank))
    U = np.linalg.qr(normal - normal.mean(axis=0))[0]
    V = np.linalg.qr(rng.normal(size=(D, D)))[0]
    deviations = np.sqrt(n_samples) * (U * np.sqrt(spectrum[:rank])) @ V[:, :rank].T
    return np.round(deviations + V @ np.asarray(offsets), 2)


def orthonormal_columns(rng: np.random.Generator, n_rows: int, n_columns: int) -> Array:
    """Draw orthonormal columns that are short decimals: a chain of turns by the 3-4-5 triangle, shuffled."""
    basis = np.eye(n_rows)
    for first in range(n_rows - 1):
        turn = np.eye(n_rows)
        cosine, sine = rng.permutation([0.6, 0.8])
        turn[first : first + 2, first : first + 2] = [[cosine, -sine], [sine, cosine]]
        basis = basis @ turn
    signs = rng.choice([-1.0, 1.0], size=(n_rows, 1))
    return np.round(signs * basis[rng.permutation(n_rows)], 6)[:, rng.permutation(n_rows)[:n_columns]]


def one_of(rng: np.random.Generator, options: Sequence[T]) -> T:
    """Choose one of the options, whatever they are."""
    return options[int(rng.integers(len(options)))]


def are_apart(*numbers: float) -> bool:
    """Do all these numbers differ visibly, by two hundredths of the larger at least?"""
    ordered = sorted(numbers)
    return all(b - a > 0.02 * max(abs(a), abs(b)) for a, b in pairwise(ordered))


def is_short(number: float, decimals: int = 3) -> bool:
    """Can the number be written down exactly with so many decimals?"""
    return abs(number * 10**decimals - round(number * 10**decimals)) < 1e-9


def small_gap(X: Array, n_components: int, *, every_axis: bool = True) -> str | None:
    """Say which of the gaps that the answer depends on is too small, or None."""
    centred = X - X.mean(axis=0)
    variances = np.linalg.svd(centred, compute_uv=False) ** 2
    padded = np.append(variances, 0.0)
    for axis in range(1 if every_axis else n_components, n_components + 1):
        if padded[axis - 1] < SMALLEST_RATIO * padded[axis]:
            return f"variances {axis} and {axis + 1} are nearly equal"
    return None


def sample_points(rng: np.random.Generator, **ranges: tuple[float, float]) -> dict[str, Array]:
    """Draw short decimals for each symbol from its range."""
    return {name: np.round(rng.uniform(low, high, size=N_POINTS), 2) for name, (low, high) in ranges.items()}


def in_both_orders(points: dict[str, Array], *names: str) -> dict[str, Array]:
    """Mirror the values of these symbols at every third point, so that each is the larger of two somewhere.

    Otherwise a formula that holds only where one symbol is the larger, such as one with a maximum, would be right.
    """
    values = np.array([points[name] for name in names])
    mirrored = np.round(values.min(axis=0) + values.max(axis=0) - values, 4)
    turn = np.arange(values.shape[1]) % 3 == 1
    return {**points, **dict(zip(names, np.where(turn, mirrored, values), strict=True))}


def parts_right_by_luck(
    answer: Callable[..., Any], wrong: Sequence[Callable[..., Any]], cases: Cases
) -> tuple[int, ...]:
    """How many parts, over all cases, each wrong way gets right; a draw may ask for the same luck every time."""
    right = [answer(*inputs.values()) for inputs in cases.values()]
    return tuple(
        sum(
            bool(np.allclose(one, want, rtol=1e-6, atol=0))
            for inputs, wanted in zip(cases.values(), right, strict=True)
            for one, want in zip(way(*inputs.values()), wanted, strict=True)
        )
        for way in wrong
    )
