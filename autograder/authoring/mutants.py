"""Mutants: correct programs with one mistake that a student could make.

`mutants` changes one place of a function: a factor left out, the other axis, one too many kept. Each edit has a word.
Edits with a sentence in `autograder.judging.slips` can be named to a student. `assuming` adds a line that makes an
argument sorted, non-negative, square or whole: the mutant then silently assumes this property. Both show which mistakes
the cases of a task do not notice.
"""

import ast
import contextlib
import copy
import inspect
import itertools
import textwrap
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

AnyFunction = Callable[..., Any]
ExpressionEdit = tuple[str, ast.expr]


@dataclass(frozen=True)
class Mutant:
    """A changed program, with the word for its change.

    `position` counts all changes of the original program.
    """

    word: str
    function: AnyFunction
    position: int = 0


CONFUSED = {  # a library function → functions that it is confused with, each with the words for a message
    "mean": (
        ("sum", "a sum is not divided by the number of its terms"),
        ("median", "the median is taken for the mean"),
    ),
    "sum": (
        ("mean", "a mean is taken where a sum is meant"),
        ("max", "the largest is taken where a sum is meant"),
    ),
    "max": (
        ("min", "the smallest is taken for the largest"),
        ("sum", "a sum is taken where the largest is meant"),
    ),
    "min": (("max", "the largest is taken for the smallest"),),
    "var": (("std", "a standard deviation is taken for a variance"),),
    "std": (("var", "a variance is taken for a standard deviation"),),
    "argmax": (("argmin", "the smallest is chosen instead of the largest"),),
    "argmin": (("argmax", "the largest is chosen instead of the smallest"),),
    "sin": (("cos", "a cosine is taken for a sine"),),
    "cos": (("sin", "a sine is taken for a cosine"),),
    "log": (("log10", "a logarithm to base ten is taken"), ("log2", "a logarithm to base two is taken")),
    "prod": (("sum", "a sum is taken for a product"),),
    "ceil": (("floor", "a number is rounded down instead of up"),),
    "floor": (("ceil", "a number is rounded up instead of down"),),
    "det": (("trace", "a trace is taken for a determinant"),),
    "trace": (("det", "a determinant is taken for a trace"),),
    "cumsum": (("cumprod", "products are accumulated instead of sums"),),
    "triu": (("tril", "the lower triangle is taken for the upper"),),
    "inv": (("transpose", "a transpose is taken for an inverse"),),
    "pinv": (("transpose", "a transpose is taken for an inverse"),),
}
OMITTED_CALLS = {  # a call that may be left out, with the words for a message
    "sqrt": "a square root is left out",
    "abs": "an absolute value is left out",
    "norm": "a vector is put for its length",
    "exp": "an exponential is left out",
    "log": "a logarithm is left out",
    "square": "a square is left out",
    "sort": "a list is left in its old order",
    "cumsum": "entries are put for their running totals",
    "diag": "a diagonal is put for a matrix, or a matrix for its diagonal",
    "inv": "an inverse is left out",
    "pinv": "an inverse is left out",
    "maximum": "a lower bound is left out",
    "minimum": "an upper bound is left out",
}
ASSUMPTIONS = {  # properties that a program may assume of an argument x
    "non-negative": "np.abs({x})",
    "sorted": "np.sort({x}, axis=0)",
    "sorted downwards": "-np.sort(-np.asarray({x}), axis=0)",
    "whole": "np.trunc({x})",
    "without repeated rows": "np.unique({x}, axis=0)",
    "square": "{x}[:min({x}.shape), :min({x}.shape)]",
    "without its last row": "{x}[:-1]",
    "without its last column": "{x}[:, :-1]",
    "without its first row": "{x}[1:]",
    "symmetric": "({x} + {x}.T) / 2",
    "diagonal": "np.diag(np.diag({x}))",
    "of length one": "{x} / np.linalg.norm({x})",
    "at most one": "np.minimum({x}, 1)",
    "without tiny entries": "np.where(np.abs({x}) < 1e-6, 0, {x})",
    "of three rows": "{x}[:3]",
    "of two columns": "{x}[:, :2]",
    "zero": "0 * {x}",
    "one": "0 * {x} + 1",
    "two": "0 * {x} + 2",
}
SORTS = ("argsort", "sort", "sorted")
INDEX_WORDS = {"number one more": "next entry taken", "number one less": "entry before taken"}  # of an index
TURNED = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
STRICT = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


