"""Probes: what can truly be said of a wrong answer that nothing else explains.

A *law* tells how the right answer responds to a change of the inputs: it stays, doubles, moves along with the rows.
Laws are found by running the reference when a key is made; a wrong function is then called on changed inputs, and if
it breaks a law the student is told which ("double X and your result doubles; it should grow fourfold"). A *property*
is what the right answer always has (symmetric, adds up to one); a wrong one that lacks it is told so. Both are facts,
never guesses.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.judging.sameness import Sameness

Array = NDArray[np.float64]
Inputs = Mapping[str, Any]
CLOSE = 1e-5
UNIT = 1e6
ROUGH = 1e-4


def _turn(size: int) -> Array:
    """A rotation that nobody's data follow, the same at every call."""
    if size == 1:
        return -np.eye(1)
    turned: Array = np.linalg.qr(np.cos(np.arange(1.0, size * size + 1)).reshape(size, size))[0]
    return turned


# What is done to one argument: for tables and for lists. The words complete "if …".
TABLE_CHANGES: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "scale": ("{what} is doubled", lambda A: 2 * A),
    "shift": (
        "every row of {what} is moved by the same vector",
        lambda A: A + 7.0 * np.arange(1, A.shape[1] + 1),
    ),
    "permute rows": ("the rows of {what} come in another order", lambda A: A[::-1]),
    "permute columns": ("the columns of {what} come in another order", lambda A: A[:, ::-1]),
    "repeat rows": ("every row of {what} is listed twice", lambda A: np.vstack([A, A])),
    "rotate": ("the rows of {what} are rotated", lambda A: A @ _turn(A.shape[1])),
    "transpose": ("{what} is transposed", lambda A: A.T),
    "negate": ("{what} changes its sign", lambda A: -A),
    "units": (
        "the columns of {what} are measured in other units",
        lambda A: A * np.arange(1, A.shape[1] + 1),
    ),
    "zero column": (
        "{what} gets one more column, of zeros",
        lambda A: np.column_stack([A, np.zeros(len(A))]),
    ),
    "small unit": ("{what} is a million times as large", lambda A: UNIT * A),
    "large unit": ("{what} is a million times as small", lambda A: A / UNIT),
}
LIST_CHANGES: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "scale": ("{what} is doubled", lambda A: 2 * A),
    "shift": ("the same number is added to all entries of {what}", lambda A: A + 7.0),
    "permute rows": ("the entries of {what} come in another order", lambda A: A[::-1]),
    "repeat rows": ("every entry of {what} is listed twice", lambda A: np.concatenate([A, A])),
    "negate": ("{what} changes its sign", lambda A: -A),
}

