"""Formulas given as text: parse them and evaluate them at sample points.

Two formulas that agree at several random points are the same formula (Schwartz–Zippel lemma). So equality needs no
simplification and always terminates. Python's own parser reads the text. Only numbers, symbols, arithmetic,
comparisons and named functions are accepted, and nothing is executed. Nodes, depth, and the magnitude of every
intermediate value are bounded. While grading, a separate process evaluates (`autograder.judging.formula_process`), so
that it can be killed.
"""

import ast
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from autograder.answers.values import MAX_TEXT_CHARACTERS, UnsupportedAnswerError
from autograder.judging.products import with_powers_last, with_products, with_spaced_products
from autograder.judging.python_source import parse_expression
from autograder.judging.typed import UNFINISHED, spelled

MPMATH_DIGITS = 40
MAX_NODES = 4_000
MAX_FORMULA_DEPTH = 250
MAX_POWER = 10_000
MAX_EVALUATION_STEPS = 1_000
NO_FORMULA = ("#", "\\")  # Python would ignore what follows
BARS = re.compile(r"\|([^|]+)\|")  # as on paper: |a − b|
BARE_ARGUMENT = re.compile(r"(?<![\w.])(sin|cos|tan|exp|log|ln)[ \t]+\w")  # sin 2t
# how to write what cannot be read; the pages say the same (book/practice/read.mjs)
FORMULA_ADVICE = (
    (re.compile(r"\\"), "LaTeX is not read: write 1/2, sqrt(2), x**2"),
    (re.compile(r"°"), "angles are in radians: write 60*pi/180"),
    (re.compile(r"(?<![<>=!])=(?!=)"), "write only what stands to the right of ="),
)
FORMULA_TOO_LONG = "the formula is too long to be read"
MAX_SCALINGS, MAX_SCALAR_NODES = 4, 60  # of a list as in 2*(1, 2)/sqrt(5): each entry repeats the number
RAGGED_TABLE = "the answer is not a regular table: its rows have different lengths"
MAX_BINARY_EXPONENT = 1_000  # reducing a larger argument of sin or gamma takes minutes
MIN_BINARY_EXPONENT = -4_000  # smaller values count as zero

_numbers: list[Any] = []


def numbers() -> Any:
    """Return the mpmath context with our own precision.

    The shared context `mpmath.mp` belongs to the student's notebook and to all threads.
    It is created on first use, because importing mpmath takes longer than all other imports of a check.
    """
    if not _numbers:
        import mpmath

        context = mpmath.MPContext()
        context.dps = MPMATH_DIGITS
        _numbers.append(context)
    return _numbers[0]


class Evaluation(threading.local):
    """The function by which this thread evaluates formulas."""

    def __init__(self) -> None:
        """Evaluate in this process until another function is set."""
        self.values: Callable[[list[str], list[Mapping[str, float]]], list[list[float]]] = near_values


def near_values(texts: list[str], points: list[Mapping[str, float]]) -> list[list[float]]:
    """Evaluate each formula at the points, in this process."""
    symbols = tuple(points[0]) if points else ()
    return [values(parse(text, symbols), points) for text in texts]


def evaluate(text: str, point: Mapping[str, float]) -> float:
    """Return the value of a formula at one point.

    Raise UnsupportedAnswerError, which says what is not understood.
    """
    return values(parse(text, tuple(point)), [point])[0]


def values(tree: ast.expr, points: list[Mapping[str, float]]) -> list[float]:
    """Evaluate a parsed formula at the points, NaN where not real."""
    return [_real_value(tree, point) for point in points]


def _real_value(tree: ast.expr, point: Mapping[str, float]) -> float:
    mp = numbers()
    try:
        value = _value(tree, {name: mp.mpf(number) for name, number in point.items()})
        if isinstance(value, bool):
            raise UnsupportedAnswerError("a comparison is no formula: its value is true or false")
        if isinstance(value, mp.mpc) and abs(value.imag) > mp.mpf(10) ** (10 - MPMATH_DIGITS) * (
            1 + abs(value.real)
        ):
            return float("nan")
        return float(mp.re(value))
    except UnsupportedAnswerError:
        raise
    except (RecursionError, MemoryError):
        raise UnsupportedAnswerError(FORMULA_TOO_LONG) from None
    except (ArithmeticError, ValueError, NotImplementedError, TypeError, AttributeError):
        return float("nan")


evaluation = Evaluation()


