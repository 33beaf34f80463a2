"""Answers as plain data: the only things that may travel between a student's code and a key.

`plain` turns what a student's code made into plain data or refuses it; `encode` and `decode`
carry plain data through JSON. Types are taken by identity, never by behaviour: an object that
merely acts like an array (or lies about being equal to one) is refused, and nothing is ever
unpickled or evaluated.

Plain data are: bool, int, float, str, `Expression` (the text of a formula), float and integer
arrays, and lists, tuples and string-keyed dicts of these.
"""

import base64
import binascii
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

MAX_BYTES = 8 * 2**20
MAX_DEPTH = 8
MAX_ITEMS = 10_000
MAX_TEXT = 20_000
ARRAY_KINDS = "biuf"


class NotPlainError(ValueError):
    """A value that cannot be an answer; the message is written for the student."""


@dataclass(frozen=True)
class Expression:
    """The text of a formula, such as `2*(a - b)`; parsed by `autograder.judging.expressions`, never evaluated."""

    text: str


def plain(value: Any, depth: int = 0) -> Any:
    """Return value as plain data, or raise NotPlainError saying what was found instead."""
    if depth > MAX_DEPTH:
        raise NotPlainError("the answer is nested too deeply")
    kind = type(value)
    if value is None or kind in (bool, int, float, Expression):
        return _bounded_number(value)
    if kind is str:
        return _bounded_text(value)
    if kind is np.ndarray:
        return _plain_array(value)
    if kind in (list, tuple, dict):
        return _plain_container(value, depth)
    return _plain_scalar(value)


def _bounded_number(value: Any) -> Any:
    if type(value) is int and value.bit_length() > 1000:
        raise NotPlainError("the answer holds a whole number of more than 300 digits")
    return value


def _bounded_text(value: str) -> str:
    if len(value) > MAX_TEXT:
        raise NotPlainError(f"the answer is a text of {len(value)} characters; at most {MAX_TEXT} are read")
    return value


def _plain_array(value: Any) -> Any:
    if value.dtype.kind == "O":  # sympy and Fraction entries arrive like this
        return plain(value.tolist())
    if value.dtype.kind not in ARRAY_KINDS:
        raise NotPlainError(f"the answer is an array of {value.dtype}; real numbers were expected")
    if value.nbytes > MAX_BYTES:
        raise NotPlainError(f"the answer is an array of {value.nbytes} bytes; at most {MAX_BYTES} are read")
    return np.array(value, dtype=np.float64 if value.dtype.kind == "f" else np.int64)


def _plain_container(value: Any, depth: int) -> Any:
    if len(value) > MAX_ITEMS:
        raise NotPlainError(f"the answer has {len(value)} items; at most {MAX_ITEMS} are read")
    if type(value) is dict:
        if not all(type(name) is str for name in value):
            raise NotPlainError("the answer is a dict whose keys are not all text")
        return {name: plain(item, depth + 1) for name, item in value.items()}
    return type(value)(plain(item, depth + 1) for item in value)


def _plain_scalar(value: Any) -> Any:
    kind = type(value)
    if kind is Fraction:
        return float(value)
    if kind.__module__ == "numpy" and isinstance(value, np.generic) and value.dtype.kind in ARRAY_KINDS:
        return value.item()
    if kind.__module__.partition(".")[0] == "sympy":
        return _plain_sympy(value)
    if callable(value):
        raise NotPlainError("the answer is a function; a value was expected (did you forget to call it?)")
    raise NotPlainError(f"the answer is a {kind.__name__}; numbers or arrays were expected")


def _plain_sympy(value: Any) -> Any:
    import sympy

    if isinstance(value, sympy.MatrixBase):
        rows = [[_plain_sympy(entry) for entry in row] for row in value.tolist()]
        return [row[0] for row in rows] if value.shape[1] == 1 else rows
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
    if isinstance(value, float) and not np.isfinite(value):
        return {"float": repr(value)}
    return value


def _encode_array(value: Any, readable: bool) -> dict[str, Any]:
    if readable:
        return {"array": value.dtype.str, "shape": list(value.shape), "rows": value.tolist()}
    data = base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()
    return {"array": value.dtype.str, "shape": list(value.shape), "data": data}


def decode(tree: Any) -> Any:
    """Return the plain data that `encode` made; anything else raises NotPlainError."""
    try:
        return plain(_decode(tree, 0))
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error) as error:
        if isinstance(error, NotPlainError):
            raise
        raise NotPlainError(f"the answer could not be read ({type(error).__name__})") from None


def _decode(tree: Any, depth: int) -> Any:
    if depth > MAX_DEPTH + 1:
        raise NotPlainError("the answer is nested too deeply")
    if isinstance(tree, list):
        return [_decode(item, depth + 1) for item in tree]
    if not isinstance(tree, dict):
        return tree
    if "tuple" in tree:
        return tuple(_decode(item, depth + 1) for item in tree["tuple"])
    if "dict" in tree:
        return {str(name): _decode(item, depth + 1) for name, item in tree["dict"].items()}
    return _decode_leaf(tree)


def _decode_leaf(tree: dict[str, Any]) -> Any:
    if "expression" in tree:
        return Expression(_bounded_text(str(tree["expression"])))
    if "float" in tree:
        return float(tree["float"])
    if tree["array"] not in ("<f8", "<i8"):
        raise NotPlainError(f"an array of {tree['array']!r} cannot be read")
    shape = tuple(int(size) for size in tree["shape"])
    if any(size < 0 for size in shape):
        raise NotPlainError("an array with a negative size cannot be read")
    if "rows" in tree:  # as keys spell arrays, so that a person can read and compare them
        return np.array(tree["rows"], dtype=tree["array"]).reshape(shape)
    data = base64.b64decode(tree["data"], validate=True)
    return np.frombuffer(data, dtype=tree["array"]).reshape(shape).copy()