LAWS: dict[
    str, tuple[str, Callable[[str, Array], Array]]
] = {  # how an answer may respond, and what it becomes
    "stays": ("should stay as it is", lambda change, r: r),
    "doubles": ("should double", lambda change, r: 2 * r),
    "grows fourfold": ("should grow fourfold", lambda change, r: 4 * r),
    "halves": ("should halve", lambda change, r: r / 2),
    "falls to a quarter": ("should fall to a quarter", lambda change, r: r / 4),
    "grows by the root of 2": ("should grow by the factor √2", lambda change, r: r * 2**0.5),
    "grows by eight": ("should grow by the factor 8", lambda change, r: 8 * r),
    "grows by sixteen": ("should grow by the factor 16", lambda change, r: 16 * r),
    "scales along": ("should change by the same factor", lambda change, r: r * _unit(change)),
    "changes its sign": ("should change its sign", lambda change, r: -r),
    "moves along": ("should come in the same new order", lambda change, r: _moved(change, r)),
    "moves its rows": ("should have its rows in the new order", lambda change, r: _table(r)[::-1]),
    "moves on both sides": (
        "should have its rows and columns in the new order",
        lambda change, r: _table(r)[::-1, ::-1],
    ),
    "repeats": ("should repeat too", lambda change, r: np.concatenate([_listed(r), r])),
    "turns along": ("should turn along", lambda change, r: _table(r) @ _turn(r.shape[1])),
    "turns on both sides": (
        "should turn along on both sides",
        lambda change, r: _turn(len(_table(r))).T @ r @ _turn(r.shape[1]),
    ),
    "turns as axes do": ("should turn as the axes do", lambda change, r: _turn(len(_listed(r))).T @ r),
    "is transposed": ("should be transposed too", lambda change, r: _table(r).T),
    "shifts along": (
        "should move by the same vector",
        lambda change, r: _table(r) + 7.0 * np.arange(1, r.shape[1] + 1),
    ),
    "gains a zero row and column": (
        "should get a row and a column of zeros",
        lambda change, r: np.pad(_table(r), (0, 1)),
    ),
    "gains a zero column": (
        "should get a column of zeros",
        lambda change, r: np.pad(_table(r), ((0, 0), (0, 1))),
    ),
    "gains a zero": ("should get one more entry, zero", lambda change, r: np.pad(_listed(r), (0, 1))),
}
POWERS = (
    "doubles",
    "grows fourfold",
    "halves",
    "falls to a quarter",
    "grows by the root of 2",
    "grows by eight",
    "grows by sixteen",
)
ZEROS = ("gains a zero row and column", "gains a zero column", "gains a zero")
POSSIBLE = {  # which laws could hold under which change; "stays" is always tried first
    "scale": POWERS,
    "negate": ("changes its sign",),
    "permute rows": ("moves along", "moves on both sides"),
    "permute columns": ("moves along", "moves its rows", "moves on both sides"),
    "repeat rows": ("doubles", "repeats", "grows by the root of 2", "halves"),
    "rotate": ("turns along", "turns on both sides", "turns as axes do"),
    "transpose": ("is transposed",),
    "shift": ("shifts along",),
    "zero column": ZEROS,
    "small unit": ("scales along",),
    "large unit": ("scales along",),
}


class _UnfitError(ValueError):
    pass


def _unit(change: str) -> float:
    return UNIT if change == "small unit" else 1 / UNIT


def _table(r: Array) -> Array:
    if r.ndim != 2:
        raise _UnfitError
    return r


def _listed(r: Array) -> Array:
    if r.ndim == 0:
        raise _UnfitError
    return r


def _moved(change: str, r: Array) -> Array:
    if change == "permute columns" and r.ndim == 2:
        return r[:, ::-1]
    return _listed(r)[::-1]


def changes(inputs: Inputs) -> Iterator[tuple[str, str]]:
    """Every change that fits the inputs, with the argument that is changed."""
    for name, value in inputs.items():
        if isinstance(value, np.ndarray) and value.ndim in (1, 2) and value.size:
            for change in TABLE_CHANGES if value.ndim == 2 else LIST_CHANGES:
                yield change, name


def changed(inputs: Inputs, change: str, argument: str) -> dict[str, Any]:
    """The inputs after a change of one argument."""
    value = np.asarray(inputs[argument], dtype=float)
    table = TABLE_CHANGES if value.ndim == 2 else LIST_CHANGES
    # in the usual order in memory: some library functions take no other
    return {**inputs, argument: np.ascontiguousarray(table[change][1](value))}


def possible_laws(change: str) -> tuple[str, ...]:
    """The laws that an answer may obey under a change, the plainest first."""
    return ("stays", *POSSIBLE.get(change, ()))


def obeys(law: str, change: str, before: Array, after: Array, same: Sameness) -> bool:
    """Does an answer respond to the change by the law, up to what the sameness forgives?"""
    try:
        want = np.asarray(LAWS[law][1](change, before), dtype=float)
        if want.shape != after.shape:
            return False
        if np.allclose(
            want, after, rtol=CLOSE, atol=0
        ):  # whatever it is: vectors that are no basis have no quantity
            return True
        if same.axes in (None, want.ndim):
            want, after = same.quantity(want), same.quantity(after)
    except (ValueError, IndexError, np.linalg.LinAlgError):
        return False
    size = float(np.linalg.norm(want)) or 1.0
    return bool(np.isfinite(size)) and bool(np.linalg.norm(after - want) <= CLOSE * size)


