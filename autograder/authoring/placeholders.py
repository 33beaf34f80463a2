"""Fill the numbers of a variant into the text of an exercise.

`{{ task.input }}` becomes LaTeX in prose (use it inside `$…$`) and a Python literal in code. `{{ task.answer }}` is the
reference answer, for solution regions only.
"""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.errors import PlaceholderError

PLACEHOLDER = re.compile(r"\{\{\s*(?P<task>\w+)\.(?P<input>\w+)\s*\}\}")


def filled(text: str, numbers: Mapping[str, Mapping[str, Any]], *, as_code: bool) -> str:
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
        return python(value) if as_code else latex(value)

    return PLACEHOLDER.sub(number, text)


def python(value: Any) -> str:
    """Format a value as a Python literal."""
    if isinstance(value, np.ndarray):
        return f"np.array({python(value.tolist())})"
    if isinstance(value, list | tuple):
        inner = ", ".join(python(item) for item in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner},)"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def latex(value: Any) -> str:
    """Format a number, a vector or a matrix as LaTeX."""
    if isinstance(value, list | tuple):
        value = np.asarray(value)
    if not isinstance(value, np.ndarray):
        return python(value)
    rows = value.reshape(-1, 1) if value.ndim <= 1 else value
    body = r" \\ ".join(" & ".join(python(entry) for entry in row) for row in rows.tolist())
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
