"""A library that makes every free choice by chance: signs, bases of repeated values, null vectors, last digits.

What a decomposition leaves open, numpy and scipy decide somehow, and another version decides otherwise. An answer that
changes with those choices is not determined by mathematics: a key must not hold it.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

Array = NDArray[np.float64]
_svd, _eigh, _qr = np.linalg.svd, np.linalg.eigh, np.linalg.qr
EQUAL = 1e-13  # below the tolerances that tasks state: values just under those are values


def _orthogonal(rng: np.random.Generator, size: int) -> Array:
    turned: Array = _qr(rng.normal(size=(size, size)))[0] * rng.choice([-1.0, 1.0], size=size)
    return turned


def _equal_runs(values: Array) -> list[slice]:
    """Where equal values stand, equal but for rounding."""
    if not len(values):
        return []
    edges = np.flatnonzero(np.abs(np.diff(values)) > EQUAL * np.abs(values).max()) + 1
    return [slice(*pair) for pair in zip([0, *edges], [*edges, len(values)], strict=True)]


class OtherLibrary:
    """The decompositions of numpy with every free choice made by chance."""

    def __init__(self, seed: int) -> None:
        """Another seed chooses otherwise."""
        self.rng = np.random.default_rng(seed)

    def svd(self, A: Any, full_matrices: bool = True, compute_uv: bool = True, **others: Any) -> Any:
        """As numpy's."""
        if not compute_uv or np.ndim(A) != 2 or 0 in np.shape(A):
            return _svd(A, full_matrices=full_matrices, compute_uv=compute_uv)  # type: ignore[call-overload]
        U, sigma, Vt = _svd(A)
        rank = int(np.sum(sigma > EQUAL * sigma[0]))
        for run in _equal_runs(sigma[:rank]):
            turn = _orthogonal(self.rng, len(sigma[run]))
            U[:, run], Vt[run] = U[:, run] @ turn, turn.T @ Vt[run]
        U[:, rank:] = U[:, rank:] @ _orthogonal(self.rng, len(U) - rank)
        Vt[rank:] = _orthogonal(self.rng, len(Vt) - rank) @ Vt[rank:]
        return (U, sigma, Vt) if full_matrices else (U[:, : len(sigma)], sigma, Vt[: len(sigma)])

    def eigh(self, A: Any, *others: Any, subset_by_index: Any = None, **more: Any) -> Any:
        """As numpy's; a part of the pairs as in scipy's."""
        values, vectors = _eigh(A)
        for run in _equal_runs(values) if np.ndim(A) == 2 else []:
            vectors[:, run] = vectors[:, run] @ _orthogonal(self.rng, len(values[run]))
        first, last = subset_by_index or (0, len(values) - 1)
        return values[..., first : last + 1], vectors[..., first : last + 1]

    def qr(self, A: Any, *others: Any, **more: Any) -> Any:
        """As numpy's reduced one."""
        Q, R = _qr(A)
        signs = self.rng.choice([-1.0, 1.0], size=Q.shape[1])
        return Q * signs, signs[:, None] * R


@contextlib.contextmanager
def shaken(seed: int) -> Iterator[None]:
    """Let the other library stand in for numpy's and scipy's meanwhile."""
    library = OtherLibrary(seed)
    places = [(module, name) for module in (np.linalg, scipy.linalg) for name in ("svd", "eigh", "qr")]
    before = [getattr(module, name) for module, name in places]
    try:
        for module, name in places:
            setattr(module, name, getattr(library, name))
        yield
    finally:
        for (module, name), original in zip(places, before, strict=True):
            setattr(module, name, original)