def broken_law(law: str, change: str, argument: str, did: str | None) -> str:
    """The sentence for a law that an answer breaks; `did` is the law that it obeys instead, if any."""
    what = TABLE_CHANGES.get(change) or LIST_CHANGES[change]
    done = what[0].replace("{what}", argument)
    should = LAWS[law][0]
    if did == "stays":
        return f"A test of it: if {done}, {{it}} {should}; yours does not change."
    instead = f"; yours {_does(did)}" if did else "; yours does not"
    return f"A test of it: if {done}, {{it}} {should}{instead}."


def _does(law: str) -> str:
    """A law as something that was seen."""
    return LAWS[law][0].replace("should stay", "stays").replace("should ", "would ")


def _holds(test: Callable[[Array], Any]) -> Callable[[Array], bool]:
    def safe(r: Array) -> bool:
        try:
            with np.errstate(all="ignore"):
                return bool(np.isfinite(r).all()) and bool(test(r))
        except (ValueError, IndexError, np.linalg.LinAlgError):
            return False

    return safe


def _is_square(r: Array) -> bool:
    return r.ndim == 2 and r.shape[0] == r.shape[1] > 1


def _scale(r: Array) -> float:
    return ROUGH * float(np.abs(r).max(initial=0.0))


PROPERTIES: dict[str, tuple[str, Callable[[Array], bool]]] = {
    "symmetric": (
        "should be symmetric",
        _holds(lambda r: _is_square(r) and np.abs(r - r.T).max() <= _scale(r)),
    ),
    "not negative": (
        "has no negative entry on such data",
        _holds(lambda r: r.size > 0 and r.min() >= -_scale(r)),
    ),
    "at most one": (
        "has no entry above one on such data",
        _holds(lambda r: r.size > 0 and r.max() <= 1 + ROUGH),
    ),
    "whole": (
        "should be whole",
        _holds(lambda r: r.size > 0 and np.allclose(r, np.rint(r), atol=ROUGH)),
    ),
    "adds up to one": (
        "should add up to one",
        _holds(lambda r: r.ndim == 1 and r.size > 1 and abs(r.sum() - 1) <= ROUGH),
    ),
    "columns of length one": (
        "should have columns of length one",
        _holds(lambda r: r.ndim == 2 and np.allclose(np.linalg.norm(r, axis=0), 1, atol=ROUGH)),
    ),
    "orthogonal columns": (
        "should have columns at right angles",
        _holds(
            lambda r: (
                r.ndim == 2
                and r.shape[1] > 1
                and np.abs(r.T @ r - np.diag(np.diag(r.T @ r))).max() <= _scale(r.T @ r)
            )
        ),
    ),
    "columns of mean zero": (
        "should have columns of mean zero",
        _holds(lambda r: r.ndim == 2 and len(r) > 1 and np.abs(r.mean(axis=0)).max() <= _scale(r)),
    ),
    "length one": (
        "should have length one",
        _holds(lambda r: r.ndim == 1 and r.size > 1 and abs(np.linalg.norm(r) - 1) <= ROUGH),
    ),
    "descending": (
        "should fall from its first entry to its last",
        _holds(lambda r: r.ndim == 1 and r.size > 1 and bool(np.all(np.diff(r) <= _scale(r)))),
    ),
    "its own square": (
        "multiplied by itself should give itself",
        _holds(lambda r: _is_square(r) and np.abs(r @ r - r).max() <= _scale(r)),
    ),
    "never a negative square": (
        "should give no vector a negative square: vᵀ(it)v is never below zero",
        _holds(lambda r: _is_square(r) and np.linalg.eigvalsh((r + r.T) / 2).min() >= -_scale(r)),
    ),
}
