"""Show answers with structure as aligned text, for the failing case of a verdict."""

import itertools
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.answers.tables import DataTable, zip_columns
from autograder.judging.structures.kinds import Kind, key_place
from autograder.judging.structures.leaves import count_leaves, describe_type

MAX_ROWS = 12
MAX_SHOWN_WIDTH = 80
MAX_COLUMNS = 8
MAX_CELL_CHARACTERS = 24
MAX_SHOWN_ITEMS = 12
MAX_INNER_LEAVES = 48  # of a container in a container that is shown whole; nested ones would fill pages
WRONG_MARK = "   ← not right"
FormatValue = Callable[[Any], str]


def format_structure(
    value: object, format_value: FormatValue, kind: Kind | None = None, wrong: Collection[str] = ()
) -> str | None:
    """Return a text for a table, a dict, a set or a list of texts; None for other values.

    Rows and keys that are `wrong` are marked.
    """
    if isinstance(value, DataTable):
        return _table(value.as_dict(), wrong)
    if isinstance(value, dict) and value:
        if _is_table(value, kind):
            return _table(value, wrong)
        return _mapping(value, format_value, kind, wrong)
    if isinstance(value, frozenset):
        return _wrapped("{" + _items(sorted(map(cell, value)), str) + "}")
    if isinstance(value, list | tuple) and _holds_text(value):
        left, right = "[]" if isinstance(value, list) else "()"
        return _wrapped(left + _items(value, _nested) + right)
    return None


def _wrapped(text: str) -> str:
    return textwrap.fill(text, MAX_SHOWN_WIDTH, subsequent_indent=" ", break_on_hyphens=False)


def _holds_text(value: Any) -> bool:
    return any(
        isinstance(item, str) or (isinstance(item, list | tuple) and _holds_text(item)) for item in value
    )


def _nested(value: object) -> str:
    if isinstance(value, list | tuple):
        return _summary(value) or f"({_items(value, _nested)})"
    return cell(value, quoted=True)


def _summary(value: Any) -> str:
    """Return a few words for a large container inside another; empty for a small one, and for arrays."""
    is_container = isinstance(value, dict | list | tuple | frozenset | DataTable)
    is_large = is_container and count_leaves(value, MAX_INNER_LEAVES) > MAX_INNER_LEAVES
    return f"{describe_type(value)} of more than {MAX_INNER_LEAVES} entries" if is_large else ""


def _are_columns(value: Mapping[Any, Any]) -> bool:
    columns = list(value.values())
    return all(
        isinstance(item, list) or (isinstance(item, np.ndarray) and item.ndim) for item in columns
    ) and (len({len(item) for item in columns}) == 1)


def labelled_numbers(value: object) -> dict[str, float]:
    """Return the numbers of a dict by key, or those of a table's last column of numbers by its first texts."""
    columns = value.as_dict() if isinstance(value, DataTable) else value
    if not isinstance(columns, dict) or not columns:
        return {}
    if not _are_columns(columns):
        return {cell(name): float(item) for name, item in columns.items() if isinstance(item, int | float)}
    return _labelled_column([list(column) for column in columns.values()])


def _labelled_column(columns: list[list[Any]]) -> dict[str, float]:
    texts = next((column for column in columns if all(isinstance(entry, str) for entry in column)), None)
    numbers = [column for column in columns if column is not texts and not _holds_string(column)]
    if not numbers:
        return {}
    labels = map(cell, texts) if texts else map(str, range(1, len(columns[0]) + 1))
    return dict(zip(labels, map(float, numbers[-1]), strict=True))


def _holds_string(column: Iterable[object]) -> bool:
    return any(isinstance(entry, str) for entry in column)


def cell(value: object, quoted: bool = False) -> str:
    """Return one entry as a short text."""
    if isinstance(value, str):
        text = repr(value) if quoted else value
    elif isinstance(value, tuple):
        text = f"({', '.join(map(cell, value))})"
    elif isinstance(value, float | np.floating):
        text = "missing" if np.isnan(value) else f"{value:.6g}"
    else:
        text = "missing" if value is None else str(value)
    return text if len(text) <= MAX_CELL_CHARACTERS else text[: MAX_CELL_CHARACTERS - 1] + "…"


def _items(values: Sequence[Any], format_item: FormatValue) -> str:
    more = f", … ({len(values)} in all)" if len(values) > MAX_SHOWN_ITEMS else ""
    return ", ".join(map(format_item, values[:MAX_SHOWN_ITEMS])) + more


def _mapping(
    value: Mapping[Any, object], format_value: FormatValue, kind: Kind | None, wrong: Collection[str]
) -> str:
    items = list(itertools.islice(value.items(), MAX_ROWS))
    names = [cell(name, quoted=True) for name, _ in items]
    width = max(map(len, names))
    lines = []
    for (key, item), name in zip(items, names, strict=True):
        mark = WRONG_MARK if kind and key_place(key, kind) in wrong else ""
        shown = cell(item, quoted=True) if isinstance(item, str) else _summary(item) or format_value(item)
        lines.append(f"{name:<{width}}  {shown}".replace("\n", "\n" + " " * (width + 2)) + mark)
    return "\n".join(lines + ([f"… ({len(value)} keys in all)"] if len(value) > MAX_ROWS else []))


def _is_table(columns: dict[Any, Any], kind: Kind | None) -> bool:
    return _are_columns(columns) and (kind is None or kind.word == "table")


def _table(columns: Mapping[Any, Any], wrong: Collection[str] = ()) -> str:
    """Return a table with aligned columns; numbers stand to the right."""
    names = list(columns)[:MAX_COLUMNS]
    lists = [columns[name] for name in names]
    rows = [list(map(cell, row)) for row in zip_columns([column[:MAX_ROWS] for column in lists])]
    lines = _aligned([list(map(cell, names)), *rows], list(map(_holds_string, lists)))
    shown = [line + WRONG_MARK * (f"row {place}" in wrong) for place, line in enumerate(lines)]
    number = len(lists[0]) if lists else 0
    if number > MAX_ROWS or len(columns) > MAX_COLUMNS:
        shown.append(f"… ({number} rows, {len(columns)} columns in all)")
    return "\n".join(shown)


def _aligned(lines: list[list[str]], are_texts: list[bool]) -> list[str]:
    """Join the cells of each line; columns of texts are aligned to the left, others to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    signs = ["<" if is_text else ">" for is_text in are_texts]
    formats = [f"{sign}{width}" for sign, width in zip(signs, widths, strict=True)]
    return ["  ".join(map(format, line, formats)).rstrip() for line in lines]
