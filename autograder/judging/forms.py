"""Read answers of all task kinds as arrays, from any container.

An answer has one part for each sameness of its task. Parts may come as a tuple, a list, a named tuple, an array, or
one text. A number may also be an array of one entry, and a vector of n numbers a column or a row. Numbers may also be
formulas without symbols. A task with `exact_form` accepts none of these variations of shape.

For a formula the first axis of the array counts the sample points.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from autograder.answers.arrays import Array
from autograder.answers.tables import DataTable
from autograder.answers.values import Expression, UnsupportedAnswerError
from autograder.judging import expressions
from autograder.judging.sameness import Sameness
from autograder.judging.structures.kinds import Kind
from autograder.judging.typed import one_number

Shape = tuple[int, ...]
MAX_FORMULAS, MAX_FORMULA_CHARACTERS = 500, 40_000  # formulas in one answer, and their length together


@dataclass(frozen=True)
class ExpectedForm:
    """The expected shape of each part and, for formulas, the points."""

    shapes: tuple[Shape, ...]
    points: tuple[Mapping[str, float], ...] | None = None  # None: numbers are expected, not formulas
    exact_form: bool = False
    free_columns: tuple[bool, ...] = ()  # parts whose number of columns is the student's choice: bases
    kinds: tuple[Kind | None, ...] = ()  # of parts with structure; empty if all parts are numbers


@dataclass(frozen=True)
class Evaluated:
    """A formula given by its values at the sample points.

    Only certification creates it, never a student.
    """

    values: Any


def any_form(samenesses: Sequence[Sameness]) -> ExpectedForm:
    """Return the form that accepts numbers of every shape, and answers of the samenesses' kinds."""
    kinds = tuple(same.kind for same in samenesses)
    return ExpectedForm(((),) * len(kinds), exact_form=True, kinds=kinds if any(kinds) else ())


def split_parts(answer: object, number: int) -> tuple[Any, ...]:
    """Split an answer into its parts, whatever container holds them."""
    if number == 1:
        return (answer,)
    items = _items(answer)
    if items is not None and len(items) != number:
        items = _flatten(items, number)
    if items is None or len(items) != number:
        raise UnsupportedAnswerError(f"the answer should have {number} parts{_describe_items(answer, items)}")
    return tuple(items)


def _describe_items(answer: object, items: Sequence[object] | None) -> str:
    """Describe what came in place of several parts."""
    if isinstance(answer, np.ndarray):
        return f"; yours is a single array, {format_shape(answer.shape)}"
    if items is None:
        return (
            "; yours is a single value" if isinstance(answer, bool | int | float) else ", separated by commas"
        )
    return f", and yours has {len(items)}"


def _items(answer: object) -> list[Any] | None:
    """Return the items of a container, array or text, else None."""
    if isinstance(answer, list | tuple):
        return list(answer)
    if isinstance(answer, dict):
        return list(answer.values())
    if isinstance(answer, np.ndarray) and answer.ndim:
        return list(answer) if answer.ndim > 1 else list(answer.tolist())
    if isinstance(answer, str | Expression):
        entries = expressions.list_entries(expressions.parse(_text(answer)))
        return (
            None if entries is None else [Expression(expressions.expression_text(entry)) for entry in entries]
        )
    return None


def _flatten(items: list[Any], number: int) -> list[object]:
    """Flatten nested parts, as in ([a, b], c).

    The items stay as they are if flattening does not give the right number.

    A single item may hold all the parts.
    """
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


def read_parts(answer: object, form: ExpectedForm) -> tuple[Array, ...]:
    """Return the parts as arrays, in the expected shapes if possible.

    Parts of other shapes keep theirs. Raise UnsupportedAnswerError, with a message for the student, if a part
    cannot be read as numbers.
    """
    if form.kinds:
        return _read_parts_of_kinds(answer, form)
    arrays = []
    if isinstance(answer, DataTable):
        answer = _numbers_of_table(answer)
    _require_few_formulas(answer, form)
    _require_one_array(answer, form)
    for position, part in enumerate(split_parts(answer, len(form.shapes))):
        if part is None and answer is not None:
            raise UnsupportedAnswerError(f"part {position + 1} of the answer is None, that is, missing")
        array = read_part(_single_number(part, form, form.shapes[position]), form)
        free = bool(form.free_columns) and form.free_columns[position]
        arrays.append(
            array
            if form.exact_form
            else reshape_to_expected(array, form, form.shapes[position], free_columns=free)
        )
    return tuple(arrays)


