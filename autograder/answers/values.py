"""Plain data: the only types that cross the trust boundary between a student's code and the grader.

`to_plain_data` converts a student's answer to plain data. It runs in the student's process, so its result cannot be
trusted. `encode` and `decode` convert plain data to JSON and back. `decode` runs in the grader. It accepts only
numbers, texts and arrays of known types and bounded sizes, and never unpickles or evaluates anything.

Plain data are: None, bool, int, float, str, `Expression` (the text of a formula), arrays of floats, integers and bools,
`DataTable` (named columns), and lists, tuples, frozensets and dicts of these. Keys of dicts and members of sets are
texts, numbers, or tuples of these.
"""

import base64
import binascii
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from autograder.answers.tables import DataTable, is_frame, table_of_frame

MAX_BYTES = 8 * 2**20
MAX_ANSWER_DEPTH = 8
MAX_ITEMS = 10_000
MAX_VALUES = (
    200_000  # in all lists of an answer together: each takes the grader 1 µs, entries of arrays do not
)
MAX_TEXT_CHARACTERS = 20_000
MAX_INTEGER_BITS = 1_000
MAX_KEY_INTEGER = 2**60  # Python hashes smaller integers to themselves: a dict of them cannot be made slow
MAX_TUPLE_KEYS = 2_000  # in one dict or set: hashes of tuples can be made to collide
MAX_KEY_DEPTH = 3
KEYED_WORDS = frozenset(("set", "pairs", "table"))
CONTAINERS = (list, tuple, dict, frozenset, DataTable)
REAL_KINDS = "biuf"
HALF = np.dtype("<f2")
TRUTH = np.dtype(bool)
IMAGINARY_RTOL = 1e-9  # times the largest entry: rounding noise in an imaginary part that should cancel
IMAGINARY_ATOL = 1e-12  # the same if the largest entry is rounding noise itself


class UnsupportedAnswerError(ValueError):
    """A value of a type that cannot be an answer; the student reads the message."""


@dataclass(frozen=True)
class Expression:
    """The text of a formula, such as `2*(a - b)`.

    The judging room parses it. It is never evaluated here.
    """

    text: str


def to_plain_data(value: object) -> Any:
    """Convert a value to plain data, or raise UnsupportedAnswerError."""
    answer = _convert(value, 0)
    _check_number_of_values(answer, _list_contents)
    return answer


def _check_number_of_values(tree: object, contents: Callable[[object], Collection[object]]) -> None:
    """Raise UnsupportedAnswerError if all containers together hold more than MAX_VALUES."""
    number, pending = 0, [tree] if isinstance(tree, CONTAINERS) else []
    while pending:
        items = contents(pending.pop())
        number += len(items)
        if number > MAX_VALUES:
            raise UnsupportedAnswerError(
                f"the answer holds more than {MAX_VALUES} values in lists: return an array, or fewer values"
            )
        pending += [item for item in items if isinstance(item, CONTAINERS)]


def _list_contents(container: Any) -> Collection[object]:
    if isinstance(container, DataTable):
        return container.columns
    return container.values() if isinstance(container, dict) else container


def _list_encoded_contents(tree: object) -> Collection[object]:
    """Return the items that `decode` reads one by one.

    Rows of an array are not among them, because numpy reads them at once.
    """
    if isinstance(tree, dict):
        table = tree.get("table")
        tree = table.get("columns", ()) if isinstance(table, dict) else _container_in(tree)
    return _list_contents(tree) if isinstance(tree, list | dict) else ()


def _container_in(tree: Mapping[str, object]) -> object:
    return next((tree[word] for word in ("tuple", "dict", "set", "pairs") if word in tree), ())


def _convert(value: object, depth: int) -> Any:
    if depth > MAX_ANSWER_DEPTH:
        raise UnsupportedAnswerError("the answer is nested too deeply")
    if value is None or isinstance(value, bool | int | float | complex | Fraction | Decimal | np.generic):
        return _convert_number(value)
    if isinstance(value, str):
        return _check_text(str(value))
    if isinstance(value, Expression):
        return Expression(_check_text(value.text))
    if isinstance(value, np.ndarray):
        return _convert_array(value, depth)
    if isinstance(value, list | tuple | dict | set | frozenset):
        return _convert_container(value, depth)
    return _convert_object(value, depth)


