"""Numbers for the tasks: whole vectors with whole lengths, and values that keep mistakes visible."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
T = TypeVar("T")

N_POINTS = 6
# Signed permutations of these, with zeros put in, have lengths 3, 7, 9, 9, 11, 11.
WHOLE_LENGTHS = ((1, 2, 2), (2, 3, 6), (1, 4, 8), (4, 4, 7), (2, 6, 9), (6, 6, 7))
# Three orthogonal vectors of length 3.
FRAME = np.array([[1.0, 2.0, 2.0], [2.0, 1.0, -2.0], [2.0, -2.0, 1.0]])


def one_of(rng: np.random.Generator, options: Sequence[T]) -> T:
    """Choose one of the options, whatever they are."""
    return options[int(rng.integers(len(options)))]


def whole_matrix(rng: np.random.Generator, n_rows: int, n_columns: int, *, low: int = -6) -> Array:
    """Draw a matrix of whole numbers from low to 6."""
    return rng.integers(low, 7, size=(n_rows, n_columns)).astype(float)


def independent_columns(rng: np.random.Generator, n_rows: int, n_columns: int) -> Array:
    """Draw whole columns that are far from dependent and far from orthogonal."""
    while True:
        A = whole_matrix(rng, n_rows, n_columns)
        lengths = np.linalg.norm(A, axis=0)
        if lengths.min() < 2:
            continue
        unit = A / lengths
        cosines = np.abs(unit.T @ unit)[np.triu_indices(n_columns, 1)]
        if cosines.min(initial=1.0) > 0.2 and np.linalg.svd(unit, compute_uv=False)[-1] > 0.3:
            return A


def nearly_dependent(A: Array) -> str | None:
    """Say that the columns are nearly dependent, or None."""
    lengths = np.linalg.norm(A, axis=0)
    if not lengths.all():
        return "a column is zero"
    smallest = np.linalg.svd(A / lengths, compute_uv=False)[-1]
    return "the columns are nearly dependent" if smallest < 0.1 else None


def orthogonal_columns(rng: np.random.Generator, lengths: Sequence[float]) -> Array:
    """Draw columns at right angles, of these lengths, as short decimals."""
    signs = rng.choice([-1.0, 1.0], size=(3, 1))
    turned = signs * FRAME[rng.permutation(3)][:, rng.permutation(3)]
    return np.round(turned[:, : len(lengths)] / 3 * np.asarray(lengths), 9)


def symmetric_with(rng: np.random.Generator, spectrum: Sequence[float]) -> Array:
    """Draw a symmetric matrix whose eigenvalues are these, to two decimals of its entries."""
    Q = np.linalg.qr(rng.normal(size=(len(spectrum), len(spectrum))))[0]
    A = np.round(Q * np.asarray(spectrum) @ Q.T, 2)
    return (A + A.T) / 2


def are_apart(answers: Sequence[Any], share: float = 0.02) -> bool:
    """Do all these answers (numbers, or lists of equal length) differ visibly from one another?"""
    arrays = [np.atleast_1d(np.asarray(answer, dtype=float)) for answer in answers]
    scale = max(float(np.abs(array).max()) for array in arrays[:1]) or 1.0
    return all(float(np.abs(a - b).max()) > share * scale for a, b in combinations(arrays, 2))


def ways_are_apart(ways: Sequence[Callable[..., Any]], inputs: Sequence[Any], share: float = 0.02) -> bool:
    """Do these ways give visibly different answers on these inputs?"""
    return are_apart([way(*inputs) for way in ways], share)


def sample_points(rng: np.random.Generator, **ranges: tuple[float, float]) -> dict[str, Array]:
    """Draw decimals for each symbol from its range; three places, so that products seldom end in a 5."""
    return {name: np.round(rng.uniform(low, high, size=N_POINTS), 3) for name, (low, high) in ranges.items()}