def mutants(function: AnyFunction, positions: Collection[int] | None = None) -> Iterator[Mutant]:
    """Yield every function that differs by one edit.

    `positions` selects some of them.
    """
    tree = tree_of(function)
    if tree is None:
        return
    changes = itertools.chain(_edit_expressions(tree), _return_early(tree), _skip_steps(tree))
    for position, (word, place, new) in enumerate(changes):
        if positions is not None and position not in positions:
            continue
        with place.holding(new):
            mutant = compile_function(tree, function)
        if mutant is not None:
            yield Mutant(word, mutant, position)


def assuming(function: AnyFunction) -> Iterator[Mutant]:
    """Yield functions that assume a property of one argument."""
    tree = tree_of(function)
    if tree is None:
        return
    for argument in [parameter.arg for parameter in _definition(tree).args.args]:
        for what, text in ASSUMPTIONS.items():
            changed = copy.deepcopy(tree)
            _definition(changed).body.insert(0, ast.parse(f"{argument} = {text.format(x=argument)}").body[0])
            mutant = compile_function(changed, function)
            if mutant is not None:
                yield Mutant(f"took {argument} for {what}", mutant)


def tree_of(function: AnyFunction) -> ast.Module | None:
    """Return the syntax tree of a function; None without source.

    Docstring, annotations and decorators are removed.
    """
    try:
        tree = ast.parse(textwrap.dedent(getattr(function, "source", None) or inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return None
    if not tree.body or not isinstance(tree.body[0], ast.FunctionDef):
        return None
    definition = _definition(tree)
    definition.decorator_list, definition.returns = [], None
    for argument in (*definition.args.args, *definition.args.kwonlyargs):
        argument.annotation = None
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:] or [ast.Pass()]
    return tree


def _definition(tree: ast.Module) -> ast.FunctionDef:
    assert isinstance(tree.body[0], ast.FunctionDef)
    return tree.body[0]


def compile_function(tree: ast.Module, like: AnyFunction) -> AnyFunction | None:
    """Compile a changed tree with the globals of the original function.

    Return None if it does not compile.
    """
    names = {**getattr(like, "__globals__", {})}
    if "np" not in names:
        import numpy

        names["np"] = numpy
    try:
        with warnings.catch_warnings():  # the compiler warns about odd code
            warnings.simplefilter("ignore")
            exec(compile(ast.fix_missing_locations(tree), "<mutant>", "exec"), names)
    except (SyntaxError, ValueError, TypeError, AttributeError):
        return None
    compiled: AnyFunction = names[_definition(tree).name]
    return compiled


@dataclass(frozen=True)
class SyntaxPlace:
    """The place of a node: a field or a list item."""

    holder: ast.AST | list[Any]
    key: str | int

    def put(self, node: object) -> None:
        """Put a node in this place."""
        if isinstance(self.holder, list):
            self.holder[int(self.key)] = node
        else:
            setattr(self.holder, str(self.key), node)

    @property
    def node(self) -> Any:
        """Return the node in this place."""
        return (
            self.holder[int(self.key)]
            if isinstance(self.holder, list)
            else getattr(self.holder, str(self.key))
        )

    @contextlib.contextmanager
    def holding(self, node: object) -> Iterator[None]:
        """Put a node in this place until the context exits.

        Copying the whole tree for each edit takes longer than compiling it.
        """
        before = self.node
        self.put(node)
        try:
            yield
        finally:
            self.put(before)


def _places(tree: ast.AST) -> Iterator[SyntaxPlace]:
    """Yield the places of all nodes below a node."""
    for holder in ast.walk(tree):
        for name, value in ast.iter_fields(holder):
            if isinstance(value, list):
                yield from (SyntaxPlace(value, position) for position in range(len(value)))
            else:
                yield SyntaxPlace(holder, name)


MutantChange = tuple[str, SyntaxPlace, Any]  # the word for it, where, and what stands there instead


def _edit_expressions(tree: ast.Module) -> Iterator[MutantChange]:
    sorted_values = _sorted_values(tree)
    for place in list(_places(_definition(tree))):
        if isinstance(place.node, ast.expr):
            is_index = isinstance(place.holder, ast.Subscript) and place.key == "slice"
            for word, new in _wrong_versions(place.node):
                if word == "minus left out" and id(place.node) in sorted_values:
                    word = "order not reversed"  # argsort(-x) is an order, not a sign
                yield INDEX_WORDS.get(word, word) if is_index else word, place, new


def _sorted_values(tree: ast.Module) -> set[int]:
    """Return the ids of the arguments of functions that sort."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and called_name(node) in SORTS]
    return {id(argument) for call in calls for argument in call.args}


def _wrong_versions(node: ast.expr) -> Iterator[ExpressionEdit]:
    """Yield every wrong version of one expression."""
    for kind, edit in _BY_KIND:
        if isinstance(node, kind):
            yield from edit(node)


def _arithmetic(node: ast.BinOp) -> Iterator[ExpressionEdit]:
    left, right, operator = node.left, node.right, type(node.op)
    if operator in (ast.Add, ast.Sub):
        yield "term left out", left
        yield "term left out", right
        yield "sign turned", ast.BinOp(left, ast.Sub() if operator is ast.Add else ast.Add(), right)
    if operator is ast.Sub:
        yield "sides of a difference exchanged", ast.BinOp(right, ast.Sub(), left)
    if operator in (ast.Mult, ast.MatMult):
        yield "factor left out", left
        yield "factor left out", right
    if operator is ast.Div:
        yield "divisor left out", left
        yield "fraction turned", ast.BinOp(right, ast.Div(), left)
    yield from _power(node) if operator is ast.Pow else ()
    yield from _matrix_product(left, right) if operator is ast.MatMult else ()
    yield from _brackets_lost(node) if operator in (ast.Div, ast.Sub, ast.Mult) else ()


def _brackets_lost(node: ast.BinOp) -> Iterator[ExpressionEdit]:
    left = node.left
    if isinstance(left, ast.BinOp) and isinstance(left.op, ast.Add | ast.Sub):
        yield "brackets lost", ast.BinOp(left.left, left.op, ast.BinOp(left.right, node.op, node.right))


def _power(node: ast.BinOp) -> Iterator[ExpressionEdit]:
    yield "power left out", node.left
    if isinstance(node.right, ast.Constant) and isinstance(node.right.value, int):
        yield "another power", ast.BinOp(node.left, ast.Mult(), node.right)
        yield "another power", ast.BinOp(node.left, ast.Pow(), ast.Constant(node.right.value + 1))


def _matrix_product(left: ast.expr, right: ast.expr) -> Iterator[ExpressionEdit]:
    yield "factors in the other order", ast.BinOp(right, ast.MatMult(), left)
    yield "entrywise product", ast.BinOp(left, ast.Mult(), right)
    for side in (left, right):
        if not (isinstance(side, ast.Attribute) and side.attr == "T"):
            turned = ast.Attribute(side, "T", ast.Load())
            pair = (turned, right) if side is left else (left, turned)
            yield "transposed", ast.BinOp(pair[0], ast.MatMult(), pair[1])


def _sign(node: ast.UnaryOp) -> Iterator[ExpressionEdit]:
    if isinstance(node.op, ast.USub):
        yield "minus left out", node.operand


def _attribute(node: ast.Attribute) -> Iterator[ExpressionEdit]:
    if node.attr == "T":
        yield "transpose left out", node.value


def _constant(node: ast.Constant) -> Iterator[ExpressionEdit]:
    value = node.value
    if type(value) is int or (type(value) is float and abs(value) >= 1e-3):
        yield "number one more", ast.Constant(value + 1)
        # an index 0 becomes −1, the last entry, so it is not called one less
        yield ("number one less" if value else "minus one for zero"), ast.Constant(value - 1)
        if value not in (0, 1):
            yield "number doubled", ast.Constant(2 * value)
            yield "number halved", ast.Constant(value / 2)
    elif type(value) is float and value:
        yield "another tolerance", ast.Constant(value * 1e4)
        yield "another tolerance", ast.Constant(value * 1e-4)


def _comparison(node: ast.Compare) -> Iterator[ExpressionEdit]:
    operator = type(node.ops[0])
    if len(node.ops) == 1 and operator in TURNED:
        yield "test turned", ast.Compare(node.left, [TURNED[operator]()], node.comparators)
        if operator in STRICT:
            yield "test strict or not", ast.Compare(node.left, [STRICT[operator]()], node.comparators)
        everything = ast.BinOp(node, ast.BitOr(), ast.Constant(True))
        yield "test left out", everything
        yield "test left out", ast.BinOp(node, ast.BitAnd(), ast.Constant(False))


def _subscript(node: ast.Subscript) -> Iterator[ExpressionEdit]:
    if isinstance(node.ctx, ast.Store):
        return
    chosen = node.slice
    if isinstance(chosen, ast.Slice):
        for word, new in _slice(chosen):
            yield word, ast.Subscript(node.value, new, ast.Load())
    elif isinstance(chosen, ast.Tuple) and len(chosen.elts) == 2:
        yield (
            "rows taken for columns",
            ast.Subscript(node.value, ast.Tuple(chosen.elts[::-1], ast.Load()), ast.Load()),
        )
        yield from _slice_one_axis(node, chosen)
    elif not isinstance(chosen, ast.Constant):
        yield "choice left out", node.value


def _slice_one_axis(node: ast.Subscript, chosen: ast.Tuple) -> Iterator[ExpressionEdit]:
    for position, element in enumerate(chosen.elts):
        for word, new in _slice(element) if isinstance(element, ast.Slice) else ():
            elements = [new if axis == position else other for axis, other in enumerate(chosen.elts)]
            yield word, ast.Subscript(node.value, ast.Tuple(elements, ast.Load()), ast.Load())


def _slice(node: ast.Slice) -> Iterator[ExpressionEdit]:
    """Yield other slices: the other end, one more or fewer, all."""

    def moved(bound: ast.expr, by: int) -> ast.expr:
        return ast.BinOp(bound, ast.Add() if by > 0 else ast.Sub(), ast.Constant(1))

    lower, upper, step = node.lower, node.upper, node.step
    if step is not None:
        yield "order not reversed", ast.Slice(lower, upper, None)
    if lower is None and upper is not None:
        yield "the rest kept", ast.Slice(upper, None, step)
        yield "last ones kept", ast.Slice(ast.UnaryOp(ast.USub(), upper), None, step)
        yield "one more kept", ast.Slice(None, moved(upper, 1), step)
        yield "one fewer kept", ast.Slice(None, moved(upper, -1), step)
    if lower is not None and upper is None:
        yield "the rest kept", ast.Slice(None, lower, step)
        yield "one fewer kept", ast.Slice(moved(lower, 1), None, step)
        yield "one more kept", ast.Slice(moved(lower, -1), None, step)
    if (lower is not None or upper is not None) and step is None:
        yield "all kept", ast.Slice(None, None, None)


def _keyword(node: ast.Call, position: int) -> Iterator[ExpressionEdit]:
    """Yield the call without a keyword, and with the other axis."""
    name, value = node.keywords[position].arg, node.keywords[position].value
    others = [*node.keywords[:position], *node.keywords[position + 1 :]]
    word = "axis left out" if name == "axis" else "keyword left out"
    yield word, ast.Call(node.func, node.args, others)
    if name == "axis" and isinstance(value, ast.Constant) and value.value in (0, 1):
        turned = ast.keyword("axis", ast.Constant(1 - value.value))
        yield "the other axis", ast.Call(node.func, node.args, [*others, turned])


def _call(node: ast.Call) -> Iterator[ExpressionEdit]:
    name = called_name(node)
    yield from _another_function(node, name)
    yield from _call_left_out(node, name) if name in OMITTED_CALLS else ()
    for position in range(len(node.keywords)):
        yield from _keyword(node, position)
    if len(node.args) == 2 and not any(isinstance(argument, ast.Starred) for argument in node.args):
        yield "arguments exchanged", ast.Call(node.func, node.args[::-1], node.keywords)
    if name == "range" and len(node.args) == 1:
        yield from _range_of_one(node)


def _call_left_out(node: ast.Call, name: str) -> Iterator[ExpressionEdit]:
    if node.args or _is_method(node):
        inner = node.args[0] if node.args else node.func.value  # type: ignore[attr-defined]
        yield f"call left out|{OMITTED_CALLS[name]}", inner


def _range_of_one(node: ast.Call) -> Iterator[ExpressionEdit]:
    """Yield a range that is one round shorter, longer or later."""
    less, more = (ast.BinOp(node.args[0], kind(), ast.Constant(1)) for kind in (ast.Sub, ast.Add))
    yield "last round skipped", ast.Call(node.func, [less], [])
    yield "one more kept", ast.Call(node.func, [more], [])
    yield "first round skipped", ast.Call(node.func, [ast.Constant(1), node.args[0]], [])


def called_name(node: ast.Call) -> str:
    """Return the name of the called function, without its module."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _is_method(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute)


def _another_function(node: ast.Call, name: str) -> Iterator[ExpressionEdit]:
    for other, description in CONFUSED.get(name, ()):
        if isinstance(node.func, ast.Attribute):
            owner = node.func.value
            is_module = isinstance(owner, ast.Name) and owner.id == "np"
            if other == "median" and not is_module:
                function: ast.expr = ast.Attribute(ast.Name("np", ast.Load()), other, ast.Load())
                yield (
                    f"another function|{description}",
                    ast.Call(function, [owner, *node.args], node.keywords),
                )
                continue
            function = ast.Attribute(owner, other, ast.Load())
        else:
            function = ast.Name(other, ast.Load())
        yield f"another function|{description}", ast.Call(function, node.args, node.keywords)


def _tuple(node: ast.Tuple) -> Iterator[ExpressionEdit]:
    if isinstance(node.ctx, ast.Load) and 2 <= len(node.elts) <= 5:
        for first, second in itertools.combinations(range(len(node.elts)), 2):
            elements = list(node.elts)
            elements[first], elements[second] = elements[second], elements[first]
            yield "parts exchanged", ast.Tuple(elements, ast.Load())


def _choice(node: ast.IfExp) -> Iterator[ExpressionEdit]:
    yield "test left out", node.body
    yield "test left out", node.orelse


_BY_KIND: list[tuple[type[ast.expr], Callable[[Any], Iterator[ExpressionEdit]]]] = [
    (ast.BinOp, _arithmetic),
    (ast.UnaryOp, _sign),
    (ast.Attribute, _attribute),
    (ast.Constant, _constant),
    (ast.Compare, _comparison),
    (ast.Subscript, _subscript),
    (ast.Call, _call),
    (ast.Tuple, _tuple),
    (ast.IfExp, _choice),
]


def _return_early(tree: ast.Module) -> Iterator[MutantChange]:
    """Yield changes that return an intermediate result."""
    body = _definition(tree).body
    if not isinstance(body[-1], ast.Return) or body[-1].value is None:
        return
    result = body[-1].value
    inner = [node for node in ast.walk(result) if isinstance(node, ast.BinOp | ast.Call)]
    for early in [*_assigned_names(body), *inner]:
        if early is not result:
            yield "stopped early", SyntaxPlace(body[-1], "value"), early


def _assigned_names(body: Iterable[ast.stmt]) -> Iterator[ast.expr]:
    nodes = [node for step in body for node in ast.walk(step) if isinstance(node, ast.Assign)]
    for target in itertools.chain.from_iterable(node.targets for node in nodes):
        if isinstance(target, ast.Name):
            yield ast.Name(target.id, ast.Load())


def _skip_steps(tree: ast.Module) -> Iterator[MutantChange]:
    """Yield changes that skip statements, cut loops or fix tests."""
    for node in ast.walk(_definition(tree)):
        if isinstance(node, ast.If):
            for constant in (True, False):
                yield "test left out", SyntaxPlace(node, "test"), ast.Constant(constant)
    body = _definition(tree).body
    for position, step in enumerate(body):
        if isinstance(step, ast.AugAssign | ast.If):
            yield "step left out", SyntaxPlace(body, position), ast.Pass()
        elif isinstance(step, ast.For):
            yield "loop cut", SyntaxPlace(step, "body"), [*step.body, ast.Break()]
