"""One reading of answers for all kinds of tasks: what an answer *is* counts, not the container it came in.

An answer has parts, one for each sameness of its task. They may come as a tuple, a list, a named tuple, an array, or
one text; a number also as an array of one entry; a vector of n numbers also as a column or a row; numbers also as
formulas without symbols. Where the form is the point of a task (`exact_form`), nothing of this is forgiven.

Reading ends in arrays of numbers. For a formula the first axis of the array counts the sample points.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autograder.answers.values import Expression, NotPlainError
from autograder.judging import expressions

Array = NDArray[np.float64]
Shape = tuple[int, ...]
MAX_FORMULAS, MAX_CHARACTERS = 500, 40_000  # formulas in one answer, and their length together


@dataclass(frozen=True)
class Wanted:
    """What an answer should look like: the shape of each part; for formulas, the sample points."""

    shapes: tuple[Shape, ...]
    points: tuple[Mapping[str, float], ...] | None = None  # None: numbers are expected, not formulas
    exact_form: bool = False
    free_columns: tuple[bool, ...] = ()  # parts whose number of columns is the student's choice: bases


@dataclass(frozen=True)
class Evaluated:
    """A formula given by its values at the sample points: made by certification, never by a student."""

    values: Any


def parts_of(answer: Any, number: int) -> tuple[Any, ...]:
    """Split an answer into so many parts, whatever holds them together."""
    if number == 1:
        return (answer,)
    items = _items(answer)
    if items is not None and len(items) != number:
        items = _flattened(items, number)
    if items is None or len(items) != number:
        raise NotPlainError(f"the answer should have {number} parts{_found(items)}")
    return tuple(items)


def _found(items: Sequence[Any] | None) -> str:
    return f", and yours has {len(items)}" if items is not None else ", separated by commas"


def _items(answer: Any) -> list[Any] | None:
    """The items of whatever holds several: a container, an array's rows, a text with commas."""
    if isinstance(answer, list | tuple):
        return list(answer)
    if isinstance(answer, dict):
        return list(answer.values())
    if isinstance(answer, np.ndarray) and answer.ndim:
        return list(answer) if answer.ndim > 1 else list(answer.tolist())
    if isinstance(answer, str | Expression):
        found = expressions.entries(expressions.parse(_text(answer)))
        return None if found is None else [Expression(expressions.text_of(entry)) for entry in found]
    return None


def _flattened(items: list[Any], number: int) -> list[Any]:
    """A single item may hold all the parts, and some of them may be held together: ([a, b], c)."""
    if len(items) == 1:
        return _items(items[0]) or items
    spread = [
        part
        for item in items
        for part in ((_items(item) or [item]) if isinstance(item, list | tuple | np.ndarray) else [item])
    ]
    return spread if len(spread) == number else items


def _text(answer: str | Expression) -> str:
    return answer.text if isinstance(answer, Expression) else answer


def read(answer: Any, wanted: Wanted) -> tuple[Array, ...]:
    """The parts of an answer as arrays of the wanted shapes where forgiving allows, of their own shapes otherwise.

    NotPlainError, in words for the student, for what cannot be read as numbers at all.
    """
    made = []
    _require_few_formulas(answer, wanted)
    for position, part in enumerate(parts_of(answer, len(wanted.shapes))):
        array = read_part(part, wanted)
        free = bool(wanted.free_columns) and wanted.free_columns[position]
        made.append(
            array if wanted.exact_form else fitted(array, wanted, wanted.shapes[position], free_columns=free)
        )
    return tuple(made)


def _require_few_formulas(answer: Any, wanted: Wanted) -> None:
    """Before anything is parsed: no more formulas than the answer could have in any form, and none too long."""
    lengths = [len(_text(formula)) for formula in _formulas(answer)]
    if not lengths:
        return
    expected = sum(int(np.prod(shape, dtype=int)) for shape in wanted.shapes)
    most = min(MAX_FORMULAS, 4 * expected + 16)
    if len(lengths) > most:
        raise NotPlainError(f"the answer has {len(lengths)} formulas; {expected} were expected")
    if sum(lengths) > MAX_CHARACTERS:
        raise NotPlainError("the formulas of the answer are too long to be read")


def _formulas(answer: Any) -> Iterator[str | Expression]:
    """Yield the formulas that an answer holds, at whatever depth."""
    pending: list[Any] = [[answer]]
    while pending:
        container = pending.pop()
        items = container.values() if isinstance(container, dict) else container
        yield from [item for item in items if isinstance(item, str | Expression)]
        pending += [item for item in items if isinstance(item, list | tuple | dict)]


