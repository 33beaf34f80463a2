"""Formulas given as text: read with a small grammar of our own and evaluated at sample points.

Two formulas that agree at several points nobody chose are the same formula, whatever their
algebraic form (the Schwartz–Zippel argument), so equality of answers needs no simplification
and cannot hang. The text is parsed by Python's own parser, but only numbers, symbols, arithmetic
and a few named functions are accepted; nothing is ever executed.
"""

import ast
import threading
from collections.abc import Callable, Mapping
from typing import Any

import mpmath

from autograder.answers.values import NotPlainError

DIGITS = 40
MAX_NODES = 4_000
MAX_POWER = 10_000
LARGEST = 1e300

# Numbers of our own precision: mpmath's shared one belongs to the student's notebook, and to every thread at once.
NUMBERS = mpmath.MPContext()
NUMBERS.dps = DIGITS

_PARSING = (
    threading.Lock()
)  # Python's own parser may fail with a SystemError when two threads use it (gh-106905)

FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "sqrt": NUMBERS.sqrt,
    "exp": NUMBERS.exp,
    "log": NUMBERS.log,
    "sin": NUMBERS.sin,
    "cos": NUMBERS.cos,
    "tan": NUMBERS.tan,
    "Abs": abs,
    "abs": abs,
    "gamma": NUMBERS.gamma,
}
CONSTANTS: Mapping[str, Any] = {"pi": NUMBERS.pi, "E": NUMBERS.e}


def evaluate(text: str, point: Mapping[str, float]) -> float:
    """Return the value of the formula at the point, or raise NotPlainError saying what is not understood."""
    tree = _parse(text)
    try:
        value = _value(tree, {name: NUMBERS.mpf(number) for name, number in point.items()})
        if isinstance(value, NUMBERS.mpc) and abs(value.imag) > NUMBERS.mpf(10) ** (10 - DIGITS):
            return float("nan")
        return float(NUMBERS.re(value))
    except (ZeroDivisionError, OverflowError, ValueError) as error:
        if isinstance(error, NotPlainError):
            raise
        return float("nan")


def _parse(text: str) -> ast.expr:
    try:
        with _PARSING:
            tree = ast.parse(text.replace("^", "**"), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotPlainError(
            f"the formula {text[:80]!r} cannot be read; write it as in 2*(a - b)**2"
        ) from None
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        raise NotPlainError("the formula is too long to be read")
    return tree.body


def _value(node: ast.expr, point: Mapping[str, Any]) -> Any:
    value = _unbounded(node, point)
    if not abs(value) < LARGEST:  # beyond it, reducing an argument of sin or gamma takes for ever
        raise OverflowError
    return value


def _unbounded(node: ast.expr, point: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return NUMBERS.mpf(node.value)
    if isinstance(node, ast.Name):
        return _symbol(node.id, point)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        operand = _value(node.operand, point)
        return -operand if isinstance(node.op, ast.USub) else operand
    if isinstance(node, ast.BinOp):
        return _operation(node.op, _value(node.left, point), _value(node.right, point))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        return _function(node, point)
    raise NotPlainError(f"{ast.unparse(node)[:60]!r} cannot stand in a formula")


def _symbol(name: str, point: Mapping[str, Any]) -> Any:
    if name in point:
        return point[name]
    if name in CONSTANTS:
        return +CONSTANTS[name]
    raise NotPlainError(f"the symbol {name!r} is not one of {', '.join(point)}")


def _operation(operator: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right
    if isinstance(operator, ast.Div):
        return left / right
    if isinstance(operator, ast.Pow):
        if abs(right) > MAX_POWER:
            raise NotPlainError("a power in the formula is too large")
        return left**right
    raise NotPlainError(f"the operation {type(operator).__name__} cannot stand in a formula")


def _function(node: ast.Call, point: Mapping[str, Any]) -> Any:
    name = node.func.id  # type: ignore[attr-defined]  # the caller has checked that it is a Name
    if name not in FUNCTIONS or node.keywords:
        raise NotPlainError(f"the function {name!r} is not one of {', '.join(sorted(set(FUNCTIONS)))}")
    return FUNCTIONS[name](_value(node.args[0], point))
