"""Fill the numbers of a variant into the text of an exercise.

`{{ task.input }}` becomes LaTeX in prose (use it inside `$…$`) and a Python literal in code. Texts, dicts, sets and
tables become Markdown in prose. `{{ task.answer }}` is the
reference answer, for solution regions only.
"""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.answers.tables import DataTable, zip_columns
from autograder.errors import PlaceholderError

PLACEHOLDER = re.compile(r"\{\{\s*(?P<task>\w+)\.(?P<input>\w+)\s*\}\}")


def filled(text: str, numbers: Mapping[str, Mapping[str, object]], *, as_code: bool) -> str:
    """Replace every placeholder in a text.

    `numbers` maps task → input → value.
    """

    def number(match: re.Match[str]) -> str:
        task, name = match["task"], match["input"]
        if task not in numbers:
            raise PlaceholderError(f"{match[0]} names no task; the tasks are {', '.join(numbers)}")
        if name not in numbers[task]:
            raise PlaceholderError(
                f"{match[0]} has no number; task {task} has {', '.join(numbers[task]) or 'none'}"
            )
        value = numbers[task][name]
        if as_code:
            return python(value)
        text = markdown(value)
        return latex(value) if text is None else text

    return PLACEHOLDER.sub(number, text)


def python(value: object) -> str:
    """Format a value as a Python literal."""
    if isinstance(value, np.ndarray):
        return f"np.array({python(value.tolist())})"
    if isinstance(value, np.generic):
        return python(value.item())
    if isinstance(value, DataTable):
        return _python_dict(value.as_dict())
    if isinstance(value, dict):
        return _python_dict(value)
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(python, value)))}}}" if value else "set()"
    if isinstance(value, list | tuple):
        inner = ", ".join(map(python, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner},)"
    return _python_number(value)


def _python_number(value: object) -> str:
    """Format any other value; a float that is whole is written without its point."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def _python_dict(value: Mapping[Any, object]) -> str:
    return f"{{{', '.join(f'{python(name)}: {python(item)}' for name, item in value.items())}}}"


def markdown(value: object) -> str | None:
    """Format a text, a dict, a set, a list of texts or a table in Markdown; None for what LaTeX shows."""
    if isinstance(value, str | bool):
        return str(value)
    if isinstance(value, DataTable):
        return _markdown_table(value.as_dict())
    if isinstance(value, dict):
        return _markdown_dict(value)
    if isinstance(value, set | frozenset):
        return ", ".join(sorted(map(_plain, value)))
    if isinstance(value, list | tuple) and any(isinstance(item, str | list | tuple) for item in value):
        return ", ".join(map(_plain, value))
    return None


def _is_column(value: object) -> bool:
    return isinstance(value, list | np.ndarray)


def _plain(value: object) -> str:
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_plain, value))})"
    return value if isinstance(value, str) else "" if value is None else python(value)


def _markdown_dict(value: Mapping[Any, object]) -> str:
    """Format a dict of columns as a table, others as a line."""
    if value and all(map(_is_column, value.values())):
        return _markdown_table(value)
    return ", ".join(f"{_plain(name)}: {_plain(item)}" for name, item in value.items())


def _markdown_table(columns: Mapping[Any, object]) -> str:
    """Return a table in Markdown, on lines of its own."""
    rows = zip_columns(list(columns.values()))
    lines = [map(_plain, columns), ["---"] * len(columns), *(map(_plain, row) for row in rows)]
    body = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"\n\n{body}\n\n"


def latex(value: object) -> str:
    """Format a number, a vector or a matrix as LaTeX."""
    if isinstance(value, list | tuple):
        value = np.asarray(value)
    if not isinstance(value, np.ndarray):
        return python(value)
    rows = value.reshape(-1, 1) if value.ndim <= 1 else value
    body = r" \\ ".join(" & ".join(python(entry) for entry in row) for row in rows.tolist())
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