def parse(text: str, symbols: Sequence[str] = ()) -> ast.expr:
    """Parse a formula into a tree of bounded size.

    Raise UnsupportedAnswerError with a message for the student.
    """
    unfinished = UNFINISHED.search(text)
    if unfinished and len(text) <= MAX_TEXT_CHARACTERS:
        raise UnsupportedAnswerError(
            f"{unfinished[0][:80]!r} has no exponent; write it as in 1e-3, and Euler's number as in 2*e"
        )
    try:
        source = BARS.sub(r"abs(\1)", spelled(with_spaced_products(with_powers_last(text), KNOWN)))
        if any(sign in source for sign in NO_FORMULA):
            raise ValueError
        if len(source) <= MAX_TEXT_CHARACTERS:
            source = with_products(source, symbols, KNOWN) if symbols else source
        tree = parse_expression(source)
    except UnsupportedAnswerError:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        advice = _advice(text[:MAX_TEXT_CHARACTERS])
        raise UnsupportedAnswerError(f"{text[:80]!r} cannot be read as a formula; {advice}") from None
    _require_small(tree)
    return tree


def _advice(text: str) -> str:
    """Return how to write a formula that cannot be read."""
    if bare := BARE_ARGUMENT.search(text):
        return f"write {bare[1]}(...)"
    return next((words for sign, words in FORMULA_ADVICE if sign.search(text)), "write it as in 2*(a - b)**2")


def _require_small(tree: ast.expr) -> None:
    nodes, level, depth = 0, [tree], 0
    while level:  # level by level, because recursion overflows on a deep tree
        nodes, depth = nodes + len(level), depth + 1
        if nodes > MAX_NODES or depth > MAX_FORMULA_DEPTH:
            raise UnsupportedAnswerError(FORMULA_TOO_LONG)
        level = [child for node in level for child in ast.iter_child_nodes(node)]  # type: ignore[misc]


def list_entries(tree: ast.expr, depth: int = 0) -> list[ast.expr] | None:
    """Return the entries of a tuple, list or matrix, else None.

    A list may be transposed or have a sign, a factor or a divisor, as in (1, 2)/sqrt(5).
    """
    if isinstance(tree, ast.Tuple | ast.List):
        return list(tree.elts)
    if isinstance(tree, ast.Call):
        is_matrix = isinstance(tree.func, ast.Name) and tree.func.id in ("Matrix", "array")
        return list_entries(tree.args[0], depth) if is_matrix and len(tree.args) == 1 else None
    if depth > MAX_SCALINGS:
        return None
    if isinstance(tree, ast.UnaryOp):
        return _signed_entries(tree, depth + 1)
    return _scaled_entries(tree, depth + 1) if isinstance(tree, ast.BinOp) else None


def _signed_entries(tree: ast.UnaryOp, depth: int) -> list[ast.expr] | None:
    entries = list_entries(tree.operand, depth)
    return entries and [ast.UnaryOp(tree.op, entry) for entry in entries]


def _scaled_entries(tree: ast.BinOp, depth: int) -> list[ast.expr] | None:
    """Return the entries of a list times or over a number, or transposed."""
    left, right = list_entries(tree.left, depth), list_entries(tree.right, depth)
    if left and _is_transposition(tree):
        return _transposed(left)
    if left is not None and right is None:
        return _times_right(left, tree)
    return _times_left(tree, right) if left is None and right is not None else None


def _times_right(entries: list[ast.expr], tree: ast.BinOp) -> list[ast.expr] | None:
    if not isinstance(tree.op, ast.Mult | ast.Div) or not _is_short(tree.right):
        return None
    return [ast.BinOp(entry, tree.op, tree.right) for entry in entries]


def _times_left(tree: ast.BinOp, entries: list[ast.expr]) -> list[ast.expr] | None:
    if not isinstance(tree.op, ast.Mult) or not _is_short(tree.left):
        return None
    return [ast.BinOp(tree.left, tree.op, entry) for entry in entries]


def _is_short(scalar: ast.expr) -> bool:
    return len(list(ast.walk(scalar))) <= MAX_SCALAR_NODES


def _is_transposition(tree: ast.BinOp) -> bool:
    """Return whether the operation is …**T, to which .T was changed."""
    return isinstance(tree.op, ast.Pow) and isinstance(tree.right, ast.Name) and tree.right.id == "T"


def _transposed(rows: list[ast.expr]) -> list[ast.expr] | None:
    """Return the columns of a table; a flat list stays as it is."""
    entries = [list_entries(row) for row in rows]
    if all(row is None for row in entries):
        return rows
    tables = [row for row in entries if row is not None]
    if len({len(row) for row in tables}) > 1 or len(tables) < len(rows):
        raise UnsupportedAnswerError(RAGGED_TABLE)
    return [ast.List(list(column), ast.Load()) for column in zip(*tables, strict=True)]


def expression_text(node: ast.expr) -> str:
    """Return a part of a formula as text.

    Raise UnsupportedAnswerError if it is nested too deeply to be printed.
    """
    try:
        return ast.unparse(node)
    except RecursionError:
        raise UnsupportedAnswerError(FORMULA_TOO_LONG) from None