def read_part(part: Any, wanted: Wanted) -> Array:
    """One part as an array in the form in which it was given."""
    if part is None:
        raise NotPlainError("the answer is None (did the function return anything?)")
    if isinstance(part, Evaluated):
        return np.asarray(part.values, dtype=np.float64)
    if isinstance(part, np.ndarray):
        return _over_points(np.asarray(part, dtype=np.float64), wanted)
    numbers = _regular_table(part)
    if numbers is not None:
        return _over_points(numbers, wanted)
    tree, shape = _tree(part), _shape(part)
    leaves = list(_leaves(tree))
    if any(isinstance(leaf, Expression) for leaf in leaves):
        return _evaluated(leaves, shape, wanted)
    return _over_points(np.array(leaves, dtype=np.float64).reshape(shape), wanted)


def _regular_table(part: Any) -> Array | None:
    """Return lists of numbers as an array, by numpy's fast way; None if they hold anything else or are ragged."""
    if not isinstance(part, list | tuple):
        return None
    try:
        array = np.array(part)
    except (ValueError, OverflowError):
        return None
    return array.astype(np.float64) if array.dtype.kind in "biuf" else None


def _over_points(array: Array, wanted: Wanted) -> Array:
    """Numbers are constant formulas: the same at every sample point."""
    return array if wanted.points is None else np.repeat(array[None], len(wanted.points), axis=0)


def _tree(part: Any) -> Any:
    """Nested lists of numbers and formulas, which can be parsed."""
    if isinstance(part, str | Expression):
        items = _items(part)
        return Expression(_text(part)) if items is None else [_tree(item) for item in items]
    if isinstance(part, np.ndarray):
        return part.tolist()
    if isinstance(part, list | tuple):
        return [_tree(item) for item in part]
    if isinstance(part, bool | int | float):
        return float(part)
    raise NotPlainError(f"the answer is a {type(part).__name__}; numbers were expected")


def _shape(part: Any) -> Shape:
    """The shape of nested lists; lists whose items have different shapes have none."""
    if isinstance(part, str | Expression):
        items: Sequence[Any] | None = _items(part)
    elif isinstance(part, list | tuple):
        items = part
    else:
        return tuple(part.shape) if isinstance(part, np.ndarray) else ()
    if items is None:
        return ()
    shapes = {_shape(item) for item in items}
    if len(shapes) > 1:
        raise NotPlainError("the answer is not a regular table: its rows have different lengths")
    return (len(items), *(shapes.pop() if shapes else ()))


def _leaves(tree: Any) -> Any:
    if isinstance(tree, list):
        for item in tree:
            yield from _leaves(item)
    else:
        yield tree


def _evaluated(leaves: list[Any], shape: Shape, wanted: Wanted) -> Array:
    formulas = [leaf.text for leaf in leaves if isinstance(leaf, Expression)]
    if len(formulas) > MAX_FORMULAS:
        raise NotPlainError(f"the answer has {len(formulas)} formulas; at most {MAX_FORMULAS} are read")
    points = [{}] if wanted.points is None else list(wanted.points)
    found = iter(expressions.evaluation.values(formulas, points))
    columns = [next(found) if isinstance(leaf, Expression) else [leaf] * len(points) for leaf in leaves]
    table = np.array(columns, dtype=np.float64).T.reshape((len(points), *shape))
    return table[0] if wanted.points is None else table


def fitted(array: Array, wanted: Wanted, shape: Shape, *, free_columns: bool = False) -> Array:
    """The array in the wanted shape if only its form differs; otherwise as it is."""
    if wanted.points is not None:
        leading, own = array.shape[:1], array.shape[1:]
        return array.reshape((*leading, *shape)) if _is_other_form(own, shape) else array
    if free_columns and array.ndim == 1 and len(shape) == 2 and array.size == shape[0]:
        return array[:, None]
    return array.reshape(shape) if _is_other_form(array.shape, shape) else array


def _is_other_form(own: Shape, shape: Shape) -> bool:
    """Is this shape only another way to write down the same numbers in the same order?"""
    size = int(np.prod(shape, dtype=int))
    if own == shape or int(np.prod(own, dtype=int)) != size:
        return False
    if size <= 1:
        return True  # one number is one number; nothing is nothing
    without_ones = tuple(length for length in own if length != 1)
    if len(shape) == 1:
        return without_ones == shape
    return len(own) == 1 and without_ones == tuple(length for length in shape if length != 1)


def said(shape: Shape, thing: str = "number") -> str:
    """A shape in words."""
    if not shape:
        return f"one {thing}"
    if len(shape) == 1:
        return f"a list of {_count(shape[0], thing)}"
    if len(shape) == 2:
        return f"a table with {_count(shape[0], 'row')} and {_count(shape[1], 'column')}"
    return f"an array of shape {shape}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")
