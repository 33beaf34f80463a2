"""Quantities of an answer as small formulas in its blanks, with the intervals in which they are right.

The judge compares an invariant of each part, rounded to a grid (`autograder.judging.sameness`). Here the invariant is a
tree of sums, products and quotients of the blanks, which QTI 2.1 and Maxima can compute, too. A tree is `("blank", i)`,
`("number", x)`, or an operation with its operands.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import reduce
from math import prod
from typing import Any

import numpy as np

from autograder.judging.fingerprints import GRID_TIE_OFFSET
from autograder.quiz.question import AnswerPart, QuizQuestion

Tree = tuple[Any, ...]
HALF_STEP = Decimal("0.5")


@dataclass(frozen=True)
class Interval:
    """A quantity and the interval of the numbers that are rounded to `centre`."""

    tree: Tree
    centre: Decimal
    step: Decimal

    @property
    def low(self) -> Decimal:
        """Return the lower end."""
        return self.centre - HALF_STEP * self.step

    @property
    def high(self) -> Decimal:
        """Return the upper end."""
        return self.centre + HALF_STEP * self.step

    def holds(self, numbers: Sequence[float]) -> bool:
        """Return whether the quantity of these numbers lies in the interval."""
        value = tree_value(self.tree, numbers)
        return value is not None and float(self.low) <= value <= float(self.high)


def _sum(*operands: Tree) -> Tree:
    return ("sum", *operands)


def _product(*operands: Tree) -> Tree:
    return ("product", *operands)


def _as_they_are(part: AnswerPart) -> list[Tree]:
    return [("blank", blank) for blank in part.blanks]


def _outer_products(part: AnswerPart) -> list[Tree]:
    blanks = _as_they_are(part)
    return [_product(first, other) for place, first in enumerate(blanks) for other in blanks[place:]]


def _direction(part: AnswerPart) -> list[Tree]:
    blanks = _as_they_are(part)
    length = _sum(*(_product(blank, blank) for blank in blanks))
    return [("divide", entry, length) for entry in _outer_products(part)]


def _two_in_order(part: AnswerPart) -> list[Tree] | None:
    blanks = _as_they_are(part)
    return [("min", *blanks), ("max", *blanks)] if len(blanks) == 2 else None


def _gram_of_centred(part: AnswerPart) -> list[Tree]:
    """Return the inner products of centred points."""
    rows, columns = part.shape
    blanks = _as_they_are(part)
    table = [blanks[row * columns : (row + 1) * columns] for row in range(rows)]
    means = [_product(("number", 1 / rows), _sum(*column)) for column in zip(*table, strict=True)]
    centred = [[("subtract", entry, mean) for entry, mean in zip(row, means, strict=True)] for row in table]
    return [
        _sum(*(_product(a, b) for a, b in zip(centred[row], centred[other], strict=True)))
        for row in range(rows)
        for other in range(row, rows)
    ]


_TREES: dict[str, Callable[[AnswerPart], list[Tree] | None]] = {
    "exactly": _as_they_are,
    "up_to_sign": _outer_products,
    "up_to_direction": _direction,
    "up_to_order": _two_in_order,
    "up_to_rigid_motion": _gram_of_centred,
}
_OPERATIONS: dict[str, Callable[..., float]] = {
    "sum": lambda *operands: float(sum(operands)),
    "product": lambda *operands: float(prod(operands)),
    "subtract": lambda first, second: first - second,
    "min": min,
    "max": max,
}


def trees_of(part: AnswerPart) -> list[Tree] | None:
    """Return the quantities of a part, or None if they cannot be written as trees."""
    make = _TREES.get(part.same)
    return make(part) if make else None


def tree_value(tree: Tree, numbers: Sequence[float]) -> float | None:
    """Return the value of a tree; None after a division by zero."""
    head, *operands = tree
    if head == "blank":
        return float(numbers[operands[0]])
    if head == "number":
        return float(operands[0])
    values = [tree_value(operand, numbers) for operand in operands]
    if any(value is None for value in values):
        return None
    if head == "divide":
        return values[0] / values[1] if values[1] else None  # type: ignore[operator]
    return float(_OPERATIONS[head](*values))


def grid_exponent(grid: float) -> int:
    """Return the exponent of a grid, which is a power of ten."""
    return round(float(np.log10(grid)))


def interval(tree: Tree, value: float, grid: float) -> Interval:
    """Return the interval of the numbers that the judge takes for `value`."""
    exponent = grid_exponent(grid)
    steps = Decimal(int(np.rint(value / grid + GRID_TIE_OFFSET)))
    return Interval(tree, steps.scaleb(exponent), Decimal(1).scaleb(exponent))


def intervals(question: QuizQuestion, numbers: Sequence[float]) -> list[list[Interval]] | None:
    """Return for each part the intervals around these numbers.

    None if a part has no trees, or a quantity of these numbers no value.
    """
    parts = []
    for part in question.parts:
        trees = trees_of(part)
        values = [tree_value(tree, numbers) for tree in trees or ()]
        if trees is None or any(value is None for value in values):
            return None
        parts.append(
            [interval(tree, value or 0.0, part.grid) for tree, value in zip(trees, values, strict=True)]
        )
    return parts


def all_intervals(parts: Sequence[Sequence[Interval]]) -> list[Interval]:
    """Return the intervals of all parts."""
    return reduce(lambda listed, part: [*listed, *part], parts, list[Interval]())