def _value(node: ast.expr, point: Mapping[str, object]) -> Any:
    value = _unbounded(node, point)
    if isinstance(value, bool):
        return value
    magnitude = numbers().mag(value)
    if magnitude > MAX_BINARY_EXPONENT or value != value:
        raise OverflowError
    return value if magnitude >= MIN_BINARY_EXPONENT else numbers().zero


def _unbounded(node: ast.expr, point: Mapping[str, object]) -> object:
    if isinstance(node, ast.Constant):
        return _constant(node)
    if isinstance(node, ast.Name):
        return _symbol(node.id, point)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        operand = _value(node.operand, point)
        return -operand if isinstance(node.op, ast.USub) else operand
    if isinstance(node, ast.BinOp):
        return _operation(node.op, _value(node.left, point), _value(node.right, point))
    if isinstance(node, ast.Compare | ast.BoolOp):
        return _condition(node, point)
    if isinstance(node, ast.Call):
        return _function(node, point)
    raise UnsupportedAnswerError(f"{expression_text(node)[:60]!r} cannot stand in a formula")


def _constant(node: ast.Constant) -> Any:
    if type(node.value) is bool:
        return node.value
    if type(node.value) in (int, float):
        return numbers().mpf(node.value)
    raise UnsupportedAnswerError(f"{expression_text(node)[:60]!r} cannot stand in a formula")


def _symbol(name: str, point: Mapping[str, object]) -> object:
    if name in point:
        return point[name]
    if name in NAMED_CONSTANTS:
        return NAMED_CONSTANTS[name](numbers())
    if name in FORMULA_FUNCTIONS:
        raise UnsupportedAnswerError(f"the function {name!r} needs brackets: write {name}(...)")
    if not point:
        raise UnsupportedAnswerError(f"a number was expected, not {name[:60]!r}")
    raise UnsupportedAnswerError(
        f"the symbol {name[:60]!r} is not one of {', '.join(point)}; write a product with *, as in a*b"
    )


def _operation(operator: ast.operator, left: Any, right: Any) -> object:
    if isinstance(operator, ast.Pow) and abs(right) > MAX_POWER:
        raise UnsupportedAnswerError("a power in the formula is too large")
    function = OPERATIONS.get(type(operator))
    if function is None:
        raise UnsupportedAnswerError(f"the operation {type(operator).__name__} cannot stand in a formula")
    return function(left, right)


def _condition(node: ast.Compare | ast.BoolOp, point: Mapping[str, object]) -> bool:
    if isinstance(node, ast.BoolOp):
        together = all if isinstance(node.op, ast.And) else any
        return together([bool(_value(part, point)) for part in node.values])
    sides = [_value(side, point) for side in (node.left, *node.comparators)]
    pairs = zip(sides, node.ops, sides[1:], strict=False)
    return all(bool(COMPARISONS[type(operator)](left, right)) for left, operator, right in pairs)


def _function(node: ast.Call, point: Mapping[str, object]) -> object:
    name = (node.func.id if isinstance(node.func, ast.Name) else expression_text(node.func))[:60]
    if name == "Piecewise" and not node.keywords:
        return _piecewise(node, point)
    if name not in FORMULA_FUNCTIONS or node.keywords:
        raise UnsupportedAnswerError(
            f"the function {name!r} is not known; write a product with *, as in a*(b + c), and functions as in sqrt(2)"
        )
    least, most, function = FORMULA_FUNCTIONS[name]
    if not least <= len(node.args) <= most:
        raise UnsupportedAnswerError(f"{expression_text(node)[:60]!r} has the wrong number of arguments")
    return function(numbers(), *(_value(argument, point) for argument in node.args))


def _piecewise(node: ast.Call, point: Mapping[str, object]) -> object:
    """Return the value of the first pair whose condition holds."""
    for pair in node.args:
        if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
            raise UnsupportedAnswerError("Piecewise takes pairs (value, condition)")
        if _value(pair.elts[1], point):
            return _value(pair.elts[0], point)
    raise ArithmeticError  # no condition holds, so there is no value


def _require_truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise UnsupportedAnswerError("`&` and `|` join conditions, as in (a > 0) & (b > 0)")
    return value


def _root(mp: Any, x: Any, n: Any) -> object:
    return mp.root(x, int(n)) if n == int(n) and abs(n) < MAX_POWER else x ** (1 / n)


def _polygamma(mp: Any, n: Any, x: Any) -> object:
    """Return the polygamma function, NaN where evaluating it takes too long.

    mpmath steps by one from a negative argument towards zero.
    """
    return mp.psi(n, x) if n in range(20) and mp.re(x) > -MAX_EVALUATION_STEPS else mp.nan


