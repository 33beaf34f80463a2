"""Normalise formulas as people type them to Python's spelling.

Examples are 2√3, 2½, −1, 3·4, 5², 50 %, `1 2 3`, `[1 -2]`, 2 sqrt(3), (a + b)c and np.exp(x). The pages of the book
read answers by the same rules in JavaScript, and a test compares both. Text that no rule covers stays as it is, and the
parser reports it.
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
_AFTER_BRACKET = re.compile(r"\)(?=[A-Za-zα-ω0-9(])", re.ASCII)
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
_ROOT = re.compile(r"(?:√[ \t]*|(?<!\w)sqrt[ \t]*(?=[0-9]))([0-9]+(?:\.[0-9]+)?|[A-Za-z]\w*|[α-ω])", re.ASCII)
# only from the first digit of a number: from every digit, a long number would take quadratic time
_PERCENT = re.compile(r"(?<![0-9])([0-9]+(?:\.[0-9]+)?)[ \t]*%(?=[ \t]*(?:[,;\])]|$))")
_TIMES = re.compile(r"(?<![\w.])([0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?)([A-Za-zα-ω(])?", re.ASCII)
# two operands with nothing but a space between them; then a sign that touches its number begins a new one, too
_GAP = re.compile(r"[0-9.)\]][ \t]+(?:[0-9.(\[]|sqrt\b|pi\b)")
_GAPS = re.compile(r"(?<=[0-9.)\]])[ \t]+(?=[-+]?(?:[0-9.(\[]|sqrt\b|pi\b))")
# a list as numpy prints it, [1 -2]: a blank before a sign that touches its number
_SIGNED_GAP = re.compile(r"[0-9.)\]][ \t]+[-+](?:[0-9.(\[]|sqrt\b|pi\b)")
_SPACED_OPERATOR = re.compile(r"[ \t][-+*/]+[ \t]")
_NUMBER_WORDS = re.compile(r"sqrt|pi|array|Matrix|(?<=[0-9.])[eE](?=[-+]?[0-9])")
_LETTER = re.compile(r"[^\W\d_]")
# 2 sqrt(3) and 2 pi, unless blanks keep the numbers of a list apart
_NUMBER_GAP = re.compile(r"[0-9.)\]][ \t]+[-+]?[0-9.(\[]")
_FACTOR = re.compile(r"(?<=[0-9])[ \t]+(?=(?:sqrt|pi)\b)")
_LINE_END = re.compile(r"[ \t]*\n[ \t]*")
_BRACKETS = {"[": "]", "(": ")"}
_TRANSPOSE = re.compile(r"(?<=[)\]])(?:ᵀ|⊤|\.T\b)")
# where one number is expected: 1 000 000.5 and 3 1/2
_THOUSANDS = re.compile(r"[-+−–‐‑]?[1-9][0-9]{0,2}(?: [0-9]{3})+(?:\.[0-9]*)?")
_MIXED_NUMBER = re.compile(r"([-+−–‐‑]?)([0-9]+) +([0-9]+) ?[/⁄∕÷] ?([0-9]+)")
# 1e: typing has stopped before the exponent
UNFINISHED = re.compile(r"(?:^|(?<=[\s,;(\[]))[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][-+]?(?=\s*(?:$|[,;)\]]))")


def spelled(text: str) -> str:
    """Return a formula, list or table in Python's spelling."""
    text = _TRANSPOSE.sub("**T", _MIXED.sub(r"(\1+\2)", _plain_blanks(text)))
    text = _MODULE.sub("", _SIGN.sub(lambda match: _SIGNS[match[0]], text))
    text = _POWER.sub(_spell_power, text)
    text = _ROOT.sub(r"sqrt(\1)", text).replace("√", "sqrt")
    text = _rows(_PERCENT.sub(r"(\1/100)", text))
    text = _TIMES.sub(lambda match: match[1] + (f"*{match[2]}" if match[2] else ""), text)
    text = _SIDE_BY_SIDE.sub(r"\1*", _AFTER_BRACKET.sub(")*", text))
    if not (_NUMBER_GAP.search(text) or ("[" in text and "," not in text)):
        text = _FACTOR.sub("*", text)
    return _GAPS.sub(", ", text) if _GAP.search(text) or _has_signed_gaps(text) else text


def one_number(text: str) -> str:
    """Return the text of a single number with its thousands joined, and a mixed number as a sum.

    In a list `1 000` and `3 1/2` are two numbers each.
    """
    plain = _plain_blanks(text)
    if _THOUSANDS.fullmatch(plain):
        return plain.replace(" ", "")
    return _MIXED_NUMBER.sub(r"\1(\2+\3/\4)", plain) if _MIXED_NUMBER.fullmatch(plain) else text


def _plain_blanks(text: str) -> str:
    """Replace wide signs and unusual blanks, and leave invisible characters out."""
    text = _WIDE.sub(lambda match: chr(ord(match[0]) - 0xFEE0), text)
    return _BLANK.sub(" ", _INVISIBLE.sub("", text)).strip()


def _has_signed_gaps(text: str) -> bool:
    """Return whether blanks before signs keep numbers apart, as in `[1 -2]`.

    Not so in a formula with symbols, beside commas, or where another operator has a blank on both sides.
    """
    is_list = not (
        "," in text or _SPACED_OPERATOR.search(text) or _LETTER.search(_NUMBER_WORDS.sub("", text))
    )
    return is_list and _SIGNED_GAP.search(text) is not None


def _spell_power(match: re.Match[str]) -> str:
    exponent = "".join(_SUPERSCRIPTS[sign] for sign in match[0])
    return f"**{exponent}" if exponent.isdigit() else f"**({exponent})"


def _rows(text: str) -> str:
    """Write a table with lines or semicolons as lists."""
    if ";" not in text and ("\n" not in text or "[" in text):
        return _LINE_END.sub(" ", text)
    inner = text[1:-1] if _BRACKETS.get(text[:1]) == text[-1:] else text
    rows = [row.strip() for row in re.split(r"[;\n]", inner) if row.strip()]
    return ", ".join(f"[{row}]" for row in rows)
