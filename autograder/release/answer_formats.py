"""Formats of one answer: containers and number types that students use.

A correct answer must earn full marks in every format, unless the task asks for an exact form.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from autograder.authoring.task import Task
from autograder.judging.forms import split_parts

Converter = Callable[[np.ndarray[Any, Any]], Any]


def _to_read_only(part: Any) -> Any:
    part = np.array(part)
    part.setflags(write=False)
    return part


def _to_matrix(part: Any) -> Any:
    return np.matrix(part) if part.ndim == 2 else part


def _to_tuples(value: Any) -> Any:
    return tuple(map(_to_tuples, value)) if isinstance(value, list) else value


CONTAINER_CONVERTERS: dict[str, Converter] = {
    "lists": lambda part: part.tolist(),
    "tuples": lambda part: _to_tuples(part.tolist()),
    "single precision": lambda part: part.astype(np.float32),
    "Fortran order": np.asfortranarray,
    "read-only": _to_read_only,
    "objects": lambda part: part.astype(object),
}
SHAPE_CONVERTERS: dict[str, Converter] = {  # unless the task asks for an exact form
    "np.matrix": _to_matrix,
    "one column": lambda part: part.reshape(-1, 1) if part.ndim < 2 else part,
    "one row": lambda part: part.reshape(1, -1) if part.ndim < 2 else part,
}
HAND_CONVERTERS: dict[str, Converter] = {
    "text": lambda part: np.vectorize(repr, otypes=[object])(part).tolist(),
    "fractions": lambda part: np.vectorize(Fraction, otypes=[object])(part).tolist(),
}


def all_formats(task: Task, answer: Any) -> Iterator[tuple[str, Any]]:
    """Yield the answer unchanged and in every format, each with a name."""
    parts = [np.asarray(part, dtype=float) for part in split_parts(answer, len(task.samenesses))]
    yield "as it is", answer
    for name, change in _converters_for(task).items():
        changed = [change(part) for part in parts]
        yield name, (tuple(changed) if len(changed) > 1 else changed[0])
    if len(parts) > 1:
        yield "parts in a list", parts


def _converters_for(task: Task) -> dict[str, Converter]:
    converters = dict(CONTAINER_CONVERTERS)
    if not task.exact_form:
        converters |= SHAPE_CONVERTERS
    return converters | HAND_CONVERTERS if task.kind == "hand" else converters
