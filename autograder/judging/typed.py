"""Normalise formulas as people type them to Python's spelling.

Examples are 2√3, 2½, −1, 3·4, 5², 50 %, `1 2 3`, (a + b)c and np.exp(x). The pages of the book read answers by the same
rules in JavaScript, and a test compares both. Text that no rule covers stays as it is, and the parser reports it.
"""

import re

_SIGNS = {"−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "÷": "/", "⁄": "/", "π": "pi", "^": "**"}
_SIGNS |= {"‐": "-", "‑": "-", "∗": "*", "∙": "*", "•": "*", "∕": "/"}
_SIGNS |= {"½": "(1/2)", "⅓": "(1/3)", "⅔": "(2/3)", "¼": "(1/4)", "¾": "(3/4)"}
_SIGN = re.compile("[" + "".join(map(re.escape, _SIGNS)) + "]")
# 5², x⁻¹, x¹²
_SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-", strict=True))
_POWER = re.compile("⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
# the names by which programs import modules
_MODULE = re.compile(r"(?<![\w.])(?:np|numpy|sp|sympy|math)[ \t]*\.[ \t]*(?=[A-Za-z])", re.ASCII)
# (a + b)(a - b), (a + b)c: a product; a space between brackets keeps the items of a list apart
_AFTER_BRACKET = re.compile(r"\)(?=[A-Za-z0-9(])", re.ASCII)
# a b: a product, unless one of them is a word of Python
_SIDE_BY_SIDE = re.compile(
    r"(?<![\w.])(?!(?:and|or|not|if|else|in|is|lambda|for)\b)([A-Za-z]\w*)[ \t]+"
    r"(?!(?:and|or|not|if|else|in|is|for|sqrt|pi)\b)(?=[A-Za-z])",
    re.ASCII,
)
# pasted from a page or typed on another keyboard: wide signs, blanks of other widths, invisible characters
_WIDE = re.compile("[！-～]")
_BLANK = re.compile("[\v\f\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_INVISIBLE = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff]")
_MIXED = re.compile(r"(?<![\w.])([0-9]+)([½⅓⅔¼¾])", re.ASCII)
_ROOT = re.compile(r"(?:√[ \t]*|(?<!\w)sqrt[ \t]*(?=[0-9]))([0-9]+(?:\.[0-9]+)?|[A-Za-z]\w*)", re.ASCII)
# only from the first digit of a number: from every digit, a long number would take quadratic time
_PERCENT = re.compile(r"(?<![0-9])([0-9]+(?:\.[0-9]+)?)[ \t]*%(?=[ \t]*(?:[,;\])]|$))")
_TIMES = re.compile(r"(?<![\w.])([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?)([A-Za-z(])?", re.ASCII)
# two operands with nothing but a space between them; then a sign that touches its number begins a new one, too
_GAP = re.compile(r"[0-9.)\]][ \t]+(?:[0-9.(\[]|sqrt\b|pi\b)")
_GAPS = re.compile(r"(?<=[0-9.)\]])[ \t]+(?=[-+]?(?:[0-9.(\[]|sqrt\b|pi\b))")
_BRACKETS = {"[": "]", "(": ")"}


def spelled(text: str) -> str:
    """Return a formula, list or table in Python's spelling."""
    text = _WIDE.sub(lambda match: chr(ord(match[0]) - 0xFEE0), text)
    text = _MIXED.sub(r"(\1+\2)", _BLANK.sub(" ", _INVISIBLE.sub("", text)).strip())
    text = _MODULE.sub("", _SIGN.sub(lambda match: _SIGNS[match[0]], text))
    text = _POWER.sub(_spell_power, text)
    text = _ROOT.sub(r"sqrt(\1)", text).replace("√", "sqrt")
    text = _rows(_PERCENT.sub(r"(\1/100)", text))
    text = _TIMES.sub(lambda match: match[1] + (f"*{match[2]}" if match[2] else ""), text)
    text = _SIDE_BY_SIDE.sub(r"\1*", _AFTER_BRACKET.sub(")*", text))
    return _GAPS.sub(", ", text) if _GAP.search(text) else text


def _spell_power(match: re.Match[str]) -> str:
    exponent = "".join(_SUPERSCRIPTS[sign] for sign in match[0])
    return f"**{exponent}" if exponent.isdigit() else f"**({exponent})"


def _rows(text: str) -> str:
    """Write a table with lines or semicolons as lists."""
    if ";" not in text and ("\n" not in text or "[" in text):
        return text
    inner = text[1:-1] if _BRACKETS.get(text[:1]) == text[-1:] else text
    rows = [row.strip() for row in re.split(r"[;\n]", inner) if row.strip()]
    return ", ".join(f"[{row}]" for row in rows)