def _log(mp: Any, x: Any, base: Any = None) -> object:
    return mp.log(x) if base is None else mp.log(x) / mp.log(base)


NAMED_CONSTANTS: Mapping[str, Callable[[Any], Any]] = {
    "pi": lambda mp: +mp.pi,
    "E": lambda mp: +mp.e,
    "e": lambda mp: +mp.e,
    "I": lambda mp: mp.mpc(0, 1),
    "oo": lambda mp: mp.inf,
    "EulerGamma": lambda mp: +mp.euler,
    "GoldenRatio": lambda mp: +mp.phi,
}
OPERATIONS: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
    ast.Pow: lambda left, right: left**right,
    ast.BitAnd: lambda left, right: (
        _require_truth(left) and _require_truth(right)
    ),  # how sympy writes "and" and "or"
    ast.BitOr: lambda left, right: _require_truth(left) or _require_truth(right),
}
COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: lambda left, right: left < right,
    ast.LtE: lambda left, right: left <= right,
    ast.Gt: lambda left, right: left > right,
    ast.GtE: lambda left, right: left >= right,
    ast.Eq: lambda left, right: left == right,
    ast.NotEq: lambda left, right: left != right,
}


def _functions_of_one_argument(*names: str) -> dict[str, tuple[int, int, Callable[..., object]]]:
    """Return functions of one argument that mpmath has under the same name."""
    return {name: (1, 1, lambda mp, x, name=name: getattr(mp, name)(x)) for name in names}


FORMULA_FUNCTIONS: Mapping[
    str, tuple[int, int, Callable[..., object]]
] = {  # fewest and most arguments, the function
    **_functions_of_one_argument(
        "sqrt",
        "cbrt",
        "exp",
        "sin",
        "cos",
        "tan",
        "sec",
        "csc",
        "cot",
        "asin",
        "acos",
        "atan",
        "acot",
        "asec",
    ),
    **_functions_of_one_argument(
        "acsc", "sinh", "cosh", "tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh", "gamma", "loggamma"
    ),
    **_functions_of_one_argument(
        "digamma", "erf", "erfc", "factorial", "floor", "re", "im", "arg", "expm1", "log1p"
    ),
    "log": (1, 2, _log),
    "ln": (1, 1, _log),
    "log10": (1, 1, lambda mp, x: mp.log(x, 10)),
    "log2": (1, 1, lambda mp, x: mp.log(x, 2)),
    "exp_polar": (1, 1, lambda mp, x: mp.exp(x)),
    "Abs": (1, 1, lambda mp, x: abs(x)),
    "abs": (1, 1, lambda mp, x: abs(x)),
    "sign": (1, 1, lambda mp, x: mp.sign(x)),
    "ceiling": (1, 1, lambda mp, x: mp.ceil(x)),
    "ceil": (1, 1, lambda mp, x: mp.ceil(x)),
    "conjugate": (1, 1, lambda mp, x: mp.conj(x)),
    "Heaviside": (
        1,
        2,
        lambda mp, x, at=None: (mp.mpf("0.5") if at is None else at) if x == 0 else mp.mpf(x > 0),
    ),
    "KroneckerDelta": (2, 2, lambda mp, i, j: mp.mpf(i == j)),
    "polygamma": (2, 2, _polygamma),
    "beta": (2, 2, lambda mp, x, y: mp.beta(x, y)),
    "binomial": (2, 2, lambda mp, n, k: mp.binomial(n, k)),
    "atan2": (2, 2, lambda mp, y, x: mp.atan2(y, x)),
    "root": (2, 2, _root),
    "Pow": (2, 2, lambda mp, x, y: _operation(ast.Pow(), x, y)),
    "Mod": (2, 2, lambda mp, x, y: mp.nan if isinstance(x, mp.mpc) or isinstance(y, mp.mpc) else x % y),
    "Rational": (1, 2, lambda mp, p, q=1: p / q),
    "Fraction": (1, 2, lambda mp, p, q=1: p / q),
    "Integer": (1, 1, lambda mp, x: x),
    "Float": (1, 1, lambda mp, x: x),
    "Eq": (2, 2, lambda mp, x, y: bool(x == y)),
    "Ne": (2, 2, lambda mp, x, y: bool(x != y)),
    "Max": (1, 50, lambda mp, *xs: max(xs)),
    "Min": (1, 50, lambda mp, *xs: min(xs)),
    "max": (1, 50, lambda mp, *xs: max(xs)),
    "min": (1, 50, lambda mp, *xs: min(xs)),
}
KNOWN = frozenset(
    {
        *NAMED_CONSTANTS,
        *FORMULA_FUNCTIONS,
        "Piecewise",
        "Matrix",
        "array",
        "True",
        "False",
        "and",
        "or",
        "not",
    }
)
