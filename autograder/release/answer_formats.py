"""Formats of one answer: containers and number types that students use.

A correct answer must earn full marks in every format, unless the task asks for an exact form.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from autograder.authoring.task import Task
from autograder.judging.forms import split_kinds, split_parts
from autograder.judging.structures.kinds import Kind

Converter = Callable[[np.ndarray[Any, Any]], Any]


def _to_read_only(part: object) -> object:
    part = np.array(part)
    part.setflags(write=False)
    return part


def _to_matrix(part: Any) -> object:
    return np.matrix(part) if part.ndim == 2 else part


def _to_tuples(value: object) -> object:
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


def _in_reverse(part: object) -> object:
    return dict(reversed(part.items())) if isinstance(part, dict) else part


def _in_tuples(part: object) -> object:
    if isinstance(part, dict):
        return {name: _in_tuples(item) for name, item in part.items()}
    return tuple(map(_in_tuples, part)) if isinstance(part, list) else part


def _in_numpy(part: object) -> object:
    """Return numbers as numpy has them; texts as a student's array of texts has them."""
    if isinstance(part, dict):
        return {name: _in_numpy(item) for name, item in part.items()}
    if isinstance(part, list):
        return np.array(part) if all(isinstance(item, str) for item in part) else part
    return np.float64(part) if isinstance(part, float) else part


STRUCTURE_CONVERTERS: dict[str, Callable[[object], object]] = {
    "keys in another order": _in_reverse,
    "tuples": _in_tuples,
    "numpy": _in_numpy,
}


def all_formats(task: Task, answer: object) -> Iterator[tuple[str, object]]:
    """Yield the answer unchanged and in every format, each with a name."""
    kinds = [same.kind for same in task.samenesses]
    if any(kinds):
        yield from _formats_of_kinds(answer, kinds)
        return
    parts = [np.asarray(part, dtype=float) for part in split_parts(answer, len(task.samenesses))]
    yield "as it is", answer
    for name, change in _converters_for(task).items():
        changed = [change(part) for part in parts]
        yield name, (tuple(changed) if len(changed) > 1 else changed[0])
    if len(parts) > 1:
        yield "parts in a list", parts


def _formats_of_kinds(answer: object, kinds: Sequence[Kind | None]) -> Iterator[tuple[str, object]]:
    """Yield the answer unchanged, and with its dicts and lists in other containers."""
    yield "as it is", answer
    for name, change in STRUCTURE_CONVERTERS.items():
        parts = split_kinds(answer, kinds)
        changed = tuple(change(part) if kind else part for part, kind in zip(parts, kinds, strict=True))
        yield name, (changed if len(changed) > 1 else changed[0])


def _converters_for(task: Task) -> dict[str, Converter]:
    converters = dict(CONTAINER_CONVERTERS)
    if not task.exact_form:
        converters |= SHAPE_CONVERTERS
    return converters | HAND_CONVERTERS if task.kind == "hand" else converters
