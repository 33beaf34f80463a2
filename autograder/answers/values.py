"""Answers as plain data: the only things that may travel between a student's code and a key.

`plain` turns what a student's code made into plain data, whatever container it came in; `encode` and `decode` carry
plain data through JSON. `plain` runs beside the student's code and may be lied to; `decode`, on the trusted side,
takes nothing but numbers, texts and arrays of known types and bounded sizes, and nothing is ever unpickled or
evaluated.

Plain data are: bool, int, float, str, `Expression` (the text of a formula), float and integer arrays, and lists, tuples
and string-keyed dicts of these.
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

MAX_BYTES = 8 * 2**20
MAX_DEPTH = 8
MAX_ITEMS = 10_000
MAX_VALUES = (
    200_000  # in all lists of an answer together: each costs the grader a microsecond; arrays cost nothing
)
MAX_TEXT = 20_000
MAX_BITS = 1_000
REAL_KINDS = "biuf"
HALF = np.dtype("<f2")
IMAGINARY_NOISE = 1e-9  # of the largest entry: what is left of an imaginary part that should have cancelled

IMAGINARY_ZERO = 1e-12  # and what is left of it where all that remains is noise


class NotPlainError(ValueError):
    """A value that cannot be an answer; the message is written for the student."""


@dataclass(frozen=True)
class Expression:
    """The text of a formula, such as `2*(a - b)`; read by the judging side, never evaluated here."""

    text: str


def plain(value: Any) -> Any:
    """Return value as plain data, or raise NotPlainError saying what was found instead."""
    answer = _plain(value, 0)
    _require_few_values(answer, _plain_contents)
    return answer


def _require_few_values(tree: Any, contents: Callable[[Any], Collection[Any]]) -> None:
    """Raise NotPlainError if the containers of a tree hold more than MAX_VALUES together."""
    number, pending = 0, [tree] if isinstance(tree, list | tuple | dict) else []
    while pending:
        items = contents(pending.pop())
        number += len(items)
        if number > MAX_VALUES:
            raise NotPlainError(
                f"the answer holds more than {MAX_VALUES} values in lists: return an array, or fewer values"
            )
        pending += [item for item in items if isinstance(item, list | tuple | dict)]


def _plain_contents(container: Any) -> Collection[Any]:
    return container.values() if isinstance(container, dict) else container


def _encoded_contents(tree: Any) -> Collection[Any]:
    """Return what `decode` will read one by one: the rows of an array are read by numpy at once."""
    if isinstance(tree, dict):
        tree = tree.get("tuple", tree.get("dict", ()))
    return _plain_contents(tree) if isinstance(tree, list | dict) else ()


def _plain(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise NotPlainError("the answer is nested too deeply")
    if value is None or isinstance(value, bool | int | float | complex | Fraction | Decimal | np.generic):
        return _plain_number(value)
    if isinstance(value, str):
        return _bounded_text(str(value))
    if isinstance(value, Expression):
        return Expression(_bounded_text(value.text))
    if isinstance(value, np.ndarray):
        return _plain_array(value, depth)
    if isinstance(value, list | tuple | dict):
        return _plain_container(value, depth)
    return _plain_object(value, depth)


def _plain_number(value: Any) -> Any:
    if isinstance(value, np.generic):
        return _plain_numpy_scalar(value)
    if isinstance(value, complex):
        return float(_without_imaginary_noise(np.asarray(value)))
    if isinstance(value, Fraction | Decimal):
        return float(value)
    if type(value) is int and value.bit_length() > MAX_BITS:
        raise NotPlainError("the answer holds a whole number of more than 300 digits")
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    return float(value) if isinstance(value, float) else value


def _plain_numpy_scalar(value: Any) -> Any:
    made = value.item() if value.dtype.kind in REAL_KINDS + "cU" else value
    if not isinstance(made, np.generic):
        return _bounded_text(made) if isinstance(made, str) else _plain_number(made)
    if made.dtype.kind not in REAL_KINDS:  # dates and records are no numbers; long doubles are
        raise NotPlainError(f"the answer is a {made.dtype}; a number was expected")
    return float(made)


def _bounded_text(value: str) -> str:
    if len(value) > MAX_TEXT:
        raise NotPlainError(f"the answer is a text of {len(value)} characters; at most {MAX_TEXT} are read")
    if not value.isascii() and any("\ud800" <= one <= "\udfff" for one in value):
        raise NotPlainError("the answer is a text with half a character in it, which no file can hold")
    return value


def _plain_array(value: Any, depth: int) -> Any:
    """Matrices, masked arrays without masked entries, any byte order and precision: what counts are the numbers."""
    # a plain array has no mask, and need not wait until numpy.ma is imported
    if type(value) is not np.ndarray and np.ma.isMaskedArray(value) and np.ma.getmaskarray(value).any():
        raise NotPlainError("the answer is an array with masked entries; every entry must be a number")
    if value.dtype.kind in "OU":  # sympy and Fraction entries arrive like this, and texts
        return _plain(np.asarray(value).tolist(), depth + 1)
    if value.nbytes > MAX_BYTES:
        raise NotPlainError(f"the answer is an array of {value.nbytes} bytes; at most {MAX_BYTES} are read")
    array = np.array(value, subok=False)
    if array.dtype.kind == "c":
        array = _without_imaginary_noise(array)
    if array.dtype.kind not in REAL_KINDS:
        raise NotPlainError(f"the answer is an array of {array.dtype}; real numbers were expected")
    is_whole = array.dtype.kind != "f" and (array.dtype != np.uint64 or array.max(initial=0) < 2**63)
    return np.array(array, dtype=np.int64 if is_whole else np.float64)


def with_half_precision(answer: Any, made: Any) -> Any:
    """Return plain data in which arrays and numbers of 16 bits are arrays of 16 bits, as in the answer itself."""
    if isinstance(answer, np.ndarray | np.generic):
        return np.array(made, dtype=HALF) if is_half_precision(answer) else made
    if isinstance(answer, list | tuple) and isinstance(made, list | tuple):
        return type(made)(with_half_precision(*pair) for pair in zip(answer, made, strict=True))
    if isinstance(answer, dict) and isinstance(made, dict):
        pairs = zip(made, answer.values(), made.values(), strict=True)
        return {name: with_half_precision(item, plain_item) for name, item, plain_item in pairs}
    return made


def is_half_precision(value: Any) -> bool:
    """Are all numbers of a value stored in 16 bits?"""
    if isinstance(value, list | tuple) and value:
        return all(map(is_half_precision, value))
    return isinstance(value, np.ndarray | np.generic) and (value.dtype.kind, value.dtype.itemsize) == ("f", 2)


def _without_imaginary_noise(array: Any) -> Any:
    largest = np.abs(array).max(initial=0.0)
    if np.abs(array.imag).max(initial=0.0) > max(IMAGINARY_NOISE * largest, IMAGINARY_ZERO):
        raise NotPlainError("the answer holds complex numbers; real ones were expected")
    return array.real


def _plain_container(value: Any, depth: int) -> Any:
    if len(value) > MAX_ITEMS:
        raise NotPlainError(f"the answer has {len(value)} items; at most {MAX_ITEMS} are read")
    if isinstance(value, dict):
        if not all(isinstance(name, str) for name in value):
            raise NotPlainError("the answer is a dict whose keys are not all text")
        return {_bounded_text(str(name)): _plain(item, depth + 1) for name, item in value.items()}
    items = [_plain(item, depth + 1) for item in value]
    return tuple(items) if isinstance(value, tuple) else items


def _plain_object(value: Any, depth: int) -> Any:
    kind = type(value)
    if kind.__module__.partition(".")[0] in ("sympy", "mpmath"):
        return _plain_formula(value, depth)
    if callable(value):
        raise NotPlainError("the answer is a function; a value was expected (did you forget to call it?)")
    if isinstance(value, range | set | frozenset | type({}.values()) | map | filter | zip):
        raise NotPlainError(f"the answer is a {kind.__name__}; turn it into a list or an array")
    if hasattr(value, "toarray") or hasattr(
        value, "to_numpy"
    ):  # sparse matrices; tables and columns of pandas
        dense = value.toarray() if hasattr(value, "toarray") else value.to_numpy()
        return _plain(np.asarray(dense), depth + 1)
    raise NotPlainError(f"the answer is a {kind.__name__}; numbers or arrays were expected")


def _plain_formula(value: Any, depth: int) -> Any:
    import sympy

    if isinstance(value, sympy.MatrixBase | sympy.NDimArray):
        return _plain(value.tolist(), depth + 1)
    if isinstance(value, sympy.Tuple | sympy.FiniteSet):
        return _plain(tuple(value.args), depth + 1)
    if isinstance(value, sympy.Eq):
        raise NotPlainError("the answer is an equation; give its right-hand side alone")
    if type(value).__module__.startswith("mpmath"):
        return _plain(complex(value), depth + 1) if hasattr(value, "imag") else float(value)
    if not isinstance(value, sympy.Expr):
        raise NotPlainError(f"the answer is a sympy {type(value).__name__}; an expression was expected")
    return Expression(_bounded_text(str(value.doit())))


def encode(value: Any, *, readable: bool = False) -> Any:
    """Return plain data as a tree that JSON can carry; arrays keep every bit.

    Readable arrays are written as nested lists instead of base64, for files that people compare.
    """
    if isinstance(value, np.ndarray):
        return _encode_array(value, readable)
    if isinstance(value, Expression):
        return {"expression": value.text}
    if isinstance(value, tuple):
        return {"tuple": [encode(item, readable=readable) for item in value]}
    if isinstance(value, list):
        return [encode(item, readable=readable) for item in value]
    if isinstance(value, dict):
        return {"dict": {name: encode(item, readable=readable) for name, item in value.items()}}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    return value


def _encode_array(value: Any, readable: bool) -> dict[str, Any]:
    if readable and np.isfinite(value).all():
        return {"array": value.dtype.str, "shape": list(value.shape), "rows": value.tolist()}
    data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
    return {"array": value.dtype.str, "shape": list(value.shape), "data": data}


def decode(tree: Any) -> Any:
    """Return the plain data that `encode` made; anything else raises NotPlainError."""
    _require_few_values(tree, _encoded_contents)
    try:
        return _decode(tree, 0)
    except NotPlainError:
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
        raise NotPlainError(f"the answer could not be read ({type(error).__name__})") from None


def _decode(tree: Any, depth: int) -> Any:
    if type(tree) is float:  # most of what comes; a third of the time of the way below
        return tree
    if depth > MAX_DEPTH + 1:
        raise NotPlainError("the answer is nested too deeply")
    if isinstance(tree, list):
        return [_decode(item, depth + 1) for item in _bounded_items(tree)]
    if not isinstance(tree, dict):
        return _decode_scalar(tree)
    if "tuple" in tree:
        return tuple(_decode(item, depth + 1) for item in _bounded_items(tree["tuple"]))
    if "dict" in tree:
        return {_bounded_text(str(name)): _decode(item, depth + 1) for name, item in tree["dict"].items()}
    return _decode_leaf(tree)


def _bounded_items(items: Any) -> Any:
    if not isinstance(items, list) or len(items) > MAX_ITEMS:
        raise NotPlainError(f"the answer holds a list that cannot be read; at most {MAX_ITEMS} items are")
    return items


def _decode_scalar(value: Any) -> Any:
    if value is not None and type(value) not in (bool, int, float, str):
        raise NotPlainError("the answer could not be read")
    return _bounded_text(value) if isinstance(value, str) else _plain_number(value)


def _decode_leaf(tree: Mapping[str, Any]) -> Any:
    if "expression" in tree:
        return Expression(_bounded_text(str(tree["expression"])))
    if "float" in tree:
        return float(_bounded_text(str(tree["float"])))
    if tree["array"] not in ("<f8", "<i8", HALF.str):
        raise NotPlainError(f"an array of {str(tree['array'])[:20]!r} cannot be read")
    shape = _decode_shape(tree["shape"])
    if "rows" in tree:  # as keys spell arrays, so that a person can read and compare them
        return np.array(tree["rows"], dtype=tree["array"]).reshape(shape)
    data = base64.b64decode(tree["data"], validate=True)
    if len(data) > MAX_BYTES:
        raise NotPlainError(f"the answer is an array of {len(data)} bytes; at most {MAX_BYTES} are read")
    return np.frombuffer(data, dtype=tree["array"]).reshape(shape).copy()


def _decode_shape(sizes: Any) -> tuple[int, ...]:
    if not isinstance(sizes, list) or len(sizes) > 32 or not all(type(size) is int for size in sizes):
        raise NotPlainError("an array without a shape cannot be read")
    if any(size < 0 or size > MAX_BYTES for size in sizes):
        raise NotPlainError("an array with a negative or enormous size cannot be read")
    return tuple(sizes)