def _single_number(part: object, form: ExpectedForm, shape: Shape) -> object:
    """Join the digits of a text such as `1 000` or `3 1/2` where one number is expected."""
    is_number = form.points is None and not form.exact_form and shape == ()
    return Expression(one_number(_text(part))) if is_number and isinstance(part, str | Expression) else part


def _read_parts_of_kinds(answer: object, form: ExpectedForm) -> tuple[Array, ...]:
    """Return a digest for each part with structure, and the numbers of the others."""
    arrays = []
    for part, kind, shape in zip(split_kinds(answer, form.kinds), form.kinds, form.shapes, strict=True):
        if kind:
            arrays.append(kind.digest(part))
        else:
            alone = replace(form, shapes=(shape,), kinds=(), free_columns=())
            arrays.extend(read_parts(part, alone))
    return tuple(arrays)


def split_kinds(answer: object, kinds: Sequence[Kind | None]) -> tuple[Any, ...]:
    """Split an answer with structure into its parts, which must come in a tuple or a list."""
    if len(kinds) == 1:
        return (answer,)
    if not isinstance(answer, tuple | list) or len(answer) != len(kinds):
        raise UnsupportedAnswerError(f"the answer should have {len(kinds)} parts, separated by commas")
    return tuple(answer)


def _numbers_of_table(table: DataTable) -> Array:
    try:
        return np.asarray(table, dtype=np.float64)
    except (ValueError, TypeError):
        raise UnsupportedAnswerError("the answer is a table with text in it; numbers were expected") from None


def _require_one_array(answer: object, form: ExpectedForm) -> None:
    """Refuse several results of different shapes where one array is expected.

    Only answers of vectors are refused here; shapes of tables are compared later.
    """
    if len(form.shapes) != 1 or not isinstance(answer, tuple):
        return
    axes = [item.ndim for item in answer if isinstance(item, np.ndarray)]
    # shapes of tables are reported later, where they are compared with the expected ones
    if (
        max(axes, default=0) == 1
        and len({item.shape if isinstance(item, np.ndarray) else () for item in answer}) > 1
    ):
        raise UnsupportedAnswerError(
            f"the answer should be one array, and yours has {len(answer)} parts: return one"
        )


def _require_few_formulas(answer: object, form: ExpectedForm) -> None:
    """Refuse too many or too long formulas before any is parsed."""
    lengths = [len(_text(formula)) for formula in _formulas(answer)]
    if not lengths:
        return
    expected = sum(int(np.prod(shape, dtype=int)) for shape in form.shapes)
    most = min(MAX_FORMULAS, 4 * expected + 16)
    if len(lengths) > most:
        raise UnsupportedAnswerError(f"the answer has {len(lengths)} formulas; {expected} were expected")
    if sum(lengths) > MAX_FORMULA_CHARACTERS:
        raise UnsupportedAnswerError("the formulas of the answer are too long to be read")


def _formulas(answer: object) -> Iterator[str | Expression]:
    """Yield all formulas that an answer holds, at any depth."""
    pending: list[Any] = [[answer]]
    while pending:
        container = pending.pop()
        items = container.values() if isinstance(container, dict) else container
        yield from [item for item in items if isinstance(item, str | Expression)]
        pending += [item for item in items if isinstance(item, list | tuple | dict)]


def read_part(part: object, form: ExpectedForm) -> Array:
    """Return one part as an array, in its own shape."""
    if part is None:
        raise UnsupportedAnswerError("the answer is None (did the function return anything?)")
    if isinstance(part, Evaluated):
        return np.asarray(part.values, dtype=np.float64)
    if isinstance(part, np.ndarray):
        return _repeat_over_points(np.asarray(part, dtype=np.float64), form)
    if isinstance(part, DataTable):
        return _numbers_of_table(part)
    numbers = _regular_table(part)
    if numbers is not None:
        return _repeat_over_points(numbers, form)
    tree, shape = _tree(part), _shape(part)
    leaves = list(_leaves(tree))
    if any(isinstance(leaf, Expression) for leaf in leaves):
        return _evaluate(leaves, shape, form)
    return _repeat_over_points(np.array(leaves, dtype=np.float64).reshape(shape), form)


