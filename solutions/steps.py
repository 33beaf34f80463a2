"""Worked solutions: numbers in formulas, and the list of steps.

A worked solution (`@task.worked`) is a function of the drawn numbers. It returns its steps, in Markdown, and the answer
to which they lead: a test compares that with the reference, on every variant that is shown.
"""

from fractions import Fraction
from math import gcd, isqrt, lcm
from typing import Any

import numpy as np

from solutions.numbers import is_short

Worked = tuple[str, Any]
CLOSE = 1e-9


def steps(*lines: str) -> str:
    """A numbered list; a formula of several lines stays in its step."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1))


def tex(value: Any) -> str:
    """A number as it is written by hand: whole, short, a fraction, a root, or rounded; a list as a column."""
    if np.ndim(value):
        return matrix(value)
    number = float(value)
    return _exact(number) or f"{number:.5g}"


def eq(value: Any) -> str:
    """The sign of equality, or of nearly, with the number behind it."""
    is_exact = bool(np.ndim(value)) or _exact(float(value))
    return f"={tex(value)}" if is_exact else rf"\approx {tex(value)}"


def _exact(number: float) -> str:
    if abs(number - round(number)) < CLOSE:
        return str(round(number))
    if is_short(number):
        return f"{number:.3f}".rstrip("0")
    simple = Fraction(number).limit_denominator(200)
    if abs(number - simple) < CLOSE:
        return _fraction(simple.numerator, simple.denominator)
    return _root(number)


def _fraction(above: int, below: int) -> str:
    return rf"{'-' if above < 0 else ''}\tfrac{{{abs(above)}}}{{{below}}}"


def _root(number: float) -> str:
    """√(p/q) as s√r/q; empty if the square is no simple fraction."""
    square = Fraction(number * number).limit_denominator(200)
    if abs(number * number - square) > CLOSE or square.numerator > 10_000:
        return ""
    inside = square.numerator * square.denominator
    outside = max(s for s in range(1, isqrt(inside) + 1) if inside % (s * s) == 0)
    shared = gcd(outside, square.denominator)
    above, below = outside // shared, square.denominator // shared
    text = f"{above if above > 1 else ''}\\sqrt{{{inside // outside**2}}}"
    return ("-" if number < 0 else "") + (rf"\tfrac{{{text}}}{{{below}}}" if below > 1 else text)


def matrix(table: Any) -> str:
    """A matrix; a list as a column."""
    rows = np.asarray(table, dtype=float)
    rows = rows.reshape(-1, 1) if rows.ndim == 1 else rows
    body = r" \\ ".join(" & ".join(tex(entry) for entry in row) for row in rows)
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def row(values: Any) -> str:
    """A list in one line."""
    return "(" + ",\\,".join(tex(value) for value in values) + ")"


def bracketed(value: Any) -> str:
    """A number to be multiplied or subtracted: in brackets if it is negative."""
    return f"({tex(value)})" if float(value) < -CLOSE else tex(value)


def total(values: Any) -> str:
    """A written sum: 3 + 4 − 2."""
    first, *others = [float(value) for value in values]
    return tex(first) + "".join(f"{'-' if one < -CLOSE else '+'}{tex(abs(one))}" for one in others)


def products(ones: Any, others: Any) -> str:
    """A written sum of products: 3·4 + 1·(−2)."""
    return "+".join(
        rf"{bracketed(one)}\cdot{bracketed(other)}" for one, other in zip(ones, others, strict=True)
    )


def squares(values: Any) -> str:
    """A written sum of squares."""
    return "+".join(f"{bracketed(value)}^2" for value in values)


def pair_of(A: Any) -> tuple[str, float, float, Any]:
    """The eigenvalues of a symmetric 2 × 2 matrix by its trace and determinant, in words, and an eigenvector."""
    (a, b), (_, d) = np.asarray(A, dtype=float)
    trace, determinant = a + d, a * d - b * b
    root = np.sqrt(trace**2 / 4 - determinant)
    large, small = trace / 2 + root, trace / 2 - root
    text = (
        rf"$\lambda^2-{bracketed(trace)}\lambda+{bracketed(determinant)}=0$ gives "
        rf"$\lambda={tex(trace / 2)}\pm\sqrt{{{tex(trace / 2)}^2-{bracketed(determinant)}}}$, so "
        rf"$\lambda_1{eq(large)}$ and $\lambda_2{eq(small)}$"
    )
    return text, large, small, shortened(np.array([b, large - a]))


def shortened(v: Any) -> Any:
    """The same direction in small whole numbers, if it has them; the first that is not zero is positive."""
    first = v[np.flatnonzero(np.abs(v) > CLOSE * np.abs(v).max())[0]]
    v = v * np.sign(first)
    largest = np.abs(v).max()
    ratios = [Fraction(entry / largest).limit_denominator(60) for entry in v]
    if any(abs(entry / largest - ratio) > CLOSE for entry, ratio in zip(v, ratios, strict=True)):
        return v
    return np.array([float(ratio * lcm(*(one.denominator for one in ratios))) for ratio in ratios])
