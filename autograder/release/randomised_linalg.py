"""Randomised numpy and scipy decompositions, to detect answers that are not unique.

Signs, bases of repeated values and null vectors differ between library versions. An answer that changes with them
must not enter a key.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.linalg

from autograder.answers.arrays import Array

_svd, _eigh, _qr = np.linalg.svd, np.linalg.eigh, np.linalg.qr
REPEATED_VALUE_RTOL = 1e-13  # below the tolerances of all tasks: values that a task distinguishes differ


def _orthogonal(rng: np.random.Generator, size: int) -> Array:
    turned: Array = _qr(rng.normal(size=(size, size)))[0] * rng.choice([-1.0, 1.0], size=size)
    return turned


def _equal_runs(values: Array) -> list[slice]:
    """Return the slices of values that are equal up to rounding."""
    if not len(values):
        return []
    edges = np.flatnonzero(np.abs(np.diff(values)) > REPEATED_VALUE_RTOL * np.abs(values).max()) + 1
    return [slice(*pair) for pair in zip([0, *edges], [*edges, len(values)], strict=True)]


class RandomisedLinalg:
    """Numpy's decompositions with every free choice made at random."""

    def __init__(self, seed: int) -> None:
        """Seed the random choices."""
        self.rng = np.random.default_rng(seed)

    def svd(self, A: Any, full_matrices: bool = True, compute_uv: bool = True, **others: Any) -> object:
        """Return numpy's singular value decomposition with random signs and bases.

        Singular values are unchanged.
        """
        if not compute_uv or np.ndim(A) != 2 or 0 in np.shape(A):
            return _svd(A, full_matrices=full_matrices, compute_uv=compute_uv)  # type: ignore[call-overload]
        U, sigma, Vt = _svd(A)
        rank = int(np.sum(sigma > REPEATED_VALUE_RTOL * sigma[0]))
        for run in _equal_runs(sigma[:rank]):
            turn = _orthogonal(self.rng, len(sigma[run]))
            U[:, run], Vt[run] = U[:, run] @ turn, turn.T @ Vt[run]
        U[:, rank:] = U[:, rank:] @ _orthogonal(self.rng, len(U) - rank)
        Vt[rank:] = _orthogonal(self.rng, len(Vt) - rank) @ Vt[rank:]
        return (U, sigma, Vt) if full_matrices else (U[:, : len(sigma)], sigma, Vt[: len(sigma)])

    def eigh(self, A: Any, *others: Any, subset_by_index: Any = None, **more: Any) -> object:
        """Return numpy's values and vectors with random signs and bases.

        `subset_by_index` selects pairs as in scipy.
        """
        values, vectors = _eigh(A)
        for run in _equal_runs(values) if np.ndim(A) == 2 else []:
            vectors[:, run] = vectors[:, run] @ _orthogonal(self.rng, len(values[run]))
        first, last = subset_by_index or (0, len(values) - 1)
        return values[..., first : last + 1], vectors[..., first : last + 1]

    def qr(self, A: Any, *others: Any, **more: Any) -> object:
        """Return numpy's reduced QR with random signs."""
        Q, R = _qr(A)
        signs = self.rng.choice([-1.0, 1.0], size=Q.shape[1])
        return Q * signs, signs[:, None] * R


@contextlib.contextmanager
def patched_linalg(seed: int) -> Iterator[None]:
    """Replace the decompositions of numpy and scipy inside this context."""
    library = RandomisedLinalg(seed)
    places = [(module, name) for module in (np.linalg, scipy.linalg) for name in ("svd", "eigh", "qr")]
    before = [getattr(module, name) for module, name in places]
    try:
        for module, name in places:
            setattr(module, name, getattr(library, name))
        yield
    finally:
        for (module, name), original in zip(places, before, strict=True):
            setattr(module, name, original)