def _regular_table(part: object) -> Array | None:
    """Convert a regular list of numbers with numpy, else return None."""
    if not isinstance(part, list | tuple):
        return None
    try:
        array = np.array(part)
    except (ValueError, OverflowError):
        return None
    return array.astype(np.float64) if array.dtype.kind in "biuf" else None


def _repeat_over_points(array: Array, form: ExpectedForm) -> Array:
    """Repeat numbers for each sample point: a number is a constant formula."""
    return array if form.points is None else np.repeat(array[None], len(form.points), axis=0)


def _tree(part: object) -> object:
    """Return a part as nested lists of numbers and formulas."""
    if isinstance(part, str | Expression):
        items = _items(part)
        return Expression(_text(part)) if items is None else [_tree(item) for item in items]
    if isinstance(part, np.ndarray):
        return part.tolist()
    if isinstance(part, list | tuple):
        return [_tree(item) for item in part]
    if isinstance(part, bool | int | float):
        return float(part)
    if isinstance(part, frozenset):
        raise UnsupportedAnswerError("the answer is a set; turn it into a list or an array")
    raise UnsupportedAnswerError(f"the answer is a {type(part).__name__}; numbers were expected")


def _shape(part: Any) -> Shape:
    """Return the shape of nested lists; raise if they are ragged."""
    if isinstance(part, np.ndarray):
        return tuple(part.shape)
    items: Sequence[Any] | None = _items(part) if isinstance(part, str | Expression) else part
    if not isinstance(items, list | tuple):
        return ()
    shapes = {_shape(item) for item in items}
    if len(shapes) <= 1:
        return (len(items), *(shapes.pop() if shapes else ()))
    if any(isinstance(item, np.ndarray) and item.ndim == 2 for item in items):
        raise UnsupportedAnswerError(
            f"the answer should be one array, and yours is {len(items)} of them: return one"
        )
    raise UnsupportedAnswerError(expressions.RAGGED_TABLE)


def _leaves(tree: object) -> Any:
    if isinstance(tree, list):
        for item in tree:
            yield from _leaves(item)
    else:
        yield tree


def _evaluate(leaves: list[Any], shape: Shape, form: ExpectedForm) -> Array:
    formulas = [leaf.text for leaf in leaves if isinstance(leaf, Expression)]
    if len(formulas) > MAX_FORMULAS:
        raise UnsupportedAnswerError(
            f"the answer has {len(formulas)} formulas; at most {MAX_FORMULAS} are read"
        )
    points = [{}] if form.points is None else list(form.points)
    values = iter(expressions.evaluation.values(formulas, points))
    columns = [next(values) if isinstance(leaf, Expression) else [leaf] * len(points) for leaf in leaves]
    table = np.array(columns, dtype=np.float64).T.reshape((len(points), *shape))
    return table[0] if form.points is None else table


def reshape_to_expected(
    array: Array, form: ExpectedForm, shape: Shape, *, free_columns: bool = False
) -> Array:
    """Reshape an array to the expected shape if only its form differs."""
    if form.points is not None:
        leading, actual = array.shape[:1], array.shape[1:]
        return array.reshape((*leading, *shape)) if _is_other_form(actual, shape) else array
    if free_columns and array.ndim == 1 and len(shape) == 2 and array.size == shape[0]:
        return array[:, None]
    return array.reshape(shape) if _is_other_form(array.shape, shape) else array


def _is_other_form(actual: Shape, shape: Shape) -> bool:
    """Return whether two shapes hold the same numbers in the same order.

    One of them must be a vector, or there is at most one number. Axes of length one do not count.
    """
    size = int(np.prod(shape, dtype=int))
    if actual == shape or int(np.prod(actual, dtype=int)) != size:
        return False
    if size <= 1:
        return True  # one entry, or none, is the same in every shape
    without_ones = tuple(length for length in actual if length != 1)
    if len(shape) == 1:
        return without_ones == shape
    return len(actual) == 1 and without_ones == tuple(length for length in shape if length != 1)


def format_shape(shape: Shape, thing: str = "number") -> str:
    """Write a shape in words."""
    if not shape:
        return f"one {thing}"
    if 0 in shape:
        return "an empty list" if len(shape) == 1 else f"an empty array of shape {shape}"
    if len(shape) == 1:
        return f"a list of {_count(shape[0], thing)}"
    if len(shape) == 2:
        return f"a table with {_count(shape[0], 'row')} and {_count(shape[1], 'column')}"
    return f"an array of shape {shape}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" + ("" if number == 1 else "s")
