"""Probes: metamorphic relations ("laws") that a wrong function breaks.

A law tells how the right answer responds to a change of the inputs: it stays, doubles, or moves with the rows. When a
key is made, running the reference shows which laws hold. A law must hold for the reference and every other correct
program on every case of the key. A wrong function is then called on changed inputs. If it breaks a law, the student is
told which one ("if X is doubled, your answer should grow fourfold; it would double"). An argument that is one object,
such as a table of distances, is changed as a whole or not at all.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograder.answers.arrays import Array, Inputs
from autograder.answers.tables import DataTable
from autograder.judging.sameness import Sameness

LAW_RTOL = 1e-5
UNIT_FACTOR = 1e6
VISIBLE_CHANGE = 1e-2  # relative
NUDGE = 1e-9  # relative; a stable answer changes as little


def _rotation(size: int) -> Array:
    """Return a fixed rotation with no relation to any data."""
    if size == 1:
        return -np.eye(1)
    rotation: Array = np.linalg.qr(np.cos(np.arange(1.0, size * size + 1)).reshape(size, size))[0]
    return rotation


def _permutation(size: int) -> list[int]:
    """Return a permutation that is no reversal and no cyclic shift.

    Rings and chains may not notice those two. Two entries can only be exchanged.
    """
    return [0, size - 1, *range(1, size - 1)] if size > 2 else [*range(size)][::-1]


# The words for a change of one argument, which complete "if …", and the change: for tables and for lists.
TABLE_CHANGES: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "scale": ("{what} is doubled", lambda A: 2 * A),
    "shift": (
        "every row of {what} is moved by the same vector",
        lambda A: A + 7.0 * np.arange(1, A.shape[1] + 1),
    ),
    "permute rows": ("the rows of {what} come in another order", lambda A: A[_permutation(len(A))]),
    "permute columns": (
        "the columns of {what} come in another order",
        lambda A: A[:, _permutation(A.shape[1])],
    ),
    "permute points": (
        "the points of {what} come in another order (rows and columns alike)",
        lambda A: _require_symmetric(A)[np.ix_(_permutation(len(A)), _permutation(len(A)))],
    ),
    "repeat rows": ("every row of {what} is listed twice", lambda A: np.vstack([A, A])),
    "rotate": ("the rows of {what} are rotated", lambda A: A @ _rotation(A.shape[1])),
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
    "small unit": ("{what} is a million times as large", lambda A: UNIT_FACTOR * A),
    "large unit": ("{what} is a million times as small", lambda A: A / UNIT_FACTOR),
}
LIST_CHANGES: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "scale": ("{what} is doubled", lambda A: 2 * A),
    "shift": ("the same number is added to all entries of {what}", lambda A: A + 7.0),
    "permute rows": ("the entries of {what} come in another order", lambda A: A[_permutation(len(A))]),
    "repeat rows": ("every entry of {what} is listed twice", lambda A: np.concatenate([A, A])),
    "negate": ("{what} changes its sign", lambda A: -A),
}

ROW_CHANGES = ("permute rows", "repeat rows")  # of tables and lists that are no arrays

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
    "scales along": ("should change by the same factor", lambda change, r: r * _unit_factor(change)),
    "changes its sign": ("should change its sign", lambda change, r: -r),
    "moves along": ("should come in the same new order", lambda change, r: _permute(change, r)),
    "moves its rows": (
        "should have its rows in the new order",
        lambda change, r: _require_table(r)[_permutation(len(r))],
    ),
    "moves on both sides": (
        "should have its rows and columns in the new order",
        lambda change, r: _require_table(r)[np.ix_(_permutation(len(r)), _permutation(r.shape[1]))],
    ),
    "repeats": ("should repeat too", lambda change, r: np.concatenate([_require_axis(r), r])),
    "turns along": ("should turn along", lambda change, r: _require_table(r) @ _rotation(r.shape[1])),
    "turns on both sides": (
        "should turn along on both sides",
        lambda change, r: _rotation(len(_require_table(r))).T @ r @ _rotation(r.shape[1]),
    ),
    "turns as axes do": (
        "should turn as the axes do",
        lambda change, r: _rotation(len(_require_axis(r))).T @ r,
    ),
    "is transposed": ("should be transposed too", lambda change, r: _require_table(r).T),
    "shifts along": (
        "should move by the same vector",
        lambda change, r: _require_table(r) + 7.0 * np.arange(1, r.shape[1] + 1),
    ),
    "gains a zero row and column": (
        "should get a row and a column of zeros",
        lambda change, r: np.pad(_require_table(r), (0, 1)),
    ),
    "gains a zero column": (
        "should get a column of zeros",
        lambda change, r: np.pad(_require_table(r), ((0, 0), (0, 1))),
    ),
    "gains a zero": ("should get one more entry, zero", lambda change, r: np.pad(_require_axis(r), (0, 1))),
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
LAWS_BY_CHANGE = {  # which laws could hold under which change; "stays" is always tried first
    "scale": POWERS,
    "negate": ("changes its sign",),
    "permute rows": ("moves along", "moves on both sides"),
    "permute columns": ("moves along", "moves its rows", "moves on both sides"),
    "permute points": ("moves its rows", "moves on both sides"),  # of one column, both hold
    "repeat rows": ("doubles", "repeats", "grows by the root of 2", "halves"),
    "rotate": ("turns along", "turns as axes do", "turns on both sides"),
    "transpose": ("is transposed",),
    "shift": ("shifts along",),
    "zero column": ZEROS,
    "small unit": ("scales along",),
    "large unit": ("scales along",),
}


class _UnfitError(ValueError):
    pass


def _unit_factor(change: str) -> float:
    return UNIT_FACTOR if change == "small unit" else 1 / UNIT_FACTOR


def _require_table(r: Array) -> Array:
    if r.ndim != 2:
        raise _UnfitError
    return r


def _require_axis(r: Array) -> Array:
    if r.ndim == 0:
        raise _UnfitError
    return r


def _permute(change: str, r: Array) -> Array:
    if change == "permute columns" and r.ndim == 2:
        return r[:, _permutation(r.shape[1])]
    return _require_axis(r)[_permutation(len(r))]


def axes_of(value: object) -> int:
    """Return 2 for tables and 1 for lists, of numbers or not."""
    if _is_table(value):
        return 2
    return value.ndim if isinstance(value, np.ndarray) else int(isinstance(value, list))


def _is_table(value: object) -> bool:
    """Return whether a value is a table with named columns."""
    columns = list(value.values()) if isinstance(value, dict) else []
    are_columns = all(isinstance(column, list | np.ndarray) for column in columns)
    return isinstance(value, DataTable) or bool(columns and are_columns and len({*map(len, columns)}) == 1)


def _is_list_of_others(value: object) -> bool:
    """Return whether a value is a list of texts, or of lists with texts among them."""
    return isinstance(value, list) and any(
        isinstance(item, str) or (isinstance(item, list | tuple) and _is_list_of_others([*item]))
        for item in value
    )


def _rearranged(value: Any, change: str) -> object:
    """Return a table or a list with its rows in another order, or listed twice."""
    if isinstance(value, DataTable):
        return value.with_columns(value.names, tuple(_rearranged(column, change) for column in value.columns))
    if isinstance(value, dict):
        return {name: _rearranged(column, change) for name, column in value.items()}
    order = _permutation(len(value)) if change == ROW_CHANGES[0] else [*range(len(value))] * 2
    return value[order] if isinstance(value, np.ndarray) else [value[place] for place in order]


def applicable_changes(inputs: Inputs) -> Iterator[tuple[str, str]]:
    """Yield every change that fits the inputs, with the changed argument."""
    for name, value in inputs.items():
        if isinstance(value, np.ndarray) and value.ndim in (1, 2) and value.size:
            for change in TABLE_CHANGES if value.ndim == 2 else LIST_CHANGES:
                yield change, name
        elif _is_table(value) or _is_list_of_others(value):
            yield from ((change, name) for change in ROW_CHANGES)


def apply_change(inputs: Inputs, change: str, argument: str) -> dict[str, object]:
    """Return the inputs after a change of one argument.

    Raise ValueError if the argument is then no longer the same kind of object.
    """
    if _is_table(inputs[argument]) or _is_list_of_others(inputs[argument]):
        return {**inputs, argument: _rearranged(inputs[argument], change)}
    value = np.asarray(inputs[argument], dtype=float)
    table = TABLE_CHANGES if value.ndim == 2 else LIST_CHANGES
    after = np.asarray(table[change][1](value))
    if not _is_same_kind(value, after):
        raise _UnfitError
    # in C order, because some library functions fail on Fortran order
    return {**inputs, argument: np.ascontiguousarray(after)}


def nudged(inputs: Inputs) -> dict[str, object]:
    """Return the inputs with other last digits, to detect unstable answers."""
    return {
        name: value * (1 + NUDGE) if isinstance(value, np.ndarray) and value.dtype.kind == "f" else value
        for name, value in inputs.items()
    }


def _is_same_kind(before: Array, after: Array) -> bool:
    """Return whether a change keeps symmetry, a zero diagonal and signs.

    A table of distances, a Gram matrix and the weights of a graph are one object each: rows cannot be moved alone.
    """
    if before.ndim != 2 or not _is_symmetric(before):
        return True
    if not _is_symmetric(after):
        return False
    if not np.diag(before).any() and np.diag(after).any():
        return False
    return not any(
        was.min() >= 0 and now.min() < 0 for was, now in ((before, after), (np.diag(before), np.diag(after)))
    )


def _is_symmetric(A: Array) -> bool:
    if A.ndim != 2 or A.shape[0] != A.shape[1] or len(A) < 2:
        return False
    return bool(np.abs(A - A.T).max() <= LAW_RTOL * np.abs(A).max())


def _require_symmetric(A: Array) -> Array:
    if not _is_symmetric(A):
        raise _UnfitError
    return A


def possible_laws(change: str) -> tuple[str, ...]:
    """Return the laws that an answer may obey, plainest first."""
    return ("stays", *LAWS_BY_CHANGE.get(change, ()))


def satisfies_law(law: str, change: str, before: Array, after: Array, same: Sameness) -> bool:
    """Return whether an answer obeys the law, up to the sameness."""
    try:
        want = np.asarray(LAWS[law][1](change, before), dtype=float)
        if want.shape != after.shape:
            return False
        if np.allclose(
            want, after, rtol=LAW_RTOL, atol=0
        ):  # whatever it is: vectors that are no basis have no quantity
            return True
        if same.axes in (None, want.ndim):
            want, after = same.quantity(want), same.quantity(after)
    except (ValueError, IndexError, np.linalg.LinAlgError):
        return False
    size = float(np.linalg.norm(want)) or 1.0
    return bool(np.isfinite(size)) and bool(np.linalg.norm(after - want) <= LAW_RTOL * size)


def may_obey(law: str, change: str, before: Array, after: Array, same: Sameness) -> bool:
    """Return whether an answer obeys a law up to signs or rotation.

    A program may leave these to chance.
    """
    if satisfies_law(law, change, before, after, same):
        return True
    try:
        want = np.asarray(LAWS[law][1](change, before), dtype=float)
    except (ValueError, IndexError):
        return False
    if want.shape != after.shape:
        return False
    views: list[Callable[[Array], Array]] = [np.abs]
    if want.ndim == 2:
        views += [lambda A: A @ A.T, lambda A: A.T @ A]
    return any(_is_close(view(want), view(after)) for view in views)


def is_unstable(before: Array, after: Array, same: Sameness) -> bool:
    """Return whether an answer to nearly the same inputs is visibly another, up to signs and rotation."""
    if before.shape != after.shape or may_obey("stays", "", before, after, same):
        return False
    size = float(np.linalg.norm(before))
    return bool(np.linalg.norm(after - before) > VISIBLE_CHANGE * size)


def _is_close(want: Array, after: Array) -> bool:
    """Return whether two arrays agree and are no multiple of the identity.

    The Gram matrices of all orthogonal matrices agree, so a multiple of the identity proves nothing.
    """
    size = float(np.linalg.norm(want))
    is_identity = (
        want.ndim == 2 and np.linalg.norm(want - want[0, 0] * np.eye(*want.shape)) <= LAW_RTOL * size
    )
    return not is_identity and bool(np.linalg.norm(after - want) <= LAW_RTOL * size)


def broken_law(law: str, change: str, argument: str, observed: str | None, axes: int = 2) -> str:
    """Return the sentence for a law that an answer breaks.

    `observed` is the law that it obeys instead, if any. `axes` is the number of axes of the argument, because entries
    of a list are not called rows.
    """
    what = (TABLE_CHANGES if axes == 2 else LIST_CHANGES)[change]
    done = what[0].replace("{what}", argument)
    should = LAWS[law][0]
    if observed == "stays":
        return f"Test: if {done}, {{it}} {should}; it does not change."
    instead = f"it {_describe_observed(observed)}" if observed else "it does not"
    return f"Test: if {done}, {{it}} {should}; {instead}."


def _describe_observed(law: str) -> str:
    """Describe a law as the observed response."""
    return LAWS[law][0].replace("should stay", "stays").replace("should ", "would ")