def _convert_number(value: object) -> object:
    if isinstance(value, np.generic):
        return _convert_numpy_scalar(value)
    if isinstance(value, complex):
        return float(_drop_imaginary_noise(np.asarray(value)))
    if isinstance(value, Fraction | Decimal):
        return float(value)
    if type(value) is int and value.bit_length() > MAX_INTEGER_BITS:
        raise UnsupportedAnswerError("the answer holds a whole number of more than 300 digits")
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return float(value) if isinstance(value, float) else value


def _convert_numpy_scalar(value: Any) -> object:
    scalar = value.item() if value.dtype.kind in REAL_KINDS + "cU" else value
    if not isinstance(scalar, np.generic):
        return _check_text(scalar) if isinstance(scalar, str) else _convert_number(scalar)
    if scalar.dtype.kind not in REAL_KINDS:  # rejects dates and records; a long double is a number
        raise UnsupportedAnswerError(f"the answer is a {scalar.dtype}; a number was expected")
    return float(scalar)


def _check_text(value: str) -> str:
    if len(value) > MAX_TEXT_CHARACTERS:
        raise UnsupportedAnswerError(
            f"the answer is a text of {len(value)} characters; at most {MAX_TEXT_CHARACTERS} are read"
        )
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise UnsupportedAnswerError(
            "the answer is a text with half a character in it, which no file can hold"
        )
    return value


def _convert_array(value: Any, depth: int) -> object:
    """Convert an array of any subclass, byte order and precision.

    A masked array is accepted if no entry is masked.
    """
    if _has_masked_entries(value):
        raise UnsupportedAnswerError(
            "the answer is an array with masked entries; every entry must be a number"
        )
    if value.dtype.kind in "OU":  # arrays of sympy expressions, Fractions or texts
        return _convert(np.asarray(value).tolist(), depth + 1)
    if value.nbytes > MAX_BYTES:
        raise UnsupportedAnswerError(
            f"the answer is an array of {value.nbytes} bytes; at most {MAX_BYTES} are read"
        )
    array = np.array(value, subok=False)
    if array.dtype.kind == "c":
        array = _drop_imaginary_noise(array)
    if array.dtype.kind not in REAL_KINDS:
        raise UnsupportedAnswerError(f"the answer is an array of {array.dtype}; real numbers were expected")
    if array.dtype.kind == "b":
        return array
    return np.array(array, dtype=np.int64 if _fits_int64(array) else np.float64)


def _has_masked_entries(value: object) -> bool:
    # the type is tested first, so that plain arrays do not import numpy.ma
    return (
        type(value) is not np.ndarray and np.ma.isMaskedArray(value) and bool(np.ma.getmaskarray(value).any())
    )


def _fits_int64(array: Any) -> bool:
    return array.dtype.kind != "f" and (array.dtype != np.uint64 or bool(array.max(initial=0) < 2**63))


def with_half_precision(answer: object, plain: object) -> object:
    """Return the plain data with 16-bit floats wherever the answer has them."""
    if isinstance(answer, np.ndarray | np.generic):
        return np.array(plain, dtype=HALF) if is_half_precision(answer) else plain
    if isinstance(answer, list | tuple) and isinstance(plain, list | tuple):
        return type(plain)(with_half_precision(*pair) for pair in zip(answer, plain, strict=True))
    if isinstance(answer, dict) and isinstance(plain, dict):
        pairs = zip(plain, answer.values(), plain.values(), strict=True)
        return {name: with_half_precision(item, plain_item) for name, item, plain_item in pairs}
    return plain


def is_half_precision(value: object) -> bool:
    """Return whether all numbers of a value are 16-bit floats."""
    if isinstance(value, list | tuple) and value:
        return all(map(is_half_precision, value))
    return isinstance(value, np.ndarray | np.generic) and (value.dtype.kind, value.dtype.itemsize) == ("f", 2)


