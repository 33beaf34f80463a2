"""A file becomes a table of named columns: numbers, or text."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from dimred_ref._arrays import Array
from dimred_ref.clinic.dialect import Row, require_rectangle, split_rows
from dimred_ref.clinic.numbers import is_missing, parse, uses_decimal_comma
from dimred_ref.clinic.text import UnreadableTableError, decode

MAX_COLUMNS = 1000
MIN_ROWS = 4  # fewer points have no neighbours to rank
MAX_GROUPS = 12  # different words in a column of groups
MIN_NUMBER_SHARE = 0.8  # of the entries of a column of numbers with a few words in it
HEADERS = ("auto", "yes", "no")


@dataclass(frozen=True)
class Column:
    """A named column. `numbers` is None for text; missing numbers are NaN."""

    name: str
    fields: tuple[str, ...] = field(repr=False)
    numbers: Array | None
    note: str = ""

    @property
    def n_missing(self) -> int:
        """Return the number of missing entries."""
        return sum(map(is_missing, self.fields))

    @property
    def is_counter(self) -> bool:
        """Return whether the column numbers the rows, 1, 2, 3, …: an identifier, not a measurement."""
        return self.numbers is not None and bool(np.all(np.diff(self.numbers) == 1))

    @property
    def is_grouping(self) -> bool:
        """Return whether the column divides the rows into a few groups, which can be shown as colours."""
        return 2 <= len(set(self.fields)) <= MAX_GROUPS and len(set(self.fields)) < len(self.fields) / 2


@dataclass(frozen=True)
class Table:
    """Columns of equal length, the names of the rows, and notes on how the file was read."""

    columns: tuple[Column, ...]
    row_names: tuple[str, ...]
    notes: tuple[str, ...]

    def column(self, name: str) -> Column:
        """Return the column of a name."""
        for column in self.columns:
            if column.name == name:
                return column
        raise UnreadableTableError(f"the table has no column {name!r}")

    def matrix(self, names: Sequence[str]) -> Array:
        """Return the numbers of some columns side by side; missing entries are NaN."""
        columns = [self.column(name) for name in names]
        for column in columns:
            if column.numbers is None:
                raise UnreadableTableError(f"column {column.name!r} holds text: leave it out")
        return np.column_stack([column.numbers for column in columns if column.numbers is not None])


def read_table(content: bytes, *, header: str = "auto") -> Table:
    """Read a file of separated values.

    Separator, decimal sign, encoding, header and row names are recognised; `header` may be "yes" or "no" instead. What
    cannot be read raises UnreadableTableError with one line.
    """
    if header not in HEADERS:
        raise UnreadableTableError(f"header must be one of {', '.join(HEADERS)}, got {header!r}")
    text, notes = decode(content)
    rows, separator, more = split_rows(text)
    rows, is_shifted = require_rectangle(rows)
    has_comma = separator != "," and uses_decimal_comma(chain.from_iterable(row.fields for row in rows))
    notes += [*more, *["decimal comma"] * has_comma]
    is_header = header == "yes" or (header == "auto" and _has_header(rows, has_comma))
    names, body, note = _split_header(rows, has_header=is_shifted or is_header)
    notes.append(note)
    if len(body) < MIN_ROWS:
        raise UnreadableTableError(
            f"the table has {len(body)} rows of data: the clinic needs at least {MIN_ROWS}"
        )
    columns = _columns(names, body, has_comma)
    has_row_names = _is_row_names(columns[0], unnamed=len(body) < len(rows) and not rows[0].fields[0])
    notes += [f"row names from column {columns[0].name!r}"] * has_row_names
    row_names = columns[0].fields if has_row_names else tuple(map(str, range(1, len(body) + 1)))
    filled, more = _without_empty(columns[has_row_names:])
    return Table(_require_columns(filled), row_names, (*notes, *more))


def _split_header(rows: list[Row], *, has_header: bool) -> tuple[list[str], list[Row], str]:
    """Return the names of the columns, the rows of data, and a note."""
    if has_header:
        return _column_names(rows[0].fields), rows[1:], "first line is the header"
    return _column_names(("",) * len(rows[0].fields)), rows, "no header: columns are numbered"


def _without_empty(columns: Sequence[Column]) -> tuple[tuple[Column, ...], list[str]]:
    filled = tuple(column for column in columns if not _is_empty(column))
    n_empty = len(columns) - len(filled)
    return filled, [f"{n_empty} empty columns left out"] * (n_empty > 0)


def _require_columns(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    numeric = [column for column in columns if column.numbers is not None]
    if len(numeric) > MAX_COLUMNS:
        raise UnreadableTableError(
            f"the table has {len(numeric)} columns of numbers, and the clinic takes {MAX_COLUMNS}: "
            "keep the most interesting ones (or is the table transposed?)"
        )
    if not numeric:
        raise UnreadableTableError("the table has no column of numbers")
    if len(numeric) == 1:
        raise UnreadableTableError(
            f"the table has one column of numbers, {numeric[0].name!r}: there is nothing to reduce below two"
        )
    return columns


def _has_header(rows: list[Row], has_comma: bool) -> bool:
    """Return whether the first line differs in kind from those below: words above numbers."""
    first, body = rows[0].fields, rows[1 : 1 + 200]
    if not body:
        return False
    for place, name in enumerate(first):
        if is_missing(name) or parse(name, has_decimal_comma=has_comma) is not None:
            continue
        below = [parse(row.fields[place], has_decimal_comma=has_comma) for row in body]
        if sum(value is not None for value in below) >= MIN_NUMBER_SHARE * len(below):
            return True
    return False


def _column_names(fields: Sequence[str]) -> list[str]:
    """Return distinct names: unnamed columns are numbered, repeated names get a number."""
    names: list[str] = []
    for place, written in enumerate(fields):
        name, number = written or f"column {place + 1}", 2
        base = name
        while name in names:
            name, number = f"{base} ({number})", number + 1
        names.append(name)
    return names


def _columns(names: list[str], rows: list[Row], has_comma: bool) -> list[Column]:
    return [
        _column(name, tuple(row.fields[place] for row in rows), rows, has_comma)
        for place, name in enumerate(names)
    ]


def _column(name: str, fields: tuple[str, ...], rows: list[Row], has_comma: bool) -> Column:
    values = [parse(cell, has_decimal_comma=has_comma) for cell in fields]
    words = [place for place, value in enumerate(values) if value is None]
    if not words:
        return Column(name, fields, np.array(values, dtype=float))
    n_filled = sum(not is_missing(cell) for cell in fields)
    note = ""
    if len(words) <= (1 - MIN_NUMBER_SHARE) * n_filled:
        first = words[0]
        note = (
            f"{len(words)} of {n_filled} entries are no numbers (line {rows[first].line}: {fields[first]!r}): "
            "the column counts as text until they are mended"
        )
    return Column(name, fields, None, note)


def _is_row_names(column: Column, *, unnamed: bool) -> bool:
    """Return whether a first column names the rows: unique words, or an unnamed column of unique entries."""
    is_unique = max(Counter(column.fields).values()) == 1
    return is_unique and (unnamed or (column.numbers is None and not column.note))


def _is_empty(column: Column) -> bool:
    return column.n_missing == len(column.fields)
