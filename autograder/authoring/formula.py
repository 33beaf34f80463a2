"""Trace a program on symbols to obtain its formula.

The programs of a formula task compute with numpy on sample points. Arrays of objects let the same code run on symbols.
A program that needs numbers (a comparison, a decomposition) cannot be written as a formula.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

MAX_FRACTION_DENOMINATOR = 1000  # other floats are not numbers that a student would write
MAX_TYPED_CHARACTERS = 400  # of a formula that a student types
NUMPY_FUNCTIONS = ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh")


class NotAFormulaError(Exception):
    """A program that cannot be run on symbols."""


def write_formula(way: Callable[..., object] | str, symbols: Iterable[str]) -> str:
    """Return the Python text that a student types for a program.

    A program with several parts gives a tuple of texts.
    """
    if isinstance(way, str):
        return repr(way)
    arrays = [np.array([_Traced(sp.Symbol(name, real=True))], dtype=object) for name in symbols]
    try:
        parts = [str(_expression(part)) for part in np.asarray(way(*arrays), dtype=object).ravel()]
    except Exception as error:  # numpy and sympy raise many types of exceptions for symbols
        raise NotAFormulaError(f"{type(error).__name__}: {error}") from error
    if sum(map(len, parts)) > MAX_TYPED_CHARACTERS:
        raise NotAFormulaError(f"the formula has more than {MAX_TYPED_CHARACTERS} characters")
    return repr(parts[0]) if len(parts) == 1 else repr(tuple(parts))


class _Traced:
    """A real number that is known only as an expression."""

    def __init__(self, expression: sp.Expr) -> None:
        self.expression = expression

    def __float__(self) -> float:
        raise NotAFormulaError(f"{self.expression} is no number")

    def __bool__(self) -> bool:
        raise NotAFormulaError(f"{self.expression} is no number")

    def __neg__(self) -> "_Traced":
        return _Traced(-self.expression)

    def __pos__(self) -> "_Traced":
        return self

    def __abs__(self) -> "_Traced":
        return _Traced(sp.Abs(self.expression))

    def conjugate(self) -> "_Traced":
        """Return the number itself, which is real."""
        return self

    def hypot(self, other: object) -> "_Traced":
        """Return the length of a vector of two entries."""
        return _Traced(sp.sqrt(self.expression**2 + _expression(other) ** 2))

    def expm1(self) -> "_Traced":
        """Return exp(x) - 1."""
        return _Traced(sp.exp(self.expression) - 1)


def _operation(name: str, *, reflected: bool) -> Callable[[_Traced, object], object]:
    """Return the method of a binary operator on expressions."""

    def method(self: _Traced, other: object) -> object:
        if isinstance(other, np.ndarray):
            return NotImplemented
        pair: Sequence[sp.Expr] = (self.expression, _expression(other))
        left, right = reversed(pair) if reflected else pair
        return _Traced(getattr(left, f"__{name}__")(right))

    return method


def _function(name: str) -> Callable[[_Traced], _Traced]:
    """Return the method that numpy calls for this function on objects."""
    return lambda self: _Traced(getattr(sp, name)(self.expression))


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(_Traced, f"__{_name}__", _operation(_name, reflected=False))
    setattr(_Traced, f"__r{_name}__", _operation(_name, reflected=True))
for _name in NUMPY_FUNCTIONS:
    setattr(_Traced, _name, _function(_name))


def _expression(value: Any) -> sp.Expr:
    """Return a value as an exact expression.

    Floats become fractions, or fractions of √2, √3 or π.
    """
    if isinstance(value, _Traced):
        return value.expression
    number = float(value)
    for unit in (sp.Integer(1), sp.sqrt(2), sp.sqrt(3), sp.pi):
        fraction = Fraction(number / float(unit)).limit_denominator(MAX_FRACTION_DENOMINATOR)
        if math.isclose(float(fraction) * float(unit), number, rel_tol=1e-14, abs_tol=1e-300):
            return sp.Rational(fraction.numerator, fraction.denominator) * unit
    raise NotAFormulaError(f"{number} is not a simple fraction")