def _drop_imaginary_noise(array: Any) -> Any:
    largest = np.abs(array).max(initial=0.0)
    if np.abs(array.imag).max(initial=0.0) > max(IMAGINARY_RTOL * largest, IMAGINARY_ATOL):
        raise UnsupportedAnswerError("the answer holds complex numbers; real ones were expected")
    return array.real


def _convert_container(value: Any, depth: int) -> object:
    if len(value) > MAX_ITEMS:
        raise UnsupportedAnswerError(f"the answer has {len(value)} items; at most {MAX_ITEMS} are read")
    if isinstance(value, dict):
        names = _convert_keys(value, "the answer is a dict with a key that is no text and no number")
        return {name: _convert(item, depth + 1) for name, item in zip(names, value.values(), strict=True)}
    if isinstance(value, set | frozenset):
        return frozenset(
            _convert_keys(value, "the answer is a set with a member that is no text and no number")
        )
    items = [_convert(item, depth + 1) for item in value]
    return tuple(items) if isinstance(value, tuple) else items


def _convert_keys(values: Collection[object], message: str) -> list[object]:
    """Convert the keys of a dict or the members of a set."""
    if sum(isinstance(value, tuple) for value in values) > MAX_TUPLE_KEYS:
        raise UnsupportedAnswerError(f"the answer has more than {MAX_TUPLE_KEYS} tuples in a set or as keys")
    return [_convert_key(value, message, 0) for value in values]


def _convert_key(value: object, message: str, depth: int) -> object:
    if isinstance(value, str):
        return _check_text(str(value))
    if isinstance(value, tuple) and depth < MAX_KEY_DEPTH:
        return tuple(_convert_key(item, message, depth + 1) for item in value)
    if value is not None and not isinstance(value, bool | int | float | Fraction | Decimal | np.generic):
        raise UnsupportedAnswerError(message)
    number = _convert_number(value)
    if isinstance(number, int) and abs(number) >= MAX_KEY_INTEGER:
        raise UnsupportedAnswerError(
            "the answer has a whole number of more than 18 digits in a set or as a key"
        )
    return number


def _convert_table(table: DataTable, depth: int) -> DataTable:
    """Convert the columns of a table, each an array of numbers or a list."""
    if sum(map(len, table.names)) > MAX_TEXT_CHARACTERS or len(table.names) > MAX_ITEMS:
        raise UnsupportedAnswerError("the answer is a table with too many or too long names of columns")
    columns = tuple(
        _convert(column if isinstance(column, np.ndarray) else list(column), depth + 1)
        for column in table.columns
    )
    return table.with_columns(tuple(map(_check_text, table.names)), columns)


def _convert_object(value: Any, depth: int) -> object:
    kind = type(value)
    if isinstance(value, DataTable):
        return _convert_table(value, depth)
    if is_frame(value):
        return _convert_frame(value, depth)
    if kind.__module__.partition(".")[0] in ("sympy", "mpmath"):
        return _convert_formula(value, depth)
    if callable(value):
        raise UnsupportedAnswerError(
            "the answer is a function; a value was expected (did you forget to call it?)"
        )
    if isinstance(value, range | type({}.values()) | map | filter | zip):
        raise UnsupportedAnswerError(f"the answer is a {kind.__name__}; turn it into a list or an array")
    if hasattr(value, "toarray") or hasattr(
        value, "to_numpy"
    ):  # sparse matrices; DataFrames and Series of pandas
        dense = value.toarray() if hasattr(value, "toarray") else value.to_numpy()
        return _convert(np.asarray(dense), depth + 1)
    raise UnsupportedAnswerError(f"the answer is a {kind.__name__}; numbers or arrays were expected")


def _convert_frame(value: object, depth: int) -> object:
    """Convert a frame or a series of pandas or polars."""
    try:
        table = table_of_frame(value)
    except ValueError as error:
        raise UnsupportedAnswerError(str(error)) from None
    if table.is_plain_column:
        return _convert(table.columns[0], depth + 1)
    return _convert_table(table, depth)


