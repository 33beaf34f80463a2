"""Formulas are read by a grammar of our own: equal ones agree, hostile ones are refused, nothing runs."""

import contextlib
import math
import sys
from concurrent.futures import ThreadPoolExecutor

import mpmath
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from autograder.answers.values import NotPlainError
from autograder.judging.expressions import evaluate

POINT = {"a": 1.5, "b": 0.25, "lam": 2.0}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2*(a - b)", 2.5),
        ("2*a-2*b", 2.5),
        ("(a + b)^2", 3.0625),
        ("a**2 + 2*a*b + b**2", 3.0625),
        ("sqrt(a**2)", 1.5),
        ("-Abs(-lam)/4", -0.5),
        ("|b - a|/2 + |lam|", 2.625),
        ("cos(pi)", -1.0),
        ("exp(log(a))", 1.5),
        ("+E - E", 0.0),
        ("gamma(lam + 1)", 2.0),
    ],
)
def test_formulas_have_the_value_that_they_say(text, value):
    assert evaluate(text, POINT) == pytest.approx(value, abs=1e-15)


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(1, 9))
def test_whatever_sympy_prints_is_understood(p, q, r):
    a, b = sp.symbols("a b")
    formula = (p * a + q * b) ** 3 / r + sp.sqrt(a) * sp.sin(b) - sp.Rational(p, r)
    exact = float(formula.subs({a: sp.Rational(3, 2), b: sp.Rational(1, 4)}))
    for form in (formula, sp.expand(formula), sp.simplify(formula)):
        assert evaluate(str(form), POINT) == pytest.approx(exact, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('echo hello')",
        "a.__class__",
        "[a for a in (1,)]",
        "lambda: 1",
        "open('x')",
        "a if b else 1",
        "'text'",
        "f'{a}'",
        "a @ b",
        "a // b",
        "c",
        "sqrt(a, b)",
        "exp(x=1)",
        "1 +",
        "",
        "a" * 100,
        "(" * 500 + "a" + ")" * 500,
        "+".join(["a"] * 5000),
        "2**(10**9)",
        "a == b",
        "10**10**10",
    ],
    ids=lambda text: text[:20],
)
def test_anything_but_a_formula_is_refused(text):
    with pytest.raises(NotPlainError):
        evaluate(text, POINT)


@pytest.mark.parametrize("text", ["1/(a - 1.5)", "log(0*a)", "sqrt(-a)", "0/0"])
def test_a_formula_without_a_real_value_is_not_finite(text):
    assert not math.isfinite(evaluate(text, POINT))


def test_precision_is_our_own_whatever_others_do_meanwhile():
    tiny = "(a**2 - (a + b/10**18)**2) * 10**18"  # fifteen digits would leave nothing of it

    def value(number):
        with mpmath.workdps(3 + number % 30):  # a student, or a library, in the same process
            return evaluate(tiny, {"a": 3.0, "b": 1.0})

    interval, digits = sys.getswitchinterval(), mpmath.mp.dps
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            assert set(threads.map(value, range(400))) == {value(0)}
    finally:
        sys.setswitchinterval(interval)
        mpmath.mp.dps = digits  # the threads left each other's
    assert value(0) == pytest.approx(-6, rel=1e-12)
    evaluate("gamma(a)/3", POINT)
    assert mpmath.mp.dps == digits


@pytest.mark.parametrize(
    "text",
    [
        "polygamma(-1e5, 0.5)",
        "polygamma(-2**900, I)",
        "polygamma(0.5, 2)",
        "polygamma(3, 0.5 - 2**100)",
        "Mod(I, 2)",
        "Mod(2, 1e5*I)",
    ],
)
def test_what_takes_for_ever_or_has_no_meaning_has_no_value(text):
    assert math.isnan(evaluate(text, {}))


@pytest.mark.parametrize("text", ["cos(" * 248 + "1" + ")" * 248, "a" + ".b" * 249, "+".join(["a"] * 249)])
def test_the_deepest_formulas_are_read_or_refused_in_words(text):
    with contextlib.suppress(NotPlainError):
        assert math.isfinite(evaluate(text, POINT))
