"""Describe what a verifying cell checks: "Theorem 4.5, checked"."""

import io
import re
import tokenize
from collections.abc import Mapping

from autograder.book.labels import Label

TAG = "verify"  # of the cells that are folded under such a line
CHECK_MARK = "✓"
_WORD = re.compile(r"[a-z]+(?:-[a-z0-9]+)+")


def line_for(source: str, places: Mapping[str, Label]) -> str:
    """Return the line above a verifying cell, without its check mark.

    It names the labels of the first comment that has any.
    """
    numbers = [number for label in named_labels(source, places) if (number := places[label].number)]
    if not numbers:
        return "Checked"
    *others, last = dict.fromkeys(numbers)
    return f"{', '.join(others)} and {last}, checked" if others else f"{last}, checked"


def named_labels(source: str, places: Mapping[str, Label]) -> list[str]:
    """Return the labels in a cell's first comment that names one."""
    for comment in _comments(source):
        if names := [word for word in _WORD.findall(comment) if word in places]:
            return names
    return []


def _comments(source: str) -> list[str]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):  # magics are not Python
        return re.findall(r"#.*", source)
    return [token.string for token in tokens if token.type == tokenize.COMMENT]