def _convert_formula(value: Any, depth: int) -> object:
    import sympy

    if isinstance(value, sympy.MatrixBase | sympy.NDimArray):
        return _convert(value.tolist(), depth + 1)
    if isinstance(value, sympy.Tuple | sympy.FiniteSet):
        return _convert(tuple(value.args), depth + 1)
    if isinstance(value, sympy.Eq):
        raise UnsupportedAnswerError("the answer is an equation; give its right-hand side alone")
    if type(value).__module__.startswith("mpmath"):
        return _convert(complex(value), depth + 1) if hasattr(value, "imag") else float(value)
    if not isinstance(value, sympy.Expr):
        raise UnsupportedAnswerError(
            f"the answer is a sympy {type(value).__name__}; an expression was expected"
        )
    return Expression(_check_text(str(value.doit())))


def encode(value: object, *, readable: bool = False) -> Any:
    """Convert plain data to a JSON-compatible tree without loss of bits.

    `readable` writes finite arrays as nested lists instead of base64, for files that people compare.
    """
    if isinstance(value, np.ndarray):
        return _encode_array(value, readable)
    if isinstance(value, Expression | frozenset | DataTable):
        return _encode_object(value, readable)
    if isinstance(value, tuple):
        return {"tuple": [encode(item, readable=readable) for item in value]}
    if isinstance(value, list):
        return [encode(item, readable=readable) for item in value]
    if isinstance(value, dict):
        return _encode_dict(value, readable)
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    return value


def _encode_object(value: Expression | frozenset[Any] | DataTable, readable: bool) -> dict[str, object]:
    if isinstance(value, Expression):
        return {"expression": value.text}
    return _encode_set(value) if isinstance(value, frozenset) else _encode_table(value, readable)


def _encode_dict(value: dict[Any, Any], readable: bool) -> dict[str, object]:
    items = {name: encode(item, readable=readable) for name, item in value.items()}
    if all(isinstance(name, str) for name in items):
        return {"dict": items}
    return {"pairs": [[encode(name), item] for name, item in items.items()]}


def _encode_set(members: frozenset[Any]) -> dict[str, object]:
    return {
        "set": [encode(member) for member in sorted(members, key=lambda item: (str(type(item)), repr(item)))]
    }


def _encode_table(table: DataTable, readable: bool) -> dict[str, object]:
    columns = [encode(column, readable=readable) for column in table.columns]
    settings = {name: value for name, value in table.settings.items() if value}
    return {"table": {"names": list(table.names), "columns": columns, **settings}}


def _encode_array(value: Any, readable: bool) -> dict[str, object]:
    if readable and np.isfinite(value).all():
        return {"array": value.dtype.str, "shape": list(value.shape), "rows": value.tolist()}
    data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
    return {"array": value.dtype.str, "shape": list(value.shape), "data": data}


def decode(tree: object) -> Any:
    """Convert a tree of `encode` to plain data; raise UnsupportedAnswerError if invalid."""
    _check_number_of_values(tree, _list_encoded_contents)
    try:
        return _decode(tree, 0)
    except UnsupportedAnswerError:
        raise
    except (
        LookupError,
        TypeError,
        ValueError,
        AttributeError,
        OverflowError,
        MemoryError,
        binascii.Error,
    ) as error:
        raise UnsupportedAnswerError(f"the answer could not be read ({type(error).__name__})") from None


def _decode(tree: object, depth: int) -> Any:
    if type(tree) is float:  # the most frequent type; this shortcut takes a third of the time
        return tree
    if depth > MAX_ANSWER_DEPTH + 1:
        raise UnsupportedAnswerError("the answer is nested too deeply")
    if isinstance(tree, list):
        return [_decode(item, depth + 1) for item in _check_items(tree)]
    return _decode_marked(tree, depth) if isinstance(tree, dict) else _decode_scalar(tree)


