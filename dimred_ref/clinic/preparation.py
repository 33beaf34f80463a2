"""A table becomes a matrix of samples: columns, missing entries, scaling, and the rows that are analysed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dimred_ref._arrays import SQUARABLE, Array
from dimred_ref.clinic.table import Table
from dimred_ref.clinic.text import UnreadableTableError
from dimred_ref.practice import standardised

MAX_ROWS = 5000  # of a table; more are drawn at random
SEED = 0  # of every draw of rows, chosen once and named in the script
MIN_PREPARED_ROWS = 4
SCALINGS = {
    "standardise": "every column to mean 0 and variance 1",
    "centre": "every column to mean 0, in its own unit",
    "log": "logarithms, then mean 0 and variance 1",
}
MISSING_RULES = {
    "drop": "leave out rows with missing entries",
    "mean": "fill in the mean of the column",
    "refuse": "refuse",
}


@dataclass(frozen=True)
class Choices:
    """Answers of the reader. No columns means all measurements that vary; no n_neighbors lets the data choose."""

    columns: tuple[str, ...] = ()
    scaling: str = "standardise"
    missing: str = "drop"
    n_neighbors: int | None = None
    header: str = "auto"


@dataclass(frozen=True)
class Prepared:
    """Samples that every method can take."""

    X: Array  # (N, D), scaled
    raw: Array  # (N, D), before scaling
    rows: NDArray[np.intp]  # (N,), places in the table
    names: tuple[str, ...]  # of the columns
    row_names: tuple[str, ...]
    notes: tuple[str, ...]
    choices: Choices


def prepare(table: Table, choices: Choices) -> Prepared:
    """Return the matrix for some choices, or raise UnreadableTableError with one line."""
    _require_known(choices)
    names, notes = _varying(table, choices.columns)
    whole = table.matrix(names)
    rows = _sampled(len(whole))
    if len(rows) < len(whole):
        notes.append(f"{len(rows)} of {len(whole)} rows drawn at random (seed {SEED})")
    raw, kept, note = _without_missing(whole[rows], names, choices.missing)
    notes += note
    rows = rows[kept]
    is_constant = np.ptp(raw, axis=0) == 0  # it may have varied in rows that were left out only
    if is_constant.any():
        notes.append(f"constant after that: {', '.join(np.array(names)[is_constant])}")
        raw, names = (
            raw[:, ~is_constant],
            [name for name, off in zip(names, is_constant, strict=True) if not off],
        )
    if raw.shape[1] < 2:
        raise UnreadableTableError(f"{raw.shape[1]} columns that vary are left: the clinic needs at least 2")
    _require_size(raw, names)
    X = _scaled(raw, names, choices.scaling)
    row_names = tuple(table.row_names[i] for i in rows)
    return Prepared(X, raw, rows, tuple(names), row_names, tuple(notes), choices)


def _require_size(raw: Array, names: Sequence[str]) -> None:
    """Refuse columns whose squares are not numbers, by name."""
    for name, largest in zip(names, np.abs(raw).max(axis=0), strict=True):
        if not SQUARABLE[0] <= largest <= SQUARABLE[1]:
            size = "too large for a number" if np.isinf(largest) else f"up to {largest:.3g} in size"
            raise UnreadableTableError(
                f"column {name!r} has entries {size}: choose another unit, or leave it out"
            )


def _require_known(choices: Choices) -> None:
    for name, value, known in (
        ("scaling", choices.scaling, SCALINGS),
        ("missing", choices.missing, MISSING_RULES),
    ):
        if value not in known:
            raise UnreadableTableError(f"{name} must be one of {', '.join(known)}, got {value!r}")


def _varying(table: Table, chosen: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Return the names of the chosen columns that vary, and a note on the others."""
    names, notes = (chosen, []) if chosen else _without_counters(table)
    numbers = table.matrix(names)
    with np.errstate(invalid="ignore"):
        spread = np.nanmax(numbers, axis=0, initial=-np.inf) - np.nanmin(numbers, axis=0, initial=np.inf)
    varying = [name for name, width in zip(names, spread, strict=True) if width > 0]
    constant = [name for name in names if name not in varying]
    if len(varying) < 2:
        verb = "varies" if len(varying) == 1 else "vary"
        raise UnreadableTableError(f"of the chosen columns {len(varying)} {verb}: choose at least 2")
    return varying, notes + ([f"constant and left out: {_listed(constant)}"] if constant else [])


def _without_counters(table: Table) -> tuple[tuple[str, ...], list[str]]:
    """Return the names of the columns of numbers that do not count the rows, and a note on the others."""
    measured = [column for column in table.columns if column.numbers is not None]
    names = tuple(column.name for column in measured if not column.is_counter)
    counters = [column.name for column in measured if column.is_counter]
    if not counters:
        return names, []
    if len(names) < 2:
        raise UnreadableTableError(
            f"only {_listed(names)} is left beside {_listed(counters)}, which counts the rows"
        )
    return names, [f"counts the rows and left out: {_listed(counters)}"]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"


def _sampled(n_rows: int) -> NDArray[np.intp]:
    if n_rows <= MAX_ROWS:
        return np.arange(n_rows)
    return draw_rows(n_rows, MAX_ROWS)


def draw_rows(n_rows: int, size: int, seed: int = SEED) -> NDArray[np.intp]:
    """Return the places of at most `size` rows, drawn without replacement, ascending."""
    if n_rows <= size:
        return np.arange(n_rows)
    return np.sort(np.random.default_rng(seed).choice(n_rows, size, replace=False))


def _without_missing(values: Array, names: list[str], rule: str) -> tuple[Array, NDArray[np.intp], list[str]]:
    """Return values without missing entries, the places of the rows kept, and a note."""
    missing = np.isnan(values)
    affected = np.flatnonzero(missing.any(axis=1))
    everyone = np.arange(len(values))
    if not len(affected):
        return values, everyone, []
    worst = names[int(missing.sum(axis=0).argmax())]
    counts = f"{len(affected)} of {len(values)} rows have missing entries (most in {worst!r})"
    if rule == "refuse":
        raise UnreadableTableError(f"{counts}: leave the rows out, fill in means, or leave out columns")
    if rule == "mean":
        filled = np.where(missing, np.nanmean(values, axis=0), values)
        return filled, everyone, [f"{counts}: filled with means, which shrinks variances"]
    kept = np.flatnonzero(~missing.any(axis=1))
    if len(kept) < max(MIN_PREPARED_ROWS, len(values) / 5):
        raise UnreadableTableError(
            f"{counts}: only {len(kept)} rows would be left. Leave out column {worst!r}, or fill in means"
        )
    return values[kept], kept, [f"{counts}: left out"]


def _scaled(raw: Array, names: list[str], scaling: str) -> Array:
    if scaling == "centre":
        return np.asarray(raw - raw.mean(axis=0))
    if scaling == "log":
        smallest = raw.min(axis=0)
        if smallest.min() <= 0:
            worst = names[int(smallest.argmin())]
            raise UnreadableTableError(
                f"column {worst!r} has the entry {smallest.min():g}, which has no logarithm: choose another scaling"
            )
        raw = np.log(raw)
    return standardised(raw)
