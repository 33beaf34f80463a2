"""Formulas as people type them, spelled as Python does: 2√3, 2½, −1, 3·4, 5², 50 %, `1 2 3`, rows after semicolons.

The pages of the book read answers by the same rules, in JavaScript; a test reads many with both. What these rules do
not know they leave alone: whoever reads the result says what cannot be read.
"""

import re

_SIGNS = {"−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "÷": "/", "⁄": "/", "π": "pi", "^": "**"}
_SIGNS |= {"‐": "-", "‑": "-", "∗": "*", "∙": "*", "•": "*", "∕": "/"}
_SIGNS |= {"²": "**2", "³": "**3", "½": "(1/2)", "⅓": "(1/3)", "⅔": "(2/3)", "¼": "(1/4)", "¾": "(3/4)"}
_SIGN = re.compile("[" + "".join(map(re.escape, _SIGNS)) + "]")
# what is pasted from a page or typed on another keyboard: wide signs, blanks of other widths, what nobody sees
_WIDE = re.compile("[！-～]")
_BLANK = re.compile("[\v\f\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_UNSEEN = re.compile("[\u200b-\u200f\u2060-\u2064\ufeff]")
_MIXED = re.compile(r"(?<![\w.])([0-9]+)([½⅓⅔¼¾])", re.ASCII)
_ROOT = re.compile(r"(?:√[ \t]*|(?<!\w)sqrt[ \t]*(?=[0-9]))([0-9]+(?:\.[0-9]+)?|[A-Za-z]\w*)", re.ASCII)
# from the first digit of a number on: tried from every digit, a long number would take the square of its length
_PERCENT = re.compile(r"(?<![0-9])([0-9]+(?:\.[0-9]+)?)[ \t]*%(?=[ \t]*(?:[,;\])]|$))")
_TIMES = re.compile(r"(?<![\w.])([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?)([A-Za-z(])?", re.ASCII)
# two operands with nothing but a space between them; then a sign that touches its number begins a new one, too
_GAP = re.compile(r"[0-9.)\]][ \t]+(?:[0-9.(\[]|sqrt\b|pi\b)")
_GAPS = re.compile(r"(?<=[0-9.)\]])[ \t]+(?=[-+]?(?:[0-9.(\[]|sqrt\b|pi\b))")
_BRACKETS = {"[": "]", "(": ")"}


def spelled(text: str) -> str:
    """The same formula, or list, or table, as Python would write it."""
    text = _WIDE.sub(lambda found: chr(ord(found[0]) - 0xFEE0), text)
    text = _MIXED.sub(r"(\1+\2)", _BLANK.sub(" ", _UNSEEN.sub("", text)).strip())
    text = _SIGN.sub(lambda found: _SIGNS[found[0]], text)
    text = _ROOT.sub(r"sqrt(\1)", text).replace("√", "sqrt")
    text = _rows(_PERCENT.sub(r"(\1/100)", text))
    text = _TIMES.sub(lambda found: found[1] + (f"*{found[2]}" if found[2] else ""), text)
    return _GAPS.sub(", ", text) if _GAP.search(text) else text


def _rows(text: str) -> str:
    """A table whose rows stand on lines of their own, or are kept apart by semicolons."""
    if ";" not in text and ("\n" not in text or "[" in text):
        return text
    inner = text[1:-1] if _BRACKETS.get(text[:1]) == text[-1:] else text
    rows = [row.strip() for row in re.split(r"[;\n]", inner) if row.strip()]
    return ", ".join(f"[{row}]" for row in rows)