def _decode_marked(tree: Mapping[str, Any], depth: int) -> object:
    """Convert a value whose type is named by a word of its tree."""
    if "tuple" in tree:
        return tuple(_decode(item, depth + 1) for item in _check_items(tree["tuple"]))
    if "dict" in tree:
        return {_check_text(str(name)): _decode(item, depth + 1) for name, item in tree["dict"].items()}
    return _decode_leaf(tree) if KEYED_WORDS.isdisjoint(tree) else _decode_keyed(tree, depth)


def _check_items(items: object) -> Any:
    if not isinstance(items, list) or len(items) > MAX_ITEMS:
        raise UnsupportedAnswerError(
            f"the answer holds a list that cannot be read; at most {MAX_ITEMS} items are"
        )
    return items


def _decode_scalar(value: object) -> object:
    if value is not None and type(value) not in (bool, int, float, str):
        raise UnsupportedAnswerError("the answer could not be read")
    return _check_text(value) if isinstance(value, str) else _convert_number(value)


def _decode_leaf(tree: Mapping[str, Any]) -> object:
    if "expression" in tree:
        return Expression(_check_text(str(tree["expression"])))
    if "float" in tree:
        return float(_check_text(str(tree["float"])))
    if tree["array"] not in ("<f8", "<i8", HALF.str, TRUTH.str):
        raise UnsupportedAnswerError(f"an array of {str(tree['array'])[:20]!r} cannot be read")
    shape = _decode_shape(tree["shape"])
    if "rows" in tree:  # the readable form that keys use
        return np.array(tree["rows"], dtype=tree["array"]).reshape(shape)
    data = base64.b64decode(tree["data"], validate=True)
    if len(data) > MAX_BYTES:
        raise UnsupportedAnswerError(
            f"the answer is an array of {len(data)} bytes; at most {MAX_BYTES} are read"
        )
    if tree["array"] == TRUTH.str:  # bytes other than 0 and 1 would be invalid bools
        return (np.frombuffer(data, dtype=np.uint8) != 0).reshape(shape)
    return np.frombuffer(data, dtype=tree["array"]).reshape(shape).copy()


def _decode_keyed(tree: Mapping[str, Any], depth: int) -> object:
    """Convert a set, a dict with other keys than texts, or a table."""
    message = "the answer holds a key that cannot be read"
    if "set" in tree:
        members = [_decode(item, depth + 1) for item in _check_items(tree["set"])]
        return frozenset(_convert_keys(members, message))
    if "pairs" in tree:
        pairs = [
            (_decode(name, depth + 1), _decode(item, depth + 1)) for name, item in _check_items(tree["pairs"])
        ]
        names = _convert_keys([name for name, _ in pairs], message)
        return {name: item for name, (_, item) in zip(names, pairs, strict=True)}
    return _decode_table(tree["table"], depth)


def _decode_table(tree: Mapping[str, Any], depth: int) -> DataTable:
    names = [_check_text(str(name)) for name in _check_items(tree["names"])]
    columns = [_decode(column, depth + 1) for column in _check_items(tree["columns"])]
    if not all(
        isinstance(column, list) or (isinstance(column, np.ndarray) and column.ndim) for column in columns
    ):
        raise UnsupportedAnswerError("a column of a table that is no list cannot be read")
    settings = {name: tree.get(name, default) for name, default in DataTable((), ()).settings.items()}
    if not all(type(value) is type(DataTable((), ()).settings[name]) for name, value in settings.items()):
        raise UnsupportedAnswerError("a table with unknown settings cannot be read")
    return DataTable(tuple(names), tuple(columns), **settings)


def _decode_shape(sizes: object) -> tuple[int, ...]:
    if not isinstance(sizes, list) or len(sizes) > 32 or not all(type(size) is int for size in sizes):
        raise UnsupportedAnswerError("an array without a shape cannot be read")
    if any(size < 0 or size > MAX_BYTES for size in sizes):
        raise UnsupportedAnswerError("an array with a negative or enormous size cannot be read")
    return tuple(sizes)
