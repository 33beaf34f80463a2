"""Base class of results: a short text, and equality that compares arrays."""

from dataclasses import fields
from typing import Any

import numpy as np
from scipy.sparse import issparse

FEW = 4  # entries of a vector that are shown


class Result:
    """A frozen record of arrays and numbers. Two are equal when all their fields are, entry by entry."""

    def __eq__(self, other: object) -> bool:
        """Compare entry by entry. Answers that differ by signs or rounding are not equal: compare invariants."""
        if type(other) is not type(self):
            return NotImplemented
        return all(_same(getattr(self, name), getattr(other, name)) for name in _names(self))

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash
    __array_ufunc__ = None  # so that == with an array asks us, and not every entry of the array

    def __repr__(self) -> str:
        """Show small fields, and of large ones their size."""
        shown = ", ".join(f"{name}={_shown(getattr(self, name))}" for name in _names(self))
        return f"{type(self).__name__}({shown})"


def _names(result: Any) -> list[str]:
    return [field.name for field in fields(result)]


def _same(one: Any, other: Any) -> bool:
    if issparse(one) and issparse(other):
        return bool(one.shape == other.shape and (one != other).nnz == 0)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return bool(np.array_equal(one, other))
    return bool(type(one) is type(other) and one == other)


def _shown(value: Any) -> str:
    if issparse(value):
        return f"<sparse {_size(value.shape)}, {value.nnz} entries>"
    if isinstance(value, np.ndarray):
        if value.ndim == 1 and len(value) <= FEW:
            return "[" + ", ".join(_shown(entry) for entry in value.tolist()) + "]"
        return f"<{_size(value.shape)}>"
    if isinstance(value, tuple) and len(value) > FEW:
        return f"<{len(value)} entries>"
    if isinstance(value, Result):
        return f"{type(value).__name__}(…)"
    return f"{value:.4g}" if isinstance(value, float) else repr(value)


def _size(shape: tuple[int, ...]) -> str:
    return " × ".join(map(str, shape))
