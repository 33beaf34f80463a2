"""Fields become numbers: decimal point or comma, separators of thousands, and marks of missing entries."""

import math
import re
from collections.abc import Iterable

MISSING = frozenset(
    ("", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "missing", "-", "--", ".", "?", "…", "#value!")
)
SPACES = re.compile(r"(?<=\d)[\u00a0\u202f\u2009 '’](?=\d{3}(?!\d))")  # between groups of three digits
POINT = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
POINT_WITH_GROUPS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?")
COMMA = re.compile(r"[+-]?(\d+,?\d*|,\d+)([eE][+-]?\d+)?")
COMMA_WITH_GROUPS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d*)?")
INFINITE = frozenset(("inf", "+inf", "-inf", "infinity", "-infinity"))


def is_missing(field: str) -> bool:
    """Return whether a field marks a missing entry; an infinite number counts as one."""
    return field.lower() in MISSING or field.lower() in INFINITE


def parse(field: str, *, has_decimal_comma: bool) -> float | None:
    """Return the number in a field, NaN for a missing one, None for other text."""
    if is_missing(field):
        return math.nan
    text = SPACES.sub("", field.replace("−", "-"))
    if has_decimal_comma:
        if COMMA_WITH_GROUPS.fullmatch(text):
            text = text.replace(".", "")
        elif not COMMA.fullmatch(text):
            return None
        return float(text.replace(",", "."))
    if POINT_WITH_GROUPS.fullmatch(text):
        return float(text.replace(",", ""))
    return float(text) if POINT.fullmatch(text) else None


def uses_decimal_comma(fields: Iterable[str]) -> bool:
    """Return whether more fields are numbers with a decimal comma than with a decimal point."""
    comma = point = 0
    for field in fields:
        comma += "," in field and parse(field, has_decimal_comma=True) is not None
        point += "." in field and parse(field, has_decimal_comma=False) is not None
    return comma > point
