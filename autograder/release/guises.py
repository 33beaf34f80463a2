"""Guises: one and the same answer, in the containers and number types in which students hand it in.

Form is forgiven unless a task says that it is the point; so a correct answer must earn full marks in every guise.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from autograder.authoring.task import Task
from autograder.judging.forms import parts_of

Guise = Callable[[np.ndarray[Any, Any]], Any]


def _read_only(part: Any) -> Any:
    part = np.array(part)
    part.setflags(write=False)
    return part


def _as_matrix(part: Any) -> Any:
    return np.matrix(part) if part.ndim == 2 else part


def _in_tuples(value: Any) -> Any:
    return tuple(map(_in_tuples, value)) if isinstance(value, list) else value


CONTAINERS: dict[str, Guise] = {
    "lists": lambda part: part.tolist(),
    "tuples": lambda part: _in_tuples(part.tolist()),
    "single precision": lambda part: part.astype(np.float32),
    "Fortran order": np.asfortranarray,
    "read-only": _read_only,
    "objects": lambda part: part.astype(object),
}
SHAPES: dict[str, Guise] = {  # where a task does not ask for one shape
    "np.matrix": _as_matrix,
    "one column": lambda part: part.reshape(-1, 1) if part.ndim < 2 else part,
    "one row": lambda part: part.reshape(1, -1) if part.ndim < 2 else part,
}
BY_HAND: dict[str, Guise] = {
    "text": lambda part: np.vectorize(repr, otypes=[object])(part).tolist(),
    "fractions": lambda part: np.vectorize(Fraction, otypes=[object])(part).tolist(),
}


def guises(task: Task, answer: Any) -> Iterator[tuple[str, Any]]:
    """The answer as it is and in every guise, each with a name."""
    parts = [np.asarray(part, dtype=float) for part in parts_of(answer, len(task.samenesses))]
    yield "as it is", answer
    for name, change in _fitting(task).items():
        changed = [change(part) for part in parts]
        yield name, (tuple(changed) if len(changed) > 1 else changed[0])
    if len(parts) > 1:
        yield "parts in a list", parts


def _fitting(task: Task) -> dict[str, Guise]:
    found = dict(CONTAINERS)
    if not task.exact_form:
        found |= SHAPES
    return found | BY_HAND if task.kind == "hand" else found
