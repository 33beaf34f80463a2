"""Tables: named columns as plain data, read from frames of pandas and polars and turned back into them.

Neither library is imported to read a table: a frame is recognised by the module of its type. A function that takes a
table drawn with pandas or polars gets a frame of that library again.
"""

import importlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

LIBRARIES = ("pandas", "polars")
MISSING_TYPES = ("NAType", "NaTType", "NoneType")


@dataclass(frozen=True, eq=False)
class DataTable:
    """Named columns of equal length.

    A column is an array of numbers or truth values, or a list. The first `labels` columns are the named row labels of
    pandas. `is_column` says that it is a single column, a series. `library` is the library of the frame, or empty.
    """

    names: tuple[str, ...]
    columns: tuple[Any, ...]
    labels: int = 0
    is_column: bool = False
    library: str = ""

    def __post_init__(self) -> None:
        """Refuse columns of different lengths, repeated names and a series without its column."""
        if len(self.names) != len(self.columns) or not 0 <= self.labels <= len(self.columns):
            raise ValueError("a table needs a name for each column")
        if self.is_column and len(self.columns) != self.labels + 1:
            raise ValueError("a series needs one column beside its row labels")
        if len({len(column) for column in self.columns}) > 1:
            raise ValueError("the columns of a table have different lengths")
        if len(set(self.names)) < len(self.names):
            raise ValueError("two columns of a table have the same name")
        if self.library not in ("", *LIBRARIES):
            raise ValueError(f"there are no tables of {self.library[:20]!r}")

    @property
    def settings(self) -> dict[str, Any]:
        """Return everything but names and columns."""
        return {"labels": self.labels, "is_column": self.is_column, "library": self.library}

    @property
    def is_plain_column(self) -> bool:
        """Return whether it is a series without labels of its own, which is like an array."""
        return self.is_column and not self.labels

    def with_columns(self, names: tuple[str, ...], columns: tuple[object, ...]) -> "DataTable":
        """Return a table with other columns."""
        return replace(self, names=names, columns=columns)

    def as_dict(self) -> dict[str, Any]:
        """Return all columns by name, row labels included."""
        return dict(zip(self.names, self.columns, strict=True))

    def __array__(self, dtype: Any = None, copy: Any = None) -> object:
        """Return the numbers without row labels; raise ValueError for text."""
        columns = [np.asarray(column, dtype=np.float64) for column in self.columns[self.labels :]]
        array = columns[0] if self.is_column else np.column_stack(columns) if columns else np.zeros((0, 0))
        return array if dtype is None else array.astype(dtype)


def is_frame(value: object) -> bool:
    """Return whether a value is a frame or a series of pandas or polars."""
    kind = type(value)
    return kind.__module__.partition(".")[0] in LIBRARIES and kind.__name__ in ("DataFrame", "Series")


def table_of_frame(value: Any) -> DataTable:
    """Return a frame or a series as a table; its columns are not plain data yet."""
    library = type(value).__module__.partition(".")[0]
    is_column = type(value).__name__ == "Series"
    labels = _row_labels(value) if library == "pandas" else []
    if is_column:
        columns = [(value.name, value)]
    elif library == "pandas":
        columns = list(value.items())
    else:
        columns = [(column.name, column) for column in value.get_columns()]
    pairs = [(_name(name), _entries(column)) for name, column in [*labels, *columns]]
    names = tuple(name for name, _ in pairs)
    return DataTable(names, tuple(column for _, column in pairs), len(labels), is_column, library)


def _row_labels(value: Any) -> list[tuple[object, object]]:
    """Return the row labels of pandas that have a name, and those of a series that do not just count."""
    index = value.index
    names = list(index.names)
    if all(name is not None for name in names):
        return [(name, index.get_level_values(level)) for level, name in enumerate(names)]
    is_count = type(index).__name__ == "RangeIndex"
    is_series = type(value).__name__ == "Series"
    return [("index", index)] if is_series and len(names) == 1 and not is_count else []


def _name(name: object) -> str:
    return "" if name is None else str(name)


def _entries(column: Any) -> Any:
    """Return a column as an array of numbers, or as a list in which None stands for what is missing."""
    array = np.asarray(column.to_numpy())
    if array.dtype.kind in "biuf":
        return array
    return [None if _is_missing(entry) else entry for entry in array.tolist()]


def _is_missing(entry: object) -> bool:
    return type(entry).__name__ in MISSING_TYPES or (isinstance(entry, float) and np.isnan(entry))


def frame_of_table(table: DataTable) -> object:
    """Return a table as an object of its library, or as a dict of columns without one."""
    if not table.library:
        return table.as_dict()
    library = importlib.import_module(table.library)
    columns = {name: _library_column(column) for name, column in table.as_dict().items()}
    frame = library.DataFrame(columns)
    if table.library == "pandas" and table.labels:
        frame = frame.set_index(list(table.names[: table.labels]))
    return frame[table.names[-1]] if table.is_column else frame


def _library_column(column: Any) -> object:
    return column.copy() if isinstance(column, np.ndarray) else list(column)


def zip_columns(columns: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of columns of equal length."""
    lists = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns]
    return list(itertools.zip_longest(*lists))
